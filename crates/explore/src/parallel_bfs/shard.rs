//! A shard: the states whose hashes belong to one worker.
//!
//! States are stored in an arena in the order in which they were reached, so that a level is a range of numbers. An
//! open-addressing table finds them by hash. A search spends nearly all its time here waiting for memory, so states
//! are inserted in batches, and each batch goes through the table in passes: the first passes touch the memory that
//! the last one needs. These accesses do not depend on each other, so the processor overlaps the cache misses.

use std::hint::black_box;
use std::ops::Range;

use super::arena::Arena;
use crate::hash::{hash_words, high_half};

/// A state that was reached, on its way to the shard that it belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival<const W: usize> {
    pub(super) state: [u64; W],
    /// The hash of its predecessor; its own hash if it is an initial state.
    pub(super) parent: u64,
}

/// What is stored to recognise a state.
pub(super) trait Key<const W: usize>: Copy + Eq + Send {
    fn new(state: &[u64; W], hash: u64) -> Self;
    fn hash(&self) -> u64;
    /// The state, if the key determines it.
    fn state(&self) -> Option<[u64; W]>;
}

/// Exact: the key is the state itself.
impl<const W: usize> Key<W> for [u64; W] {
    fn new(state: &[u64; W], _hash: u64) -> Self {
        *state
    }

    fn hash(&self) -> u64 {
        hash_words(self)
    }

    fn state(&self) -> Option<[u64; W]> {
        Some(*self)
    }
}

/// Hash compaction (Wolper, Leroy: Reliable hashing without collision detection, CAV 1993): the key is the hash of
/// the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fingerprint(u64);

impl<const W: usize> Key<W> for Fingerprint {
    fn new(_state: &[u64; W], hash: u64) -> Self {
        Fingerprint(hash)
    }

    fn hash(&self) -> u64 {
        self.0
    }

    fn state(&self) -> Option<[u64; W]> {
        None
    }
}

#[derive(Clone, Copy, Debug)]
struct Node<K> {
    key: K,
    /// The least hash of a predecessor in the level before, which does not depend on the order of arrivals.
    parent: u64,
}

/// The width of node numbers in an entry of the table: an entry is the lower bits of the hash as a tag, then the
/// number of the node. The upper bits of the hash determine the place in the table.
const NUMBER_BITS: u32 = 40;
/// An empty entry: no node has such a high number. (Zero is not used, because zeroed memory is mapped page by page,
/// at the first access.)
const EMPTY: u64 = u64::MAX;
/// The number of states that are looked up together.
const PART: usize = 256;

/// The hash of a state, and a place in the table.
#[derive(Clone, Copy, Debug)]
struct Place {
    hash: u64,
    at: usize,
}

/// The states of a shard.
// As with workers, no two of them may share a cache line.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Shard<K, const W: usize> {
    table: Vec<u64>,
    nodes: Arena<Node<K>>,
    /// The nodes of the level that is being expanded.
    level: Range<usize>,
    /// If keys are not states: the states of that level, and of the one that is being built.
    states: Vec<[u64; W]>,
    next_states: Vec<[u64; W]>,
    /// The places of arrivals, between two passes over a batch.
    places: Vec<Place>,
}

