//! Linear constraints over numeric cells: simplification, satisfiability, projection.
//!
//! Whether constraints on differences are satisfiable is a question about a graph, see [`differences`]. Everything
//! else is decided by Fourier–Motzkin elimination over the rationals, with the bounds of whole numbers tightened on
//! the way; equations are substituted first. Wherever that is not exact, or numbers get too large, the answer is
//! "satisfiable", the harmless one: a cube too many costs time, a cube too few costs the proof.

mod differences;

use crate::cell::Cell;
use smallvec::{SmallVec, smallvec};

/// How a sum compares with 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Comparison {
    /// `= 0`
    Zero,
    /// `<= 0`
    AtMost,
    /// `< 0`, for reals only: for whole numbers it is `<= -1`.
    Below,
}

/// A sum of multiples of cells and a constant, compared with 0. In lowest terms, cells in order, none twice;
/// the first coefficient of an equation is positive.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Constraint {
    pub(crate) terms: SmallVec<[(Cell, i64); 3]>,
    pub(crate) comparison: Comparison,
    pub(crate) constant: i64,
    /// Whether the cells are whole numbers.
    pub(crate) whole: bool,
}

/// A constraint in normal form, or its truth value if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Simplified {
    Constraint(Constraint),
    Always,
    Never,
}

/// A sum that is being computed, before it is simplified.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sum {
    terms: SmallVec<[(Cell, i128); 3]>,
    constant: i128,
}

impl Sum {
    fn of(constraint: &Constraint) -> Sum {
        let terms = constraint.terms.iter().map(|(cell, factor)| (*cell, i128::from(*factor))).collect();
        Sum { terms, constant: constraint.constant.into() }
    }

    fn factor(&self, cell: Cell) -> i128 {
        self.terms.iter().find(|(known, _)| *known == cell).map_or(0, |(_, factor)| *factor)
    }

    /// This times one number plus the other times another; `None` if the numbers get too large.
    fn combine(&self, times: i128, other: &Sum, other_times: i128) -> Option<Sum> {
        let mut sum = Sum {
            terms: SmallVec::with_capacity(self.terms.len() + other.terms.len()),
            constant: self
                .constant
                .checked_mul(times)?
                .checked_add(other.constant.checked_mul(other_times)?)?,
        };
        for (cell, factor) in &self.terms {
            let total =
                factor.checked_mul(times)?.checked_add(other.factor(*cell).checked_mul(other_times)?)?;
            sum.terms.push((*cell, total));
        }
        for (cell, factor) in &other.terms {
            if self.factor(*cell) == 0 {
                sum.terms.push((*cell, factor.checked_mul(other_times)?));
            }
        }
        sum.terms.retain(|(_, factor)| *factor != 0);
        Some(sum)
    }
}

/// Puts a comparison of a sum with 0 into its normal form; `None` if its numbers are too large.
pub(crate) fn simplify(
    terms: impl IntoIterator<Item = (Cell, i128)>,
    constant: i128,
    comparison: Comparison,
    whole: bool,
) -> Option<Simplified> {
    let mut sum = Sum { terms: SmallVec::new(), constant };
    for (cell, factor) in terms {
        match sum.terms.iter_mut().find(|(known, _)| *known == cell) {
            Some((_, total)) => *total = total.checked_add(factor)?,
            None => sum.terms.push((cell, factor)),
        }
    }
    normal(sum, comparison, whole)
}

