//! Memories decide whether a state that has been reached was searched from before.

mod seen;
mod symmetric;

pub use seen::Seen;
pub use symmetric::Symmetric;

use crate::{Mark, Steered};

/// Recognises states. Set apart from the [reductions](crate::Reduction) because it must know the marks of all
/// of them: a state that was seen with one mark does not always stand for the same state with another.
pub trait Memory<S: Steered, M: Mark> {
    /// Whether the current state needs to be searched from, and if so, remembers that it was. May narrow the
    /// mark to what has not been tried.
    fn admit(&mut self, system: &S, mark: &mut M) -> bool;

    /// Whether states are recognised up to renaming.
    fn renames(&self) -> bool {
        false
    }

    /// The width of the hash by which states are recognised, if it is one.
    fn fingerprint_bits(&self, _system: &S) -> Option<u32> {
        None
    }

    /// Roughly how many bytes are in use.
    fn bytes(&self, _system: &S) -> usize {
        0
    }
}

/// Remembers nothing: the search walks through the tree of runs, which is infinite if there is a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Forget;

impl<S: Steered, M: Mark> Memory<S, M> for Forget {
    fn admit(&mut self, _system: &S, _mark: &mut M) -> bool {
        true
    }
}
