//! `motet test PROGRAM`: runs a C program with threads under all schedules that matter, or under some.

use super::{Answered, one_program};
use crate::{
    Exit,
    engine_progress::of_testing,
    flags::{Bytes, DiagramFlag, OutputFlags, SeedFlag, TraceFlag, WorkerFlag, Written, seconds},
    interrupt,
    output::Output,
    report::{Figures, Report},
    telling::{self, program as shown},
};
use ::explore::{Cancel, FindingKind, Limits};
use clap::{Args, ValueEnum};
use program::{Mode, Options, Program, Recipe, Schedule, Search, Shard, Visible};
use std::{sync::atomic::Ordering, time::Duration};

#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct TestArgs {
    /// Sources of C or C++ that make one program, or an executable built with `motet cc`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    macros: Vec<String>,
    /// Hand an argument on to the compiler
    #[arg(long, value_name = "ARGUMENT", allow_hyphen_values = true)]
    cc_arg: Vec<String>,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,
    /// How schedules are chosen: all up to equivalence (`dpor`), all (`exhaustive`), those with few switches away from a thread that could go on (`preemptions=MOST`), or some by `random`, `pct`, `pct=DEPTH`, `pos`, `surw`, or whichever of these shows the most (`learned`)
    #[arg(long, value_name = "SEARCH", default_value = "dpor", value_parser = search)]
    search: Search,
    /// Which accesses to memory are scheduling points
    #[arg(long, value_enum, default_value_t = VisibleFlag::Racy, value_name = "WHICH")]
    visible: VisibleFlag,
    /// Run all schedules that filters let pass, applied in this order: `seen`, `seen=STATES`, `depth=STEPS`, `cycles`, `supersteps`
    #[arg(long, value_name = "FILTER,…", value_delimiter = ',', value_parser = filter, conflicts_with_all = ["search", "limit_depth"])]
    filters: Vec<String>,
    /// Explore one of several parts, each on a machine of its own: `1/4` to `4/4`; `motet merge` joins their reports
    #[arg(long, value_name = "PART/PARTS", value_parser = shard)]
    shard: Option<Shard>,
    /// Take from reports of parts which operations are steps
    #[arg(long, value_name = "REPORT", requires = "shard")]
    known: Vec<String>,
    #[command(flatten)]
    workers: WorkerFlag,
    /// With `--filters`, try successors in a random order
    #[arg(long, requires = "filters")]
    shuffle: bool,
    /// A function of the program, without parameters, that must return a non-zero value in every state; or a source, all of
    /// whose functions must, and which is built with the program
    #[arg(long, value_name = "FUNCTION|FILE")]
    invariant: Vec<String>,
    /// How often each thread may wake up from a wait without a signal
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    spurious: usize,
    /// Let these calls of the program fail, in all combinations
    #[arg(long, value_enum, value_name = "CALL,…", value_delimiter = ',')]
    fail: Vec<Failing>,
    /// Make a file the program's standard input; of several, each is tried
    #[arg(long, value_name = "FILE")]
    input: Vec<String>,
    /// Do not report this kind of finding
    #[arg(long, value_name = "KIND", value_parser = shown::kind)]
    ignore: Vec<FindingKind>,
    /// Continue after the first failure, and report each distinct one
    #[arg(long)]
    all: bool,
    /// Run this schedule alone, such as "0 0 1 2:1", and show its steps
    #[arg(long, value_name = "SCHEDULE", conflicts_with_all = ["search", "all", "limit_runs", "limit_depth", "trace"])]
    schedule: Option<Schedule>,
    /// Test again whenever one of the files, or a header that they include, has changed; Ctrl-C ends it
    #[arg(long, conflicts_with_all = ["trace", "diagram", "schedule", "format"])]
    watch: bool,
    #[command(flatten)]
    seed: SeedFlag,
    /// Stop after this time
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    limit_time: Option<Duration>,
    /// Stop when the program has this much memory, such as 8G [default: three quarters of what is free]
    #[arg(long, value_name = "BYTES")]
    limit_memory: Option<Bytes>,
    /// Stop after this many schedules, where they are drawn
    #[arg(long, value_name = "NUMBER")]
    limit_runs: Option<usize>,
    /// Cut schedules after this many steps
    #[arg(long, alias = "depth", value_name = "NUMBER")]
    limit_depth: Option<usize>,
    #[command(flatten)]
    trace: TraceFlag,
    #[command(flatten)]
    diagram: DiagramFlag,
    #[command(flatten)]
    output: OutputFlags,
}

const MORE: &str = "\
`holds` means that every schedule of the program, with these arguments, was run or is equivalent to one that was. Findings are data races, deadlocks, livelocks, failed assertions, \
crashes, and misuse of locks and memory; each is replayed in a process of its own before it is reported.";

