//! A fast hasher for tables of states. Not for keys chosen by an adversary.

use std::hash::{BuildHasherDefault, Hasher};

use crate::rng::mix;

/// Builds [`StateHasher`]s. Unlike the standard one it has no random seed: runs repeat exactly.
pub(crate) type BuildStateHasher = BuildHasherDefault<StateHasher>;

/// Folds words by multiplication and rotation, and mixes once at the end, since hash tables use both the upper and
/// the lower bits.
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

/// The hash of a packed state. States that are recognised by it alone must not collide in a pattern, so every word is
/// spread over all bits before the next one is added; folding both halves of a product does that.
pub(crate) fn hash_words<const W: usize>(words: &[u64; W]) -> u64 {
    mix(words.iter().fold(0x2d35_8dcc_aa6c_78a5, |hash, word| folded_product(hash ^ word)))
}

fn folded_product(word: u64) -> u64 {
    let product = u128::from(word) * 0x9e37_79b9_7f4a_7c15;
    high_half(product) ^ low_half(product)
}

/// The upper 64 bits.
pub(crate) fn high_half(bits: u128) -> u64 {
    low_half(bits >> 64)
}

#[expect(clippy::cast_possible_truncation, reason = "truncation is intended")]
fn low_half(bits: u128) -> u64 {
    bits as u64
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::BuildHasher;

    use super::*;

    /// Keys that differ in one byte only spread over the low bits (the place) and the top seven (the tag) of
    /// a hash table: of 4,096 keys in 4,096 places about 1/e of the places stay empty.
    #[test]
    fn similar_states_spread() {
        let hash = |key: [u8; 16]| BuildStateHasher::default().hash_one(key);
        for (first, second) in [(0, 1), (0, 8), (7, 15), (14, 15)] {
            let mut places = vec![0; 4096];
            let mut tags = vec![0; 128];
            for number in 0..4096_u16 {
                let mut key = [0; 16];
                [key[first], key[second]] = number.to_le_bytes();
                let hash = hash(key);
                places[usize::try_from(hash % 4096).unwrap()] += 1;
                tags[usize::try_from(hash >> 57).unwrap()] += 1;
            }
            let empty = places.iter().filter(|count| **count == 0).count();
            assert!((1350..1650).contains(&empty), "{empty} places are empty");
            assert!(tags.iter().all(|count| (8..64).contains(count)), "{tags:?}");
        }
    }

    /// Single bits of two words, and pairs of them, have different hashes. Folding by a multiplication alone would
    /// carry the top bit of one word to one bit of the next, where another word can cancel it.
    #[test]
    fn words_do_not_undo_each_other() {
        let mut hashes = HashSet::new();
        let mut states = HashSet::new();
        let bits = || (0..64).map(|bit| 1_u64 << bit).chain([0]);
        for first in bits() {
            for second in bits() {
                for third in bits() {
                    states.insert([first ^ 1 << 63, second, third]);
                    states.insert([first, second, third]);
                }
            }
        }
        hashes.extend(states.iter().map(hash_words));
        assert_eq!(hashes.len(), states.len());
    }
}
