//! `motet explore FILE -n N`: all reachable states for a fixed number of processes.

use crate::{
    Exit,
    commands::check,
    flags::{
        DiagramFlag, GraphFlag, LimitFlags, MemoryFlag, MemoryModel, OutputFlags, ProcessFlag, Processes,
        QueueFlag, QueueOrder, TraceFlag, WorkerFlag,
    },
    output::{Output, count, write_file},
    pictures::{self, Drawn, StateGraphFlags},
    progress_line::ProgressLine,
    report::{Message, PropertyReport, Report, Verdict},
};
use clap::{Args, ValueEnum};
use explore::{Cancel, Limits};
use model::{
    Queues,
    exploration::{DeadlockPolicy, Exploration, Finding, FindingKind, Incomplete, Options},
    ir::{Domain, Model, PropertyKind, Sort, SymbolId},
};
use serde_json::{Map, Value};
use source::{Severity, nearest};
use std::sync::{Arc, OnceLock, atomic::AtomicBool, atomic::Ordering};

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags that have nothing to do with each other")]
pub(crate) struct ExploreArgs {
    /// The model
    #[arg(value_name = "FILE")]
    file: String,
    #[command(flatten)]
    processes: ProcessFlag,
    /// Go on after the first violation, and report every kind and property once
    #[arg(long)]
    all: bool,
    /// End with the first violation, which is what happens without `--all`
    #[arg(long, conflicts_with = "all")]
    stop_at_first: bool,
    /// Leave out the states that break an invariant instead of reporting them
    #[arg(long)]
    trust_invariants: bool,
    /// Recognise states by hashes of 64 bits: less memory, but `holds` becomes `unknown`
    #[arg(long)]
    compact: bool,
    /// Whether a deadlock is an error, is only reported, or ignored [default: an error if some process waits]
    #[arg(long, value_enum, value_name = "WHAT")]
    deadlock: Option<Deadlock>,
    /// Count every state, even if it differs from another only by which process is which
    #[arg(long)]
    no_symmetry: bool,
    /// Keep a number within a range; steps that leave it are cut
    #[arg(long, value_name = "X=-8..8")]
    range: Vec<String>,
    #[command(flatten)]
    memory: MemoryFlag,
    #[command(flatten)]
    workers: WorkerFlag,
    #[command(flatten)]
    queue: QueueFlag,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    trace: TraceFlag,
    #[command(flatten)]
    diagram: DiagramFlag,
    #[command(flatten)]
    graph: GraphFlag,
    #[command(flatten)]
    graph_of: StateGraphFlags,
    #[command(flatten)]
    output: OutputFlags,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Deadlock {
    Error,
    Report,
    Ignore,
}

/// What a deadlock counts for.
pub(super) fn deadlock_policy(flag: Option<Deadlock>) -> DeadlockPolicy {
    match flag {
        None => DeadlockPolicy::Waiting,
        Some(Deadlock::Error) => DeadlockPolicy::Error,
        Some(Deadlock::Report) => DeadlockPolicy::Report,
        Some(Deadlock::Ignore) => DeadlockPolicy::Ignore,
    }
}

/// The number of processes unless told otherwise.
const DEFAULT_PROCESSES: u32 = 3;

pub(crate) fn run(args: &ExploreArgs) -> Exit {
    let files = std::slice::from_ref(&args.file);
    super::reported(
        "explore",
        files,
        &args.output,
        |output, report| explore(args, output, report),
        statistics,
    )
}

fn explore(args: &ExploreArgs, output: &Output, report: &mut Report) -> Exit {
    let Some((model, _)) = check::load_with(&args.file, queues(args.queue.queues), output, report) else {
        return Exit::BadInput;
    };
    let options = match options(args, &model) {
        Ok(options) => options,
        Err(message) => {
            output.error(&message);
            report.reason = Some(message);
            return Exit::BadInput;
        }
    };
    report.processes = Some(options.processes);
    if model.is_weak() && args.memory.memory != Some(MemoryModel::Sc) {
        return unknown(
            output,
            report,
            "weak memory cannot be explored yet; `--memory sc` explores the model as if it were not weak"
                .into(),
        );
    }
    warn_about_arity(&model, options.processes, output);
    let line = ProgressLine::show(&options.progress, output);
    let exploration = model::exploration::explore(&model, &options);
    drop(line);
    fill(report, &model, &exploration, &args.range);
    let exit = tell(output, report, &model, &exploration, options.processes);
    let files = [
        write_trace(&args.trace, report),
        draw_trace(&args.diagram, &exploration, report, output),
        draw_states(args, &model, &options),
    ];
    told(output, report, files).unwrap_or(exit)
}

/// Tells which files could not be written; the exit code if there are any. The verdict stays.
pub(super) fn told(
    output: &Output,
    report: &mut Report,
    files: impl IntoIterator<Item = Result<(), String>>,
) -> Option<Exit> {
    let failures: Vec<String> = files.into_iter().filter_map(Result::err).collect();
    failures.iter().for_each(|message| output.error(message));
    let reasons: Vec<String> = report.reason.take().into_iter().chain(failures.iter().cloned()).collect();
    report.reason = (!reasons.is_empty()).then(|| reasons.join("; "));
    (!failures.is_empty()).then_some(Exit::BadInput)
}

pub(super) fn queues(order: QueueOrder) -> Queues {
    match order {
        QueueOrder::Any => Queues::Any,
        QueueOrder::Fifo => Queues::Fifo,
    }
}

fn options(args: &ExploreArgs, model: &Model) -> Result<Options, String> {
    Ok(Options {
        ranges: args.range.iter().map(|text| range(text, model)).collect::<Result<_, _>>()?,
        all: args.all && !args.stop_at_first,
        symmetry: !args.no_symmetry,
        deadlock: deadlock_policy(args.deadlock),
        limits: limits(&args.limits),
        workers: args.workers.count(),
        compact: args.compact,
        trust_invariants: args.trust_invariants,
        ..Options::new(processes(args.processes.processes, model)?)
    })
}

/// The number of processes: the one that is given must be one that the model allows.
pub(super) fn processes(flag: Option<Processes>, model: &Model) -> Result<u32, String> {
    let (least, most) = (model.min_processes(), model.max_processes.unwrap_or(u32::MAX));
    match flag {
        Some(Processes::Fixed(given)) if given < least => {
            Err(format!("this model needs at least {}", count(least, "process")))
        }
        Some(Processes::Fixed(given)) if given > most => {
            Err(format!("this model has at most {} (`number_procs`)", count(most, "process")))
        }
        Some(Processes::Fixed(given)) => Ok(given),
        Some(Processes::Auto) | None => Ok(DEFAULT_PROCESSES.max(least).min(most)),
    }
}

/// `X=-8..8`
pub(super) fn range(text: &str, model: &Model) -> Result<(SymbolId, i64, i64), String> {
    let wrong = || format!("`{text}` is no range; write `X=-8..8`");
    let (name, bounds) = text.split_once('=').ok_or_else(wrong)?;
    let (low, high) = bounds.split_once("..").ok_or_else(wrong)?;
    let (low, high): (i64, i64) = (low.parse().map_err(|_| wrong())?, high.parse().map_err(|_| wrong())?);
    let small = |bound: i64| bound.abs() < 1 << 40;
    if low > high || !small(low) || !small(high) {
        return Err(format!("the range of `{text}` is empty or too large"));
    }
    let at = model.symbols.iter().position(|symbol| symbol.name == name).ok_or_else(|| {
        let candidate = nearest(name, model.symbols.iter().map(|symbol| symbol.name.as_str()));
        candidate.map_or(format!("there is no `{name}`"), |near| {
            format!("there is no `{name}`; did you mean `{near}`?")
        })
    })?;
    if !matches!(model.symbols[at].sort, Sort::Int | Sort::Real) {
        return Err(format!("`{name}` is no number"));
    }
    if let Domain::Range(low, high) = model.symbols[at].domain {
        return Err(format!("`{name}` has a range already: its type goes from {low} to {high}"));
    }
    Ok((SymbolId::from_index(at), low, high))
}

/// The flag that Ctrl-C sets: the same for everything that a command does, since there is but one handler. Where none
/// can be set, Ctrl-C ends the run in the usual way.
pub(super) fn interrupt() -> Arc<AtomicBool> {
    static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let stop = STOP.get_or_init(|| {
        let stop = Arc::new(AtomicBool::new(false));
        let on_interrupt = stop.clone();
        let _ = ctrlc::set_handler(move || on_interrupt.store(true, Ordering::Relaxed));
        stop
    });
    stop.clone()
}

pub(super) fn limits(flags: &LimitFlags) -> Limits {
    Limits {
        states: flags.limit_states.map(|states| usize::try_from(states).unwrap_or(usize::MAX)),
        time: flags.limit_time,
        memory: flags.limit_memory.map(|bytes| usize::try_from(bytes.0).unwrap_or(usize::MAX)),
        cancel: Cancel::by(interrupt()),
        ..Limits::default()
    }
}

/// What can never match in an instance that is too small.
pub(super) fn warn_about_arity(model: &Model, processes: u32, output: &Output) {
    let too_many = |params: usize| params > processes as usize;
    for rule in model.rules.iter().filter(|rule| too_many(rule.params.len())) {
        output.remark(&format!(
            "warning: `{}` has more parameters than there are processes, and can never be taken",
            rule.name
        ));
    }
    for property in
        model.properties.iter().filter(|property| property.rule.is_none() && too_many(property.params.len()))
    {
        output.remark(&format!(
            "warning: `{}` has more parameters than there are processes, and can never match",
            property.name
        ));
    }
}

pub(super) fn unknown(output: &Output, report: &mut Report, reason: String) -> Exit {
    output.result(&format!("unknown: {reason}"));
    report.verdict = Some(Verdict::Unknown);
    report.reason = Some(reason);
    Exit::Unknown
}

/// Everything that the document says about a run.
pub(super) fn fill(report: &mut Report, model: &Model, exploration: &Exploration, ranges: &[String]) {
    report.count("states", exploration.stats.states);
    report.count("transitions", exploration.stats.transitions);
    report.count("depth", exploration.stats.depth);
    report.count("bytes_per_state", exploration.stats.bytes / exploration.stats.states.max(1));
    let open = if exploration.incomplete.is_none() { Verdict::Holds } else { Verdict::Unknown };
    let trusted = FindingKind::Property(PropertyKind::Invariant).word();
    let found = |kind: &str, name: &str| {
        exploration.findings.iter().find(|f| f.violation && f.kind.word() == kind && f.name == name)
    };
    let declared = model
        .properties
        .iter()
        .map(|property| (FindingKind::Property(property.kind).word(), property.name.as_str()));
    for (kind, name) in declared.chain([("deadlock", "deadlock")]) {
        let finding = found(kind, name);
        let open = if exploration.dropped.is_some() && kind == trusted { Verdict::Unknown } else { open };
        report.properties.push(PropertyReport {
            name: name.to_owned(),
            kind: kind.to_owned(),
            verdict: if finding.is_some() { Verdict::Violated } else { open },
            trace: finding.map(|finding| itf(report, model, finding, ranges)),
        });
    }
    let first = exploration.findings.iter().find(|finding| finding.violation);
    report.trace = first.map(|finding| itf(report, model, finding, ranges));
}

fn itf(report: &Report, model: &Model, finding: &Finding, ranges: &[String]) -> Value {
    let mut details = Map::new();
    details.insert("command".into(), report.command.into());
    details.insert("file".into(), report.files[0].clone().into());
    details.insert("hash".into(), file_hash(&report.files[0]).into());
    details.insert("processes".into(), report.processes.into());
    details.insert("ranges".into(), ranges.into());
    let fifo = model.threads.as_ref().is_some_and(|threads| threads.before.is_some());
    details.insert("queues".into(), if fifo { "fifo" } else { "any" }.into());
    if let Some(seed) = report.stats.counts.get("seed") {
        details.insert("seed".into(), (*seed).into());
    }
    details.insert("property".into(), finding.name.clone().into());
    details.insert("kind".into(), finding.kind.word().into());
    finding.trace.to_itf(details)
}

/// A fingerprint of a file, so that a replay can tell whether it has changed (FNV-1a, 64 bits).
pub(super) fn file_hash(file: &str) -> Option<String> {
    let bytes = std::fs::read(file).ok()?;
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    Some(format!("{hash:016x}"))
}

/// The verdict and the traces, for people.
pub(super) fn tell(
    output: &Output,
    report: &mut Report,
    model: &Model,
    exploration: &Exploration,
    processes: u32,
) -> Exit {
    let reason = exploration.incomplete.as_ref().map(|incomplete| reason(model, incomplete));
    let many = count(processes, "process");
    let violated = exploration.findings.iter().any(|finding| finding.violation);
    let (verdict, exit, line) = match &reason {
        _ if violated => (Verdict::Violated, Exit::Violated, format!("violated with {many}")),
        None => (
            Verdict::Holds,
            Exit::Holds,
            format!("holds for {many}{}: all states were explored", trusting(model, exploration)),
        ),
        Some(reason) => {
            (Verdict::Unknown, Exit::Unknown, format!("unknown{}: {reason}", trusting(model, exploration)))
        }
    };
    report.verdict = Some(verdict);
    report.reason = reason.into_iter().chain(trust(model, exploration)).reduce(|a, b| format!("{a}; {b}"));
    output.result(&line);
    for finding in &exploration.findings {
        tell_finding(output, finding, processes);
    }
    for rule in &exploration.never_taken {
        let name = &model.rules[rule.index()].name;
        note(output, report, "never-taken", format!("`{name}` is never taken with {many}"));
    }
    for symbol in &exploration.never_changed {
        let name = &model.symbol(*symbol).name;
        note(output, report, "never-changes", format!("`{name}` never changes with {many}"));
    }
    exit
}

/// A remark about the model as a whole.
pub(super) fn note(output: &Output, report: &mut Report, code: &'static str, message: String) {
    output.remark(&format!("remark: {message}"));
    let file = report.files[0].clone();
    report.diagnostics.push(Message::about_file(&file, Severity::Note, code, message));
}

/// The invariants that were trusted, and what was dropped for that.
fn trusted(model: &Model, exploration: &Exploration) -> Option<(String, String)> {
    let invariants = model.properties.iter().filter(|property| property.kind == PropertyKind::Invariant);
    let names: Vec<&str> = invariants.map(|property| property.name.as_str()).collect();
    let dropped = exploration.dropped.filter(|_| !names.is_empty())?;
    let (noun, them) = if names.len() == 1 { ("invariant", "it") } else { ("invariants", "them") };
    let verbs = if dropped == 1 { ("breaks", "was") } else { ("break", "were") };
    let steps = format!("{} that {} {them} {} dropped", count(dropped, "step"), verbs.0, verbs.1);
    Some((format!("{noun} {}", names.join(", ")), steps))
}

/// That invariants were trusted, within a sentence.
fn trusting(model: &Model, exploration: &Exploration) -> String {
    trusted(model, exploration)
        .map_or(String::new(), |(invariants, steps)| format!(", trusting {invariants} ({steps})"))
}

/// That invariants were trusted, as a sentence.
fn trust(model: &Model, exploration: &Exploration) -> Option<String> {
    trusted(model, exploration).map(|(invariants, steps)| format!("trusting {invariants}: {steps}"))
}

fn tell_finding(output: &Output, finding: &Finding, processes: u32) {
    output.result(&format!("\n{}", headline(finding)));
    output.trace(&finding.trace, processes);
}

/// What was found, and how far from the start.
fn headline(finding: &Finding) -> String {
    let what = match (finding.violation, finding.kind) {
        (true, FindingKind::Deadlock) => "deadlock".to_owned(),
        (true, _) => format!("{} `{}`", finding.kind.word(), finding.name),
        (false, _) => "remark: a run ends where nobody waits".to_owned(),
    };
    let steps = count(finding.trace.steps.len(), "step");
    let message = if finding.message.is_empty() { String::new() } else { format!(": {}", finding.message) };
    format!("{what}, {steps} from the start{message}")
}

pub(super) fn reason(model: &Model, incomplete: &Incomplete) -> String {
    match incomplete {
        Incomplete::Stopped => "the run ended with the first violation".into(),
        Incomplete::Limit(limit) => limit.to_string(),
        Incomplete::Range => {
            "no violation within the given ranges, but they leave out some steps or values".into()
        }
        Incomplete::Compacted(states) => format!(
            "no violation found, but states were recognised by 64-bit hashes: the chance that one was missed is about {}",
            chance_of_collision(*states)
        ),
        Incomplete::Sampled => {
            "no violation in all that the initial states lead to which were drawn; `motet explore` tells whether that is all"
                .into()
        }
        Incomplete::Contradiction(what) => format!("the run contradicts itself: {what}"),
        Incomplete::Obstacle(obstacle) => obstacle.explain(model),
    }
}

pub(super) fn statistics(report: &Report) -> String {
    let known = |name: &str| report.stats.counts.get(name).copied().unwrap_or(0);
    // What a handful of states takes is what an empty table takes.
    let memory = if known("states") < 10_000 {
        String::new()
    } else {
        format!(", {} bytes per state", known("bytes_per_state"))
    };
    format!(
        "\n{}, {}, depth {}{memory}, {:.2} s",
        count(known("states"), "state"),
        count(known("transitions"), "transition"),
        known("depth"),
        report.stats.seconds
    )
}

/// That two of so many states have the same 64 bits, of all pairs that there are.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn chance_of_collision(states: usize) -> String {
    format!("{:.0e}", (states as f64).powi(2) / 65_f64.exp2())
}

pub(super) fn write_trace(flag: &TraceFlag, report: &Report) -> Result<(), String> {
    let (Some(path), Some(trace)) = (&flag.trace, &report.trace) else { return Ok(()) };
    let text = serde_json::to_string_pretty(trace).expect("traces have only text keys");
    write_file(path, &text)
}

/// Draws the trace of the first violation, where that is wanted.
pub(super) fn draw_trace(
    flag: &DiagramFlag,
    exploration: &Exploration,
    report: &Report,
    output: &Output,
) -> Result<(), String> {
    let Some(file) = &flag.diagram else { return Ok(()) };
    let Some(finding) = exploration.findings.iter().find(|finding| finding.violation) else {
        output.remark("remark: there is no violation, and so no diagram");
        return Ok(());
    };
    let processes = report.processes.unwrap_or(0);
    pictures::draw_trace(file, &finding.trace, processes, &report.files[0], headline(finding))
}

fn draw_states(args: &ExploreArgs, model: &Model, options: &Options) -> Result<(), String> {
    let Some(file) = &args.graph.graph else { return Ok(()) };
    let drawn = Drawn { model, options, file: &args.file, queues: queues(args.queue.queues) };
    pictures::draw_states(file, &args.graph_of, drawn)
}