impl<K: Key<W>, const W: usize> Shard<K, W> {
    pub(super) fn new() -> Self {
        Shard {
            table: vec![EMPTY; 64],
            nodes: Arena::new(),
            level: 0..0,
            states: Vec::new(),
            next_states: Vec::new(),
            places: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn bytes(&self) -> usize {
        let states = self.states.capacity() + self.next_states.capacity();
        self.table.capacity() * size_of::<u64>() + self.nodes.bytes() + states * size_of::<[u64; W]>()
    }

    /// All states, if keys are states; otherwise none.
    pub(super) fn states(&self) -> impl Iterator<Item = [u64; W]> {
        self.nodes.iter().filter_map(|node| node.key.state())
    }

    /// The number of states to expand.
    pub(super) fn level_len(&self) -> usize {
        self.level.len()
    }

    /// Makes the level that was built the one to expand.
    pub(super) fn next_level(&mut self) {
        self.level = self.level.end..self.nodes.len();
        std::mem::swap(&mut self.states, &mut self.next_states);
        self.next_states.clear();
    }

    /// Appends some states of the level to expand, by their position in it.
    pub(super) fn read_level(&self, positions: Range<usize>, states: &mut Vec<[u64; W]>) {
        for at in positions {
            let state = self.nodes.get(self.level.start + at).key.state();
            states.push(state.unwrap_or_else(|| self.states[at]));
        }
    }

    /// The number of bytes by which the table will grow when this many states arrive.
    pub(super) fn growth(&self, arrivals: usize) -> usize {
        (self.table_for(arrivals) - self.table.len()) * size_of::<u64>()
    }

    /// The size that the table needs for this many more states, to be at most three quarters full.
    fn table_for(&self, arrivals: usize) -> usize {
        let needed = (self.nodes.len() + arrivals) * 4 / 3 + 1;
        if needed <= self.table.len() { self.table.len() } else { needed.max(self.table.len() * 3 / 2) }
    }

    /// Adds the states that are new and that `admit` accepts. It is called once for each new state.
    pub(super) fn insert(&mut self, arrivals: &[Arrival<W>], admit: &mut impl FnMut(&Arrival<W>) -> bool) {
        let mut places = std::mem::take(&mut self.places);
        for part in arrivals.chunks(PART) {
            self.reserve(part.len());
            self.look_up(part, &mut places);
            for (arrival, place) in part.iter().zip(&places) {
                self.settle(arrival, *place, admit);
            }
        }
        self.places = places;
    }

    /// Makes the table large enough. The old one is freed first: the new one can be filled from the arena.
    fn reserve(&mut self, arrivals: usize) {
        let size = self.table_for(arrivals);
        if size == self.table.len() {
            return;
        }
        self.table = Vec::new();
        self.table = vec![EMPTY; size];
        let mut part = Vec::with_capacity(PART);
        for (number, node) in self.nodes.iter().enumerate() {
            part.push((node.key.hash(), number));
            if part.len() == PART {
                enter(&mut self.table, &part);
                part.clear();
            }
        }
        enter(&mut self.table, &part);
    }

    /// Finds for each state the first place that is empty or has its tag, and touches the node there.
    fn look_up(&self, part: &[Arrival<W>], places: &mut Vec<Place>) {
        let size = self.table.len();
        places.clear();
        places.extend(part.iter().map(|arrival| {
            let hash = hash_words(&arrival.state);
            Place { hash, at: home(hash, size) }
        }));
        black_box(places.iter().fold(0, |sum, place| sum ^ self.table[place.at]));
        let mut touched = 0;
        for place in places {
            place.at = self.first_match(place.hash, place.at);
            if self.table[place.at] != EMPTY {
                touched ^= self.nodes.get(number(self.table[place.at])).parent;
            }
        }
        black_box(touched);
    }

    fn first_match(&self, hash: u64, mut place: usize) -> usize {
        while self.table[place] != EMPTY && !has_tag(self.table[place], hash) {
            place = after(place, self.table.len());
        }
        place
    }

    /// Adds a state if it is new, otherwise updates its parent, beginning at the place that the first pass found.
    fn settle(
        &mut self,
        arrival: &Arrival<W>,
        Place { hash, at: mut place }: Place,
        admit: &mut impl FnMut(&Arrival<W>) -> bool,
    ) {
        let key = K::new(&arrival.state, hash);
        loop {
            place = self.first_match(hash, place);
            if self.table[place] == EMPTY {
                break;
            }
            let known = number(self.table[place]);
            if self.nodes.get(known).key == key {
                if known >= self.level.end {
                    let node = self.nodes.get_mut(known);
                    node.parent = node.parent.min(arrival.parent);
                }
                return;
            }
            place = after(place, self.table.len());
        }
        if admit(arrival) {
            self.table[place] = entry(hash, self.nodes.len());
            self.nodes.push(Node { key, parent: arrival.parent });
            if key.state().is_none() {
                self.next_states.push(arrival.state);
            }
        }
    }

    /// The hash of the parent of the state with this hash.
    pub(super) fn parent(&self, hash: u64) -> Option<u64> {
        let mut place = home(hash, self.table.len());
        loop {
            place = self.first_match(hash, place);
            if self.table[place] == EMPTY {
                return None;
            }
            let node = self.nodes.get(number(self.table[place]));
            if node.key.hash() == hash {
                return Some(node.parent);
            }
            place = after(place, self.table.len());
        }
    }
}

/// Enters hashes with the numbers of their nodes into a table, in two passes.
fn enter(table: &mut [u64], part: &[(u64, usize)]) {
    let size = table.len();
    black_box(part.iter().fold(0, |sum, (hash, _)| sum ^ table[home(*hash, size)]));
    for (hash, number) in part {
        let mut place = home(*hash, size);
        while table[place] != EMPTY {
            place = after(place, size);
        }
        table[place] = entry(*hash, *number);
    }
}

/// The first place to look for a hash.
fn home(hash: u64, size: usize) -> usize {
    usize::try_from(high_half(u128::from(hash) * size as u128)).unwrap_or(0)
}

/// The next place; the first one follows the last.
fn after(place: usize, size: usize) -> usize {
    if place + 1 == size { 0 } else { place + 1 }
}

fn entry(hash: u64, number: usize) -> u64 {
    hash << NUMBER_BITS | number as u64
}

fn has_tag(entry: u64, hash: u64) -> bool {
    (entry ^ hash << NUMBER_BITS) >> NUMBER_BITS == 0
}

fn number(entry: u64) -> usize {
    usize::try_from(entry & ((1 << NUMBER_BITS) - 1)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn arrival(state: u64, parent: u64) -> Arrival<1> {
        Arrival { state: [state], parent }
    }

    /// Inserts arrivals, and returns those that were new.
    fn new_ones<K: Key<1>>(shard: &mut Shard<K, 1>, arrivals: &[Arrival<1>]) -> Vec<u64> {
        let mut new = Vec::new();
        shard.insert(arrivals, &mut |arrival| {
            new.push(arrival.state[0]);
            true
        });
        new
    }

    fn hashed(states: Range<u64>) -> Vec<Arrival<1>> {
        states.map(|state| arrival(state, 0)).collect()
    }

    /// Many times the size that a table begins with, each state twice in one batch and once more later.
    #[test]
    fn each_state_is_new_once_while_the_table_grows() {
        let mut shard = Shard::<[u64; 1], 1>::new();
        let twice = [hashed(0..10_000), hashed(0..10_000)].concat();
        assert_eq!(new_ones(&mut shard, &twice), (0..10_000).collect::<Vec<_>>());
        assert_eq!(new_ones(&mut shard, &hashed(5_000..10_001)), [10_000]);
        assert_eq!(shard.len(), 10_001);
        assert!((0..10_001).all(|known| shard.parent(hash_words(&[known])) == Some(0)));
        assert_eq!(shard.parent(hash_words(&[10_001])), None);
        let (states, places) = (shard.len(), shard.table.len());
        assert!(places < 2 * states && 4 * states <= 3 * places, "{states} states in {places} places");
    }

    /// States with equal position and tag are told apart by their keys. Among this many states some must share both.
    #[test]
    fn tags_that_collide_do_not_confuse() {
        let places = Shard::<[u64; 1], 1>::new().table.len();
        let mut found: HashMap<(usize, u64), u64> = HashMap::new();
        let mut collisions = 0;
        for state in 0..1 << 18 {
            let hash = hash_words(&[state]);
            let Some(other) = found.insert((home(hash, places), entry(hash, 0)), state) else { continue };
            let arrivals = [arrival(state, 1), arrival(other, 2)];
            let mut shard = Shard::<[u64; 1], 1>::new();
            assert_eq!(new_ones(&mut shard, &arrivals), [state, other]);
            assert!(new_ones(&mut shard, &arrivals).is_empty());
            let parents = [state, other].map(|state| shard.parent(hash_words(&[state])));
            assert_eq!(parents, [Some(1), Some(2)]);
            collisions += 1;
        }
        assert!(collisions > 5, "{collisions}");
    }

    /// An entry of zeros is valid: the first node, with a tag that is zero.
    #[test]
    fn any_entry_is_an_entry() {
        let state =
            (0..1 << 32).find(|state| entry(hash_words(&[*state]), 0) == 0).expect("a tag has few bits");
        let mut shard = Shard::<[u64; 1], 1>::new();
        assert_eq!(new_ones(&mut shard, &[arrival(state, 0), arrival(state, 0)]), [state]);
        assert_eq!(shard.parent(hash_words(&[state])), Some(0));
    }

    /// The table is a ring: probing continues at the first place after the last one.
    #[test]
    fn places_beyond_the_end_are_found() {
        let mut shard = Shard::<[u64; 1], 1>::new();
        let last = shard.table.len() - 1;
        let states = (0..).filter(|state| home(hash_words(&[*state]), last + 1) == last).take(20);
        let arrivals: Vec<_> = states.map(|state| arrival(state, 0)).collect();
        assert_eq!(new_ones(&mut shard, &arrivals).len(), 20);
        assert!(new_ones(&mut shard, &arrivals).is_empty());
    }

    /// States with the same fingerprint count as one.
    #[test]
    fn fingerprints_stand_for_states() {
        let key = |state, hash| <Fingerprint as Key<1>>::new(&[state], hash);
        assert_eq!(key(1, 5), key(2, 5));
        assert_ne!(key(1, 5), key(1, 6));
    }

    /// Of several parents the least hash wins, but only within the level in which the state was reached.
    #[test]
    fn the_least_parent_wins() {
        let mut shard = Shard::<[u64; 1], 1>::new();
        let hash = hash_words(&[1]);
        new_ones(&mut shard, &[arrival(1, 5), arrival(1, 3), arrival(1, 4)]);
        assert_eq!(shard.parent(hash), Some(3));
        shard.next_level();
        new_ones(&mut shard, &[arrival(1, 2)]);
        assert_eq!(shard.parent(hash), Some(3));
    }

    /// Levels can be read with both kinds of keys.
    #[test]
    fn levels_can_be_read() {
        fn levels<K: Key<1>>() {
            let mut shard = Shard::<K, 1>::new();
            for (first, last) in [(0, 5), (5, 6), (6, 20)] {
                shard.insert(&hashed(0..last), &mut |_| true);
                shard.next_level();
                let mut states = Vec::new();
                shard.read_level(0..shard.level_len(), &mut states);
                assert_eq!(states.as_flattened(), (first..last).collect::<Vec<_>>());
            }
            shard.next_level();
            assert_eq!(shard.level_len(), 0);
        }
        levels::<[u64; 1]>();
        levels::<Fingerprint>();
    }

    /// A state that is not admitted is not stored.
    #[test]
    fn a_refused_state_can_come_again() {
        let mut shard = Shard::<[u64; 1], 1>::new();
        shard.insert(&hashed(0..3), &mut |arrival| arrival.state != [1]);
        assert_eq!(shard.len(), 2);
        assert_eq!(new_ones(&mut shard, &hashed(0..3)), [1]);
    }
}
