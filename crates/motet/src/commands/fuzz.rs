//! `motet fuzz FILE`: random walks that learn what pays off, for a while.

use super::{
    check,
    explore::{self, Deadlock},
};
use crate::{
    Exit,
    flags::{
        DiagramFlag, LimitFlags, MemoryFlag, MemoryModel, OutputFlags, ProcessFlag, Processes, QueueFlag,
        SeedFlag, TraceFlag, WorkerFlag,
    },
    output::{Output, count},
    progress_line::ProgressLine,
    report::{Message, Report},
};
use ::explore::Limits;
use clap::Args;
use fuzz::{Progress, Snapshot, Technique};
use model::{
    LoneFormula,
    fuzzing::{Comparison, Fuzzing, Options},
    ir::{Model, RuleId, SymbolId},
};
use source::{Source, nearest};
use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

#[derive(Debug, Args)]
#[command(after_long_help = MORE)]
pub(crate) struct FuzzArgs {
    /// The model
    #[arg(value_name = "FILE")]
    file: String,
    #[command(flatten)]
    processes: ProcessFlag,
    /// Use these techniques only, with weights if wanted: `novelty=2,untaken`
    ///
    /// There are uniform, one-process, novelty, more-exits, short-breadth-first and untaken.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = weighted)]
    techniques: Vec<(Technique, f64)>,
    /// How likely `more-exits` accepts a step to a state with no more exits, from 0 to 1
    #[arg(long, value_name = "PROBABILITY", default_value = "0.1", value_parser = probability)]
    accept_less: f64,
    /// Go on from states that satisfy this formula half of the time
    #[arg(long, value_name = "FORMULA")]
    interesting: Option<String>,
    /// Take these transitions where they can be taken, most of the time
    #[arg(long, value_name = "T,U", value_delimiter = ',')]
    prefer: Vec<String>,
    /// End with the first violation, with the trace as it was found and then shortened
    #[arg(long)]
    stop_at_first: bool,
    /// Whether a deadlock is an error, is only reported, or ignored [default: an error if some process waits]
    #[arg(long, value_enum, value_name = "WHAT")]
    deadlock: Option<Deadlock>,
    /// Keep a number within a range; steps that leave it are cut
    #[arg(long, value_name = "X=-8..8")]
    range: Vec<String>,
    /// Stop after so many steps: unlike a time, the same on every machine
    #[arg(long, value_name = "NUMBER")]
    limit_steps: Option<u64>,
    #[command(flatten)]
    seed: SeedFlag,
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
    output: OutputFlags,
}

/// How long a run takes that nothing else ends.
const USUAL_TIME: Duration = Duration::from_secs(10);

const MORE: &str = "\
Without `-n`, the number of processes is found out: the most parameters of any transition or property, and one more for as long as \
that shows a pair of transitions, one directly after the other, that was not seen before.

Without a limit, a run ends after 10 seconds. The same seed gives the same run, whatever the number of threads; only a limit on time \
or memory makes a difference. Each deadlock, misuse and violated property is told once, with a trace that was shortened and replayed.";

/// `novelty`, `novelty=2`
fn weighted(text: &str) -> Result<(Technique, f64), String> {
    let (name, weight) = text.split_once('=').unwrap_or((text, "1"));
    let technique = name.trim().parse()?;
    let weight: f64 = weight.trim().parse().map_err(|_| format!("`{weight}` is no weight"))?;
    if weight > 0.0 && weight <= 1e6 {
        Ok((technique, weight))
    } else {
        Err("a weight is a number above 0, up to a million".into())
    }
}

fn probability(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "a number from 0 to 1".to_owned())?;
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err("a number from 0 to 1".into()) }
}

pub(crate) fn run(args: &FuzzArgs) -> Exit {
    let files = std::slice::from_ref(&args.file);
    super::reported("fuzz", files, &args.output, |output, report| fuzz(args, output, report), statistics)
}

