//! Flags that mean the same for every command. A command takes only those that it uses.

use crate::range::NamedRange;
use crate::{
    interrupt,
    output::{count, try_file},
};
use ::explore::DeadlockPolicy;
use clap::{Args, ValueEnum};
use explore::{Cancel, Limits};
use ir::{Model, SymbolId};
use model::Queues;
use std::{
    num::NonZero,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

/// How results are printed.
#[derive(Debug, Clone, Default, Args)]
pub struct OutputFlags {
    /// Output as text, or as one JSON document on standard output
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    pub format: Format,
    /// Only print errors
    #[arg(long, short)]
    pub quiet: bool,
    /// When to use colours; `auto` also respects the variable `NO_COLOR`
    #[arg(long, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    pub color: Colour,
}

/// The two forms of output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for people
    #[default]
    Human,
    /// One JSON document
    Json,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// On a terminal
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// `-n`: the number of processes.
#[derive(Debug, Clone, Args)]
pub struct ProcessFlag {
    /// Number of processes, or `auto`
    #[arg(short = 'n', value_name = "N")]
    pub processes: Option<Processes>,
}

/// A number of processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Processes {
    /// This number.
    Fixed(u32),
    /// Left to the command.
    Auto,
}

/// The number of processes if none is given.
const DEFAULT_PROCESSES: u32 = 3;

impl Processes {
    /// The number of processes, if the model allows it.
    pub(crate) fn of_model(flag: Option<Processes>, model: &Model) -> Result<u32, String> {
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
}

impl FromStr for Processes {
    type Err = String;

    fn from_str(text: &str) -> Result<Processes, String> {
        match (text, text.parse()) {
            ("auto", _) => Ok(Processes::Auto),
            (_, Ok(count)) if count > 0 => Ok(Processes::Fixed(count)),
            _ => Err("a number from 1, or `auto`".into()),
        }
    }
}

/// An upper limit that no machine reaches: more threads than cores gain nothing.
const MOST_WORKERS: i64 = 1024;

/// `-j`: the number of threads. It never changes a verdict.
#[derive(Debug, Clone, Args)]
pub struct WorkerFlag {
    /// Number of threads [default: one per core]
    #[arg(short = 'j', value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_WORKERS))]
    pub workers: Option<u32>,
}

impl WorkerFlag {
    /// The number of threads; by default one per core.
    pub fn count(&self) -> usize {
        self.workers.map_or_else(cores, |workers| workers as usize)
    }
}

/// The number of threads that can run at the same time.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// `--seed`: same seed, same answer.
#[derive(Debug, Clone, Args)]
pub struct SeedFlag {
    /// Seed for random choices
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
}

/// `--memory`: the memory model.
#[derive(Debug, Clone, Args)]
pub struct MemoryFlag {
    /// Memory model [default: that of the model]
    #[arg(long, value_enum, value_name = "MODEL")]
    pub memory: Option<MemoryModel>,
}

/// Memory models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MemoryModel {
    /// Sequential consistency
    Sc,
    /// x86-TSO: a store buffer for each process
    Tso,
}

impl MemoryFlag {
    /// The model under this memory model.
    pub(crate) fn read(&self, model: Model) -> Model {
        match self.memory {
            Some(MemoryModel::Sc) => model.sequentially_consistent(),
            Some(MemoryModel::Tso) | None => model,
        }
    }
}

/// `--buffer`: the size of store buffers.
#[derive(Debug, Clone, Args)]
pub struct BufferFlag {
    /// The most entries of each store buffer under x86-TSO
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub buffer: Option<u8>,
}

impl BufferFlag {
    /// The number of entries, if it is given.
    pub(crate) fn entries(&self) -> Option<usize> {
        self.buffer.map(usize::from)
    }
}

/// `--queues`: which of several waiting processes is woken, or gets a lock.
#[derive(Debug, Clone, Args)]
pub struct QueueFlag {
    /// Which of several waiting processes is next: any of them, or the first that came
    #[arg(long, value_enum, default_value_t = QueueOrder::Any, value_name = "ORDER")]
    pub queues: QueueOrder,
}

/// The order of queues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum QueueOrder {
    /// Every choice is explored
    Any,
    /// First come, first served
    Fifo,
}

impl QueueFlag {
    /// The order as the model library knows it.
    pub(crate) fn queues(&self) -> Queues {
        match self.queues {
            QueueOrder::Any => Queues::Any,
            QueueOrder::Fifo => Queues::Fifo,
        }
    }
}

