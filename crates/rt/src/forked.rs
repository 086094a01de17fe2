//! Runs in child processes, for programs whose effects a copy of memory cannot undo: open files, sockets, mappings.
//!
//! The process that searches never runs the program. It forks at the snapshot for each run; the child takes the steps that
//! it is told to take, and after each describes where it is. That costs two system calls for a step where a switch of
//! coroutines would do, and is used only where the program needs it.

use explore::{Access, Fault, Needs, Steered, Thread, Threads, Turn};

use crate::machine::Machine;
use crate::races::{Party, Race};
use crate::runtime::{Failure, Runtime};
use crate::signals;
use crate::sys;

/// A child that runs the program, and what it said last.
#[derive(Default)]
pub(crate) struct Forked {
    /// The child's number; 0 if there is none.
    child: i32,
    to: i32,
    from: i32,
    pub(crate) place: Place,
}

/// Where the program is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    pub(crate) turns: Vec<Turn>,
    pub(crate) threads: Vec<Lane>,
    /// What is wrong if the run ends here.
    pub(crate) end: Option<Failure>,
}

/// What the search must know of a thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lane {
    pub(crate) accesses: Vec<Access>,
    pub(crate) fingerprint: u64,
    pub(crate) local_state: Option<u64>,
    pub(crate) awaits: Option<Thread>,
    pub(crate) blocked: bool,
    pub(crate) replaceable: bool,
    pub(crate) spins: bool,
}

/// The classes of failures, by which they are told.
const KINDS: [&str; 15] = [
    "race",
    "deadlock",
    "livelock",
    "lost-wakeup",
    "assertion",
    "abort",
    "crash",
    "misuse",
    "memory",
    "leak",
    "hang",
    "invariant",
    "unsupported",
    "",
    "",
];

impl Runtime {
    /// Begins a run in a new child.
    pub(crate) fn start_child(&mut self) -> Result<(), Fault> {
        self.end_child();
        let (commands, answers) = (sys::pipe(), sys::pipe());
        let (Some(commands), Some(answers)) = (commands, answers) else {
            return Err(Fault::Broken("no pipe could be made".into()));
        };
        // SAFETY: the process has one thread; the child uses its own copy of everything.
        let child = unsafe { sys::fork() };
        if child < 0 {
            return Err(Fault::Broken("no process could be forked".into()));
        }
        if child == 0 {
            sys::close(commands[1]);
            sys::close(answers[0]);
            self.be_child(commands[0], answers[1]);
        }
        sys::close(commands[0]);
        sys::close(answers[1]);
        (self.forked.child, self.forked.to, self.forked.from) = (child, commands[1], answers[0]);
        self.taken.clear();
        self.over = false;
        self.run += 1;
        self.hear()
    }

    /// Lets the child take a step.
    pub(crate) fn tell_child(&mut self, turn: Turn) -> Result<(), Fault> {
        self.taken.push(turn);
        self.released.clear();
        let mut words = Words::default();
        words.put(u64::from(turn.thread) << 16 | u64::from(turn.choice));
        sys::write(self.forked.to, &words.0);
        self.hear()
    }

    pub(crate) fn end_child(&mut self) {
        let Forked { child, to, from, .. } = self.forked;
        if child != 0 {
            sys::close(to);
            sys::close(from);
            sys::wait_for(child);
            self.forked.child = 0;
        }
    }

    /// Reads where the child is.
    fn hear(&mut self) -> Result<(), Fault> {
        let gone = || Fault::Broken("the process that runs the program has ended".into());
        let length = sys::read_exactly(self.forked.from, 8).ok_or_else(gone)?;
        let length = u64::from_le_bytes(length.try_into().map_err(|_| gone())?);
        let bytes = sys::read_exactly(self.forked.from, length as usize).ok_or_else(gone)?;
        let mut reader = Reader { bytes: &bytes };
        self.read_place(&mut reader).ok_or_else(gone)
    }

