//! What the runtime answers: lines of fields between tabs.

use crate::schedule::Schedule;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Finding(Told),
    /// Why the search has ended.
    End(String),
    Stats(Stats),
    Step(StepTold),
    /// From here on, something more decides which operations are steps: a line for requests of replays.
    Mark(String),
    /// A schedule that shows the same and is easier to read.
    Shortened(Schedule),
    /// Where a thread stands, of a program that is steered.
    Thread(ThreadTold),
    /// All threads were told.
    State,
    /// What is in memory.
    Memory(Vec<u8>),
    /// A step could not be taken.
    Fault(String),
    /// A value that some run has noted.
    Observed(u64),
}

/// Where a thread stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ThreadTold {
    pub(crate) thread: usize,
    /// `ready`, `finished` or `dead`.
    pub(crate) phase: String,
    /// Its next operation.
    pub(crate) next: StepTold,
    /// How many outcomes that has; 0 if it cannot be taken.
    pub(crate) choices: usize,
    /// Whether it goes round a loop until others change what it reads.
    pub(crate) spins: bool,
}

/// Something that is wrong with the program, as the runtime tells it: a claim, until it is replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) kind: String,
    pub(crate) message: String,
    /// Where, as addresses of code.
    pub(crate) pcs: Vec<u64>,
    pub(crate) threads: Vec<usize>,
    pub(crate) schedule: Schedule,
    /// The memory that a race is about.
    pub(crate) address: Option<u64>,
}

impl Told {
    /// A run that has ended the process.
    pub(crate) fn death(message: String, schedule: Schedule) -> Told {
        let threads = schedule.last().into_iter().collect();
        Told { kind: "crash".into(), message, pcs: vec![], threads, schedule, address: None }
    }
}

/// A step of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StepTold {
    pub(crate) thread: usize,
    /// The kind of operation, as the runtime calls it.
    pub(crate) kind: String,
    pub(crate) object: u64,
    /// The address behind the call.
    pub(crate) pc: u64,
}

/// Figures of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Schedules that were run.
    pub runs: usize,
    /// Schedules that turned out to be equivalent to others, and were given up.
    pub vain: usize,
    /// Steps that were taken.
    pub steps: usize,
    /// The length of the longest schedule.
    pub depth: usize,
    /// How often the search began again, because more memory turned out to be shared.
    pub restarts: usize,
    /// Processor time of the program under test, in nanoseconds.
    pub cpu: u64,
    /// The memory that each run begins with a copy of.
    pub bytes: usize,
    /// States that were told apart, by searches that do so.
    pub states: usize,
}

impl Stats {
    /// Adds those of another part of the search, which ran at the same time.
    pub(crate) fn add(&mut self, other: &Stats) {
        self.runs += other.runs;
        self.vain += other.vain;
        self.steps += other.steps;
        self.cpu += other.cpu;
        self.states += other.states;
        self.depth = self.depth.max(other.depth);
        self.restarts = self.restarts.max(other.restarts);
        self.bytes = self.bytes.max(other.bytes);
    }
}

