//! A fast hasher for tables of states. Not for keys chosen by an adversary.

use std::hash::{BuildHasherDefault, Hasher};

use crate::rng::mix;

/// Builds [`StateHasher`]s. Unlike the standard one it has no random seed: runs repeat exactly.
pub(crate) type BuildStateHasher = BuildHasherDefault<StateHasher>;

/// Folds words by multiplication and rotation, and mixes once at the end: hash tables use both ends of it.
#[derive(Default)]
pub(crate) struct StateHasher {
    state: u64,
}

impl StateHasher {
    fn fold(&mut self, word: u64) {
        self.state = (self.state.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for StateHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.fold(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.fold(u64::from_le_bytes(last));
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.fold(word.into());
    }

    fn write_u16(&mut self, word: u16) {
        self.fold(word.into());
    }

    fn write_u32(&mut self, word: u32) {
        self.fold(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.fold(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.fold(word as u64);
    }

    fn finish(&self) -> u64 {
        mix(self.state)
    }
}
