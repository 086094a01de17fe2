//! Schedules: runs in the types of the system.

/// An initial state and a sequence of actions, which determine a run of a deterministic system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule<A> {
    /// The number of the initial state, from 0.
    pub initial: usize,
    /// The actions, first to last.
    pub actions: Vec<A>,
}
