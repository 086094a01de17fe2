//! What can be explored: something whose executions are steered one action at a time.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Fault, Footprint};

/// Something that can be started, steered one action at a time, and started again.
///
/// Between two calls the value stands *in a state*. What is enabled, touched and displayed always refers to
/// that state. From equal states the same actions must lead to equal states; where an implementation cannot
/// promise this (a real process), it must notice and return a [`Fault`].
pub trait Steered {
    /// One thing that can be done next. Equal states enable equal actions, and an action that stays
    /// possible while others act keeps its name: `(thread, choice)` does, a position in a list does not.
    type Action: Clone + Eq + Debug;

    /// Where the system is. Equal for equal states, and different for different ones unless
    /// [`fingerprint_bits`](Self::fingerprint_bits) says otherwise.
    type Identity: Clone + Eq + Hash;

    /// The number of initial states.
    fn initials(&mut self) -> Result<usize, Fault>;

    /// Goes to an initial state, `initial` being less than [`initials`](Self::initials).
    fn start(&mut self, initial: usize) -> Result<(), Fault>;

    /// Appends the actions that are enabled here, in an order that depends on the state alone.
    fn enabled(&self, actions: &mut Vec<Self::Action>);

    /// Takes one enabled action. An action that turns out to be impossible is a [`Fault::Deviation`]; a
    /// step that goes wrong (a crash, a misuse) is a step like any other, and a property judges the state.
    fn take(&mut self, action: &Self::Action) -> Result<(), Fault>;

    /// The identity of the current state.
    fn identity(&self) -> Self::Identity;

    /// Whether a state without enabled actions is an end rather than a deadlock.
    fn ended(&self) -> bool;

    /// Adds what `action`, enabled here, would read and write, including whatever its being enabled
    /// depends on. Touching everything is always sound, and what is assumed of a system that does not say.
    fn footprint(&self, _action: &Self::Action, footprint: &mut Footprint) {
        footprint.touch_everything();
    }

    /// Who acts: the process or thread of an action, if it belongs to one.
    fn process(&self, _action: &Self::Action) -> Option<usize> {
        None
    }

    /// What the processes or threads are called here, where their numbers do not say it all: `#1 : producer`. Empty if
    /// they do.
    fn actors(&self) -> Vec<String> {
        vec![]
    }

    /// The width of the hash that stands for a state, if identities are hashes; `None` if they are exact.
    fn fingerprint_bits(&self) -> Option<u32> {
        None
    }

    /// Roughly how many bytes an identity or a checkpoint of this state owns on the heap.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// The action as people read it, unlike that of every other action enabled here.
    fn label(&self, action: &Self::Action) -> String;

    /// The state as people read it: names with values, the same names in the same order in every state.
    fn describe(&self) -> Vec<(String, String)>;
}

/// A steered system that can also come back to where it has been.
///
/// For a model a checkpoint is a copy of the packed state, for an object a clone of it, and for a process a
/// copy of its memory or, failing that, the schedule to replay ([`Replayed`](crate::Replayed)). A checkpoint
/// holds for every copy of the system that it came from, so that workers may exchange them.
pub trait System: Steered {
    /// What it takes to come back.
    type Checkpoint;

    /// Remembers the current state.
    fn checkpoint(&mut self) -> Self::Checkpoint;

    /// Comes back to a remembered state, or tells that it could not.
    fn restore(&mut self, checkpoint: &Self::Checkpoint) -> Result<(), Fault>;
}

/// A system whose states can be told apart up to a renaming, of its processes for instance.
pub trait Symmetry: Steered {
    /// The identity of a representative: equal for any two states that a renaming makes equal. Such states
    /// must have the same future up to that renaming, for the properties that are checked, too.
    fn canonical(&self) -> Self::Identity;
}
