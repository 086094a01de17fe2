//! What views say about numbers: for any two of them, and for each and zero, how much one exceeds the other at most.
//!
//! A view stands for many states, whose numbers differ: it matches a cube if one of these states does. What a cube says about
//! numbers is therefore checked against all numbers that a view allows, never against an example.
//!
//! The bounds of a view are a difference bound matrix (Dill: Timing assumptions and verification of finite-state concurrent
//! systems, 1989).

use crate::cell::{Cell, Process};
use crate::linear::{Comparison, Constraint};
use ir::SymbolId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A number of a view: its symbol and the members that are its indices. None is zero.
pub type Point = Option<(SymbolId, Vec<usize>)>;

/// A number may exceed another by any amount.
const UNBOUNDED: i64 = i64::MAX;

/// The numbers of views.
#[derive(Debug, Default)]
pub struct Zones {
    /// The numbers that bounds are about, in the order of rows and columns.
    points: Vec<Point>,
    /// The matrices that occur, each once: for any two numbers, how much the first exceeds the second at most; a row for each
    /// first.
    distinct: Vec<Box<[i64]>>,
    known: FxHashMap<Box<[i64]>, u32>,
    /// The matrix of each view, by its position in `distinct`.
    of_view: Vec<u32>,
    /// The position of each number.
    positions: FxHashMap<Cell, usize>,
    /// The position of zero.
    zero: Option<usize>,
    /// Differences up to this are exact.
    clip: i64,
}

impl Zones {
    /// No view yet, for views of these numbers whose differences are exact up to `clip`.
    pub fn new(points: Vec<Point>, clip: i64) -> Zones {
        let mut zones = Zones { points, clip, ..Zones::default() };
        for (at, point) in zones.points.iter().enumerate() {
            let Some((symbol, indices)) = point else {
                zones.zero = Some(at);
                continue;
            };
            let indices: SmallVec<[Process; 4]> =
                indices.iter().filter_map(|index| Process::try_from(*index).ok()).collect();
            // A symbol with a number that does not fit is in no cube.
            if let Ok(symbol) = u16::try_from(symbol.index()) {
                zones.positions.insert(Cell::new(symbol, &indices), at);
            }
        }
        zones
    }

    /// Appends the next view: for any two numbers, how much the first exceeds the second at most, if that is bounded; a row for
    /// each first. The bounds must be closed: no bound follows from others that is tighter.
    pub fn push(&mut self, bounds: impl IntoIterator<Item = Option<i64>>) {
        let bounds: Box<[i64]> = bounds.into_iter().map(|bound| bound.unwrap_or(UNBOUNDED)).collect();
        assert_eq!(bounds.len(), self.points.len() * self.points.len(), "a bound for any two");
        let next = u32::try_from(self.distinct.len()).expect("no more than views");
        let zone = *self.known.entry(bounds).or_insert_with_key(|bounds| {
            self.distinct.push(bounds.clone());
            next
        });
        self.of_view.push(zone);
    }

    /// Differences up to this are exact.
    pub(crate) fn clip(&self) -> i64 {
        self.clip
    }

    /// Which views allow a constraint.
    pub(super) fn allow(&self, constraint: &Constraint) -> impl Fn(usize) -> bool {
        let allowed: Vec<bool> = self.distinct.iter().map(|zone| self.may_hold(zone, constraint)).collect();
        move |view| allowed[self.of_view[view] as usize]
    }

    /// Whether one of some views allows all of some constraints together.
    pub(super) fn any_allows(&self, views: impl Iterator<Item = usize>, constraints: &[Constraint]) -> bool {
        let differences: Vec<Difference> =
            constraints.iter().filter_map(|constraint| self.difference(constraint)).collect();
        if differences.len() < 2 {
            // `allow` has checked each by itself.
            return views.into_iter().next().is_some();
        }
        let mut answers: FxHashMap<u32, bool> = FxHashMap::default();
        views.into_iter().any(|view| {
            let zone = self.of_view[view];
            *answers
                .entry(zone)
                .or_insert_with(|| self.is_consistent(&self.distinct[zone as usize], &differences))
        })
    }

    fn may_hold(&self, zone: &[i64], constraint: &Constraint) -> bool {
        let (least, most) = match self.difference(constraint) {
            Some(Difference { more, less, .. }) => {
                let at = |p: usize, q: usize| zone[p * self.points.len() + q];
                (negated(at(less, more)), at(more, less))
            }
            None => self.range_of_sum(zone, constraint),
        };
        // The sum without its constant lies between these, and may be any whole number there.
        let sought = -i128::from(constraint.constant);
        let at_least = least.is_none_or(|least| i128::from(least) <= sought);
        match constraint.comparison {
            Comparison::AtMost => at_least,
            Comparison::Below => least.is_none_or(|least| i128::from(least) < sought),
            Comparison::Zero => at_least && (most == UNBOUNDED || sought <= i128::from(most)),
        }
    }

    /// The least and the greatest value of a sum of multiples, as far as each number by itself tells.
    fn range_of_sum(&self, zone: &[i64], constraint: &Constraint) -> (Option<i64>, i64) {
        let (mut least, mut most) = (Some(0_i64), Some(0_i64));
        for (cell, factor) in &constraint.terms {
            let (low, high) = self.range_of(zone, *cell);
            let (low, high) = if *factor > 0 { (low, high) } else { (high, low) };
            let times = |bound: Option<i64>| bound?.checked_mul(*factor);
            least = least.zip(times(low)).and_then(|(sum, part)| sum.checked_add(part));
            most = most.zip(times(high)).and_then(|(sum, part)| sum.checked_add(part));
        }
        (least, most.unwrap_or(UNBOUNDED))
    }