/// Which accesses to memory are scheduling points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum VisibleFlag {
    /// Atomic ones alone
    Sync,
    /// Those that were seen to race, too
    Racy,
    /// All but those of a thread to its own stack
    All,
}

/// What may fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Failing {
    /// Allocations of memory
    Malloc,
    /// Calls of `read`
    Read,
    /// Calls of `write`
    Write,
    /// Opening of files
    Open,
    /// Creation of threads
    Create,
}

/// The words of calls that may fail.
fn failing(calls: &[Failing]) -> Vec<String> {
    let names = calls.iter().filter_map(ValueEnum::to_possible_value);
    names.map(|name| name.get_name().to_owned()).collect()
}

/// The places of files that a program reads, wherever it runs.
fn inputs(files: &[String]) -> Result<Vec<String>, String> {
    let place = |file: &String| {
        let place = std::fs::canonicalize(file).map_err(|error| format!("cannot read `{file}`: {error}"))?;
        place.into_os_string().into_string().map_err(|_| format!("the name of `{file}` is no text"))
    };
    files.iter().map(place).collect()
}

const COMMAND: &str = "test";

fn filter(text: &str) -> Result<String, String> {
    let number = |text: &str| text.parse::<usize>().is_ok();
    let known = match text.split_once('=').unwrap_or((text, "")) {
        ("seen" | "cycles" | "supersteps", "") => true,
        ("seen" | "depth", value) => number(value),
        _ => false,
    };
    let names = "`seen`, `seen=STATES`, `depth=STEPS`, `cycles`, `supersteps`";
    if known { Ok(text.to_owned()) } else { Err(format!("one of {names}")) }
}

const SEARCHES: &str = "`dpor`, `exhaustive`, `preemptions`, `preemptions=MOST`, `random`, `pct`, `pct=DEPTH`, `pos`, \
                        `surw`, `learned`";

fn shard(text: &str) -> Result<Shard, String> {
    let numbers = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    match numbers {
        Some((part, of)) if (1..=of).contains(&part) => Ok(Shard { index: part - 1, of }),
        _ => Err("a part and the number of parts, such as `1/4`".into()),
    }
}

fn search(text: &str) -> Result<Search, String> {
    let depth = |text: &str| text.parse().ok().filter(|depth| *depth > 0);
    match text.split_once('=').unwrap_or((text, "")) {
        ("dpor", "") => Ok(Search::Dpor),
        ("exhaustive", "") => Ok(Search::Exhaustive),
        ("random", "") => Ok(Search::Random),
        ("pct", "") => Ok(Search::Pct(3)),
        ("pct", text) => depth(text).map(Search::Pct).ok_or_else(|| "the depth is a number from 1".into()),
        ("pos", "") => Ok(Search::Pos),
        ("surw", "") => Ok(Search::Surw),
        ("learned", "") => Ok(Search::Learned),
        ("preemptions", "") => Ok(Search::Preemptions(2)),
        ("preemptions", text) => {
            text.parse().map(Search::Preemptions).map_err(|_| "the number of preemptions is a number".into())
        }
        _ => Err(format!("one of {SEARCHES}")),
    }
}

pub(crate) fn run(args: &TestArgs) -> Exit {
    if args.watch { watch(args) } else { once(args) }
}

/// How often files are looked at.
const LOOK: Duration = Duration::from_millis(200);

/// Tests again and again, whenever a file has changed. The exit code is that of the last test.
fn watch(args: &TestArgs) -> Exit {
    let interrupted = interrupt::flag();
    let output = Output::new(args.output.clone());
    loop {
        let before = recipe(args).map(|recipe| recipe.changes()).unwrap_or_default();
        let exit = once(args);
        if interrupted.load(Ordering::Relaxed) {
            return exit;
        }
        output.remark("watching for changes; Ctrl-C ends it");
        while before.are_current() {
            if interrupted.load(Ordering::Relaxed) {
                return exit;
            }
            std::thread::sleep(LOOK);
        }
        output.result("");
    }
}

fn once(args: &TestArgs) -> Exit {
    let written = Written::default().trace(&args.trace).diagram(&args.diagram);
    one_program(COMMAND, &args.files, &args.output, &written, |output, report| test(args, output, report))
}

fn test(args: &TestArgs, output: &Output, report: &mut Report) -> Answered {
    let mut options = match options(args) {
        Ok(options) => options,
        Err(message) => return telling::refused(output, report, message).into(),
    };
    let recipe = match recipe(args) {
        Ok(recipe) => recipe,
        Err(message) => return telling::refused(output, report, message).into(),
    };
    let Some(program) = shown::make(recipe, output, report) else { return Exit::BadInput.into() };
    options.mode.invariants = match invariants(args, &program) {
        Ok(invariants) => invariants,
        Err(message) => return telling::refused(output, report, message).into(),
    };
    if let Some(schedule) = &args.schedule {
        return follow(args, &program, &options, schedule, output, report);
    }
    let tested = of_testing(output, |heard| program::test(&program, &options, heard));
    let testing = match tested {
        Ok(testing) => testing,
        Err(message) => return telling::unknown(output, report, message).into(),
    };
    let exit = shown::tell(output, report, &program, &options, &testing);
    let files = shown::write(&args.trace, &args.diagram, &program, &testing, report, output);
    let exit = telling::told(output, report, files).unwrap_or(exit);
    Answered { exit, figures: shown::figures(&testing.stats) }
}

