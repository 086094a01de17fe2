//! Places: the states that one process can be in by itself.

use crate::cell::{Cell, Process};
use crate::cube::Cube;
use crate::vocabulary::{Kind, Values, Vocabulary};

/// The values of a process's own cells, as a number.
pub(super) type Place = usize;

/// With more places than this, some arrays are left out.
const MOST_PLACES: usize = 600;

/// An array, and the values that its cells may have, a bit each.
#[derive(Clone, Debug)]
pub(super) struct Dimension {
    pub(super) symbol: u16,
    pub(super) values: Vec<Values>,
    /// How far apart the places are that differ by one here.
    stride: usize,
}

/// The places of a model: a value for each of some arrays with one index.
#[derive(Clone, Debug)]
pub(super) struct Locals {
    pub(super) dimensions: Vec<Dimension>,
    pub(super) places: usize,
}

impl Locals {
    /// The places over the arrays of finite sort that come first in an order of preference, as long as there are not too many.
    pub(super) fn new(vocabulary: &Vocabulary, preferred: impl IntoIterator<Item = u16>) -> Locals {
        let mut locals = Locals { dimensions: vec![], places: 1 };
        for symbol in preferred {
            let info = &vocabulary.symbols[usize::from(symbol)];
            let values: Vec<Values> =
                (0..64).map(|bit| 1 << bit).filter(|bit| info.possible & bit != 0).collect();
            let fits = values.len() > 1 && locals.places * values.len() <= MOST_PLACES;
            if info.arity == 1 && info.kind == Kind::Finite && fits {
                let stride = locals.places;
                locals.places *= values.len();
                locals.dimensions.push(Dimension { symbol, values, stride });
            }
        }
        locals
    }

    pub(super) fn value(&self, place: Place, dimension: usize) -> Values {
        let Dimension { values, stride, .. } = &self.dimensions[dimension];
        values[place / stride % values.len()]
    }

    /// The place that differs in one value; `None` if no cell ever has that value.
    pub(super) fn with(&self, place: Place, dimension: usize, value: Values) -> Option<Place> {
        let Dimension { values, stride, .. } = &self.dimensions[dimension];
        let at = values.iter().position(|known| *known == value)?;
        Some(place - place / stride % values.len() * stride + at * stride)
    }

    /// Whether a process of a cube may be in a place.
    pub(super) fn allows(&self, vocabulary: &Vocabulary, cube: &Cube, process: Process) -> Vec<bool> {
        let allowed: Vec<Values> = self
            .dimensions
            .iter()
            .map(|dimension| cube.values(vocabulary, Cell::new(dimension.symbol, &[process])))
            .collect();
        let fits = |place: Place| (0..allowed.len()).all(|at| self.value(place, at) & allowed[at] != 0);
        (0..self.places).map(fits).collect()
    }
}