    fn read_place(&mut self, reader: &mut Reader<'_>) -> Option<()> {
        self.over = reader.flag()?;
        self.forked.place.turns = reader.list(Reader::turn)?;
        self.forked.place.threads = reader.list(Reader::lane)?;
        self.released = reader.list(|reader| reader.word().map(|word| word as u16))?;
        self.forked.place.end = reader.list(Reader::failure)?.pop();
        self.failures.extend(reader.list(Reader::failure)?);
        self.found_races.extend(reader.list(Reader::race)?);
        self.found_loops.extend(reader.list(|reader| reader.word().map(|word| word as usize))?);
        self.hidden_loops.extend(reader.list(|reader| reader.word().map(|word| word as usize))?);
        self.observed.extend(reader.list(Reader::word)?);
        self.judged_more |= reader.flag()?;
        self.cancels |= reader.flag()?;
        self.watches_ends |= reader.flag()?;
        for address in reader.list(Reader::word)? {
            if !self.judged.contains(&(address as usize)) {
                self.judged.push(address as usize);
            }
        }
        Some(())
    }

    /// Runs the program as it is told, and never returns.
    fn be_child(&mut self, commands: i32, answers: i32) -> ! {
        // SAFETY: timers are not inherited; the child runs the program once.
        unsafe {
            signals::watch_steps();
            self.snapshot.give_up();
        }
        sys::end_with_parent();
        self.forks = false;
        self.is_child = true;
        self.failures.clear();
        self.restart();
        loop {
            if !self.options.invariants.is_empty() && !self.over {
                self.judge_invariants();
            }
            let place = self.describe_place();
            sys::write(answers, &(place.0.len() as u64).to_le_bytes());
            sys::write(answers, &place.0);
            let Some(word) = sys::read_exactly(commands, 8) else { sys::exit(0) };
            let Ok(word) = word.try_into().map(u64::from_le_bytes) else { sys::exit(0) };
            let turn = Turn { thread: (word >> 16) as Thread, choice: word as u16 };
            if Machine.take(&turn).is_err() {
                sys::exit(0);
            }
        }
    }

    fn describe_place(&mut self) -> Words {
        let mut words = Words::default();
        let mut turns = Vec::new();
        Machine.enabled(&mut turns);
        words.put(u64::from(self.over));
        words.list(&turns, |words, turn| words.put(u64::from(turn.thread) << 16 | u64::from(turn.choice)));
        let mut blocked = Vec::new();
        Machine.blocked(&mut blocked);
        let lanes: Vec<Lane> = (0..self.count).map(|thread| lane(thread as Thread, &blocked)).collect();
        words.list(&lanes, Words::lane);
        words.list(&self.released, |words, thread| words.put(u64::from(*thread)));
        let end: Vec<Failure> =
            if turns.is_empty() { self.judge_end().into_iter().collect() } else { Vec::new() };
        words.list(&end, Words::failure);
        words.list(&std::mem::take(&mut self.failures), Words::failure);
        words.list(&std::mem::take(&mut self.found_races), Words::race);
        words.list(&std::mem::take(&mut self.found_loops), |words, pc| words.put(*pc as u64));
        words.list(&std::mem::take(&mut self.hidden_loops), |words, pc| words.put(*pc as u64));
        let observed: Vec<u64> = std::mem::take(&mut self.observed).into_iter().collect();
        words.list(&observed, |words, value| words.put(*value));
        words.put(u64::from(std::mem::take(&mut self.judged_more)));
        words.put(u64::from(self.cancels));
        words.put(u64::from(self.watches_ends));
        let judged: Vec<u64> = self.judged.iter().map(|address| *address as u64).collect();
        words.list(&judged, |words, address| words.put(*address));
        words
    }
}

fn lane(thread: Thread, blocked: &[Turn]) -> Lane {
    let turn = Turn { thread, choice: 0 };
    let mut accesses = Vec::new();
    Machine.accesses(turn, &mut accesses);
    Lane {
        accesses,
        fingerprint: Machine.fingerprint(turn),
        local_state: Machine.local_state(thread),
        awaits: Machine.awaits(turn),
        blocked: blocked.contains(&turn),
        replaceable: Machine.replaceable(thread),
        spins: Machine.spins(thread),
    }
}

/// Words of eight bytes, to be read by [`Reader`].
#[derive(Default)]
struct Words(Vec<u8>);

impl Words {
    fn put(&mut self, word: u64) {
        self.0.extend_from_slice(&word.to_le_bytes());
    }

