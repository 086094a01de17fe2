//! `motet prove FILE`: safety for every number of processes.

mod by_views;
mod explain;
mod small;

use super::Job;
use crate::{
    Exit,
    flags::{
        DeadlockFlag, DiagramFlag, GraphFlag, LimitFlags, ModelFlags, OutputFlags, SeedFlag, TraceFlag,
        WorkerFlag, Written, seconds,
    },
    load::{self, Loaded},
    output::{Output, count, try_folder},
    pictures::{GraphDetail, draw_proof},
    progress_line::ProgressLine,
    report::{Figures, ProofFigures, Remark, Report, Verdict},
    telling,
    trace_file::{self, Details},
};
use ::explore::{DeadlockPolicy, Replay, Severity};
use ::explore::{Limit, Limits};
use ::prove::{
    Approximation, Effort, Options, OracleOptions, Order, Outcome, Progress, Proof, Reason, Statistics,
    Techniques, Violation, Walk,
};
use ::views::Turns;
use certify::About;
use clap::{Args, ValueEnum, builder::PossibleValue};
use instance::Setting;
use instance::exploration::{self, Exploration};
use instance::judge::{Finding, kind_of};
use instance::replay::replay_trace;
use ir::{Model, SymbolId};
use portfolio::{Growing, Grown, grow, is_inhabited};
use std::{
    borrow::Cow,
    path::{Path, PathBuf},
    str::FromStr,
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

#[derive(Debug, Args)]
pub(crate) struct ProveArgs {
    /// Models
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
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
    model: ModelFlags,
    #[command(flatten)]
    deadlock: DeadlockFlag,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    trace: TraceFlag,
    #[command(flatten)]
    diagram: DiagramFlag,
    #[command(flatten)]
    graph: GraphFlag,
    /// How much the graph shows [default: invariant]
    #[arg(long, value_enum, value_name = "DETAIL", requires = "graph")]
    graph_detail: Option<GraphDetail>,
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
    /// A cube that several visited cubes subsume together is not visited
    #[value(alias = "union")]
    JointSubsumption,
    /// Visited cubes that a later one subsumes are deleted
    Deletion,
    /// Which values can occur at all is found out first
    Values,
    /// Cubes with more processes wait
    Postpone,
    /// What a cube says about one process alone is tried by a short search of its own, unless invariants are guessed
    Inference,
    /// Where guards about all processes are in the way, auxiliary variables are added for those whom they exclude
    #[value(alias = "witnesses")]
    AuxiliaryVariables,
    /// Without guesses, what cubes say about sums of numbers is weakened to how they compare
    Sums,
}

pub(crate) fn run(args: &ProveArgs) -> Exit {
    let written = Written::default().trace(&args.trace).diagram(&args.diagram).graph(&args.graph);
    let job = Job { command: "prove", files: &args.files, flags: &args.output, written };
    job.run(|file, output, report| prove(args, file, output, report), statistics)
}

fn statistics(report: &Report) -> String {
    match &report.stats.figures {
        Figures::Proof(figures) => figures_in_words(figures, report.stats.seconds),
        Figures::Exploration(figures) => telling::statistics(figures, report.stats.seconds),
        _ => String::new(),
    }
}

fn prove(args: &ProveArgs, file: &str, output: &Output, report: &mut Report) -> Exit {
    let begun = Instant::now();
    if let Some(message) = unread(args).or_else(|| unwritable(args)) {
        return telling::refused(output, report, message);
    }
    let Some(loaded) = load::load_to_run(file, &args.model, output, report) else { return Exit::BadInput };
    if let Some(reason) = load::refusal(&loaded.model) {
        return telling::unknown(output, report, reason);
    }
    let ranges = match args.model.range.of_model(&loaded.model) {
        Ok(ranges) => ranges,
        Err(message) => return telling::refused(output, report, message),
    };
    let proving = Proving { args, loaded: &loaded, ranges, begun };
    if args.method == Method::Views {
        return by_views::prove(args, &proving, output, report);
    }
    // Who asks for something that only the backward search has, or can do without, wants that.
    let is_plain =
        args.brab.0 == Approximation::Auto && args.graph.graph.is_none() && args.without.is_empty();
    let (outcome, undecided) = if args.method == Method::Auto && is_plain {
        let turns = by_turns(&loaded.model, options(args), Some(&proving.growing()), output, report);
        (turns.outcome, turns.undecided)
    } else {
        let outcome = attempt(&loaded.model, options(args), output);
        report.stats.figures = Figures::Proof(figures(&outcome.statistics));
        (outcome, None)
    };
    let graph = draw_graph(args, file, &loaded.model, &outcome);
    let exit = match outcome.verdict {
        ::prove::Verdict::Holds(ref proof) => proving.holds(proof, output, report),
        ::prove::Verdict::Unknown(ref reason) => {
            let exit = proving.unknown(words(reason, args.limits.limit_states), output, report);
            if args.explain {
                explain::tell(args, &loaded.model, &outcome, output);
                if let Some(views) = undecided {
                    by_views::explain_too(args, &loaded, &views, output, outcome.statistics.time);
                }
            }
            exit
        }
        ::prove::Verdict::Violated(violation) => proving.violated(violation, output, report),
    };
    telling::told(output, report, [graph]).unwrap_or(exit)
}

/// A model that is proved, and what its small instances are looked at for.
struct Proving<'a> {
    args: &'a ProveArgs,
    loaded: &'a Loaded,
    ranges: Vec<(SymbolId, i64, i64)>,
    begun: Instant,
}