/// `--deadlock`: how a state without a next step is judged.
#[derive(Debug, Clone, Args)]
pub struct DeadlockFlag {
    /// How to judge a state without a next step: as an error, as a remark, or not at all [default: an error if some process
    /// waits, or if the model has `final` and the state does not satisfy it; else a remark]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub deadlock: Option<Deadlock>,
}

/// How a deadlock is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Deadlock {
    /// A violation, unless `final` says that runs may end there
    Error,
    /// A remark
    Report,
    /// Not reported
    Ignore,
}

impl DeadlockFlag {
    /// The policy as the engines know it.
    pub(crate) fn policy(&self) -> DeadlockPolicy {
        match self.deadlock {
            None => DeadlockPolicy::Waiting,
            Some(Deadlock::Error) => DeadlockPolicy::Error,
            Some(Deadlock::Report) => DeadlockPolicy::Report,
            Some(Deadlock::Ignore) => DeadlockPolicy::Ignore,
        }
    }
}

/// `--range`: bounds for numbers that have none.
#[derive(Debug, Clone, Args)]
pub struct RangeFlag {
    /// Keep a number within a range; steps that leave it are not followed
    #[arg(long, value_name = "X=-8..8")]
    pub range: Vec<String>,
}

impl RangeFlag {
    /// The ranges of a model's symbols.
    pub(crate) fn of_model(&self, model: &Model) -> Result<Vec<(SymbolId, i64, i64)>, String> {
        self.parsed()?.iter().map(|range| range.of_model(model)).collect()
    }

    /// The ranges by name.
    pub(crate) fn parsed(&self) -> Result<Vec<NamedRange>, String> {
        self.range.iter().map(|text| text.parse()).collect()
    }
}

/// Flags that affect the meaning of a model: every command that runs one takes them.
#[derive(Debug, Clone, Args)]
pub struct ModelFlags {
    #[command(flatten)]
    pub(crate) memory: MemoryFlag,
    #[command(flatten)]
    pub(crate) queue: QueueFlag,
    #[command(flatten)]
    pub(crate) range: RangeFlag,
}

/// `--limit-…`: limits that end a run early, with the results so far.
#[derive(Debug, Clone, Args)]
pub struct LimitFlags {
    /// Stop after this time
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub limit_time: Option<Duration>,
    /// Stop when this much memory is used, such as 8G
    #[arg(long, value_name = "BYTES")]
    pub limit_memory: Option<Bytes>,
    /// Stop after this many states
    #[arg(long, value_name = "NUMBER")]
    pub limit_states: Option<u64>,
}

impl LimitFlags {
    /// The limits of an engine. Ctrl-C counts as one.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            states: self.limit_states.map(|states| usize::try_from(states).unwrap_or(usize::MAX)),
            time: self.limit_time,
            memory: self.limit_memory.map(|bytes| usize::try_from(bytes.0).unwrap_or(usize::MAX)),
            cancel: Cancel::by(interrupt::flag()),
            ..Limits::default()
        }
    }
}

/// A number of seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// An amount of memory: `500M`, `8G`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Bytes, String> {
        let (digits, shift) = match text.char_indices().next_back() {
            Some((at, 'K' | 'k')) => (&text[..at], 10),
            Some((at, 'M' | 'm')) => (&text[..at], 20),
            Some((at, 'G' | 'g')) => (&text[..at], 30),
            _ => (text, 0),
        };
        let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
        number.map(Bytes).ok_or_else(|| "a number of bytes, optionally followed by K, M or G".into())
    }
}

/// `--trace`: where to write the trace.
#[derive(Debug, Clone, Args)]
pub struct TraceFlag {
    /// Write the trace of the first violation as ITF JSON; with `-` it goes to standard output, and results to standard error
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
}

/// `--graph`: where to draw the graph.
#[derive(Debug, Clone, Args)]
pub struct GraphFlag {
    /// Draw the graph of states or of the proof (.svg or .dot)
    #[arg(long, value_name = "FILE", value_parser = svg_or_dot)]
    pub graph: Option<Picture>,
}

/// `--diagram`: where to draw the trace.
#[derive(Debug, Clone, Args)]
pub struct DiagramFlag {
    /// Draw the trace of the first violation as a space-time diagram (.svg)
    #[arg(long, value_name = "FILE", value_parser = svg)]
    pub diagram: Option<Picture>,
}

/// A file for a picture, SVG or DOT by its extension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Where it goes.
    pub path: PathBuf,
    /// SVG rather than DOT.
    pub svg: bool,
}

