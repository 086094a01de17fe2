//! Sets of states with numbers: equal sets are the same number.

use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A set of states, sorted.
pub(super) type Set = Rc<[u32]>;

/// Sets by number.
#[derive(Debug)]
pub(super) struct Numbered<K> {
    pub(super) list: Vec<K>,
    numbers: FxHashMap<K, u32>,
}

impl<K> Default for Numbered<K> {
    fn default() -> Self {
        Numbered { list: vec![], numbers: FxHashMap::default() }
    }
}

impl<K: Clone + Eq + std::hash::Hash> Numbered<K> {
    pub(super) fn number(&mut self, key: K) -> u32 {
        let next = u32::try_from(self.list.len()).expect("there are fewer than 2^32 sets");
        let known = *self.numbers.entry(key.clone()).or_insert(next);
        if known == next {
            self.list.push(key);
        }
        known
    }
}

/// A sorted set of some states.
pub(super) fn set(states: impl IntoIterator<Item = u32>) -> Set {
    let mut states: Vec<u32> = states.into_iter().collect();
    states.sort_unstable();
    states.dedup();
    states.into()
}
