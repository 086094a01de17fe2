//! `motet fuzz FILE`: random walks that learn what pays off, for a while.

use super::{Answered, Job};
use crate::{
    Exit, engine_progress,
    flags::{
        BufferFlag, DeadlockFlag, DiagramFlag, LimitFlags, ModelFlags, OutputFlags, ProcessFlag, Processes,
        SeedFlag, TraceFlag, WorkerFlag, Written,
    },
    load,
    output::Output,
    report::{Figures, Message, Report},
    telling, trace_file,
};
use ::explore::Limits;
use clap::Args;
use fuzz::Technique;
use instance::fuzzing::Options;
use instance::weak::USUAL_ENTRIES;
use ir::{LoneFormula, Model, RuleId};
use source::{Source, nearest};
use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

#[derive(Debug, Args)]
#[command(after_long_help = MORE)]
pub(crate) struct FuzzArgs {
    /// Models
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    processes: ProcessFlag,
    /// Only use these techniques, optionally with weights: `novelty=2,untaken`
    ///
    /// There are uniform, one-process, novelty, more-enabled, short-breadth-first and untaken.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = weighted)]
    techniques: Vec<(Technique, f64)>,
    /// Probability that `more-enabled` accepts a step to a state with no more enabled actions, from 0 to 1 [default: 0.1]
    #[arg(long, value_name = "PROBABILITY", value_parser = probability)]
    accept_less: Option<f64>,
    /// Start half of the walks from states that satisfy this formula
    #[arg(long, value_name = "FORMULA")]
    interesting: Option<String>,
    /// Usually take these transitions where they are enabled
    #[arg(long, value_name = "T,U", value_delimiter = ',')]
    prefer: Vec<String>,
    /// Stop at the first violation, with its trace shortened
    #[arg(long)]
    stop_at_first: bool,
    #[command(flatten)]
    deadlock: DeadlockFlag,
    /// Stop after this many steps; unlike a time limit, this gives the same run on every machine
    #[arg(long, value_name = "NUMBER")]
    limit_steps: Option<u64>,
    #[command(flatten)]
    seed: SeedFlag,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    buffer: BufferFlag,
    #[command(flatten)]
    workers: WorkerFlag,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    trace: TraceFlag,
    #[command(flatten)]
    diagram: DiagramFlag,
    #[command(flatten)]
    output: OutputFlags,
}

/// The time limit if there is no other limit.
const USUAL_TIME: Duration = Duration::from_secs(10);

const MORE: &str = "\
Without `-n`, several numbers of processes share the run, small ones first, up to two more than all transitions and properties \
need to match.

Without a limit, a run ends after 10 seconds. The same seed gives the same run for any number of threads, unless a limit on \
time or memory ends it. Each deadlock, misuse and violated property is reported once, with a trace that was shortened and replayed.";

