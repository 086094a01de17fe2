//! Numbers for packed states: each is stored once, and found again by a table of numbers.

use rustc_hash::FxHasher;
use std::hash::Hasher;

/// States in the order of their numbers.
#[derive(Debug)]
pub(super) struct Interner<const W: usize> {
    states: Vec<[u64; W]>,
    /// Open addressing: the number of a state plus 1, or 0. Its length is a power of two.
    table: Vec<u32>,
}

impl<const W: usize> Interner<W> {
    pub(super) fn new() -> Interner<W> {
        Interner { states: vec![], table: vec![0; 1024] }
    }

    pub(super) fn state(&self, number: u32) -> [u64; W] {
        self.states[number as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.states.capacity() * W * 8 + self.table.len() * 4
    }

    /// The number of a state; a new one if it has none.
    pub(super) fn intern(&mut self, state: &[u64; W]) -> u32 {
        let place = self.place(state);
        if let Some(known) = self.table[place].checked_sub(1) {
            return known;
        }
        let number = u32::try_from(self.states.len()).expect("fewer than 2^32 states");
        self.states.push(*state);
        self.table[place] = number + 1;
        if self.states.len() * 2 > self.table.len() {
            self.grow();
        }
        number
    }

    /// The number of a state that has one.
    pub(super) fn find(&self, state: &[u64; W]) -> Option<u32> {
        self.table[self.place(state)].checked_sub(1)
    }

    /// Where a state is in the table, or would be.
    #[inline]
    fn place(&self, state: &[u64; W]) -> usize {
        let mask = self.table.len() - 1;
        let mut place = hash(state) & mask;
        loop {
            match self.table[place] {
                0 => return place,
                number if self.states[number as usize - 1] == *state => return place,
                _ => place = (place + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        self.table = vec![0; self.table.len() * 2];
        let mask = self.table.len() - 1;
        for (number, state) in self.states.iter().enumerate() {
            let mut place = hash(state) & mask;
            while self.table[place] != 0 {
                place = (place + 1) & mask;
            }
            self.table[place] = u32::try_from(number + 1).expect("fewer than 2^32 states");
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "any bits of a hash will do")]
fn hash<const W: usize>(state: &[u64; W]) -> usize {
    let mut hasher = FxHasher::default();
    state.iter().for_each(|word| hasher.write_u64(*word));
    let hash = hasher.finish();
    (hash ^ hash >> 32) as usize
}
