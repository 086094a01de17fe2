//! Exact memory: search from each state once.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use super::Memory;
use crate::hash::BuildStateHasher;
use crate::{Mark, Steered};

/// Remembers every state by its identity, with the marks under which it was searched from.
///
/// A state is searched from again if no mark that it was searched with subsumes the new one.
#[derive(Debug)]
pub struct Seen<I, M> {
    /// One mark for each state. Takes no space if there is nothing to mark.
    marks: HashMap<I, M, BuildStateHasher>,
    /// Further marks of the states that have several, none of which subsumes another.
    others: HashMap<I, Vec<M>, BuildStateHasher>,
}

impl<I: Clone + Eq + Hash, M: Mark> Seen<I, M> {
    /// An empty memory.
    pub fn new() -> Self {
        Seen { marks: HashMap::default(), others: HashMap::default() }
    }

    pub(super) fn admit_as(&mut self, identity: I, mark: &mut M) -> bool {
        let mut known = match self.marks.entry(identity) {
            Entry::Vacant(unknown) => {
                unknown.insert(mark.clone());
                return true;
            }
            Entry::Occupied(known) => known,
        };
        if known.get().subsumes(mark) {
            return false;
        }
        let others = self.others.get_mut(known.key());
        if others.is_some_and(|others| others.iter().any(|other| other.subsumes(mark))) {
            return false;
        }
        mark.narrow(known.get());
        if mark.subsumes(known.get()) {
            known.insert(mark.clone());
        } else {
            let others = self.others.entry(known.key().clone()).or_default();
            others.retain(|other| !mark.subsumes(other));
            others.push(mark.clone());
        }
        true
    }

    pub(super) fn bytes_with(&self, heap: usize) -> usize {
        // Hash tables are between 7/16 and 7/8 full and store one byte per entry: estimated as half as much again.
        (self.marks.len() + self.others.len()) * ((size_of::<(I, M)>() + 1) * 3 / 2 + heap)
    }
}

impl<I: Clone + Eq + Hash, M: Mark> Default for Seen<I, M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Steered, M: Mark> Memory<S, M> for Seen<S::Identity, M> {
    fn admit(&mut self, system: &S, mark: &mut M) -> bool {
        self.admit_as(system.identity(), mark)
    }

    fn fingerprint_bits(&self, system: &S) -> Option<u32> {
        system.fingerprint_bits()
    }

    fn bytes(&self, system: &S) -> usize {
        self.bytes_with(system.heap_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A set of permissions: more of them reach more.
    #[derive(Clone, Default)]
    struct Allowed(&'static str);

    impl Mark for Allowed {
        fn subsumes(&self, other: &Self) -> bool {
            other.0.chars().all(|permission| self.0.contains(permission))
        }
    }

    /// A visit is refused if an earlier one had at least its permissions, whatever came between.
    #[test]
    fn a_state_is_admitted_unless_subsumed() {
        let mut seen = Seen::new();
        let mut admit = |state: u8, allowed| seen.admit_as(state, &mut Allowed(allowed));
        let visits = [("a", true), ("a", false), ("b", true), ("a", false), ("b", false), ("", false)];
        let later = [("ab", true), ("a", false), ("bc", true), ("ab", false), ("c", false), ("abc", true)];
        for (allowed, admitted) in visits.into_iter().chain(later) {
            assert_eq!(admit(1, allowed), admitted, "with {allowed:?}");
        }
        assert!(admit(2, "a"), "another state");
    }
}
