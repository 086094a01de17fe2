//! Functions of the program that must return a non-zero value in every state.

use crate::runtime::{Mode, Runtime};

/// A function without arguments.
#[derive(Clone, Debug)]
pub(crate) struct Invariant {
    pub(crate) address: usize,
    pub(crate) name: String,
}

impl Runtime {
    /// Evaluates all invariants in the current state. What they read is noted, and visible in the next search.
    pub(crate) fn judge_invariants(&mut self) {
        for position in 0..self.options.invariants.len() {
            let Invariant { address, name } = self.options.invariants[position].clone();
            // SAFETY: the tester has found a function at this address; no thread of the program runs.
            let function: extern "C" fn() -> i32 = unsafe { std::mem::transmute(address) };
            self.mode = Mode::Judging;
            let holds = function() != 0;
            self.mode = Mode::Controlled;
            if !holds {
                self.fail("invariant", name, vec![address]);
            }
        }
    }

    /// An invariant reads memory: writes there must be visible, and their order matters.
    pub(crate) fn read_by_invariant(&mut self, address: usize, size: usize) {
        let last = address + size.max(1) - 1;
        for granule in address >> 3..=last >> 3 {
            let address = granule << 3;
            if !self.races.is_judged(address) && !self.judged.contains(&address) {
                self.judged.push(address);
                self.judged_more = true;
            }
        }
    }
}
