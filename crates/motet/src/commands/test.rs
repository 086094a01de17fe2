//! `motet test PROGRAM`: runs a C program with threads under all schedules that matter, or under some.

use super::{Answered, one_program};
use crate::{
    Exit,
    flags::{DiagramFlag, OutputFlags, SeedFlag, TraceFlag, Written, seconds},
    interrupt,
    output::Output,
    progress_line::ProgressLine,
    report::{Figures, Report},
    telling::{self, program as shown},
};
use ::explore::{Cancel, FindingKind, Limits};
use clap::{Args, ValueEnum};
use program::{Mode, Options, Program, Recipe, Schedule, Search, Visible};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

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
    /// How schedules are chosen: `dpor` (all, up to equivalence), or some by `random`, `pct`, `pct=DEPTH`, `pos`, `surw`
    #[arg(long, value_name = "SEARCH", default_value = "dpor", value_parser = search)]
    search: Search,
    /// Which accesses to memory are scheduling points
    #[arg(long, value_enum, default_value_t = VisibleFlag::Racy, value_name = "WHICH")]
    visible: VisibleFlag,
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
    /// Stop after this many schedules, where they are drawn
    #[arg(long, value_name = "NUMBER")]
    limit_runs: Option<usize>,
    /// Cut schedules after this many steps
    #[arg(long, value_name = "NUMBER")]
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

const COMMAND: &str = "test";

fn search(text: &str) -> Result<Search, String> {
    let depth = |text: &str| text.parse().ok().filter(|depth| *depth > 0);
    match text.split_once('=').unwrap_or((text, "")) {
        ("dpor", "") => Ok(Search::Exhaustive),
        ("random", "") => Ok(Search::Random),
        ("pct", "") => Ok(Search::Pct(3)),
        ("pct", text) => depth(text).map(Search::Pct).ok_or_else(|| "the depth is a number from 1".into()),
        ("pos", "") => Ok(Search::Pos),
        ("surw", "") => Ok(Search::Surw),
        _ => Err("one of `dpor`, `random`, `pct`, `pct=DEPTH`, `pos`, `surw`".into()),
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
    if let Some(schedule) = &args.schedule {
        return follow(args, &program, &options, schedule, output, report);
    }
    let found = Arc::new(AtomicUsize::new(0));
    let facts = found.clone();
    let line = ProgressLine::saying(output, "testing", move |_| match facts.load(Ordering::Relaxed) {
        0 => vec![],
        found => vec![format!("{found} found")],
    });
    let tested = program::test(&program, &options, |so_far| found.store(so_far, Ordering::Relaxed));
    drop(line);
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
    if args.search == Search::Exhaustive && args.limit_runs.is_some() {
        return Err("`--limit-runs` is for searches that draw schedules, such as `--search random`".into());
    }
    let visible = match args.visible {
        VisibleFlag::Sync => Visible::Sync,
        VisibleFlag::Racy => Visible::Racy,
        VisibleFlag::All => Visible::All,
    };
    Ok(Options {
        search: args.search,
        seed: args.seed.seed.unwrap_or(0),
        runs: args.limit_runs,
        depth: args.limit_depth,
        limits: Limits { time: args.limit_time, cancel: Cancel::by(interrupt::flag()), ..Limits::default() },
        mode: Mode { visible, all: args.all },
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
    let replayed = program::replay(program, options.mode, schedule, &[], &options.limits.cancel);
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
