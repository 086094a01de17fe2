//! Optimal dynamic partial order reduction, compared with all interleavings of random small programs: the same final
//! states, exactly one run for each class of equivalent runs, and no run begun in vain.

#![allow(
    clippy::cast_possible_truncation,
    clippy::type_complexity,
    clippy::needless_range_loop,
    reason = "threads and objects are few"
)]

use explore::{
    Access, DepthFirst, Dpor, End, Fault, Label, Needs, Property, Rng, Search, Steered, System, Thread,
    Threads, Turn, Valuation,
};
use std::collections::BTreeSet;

/// An operation of a thread. Objects are small numbers; `Wait(c, m)` sleeps on `c` with mutex `m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Op {
    Read(u8),
    Write(u8, u8),
    /// Reads, adds one, writes, as one operation.
    Add(u8),
    Lock(u8),
    TryLock(u8),
    Unlock(u8),
    Wait(u8, u8),
    /// A wait that may end by itself.
    TimedWait(u8, u8),
    Signal(u8),
    Broadcast(u8),
    Down(u8),
    Up(u8),
    /// Waits until a variable is not 0, as a spin loop does.
    Spin(u8),
}

const VARIABLES: usize = 2;
const MUTEXES: usize = 2;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct State {
    at: Vec<usize>,
    /// Asleep on a condition, with a mutex to take again.
    asleep: Vec<Option<(u8, u8)>>,
    /// Awake again, with a mutex to take.
    waking: Vec<Option<u8>>,
    seen: Vec<u8>,
    variables: [u8; VARIABLES],
    owners: [u8; MUTEXES],
    tickets: u8,
    /// Whether the last look of a spinning thread saw 0, and nothing was written since.
    dull: Vec<bool>,
}

#[derive(Clone, Debug)]
struct Program {
    threads: Vec<Vec<Op>>,
    state: State,
    released: Vec<Thread>,
    /// Whether a thread is in a spin loop, and has looked in vain.
    looked: Vec<bool>,
    /// The events of the run so far, for comparing runs up to equivalence.
    log: Vec<(Turn, Vec<(u64, bool)>, Vec<Thread>)>,
}

fn program(threads: Vec<Vec<Op>>) -> Program {
    let count = threads.len();
    let state = State {
        at: vec![0; count],
        asleep: vec![None; count],
        waking: vec![None; count],
        seen: vec![0; count],
        variables: [0; VARIABLES],
        owners: [0; MUTEXES],
        tickets: 0,
        dull: vec![false; count],
    };
    Program { threads, state, released: Vec::new(), looked: vec![false; count], log: Vec::new() }
}

impl Program {
    fn next(&self, thread: usize) -> Option<Op> {
        self.threads[thread].get(self.state.at[thread]).copied()
    }

    fn sleepers(&self, condition: u8) -> Vec<usize> {
        let asleep = |thread: &usize| self.state.asleep[*thread].is_some_and(|(on, _)| on == condition);
        (0..self.threads.len()).filter(asleep).collect()
    }

    /// The number of outcomes of the next operation; 0 if it is not enabled.
    fn choices(&self, thread: usize) -> usize {
        if let Some(mutex) = self.state.waking[thread] {
            return usize::from(self.state.owners[usize::from(mutex)] == 0);
        }
        let Some(op) = self.next(thread) else { return 0 };
        if self.state.asleep[thread].is_some() {
            return usize::from(matches!(op, Op::TimedWait(..)));
        }
        match op {
            Op::Lock(m) => usize::from(self.state.owners[usize::from(m)] == 0),
            Op::Down(_) => usize::from(self.state.tickets > 0),
            Op::Signal(c) => self.sleepers(c).len().max(1),
            Op::Spin(_) => usize::from(!self.state.dull[thread]),
            _ => 1,
        }
    }

    fn wake(&mut self, thread: usize) {
        self.state.waking[thread] = self.state.asleep[thread].take().map(|(_, mutex)| mutex);
        self.released.push(thread as Thread);
    }

