//! The happens-before graph of a run as a hash, by which states are recognised.
//!
//! A state is the set of operations so far: each with its thread, its position there, what it does, and for each object
//! that it uses the number of writes to it. That set determines the order of dependent operations (SCALE; CHESS has
//! the same idea). The hash of a set is the exclusive or of hashes of 128 bits.

use explore::{Access, Threads, Turn};

use crate::machine::Machine;
use crate::runtime::Runtime;
use crate::table::AddressMap;

/// The operations of the current run.
#[derive(Default)]
pub(crate) struct History {
    hash: u128,
    /// The number of operations of each thread, and of writes to each object.
    steps: Vec<u64>,
    writes: AddressMap<u64>,
    accesses: Vec<Access>,
}

impl History {
    pub(crate) fn identity(&self) -> u128 {
        self.hash
    }

    pub(crate) fn restart(&mut self) {
        self.hash = 0;
        self.steps.clear();
        self.writes.clear();
    }
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

fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

impl Runtime {
    /// Adds an operation that is about to be taken.
    pub(crate) fn note_history(&mut self, turn: Turn) {
        let Some(op) = self.next(turn.thread.into()) else { return };
        let thread = usize::from(turn.thread);
        let history = &mut self.history;
        if history.steps.len() <= thread {
            history.steps.resize(thread + 1, 0);
        }
        history.steps[thread] += 1;
        let mut hash = Hash([1, 2]);
        for word in [u64::from(turn.thread), u64::from(turn.choice), history.steps[thread], op.fingerprint()]
        {
            hash.add(word);
        }
        let mut accesses = std::mem::take(&mut history.accesses);
        accesses.clear();
        Machine.accesses(turn, &mut accesses);
        for access in &accesses {
            let writes = self.history.writes.entry(access.object as usize).or_default();
            *writes += u64::from(access.writes);
            hash.add(access.object);
            hash.add(*writes << 1 | u64::from(access.writes));
        }
        self.history.accesses = accesses;
        self.history.hash ^= u128::from(hash.0[0]) << 64 | u128::from(hash.0[1]);
    }
}