    fn list<T>(&mut self, items: &[T], each: impl Fn(&mut Words, &T)) {
        self.put(items.len() as u64);
        items.iter().for_each(|item| each(self, item));
    }

    fn lane(&mut self, lane: &Lane) {
        self.list(&lane.accesses, |words, access| {
            words.put(access.object);
            words.put(u64::from(access.writes) | needs_number(access.needs) << 1);
            words.put(u64::from(access.state));
        });
        self.put(lane.fingerprint);
        self.put(lane.local_state.unwrap_or(0));
        self.put(lane.awaits.map_or(u64::MAX, u64::from));
        self.put(u64::from(lane.blocked) | u64::from(lane.replaceable) << 1 | u64::from(lane.spins) << 2);
    }

    fn failure(&mut self, failure: &Failure) {
        self.put(KINDS.iter().position(|kind| *kind == failure.kind).unwrap_or(0) as u64);
        self.list(failure.message.as_bytes(), |words, byte| words.put(u64::from(*byte)));
        self.list(&failure.pcs, |words, pc| words.put(*pc as u64));
        self.list(&failure.threads, |words, thread| words.put(*thread as u64));
    }

    fn race(&mut self, race: &Race) {
        self.put(race.address as u64);
        for party in [race.earlier, race.later] {
            self.put(party.thread as u64);
            self.put(party.pc as u64);
            self.put(u64::from(party.writes) | u64::from(party.atomic) << 1);
        }
    }
}

struct Reader<'b> {
    bytes: &'b [u8],
}

impl Reader<'_> {
    fn word(&mut self) -> Option<u64> {
        let (word, rest) = self.bytes.split_first_chunk::<8>()?;
        self.bytes = rest;
        Some(u64::from_le_bytes(*word))
    }

    fn flag(&mut self) -> Option<bool> {
        self.word().map(|word| word != 0)
    }

    fn list<T>(&mut self, each: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = self.word()?;
        (0..length).map(|_| each(self)).collect()
    }

    fn turn(&mut self) -> Option<Turn> {
        let word = self.word()?;
        Some(Turn { thread: (word >> 16) as Thread, choice: word as u16 })
    }

    fn lane(&mut self) -> Option<Lane> {
        let accesses = self.list(|reader| {
            let (object, how, state) = (reader.word()?, reader.word()?, reader.word()? as u32);
            Some(Access { object, writes: how & 1 != 0, needs: needs_of(how >> 1), state })
        })?;
        let (fingerprint, local_state, awaits) = (self.word()?, self.word()?, self.word()?);
        let flags = self.word()?;
        Some(Lane {
            accesses,
            fingerprint,
            local_state: (local_state != 0).then_some(local_state),
            awaits: Thread::try_from(awaits).ok(),
            blocked: flags & 1 != 0,
            replaceable: flags & 2 != 0,
            spins: flags & 4 != 0,
        })
    }

    fn failure(&mut self) -> Option<Failure> {
        let kind = KINDS.get(self.word()? as usize)?;
        let message = self.list(|reader| reader.word().map(|word| word as u8))?;
        let numbers = |reader: &mut Self| reader.list(|reader| reader.word().map(|word| word as usize));
        let (pcs, threads) = (numbers(self)?, numbers(self)?);
        Some(Failure { kind, message: String::from_utf8_lossy(&message).into_owned(), pcs, threads })
    }

    fn race(&mut self) -> Option<Race> {
        let address = self.word()? as usize;
        let party = |reader: &mut Self| {
            let (thread, pc, how) = (reader.word()? as usize, reader.word()? as usize, reader.word()?);
            Some(Party { thread, pc, writes: how & 1 != 0, atomic: how & 2 != 0 })
        };
        Some(Race { address, earlier: party(self)?, later: party(self)? })
    }
}

fn needs_number(needs: Needs) -> u64 {
    match needs {
        Needs::Nothing => 0,
        Needs::Zero => 1,
        Needs::NonZero => 2,
        Needs::Shared => 3,
    }
}

fn needs_of(number: u64) -> Needs {
    match number {
        1 => Needs::Zero,
        2 => Needs::NonZero,
        3 => Needs::Shared,
        _ => Needs::Nothing,
    }
}
