//! The log of a task, for the merge: every step that was executed, in order.

use crate::{Target, pool::NodeId};
use std::ops::Range;

/// The position of a walk: a node, or a new state, given by the step of this task that first led to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Node(NodeId),
    Step(u32),
}

/// A step that was executed.
pub(crate) struct Logged<S: Target> {
    pub(crate) from: Place,
    /// The position of the action among the enabled actions of `from`.
    pub(crate) choice: u32,
    pub(crate) action: S::Action,
    pub(crate) transition: u32,
    /// The place that it led to.
    pub(crate) to: Place,
    /// The new state, if this step was the first to reach it.
    pub(crate) new: Option<New<S>>,
}

/// A state that was not in the pool when the task began.
pub(crate) struct New<S: Target> {
    pub(crate) checkpoint: S::Checkpoint,
    pub(crate) hash: u64,
    pub(crate) enabled: u32,
    pub(crate) interesting: bool,
    /// The range of its violations in the list of the log.
    pub(crate) violations: Range<usize>,
}

/// The steps of a task. Logs are reused, so that a task allocates nothing once its log has grown.
pub(crate) struct Log<S: Target, V> {
    pub(crate) steps: Vec<Logged<S>>,
    pub(crate) violations: Vec<V>,
    /// The nodes at which walks began.
    pub(crate) begun: Vec<NodeId>,
    /// The hashes of the new states; below, the steps that led to them.
    pub(crate) hashes: Vec<u64>,
    pub(crate) arrivals: Vec<u32>,
}

impl<S: Target, V> Log<S, V> {
    pub(crate) fn new() -> Self {
        let (steps, violations, begun) = (Vec::new(), Vec::new(), Vec::new());
        Log { steps, violations, begun, hashes: Vec::new(), arrivals: Vec::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.steps.clear();
        self.violations.clear();
        self.begun.clear();
        self.hashes.clear();
        self.arrivals.clear();
    }

    /// The step of this task that first led to a state, if any did.
    pub(crate) fn find(&self, hash: u64, checkpoint: &S::Checkpoint) -> Option<u32> {
        let mut same = self.hashes.iter().zip(&self.arrivals).filter(|(known, _)| **known == hash);
        same.find(|(_, step)| self.state(**step) == Some(checkpoint)).map(|(_, step)| *step)
    }

    /// The new state that a step led to.
    pub(crate) fn state(&self, step: u32) -> Option<&S::Checkpoint> {
        self.steps[step as usize].new.as_ref().map(|new| &new.checkpoint)
    }

    /// Whether this task has taken an enabled action of a place.
    pub(crate) fn has_taken(&self, from: Place, choice: usize) -> bool {
        self.steps.iter().any(|step| step.from == from && step.choice as usize == choice)
    }
}