fn fuzz(args: &FuzzArgs, output: &Output, report: &mut Report) -> Exit {
    let queues = explore::queues(args.queue.queues);
    let Some((mut model, _)) = check::load_with(&args.file, queues, output, report) else {
        return Exit::BadInput;
    };
    let Ok(interesting) = interesting(args, output, report) else { return Exit::BadInput };
    // Who is named must be there.
    let named = interesting.as_ref().map_or(0, |formula| formula.named_processes);
    model.named_processes = model.named_processes.max(named);
    let options = match options(args, &model, interesting) {
        Ok(options) => options,
        Err(message) => {
            output.error(&message);
            report.reason = Some(message);
            return Exit::BadInput;
        }
    };
    report.processes = options.processes;
    if model.is_weak() && args.memory.memory != Some(MemoryModel::Sc) {
        let reason =
            "weak memory cannot be fuzzed yet; `--memory sc` fuzzes the model as if it were not weak";
        return explore::unknown(output, report, reason.into());
    }
    let line = watch(&options.fuzz.progress, output);
    let fuzzing = model::fuzzing::fuzz(&model, &options);
    drop(line);
    let exit = tell(&model, &fuzzing, &options, output, report);
    let files = [
        explore::write_trace(&args.trace, report),
        explore::draw_trace(&args.diagram, &fuzzing.exploration, report, output),
    ];
    explore::told(output, report, files).unwrap_or(exit)
}

/// Everything that there is to say about a run.
pub(super) fn tell(
    model: &Model,
    fuzzing: &Fuzzing,
    options: &Options,
    output: &Output,
    report: &mut Report,
) -> Exit {
    report.processes = Some(fuzzing.processes);
    explore::warn_about_arity(model, fuzzing.processes, output);
    let ranges: Vec<String> = fuzzing.ranges.iter().map(|range| written(model, *range)).collect();
    for range in ranges.iter().skip(options.ranges.len()) {
        let message = format!("a number is read before it is set; it was drawn from the range {range}");
        explore::note(output, report, "drawn-range", message);
    }
    for comparison in &fuzzing.comparisons {
        explore::note(output, report, "number-of-processes", compared(model, comparison));
    }
    // Traces name the seed of their run; the report, the one that gives the same report again.
    report.stats.counts.insert("seed", fuzzing.seed);
    explore::fill(report, model, &fuzzing.exploration, &ranges);
    fill(report, fuzzing, options);
    explore::tell(output, report, model, &fuzzing.exploration, fuzzing.processes)
}

/// What the document says about this kind of run.
fn fill(report: &mut Report, fuzzing: &Fuzzing, options: &Options) {
    report.count("covered_transitions", fuzzing.rules.len());
    report.count("covered_pairs", fuzzing.pairs.as_ref().map_or(0, Vec::len));
    report.stats.counts.insert("seed", options.fuzz.seed);
    if let Some(steps) = fuzzing.first_violation {
        report.count("steps_to_first_violation", steps);
    }
}

/// The formula of `--interesting`; its errors point into it.
fn interesting(args: &FuzzArgs, output: &Output, report: &mut Report) -> Result<Option<LoneFormula>, ()> {
    let Some(text) = &args.interesting else { return Ok(None) };
    let Ok(source) = Source::read(&args.file) else { return Err(()) };
    let place = Source::new("--interesting", text.clone());
    model::formula(&source, explore::queues(args.queue.queues), text).map(Some).map_err(|diagnostics| {
        for diagnostic in diagnostics.sorted() {
            output.diagnostic(&place, &diagnostic);
            report.diagnostics.push(Message::new(&place, &diagnostic));
        }
    })
}

fn options(args: &FuzzArgs, model: &Model, interesting: Option<LoneFormula>) -> Result<Options, String> {
    let processes = match args.processes.processes {
        Some(Processes::Fixed(_)) => Some(explore::processes(args.processes.processes, model)?),
        Some(Processes::Auto) | None => None,
    };
    Ok(Options {
        processes,
        ranges: args.range.iter().map(|text| explore::range(text, model)).collect::<Result<_, _>>()?,
        deadlock: explore::deadlock_policy(args.deadlock),
        interesting,
        preferred: preferred(&args.prefer, model)?,
        fuzz: loop_options(args),
    })
}

fn loop_options(args: &FuzzArgs) -> fuzz::Options {
    let usual = fuzz::Options::default();
    let limits = explore::limits(&args.limits);
    // Whoever sets another limit that is sure to end the run needs none on time.
    let time = limits.time.or((args.limit_steps.is_none()).then_some(USUAL_TIME));
    let steps = args.limit_steps.map(|steps| usize::try_from(steps).unwrap_or(usize::MAX));
    fuzz::Options {
        seed: args.seed.seed.unwrap_or_else(any_seed),
        techniques: if args.techniques.is_empty() { usual.techniques } else { merged(&args.techniques) },
        accept_less: args.accept_less,
        stop_at_first: args.stop_at_first,
        workers: args.workers.count(),
        limits: Limits { time, steps, ..limits },
        progress: Arc::default(),
    }
}

