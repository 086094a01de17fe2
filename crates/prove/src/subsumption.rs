//! When one cube subsumes another: every state that matches the special one matches the general one.
//!
//! That is so if the processes of the general cube can be mapped injectively onto those of the special one such
//! that each of its literals follows from the special cube.

use crate::cell::Cell;
use crate::cube::{Cube, is_single};
use crate::matching::{Pattern, Target};
use crate::vocabulary::{Kind, MEMBERS, Values, Vocabulary};
use std::ops::ControlFlow;

/// A set of features as bits: a cube that subsumes another demands no feature that the other does not offer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Signature(u128);

impl Signature {
    pub(crate) fn is_within(self, other: Signature) -> bool {
        self.0 & !other.0 == 0
    }

    /// At least this many features of this one are missing from the other.
    pub(crate) fn missing_from(self, other: Signature) -> usize {
        (self.0 & !other.0).count_ones() as usize
    }

    fn add(&mut self, symbol: u16, value: u32) {
        let hash = (u64::from(symbol) << 8 | u64::from(value)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 |= 1 << (hash >> 57);
    }

    /// What a cube demands.
    pub(crate) fn demanded(cube: &Cube, vocabulary: &Vocabulary) -> Signature {
        let mut signature = Signature::default();
        for (cell, values) in &cube.finite {
            let single = is_constant(vocabulary, *cell, *values);
            signature.add(cell.symbol(), if single { values.trailing_zeros() + 1 } else { 0 });
        }
        signature
    }

    /// What a cube offers: for each literal its symbol, and its value if there is only one.
    pub(crate) fn offered(cube: &Cube, vocabulary: &Vocabulary) -> Signature {
        let mut signature = Signature::default();
        for (cell, values) in &cube.finite {
            signature.add(cell.symbol(), 0);
            if is_constant(vocabulary, *cell, *values) {
                signature.add(cell.symbol(), values.trailing_zeros() + 1);
            }
        }
        signature
    }
}

/// Values of globals as bits, as far as there is room for them. They may show that two cubes have nothing in common, however
/// their processes are mapped.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Globals(u128);

impl Globals {
    pub(crate) fn is_disjoint(self, other: Globals) -> bool {
        self.0 & other.0 == 0
    }

    /// The values that a cube demands of globals, where it allows only one.
    pub(crate) fn demanded(cube: &Cube, vocabulary: &Vocabulary) -> Globals {
        Globals::of(cube, vocabulary, |values, _| if values.is_power_of_two() { values } else { 0 })
    }

    /// The values that a cube excludes.
    pub(crate) fn excluded(cube: &Cube, vocabulary: &Vocabulary) -> Globals {
        Globals::of(cube, vocabulary, |values, all| all & !values)
    }

    fn of(cube: &Cube, vocabulary: &Vocabulary, chosen: impl Fn(Values, Values) -> Values) -> Globals {
        let bits = cube.finite.iter().filter_map(|(cell, values)| {
            let symbol = vocabulary.symbol(*cell);
            Some(u128::from(chosen(*values, symbol.possible)) << symbol.first_bit?)
        });
        Globals(bits.fold(0, |all, bits| all | bits))
    }
}

/// Whether a literal names one value that is the same in every cube.
fn is_constant(vocabulary: &Vocabulary, cell: Cell, values: Values) -> bool {
    let kind = vocabulary.kind(cell);
    is_single(kind, values) && (kind == Kind::Finite || values & MEMBERS == 0)
}

/// Whether the general cube subsumes the special one.
pub(crate) fn subsumes(vocabulary: &Vocabulary, general: &Cube, special: &Cube) -> bool {
    let pattern = Pattern::new(vocabulary, general);
    Target::new(vocabulary, special).is_subsumed_by(general, &pattern)
}

impl Target<'_> {
    /// Whether a cube subsumes this one.
    pub(crate) fn is_subsumed_by(&self, general: &Cube, pattern: &Pattern) -> bool {
        self.each_match(general, pattern, 0, &mut |_| ControlFlow::Break(())).is_break()
    }
}
