//! A run in the system's own terms: where it began and which actions were taken.

/// What it takes to repeat a run of a deterministic system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule<A> {
    /// Which of the initial states.
    pub initial: usize,
    /// The actions, first to last.
    pub actions: Vec<A>,
}