/// A technique that is named twice has the last weight.
fn merged(list: &[(Technique, f64)]) -> Vec<(Technique, f64)> {
    let weight_of = |technique| list.iter().rfind(|(named, _)| *named == technique).copied();
    Technique::ALL.into_iter().filter_map(weight_of).collect()
}

/// Another one each time, short enough to be typed.
fn any_seed() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| u64::from(since.subsec_nanos()) ^ since.as_secs() & 0xffff)
}

/// The transitions of these names.
fn preferred(names: &[String], model: &Model) -> Result<Vec<RuleId>, String> {
    let mut found = Vec::new();
    for name in names.iter().map(|name| name.trim()) {
        let before = found.len();
        let fitting = model.rules.iter().enumerate().filter(|(_, rule)| rule.name == name);
        found.extend(fitting.map(|(at, _)| RuleId::from_index(at)));
        if found.len() == before {
            let near = nearest(name, model.rules.iter().map(|rule| rule.name.as_str()));
            let advice = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            return Err(format!("there is no transition `{name}`{advice}"));
        }
    }
    Ok(found)
}

/// `X=-8..8`
fn written(model: &Model, (symbol, low, high): (SymbolId, i64, i64)) -> String {
    format!("{}={low}..{high}", model.symbol(symbol).name)
}

/// At most so many pairs are listed.
const MOST_PAIRS: usize = 8;

/// What one process more has shown.
fn compared(model: &Model, comparison: &Comparison) -> String {
    let (small, large) = (comparison.processes, comparison.processes + 1);
    if comparison.new_pairs.is_empty() {
        return format!(
            "-n {small} is enough: with {large}, no transition directly follows another that did not with {small}"
        );
    }
    let name = |rule: &RuleId| model.rules[rule.index()].name.as_str();
    let pairs = comparison.new_pairs.iter().map(|(t, u)| format!("`{}` follows `{}`", name(u), name(t)));
    let shown: Vec<String> = pairs.take(MOST_PAIRS).collect();
    let more = match comparison.new_pairs.len().saturating_sub(MOST_PAIRS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("-n {small} is not enough: only with {large}, {}{more}", shown.join(", "))
}

pub(super) fn watch(progress: &Arc<Progress>, output: &Output) -> Option<ProgressLine> {
    let progress = progress.clone();
    ProgressLine::saying(output, move |elapsed| line(&progress.snapshot(), elapsed))
}

fn line(now: &Snapshot, elapsed: Duration) -> String {
    let rate = now.steps as u128 * 1000 / elapsed.as_millis().max(1);
    format!(
        "{} states, {} transitions, {} pairs, {} found, {} steps, {rate} steps/s",
        now.states, now.transitions, now.pairs, now.findings, now.steps
    )
}

pub(super) fn statistics(report: &Report) -> String {
    let known = |name: &str| report.stats.counts.get(name).copied().unwrap_or(0);
    format!(
        "\n{}, {}, depth {}, {} and {} of transitions covered, seed {}, {:.2} s",
        count(known("states"), "state"),
        count(known("transitions"), "step"),
        known("depth"),
        count(known("covered_transitions"), "transition"),
        count(known("covered_pairs"), "pair"),
        known("seed"),
        report.stats.seconds
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_the_run_is() {
        let now = Snapshot { states: 10, steps: 3_000_000, transitions: 7, pairs: 20, findings: 1 };
        assert_eq!(
            line(&now, Duration::from_secs(2)),
            "10 states, 7 transitions, 20 pairs, 1 found, 3000000 steps, 1500000 steps/s"
        );
    }

    #[test]
    fn weights_and_probabilities_are_checked() {
        assert_eq!(weighted("novelty").unwrap(), (Technique::Novelty, 1.0));
        assert_eq!(weighted("untaken=0.5").unwrap(), (Technique::Untaken, 0.5));
        for wrong in ["novel", "novelty=0", "novelty=-1", "novelty=x", "novelty=inf", "novelty=nan", ""] {
            assert!(weighted(wrong).is_err(), "{wrong}");
        }
        assert!(probability("0.3").is_ok() && probability("1").is_ok());
        assert!(probability("1.1").is_err() && probability("nan").is_err() && probability("x").is_err());
    }

    #[test]
    fn the_last_weight_counts() {
        let list = [(Technique::Untaken, 1.0), (Technique::Uniform, 2.0), (Technique::Untaken, 3.0)];
        assert_eq!(merged(&list), [(Technique::Uniform, 2.0), (Technique::Untaken, 3.0)]);
    }
}
