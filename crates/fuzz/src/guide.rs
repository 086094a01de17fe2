//! What the loop needs to know about a system beyond how to run it.

use explore::System;
use std::{fmt, hash::Hash};

/// A system that can be fuzzed: it is cheap to clone, and its checkpoints identify states.
///
/// Two checkpoints must be equal if and only if they restore equal states. For a model a checkpoint is the packed
/// state; if it is a schedule or a copy of memory, it must be compared by the identity of the state.
pub trait Target:
    System<Action: Copy + Send + Sync, Checkpoint: Clone + Eq + Hash + Send + Sync> + Clone + Send
{
}

impl<S> Target for S where
    S: System<Action: Copy + Send + Sync, Checkpoint: Clone + Eq + Hash + Send + Sync> + Clone + Send
{
}

/// Classifies the actions and judges the states of a system. All methods refer to its current state.
pub trait Guide<S: Target>: Clone + Send {
    /// A violation by a state. Equal violations are one finding, which is reported once.
    type Violation: Copy + fmt::Debug + Eq + Send + Sync;

    /// The number of transitions: the classes of actions that coverage counts.
    fn transitions(&self) -> usize;

    /// The transition of an action, a number below [`transitions`](Self::transitions).
    fn transition(&self, system: &S, action: &S::Action) -> usize;

    /// The number of processes.
    fn processes(&self) -> usize;

    /// Whether a process takes part in an action in any way, not only as the process that acts.
    fn involves(&self, system: &S, action: &S::Action, process: usize) -> bool {
        system.process(action) == Some(process)
    }

    /// Appends the violations by the state. `stuck` tells that no action is enabled.
    fn judge(&self, system: &S, stuck: bool, found: &mut Vec<Self::Violation>);

    /// Whether this is a violation, rather than a remark.
    fn is_violation(&self, _violation: Self::Violation) -> bool {
        true
    }

    /// Whether the user wants the search to focus on this state.
    fn is_interesting(&self, _system: &S) -> bool {
        false
    }

    /// Whether the user gave priority to this transition.
    fn is_preferred(&self, _transition: usize) -> bool {
        false
    }
}
