//! What can be explored: something whose executions are steered one action at a time.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Fault, Footprint, Label, Valuation};

/// Something that can be started, steered one action at a time, and started again.
///
/// Between two calls the value is in its *current state*, to which all methods refer. From equal states the same
/// actions must lead to equal states; an implementation that cannot guarantee this (a real process) must detect
/// deviations and return a [`Fault`].
pub trait Steered {
    /// An action. Equal states enable equal actions, and an action that stays enabled while other processes act stays
    /// equal to itself: `(thread, choice)` does, a position in a list does not.
    type Action: Clone + Eq + Debug;

    /// Identifies a state. Equal for equal states, and different for different ones unless
    /// [`fingerprint_bits`](Self::fingerprint_bits) says otherwise.
    type Identity: Clone + Eq + Hash;

    /// The number of initial states.
    fn initials(&mut self) -> Result<usize, Fault>;

    /// Goes to an initial state, `initial` being less than [`initials`](Self::initials).
    fn start(&mut self, initial: usize) -> Result<(), Fault>;

    /// Appends the actions that are enabled in the current state, in an order that depends on that state alone.
    fn enabled(&self, actions: &mut Vec<Self::Action>);

    /// Takes one enabled action. An action that turns out to be impossible is a [`Fault::Deviation`]; a faulty step
    /// (a crash, a misuse) is a step like any other, and a property judges the state after it.
    fn take(&mut self, action: &Self::Action) -> Result<(), Fault>;

    /// The identity of the current state.
    fn identity(&self) -> Self::Identity;

    /// Whether a state without enabled actions is an end rather than a deadlock.
    fn ended(&self) -> bool;

    /// Adds what `action`, enabled in the current state, would read and write, including what decides whether it is
    /// enabled. Touching everything is always sound, and the default.
    fn footprint(&self, _action: &Self::Action, footprint: &mut Footprint) {
        footprint.touch_everything();
    }

    /// The process or thread of an action, from 0, if it belongs to one.
    fn process(&self, _action: &Self::Action) -> Option<usize> {
        None
    }

    /// The names of the processes or threads, such as `#1 : producer`. Empty if they have only numbers.
    fn actors(&self) -> Vec<String> {
        vec![]
    }

    /// The width in bits of the hash that identifies a state; `None` if identities are exact.
    fn fingerprint_bits(&self) -> Option<u32> {
        None
    }

    /// The estimated number of bytes that an identity or a checkpoint of this state owns on the heap.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// An action in words, different for all actions enabled in the current state.
    fn label(&self, action: &Self::Action) -> Label;

    /// What there is to see in the current state: the same subjects in the same order in every state.
    fn describe(&self) -> Valuation;
}

/// A steered system that can also return to earlier states.
///
/// For a model a checkpoint is a copy of the packed state, for an object a clone of it, and for a process a
/// copy of its memory or, failing that, the schedule to replay ([`Replayed`](crate::Replayed)). A checkpoint
/// holds for every copy of the system that it came from, so that workers may exchange them.
pub trait System: Steered {
    /// What is needed to return to a state.
    type Checkpoint;

    /// A checkpoint of the current state.
    fn checkpoint(&mut self) -> Self::Checkpoint;

    /// Returns to the state of a checkpoint.
    fn restore(&mut self, checkpoint: &Self::Checkpoint) -> Result<(), Fault>;
}

/// A system whose states can be identified up to a renaming, such as a permutation of its processes.
pub trait Symmetry: Steered {
    /// The identity of a representative: equal for any two states that a renaming makes equal. Such states
    /// must have the same future up to that renaming, for the properties that are checked, too.
    fn canonical(&self) -> Self::Identity;
}
