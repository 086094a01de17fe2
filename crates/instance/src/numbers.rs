//! How numbers that the model leaves open are represented: how many bits they get, and which values stand for all.
//!
//! Every engine that runs instances has its own compromise between small states and how much it sees. They stand here side
//! by side.

use crate::{Obstacle, Setup};
use ir::SymbolId;

/// A number never gets more bits than this.
pub const MOST_NUMBER_BITS: u32 = 60;

/// How an engine represents numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Policy {
    /// The bits of a number without a range: the first that turn out to suffice.
    pub(crate) bits: &'static [u32],
    /// The values that are tried for a number that is read before it is set.
    pub(crate) open: Option<(i64, i64)>,
}

/// Exploring must see everything: it begins with small states, and never chooses values itself.
pub(crate) const EXPLORING: Policy = Policy { bits: &[8, 16, 32, MOST_NUMBER_BITS], open: None };
/// Drawing a graph of states is for few of them.
pub(crate) const DRAWING: Policy = Policy { bits: &[16, MOST_NUMBER_BITS], open: None };
/// Fuzzing promises nothing about what it does not see, and may choose.
pub(crate) const FUZZING: Policy = Policy { bits: &[32, MOST_NUMBER_BITS], open: Some((-8, 8)) };
/// Tables of states are samples from which candidate invariants are made: few values suffice.
pub(crate) const TABULATING: Policy = Policy { bits: &[32], open: Some((0, 2)) };
/// A claimed run may need a value outside of the sample.
pub(crate) const FOLLOWING: Policy = Policy { bits: &[32], open: Some((-1, 4)) };

impl Policy {
    /// The bits to begin with.
    pub(crate) fn first_bits(self) -> u32 {
        self.bits[0]
    }

    /// Changes a setup so that an obstacle is gone, if the policy has a way.
    pub(crate) fn overcome(self, obstacle: &Obstacle, setup: &mut Setup) -> bool {
        match (obstacle, self.open) {
            (Obstacle::NeedsRange(symbol), Some((low, high)))
                if setup.ranges.iter().all(|(known, ..)| known != symbol) =>
            {
                setup.ranges.push((*symbol, low, high));
                true
            }
            (Obstacle::NumberTooLarge(_), _) => {
                let more = self.bits.iter().find(|bits| **bits > setup.number_bits);
                more.map(|bits| setup.number_bits = *bits).is_some()
            }
            _ => false,
        }
    }

    /// Tries again for as long as the policy overcomes the obstacle. Returns the ranges that were chosen, too.
    pub(crate) fn retry<T>(
        self,
        mut setup: Setup,
        mut attempt: impl FnMut(&Setup) -> (Option<T>, Option<Obstacle>),
    ) -> (Option<T>, Vec<(SymbolId, i64, i64)>) {
        loop {
            let (result, obstacle) = attempt(&setup);
            if !obstacle.is_some_and(|obstacle| self.overcome(&obstacle, &mut setup)) {
                return (result, setup.ranges);
            }
        }
    }
}