fn normal(mut sum: Sum, mut comparison: Comparison, whole: bool) -> Option<Simplified> {
    sum.terms.retain(|(_, factor)| *factor != 0);
    sum.terms.sort_unstable();
    if whole && comparison == Comparison::Below {
        comparison = Comparison::AtMost;
        sum.constant = sum.constant.checked_add(1)?;
    }
    if sum.terms.is_empty() {
        let holds = match comparison {
            Comparison::Zero => sum.constant == 0,
            Comparison::AtMost => sum.constant <= 0,
            Comparison::Below => sum.constant < 0,
        };
        return Some(if holds { Simplified::Always } else { Simplified::Never });
    }
    let mut divisor = sum.terms.iter().fold(0, |divisor, (_, factor)| gcd(divisor, *factor));
    if !whole {
        divisor = gcd(divisor, sum.constant);
    }
    if sum.constant % divisor != 0 && comparison == Comparison::Zero {
        return Some(Simplified::Never);
    }
    if comparison == Comparison::Zero && sum.terms[0].1 < 0 {
        divisor = -divisor;
    }
    // For whole numbers, 2x + 1 <= 0 means x + 1 <= 0: the constant is rounded up.
    let constant = -((-sum.constant).div_euclid(divisor));
    let constant = if divisor < 0 { sum.constant / divisor } else { constant };
    let terms: Option<_> =
        sum.terms.iter().map(|(cell, factor)| Some((*cell, i64::try_from(factor / divisor).ok()?))).collect();
    Some(Simplified::Constraint(Constraint {
        terms: terms?,
        comparison,
        constant: i64::try_from(constant).ok()?,
        whole,
    }))
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Constraint {
    /// The constraints whose disjunction is the negation.
    pub(crate) fn negations(&self) -> SmallVec<[Simplified; 2]> {
        let sum = Sum::of(self);
        let opposite =
            Sum { terms: sum.terms.iter().map(|(cell, f)| (*cell, -f)).collect(), constant: -sum.constant };
        let sides: SmallVec<[(Sum, Comparison); 2]> = match self.comparison {
            Comparison::Zero => smallvec![(sum, Comparison::Below), (opposite, Comparison::Below)],
            Comparison::AtMost => smallvec![(opposite, Comparison::Below)],
            Comparison::Below => smallvec![(opposite, Comparison::AtMost)],
        };
        // A number that is too large makes the negation "always", that is: nothing is known.
        sides
            .into_iter()
            .map(|(sum, comparison)| normal(sum, comparison, self.whole).unwrap_or(Simplified::Always))
            .collect()
    }

    /// Whether it compares two numbers with each other.
    pub(crate) fn is_comparison(&self) -> bool {
        self.constant == 0 && matches!(self.terms.as_slice(), [(_, 1), (_, -1)] | [(_, -1), (_, 1)])
    }

    /// The constraint with its cells replaced by others.
    pub(crate) fn map(&self, change: impl Fn(Cell) -> Cell) -> Constraint {
        let mut terms: SmallVec<[(Cell, i64); 3]> =
            self.terms.iter().map(|(cell, factor)| (change(*cell), *factor)).collect();
        terms.sort_unstable();
        let mut constraint = Constraint { terms, ..self.clone() };
        if constraint.comparison == Comparison::Zero && constraint.terms[0].1 < 0 {
            constraint.terms.iter_mut().for_each(|(_, factor)| *factor = -*factor);
            constraint.constant = -constraint.constant;
        }
        constraint
    }
}

/// A conjunction under elimination.
struct System {
    rows: Vec<(Sum, Comparison, bool)>,
}

/// With more rows than this the elimination is given up.
const MAX_ROWS: usize = 512;

/// Whether all constraints can hold at once. May say yes where the answer is no.
pub(crate) fn satisfiable<'c>(constraints: impl IntoIterator<Item = &'c Constraint> + Clone) -> bool {
    differences::satisfiable(constraints.clone()).unwrap_or_else(|| satisfiable_by_elimination(constraints))
}

fn satisfiable_by_elimination<'c>(constraints: impl IntoIterator<Item = &'c Constraint>) -> bool {
    let mut system = System { rows: vec![] };
    for constraint in constraints {
        system.rows.push((Sum::of(constraint), constraint.comparison, constraint.whole));
    }
    if system.rows.len() < 2 {
        return true;
    }
    while let Some(cell) = system.next_cell() {
        match system.eliminate(cell) {
            Step::Done => {}
            Step::Contradiction => return false,
            Step::TooLarge => return true,
        }
    }
    true
}

/// Whether the constraints imply another. May say no where the answer is yes.
pub(crate) fn entails(constraints: &[Constraint], facts: &[Constraint], conclusion: &Constraint) -> bool {
    if constraints.iter().any(|known| implies(known, conclusion)) {
        return true;
    }
    conclusion.negations().iter().all(|negation| match negation {
        Simplified::Never => true,
        Simplified::Always => false,
        Simplified::Constraint(negation) => {
            !satisfiable(constraints.iter().chain(facts).chain(std::iter::once(negation)))
        }
    })
}

/// Whether a constraint implies another with the same sum: a quick test for the common case.
fn implies(known: &Constraint, conclusion: &Constraint) -> bool {
    if known.terms != conclusion.terms {
        return false;
    }
    match (known.comparison, conclusion.comparison) {
        (a, b) if a == b && a == Comparison::Zero => known.constant == conclusion.constant,
        (Comparison::AtMost | Comparison::Zero, Comparison::Below) => known.constant > conclusion.constant,
        (_, Comparison::AtMost | Comparison::Below) => known.constant >= conclusion.constant,
        (_, Comparison::Zero) => false,
    }
}