impl Proving<'_> {
    /// How instances are explored that are looked at besides proving, in the time that is left.
    fn growing(&self) -> Growing {
        let limits = self.args.limits.limits();
        let time = limits.time.map(|time| time.saturating_sub(self.begun.elapsed()));
        let (model, threads) = (&self.loaded.model, self.args.workers.count());
        Growing { ranges: self.ranges.clone(), ..Growing::brief(model, &Limits { time, ..limits }, threads) }
    }

    /// Tells the proof, writes the certificate, and looks for deadlocks where that is wanted.
    fn holds(&self, proof: &Proof, output: &Output, report: &mut Report) -> Exit {
        let policy = self.args.deadlock.policy();
        let asked = self.args.deadlock.deadlock.is_some() || !self.loaded.model.finals.is_empty();
        let deadlock = if asked { policy } else { DeadlockPolicy::Ignore };
        let grown = match deadlock {
            DeadlockPolicy::Ignore => Grown { inhabited: self.is_inhabited(), ..Grown::default() },
            deadlock => grow(&self.loaded.model, &Growing { deadlock, ..self.growing() }),
        };
        if let Some(exploration) = &grown.violation {
            return self.stuck(exploration, deadlock, output, report);
        }
        let exit = tell_proof(self.loaded, proof, grown.inhabited, output, report);
        match deadlock {
            DeadlockPolicy::Ignore => output.note(
                report,
                "deadlocks-not-judged",
                "a proof says nothing about deadlocks; `--deadlock error` looks for them in small instances"
                    .into(),
            ),
            deadlock => tell_deadlocks(self.loaded, &grown, deadlock, output, report),
        }
        let written = self.certificate(proof, report);
        telling::told(output, report, [written]).unwrap_or(exit)
    }

    /// Tells why there is no verdict, and if there is not even a state.
    fn unknown(&self, reason: String, output: &Output, report: &mut Report) -> Exit {
        judge_all(report, self.loaded, Verdict::Unknown);
        let exit = telling::unknown(output, report, reason);
        if self.is_inhabited() == Some(false) {
            output.warn(report, "vacuous", telling::NO_STATE.into());
        }
        exit
    }

    fn is_inhabited(&self) -> Option<bool> {
        is_inhabited(&self.loaded.model, &self.growing().limits)
    }

    /// A deadlock of a small instance of a model that is safe.
    fn stuck(
        &self,
        exploration: &Exploration,
        deadlock: DeadlockPolicy,
        output: &Output,
        report: &mut Report,
    ) -> Exit {
        report.stats.figures = Figures::Exploration(telling::figures(exploration));
        telling::fill(report, self.loaded, exploration, deadlock);
        let exit = telling::tell(output, report, self.loaded, exploration, "");
        self.written(exploration, exit, output, report)
    }

    /// A violation with its run, as `explore` tells it.
    fn violated(&self, violation: Violation, output: &Output, report: &mut Report) -> Exit {
        match violated(self.loaded, violation, output, report) {
            Ok(exploration) => self.written(&exploration, Exit::Violated, output, report),
            Err(exit) => exit,
        }
    }

    fn written(&self, exploration: &Exploration, exit: Exit, output: &Output, report: &mut Report) -> Exit {
        let files = [
            trace_file::write_first(&self.args.trace, report, output),
            telling::draw_trace(&self.args.diagram, self.loaded, exploration, output),
        ];
        telling::told(output, report, files).unwrap_or(exit)
    }

    fn certificate(&self, proof: &Proof, report: &mut Report) -> Result<(), String> {
        let Some(folder) = &self.args.certificate else { return Ok(()) };
        let memory = self.args.model.memory.memory.and_then(|memory| memory.to_possible_value());
        let memory = memory.as_ref().map(PossibleValue::get_name);
        let source = &self.loaded.source;
        let about = About { file: source.name(), text: source.text(), memory };
        write_certificate(&self.loaded.model, proof, about, folder)?;
        report.certificate = Some(folder.display().to_string());
        Ok(())
    }
}

