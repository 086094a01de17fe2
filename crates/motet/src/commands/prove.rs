//! `motet prove FILE`: safety for every number of processes.

mod by_views;
mod explain;
mod small;

use super::{check, explore};
use crate::{
    Exit,
    flags::{
        DiagramFlag, GraphFlag, LimitFlags, MemoryFlag, MemoryModel, OutputFlags, SeedFlag, TraceFlag,
        WorkerFlag, seconds,
    },
    output::Output,
    pictures::{GraphDetail, draw_proof},
    progress_line::ProgressLine,
    report::{PropertyReport, Report, Verdict},
};
use ::explore::Limit;
use ::prove::{
    Approximation, Effort, Options, OracleOptions, Order, Outcome, Progress, Proof, Reason, Statistics,
    Techniques, Violation, Walk,
};
use ::views::Turns;
use certify::About;
use clap::{Args, ValueEnum, builder::PossibleValue};
use model::{
    exploration::{Exploration, FindingKind},
    ir::Model,
};
use source::Source;
use std::{
    borrow::Cow,
    path::{Path, PathBuf},
    str::FromStr,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

#[derive(Debug, Args)]
pub(crate) struct ProveArgs {
    /// The model
    #[arg(value_name = "FILE")]
    file: String,
    /// How to search: `backward` from the bad states, or forward by `views` of a few processes
    #[arg(long, value_enum, value_name = "METHOD", default_value_t = Method::Auto)]
    method: Method,
    /// How many processes a view has [default: first 2, then 3]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(2..=3))]
    view_size: Option<u8>,
    /// Guess invariants from instances with up to N processes: a number, `auto` or `off`
    #[arg(long, value_name = "N", default_value = "auto")]
    brab: Brab,
    #[command(flatten)]
    oracle: OracleFlags,
    /// Which cube is looked at next
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = SearchOrder::Bfs)]
    search: SearchOrder,
    /// Do without a technique, to see what it is worth
    #[arg(long, value_enum, value_name = "TECHNIQUE")]
    without: Vec<Technique>,
    /// Write the certificate as SMT-LIB 2 into this folder, for `motet certify`
    #[arg(long, value_name = "DIR")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    workers: WorkerFlag,
    #[command(flatten)]
    memory: MemoryFlag,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    trace: TraceFlag,
    #[command(flatten)]
    diagram: DiagramFlag,
    #[command(flatten)]
    graph: GraphFlag,
    /// How much the graph shows
    #[arg(long, value_enum, value_name = "DETAIL", default_value_t = GraphDetail::Invariant)]
    graph_detail: GraphDetail,
    /// If there is no answer, tell what keeps growing in the search, and what to try
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    output: OutputFlags,
}

/// `--method`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Backward and by views, in turns
    Auto,
    /// From the bad states backwards
    Backward,
    /// From the initial states forward, by views of a few processes
    Views,
}

/// The states of small instances that guesses are tested against.
#[derive(Debug, Args)]
struct OracleFlags {
    /// In which order the states are reached that guesses are tested against
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = OracleOrder::Auto)]
    oracle: OracleOrder,
    /// How many of them there are for each number of processes, at most [default: 200000, with `--method auto` first 50000]
    #[arg(long, value_name = "NUMBER")]
    oracle_states: Option<usize>,
    /// How many steps they are away from the start, at most
    #[arg(long, value_name = "STEPS")]
    oracle_depth: Option<usize>,
    /// How long it may take to reach those for one number of processes
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    oracle_time: Option<Duration>,
    #[command(flatten)]
    seed: SeedFlag,
}

impl OracleFlags {
    fn options(&self) -> OracleOptions {
        let seed = self.seed.seed.unwrap_or(0);
        let walk = match self.oracle {
            OracleOrder::Auto => None,
            OracleOrder::Bfs => Some(Walk::Breadth),
            OracleOrder::Dfs => Some(Walk::Depth),
            OracleOrder::Random => Some(Walk::Random { seed }),
            OracleOrder::Fuzz => Some(Walk::Fuzz { seed }),
        };
        let states = self.oracle_states.unwrap_or(OracleOptions::default().states);
        OracleOptions { walk, states, depth: self.oracle_depth, time: self.oracle_time }
    }
}

/// `--oracle`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OracleOrder {
    /// Those that are near, and by fuzzing some that are far if there are too many
    Auto,
    /// Those that are near first
    Bfs,
    /// One run after the other, each as far as it goes
    Dfs,
    /// Random runs
    Random,
    /// By fuzzing
    Fuzz,
}

/// `--brab`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Brab(Approximation);

impl FromStr for Brab {
    type Err = String;

