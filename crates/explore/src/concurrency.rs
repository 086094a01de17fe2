//! Systems made of threads whose next operations are known: what partial order reduction and random schedulers need.

use crate::Steered;

/// The number of a thread, from 0. A thread has the same number in equivalent runs.
pub type Thread = u16;

/// The next operation of a thread. An operation that the thread alone does not determine, such as a signal that may
/// wake any of several waiters, has several choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Turn {
    /// Whose operation it is.
    pub thread: Thread,
    /// Which of its outcomes, from 0.
    pub choice: u16,
}

/// A system of threads, each of which has one next operation at any time.
///
/// An operation stays the same until its thread takes it, or until another thread *releases* it (a signal turns
/// a sleeper into one that waits for its mutex). What a thread does next is determined by the operations that
/// happened before, in the sense of [`Access`] and releases.
pub trait Threads: Steered<Action = Turn> {
    /// Appends the objects that the next operation of a thread uses, with their states.
    fn accesses(&self, turn: Turn, accesses: &mut Vec<Access>);

    /// A hash of the next operation of a thread, by which repeated runs are compared with the first.
    fn fingerprint(&self, _turn: Turn) -> u64 {
        0
    }

    /// A hash of what the thread alone can see: its stack and registers. `None` if that is not known.
    fn local_state(&self, _thread: Thread) -> Option<u64> {
        None
    }

    /// The thread for whose end the operation waits: it happens after all that that thread has done.
    fn awaits(&self, _turn: Turn) -> Option<Thread> {
        None
    }

    /// Appends the threads that the last step has created, or whose next operation it has replaced by another.
    fn released(&self, threads: &mut Vec<Thread>);

    /// Appends the next operations that are not enabled, but would be if objects that they access had other states.
    fn blocked(&self, turns: &mut Vec<Turn>);

    /// Whether another thread may release this one although its next operation is enabled, such as one that sleeps for
    /// some time only.
    fn replaceable(&self, _thread: Thread) -> bool {
        false
    }

    /// Whether the thread is at the start of a loop that changes nothing until another thread changes one of the
    /// objects that its next operation accesses.
    fn spins(&self, _thread: Thread) -> bool {
        false
    }
}

/// What an operation does to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The object, by a number of the system's choice.
    pub object: u64,
    /// Reads of the same object commute; anything else does not.
    pub writes: bool,
    /// What the state of the object must be for the operation to be enabled.
    pub needs: Needs,
    /// The state of the object before the operation, in a form that [`Needs`] can judge.
    pub state: u32,
}

impl Access {
    /// A read that is always possible.
    pub fn read(object: u64) -> Access {
        Access { object, writes: false, needs: Needs::Nothing, state: 0 }
    }

    /// A write that is always possible.
    pub fn write(object: u64) -> Access {
        Access { object, writes: true, needs: Needs::Nothing, state: 0 }
    }

    pub(crate) fn conflicts(&self, other: &Access) -> bool {
        self.object == other.object && (self.writes || other.writes)
    }
}

/// The states of an object in which an operation on it is enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// All of them.
    Nothing,
    /// The object is free: its state is 0.
    Zero,
    /// Something is left: its state is not 0.
    NonZero,
    /// Nobody uses it alone: the highest bit of its state is 0.
    Shared,
}

impl Needs {
    /// Whether the operation is enabled when the object has this state.
    pub fn admits(self, state: u32) -> bool {
        match self {
            Needs::Nothing => true,
            Needs::Zero => state == 0,
            Needs::NonZero => state != 0,
            Needs::Shared => state >> 31 == 0,
        }
    }
}

/// Whether two operations of different threads commute.
pub(crate) fn independent(one: &[Access], other: &[Access]) -> bool {
    !one.iter().any(|access| other.iter().any(|its| access.conflicts(its)))
}
