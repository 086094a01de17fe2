//! Conjunctions of linear constraints: exact elimination in the manner of Fourier and Motzkin.
//!
//! Over the rationals the answer is exact. Over the integers, constants are rounded to what integers can attain, and the rest
//! is decided over the rationals: the answer "infeasible" is always right, "feasible" may be wrong.

use super::{
    Obstacle,
    tree::{Cell, Literal, Tree},
};
use std::collections::BTreeMap;

/// How a sum relates to 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Relation {
    /// `= 0`
    Zero,
    /// `<= 0`
    AtMost,
    /// `< 0`
    Below,
}

/// A sum of multiples of cells and a constant that relates to 0.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Sum {
    /// Coefficients other than 0, sorted by cell.
    pub(crate) parts: Vec<(Cell, i128)>,
    pub(crate) constant: i128,
    pub(crate) relation: Relation,
    /// Whether all cells hold integers.
    pub(crate) integral: bool,
}

/// The value of a term: a sum of multiples of cells and a constant, divided by a positive number.
#[derive(Debug, Clone)]
pub(crate) struct Quotient {
    pub(crate) parts: Vec<(Cell, i128)>,
    pub(crate) constant: i128,
    pub(crate) divisor: i128,
}

/// With more constraints than this the elimination is given up.
const MOST_CONSTRAINTS: usize = 2_000;

type Checked<T> = Result<T, Obstacle>;

fn fits(value: Option<i128>) -> Checked<i128> {
    value.ok_or_else(|| Obstacle::TooHard("numbers that do not fit into 128 bits".into()))
}

impl Quotient {
    /// One cell.
    pub(crate) fn cell(cell: Cell) -> Quotient {
        Quotient { parts: vec![(cell, 1)], constant: 0, divisor: 1 }
    }

    /// A constant.
    pub(crate) fn constant(numerator: i128, divisor: i128) -> Quotient {
        Quotient { parts: vec![], constant: numerator, divisor }
    }

    /// This and a multiple of another.
    pub(crate) fn plus(&self, factor: i128, other: &Quotient) -> Checked<Quotient> {
        let scale = fits(factor.checked_mul(self.divisor))?;
        Ok(Quotient {
            parts: combined(&self.parts, other.divisor, &other.parts, scale)?,
            constant: weighted(self.constant, other.divisor, other.constant, scale)?,
            divisor: fits(self.divisor.checked_mul(other.divisor))?,
        })
    }
}

/// `a·x + b·y`
fn weighted(x: i128, a: i128, y: i128, b: i128) -> Checked<i128> {
    let (left, right) = (fits(x.checked_mul(a))?, fits(y.checked_mul(b))?);
    fits(left.checked_add(right))
}

/// `a·left + b·right`
fn combined(left: &[(Cell, i128)], a: i128, right: &[(Cell, i128)], b: i128) -> Checked<Vec<(Cell, i128)>> {
    let mut all: Vec<(Cell, i128)> = Vec::with_capacity(left.len() + right.len());
    for (parts, factor) in [(left, a), (right, b)] {
        for (cell, coefficient) in parts {
            let product = fits(coefficient.checked_mul(factor))?;
            match all.iter_mut().find(|(known, _)| known == cell) {
                Some((_, sum)) => *sum = fits(sum.checked_add(product))?,
                None => all.push((*cell, product)),
            }
        }
    }
    all.retain(|(_, coefficient)| *coefficient != 0);
    all.sort_unstable();
    Ok(all)
}

/// `left - right` relates to 0 as given. `integral` tells whether all cells in it hold integers.
pub(crate) fn difference(
    left: &Quotient,
    right: &Quotient,
    relation: Relation,
    integral: bool,
) -> Checked<Tree> {
    let Quotient { parts, constant, .. } = left.plus(-1, right)?;
    let sum = Sum { parts, constant, relation, integral };
    Ok(match sum.tightened()? {
        Tightened::Constant(truth) => Tree::constant(truth),
        Tightened::Sum(sum) => Tree::Literal(Literal::Linear(sum)),
    })
}

enum Tightened {
    Constant(bool),
    Sum(Sum),
}

impl Sum {
    /// The same constraint with small coefficients; over integers, with the constant rounded.
    fn tightened(mut self) -> Checked<Tightened> {
        let divisor = self.parts.iter().fold(0, |divisor, (_, coefficient)| gcd(divisor, *coefficient));
        if divisor == 0 {
            return Ok(Tightened::Constant(self.relation.holds(self.constant)));
        }
        if self.integral && self.relation == Relation::Below {
            self.constant = fits(self.constant.checked_add(1))?;
            self.relation = Relation::AtMost;
        }
        let divides = self.constant % divisor == 0;
        if self.integral && self.relation == Relation::Zero && !divides {
            return Ok(Tightened::Constant(false));
        }
        if self.integral || divides {
            self.parts.iter_mut().for_each(|(_, coefficient)| *coefficient /= divisor);
            // Of a sum of integers that is at most -c/d, the greatest value is rounded down: c/d is rounded up.
            let up = self.constant.rem_euclid(divisor) != 0;
            self.constant = self.constant.div_euclid(divisor) + i128::from(up);
        }
        Ok(Tightened::Sum(self))
    }