/// A folder for the certificate that cannot be written, or is for several models.
fn unwritable(args: &ProveArgs) -> Option<String> {
    let folder = args.certificate.as_ref()?;
    if args.files.len() > 1 {
        return Some(format!("`--certificate` is for one model, and there are {}", args.files.len()));
    }
    try_folder(folder).err()
}

/// A flag that was given and that the method does not look at, in a sentence.
fn unread(args: &ProveArgs) -> Option<String> {
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
    let is_random = matches!(oracle, OracleOrder::Auto | OracleOrder::Random | OracleOrder::Fuzz);
    if args.method != Method::Views
        && seed.seed.is_some()
        && (!is_random || args.brab.0 == Approximation::Off)
    {
        return Some(
            "`--seed` has no effect: nothing is random without guesses, or with this order of states".into(),
        );
    }
    let of_views = [(args.view_size.is_some(), "--view-size")];
    let unread = if args.method == Method::Views { &of_backward[..] } else { &of_views };
    let (_, flag) = unread.iter().find(|(given, _)| *given)?;
    let method = args.method.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
    Some(format!("`{flag}` has no effect with `--method {method}`"))
}

/// Draws the search, if that was asked for.
fn draw_graph(args: &ProveArgs, file: &str, model: &Model, outcome: &Outcome) -> Result<(), String> {
    match (&args.graph.graph, &outcome.history) {
        (Some(picture), Some(history)) => {
            let model = match &outcome.verdict {
                ::prove::Verdict::Holds(proof) => proof.model(model),
                _ => Cow::Borrowed(model),
            };
            let detail = args.graph_detail.unwrap_or(GraphDetail::Invariant);
            draw_proof(picture, &model, history, detail, file)
        }
        (Some(_), None) => Err("there is no graph: the answer was found without a search".into()),
        (None, _) => Ok(()),
    }
}

/// Runs the prover, and shows how far it is.
pub(super) fn attempt(model: &Model, mut options: Options, output: &Output) -> Outcome {
    let progress = Arc::new(Progress::default());
    options.progress = Some(progress.clone());
    let _line = ProgressLine::saying(output, "proving", move |_| facts(&progress));
    ::prove::prove(model, &options)
}

/// Runs the prover and views in turns, and shows how far they are. In between, small instances may be looked at.
pub(super) fn by_turns(
    model: &Model,
    mut options: Options,
    small: Option<&Growing>,
    output: &Output,
    report: &mut Report,
) -> Turns {
    let progress = Arc::new(Progress::default());
    options.progress = Some(progress.clone());
    let of_views = Arc::new(::views::Progress::default());
    let shown = of_views.clone();
    let facts = move |_| by_views::facts(&shown).unwrap_or_else(|| facts(&progress));
    let _line = ProgressLine::saying(output, "proving", facts);
    let look = |limits: Limits| {
        let limits = Limits { states: small?.limits.states, ..limits };
        violation_of(grow(model, &Growing { limits, ..small?.clone() }))
    };
    let turns = ::views::prove_by_turns(model, &options, Some(of_views), &look);
    report.stats.figures = Figures::Proof(match &turns.views {
        Some(views) => by_views::figures(views),
        None => figures(&turns.outcome.statistics),
    });
    turns
}

