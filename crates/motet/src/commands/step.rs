//! `motet step FILE -n N`: the interactive debugger, on a terminal or on a pipe; `motet step PROGRAM` for C programs.

mod line;
mod program;
mod protocol;
mod show;
mod store;
mod talk;

use crate::{
    Exit,
    flags::{
        BufferFlag, DeadlockFlag, LimitFlags, MemoryFlag, MemoryModel, ModelFlags, OutputFlags, ProcessFlag,
        Processes, SeedFlag, WorkerFlag,
    },
    interrupt, load,
    output::{Output, count},
    protocols::{self, InstanceFlags},
    range::NamedRange,
    report::{Figures, Report, Verdict},
    telling,
    trace_file::{Details, ProtocolDetails, Recorded},
};
use ::explore::{Limits, Progress};
use ::protocol::Style;
use ::step::{
    Inspect, Options, Session,
    models::{ModelSystem, Origin},
};
use clap::Args;
use instance::{Instance, MOST_NUMBER_BITS, Obstacle, Setting, Setup, for_width, reach::Effort, weak};
use ir::{Model, SymbolId};
use model::Queues;
use source::Source;
use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};
use store::Traces;
use talk::Talk;

#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct StepArgs {
    /// The model or protocol, sources of a C program, or an executable built with `motet cc`; optional with `--load`, since a trace
    /// names what it is about
    #[arg(value_name = "FILE", required_unless_present = "load")]
    files: Vec<String>,
    #[command(flatten)]
    processes: ProcessFlag,
    /// Begin at the end of a run written by `--trace` of another command, or by `save`
    #[arg(long, value_name = "TRACE")]
    load: Option<String>,
    #[command(flatten)]
    instance: InstanceFlags,
    /// Of a protocol: what is stepped through: spec, strict, liberal [default: liberal]
    #[arg(long, value_name = "STYLE")]
    style: Option<Style>,
    #[command(flatten)]
    deadlock: DeadlockFlag,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    buffer: BufferFlag,
    #[command(flatten)]
    seed: SeedFlag,
    #[command(flatten)]
    workers: WorkerFlag,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    program: program::ProgramFlags,
    #[command(flatten)]
    output: OutputFlags,
}

const MORE: &str = "\
`help` lists the commands of the debugger. Limits apply to each `goto`; without any, it visits at most five million states. The seed is 0 \
unless another one is given.

On a pipe, every line of the input is a command, and gets its answer; a line that begins with `//` is a comment. With `--format json`, \
all answers are in the document. The exit code is 2 if a \
command was refused, else 1 if something is wrong with the last state, else 3 if an answer was unknown, else 0. On a terminal it \
is 0.";

/// The limit on the states of a search unless one is given: a person waits for the answer.
const DEFAULT_STATES: usize = 5_000_000;

pub(crate) fn run(args: &StepArgs) -> Exit {
    let started = Instant::now();
    let output = Output::new(args.output.clone());
    let mut report = Report::new("step", &args.files);
    let exit = step(args, &output, &mut report);
    report.took(started.elapsed());
    output.document(&report);
    exit
}

/// The subject of a session, from the flags and the trace that it begins with.
struct About {
    file: String,
    queues: Queues,
    processes: Option<Processes>,
    ranges: Vec<NamedRange>,
    seed: u64,
    /// The number of entries of each store buffer.
    buffer: Option<usize>,
    /// Whether it begins with a run without store buffers.
    sequential: bool,
    /// The instance of a protocol that the run is about.
    protocol: Option<ProtocolDetails>,
}

impl About {
    /// The memory model: that of the run that the session begins with, or the one that is asked for.
    fn memory(&self, args: &StepArgs) -> MemoryFlag {
        if self.sequential { MemoryFlag { memory: Some(MemoryModel::Sc) } } else { args.model.memory.clone() }
    }
}

fn step(args: &StepArgs, output: &Output, report: &mut Report) -> Exit {
    let held = match program::about(args) {
        Ok(Some(about)) => program::hold_on(args, &about, output, report),
        Ok(None) => about(args).and_then(|about| hold_on(args, &about, output, report)),
        Err(message) => Err(message),
    };
    held.unwrap_or_else(|message| {
        output.error(&message);
        report.reason = Some(message);
        Exit::BadInput
    })
}