/// `novelty`, `novelty=2`
fn weighted(text: &str) -> Result<(Technique, f64), String> {
    let (name, weight) = text.split_once('=').unwrap_or((text, "1"));
    let technique = name.trim().parse()?;
    let weight: f64 = weight.trim().parse().map_err(|_| format!("`{weight}` is not a weight"))?;
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

const COMMAND: &str = "fuzz";

pub(crate) fn run(args: &FuzzArgs) -> Exit {
    let written = Written::default().trace(&args.trace).diagram(&args.diagram);
    let job = Job { command: COMMAND, files: &args.files, flags: &args.output, written };
    job.run(|file, output, report| fuzz(args, file, output, report), statistics)
}

fn fuzz(args: &FuzzArgs, file: &str, output: &Output, report: &mut Report) -> Answered {
    let is_used = args.techniques.is_empty()
        || args.techniques.iter().any(|(technique, _)| *technique == Technique::MoreEnabled);
    if args.accept_less.is_some() && !is_used {
        let message = "`--accept-less` has no effect without the technique `more-enabled`";
        return telling::refused(output, report, message.into()).into();
    }
    let Some(mut loaded) = load::load_to_run(COMMAND, file, &args.model, output, report) else {
        return Exit::BadInput.into();
    };
    let Ok(interesting) = interesting(args, &loaded.source, output, report) else {
        return Exit::BadInput.into();
    };
    // Processes that the formula names must exist.
    let named = interesting.as_ref().map_or(0, |formula| formula.named_processes);
    loaded.model.named_processes = loaded.model.named_processes.max(named);
    let options = match options(args, &loaded.model, interesting) {
        Ok(options) => options,
        Err(message) => return telling::refused(output, report, message).into(),
    };
    report.processes = options.processes;
    load::warn_about_buffer(&loaded.model, &args.buffer, output, report);
    let line = engine_progress::of_fuzzing(&options.fuzz.progress, output);
    let fuzzing = instance::fuzzing::fuzz(&loaded.model, &options);
    drop(line);
    let exit = telling::fuzzing::tell(&loaded, &fuzzing, &options, output, report);
    let files = [
        trace_file::write_first(&args.trace, &loaded, &fuzzing.exploration, output),
        telling::draw_trace(&args.diagram, &loaded, &fuzzing.exploration, output),
    ];
    let exit = telling::told(output, report, files).unwrap_or(exit);
    Answered { exit, figures: Figures::Fuzzing(telling::fuzzing::figures(&fuzzing, &options)) }
}

/// The formula of `--interesting`; its errors point into it.
fn interesting(
    args: &FuzzArgs,
    source: &Source,
    output: &Output,
    report: &mut Report,
) -> Result<Option<LoneFormula>, ()> {
    let Some(text) = &args.interesting else { return Ok(None) };
    let place = Source::new("--interesting", text.clone());
    model::formula(source, args.model.queue.queues(), text).map(Some).map_err(|diagnostics| {
        for diagnostic in diagnostics.sorted() {
            output.diagnostic(&place, &diagnostic);
            report.diagnostics.push(Message::new(&place, &diagnostic));
        }
    })
}

fn options(args: &FuzzArgs, model: &Model, interesting: Option<LoneFormula>) -> Result<Options, String> {
    let processes = match args.processes.processes {
        Some(Processes::Fixed(_)) => Some(Processes::of_model(args.processes.processes, model)?),
        Some(Processes::Auto) | None => None,
    };
    Ok(Options {
        processes,
        ranges: args.model.range.of_model(model)?,
        deadlock: args.deadlock.policy(),
        buffer: args.buffer.entries().unwrap_or(USUAL_ENTRIES),
        interesting,
        preferred: preferred(&args.prefer, model)?,
        fuzz: loop_options(args),
    })
}

fn loop_options(args: &FuzzArgs) -> fuzz::Options {
    let usual = fuzz::Options::default();
    let limits = args.limits.limits();
    // A limit on steps always ends the run, so that it needs no limit on time.
    let time = limits.time.or((args.limit_steps.is_none()).then_some(USUAL_TIME));
    let steps = args.limit_steps.map(|steps| usize::try_from(steps).unwrap_or(usize::MAX));
    fuzz::Options {
        seed: args.seed.seed.unwrap_or_else(any_seed),
        techniques: if args.techniques.is_empty() { usual.techniques } else { merged(&args.techniques) },
        accept_less: args.accept_less.unwrap_or(usual.accept_less),
        stop_at_first: args.stop_at_first,
        workers: args.workers.count(),
        limits: Limits { time, steps, ..limits },
        progress: Arc::default(),
    }
}

/// If a technique is named twice, the last weight counts.
fn merged(list: &[(Technique, f64)]) -> Vec<(Technique, f64)> {
    let weight_of = |technique| list.iter().rfind(|(named, _)| *named == technique).copied();
    Technique::ALL.into_iter().filter_map(weight_of).collect()
}

/// A different seed each time, short enough to type.
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

fn statistics(figures: &Figures, seconds: f64) -> String {
    match figures {
        Figures::Fuzzing(figures) => telling::fuzzing::statistics(figures, seconds),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
