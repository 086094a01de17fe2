//! Symmetry reduction: search from one of several states that differ by a renaming.

use std::hash::Hash;

use super::{Memory, Seen};
use crate::{Mark, Symmetry};

/// Symmetry reduction (Ip, Dill: Better verification through symmetry, 1996). The search itself stays on
/// concrete states, so that traces need no renaming.
#[derive(Debug)]
pub struct Symmetric<I, M>(Seen<I, M>);

impl<I: Clone + Eq + Hash, M: Mark> Symmetric<I, M> {
    /// An empty memory.
    pub fn new() -> Self {
        Symmetric(Seen::new())
    }
}

impl<I: Clone + Eq + Hash, M: Mark> Default for Symmetric<I, M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Symmetry, M: Mark> Memory<S, M> for Symmetric<S::Identity, M> {
    fn admit(&mut self, system: &S, mark: &mut M) -> bool {
        self.0.admit_as(system.canonical(), mark)
    }

    fn renames(&self) -> bool {
        true
    }

    fn fingerprint_bits(&self, system: &S) -> Option<u32> {
        system.fingerprint_bits()
    }

    fn bytes(&self, system: &S) -> usize {
        self.0.bytes_with(system.heap_bytes())
    }
}