fn about(args: &StepArgs) -> Result<About, String> {
    args.program.refuse()?;
    let recorded = args.load.as_ref().map(|file| Recorded::read(file)).transpose()?;
    let queues = match &recorded {
        // The order of queues is part of the run: with another order the same steps may not be possible.
        Some(recorded) => recorded.details.queues.into(),
        None => args.model.queue.queues(),
    };
    let file = match (&args.files[..], &recorded) {
        ([file], _) => file.clone(),
        ([], Some(recorded)) => recorded.model()?,
        ([], None) => return Err("no model is given".into()),
        _ => return Err("only one model can be stepped through".into()),
    };
    let details = recorded.map(|recorded| recorded.details);
    let known = details.as_ref().and_then(|details| details.processes).map(Processes::Fixed);
    let given = args.model.range.parsed()?;
    let recorded_ranges = details.as_ref().filter(|_| given.is_empty()).map(|details| details.ranges.clone());
    let seed = args.seed.seed.or_else(|| details.as_ref()?.seed).unwrap_or(0);
    Ok(About {
        file,
        queues,
        processes: args.processes.processes.or(known),
        ranges: recorded_ranges.unwrap_or(given),
        seed,
        buffer: args.buffer.entries().or_else(|| details.as_ref()?.buffer),
        sequential: details.as_ref().is_some_and(|details| details.buffer.is_none()),
        protocol: details.and_then(|details| details.protocol),
    })
}

/// Runs sessions until one ends: each time the file is read again, a new session resumes the last one.
fn hold_on(args: &StepArgs, about: &About, output: &Output, report: &mut Report) -> Result<Exit, String> {
    let keys = Keys::new(args);
    let is_protocol = protocols::is_protocol(&about.file);
    let reread = || {
        let is_fine = |source: Source| {
            if is_protocol {
                ::protocol::Protocol::load(&source).protocol.is_some()
            } else {
                model::load_with(&source, about.queues).model.is_some()
            }
        };
        if Source::read(&about.file).is_ok_and(is_fine) {
            return Ok(());
        }
        // For the messages; those of a file without errors come when it is read for the next session.
        let mut unused = Report::new("step", &[]);
        if is_protocol {
            let limits = protocols::limits(&args.limits);
            let _ = protocols::load(&about.file, &args.instance, &limits, output, &mut unused);
        } else {
            load::load("step", &about.file, about.queues, output, &mut unused);
        }
        Err(format!("`{}` cannot be read again", about.file))
    };
    let mut talk = Talk::new(args, &keys, output, &reread);
    loop {
        let exit = if is_protocol {
            protocol::hold(args, about, &mut talk, report)?
        } else {
            hold(args, about, &mut talk, report)?
        };
        if talk.kept.is_none() {
            report.answers = talk.answers;
            return Ok(exit);
        }
    }
}

/// Runs a session until its end, or until the file is to be read again.
fn hold(args: &StepArgs, about: &About, talk: &mut Talk<'_>, report: &mut Report) -> Result<Exit, String> {
    let output = talk.output;
    report.diagnostics.clear();
    report.files = vec![about.file.clone()];
    let Some(loaded) = load::load("step", &about.file, about.queues, output, report) else {
        return Ok(Exit::BadInput);
    };
    let unbuffered = about.memory(args).read(loaded.model);
    let model = unbuffered.clone();
    let processes = Processes::of_model(about.processes, &model)?;
    report.processes = Some(processes);
    load::warn_about_buffer(&model, &args.buffer, output, report);
    let buffer = model.is_weak().then(|| about.buffer.unwrap_or(weak::USUAL_ENTRIES));
    let model = match weak::with_buffer(model, buffer.unwrap_or(weak::USUAL_ENTRIES)) {
        Ok(model) => model,
        Err(obstacle) => return Ok(telling::unknown(output, report, obstacle.explain(&unbuffered))),
    };
    telling::warn_about_arity(&model, processes, output, report);
    let ranges: Vec<_> = about.ranges.iter().map(|range| range.of_model(&model)).collect::<Result<_, _>>()?;
    let all_ranges = weak::with_arguments(&model, &ranges);
    let (instances, sampled) = match instances(&model, processes, all_ranges, about.seed) {
        Ok(made) => made,
        Err(obstacle) => return Ok(telling::unknown(output, report, obstacle.explain(&model))),
    };
    if instances.iter().all(|instance| instance.initial_states() == 0) {
        return Ok(telling::unknown(output, report, "there is no initial state".into()));
    }
    let source = Source::read(&about.file).map_err(|error| error.to_string())?;
    let keys = talk.keys;
    let effort = Effort {
        limits: keys.limits.clone(),
        workers: args.workers.count(),
        progress: keys.progress.clone(),
    };
    let deadlock = args.deadlock.policy();
    let origin = Origin { model: &model, source: &source, queues: about.queues, deadlock, effort };
    let setting = Setting { processes, ranges, seed: sampled.then_some(about.seed), buffer };
    let details = Details::new("step", &about.file, &model, &setting);
    let too_wide = Obstacle::TooWide.explain(&model);
    for_width!(
        instances,
        converse(origin, &instances, &details, about, talk, report),
        Ok(telling::unknown(output, report, too_wide))
    )
}