    fn from_str(text: &str) -> Result<Brab, String> {
        match (text, text.parse()) {
            ("auto", _) => Ok(Brab(Approximation::Auto)),
            ("off", _) => Ok(Brab(Approximation::Off)),
            (_, Ok(processes)) if processes > 0 => Ok(Brab(Approximation::Processes(processes))),
            _ => Err("a number from 1, `auto` or `off`".into()),
        }
    }
}

/// Search orders, by the names that Cubicle gave them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SearchOrder {
    /// First in, first out
    Bfs,
    /// Last in, first out
    Dfs,
    /// Few literals first, then older ones
    Bfsh,
    /// Few literals first, then younger ones
    Dfsh,
    /// Few cells of arrays first, then older ones
    Bfsa,
    /// Few cells of arrays first, then younger ones
    Dfsa,
}

impl SearchOrder {
    fn order(self) -> Order {
        match self {
            SearchOrder::Bfs => Order::Bfs,
            SearchOrder::Dfs => Order::Dfs,
            SearchOrder::Bfsh => Order::Bfsh,
            SearchOrder::Dfsh => Order::Dfsh,
            SearchOrder::Bfsa => Order::Bfsa,
            SearchOrder::Dfsa => Order::Dfsa,
        }
    }
}

/// What can be switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Technique {
    /// Several visited cubes together may cover one
    Union,
    /// Visited cubes that a later one covers are deleted
    Deletion,
    /// Which values can occur at all is found out first
    Values,
    /// Cubes with more processes wait
    Postpone,
    /// What a cube says about one process alone is tried by a short search of its own, unless invariants are guessed
    Inference,
    /// Where guards about all processes are in the way, variables are added for those whom they exclude
    Witnesses,
}

pub(crate) fn run(args: &ProveArgs) -> Exit {
    let files = std::slice::from_ref(&args.file);
    super::reported("prove", files, &args.output, |output, report| prove(args, output, report), statistics)
}

fn prove(args: &ProveArgs, output: &Output, report: &mut Report) -> Exit {
    let Some((model, _)) = check::load(&args.file, output, report) else { return Exit::BadInput };
    let model = match args.memory.memory {
        Some(MemoryModel::Sc) => model.sequentially_consistent(),
        _ => model,
    };
    if model.is_weak() {
        let reason =
            "weak memory cannot be proved yet; `--memory sc` treats the model as if it were not weak";
        return explore::unknown(output, report, reason.into());
    }
    if let Some(flag) = unread(args) {
        let method =
            args.method.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
        let message = format!("`{flag}` says nothing with `--method {method}`");
        output.error(&message);
        report.reason = Some(message);
        return Exit::BadInput;
    }
    if args.method == Method::Views {
        return by_views::prove(args, &model, output, report);
    }
    // Who asks for something that only the backward search has, or can do without, wants that.
    let is_plain =
        args.brab.0 == Approximation::Auto && args.graph.graph.is_none() && args.without.is_empty();
    let (outcome, undecided) = if args.method == Method::Auto && is_plain {
        let turns = by_turns(&model, options(args), output, report);
        (turns.outcome, turns.undecided)
    } else {
        let outcome = attempt(&model, options(args), output);
        fill(report, &outcome.statistics);
        (outcome, None)
    };
    let graph = draw_graph(args, &model, &outcome);
    let (exit, files) = match outcome.verdict {
        ::prove::Verdict::Holds(ref proof) => (Exit::Holds, vec![holds(args, &model, proof, output, report)]),
        ::prove::Verdict::Unknown(ref reason) => {
            judge_all(report, &model, Verdict::Unknown);
            let exit = explore::unknown(output, report, words(reason, args.limits.limit_states));
            if args.explain {
                explain::tell(args, &model, &outcome, output);
                if let Some(views) = undecided {
                    by_views::explain_too(args, &model, &views, output, outcome.statistics.time);
                }
            }
            (exit, vec![])
        }
        ::prove::Verdict::Violated(violation) => {
            let exploration = violated(&model, violation, output, report);
            let trace = explore::write_trace(&args.trace, report);
            let diagram = explore::draw_trace(&args.diagram, &exploration, report, output);
            (Exit::Violated, vec![trace, diagram])
        }
    };
    explore::told(output, report, files.into_iter().chain([graph])).unwrap_or(exit)
}