    fn write(&mut self, variable: u8, value: u8) {
        self.state.variables[usize::from(variable)] = value;
        for thread in 0..self.threads.len() {
            if self.next(thread) == Some(Op::Spin(variable)) {
                self.state.dull[thread] = value == 0 && self.state.dull[thread];
            }
        }
    }

    fn perform(&mut self, thread: usize, choice: usize) {
        self.released.clear();
        let me = thread as u8 + 1;
        if let Some(mutex) = self.state.waking[thread].take() {
            self.state.owners[usize::from(mutex)] = me;
            self.state.at[thread] += 1;
            return;
        }
        if let Some((_, mutex)) = self.state.asleep[thread].take() {
            self.state.waking[thread] = Some(mutex);
            return;
        }
        let op = self.next(thread).unwrap();
        match op {
            Op::Read(x) => {
                let value = 1 + self.state.variables[usize::from(x)];
                self.state.seen[thread] = self.state.seen[thread].wrapping_mul(5) + value;
            }
            Op::Write(x, value) => self.write(x, value),
            Op::Add(x) => self.write(x, self.state.variables[usize::from(x)] + 1),
            Op::Lock(m) => self.state.owners[usize::from(m)] = me,
            Op::TryLock(m) => {
                let free = self.state.owners[usize::from(m)] == 0;
                self.state.seen[thread] = self.state.seen[thread].wrapping_mul(5) + u8::from(free);
                if free {
                    self.state.owners[usize::from(m)] = me;
                }
            }
            // Unlocking what one does not own does nothing: a failed `TryLock` may come before.
            Op::Unlock(m) => {
                if self.state.owners[usize::from(m)] == me {
                    self.state.owners[usize::from(m)] = 0;
                }
            }
            Op::Wait(c, m) | Op::TimedWait(c, m) => {
                self.state.owners[usize::from(m)] = 0;
                self.state.asleep[thread] = Some((c, m));
                return;
            }
            Op::Signal(c) => {
                if let Some(&sleeper) = self.sleepers(c).get(choice) {
                    self.wake(sleeper);
                }
            }
            Op::Broadcast(c) => {
                for sleeper in self.sleepers(c) {
                    self.wake(sleeper);
                }
            }
            Op::Down(_) => self.state.tickets -= 1,
            Op::Up(_) => self.state.tickets += 1,
            Op::Spin(x) => {
                if self.state.variables[usize::from(x)] == 0 {
                    self.state.dull[thread] = true;
                    self.looked[thread] = true;
                    return;
                }
            }
        }
        self.state.at[thread] += 1;
        self.looked[thread] = false;
    }
}

const MUTEX: u64 = 100;
const CONDITION: u64 = 200;
const SEMAPHORE: u64 = 300;

impl Steered for Program {
    type Action = Turn;
    type Identity = State;

    fn initials(&mut self) -> Result<usize, Fault> {
        Ok(1)
    }
    fn start(&mut self, _initial: usize) -> Result<(), Fault> {
        *self = program(std::mem::take(&mut self.threads));
        Ok(())
    }
    fn enabled(&self, actions: &mut Vec<Turn>) {
        for thread in 0..self.threads.len() {
            let choices = self.choices(thread) as u16;
            actions.extend((0..choices).map(|choice| Turn { thread: thread as Thread, choice }));
        }
    }
    fn take(&mut self, turn: &Turn) -> Result<(), Fault> {
        let mut accesses = Vec::new();
        self.accesses(*turn, &mut accesses);
        assert!(accesses.iter().all(|access| access.needs.admits(access.state)), "{turn:?} {accesses:?}");
        self.perform(usize::from(turn.thread), usize::from(turn.choice));
        let objects = accesses.iter().map(|access| (access.object, access.writes)).collect();
        self.log.push((*turn, objects, self.released.clone()));
        Ok(())
    }
    fn identity(&self) -> State {
        self.state.clone()
    }
    fn ended(&self) -> bool {
        true
    }
    fn label(&self, turn: &Turn) -> Label {
        format!("{turn:?}").into()
    }
    fn describe(&self) -> Valuation {
        vec![]
    }
}

impl System for Program {
    type Checkpoint = Program;

