//! What the tester asks for, and how it is answered: lines of text through files.

use crate::invariants::Invariant;
use crate::shorten::Target;
use crate::sys;
use explore::{Part, Turn};

/// What the tester asks for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    /// Where answers go.
    pub(crate) out: i32,
    /// Where commands come from.
    pub(crate) input: i32,
    /// What a schedule that is made shorter must show.
    pub(crate) target: Option<Target>,
    pub(crate) search: Search,
    pub(crate) seed: u64,
    /// The largest number of runs; 0 for no limit.
    pub(crate) runs: usize,
    /// The largest number of steps of a run; 0 for no limit.
    pub(crate) depth: usize,
    /// Seconds; 0 for no limit.
    pub(crate) seconds: f64,
    /// Goes on past failures.
    pub(crate) all: bool,
    pub(crate) visible: Visible,
    pub(crate) ignore: Vec<String>,
    /// The schedule to replay.
    pub(crate) schedule: Vec<Turn>,
    /// The step, counted from 1, at which a debugger is to stop; 0 for none.
    pub(crate) stop: usize,
    /// Whether the program's output is shown.
    pub(crate) output: bool,
    /// Whether the calls that lead to each operation are told.
    pub(crate) stacks: bool,
    /// Seconds after which a step counts as endless.
    pub(crate) step_seconds: u64,
    /// How often each thread may wake up for no reason.
    pub(crate) spurious: usize,
    /// The calls of which failing ones are tried.
    pub(crate) fail: Vec<Failing>,
    /// Files of which each may be the program's standard input.
    pub(crate) inputs: Vec<String>,
    pub(crate) invariants: Vec<Invariant>,
    /// Whether hashes of stacks are kept.
    pub(crate) local_states: bool,
    /// The filters of a filtered search, in order.
    pub(crate) filters: Vec<Filter>,
    /// Whether a filtered search tries successors in a random order.
    pub(crate) shuffle: bool,
    /// A file that is shared with the tester; 0 for none.
    pub(crate) shared: i32,
    /// Whether loops that wait for others are looked for.
    pub(crate) watch_loops: bool,
    /// Whether each run has a process of its own.
    pub(crate) fork: bool,
    /// Locations and calls that are known to race.
    pub(crate) racy: Vec<(usize, [usize; 2])>,
    /// Memory that invariants read.
    pub(crate) judged: Vec<usize>,
    /// Whether the program cancels threads, and whether it looks if threads have ended.
    pub(crate) cancels: bool,
    pub(crate) watches_ends: bool,
    /// The part of the search to explore.
    pub(crate) part: Option<Part>,
    /// Calls that are visible, and calls in loops that wait for others: what an earlier search has found out.
    pub(crate) calls: Vec<usize>,
    pub(crate) watched: Vec<usize>,
}

/// How schedules are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Search {
    /// All of them, up to equivalence.
    #[default]
    Dpor,
    /// All of them.
    Exhaustive,
    /// Depth first, with the filters of SCALE.
    Filtered,
    /// Any of them, with the same probability at each step.
    Random,
    /// By priorities that change at some steps, for bugs of this depth.
    Pct(usize),
    /// By priorities of operations.
    Pos,
    /// The order of the operations on one object, evenly.
    Surw,
    /// By whichever of these shows the most.
    Learned,
    /// All of them with at most so many switches away from a thread that could go on, fewest first.
    Preemptions(usize),
    /// A given one.
    Replay,
    /// A given one, made shorter.
    Shorten,
    /// Step by step, as the tester says.
    Serve,
}

/// Calls that may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failing {
    /// Allocations of memory.
    Malloc,
    Read,
    Write,
    /// Opening of files.
    Open,
    /// Creation of threads.
    Create,
}

impl Failing {
    fn parse(text: &str) -> Option<Failing> {
        Some(match text {
            "malloc" => Failing::Malloc,
            "read" => Failing::Read,
            "write" => Failing::Write,
            "open" => Failing::Open,
            "create" => Failing::Create,
            _ => return None,
        })
    }
}