    fn range_of(&self, zone: &[i64], cell: Cell) -> (Option<i64>, Option<i64>) {
        let (Some(at), Some(zero)) = (self.positions.get(&cell), self.zero) else { return (None, None) };
        let bound = |p: usize, q: usize| zone[p * self.points.len() + q];
        let high = bound(*at, zero);
        (negated(bound(zero, *at)), (high != UNBOUNDED).then_some(high))
    }

    /// The constraint as a bound on the difference of two numbers, or of one and zero. None if it has another form.
    fn difference(&self, constraint: &Constraint) -> Option<Difference> {
        let position = |cell: &Cell| self.positions.get(cell).copied();
        let (more, less) = match constraint.terms.as_slice() {
            [(cell, 1)] => (position(cell)?, self.zero?),
            [(cell, -1)] => (self.zero?, position(cell)?),
            [(a, 1), (b, -1)] | [(b, -1), (a, 1)] => (position(a)?, position(b)?),
            _ => return None,
        };
        let most = constraint.constant.checked_neg()?;
        let is_equation = constraint.comparison == Comparison::Zero;
        constraint.whole.then_some(Difference { more, less, most, is_equation })
    }

    /// Whether some numbers satisfy the bounds of a view and all of some constraints.
    fn is_consistent(&self, zone: &[i64], differences: &[Difference]) -> bool {
        let mut bounds = zone.to_vec();
        for Difference { more, less, most, is_equation } in differences {
            self.restrict(&mut bounds, (*more, *less), *most);
            if *is_equation {
                self.restrict(&mut bounds, (*less, *more), -most);
            }
        }
        (0..self.points.len()).all(|at| bounds[at * self.points.len() + at] >= 0)
    }

    /// Tightens one bound, and all that follow from it.
    fn restrict(&self, bounds: &mut [i64], (p, q): (usize, usize), most: i64) {
        let count = self.points.len();
        if most >= bounds[p * count + q] {
            return;
        }
        for from in 0..count {
            let to_p = bounds[from * count + p];
            for to in 0..count {
                let way = sum(sum(to_p, most), bounds[q * count + to]);
                let bound = &mut bounds[from * count + to];
                *bound = way.min(*bound);
            }
        }
    }
}

/// `more - less <= most`, or `more - less = most`.
#[derive(Debug)]
struct Difference {
    more: usize,
    less: usize,
    most: i64,
    is_equation: bool,
}

/// An upper bound of `a - b` as a lower bound of `b - a`.
fn negated(bound: i64) -> Option<i64> {
    (bound != UNBOUNDED).then_some(-bound)
}

fn sum(a: i64, b: i64) -> i64 {
    if a == UNBOUNDED || b == UNBOUNDED { UNBOUNDED } else { a.saturating_add(b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::{Simplified, simplify};

    /// Two numbers and zero: the first is larger than the second, and the second is at least 0.
    fn zones() -> Zones {
        let number = |at: usize| Some((SymbolId::from_index(at), vec![]));
        let mut zones = Zones::new(vec![None, number(0), number(1)], 0);
        // Rows: zero, the first, the second.
        zones.push([Some(0), Some(-1), Some(0), None, Some(0), None, None, Some(-1), Some(0)]);
        zones
    }

    fn constraint(factors: &[i128], constant: i128, comparison: Comparison) -> Constraint {
        let terms = (0..).zip(factors).map(|(at, factor)| (Cell::new(at, &[]), *factor));
        match simplify(terms, constant, comparison, true) {
            Some(Simplified::Constraint(constraint)) => constraint,
            other => panic!("{other:?}"),
        }
    }

    /// Whether the view allows constraints: a1 * first + a2 * second + constant, compared with 0.
    fn allows(constraints: &[(&[i128], i128, Comparison)]) -> bool {
        let all: Vec<Constraint> = constraints
            .iter()
            .map(|(factors, constant, comparison)| constraint(factors, *constant, *comparison))
            .collect();
        let zones = zones();
        let each = all.iter().all(|constraint| zones.allow(constraint)(0));
        each && zones.any_allows(std::iter::once(0), &all)
    }

    #[test]
    fn a_view_allows_all_that_some_numbers_satisfy() {
        use Comparison::{AtMost, Zero};
        // However much larger the first is.
        assert!(allows(&[(&[1, -1], -1, Zero)]));
        assert!(allows(&[(&[1, -1], -1000, Zero)]));
        assert!(!allows(&[(&[1, -1], 0, AtMost)]));
        assert!(!allows(&[(&[1, -1], 5, Zero)]));
        assert!(allows(&[(&[1], -1, AtMost)]), "the first may be 1");
        assert!(!allows(&[(&[1], 0, AtMost)]), "but not 0");
        assert!(!allows(&[(&[1, 1], 0, AtMost)]), "nor both together");
        assert!(allows(&[(&[1, 1], -1, AtMost)]));
    }

    #[test]
    fn constraints_are_asked_together() {
        use Comparison::{AtMost, Zero};
        assert!(allows(&[(&[1], -1, Zero), (&[0, 1], 0, Zero)]));
        assert!(!allows(&[(&[1], -1, Zero), (&[0, 1], -1, Zero)]), "the first is larger");
        assert!(!allows(&[(&[1], -7, AtMost), (&[0, -1], 7, AtMost)]), "at most 7, at least 7");
    }
}