    fn checkpoint(&mut self) -> Program {
        self.clone()
    }
    fn restore(&mut self, program: &Program) -> Result<(), Fault> {
        *self = program.clone();
        Ok(())
    }
}

impl Threads for Program {
    fn accesses(&self, turn: Turn, accesses: &mut Vec<Access>) {
        let thread = usize::from(turn.thread);
        let mutex = |m: u8, needs: Needs| Access {
            object: MUTEX + u64::from(m),
            writes: true,
            needs,
            state: self.state.owners[usize::from(m)].into(),
        };
        if let Some(m) = self.state.waking[thread] {
            accesses.push(mutex(m, Needs::Zero));
            return;
        }
        if let Some((condition, _)) = self.state.asleep[thread] {
            let Some(Op::TimedWait(..)) = self.next(thread) else { return };
            accesses.push(Access::write(CONDITION + u64::from(condition)));
            return;
        }
        let Some(op) = self.next(thread) else { return };
        match op {
            Op::Read(x) | Op::Spin(x) => accesses.push(Access::read(x.into())),
            Op::Write(x, _) | Op::Add(x) => accesses.push(Access::write(x.into())),
            Op::Lock(m) => accesses.push(mutex(m, Needs::Zero)),
            Op::TryLock(m) | Op::Unlock(m) => accesses.push(mutex(m, Needs::Nothing)),
            Op::Wait(c, m) | Op::TimedWait(c, m) => {
                accesses.extend([mutex(m, Needs::Nothing), Access::write(CONDITION + u64::from(c))]);
            }
            Op::Signal(c) | Op::Broadcast(c) => accesses.push(Access::write(CONDITION + u64::from(c))),
            Op::Down(_) | Op::Up(_) => accesses.push(Access {
                object: SEMAPHORE,
                writes: true,
                needs: if matches!(op, Op::Down(_)) { Needs::NonZero } else { Needs::Nothing },
                state: self.state.tickets.into(),
            }),
        }
    }

    fn released(&self, threads: &mut Vec<Thread>) {
        threads.extend(&self.released);
    }

    fn blocked(&self, turns: &mut Vec<Turn>) {
        let blocked = |thread: &usize| self.choices(*thread) == 0 && self.next(*thread).is_some();
        turns.extend(
            (0..self.threads.len())
                .filter(blocked)
                .map(|thread| Turn { thread: thread as Thread, choice: 0 }),
        );
    }

    fn replaceable(&self, thread: Thread) -> bool {
        self.state.asleep[usize::from(thread)].is_some()
    }

    fn spins(&self, thread: Thread) -> bool {
        self.looked[usize::from(thread)]
    }
}

/// Collects final states, and runs up to equivalence: for each thread its operations, each with the operations on which
/// it depends.
#[derive(Default)]
struct Ends {
    states: BTreeSet<State>,
    classes: BTreeSet<Vec<Vec<(u16, Vec<usize>)>>>,
    runs: usize,
}

impl Property<Program> for &mut Ends {
    type Violation = ();

    fn stuck(&mut self, program: &Program, _found: &mut Vec<()>) {
        self.states.insert(program.state.clone());
        self.classes.insert(class(program));
        self.runs += 1;
    }
}

/// A run without the order of independent operations: by thread, each operation with the vector clock of its past.
fn class(program: &Program) -> Vec<Vec<(u16, Vec<usize>)>> {
    let count = program.threads.len();
    let mut clocks: Vec<Vec<usize>> = Vec::new();
    let mut lanes = vec![Vec::new(); count];
    for (position, (turn, objects, _)) in program.log.iter().enumerate() {
        let mut clock = vec![0; count];
        for earlier in 0..position {
            let (its, its_objects, its_releases) = &program.log[earlier];
            let conflict = objects.iter().any(|(o, w)| its_objects.iter().any(|(p, v)| o == p && (*w || *v)));
            if its.thread == turn.thread || conflict || its_releases.contains(&turn.thread) {
                clock.iter_mut().zip(&clocks[earlier]).for_each(|(own, other)| *own = (*own).max(*other));
            }
        }
        clock[usize::from(turn.thread)] += 1;
        lanes[usize::from(turn.thread)].push((turn.choice, clock.clone()));
        clocks.push(clock);
    }
    lanes
}