/// A filter of a filtered search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filter {
    /// States that were seen before, in a cache of some size or of any.
    Seen(Option<usize>),
    Depth(usize),
    Cycles,
    SuperSteps,
}

impl Filter {
    fn parse(text: &str) -> Option<Filter> {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        Some(match name {
            "seen" if value.is_empty() => Filter::Seen(None),
            "seen" => Filter::Seen(Some(value.parse().ok()?)),
            "depth" => Filter::Depth(value.parse().ok()?),
            "cycles" => Filter::Cycles,
            "supersteps" => Filter::SuperSteps,
            _ => return None,
        })
    }
}

/// Which accesses to memory are scheduling points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Visible {
    /// Atomic ones.
    Sync,
    /// Those that race, too.
    #[default]
    Racy,
    /// All but those to the stack of the own thread.
    All,
}

impl Options {
    /// Reads the file that the tester has written: a key and a value on each line.
    pub(crate) fn read(path: &str) -> Option<Options> {
        let text = String::from_utf8(sys::read_all(path)?).ok()?;
        let mut options = Options { out: 2, watch_loops: true, step_seconds: 5, ..Options::default() };
        for line in text.lines() {
            let (key, value) = line.split_once(' ').unwrap_or((line, ""));
            options.set(key, value)?;
        }
        Some(options)
    }

    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "out" => self.out = value.parse().ok()?,
            "in" => self.input = value.parse().ok()?,
            "target" => {
                let (kind, pcs) = value.split_once(' ').unwrap_or((value, ""));
                let pcs = pcs.split(' ').filter_map(|pc| usize::from_str_radix(pc, 16).ok()).collect();
                self.target = Some(Target { kind: kind.into(), pcs });
            }
            "search" => {
                self.search = match value {
                    "dpor" => Search::Dpor,
                    "exhaustive" => Search::Exhaustive,
                    "filtered" => {
                        self.watch_loops = false;
                        Search::Filtered
                    }
                    "random" => Search::Random,
                    "replay" => Search::Replay,
                    "shorten" => Search::Shorten,
                    "serve" => Search::Serve,
                    "pos" => Search::Pos,
                    "surw" => Search::Surw,
                    "learned" => Search::Learned,
                    _ => match value.split_once('=')? {
                        ("pct", depth) => Search::Pct(depth.parse().ok()?),
                        ("preemptions", most) => Search::Preemptions(most.parse().ok()?),
                        _ => return None,
                    },
                }
            }
            "seed" => self.seed = value.parse().ok()?,
            "runs" => self.runs = value.parse().ok()?,
            "depth" => self.depth = value.parse().ok()?,
            "seconds" => self.seconds = value.parse().ok()?,
            "all" => self.all = true,
            "output" => self.output = true,
            "spurious" => self.spurious = value.parse().ok()?,
            "fail" => self.fail.push(Failing::parse(value)?),
            "input" => self.inputs.push(value.into()),
            "fork" => self.fork = true,
            "stacks" => self.stacks = true,
            "shuffle" => self.shuffle = true,
            "filters" => {
                self.filters = value.split(',').map(Filter::parse).collect::<Option<_>>()?;
                self.local_states = self.filters.contains(&Filter::Cycles);
            }
            "step_seconds" => self.step_seconds = value.parse().ok()?,
            "shared" => self.shared = value.parse().ok()?,
            "invariant" => {
                let (address, name) = value.split_once(' ')?;
                let address = usize::from_str_radix(address, 16).ok()?;
                self.invariants.push(Invariant { address, name: name.into() });
            }
            "visible" => {
                self.visible = match value {
                    "sync" => Visible::Sync,
                    "racy" => Visible::Racy,
                    "all" => Visible::All,
                    _ => return None,
                }
            }
            "ignore" => self.ignore.push(value.into()),
            "schedule" => self.schedule = value.split(' ').filter_map(parse_turn).collect(),
            "stop" => self.stop = value.parse().ok()?,
            "call" => self.calls.push(usize::from_str_radix(value, 16).ok()?),
            "judged" => self.judged.push(usize::from_str_radix(value, 16).ok()?),
            "loops-go-on" => self.watch_loops = false,
            "cancels" => self.cancels = true,
            "ends" => self.watches_ends = true,
            "part" => {
                let (index, of) = value.split_once(' ')?;
                self.part = Some(Part { index: index.parse().ok()?, of: of.parse().ok()? });
            }
            "watch" => self.watched.push(usize::from_str_radix(value, 16).ok()?),
            "racy" => {
                let numbers: Option<Vec<usize>> =
                    value.split(' ').map(|number| usize::from_str_radix(number, 16).ok()).collect();
                let numbers = numbers?;
                self.racy.push((*numbers.first()?, [*numbers.get(1)?, *numbers.get(2)?]));
            }
            _ => return None,
        }
        Some(())
    }

    pub(crate) fn ignores(&self, kind: &str) -> bool {
        self.ignore.iter().any(|ignored| ignored == kind)
    }

    /// Answers with a line of fields.
    pub(crate) fn tell(&self, fields: &[&str]) {
        let mut line = String::new();
        for (position, field) in fields.iter().enumerate() {
            if position > 0 {
                line.push('\t');
            }
            line.push_str(&field.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n"));
        }
        line.push('\n');
        sys::write(self.out, line.as_bytes());
    }
}