impl Answer {
    /// Reads a line. None if it says nothing that is understood.
    pub(crate) fn read(line: &str) -> Option<Answer> {
        let fields: Vec<String> = line.split('\t').map(unescaped).collect();
        let field = |at: usize| fields.get(at).map(String::as_str);
        let number = |at: usize| field(at)?.parse().ok();
        Some(match field(0)? {
            "finding" => Answer::Finding(Told {
                kind: field(1)?.to_owned(),
                message: field(2)?.to_owned(),
                pcs: field(3)?.split_whitespace().map(hexadecimal).collect::<Option<_>>()?,
                threads: field(4)?
                    .split_whitespace()
                    .map(|thread| thread.parse().ok())
                    .collect::<Option<_>>()?,
                schedule: field(5)?.parse().ok()?,
                address: field(6).and_then(hexadecimal),
            }),
            "setting" => Answer::Mark(field(1)?.to_owned()),
            "shortened" => Answer::Shortened(field(1)?.parse().ok()?),
            "end" => Answer::End(field(1)?.to_owned()),
            "stats" => Answer::Stats(Stats {
                runs: number(1)?,
                vain: number(2)?,
                steps: number(3)?,
                depth: number(4)?,
                restarts: number(5)?,
                cpu: field(6)?.parse().ok()?,
                bytes: number(7)?,
                states: number(8)?,
            }),
            "step" => Answer::Step(StepTold {
                thread: number(2)?,
                kind: field(3)?.to_owned(),
                object: hexadecimal(field(4)?)?,
                pc: hexadecimal(field(5)?)?,
            }),
            "thread" => Answer::Thread(ThreadTold {
                thread: number(1)?,
                phase: field(2)?.to_owned(),
                next: StepTold {
                    thread: number(1)?,
                    kind: field(3)?.to_owned(),
                    object: hexadecimal(field(4)?)?,
                    pc: hexadecimal(field(5)?)?,
                },
                choices: number(6)?,
                spins: field(8) == Some("spins"),
            }),
            "observed" => Answer::Observed(field(1)?.parse().ok()?),
            "state" => Answer::State,
            "memory" => Answer::Memory(bytes(field(1)?)?),
            "fault" => Answer::Fault(field(1)?.to_owned()),
            _ => return None,
        })
    }
}

/// `00ff12`
fn bytes(text: &str) -> Option<Vec<u8>> {
    let digit = |at: usize| text.get(at..at + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
    (0..text.len()).step_by(2).map(digit).collect()
}

fn hexadecimal(text: &str) -> Option<u64> {
    u64::from_str_radix(text, 16).ok()
}

/// A field without the backslashes that keep tabs and ends of lines out of it.
fn unescaped(field: &str) -> String {
    let mut text = String::new();
    let mut letters = field.chars();
    while let Some(letter) = letters.next() {
        match (letter, letter == '\\') {
            (_, true) => match letters.next() {
                Some('t') => text.push('\t'),
                Some('n') => text.push('\n'),
                other => text.extend(other),
            },
            (letter, false) => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let told = Told {
            kind: "race".into(),
            message: "a\tb\\n\nc".into(),
            pcs: vec![0x40_1234, 0x40_1250],
            threads: vec![1, 2],
            schedule: "0 1 2:1".parse().unwrap(),
            address: Some(0xff),
        };
        let line = "finding\trace\ta\\tb\\\\n\\nc\t401234 401250\t1 2\t0 1 2:1\tff";
        assert_eq!(Answer::read(line), Some(Answer::Finding(told)));
        assert_eq!(Answer::read("end\texhausted"), Some(Answer::End("exhausted".into())));
        let stats =
            Stats { runs: 6, vain: 0, steps: 42, depth: 9, restarts: 1, cpu: 8, bytes: 4096, states: 3 };
        assert_eq!(Answer::read("stats\t6\t0\t42\t9\t1\t8\t4096\t3"), Some(Answer::Stats(stats)));
        let step = StepTold { thread: 2, kind: "Sleep { timed: false }".into(), object: 0x4c, pc: 0x40 };
        assert_eq!(Answer::read("step\t1\t2\tSleep { timed: false }\t4c\t40"), Some(Answer::Step(step)));
        assert_eq!(Answer::read("memory\t00ff12"), Some(Answer::Memory(vec![0, 0xff, 0x12])));
        assert_eq!(Answer::read("memory\t00f"), None);
        let next = StepTold { thread: 1, kind: "Lock".into(), object: 0x4c, pc: 0x40 };
        let thread = ThreadTold { thread: 1, phase: "ready".into(), next, choices: 0, spins: true };
        assert_eq!(Answer::read("thread\t1\tready\tLock\t4c\t40\t0\t\tspins"), Some(Answer::Thread(thread)));
        for nothing in ["", "later\t1", "stats\t1", "finding\trace"] {
            assert_eq!(Answer::read(nothing), None, "{nothing}");
        }
    }
}