/// What small instances have shown, as the prover tells it.
fn violation_of(grown: Grown) -> Option<Violation> {
    let found = grown.violation?.findings.into_iter().find(|finding| finding.is_violation())?;
    let Setting { processes, ranges, .. } = found.setting;
    Some(Violation { property: found.property?, processes, trace: found.trace, ranges })
}

fn facts(progress: &Progress) -> Vec<String> {
    let now = |count: &std::sync::atomic::AtomicUsize| count.load(Ordering::Relaxed);
    vec![
        format!("{} cubes", now(&progress.visited)),
        format!("{} waiting", now(&progress.queued)),
        count(now(&progress.processes), "process"),
        format!("{} guesses", now(&progress.candidates)),
        format!("{} taken back", now(&progress.refuted)),
    ]
}

fn options(args: &ProveArgs) -> Options {
    let without = |technique: Technique| !args.without.contains(&technique);
    Options {
        approximation: args.brab.0,
        oracle: args.oracle.options(),
        order: args.search.order(),
        techniques: Techniques {
            joint_subsumption: without(Technique::JointSubsumption),
            deletion: without(Technique::Deletion),
            values: without(Technique::Values),
            postpone: without(Technique::Postpone),
            inference: without(Technique::Inference),
            auxiliary_variables: without(Technique::AuxiliaryVariables),
            sums: without(Technique::Sums),
        },
        limits: args.limits.limits(),
        effort: Effort::Everything,
        threads: args.workers.count(),
        keep_history: args.graph.graph.is_some(),
        progress: None,
    }
}

fn figures(statistics: &Statistics) -> ProofFigures {
    ProofFigures {
        nodes: statistics.nodes,
        covered: statistics.subsumed,
        deleted: statistics.deleted,
        invariants: statistics.invariants,
        taken_back: statistics.refuted,
        max_processes: statistics.max_processes,
        oracle_states: statistics.oracle_states,
        views: None,
    }
}

/// All properties get the same verdict: they were proved together. Temporal ones were not.
pub(super) fn judge_all(report: &mut Report, loaded: &Loaded, verdict: Verdict) {
    let entries = loaded.model.properties.iter().map(|property| telling::entry(loaded, property, verdict));
    report.properties.extend(entries);
    telling::judge_temporal(report, loaded);
}

/// More guessed invariants than this are not listed for people.
const MOST_INVARIANTS: usize = 30;

/// The verdict and what it rests on.
pub(super) fn tell_proof(
    loaded: &Loaded,
    proof: &Proof,
    inhabited: Option<bool>,
    output: &Output,
    report: &mut Report,
) -> Exit {
    let model = &loaded.model;
    judge_all(report, loaded, Verdict::Holds);
    let most = model.max_processes.map_or(String::new(), |most| format!(" up to {most}"));
    let cubes = count(proof.certificate.cubes.len(), "cube");
    let scope =
        format!("every number of processes{most}: an inductive invariant of {cubes} was found and checked");
    let exit = tell_holds(output, report, loaded, &scope, inhabited);
    let extended = proof.model(model);
    for auxiliary in &proof.certificate.auxiliaries {
        output.result(&format!("where {}", auxiliary.display(&extended)));
    }
    report.invariants = proof.candidates.iter().map(|cube| cube.display(&extended).to_string()).collect();
    if !report.invariants.is_empty() {
        output.result("\nnever reached, guessed and proved:");
        for cube in report.invariants.iter().take(MOST_INVARIANTS) {
            output.result(&format!("  {cube}"));
        }
        if report.invariants.len() > MOST_INVARIANTS {
            output.result(&format!("  and {} more", report.invariants.len() - MOST_INVARIANTS));
        }
    }
    for assumption in &model.assumptions {
        output.result(&format!("assumed: `{}` never matches", assumption.name));
    }
    exit
}