/// The names of all invariants. The error is a sentence.
fn invariants(args: &TestArgs, program: &Program) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for given in &args.invariant {
        if Recipe::is_for(given) {
            names.extend(program.functions_of(given)?);
        } else {
            names.push(given.clone());
        }
    }
    names.iter().try_for_each(|name| program.function(name).map(drop))?;
    Ok(names)
}

fn recipe(args: &TestArgs) -> Result<Recipe, String> {
    let folder = std::env::current_dir().map_err(|error| format!("there is no current folder: {error}"))?;
    let sources = args.invariant.iter().filter(|given| Recipe::is_for(given) && !args.files.contains(given));
    if let (Some(source), Some(first)) = (sources.clone().next(), args.files.first())
        && Recipe::is_program(first)
    {
        return Err(format!("`{first}` is built already: build it with `{source}`, and name its functions"));
    }
    Ok(Recipe {
        files: args.files.iter().chain(sources).cloned().collect(),
        folder,
        macros: args.macros.clone(),
        compiler_arguments: args.cc_arg.clone(),
        arguments: args.arguments.clone(),
    })
}

fn options(args: &TestArgs) -> Result<Options, String> {
    let search =
        if args.filters.is_empty() { args.search.clone() } else { Search::Filtered(args.filters.clone()) };
    if args.shard.is_some() && search != Search::Dpor {
        return Err(
            "`--shard` divides the search of all schedules, `--search dpor`; others are divided by `--seed`"
                .into(),
        );
    }
    if !search.draws() && search != Search::Dpor && args.limit_runs.is_some() {
        return Err(
            "`--limit-runs` is for `--search dpor` and searches that draw schedules, such as `random`".into(),
        );
    }
    // The same seed gives the same schedules, on any machine.
    let repeats = search.draws() && args.seed.seed.is_some() && args.workers.workers.is_none();
    let threads = if repeats { 1 } else { args.workers.count() };
    let visible = match args.visible {
        VisibleFlag::Sync => Visible::Sync,
        VisibleFlag::Racy => Visible::Racy,
        VisibleFlag::All => Visible::All,
    };
    Ok(Options {
        search,
        shuffle: args.shuffle,
        seed: args.seed.seed.unwrap_or(0),
        runs: args.limit_runs,
        depth: args.limit_depth,
        limits: Limits {
            time: args.limit_time,
            memory: args.limit_memory.map(|bytes| usize::try_from(bytes.0).unwrap_or(usize::MAX)),
            cancel: Cancel::by(interrupt::flag()),
            ..Limits::default()
        },
        mode: Mode {
            visible,
            all: args.all,
            invariants: args.invariant.clone(),
            spurious: args.spurious,
            fail: failing(&args.fail),
            inputs: inputs(&args.input)?,
        },
        ignore: args.ignore.clone(),
        threads,
        shard: args.shard,
        known: known(&args.known)?,
    })
}

/// What reports of parts say about which operations are steps.
fn known(reports: &[String]) -> Result<Vec<program::Mark>, String> {
    let mut all = Vec::new();
    for file in reports {
        let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read `{file}`: {error}"))?;
        let report: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| format!("`{file}` is no report: {error}"))?;
        let steps = report["shard"]["steps"].as_array().ok_or(format!("`{file}` is no report of a part"))?;
        for step in steps {
            let mark: program::Mark = serde_json::from_value(step.clone())
                .map_err(|error| format!("`{file}` is no report of a part: {error}"))?;
            if !all.contains(&mark) {
                all.push(mark);
            }
        }
    }
    Ok(all)
}

/// Runs one schedule, and shows it.
fn follow(
    args: &TestArgs,
    program: &Program,
    options: &Options,
    schedule: &Schedule,
    output: &Output,
    report: &mut Report,
) -> Answered {
    let replayed = program::replay(program, &options.mode, schedule, &[], &options.limits.cancel);
    let replayed = match replayed {
        Ok(replayed) => replayed,
        Err(message) => return telling::unknown(output, report, message).into(),
    };
    let exit = shown::tell_run(output, report, program, &replayed, &options.ignore);
    let first = replayed.findings.first();
    let drawn = args
        .diagram
        .diagram
        .as_ref()
        .zip(first)
        .map(|(picture, finding)| shown::draw(picture, program, finding));
    Answered { exit: telling::told(output, report, drawn).unwrap_or(exit), figures: Figures::None }
}
