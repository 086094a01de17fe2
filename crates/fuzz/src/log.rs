//! What a worker has done in one task, for the merge: every step that was executed, in order.

use crate::{Target, pool::NodeId};
use std::ops::Range;

/// Where a walk is: at a node, or where a step of this task has led first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Node(NodeId),
    Step(u32),
}

/// A step that was executed.
pub(crate) struct Logged<S: Target> {
    pub(crate) from: Place,
    /// The position of the action among the enabled actions there.
    pub(crate) choice: u32,
    pub(crate) action: S::Action,
    pub(crate) transition: u32,
    /// What it led to.
    pub(crate) to: Place,
    /// If that is a step: the new state.
    pub(crate) new: Option<New<S>>,
}

/// A state that nobody knew when the task began.
pub(crate) struct New<S: Target> {
    pub(crate) checkpoint: S::Checkpoint,
    pub(crate) hash: u64,
    pub(crate) enabled: u32,
    pub(crate) interesting: bool,
    /// What is wrong with it, in the list of the log.
    pub(crate) violations: Range<usize>,
}

/// The steps of a task. Cleared and used again, so that a task allocates nothing once its log has grown.
pub(crate) struct Log<S: Target, V> {
    pub(crate) steps: Vec<Logged<S>>,
    pub(crate) violations: Vec<V>,
    /// The nodes at which walks began.
    pub(crate) begun: Vec<NodeId>,
    /// The hashes of the new states, and the steps that led to them.
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

    /// The step that led to a state first, if one of this task did.
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
