//! States that were seen before.

use std::collections::{HashSet, VecDeque};

use super::{Filter, Successor, Visited};
use crate::concurrency::Threads;
use crate::hash::BuildStateHasher;

/// Removes successors that were visited before, as far as the cache remembers.
#[derive(Debug, Default)]
pub struct NotSeenBefore {
    seen: HashSet<u128, BuildStateHasher>,
    /// With a bound, the order in which states came.
    order: VecDeque<u128>,
    most: Option<usize>,
}

impl NotSeenBefore {
    /// A cache of this many states, or of all. A state that was forgotten is searched again.
    pub fn new(most: Option<usize>) -> Self {
        NotSeenBefore { most, ..Self::default() }
    }

    /// The number of states in the cache.
    pub fn len(&self) -> usize {
        self.seen.len()
    }

    /// Whether no state was seen yet.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    fn remember(&mut self, identity: u128) {
        if !self.seen.insert(identity) {
            return;
        }
        if let Some(most) = self.most {
            self.order.push_back(identity);
            if self.order.len() > most
                && let Some(oldest) = self.order.pop_front()
            {
                self.seen.remove(&oldest);
            }
        }
    }
}

impl<S: Threads> Filter<S> for NotSeenBefore {
    fn filter(&mut self, _system: &S, path: &[Visited], successors: &mut Vec<Successor>) {
        let identity = path.last().and_then(|state| state.by.as_ref()).map_or(0, |by| by.identity);
        self.remember(identity);
        successors.retain(|successor| !self.seen.contains(&successor.identity));
    }

    fn fingerprint_bits(&self) -> Option<u32> {
        Some(128)
    }
}
