//! What the loop must know of a system beyond how to steer it.

use explore::System;
use std::{fmt, hash::Hash};

/// A system that can be fuzzed: it has cheap copies, and its checkpoints tell states apart.
///
/// Two checkpoints must be equal exactly if they lead to equal states. For a model a checkpoint is the packed state; where it
/// is a schedule or a copy of memory, it compares by the identity of the state.
pub trait Target:
    System<Action: Copy + Send + Sync, Checkpoint: Clone + Eq + Hash + Send + Sync> + Clone + Send
{
}

impl<S> Target for S where
    S: System<Action: Copy + Send + Sync, Checkpoint: Clone + Eq + Hash + Send + Sync> + Clone + Send
{
}

/// Classifies the actions and judges the states of a system. All questions are about the state in which the system is.
pub trait Guide<S: Target>: Clone + Send {
    /// What can be wrong with a state. Equal violations are one finding, which is reported once.
    type Violation: Copy + fmt::Debug + Eq + Send + Sync;

    /// How many transitions there are: the classes of actions that coverage counts.
    fn transitions(&self) -> usize;

    /// The transition of an action, a number below [`transitions`](Self::transitions).
    fn transition(&self, system: &S, action: &S::Action) -> usize;

    /// How many processes there are.
    fn processes(&self) -> usize;

    /// Whether an action concerns a process in any way; who acts is known to the system.
    fn involves(&self, system: &S, action: &S::Action, process: usize) -> bool {
        system.process(action) == Some(process)
    }

    /// Appends what is wrong with the state, in which nothing is enabled if it is `stuck`.
    fn judge(&self, system: &S, stuck: bool, found: &mut Vec<Self::Violation>);

    /// Whether this is worth ending a run for, rather than a remark.
    fn is_violation(&self, _violation: Self::Violation) -> bool {
        true
    }

    /// Whether the user wants the search to go on near this state.
    fn is_interesting(&self, _system: &S) -> bool {
        false
    }

    /// Whether the user wants steps of this transition to be taken.
    fn is_preferred(&self, _transition: usize) -> bool {
        false
    }
}