    fn coefficient(&self, cell: Cell) -> i128 {
        self.parts.iter().find(|(known, _)| *known == cell).map_or(0, |(_, coefficient)| *coefficient)
    }

    /// `a·self + b·other` without the cell that this cancels. `a` must be positive; `b` too, unless `other` is an equation.
    fn cancelled(&self, a: i128, other: &Sum, b: i128) -> Checked<Sum> {
        Ok(Sum {
            parts: combined(&self.parts, a, &other.parts, b)?,
            constant: weighted(self.constant, a, other.constant, b)?,
            relation: self.relation.max(other.relation),
            integral: self.integral && other.integral,
        })
    }

    /// Whether another constraint on the same multiples, or their opposites, holds or fails because this one holds.
    pub(crate) fn settles(&self, other: &Sum) -> Option<bool> {
        let multiples = |sign: i128| {
            let pairs = self.parts.iter().zip(&other.parts);
            self.parts.len() == other.parts.len()
                && pairs.into_iter().all(|((a, x), (b, y))| a == b && x.checked_mul(sign) == Some(*y))
        };
        if multiples(1) {
            // The other sum is this one plus a constant.
            let shift = other.constant.checked_sub(self.constant)?;
            return match (self.relation, other.relation) {
                (Relation::Zero, relation) => Some(relation.holds(shift)),
                (_, Relation::Zero) => None,
                (Relation::AtMost, Relation::Below) => (shift < 0).then_some(true),
                _ => (shift <= 0).then_some(true),
            };
        }
        if multiples(-1) {
            // The other sum is the opposite of this one plus a constant.
            let more = self.constant.checked_add(other.constant)?;
            return match (self.relation, other.relation) {
                (Relation::Zero, relation) => Some(relation.holds(more)),
                (Relation::Below, _) | (_, Relation::Below) => (more >= 0).then_some(false),
                _ => (more > 0).then_some(false),
            };
        }
        None
    }
}

