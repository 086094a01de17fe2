//! Values, the queues of a lock, and states: a value for every variable and cell (section 6), and store buffers (section 8).

use crate::number::Ratio;

/// The value of a variable or cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
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
pub struct Queues {
    pub owner: Option<usize>,
    /// How often the owner of an `rlock` has acquired it; 1 for other locks that are taken.
    pub held: usize,
    /// In order of arrival, or sorted if that order does not matter.
    pub waiters: Vec<usize>,
    /// Those that wait to be notified, in the same order.
    pub sleepers: Vec<usize>,
}

/// The values of all cells, and what locks and store buffers hold.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    /// The kind of each process. It never changes, but it tells instances apart.
    pub kinds: Vec<usize>,
    pub cells: Vec<Value>,
    pub locks: Vec<Queues>,
    /// The store buffer of each process. Empty under sequential consistency.
    pub buffers: Vec<Buffer>,
}

/// A store buffer, the oldest entry first.
pub type Buffer = Vec<Entry>;

/// The weak writes of one transition, which leave the buffer at once: cells with their new values, by increasing cell.
pub type Entry = Vec<(usize, Value)>;

impl State {
    /// Section 7: a process that waits or sleeps is not active.
    pub fn is_active(&self, process: usize) -> bool {
        !self.locks.iter().any(|lock| lock.waiters.contains(&process) || lock.sleepers.contains(&process))
    }
}
