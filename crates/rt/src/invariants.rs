//! Functions of the program that must return a non-zero value in every state.

use crate::runtime::{Mode, Runtime};

/// A function without arguments.
#[derive(Clone, Debug)]
pub(crate) struct Invariant {
    pub(crate) address: usize,
    pub(crate) name: String,
}

impl Runtime {
    /// Evaluates all invariants in the current state. What they read becomes known: see `Races::mark_judged`.
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
        if self.races.mark_judged(address, size) {
            self.judged_more = true;
        }
    }
}