impl Relation {
    /// Whether a number relates to 0 like this.
    fn holds(self, number: i128) -> bool {
        match self {
            Relation::Zero => number == 0,
            Relation::AtMost => number <= 0,
            Relation::Below => number < 0,
        }
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    // Coefficients are products that fit, and not 0: only the least number of all has no opposite.
    i128::try_from(a).unwrap_or(1)
}

/// Whether some numbers may satisfy all constraints. The answer false is always right.
pub(crate) fn feasible(constraints: &[Sum]) -> Checked<bool> {
    let mut todo: Vec<Sum> = Vec::with_capacity(constraints.len());
    for constraint in constraints {
        if !add(&mut todo, constraint.clone())? {
            return Ok(false);
        }
    }
    while let Some(at) = todo.iter().position(|sum| sum.relation == Relation::Zero) {
        let equation = todo.swap_remove(at);
        // A coefficient of 1 keeps the others small.
        let Some((cell, coefficient)) = equation.parts.iter().min_by_key(|(_, c)| c.unsigned_abs()).copied()
        else {
            continue;
        };
        if !substitute(&mut todo, &equation, cell, coefficient)? {
            return Ok(false);
        }
    }
    while let Some(cell) = cheapest(&todo) {
        if !eliminate(&mut todo, cell)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Adds a constraint; false if it contradicts itself.
fn add(todo: &mut Vec<Sum>, sum: Sum) -> Checked<bool> {
    match sum.tightened()? {
        Tightened::Constant(truth) => return Ok(truth),
        Tightened::Sum(sum) if !todo.contains(&sum) => todo.push(sum),
        Tightened::Sum(_) => {}
    }
    if todo.len() > MOST_CONSTRAINTS {
        return Err(Obstacle::TooHard("too many linear constraints".into()));
    }
    Ok(true)
}

/// Eliminates a cell from all constraints by an equation.
fn substitute(todo: &mut Vec<Sum>, equation: &Sum, cell: Cell, coefficient: i128) -> Checked<bool> {
    for sum in std::mem::take(todo) {
        let other = sum.coefficient(cell);
        let sum = if other == 0 {
            sum
        } else {
            let sign = if coefficient < 0 { -1 } else { 1 };
            let factor = fits(other.checked_mul(-sign))?;
            let relation = sum.relation;
            let size = fits(coefficient.checked_abs())?;
            Sum { relation, ..sum.cancelled(size, equation, factor)? }
        };
        if !add(todo, sum)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The cell whose elimination adds the fewest constraints.
fn cheapest(todo: &[Sum]) -> Option<Cell> {
    let mut bounds: BTreeMap<Cell, (usize, usize)> = BTreeMap::new();
    for (cell, coefficient) in todo.iter().flat_map(|sum| &sum.parts) {
        let (above, below) = bounds.entry(*cell).or_default();
        *if *coefficient > 0 { above } else { below } += 1;
    }
    bounds.into_iter().min_by_key(|(_, (above, below))| above * below).map(|(cell, _)| cell)
}

/// Replaces the constraints on a cell by what follows from each pair of bounds.
fn eliminate(todo: &mut Vec<Sum>, cell: Cell) -> Checked<bool> {
    let (bounds, rest): (Vec<Sum>, Vec<Sum>) =
        std::mem::take(todo).into_iter().partition(|sum| sum.coefficient(cell) != 0);
    *todo = rest;
    for upper in bounds.iter().filter(|sum| sum.coefficient(cell) > 0) {
        for lower in bounds.iter().filter(|sum| sum.coefficient(cell) < 0) {
            let sum = upper.cancelled(
                fits(lower.coefficient(cell).checked_neg())?,
                lower,
                upper.coefficient(cell),
            )?;
            if !add(todo, sum)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(parts: &[(Cell, i128)], constant: i128, relation: Relation, integral: bool) -> Sum {
        Sum { parts: parts.to_vec(), constant, relation, integral }
    }

    #[test]
    fn small_systems_are_decided_as_by_enumeration() {
        // All systems of three constraints with small numbers over two integers that are kept between -3 and 3.
        let mut seed: u64 = 7;
        let mut next = |limit: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i128::from((seed >> 33) % limit)
        };
        let (mut none, mut some) = (0, 0);
        for _ in 0..3_000 {
            let mut system = Vec::new();
            for cell in 0..2 {
                system.push(sum(&[(cell, 1)], -3, Relation::AtMost, true));
                system.push(sum(&[(cell, -1)], -3, Relation::AtMost, true));
            }
            for _ in 0..3 {
                let mut parts = vec![(0, next(7) - 3), (1, next(7) - 3)];
                parts.retain(|(_, coefficient)| *coefficient != 0);
                let relation = match next(3) {
                    0 => Relation::Zero,
                    1 => Relation::AtMost,
                    _ => Relation::Below,
                };
                system.push(sum(&parts, next(9) - 4, relation, true));
            }
            let holds = |x: i128, y: i128| {
                system.iter().all(|sum| {
                    let value = sum.coefficient(0) * x + sum.coefficient(1) * y + sum.constant;
                    match sum.relation {
                        Relation::Zero => value == 0,
                        Relation::AtMost => value <= 0,
                        Relation::Below => value < 0,
                    }
                })
            };
            let exists = (-3..=3).any(|x| (-3..=3).any(|y| holds(x, y)));
            let answer = feasible(&system).ok().unwrap();
            assert!(answer || !exists, "{system:?}");
            none += usize::from(!answer);
            some += usize::from(exists);
        }
        assert!(none > 500 && some > 500, "{none} {some}");
    }

    #[test]
    fn what_settles_another_constraint_does() {
        let relations = [Relation::Zero, Relation::AtMost, Relation::Below];
        let mut settled = 0;
        for (known, other) in relations.iter().flat_map(|a| relations.iter().map(move |b| (*a, *b))) {
            for (c, d, sign) in (-3..=3).flat_map(|c| (-3..=3).flat_map(move |d| [(c, d, 1), (c, d, -1)])) {
                let first = sum(&[(0, 1)], c, known, false);
                let second = sum(&[(0, sign)], d, other, false);
                let Some(truth) = first.settles(&second) else { continue };
                settled += 1;
                // Halves, as both may be fractions: every x with the one has the other, or none has.
                for half in (-20..=20).filter(|half| known.holds(half + 2 * c)) {
                    assert_eq!(other.holds(sign * half + 2 * d), truth, "{first:?} {second:?} {half}");
                }
            }
        }
        assert!(settled > 200, "{settled}");
    }

    #[test]
    fn rationals_are_exact() {
        // x < y < x + 1 has a rational solution and no whole one.
        let between = |integral| {
            [
                sum(&[(0, 1), (1, -1)], 0, Relation::Below, integral),
                sum(&[(0, -1), (1, 1)], -1, Relation::Below, integral),
            ]
        };
        assert!(feasible(&between(false)).ok().unwrap());
        assert!(!feasible(&between(true)).ok().unwrap());
        assert!(!feasible(&[sum(&[(0, 2)], 1, Relation::Zero, true)]).ok().unwrap());
        assert!(feasible(&[sum(&[(0, 2)], 1, Relation::Zero, false)]).ok().unwrap());
    }

    #[test]
    fn numbers_that_do_not_fit_are_no_answer() {
        let huge = i128::MAX / 2;
        let system = [
            sum(&[(0, huge), (1, 3)], 1, Relation::AtMost, true),
            sum(&[(0, -7), (1, huge - 1)], 1, Relation::AtMost, true),
            sum(&[(0, 5), (1, -huge)], 1, Relation::AtMost, true),
        ];
        assert!(matches!(feasible(&system), Err(Obstacle::TooHard(_))));
    }
}