/// A flag that was given and that the method does not look at.
fn unread(args: &ProveArgs) -> Option<&'static str> {
    let OracleFlags { oracle, oracle_states, oracle_depth, oracle_time, seed } = &args.oracle;
    let of_backward = [
        (args.brab.0 != Approximation::Auto, "--brab"),
        (*oracle != OracleOrder::Auto, "--oracle"),
        (oracle_states.is_some(), "--oracle-states"),
        (oracle_depth.is_some(), "--oracle-depth"),
        (oracle_time.is_some(), "--oracle-time"),
        (seed.seed.is_some(), "--seed"),
        (args.search != SearchOrder::Bfs, "--search"),
        (!args.without.is_empty(), "--without"),
        (args.graph.graph.is_some(), "--graph"),
    ];
    let of_views = [(args.view_size.is_some(), "--view-size")];
    let unread = if args.method == Method::Views { &of_backward[..] } else { &of_views };
    unread.iter().find(|(given, _)| *given).map(|(_, flag)| *flag)
}

/// Draws the search, if that was asked for.
fn draw_graph(args: &ProveArgs, model: &Model, outcome: &Outcome) -> Result<(), String> {
    match (&args.graph.graph, &outcome.history) {
        (Some(file), Some(history)) => {
            let model = match &outcome.verdict {
                ::prove::Verdict::Holds(proof) => proof.model(model),
                _ => Cow::Borrowed(model),
            };
            draw_proof(file, &model, history, args.graph_detail, &args.file)
        }
        (Some(_), None) => Err("there is no graph: the answer was found without a search".into()),
        (None, _) => Ok(()),
    }
}

/// Runs the prover, and shows how far it is.
pub(super) fn attempt(model: &Model, mut options: Options, output: &Output) -> Outcome {
    let progress = Arc::new(Progress::default());
    options.progress = Some(progress.clone());
    let _line = ProgressLine::saying(output, move |_| line(&progress));
    ::prove::prove(model, &options)
}

/// Runs the prover and views in turns, and shows how far they are.
pub(super) fn by_turns(model: &Model, mut options: Options, output: &Output, report: &mut Report) -> Turns {
    let progress = Arc::new(Progress::default());
    options.progress = Some(progress.clone());
    let of_views = Arc::new(::views::Progress::default());
    let shown = of_views.clone();
    let _line =
        ProgressLine::saying(output, move |_| by_views::line(&shown).unwrap_or_else(|| line(&progress)));
    let turns = ::views::prove_by_turns(model, &options, Some(of_views));
    match &turns.views {
        Some(views) => by_views::fill(report, views),
        None => fill(report, &turns.outcome.statistics),
    }
    turns
}

fn line(progress: &Progress) -> String {
    let now = |count: &std::sync::atomic::AtomicUsize| count.load(Ordering::Relaxed);
    format!(
        "{} cubes visited, {} waiting, {} processes, {} guesses, {} taken back",
        now(&progress.visited),
        now(&progress.queued),
        now(&progress.processes),
        now(&progress.candidates),
        now(&progress.undone)
    )
}

fn options(args: &ProveArgs) -> Options {
    let without = |technique: Technique| !args.without.contains(&technique);
    Options {
        approximation: args.brab.0,
        oracle: args.oracle.options(),
        order: args.search.order(),
        techniques: Techniques {
            union: without(Technique::Union),
            deletion: without(Technique::Deletion),
            values: without(Technique::Values),
            postpone: without(Technique::Postpone),
            inference: without(Technique::Inference),
            witnesses: without(Technique::Witnesses),
        },
        limits: explore::limits(&args.limits),
        effort: Effort::Everything,
        threads: args.workers.count(),
        keep_history: args.graph.graph.is_some(),
        progress: None,
    }
}

pub(super) fn fill(report: &mut Report, statistics: &Statistics) {
    report.count("nodes", statistics.nodes);
    report.count("covered", statistics.covered);
    report.count("deleted", statistics.deleted);
    report.count("invariants", statistics.invariants);
    report.count("taken_back", statistics.undone);
    report.count("max_processes", statistics.max_processes);
    report.count("oracle_states", statistics.oracle_states);
}

/// All properties get the same verdict: they were proved together.
fn judge_all(report: &mut Report, model: &Model, verdict: Verdict) {
    for property in &model.properties {
        let (name, kind) = (property.name.clone(), FindingKind::Property(property.kind).word());
        report.properties.push(PropertyReport { name, kind: kind.to_owned(), verdict, trace: None });
    }
}

/// Tells the proof, and writes the certificate.
fn holds(
    args: &ProveArgs,
    model: &Model,
    proof: &Proof,
    output: &Output,
    report: &mut Report,
) -> Result<(), String> {
    tell_proof(model, proof, output, report);
    let Some(folder) = &args.certificate else { return Ok(()) };
    write_certificate(args, model, proof, folder)?;
    report.certificate = Some(folder.display().to_string());
    Ok(())
}

