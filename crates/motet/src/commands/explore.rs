//! `motet explore FILE -n N`: all reachable states for a fixed number of processes.

use super::{Answered, Job};
use crate::{
    Exit,
    flags::{
        BufferFlag, DeadlockFlag, DiagramFlag, GraphFlag, LimitFlags, ModelFlags, OutputFlags, ProcessFlag,
        Processes, TraceFlag, WorkerFlag, Written,
    },
    load::{self, Loaded},
    output::{Output, count},
    pictures::{self, Drawn, StateGraphFlags},
    progress_line::ProgressLine,
    report::{Figures, Report},
    telling,
    temporal::{RunFlags, TemporalFlags},
    trace_file,
};
use clap::Args;
use instance::Instance;
use instance::exploration::Options;
use instance::temporal::{self, Runs};
use ir::{Model, PropertyKind};

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags that have nothing to do with each other")]
pub(crate) struct ExploreArgs {
    /// Models
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    processes: ProcessFlag,
    /// Continue after the first violation, and report each kind of violation and each violated property once
    #[arg(long)]
    all: bool,
    /// Stop at the first violation; this is the default
    #[arg(long, conflicts_with = "all")]
    stop_at_first: bool,
    /// Leave out the states that break an invariant instead of reporting them
    #[arg(long)]
    trust_invariants: bool,
    /// Recognise states by 64-bit hashes: needs less memory, but `holds` becomes `unknown`
    #[arg(long)]
    compact: bool,
    #[command(flatten)]
    temporal: TemporalFlags,
    #[command(flatten)]
    deadlock: DeadlockFlag,
    /// Visit all states, even those that only differ by a permutation of processes
    #[arg(long)]
    no_symmetry: bool,
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
    graph: GraphFlag,
    #[command(flatten)]
    graph_of: StateGraphFlags,
    #[command(flatten)]
    output: OutputFlags,
}

const COMMAND: &str = "explore";

pub(crate) fn run(args: &ExploreArgs) -> Exit {
    let written = Written::default().trace(&args.trace).diagram(&args.diagram).graph(&args.graph);
    let job = Job { command: COMMAND, files: &args.files, flags: &args.output, written };
    job.run(|file, output, report| explore(args, file, output, report), statistics)
}

fn statistics(figures: &Figures, seconds: f64) -> String {
    match figures {
        Figures::Exploration(figures) => telling::statistics(figures, seconds),
        _ => String::new(),
    }
}

fn explore(args: &ExploreArgs, file: &str, output: &Output, report: &mut Report) -> Answered {
    let Some(mut loaded) = load::load_to_run(COMMAND, file, &args.model, output, report) else {
        return Exit::BadInput.into();
    };
    let (options, runs) = match asked(args, &mut loaded) {
        Ok(asked) => asked,
        Err(message) => return telling::refused(output, report, message).into(),
    };
    let model = &loaded.model;
    report.processes = Some(options.processes);
    warn_about_flags(args, model, output, report);
    telling::warn_about_arity(model, options.processes, output, report);
    let line = ProgressLine::show(&options.progress, output);
    let mut exploration = instance::exploration::explore(model, &options);
    temporal::check_all(model, &options, &runs, &mut exploration);
    drop(line);
    telling::fill(report, &loaded, &exploration, options.deadlock);
    let scope = count(options.processes, "process");
    let exit = telling::tell(output, report, &loaded, &exploration, &scope);
    let files = [
        trace_file::write_first(&args.trace, &loaded, &exploration, output),
        telling::draw_trace(&args.diagram, &loaded, &exploration, output),
        draw_states(args, file, model, &options),
    ];
    let exit = telling::told(output, report, files).unwrap_or(exit);
    Answered { exit, figures: Figures::Exploration(telling::figures(&exploration)) }
}

/// The options, and the runs that count. Formulas of the command line become properties of the model.
fn asked(args: &ExploreArgs, loaded: &mut Loaded) -> Result<(Options, Runs), String> {
    let options = options(args, &loaded.model)?;
    args.temporal.add_to(loaded, args.model.queue.queues(), options.processes)?;
    Ok((options, loaded.runs.of_model(&loaded.model)?))
}

fn options(args: &ExploreArgs, model: &Model) -> Result<Options, String> {
    Ok(Options {
        ranges: args.model.range.of_model(model)?,
        all: args.all && !args.stop_at_first,
        symmetry: !args.no_symmetry,
        deadlock: args.deadlock.policy(),
        limits: args.limits.limits(),
        workers: args.workers.count(),
        compact: args.compact,
        trust_invariants: args.trust_invariants,
        buffer: args.buffer.entries(),
        ..Options::new(Processes::of_model(args.processes.processes, model)?)
    })
}

/// Warns about flags that have no effect for this model.
fn warn_about_flags(args: &ExploreArgs, model: &Model, output: &Output, report: &mut Report) {
    load::warn_about_buffer(model, &args.buffer, output, report);
    let has_invariant = model.properties.iter().any(|property| property.kind == PropertyKind::Invariant);
    if args.trust_invariants && !has_invariant {
        let message = "`--trust-invariants` has no effect: this model has no `invariant`";
        output.warn(report, "no-effect", message.into());
    }
    if model.temporal.is_empty() && args.temporal.runs() != RunFlags::default() {
        let flag = if args.temporal.infinite_runs { "--infinite-runs" } else { "--fair" };
        let message = format!("`{flag}` has no effect: there is no temporal property");
        output.warn(report, "no-effect", message);
    }
    if args.no_symmetry && !Instance::is_symmetric(model) {
        let message = "`--no-symmetry` has no effect: the processes of this model are ordered or named";
        output.warn(report, "no-effect", message.into());
    }
}

fn draw_states(args: &ExploreArgs, file: &str, model: &Model, options: &Options) -> Result<(), String> {
    let Some(picture) = &args.graph.graph else { return Ok(()) };
    let drawn = Drawn { model, options, file, queues: args.model.queue.queues() };
    pictures::draw_states(picture, &args.graph_of, drawn)
}
