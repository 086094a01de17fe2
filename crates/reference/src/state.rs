//! Values, the queues of a lock, and states: a value for every variable and cell (section 6).

use super::number::Ratio;

/// The value of a variable or cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    /// `True`, `False`, and what a formula evaluates to.
    Truth(bool),
    /// A constructor: the number of its enumeration, and its position there.
    Constructor(usize, usize),
    Number(Ratio),
    /// A process of the run, from 0.
    Process(usize),
    /// A process outside of the run, by the symbol that it is named after.
    Outsider(usize),
    /// A value of an abstract type. In a state these are numbered by first occurrence.
    Abstract(usize),
    /// A number that `init` leaves open; while initial states are built, any value that is not decided yet.
    Unset,
}

/// The owner and the queues of a lock (section 7). The value of a semaphore is a cell like any other.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Queues {
    pub(crate) owner: Option<usize>,
    /// How often the owner of an `rlock` has acquired it; 1 for other locks that are taken.
    pub(crate) held: usize,
    /// In order of arrival, or sorted if that order does not matter.
    pub(crate) waiters: Vec<usize>,
    /// Likewise.
    pub(crate) sleepers: Vec<usize>,
}

/// A state of an instance.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// The kind of each process. It never changes, but it tells instances apart.
    pub(crate) kinds: Vec<usize>,
    pub(crate) cells: Vec<Value>,
    pub(crate) locks: Vec<Queues>,
}

impl State {
    /// Section 7: a process that waits or sleeps is not active.
    pub(crate) fn is_active(&self, process: usize) -> bool {
        !self.locks.iter().any(|lock| lock.waiters.contains(&process) || lock.sleepers.contains(&process))
    }
}
