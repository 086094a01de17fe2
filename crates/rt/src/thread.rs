//! The threads of the program under test.

use crate::clock::Clock;
use crate::op::{Kind, Op};

/// The largest number of threads that a program may create, counted over all its runs.
pub(crate) const MOST: usize = 256;

/// What a thread is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Not created in this run.
    Absent,
    /// Stands at its next visible operation.
    Ready,
    /// Is being run, or has created a thread that is.
    Running,
    /// Its function has returned.
    Finished,
    /// It crashed: it holds what it held, and does nothing any more.
    Dead,
}

/// A thread of the program.
pub(crate) struct Thread {
    pub(crate) phase: Phase,
    pub(crate) next: Op,
    /// The stack pointer while it does not run.
    pub(crate) stack: usize,
    /// Its thread-local storage.
    pub(crate) local: usize,
    /// It was run before.
    pub(crate) begun: bool,
    pub(crate) function: usize,
    pub(crate) argument: usize,
    pub(crate) result: usize,
    pub(crate) detached: bool,
    /// Somebody has joined it.
    pub(crate) joined: bool,
    /// The condition that it sleeps on, if it does, and whether the sleep ended by itself.
    pub(crate) timed_out: bool,
    /// The number of threads that it has created in this run.
    pub(crate) children: usize,
    /// Queries of the time, which passes with each.
    pub(crate) ticks: u64,
    /// A hash of its stack and registers at its next operation, where it is asked for.
    pub(crate) local_state: u64,
    /// The calls that led to its next operation, innermost first, where they are asked for.
    pub(crate) calls: Vec<usize>,
    /// Asked to end, and whether it does not listen.
    pub(crate) cancelled: bool,
    pub(crate) cancel_disabled: bool,
    /// Environments of cleanup handlers.
    pub(crate) cleanup: Vec<usize>,
    /// How often it woke up for no reason.
    pub(crate) spurious: usize,
    /// What relaxed loads have read, and what relaxed stores tell: see `Runtime::fence`.
    pub(crate) learnt_later: Clock,
    pub(crate) told_later: Clock,
    /// Mutexes and read-write locks that it holds.
    pub(crate) held: usize,
    /// Values of keys.
    pub(crate) specific: Vec<usize>,
}

impl Thread {
    pub(crate) fn absent() -> Thread {
        Thread {
            phase: Phase::Absent,
            next: Op::new(Kind::Yield, 0, 0),
            stack: 0,
            local: 0,
            begun: false,
            function: 0,
            argument: 0,
            result: 0,
            detached: false,
            joined: false,
            timed_out: false,
            children: 0,
            ticks: 0,
            cancelled: false,
            cancel_disabled: false,
            cleanup: Vec::new(),
            spurious: 0,
            learnt_later: Clock::default(),
            told_later: Clock::default(),
            held: 0,
            local_state: 0,
            calls: Vec::new(),
            specific: Vec::new(),
        }
    }

    /// Makes it a thread that was just created.
    pub(crate) fn begin(&mut self, function: usize, argument: usize) {
        let local = self.local;
        let mut specific = std::mem::take(&mut self.specific);
        specific.clear();
        *self = Thread { function, argument, local, specific, phase: Phase::Ready, ..Thread::absent() };
    }
}