/// The verdict on a model of which nothing is violated: what was not judged is not known, and what holds for want of states
/// is worth a warning.
pub(super) fn tell_holds(
    output: &Output,
    report: &mut Report,
    loaded: &Loaded,
    scope: &str,
    inhabited: Option<bool>,
) -> Exit {
    let vacuous = inhabited == Some(false);
    let but = if vacuous {
        format!(", but only since {} in any small instance", telling::NO_STATE)
    } else {
        String::new()
    };
    let exit = if let Some(reason) = telling::unjudged(&loaded.model) {
        output.result(&format!("unknown: {reason}; everything else holds for {scope}{but}"));
        report.reason = Some(reason);
        report.verdict = Some(Verdict::Unknown);
        Exit::Unknown
    } else {
        output.result(&format!("holds for {scope}{but}"));
        report.verdict = Some(Verdict::Holds);
        Exit::Holds
    };
    if vacuous {
        output.warn(report, "vacuous", format!("{}, so that every property holds", telling::NO_STATE));
    }
    exit
}

/// What small instances say about deadlocks where nothing is violated.
pub(super) fn tell_deadlocks(
    loaded: &Loaded,
    grown: &Grown,
    policy: DeadlockPolicy,
    output: &Output,
    report: &mut Report,
) {
    if let Some(finding) = &grown.stuck {
        telling::tell_finding(output, loaded, finding);
        let details = Details::of_finding(report.command, report.file(), &loaded.model, finding);
        let trace = Some(details.document(&finding.trace));
        let message = telling::headline(loaded, finding);
        report.remarks.push(Remark { code: finding.kind.word(), message, trace });
    } else if let Some(most) = grown.exhausted.filter(|_| policy != DeadlockPolicy::Ignore) {
        let message = format!("no deadlock with up to {}", count(most, "process"));
        output.note(report, "no-deadlock", message);
    }
}

fn write_certificate(model: &Model, proof: &Proof, about: About<'_>, folder: &Path) -> Result<(), String> {
    certify::write(model, &proof.certificate, about, folder)
        .map_err(|error| format!("cannot write the certificate into `{}`: {error}", folder.display()))
}

/// Replays a violation from its start, and tells it as `explore` does. What cannot be replayed is no violation.
pub(super) fn violated(
    loaded: &Loaded,
    violation: Violation,
    output: &Output,
    report: &mut Report,
) -> Result<Exploration, Exit> {
    let Violation { property: at, processes, trace, ranges } = violation;
    let property = &loaded.model.properties[at];
    let options = exploration::Options { ranges: ranges.clone(), ..exploration::Options::new(processes) };
    let roles = match replay_trace(&loaded.model, &options, &trace, &property.name) {
        Replay::Confirmed(roles) => roles,
        Replay::Refuted | Replay::Deviated(_) => {
            let reason = format!("a run to `{}` was found, but cannot be replayed", property.name);
            return Err(telling::unknown(output, report, reason));
        }
    };
    let exploration = Exploration::of_finding(Finding {
        kind: kind_of(property.kind),
        name: property.name.clone(),
        severity: Severity::Violation,
        message: String::new(),
        property: Some(at),
        roles,
        trace,
        setting: Setting { processes, ranges, seed: None },
    });
    // The question was whether a bad state is reachable, not whether a run can get stuck.
    telling::fill(report, loaded, &exploration, DeadlockPolicy::Ignore);
    telling::tell(output, report, loaded, &exploration, "");
    Ok(exploration)
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

/// Figures of a proof, for people.
pub(super) fn figures_in_words(figures: &ProofFigures, seconds: f64) -> String {
    if let Some(views) = &figures.views {
        return by_views::figures_in_words(views, figures.nodes, seconds);
    }
    format!(
        "\n{} visited, {} covered by others, at most {}, {} guessed, {seconds:.2} s",
        count(figures.nodes, "cube"),
        figures.covered,
        count(figures.max_processes, "process"),
        count(figures.invariants, "invariant"),
    )
}