/// What the constraints imply about the other cells, for any value of one cell.
pub(crate) fn project(constraints: &[Constraint], cell: Cell) -> Option<Vec<Constraint>> {
    let rows = constraints.iter().map(|c| (Sum::of(c), c.comparison, c.whole)).collect();
    let mut system = System { rows };
    match system.eliminate(cell) {
        Step::Contradiction => None,
        // Whatever is left out only weakens the conjunction.
        Step::TooLarge => Some(
            constraints.iter().filter(|c| c.terms.iter().all(|(known, _)| *known != cell)).cloned().collect(),
        ),
        Step::Done => {
            let mut projected = Vec::new();
            for (sum, comparison, whole) in system.rows {
                match normal(sum, comparison, whole) {
                    Some(Simplified::Never) => return None,
                    Some(Simplified::Constraint(constraint)) => projected.push(constraint),
                    Some(Simplified::Always) | None => {}
                }
            }
            Some(projected)
        }
    }
}

enum Step {
    Done,
    Contradiction,
    TooLarge,
}

impl System {
    /// The cell to eliminate next: one with an equation, else the one that gives the fewest rows.
    fn next_cell(&self) -> Option<Cell> {
        let mut cells: Vec<(Cell, usize, usize)> = Vec::new();
        for (sum, comparison, whole) in &self.rows {
            for (cell, factor) in &sum.terms {
                if *comparison == Comparison::Zero && (!whole || factor.abs() == 1) {
                    return Some(*cell);
                }
                let at = cells.iter().position(|(known, ..)| known == cell).unwrap_or_else(|| {
                    cells.push((*cell, 0, 0));
                    cells.len() - 1
                });
                let both = *comparison == Comparison::Zero;
                cells[at].1 += usize::from(both || *factor > 0);
                cells[at].2 += usize::from(both || *factor < 0);
            }
        }
        cells.into_iter().min_by_key(|(cell, above, below)| (above * below, *cell)).map(|(cell, ..)| cell)
    }

    fn eliminate(&mut self, cell: Cell) -> Step {
        let rows = std::mem::take(&mut self.rows);
        let (with, without): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.0.factor(cell) != 0);
        self.rows = without;
        let usable = |row: &(Sum, Comparison, bool)| {
            row.1 == Comparison::Zero && (!row.2 || row.0.factor(cell).abs() == 1)
        };
        if let Some(at) = with.iter().position(usable) {
            return self.substitute(cell, at, &with);
        }
        for (number, one) in with.iter().enumerate() {
            for other in &with[number + 1..] {
                match self.resolve(cell, one, other) {
                    Step::Done => {}
                    stop => return stop,
                }
            }
        }
        if self.rows.len() > MAX_ROWS { Step::TooLarge } else { Step::Done }
    }

    /// Eliminates a cell by an equation.
    fn substitute(&mut self, cell: Cell, at: usize, with: &[(Sum, Comparison, bool)]) -> Step {
        let equation = &with[at].0;
        let factor = equation.factor(cell);
        for (number, (sum, comparison, whole)) in with.iter().enumerate() {
            if number == at {
                continue;
            }
            // Multiplied by a positive number, so that the comparison stays as it is.
            let times = -sum.factor(cell) * factor.signum();
            let Some(sum) = sum.combine(factor.abs(), equation, times) else { return Step::TooLarge };
            if let Step::Contradiction = self.add(sum, *comparison, *whole) {
                return Step::Contradiction;
            }
        }
        Step::Done
    }

    /// What a lower and an upper bound imply together.
    fn resolve(
        &mut self,
        cell: Cell,
        one: &(Sum, Comparison, bool),
        other: &(Sum, Comparison, bool),
    ) -> Step {
        let (mut a, mut b) = (one.0.factor(cell), other.0.factor(cell));
        if a.signum() == b.signum() {
            match (one.1, other.1) {
                (Comparison::Zero, _) => a = -a,
                (_, Comparison::Zero) => b = -b,
                _ => return Step::Done,
            }
        }
        let (flip_one, flip_other) = (a != one.0.factor(cell), b != other.0.factor(cell));
        let times = |factor: i128, flip: bool| if flip { -factor.abs() } else { factor.abs() };
        let comparison = match (one.1, other.1) {
            (Comparison::Zero, Comparison::Zero) => Comparison::Zero,
            (Comparison::Below, _) | (_, Comparison::Below) => Comparison::Below,
            _ => Comparison::AtMost,
        };
        match one.0.combine(times(b, flip_one), &other.0, times(a, flip_other)) {
            Some(sum) => self.add(sum, comparison, one.2),
            None => Step::TooLarge,
        }
    }

    fn add(&mut self, sum: Sum, comparison: Comparison, whole: bool) -> Step {
        match normal(sum, comparison, whole) {
            None => Step::TooLarge,
            Some(Simplified::Never) => Step::Contradiction,
            Some(Simplified::Always) => Step::Done,
            Some(Simplified::Constraint(constraint)) => {
                self.rows.push((Sum::of(&constraint), constraint.comparison, constraint.whole));
                Step::Done
            }
        }
    }
}

#[cfg(test)]
mod tests;