fn reduced(program: &mut Program) -> (Ends, usize) {
    let mut ends = Ends::default();
    let outcome = Dpor::new(program, &mut ends).find_all().run();
    assert_eq!(outcome.end, End::Exhausted);
    (ends, outcome.stats.vain)
}

fn all(program: &mut Program) -> Ends {
    let mut ends = Ends::default();
    let outcome = Search::new(program, DepthFirst::new(), &mut ends).find_all().run().unwrap();
    assert_eq!(outcome.end, End::Exhausted);
    ends
}

fn random(rng: &mut Rng, spins: bool) -> Vec<Vec<Op>> {
    let threads = 2 + rng.below(2);
    (0..threads).map(|_| random_thread(rng, if threads == 2 { 5 } else { 3 }, spins)).collect()
}

fn random_thread(rng: &mut Rng, most: usize, spins: bool) -> Vec<Op> {
    let mut ops = Vec::new();
    while ops.len() < most {
        let (x, m) = (rng.below(VARIABLES) as u8, rng.below(MUTEXES) as u8);
        match rng.below(if spins { 12 } else { 11 }) {
            0 | 1 => ops.push(Op::Read(x)),
            2 => ops.push(Op::Write(x, rng.below(3) as u8)),
            3 => ops.push(Op::Add(x)),
            4 => ops.extend([Op::Lock(m), Op::Add(x), Op::Unlock(m)]),
            5 => ops.extend([Op::Lock(m), Op::Unlock(m)]),
            6 => ops.extend([Op::TryLock(m), Op::Read(x), Op::Unlock(m)]),
            7 => ops.extend([Op::Lock(m), Op::Wait(0, m), Op::Read(x), Op::Unlock(m)]),
            8 => ops.push(if rng.below(2) == 0 { Op::Signal(0) } else { Op::Broadcast(0) }),
            9 => ops.push(if rng.below(2) == 0 { Op::Down(0) } else { Op::Up(0) }),
            10 => ops.extend([Op::Lock(m), Op::TimedWait(0, m), Op::Unlock(m)]),
            _ => ops.push(Op::Spin(x)),
        }
    }
    ops
}

fn compare(threads: Vec<Vec<Op>>, seed: u64) -> (usize, usize) {
    let mut system = program(threads);
    let (few, vain) = reduced(&mut system);
    let many = all(&mut system);
    assert!(few.states == many.states, "seed {seed}: {:?}", system.threads);
    let classes = (few.classes.len(), many.classes.len());
    assert!(few.classes == many.classes, "seed {seed}: {classes:?} {:?}", system.threads);
    assert_eq!(few.runs, few.classes.len(), "seed {seed}: runs repeat: {:?}", system.threads);
    (vain, few.runs)
}

/// The seeds to try: `SEEDS=1000..2000` gives others.
fn seeds(usual: u64) -> std::ops::Range<u64> {
    let given = std::env::var("SEEDS").ok();
    let range = given.as_deref().and_then(|text| text.split_once(".."));
    range.map_or(0..usual, |(from, to)| from.parse().unwrap()..to.parse().unwrap())
}

#[test]
fn one_run_for_each_class_and_none_in_vain() {
    let mut runs = 0;
    for seed in seeds(300) {
        let threads = random(&mut Rng::new(seed), false);
        // A signal and the end of a wait by itself replace each other; finding that out may take a run.
        let exact = !threads.iter().flatten().any(|op| matches!(op, Op::TimedWait(..)));
        let (vain, more) = compare(threads.clone(), seed);
        assert!(vain == 0 || !exact, "seed {seed}: {vain} runs in vain: {threads:?}");
        runs += more;
    }
    assert!(runs > 10 * seeds(300).count(), "{runs}");
}

#[test]
fn spin_loops_lose_nothing() {
    for seed in seeds(200) {
        compare(random(&mut Rng::new(seed), true), seed);
    }
}