/// More guessed invariants than this are not listed for people.
const MOST_INVARIANTS: usize = 30;

/// The verdict and what it rests on.
pub(super) fn tell_proof(model: &Model, proof: &Proof, output: &Output, report: &mut Report) {
    report.verdict = Some(Verdict::Holds);
    judge_all(report, model, Verdict::Holds);
    let most = model.max_processes.map_or(String::new(), |most| format!(" up to {most}"));
    output.result(&format!(
        "holds for every number of processes{most}: an inductive invariant of {} cubes was found and checked",
        proof.certificate.cubes.len()
    ));
    let extended = proof.model(model);
    for witness in &proof.certificate.witnesses {
        output.result(&format!("where {}", witness.display(&extended)));
    }
    if !proof.guessed.is_empty() {
        output.result("\nnever reached, guessed and proved:");
        for cube in proof.guessed.iter().take(MOST_INVARIANTS) {
            output.result(&format!("  {}", cube.display(&extended)));
        }
        if proof.guessed.len() > MOST_INVARIANTS {
            output.result(&format!("  and {} more", proof.guessed.len() - MOST_INVARIANTS));
        }
    }
    for assumption in &model.assumptions {
        output.result(&format!("assumed: `{}` never matches", assumption.name));
    }
    output.remark(
        "remark: deadlocks are no part of this; `motet explore` finds them for a number of processes",
    );
}

fn write_certificate(args: &ProveArgs, model: &Model, proof: &Proof, folder: &Path) -> Result<(), String> {
    let source = Source::read(&args.file).map_err(|error| error.to_string())?;
    let memory = args.memory.memory.and_then(|memory| memory.to_possible_value());
    let memory = memory.as_ref().map(PossibleValue::get_name);
    let about = About { file: source.name(), text: source.text(), memory };
    certify::write(model, &proof.certificate, about, folder)
        .map_err(|error| format!("cannot write the certificate into `{}`: {error}", folder.display()))
}

/// A violation with its run, as `explore` tells it.
pub(super) fn violated(
    model: &Model,
    violation: Violation,
    output: &Output,
    report: &mut Report,
) -> Exploration {
    let processes = violation.processes;
    report.processes = Some(processes);
    let ranges: Vec<String> = violation
        .ranges
        .iter()
        .map(|(symbol, low, high)| format!("{}={low}..{high}", model.symbol(*symbol).name))
        .collect();
    let exploration = Exploration::of_violation(model, violation.property, violation.trace);
    let counts = std::mem::take(&mut report.stats.counts);
    explore::fill(report, model, &exploration, &ranges);
    report.stats.counts = counts;
    // The question was whether a bad state is reachable, not whether a run can get stuck.
    report.properties.retain(|property| property.kind != "deadlock");
    explore::tell(output, report, model, &exploration, processes);
    exploration
}

/// Why there is no verdict, in words.
pub(super) fn words(reason: &Reason, most_cubes: Option<u64>) -> String {
    match reason {
        Reason::NothingToProve => {
            "there is nothing to prove: the model has no `unsafe` and no `invariant`".into()
        }
        Reason::Unsupported(unsupported) => format!("the prover cannot follow {}", unsupported.what),
        Reason::Limit(Limit::States) => {
            format!("the limit of {} cubes was reached", most_cubes.unwrap_or_default())
        }
        Reason::Limit(limit) => limit.to_string(),
        Reason::TooManyProcesses => "the proof needs cubes with more than 15 processes".into(),
        Reason::Spurious { rules, approximated, universal } => spurious(rules, approximated, *universal),
        Reason::NotCertified(why) => {
            format!("an invariant was found, but not accepted by the checker: {why}")
        }
    }
}

fn spurious(rules: &[String], approximated: &[&str], universal: bool) -> String {
    let path = if rules.is_empty() { String::new() } else { format!(" by {}", rules.join(", ")) };
    let why = match (approximated, universal) {
        ([], true) => " (universal guards are only looked at for the processes of a cube)".to_owned(),
        ([], false) => String::new(),
        (approximated, _) => format!(" ({} is not followed exactly)", approximated.join(" and ")),
    };
    format!("the search meets a bad state{path}, but no run of a small instance goes there{why}")
}

pub(super) fn statistics(report: &Report) -> String {
    if report.stats.counts.contains_key("views") {
        return by_views::statistics(report);
    }
    let count = |name: &str| report.stats.counts.get(name).copied().unwrap_or(0);
    format!(
        "\n{} cubes visited, {} covered by others, at most {} processes, {} invariants guessed, {:.2} s",
        count("nodes"),
        count("covered"),
        count("max_processes"),
        count("invariants"),
        report.stats.seconds
    )
}
