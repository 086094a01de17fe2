//! Memories recognise states that were searched from before.

mod seen;
mod symmetric;

pub use seen::Seen;
pub use symmetric::Symmetric;

use crate::{Mark, Steered};

/// Recognises states. Separate from [reductions](crate::Reduction) because it must know the marks of all of them: a
/// visit with one mark does not always make a visit with another mark superfluous.
pub trait Memory<S: Steered, M: Mark> {
    /// Whether the current state needs to be searched from; if so, remembers it as searched. May narrow the mark to
    /// what has not been tried.
    fn admit(&mut self, system: &S, mark: &mut M) -> bool;

    /// Whether states are recognised up to renaming.
    fn renames(&self) -> bool {
        false
    }

    /// The width in bits of the hash by which states are recognised; `None` if they are recognised exactly.
    fn fingerprint_bits(&self, _system: &S) -> Option<u32> {
        None
    }

    /// The estimated memory in use, in bytes.
    fn bytes(&self, _system: &S) -> usize {
        0
    }
}

/// Remembers nothing: the search visits the tree of runs, which is infinite if there is a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Forget;

impl<S: Steered, M: Mark> Memory<S, M> for Forget {
    fn admit(&mut self, _system: &S, _mark: &mut M) -> bool {
        true
    }
}
