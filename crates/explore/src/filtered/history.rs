//! The happens-before graph of a run as a hash, by which states are recognised.
//!
//! A state is the set of operations so far: each with its thread, its position there, what it does, and for each object
//! that it uses the number of writes to it. That set determines the order of dependent operations (SCALE; CHESS has
//! the same idea). The hash of a set is the exclusive or of hashes of 128 bits.

use std::collections::HashMap;

use super::Successor;
use crate::concurrency::{Access, Turn};
use crate::hash::BuildStateHasher;
use crate::rng::mix;

/// The operations of the current run.
#[derive(Debug, Default)]
pub(super) struct History {
    hash: u128,
    /// The number of operations of each thread.
    steps: Vec<u64>,
    /// The number of writes to each object.
    writes: HashMap<u64, u64, BuildStateHasher>,
}

/// Two independent hashes of a sequence of words.
struct Hash([u64; 2]);

impl Hash {
    fn add(&mut self, word: u64) {
        let [one, other] = &mut self.0;
        *one = mix(*one ^ word.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        *other = mix(other.rotate_left(31) ^ word.wrapping_mul(0xc2b2_ae3d_27d4_eb4f));
    }
}

impl History {
    /// The hash of the state after an operation.
    pub(super) fn after(&self, turn: Turn, fingerprint: u64, accesses: &[Access]) -> u128 {
        let mut hash = Hash([1, 2]);
        let position = self.steps.get(usize::from(turn.thread)).copied().unwrap_or(0);
        for word in [u64::from(turn.thread), u64::from(turn.choice), position, fingerprint] {
            hash.add(word);
        }
        for access in accesses {
            let writes = self.writes.get(&access.object).copied().unwrap_or(0) + u64::from(access.writes);
            hash.add(access.object);
            hash.add((writes << 1) | u64::from(access.writes));
        }
        self.hash ^ ((u128::from(hash.0[0]) << 64) | u128::from(hash.0[1]))
    }

    /// Adds an operation of which `after` gave the hash.
    pub(super) fn add(&mut self, successor: &Successor) {
        // The exclusive or of both is undone by the same exclusive or.
        self.hash = successor.identity;
        let thread = usize::from(successor.turn.thread);
        if self.steps.len() <= thread {
            self.steps.resize(thread + 1, 0);
        }
        self.steps[thread] += 1;
        for access in successor.accesses.iter().filter(|access| access.writes) {
            *self.writes.entry(access.object).or_default() += 1;
        }
    }

    /// Takes back the last operation.
    pub(super) fn take_back(&mut self, successor: &Successor) {
        self.steps[usize::from(successor.turn.thread)] -= 1;
        for access in successor.accesses.iter().filter(|access| access.writes) {
            *self.writes.entry(access.object).or_default() -= 1;
        }
    }

    /// Sets the hash of the current state, after operations were taken back.
    pub(super) fn return_to(&mut self, identity: u128) {
        self.hash = identity;
    }
}