fn svg_or_dot(text: &str) -> Result<Picture, String> {
    picture(text, &["svg", "dot"]).ok_or_else(|| "the name must end in .svg or .dot".into())
}

fn svg(text: &str) -> Result<Picture, String> {
    picture(text, &["svg"]).ok_or_else(|| "the name must end in .svg".into())
}

fn picture(text: &str, endings: &[&str]) -> Option<Picture> {
    let path = PathBuf::from(text);
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    endings.contains(&ending.as_str()).then(|| Picture { svg: ending == "svg", path })
}

/// The output files that flags ask for. They are checked before a search, and written after it.
#[derive(Debug, Default)]
pub(crate) struct Written<'a>(Vec<(&'static str, &'a Path)>);

impl<'a> Written<'a> {
    pub(crate) fn trace(mut self, flag: &'a TraceFlag) -> Self {
        self.0.extend(flag.trace.as_deref().map(|path| ("--trace", path)));
        self
    }

    pub(crate) fn diagram(mut self, flag: &'a DiagramFlag) -> Self {
        self.0.extend(flag.diagram.as_ref().map(|picture| ("--diagram", picture.path.as_path())));
        self
    }

    pub(crate) fn graph(mut self, flag: &'a GraphFlag) -> Self {
        self.0.extend(flag.graph.as_ref().map(|picture| ("--graph", picture.path.as_path())));
        self
    }

    /// Whether the trace goes to standard output.
    pub(crate) fn takes_stdout(&self) -> bool {
        self.0.contains(&("--trace", Path::new("-")))
    }

    /// Checks that there is only one model, that all files are writable, and that only one thing goes to standard output.
    pub(crate) fn try_all(&self, files: usize, output: &OutputFlags) -> Result<(), String> {
        let Some((flag, _)) = self.0.first() else { return Ok(()) };
        if files > 1 {
            return Err(format!("`{flag}` is for one model, and there are {files}"));
        }
        if self.takes_stdout() && output.format == Format::Json {
            return Err(
                "`--trace -` and `--format json` both write to standard output; the document has the trace"
                    .into(),
            );
        }
        self.0.iter().try_for_each(|(_, path)| try_file(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    /// A command that takes every shared flag.
    #[derive(Debug, Parser)]
    struct Everything {
        #[command(flatten)]
        output: OutputFlags,
        #[command(flatten)]
        process: ProcessFlag,
        #[command(flatten)]
        worker: WorkerFlag,
        #[command(flatten)]
        seed: SeedFlag,
        #[command(flatten)]
        memory: MemoryFlag,
        #[command(flatten)]
        queue: QueueFlag,
        #[command(flatten)]
        limit: LimitFlags,
        #[command(flatten)]
        trace: TraceFlag,
        #[command(flatten)]
        graph: GraphFlag,
        #[command(flatten)]
        diagram: DiagramFlag,
    }

    fn parse(text: &str) -> Result<Everything, clap::Error> {
        Everything::try_parse_from(std::iter::once("motet").chain(text.split_whitespace()))
    }

    #[test]
    fn all_flags_live_together() {
        let all = parse("-n 3 -j 2 --seed 7 --memory tso --queues fifo --limit-time 1.5 --limit-memory 8G --limit-states 10 --trace t --graph g.dot --diagram d.svg --format json -q --color never").unwrap();
        assert_eq!(all.process.processes, Some(Processes::Fixed(3)));
        assert_eq!((all.worker.workers, all.seed.seed), (Some(2), Some(7)));
        assert_eq!(all.memory.memory, Some(MemoryModel::Tso));
        assert_eq!(all.queue.queues, QueueOrder::Fifo);
        assert_eq!(all.limit.limit_time, Some(Duration::from_millis(1500)));
        assert_eq!(all.limit.limit_memory, Some(Bytes(8 << 30)));
        assert_eq!(all.limit.limit_states, Some(10));
        assert!(all.trace.trace.is_some() && all.graph.graph.is_some() && all.diagram.diagram.is_some());
        assert_eq!(
            (all.output.format, all.output.quiet, all.output.color),
            (Format::Json, true, Colour::Never)
        );
    }

    #[test]
    fn nonsense_is_refused() {
        for wrong in [
            "-n 0",
            "-n -1",
            "-n three",
            "-j 0",
            "--queues lifo",
            "--limit-memory 8X",
            "--limit-memory 99999999999G",
            "--limit-time -1",
            "--graph g.png",
            "--graph svg",
            "--diagram d.dot",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse("-n auto").unwrap().process.processes, Some(Processes::Auto));
    }
}