/// A session about instances whose states have at most `W` words.
fn converse<const W: usize>(
    origin: Origin<'_>,
    instances: &[Instance<'_>],
    details: &Details,
    about: &About,
    talk: &mut Talk<'_>,
    report: &mut Report,
) -> Result<Exit, String> {
    let (keys, seed) = (talk.keys, about.seed);
    let options = Options {
        seed,
        most_states: keys.limits.states.unwrap_or(DEFAULT_STATES),
        cancel: keys.cancel.clone(),
    };
    let traces = Box::new(Traces { details: details.clone() });
    let system = ModelSystem::<W>::new(origin, instances);
    let mut session = Session::new(system, traces, options).map_err(|fault| fault.to_string())?;
    if talk.kept.is_none() {
        welcome(talk.output, &about.file, session.initials(), seed, details.seed.is_some());
    }
    let exit = talk.hold(&mut session);
    report.trace = session.trace().ok().map(|trace| details.document(&trace));
    conclude(&session, exit, report);
    Ok(exit)
}

/// The instances, and whether their initial states were drawn because there are too many to list.
fn instances(
    model: &Model,
    processes: u32,
    ranges: Vec<(SymbolId, i64, i64)>,
    seed: u64,
) -> Result<(Vec<Instance<'_>>, bool), Obstacle> {
    let setup = Setup { ranges, ..Setup::new(processes as usize, MOST_NUMBER_BITS) };
    match Instance::all(model, &setup) {
        Err(Obstacle::TooManyInitialStates) => {
            let sample_start = Some(instance::fuzzing::sample(seed));
            Instance::all(model, &Setup { sample_start, ..setup }).map(|instances| (instances, true))
        }
        made => made.map(|instances| (instances, false)),
    }
}

fn welcome(output: &Output, file: &str, initials: usize, seed: u64, sampled: bool) {
    let initials = count(initials, "initial state");
    output.result(&format!("{file}: {initials}, seed {seed}; `help` lists the commands"));
    if sampled {
        output.result("there are too many initial states; these were drawn at random, with the seed");
    }
}

/// What interrupts long commands, and shows their progress.
struct Keys {
    /// Set by Ctrl-C.
    cancel: Arc<AtomicBool>,
    limits: Limits,
    progress: Arc<Progress>,
}

impl Keys {
    fn new(args: &StepArgs) -> Keys {
        let (mut limits, cancel) = (args.limits.limits(), interrupt::flag());
        if limits.states.is_none() && limits.time.is_none() && limits.memory.is_none() {
            limits.states = Some(DEFAULT_STATES);
        }
        Keys { cancel, limits, progress: Arc::default() }
    }
}

/// Fills in where a session ended. There is a verdict only if something is violated there.
fn conclude<S: Inspect>(session: &Session<'_, S>, exit: Exit, report: &mut Report) {
    if session.is_violated() {
        report.verdict = Some(Verdict::Violated);
    }
    report.stats.figures = Figures::Session { steps: session.step() };
    if exit == Exit::BadInput {
        report.reason = Some("a command was refused".into());
    }
}