/// A thread, and an outcome where it is not the first: `2` or `2:1`.
pub(crate) fn parse_turn(text: &str) -> Option<Turn> {
    let (thread, choice) = text.split_once(':').unwrap_or((text, "0"));
    Some(Turn { thread: thread.parse().ok()?, choice: choice.parse().ok()? })
}

/// A schedule as text.
pub(crate) fn schedule_text(turns: &[Turn]) -> String {
    let turn = |turn: &Turn| match turn.choice {
        0 => turn.thread.to_string(),
        choice => format!("{}:{choice}", turn.thread),
    };
    turns.iter().map(turn).collect::<Vec<_>>().join(" ")
}

/// Addresses of code as text.
pub(crate) fn addresses_text(pcs: &[usize]) -> String {
    pcs.iter().map(|pc| format!("{pc:x}")).collect::<Vec<_>>().join(" ")
}

/// Memory that the tester reads while the program runs: progress, and the schedule of the current run, in case that it
/// ends the process.
#[derive(Default)]
pub(crate) struct Shared(Option<&'static mut Board>);

/// What is in it.
#[repr(C)]
pub(crate) struct Board {
    /// Set by the tester: the search is to end.
    cancel: u64,
    runs: u64,
    steps: u64,
    depth: u64,
    races: u64,
    /// The number of turns of the current run.
    taken: u64,
    /// Pairs of a thread and a choice.
    turns: [[u16; 2]; TURNS],
}

/// Turns that are kept.
const TURNS: usize = 1 << 18;

impl Shared {
    /// Uses a file that the tester has made large enough.
    pub(crate) fn open(file: i32) -> Shared {
        if file == 0 {
            return Shared(None);
        }
        // SAFETY: the tester gives a file of this size.
        Shared(unsafe { sys::map_shared(file, size_of::<Board>()).cast::<Board>().as_mut() })
    }

    #[inline]
    pub(crate) fn take(&mut self, position: usize, turn: Turn) {
        if let Some(board) = &mut self.0
            && position < TURNS
        {
            board.turns[position] = [turn.thread, turn.choice];
            board.taken = position as u64 + 1;
        }
    }

    /// Tells how far the search is; returns whether it is to end.
    pub(crate) fn progress(&mut self, [runs, steps, depth, races]: [u64; 4]) -> bool {
        let Some(board) = &mut self.0 else { return false };
        (board.runs, board.steps, board.depth, board.races) = (runs, steps, depth, races);
        // SAFETY: the tester writes it.
        unsafe { (&raw const board.cancel).read_volatile() != 0 }
    }
}
