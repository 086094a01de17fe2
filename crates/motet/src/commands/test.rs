//! `motet test PROGRAM`: runs a C program with threads under all schedules that matter, or under some.

use super::{Answered, one_program};
use crate::{
    Exit,
    engine_progress::of_testing,
    flags::{Bytes, DiagramFlag, OutputFlags, SeedFlag, TraceFlag, Written, seconds},
    interrupt,
    output::Output,
    report::{Figures, Report},
    telling::{self, program as shown},
};
use ::explore::{Cancel, FindingKind, Limits};
use clap::{Args, ValueEnum};
use program::{Mode, Options, Program, Recipe, Schedule, Search, Visible};
use std::time::Duration;

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
    /// How schedules are chosen: all up to equivalence (`dpor`), all (`exhaustive`), or some by `random`, `pct`, `pct=DEPTH`, `pos`, `surw`
    #[arg(long, value_name = "SEARCH", default_value = "dpor", value_parser = search)]
    search: Search,
    /// Which accesses to memory are scheduling points
    #[arg(long, value_enum, default_value_t = VisibleFlag::Racy, value_name = "WHICH")]
    visible: VisibleFlag,
    /// Run all schedules that filters let pass, applied in this order: `seen`, `seen=STATES`, `depth=STEPS`, `cycles`, `supersteps`
    #[arg(long, value_name = "FILTER,…", value_delimiter = ',', value_parser = filter, conflicts_with_all = ["search", "limit_depth"])]
    filters: Vec<String>,
    /// With `--filters`, try successors in a random order
    #[arg(long, requires = "filters")]
    shuffle: bool,
    /// A function of the program, without parameters, that must return a non-zero value in every state
    #[arg(long, value_name = "FUNCTION")]
    invariant: Vec<String>,
    /// How often each thread may wake up from a wait without a signal
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    spurious: usize,
    /// Let calls of the program fail, in all combinations
    #[arg(long, value_enum, value_name = "WHAT")]
    fail: Option<Failing>,
    /// Do not report this kind of finding
    #[arg(long, value_name = "KIND", value_parser = kind)]
    ignore: Vec<FindingKind>,
    /// Continue after the first failure, and report each distinct one
    #[arg(long)]
    all: bool,
    /// Run this schedule alone, such as "0 0 1 2:1", and show its steps
    #[arg(long, value_name = "SCHEDULE", conflicts_with_all = ["search", "all", "limit_runs", "limit_depth", "trace"])]
    schedule: Option<Schedule>,
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
        _ => Err("one of `dpor`, `exhaustive`, `random`, `pct`, `pct=DEPTH`, `pos`, `surw`".into()),
    }
}

fn kind(text: &str) -> Result<FindingKind, String> {
    let found = program::kinds().iter().find(|kind| kind.word() == text);
    let words: Vec<&str> = program::kinds().iter().map(|kind| kind.word()).collect();
    found.copied().ok_or_else(|| format!("one of {}", words.join(", ")))
}

pub(crate) fn run(args: &TestArgs) -> Exit {
    let written = Written::default().trace(&args.trace).diagram(&args.diagram);
    one_program(COMMAND, &args.files, &args.output, &written, |output, report| test(args, output, report))
}

fn test(args: &TestArgs, output: &Output, report: &mut Report) -> Answered {
    let options = match options(args) {
        Ok(options) => options,
        Err(message) => return telling::refused(output, report, message).into(),
    };
    let recipe = match recipe(args) {
        Ok(recipe) => recipe,
        Err(message) => return telling::refused(output, report, message).into(),
    };
    let Some(program) = shown::make(recipe, output, report) else { return Exit::BadInput.into() };
    if let Some(Err(message)) = args.invariant.iter().map(|name| program.function(name)).find(Result::is_err)
    {
        return telling::refused(output, report, message).into();
    }
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

fn recipe(args: &TestArgs) -> Result<Recipe, String> {
    let folder = std::env::current_dir().map_err(|error| format!("there is no current folder: {error}"))?;
    Ok(Recipe {
        files: args.files.clone(),
        folder,
        macros: args.macros.clone(),
        compiler_arguments: args.cc_arg.clone(),
        arguments: args.arguments.clone(),
    })
}

fn options(args: &TestArgs) -> Result<Options, String> {
    let search =
        if args.filters.is_empty() { args.search.clone() } else { Search::Filtered(args.filters.clone()) };
    if !search.draws() && args.limit_runs.is_some() {
        return Err("`--limit-runs` is for searches that draw schedules, such as `--search random`".into());
    }
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
            fail_malloc: args.fail == Some(Failing::Malloc),
        },
        ignore: args.ignore.clone(),
    })
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
