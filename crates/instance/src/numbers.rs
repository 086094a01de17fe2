//! How unbounded numbers are represented: how many bits they get, and which values are tried if they are open.
//!
//! Every engine that runs instances makes its own trade-off between small states and coverage; all of them are listed
//! here.

use crate::{Obstacle, Setup};
use ir::SymbolId;

/// The largest number of bits for a number.
pub const MOST_NUMBER_BITS: u32 = 60;

/// How an engine represents numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Policy {
    /// The bits of a number without a range, tried in this order until they suffice.
    pub(crate) bits: &'static [u32],
    /// The range of values for a number that is read before it is set; `None` if that is an obstacle.
    pub(crate) open: Option<(i64, i64)>,
}

/// Exploration must be exhaustive: it begins with small states, and never chooses values itself.
pub(crate) const EXPLORING: Policy = Policy { bits: &[8, 16, 32, MOST_NUMBER_BITS], open: None };
/// Graphs are drawn only for few states, so these need not be small.
pub(crate) const DRAWING: Policy = Policy { bits: &[16, MOST_NUMBER_BITS], open: None };
/// Fuzzing need not be exhaustive, so it may choose values.
pub(crate) const FUZZING: Policy = Policy { bits: &[32, MOST_NUMBER_BITS], open: Some((-8, 8)) };
/// Tables of states are samples from which candidate invariants are made: few values suffice.
pub(crate) const TABULATING: Policy = Policy { bits: &[32], open: Some((0, 2)) };
/// A claimed run may need a value outside of the range used for tables.
pub(crate) const FOLLOWING: Policy = Policy { bits: &[32], open: Some((-1, 4)) };

impl Policy {
    /// The number of bits to begin with.
    pub(crate) fn first_bits(self) -> u32 {
        self.bits[0]
    }

    /// Changes a setup so as to avoid an obstacle. False if the policy knows no way.
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

    /// Retries for as long as the policy overcomes the obstacle. Returns the chosen ranges, too.
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
