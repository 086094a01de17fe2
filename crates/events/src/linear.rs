//! Linear constraints over numbers: normal form, satisfiability, entailment, projection.
//!
//! Satisfiability is decided by Fourier–Motzkin elimination over the rationals, with the bounds of whole numbers tightened on
//! the way. Where that is not exact, or takes too long, the answer is "satisfiable", which costs precision and never a proof
//! that is wrong.

use crate::variable::Variable;
use smallvec::SmallVec;

/// With more constraints than this, elimination is given up.
const MOST_CONSTRAINTS: usize = 200;

type Terms = SmallVec<[(Variable, i128); 2]>;

/// A sum of multiples of variables and a constant, all divided by a positive number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sum {
    terms: Terms,
    constant: i128,
    divisor: i128,
}

impl Sum {
    pub(crate) fn constant(numerator: i64, denominator: i64) -> Sum {
        Sum { terms: Terms::new(), constant: numerator.into(), divisor: denominator.into() }
    }

    pub(crate) fn variable(variable: Variable) -> Sum {
        Sum { terms: [(variable, 1)].into_iter().collect(), constant: 0, divisor: 1 }
    }

    /// This plus a multiple of another; `None` if the numbers get too large.
    pub(crate) fn plus(&self, factor: i128, other: &Sum) -> Option<Sum> {
        let (mine, others) = (other.divisor, factor.checked_mul(self.divisor)?);
        let mut sum = Sum {
            terms: Terms::new(),
            constant: weighted(self.constant, mine, other.constant, others)?,
            divisor: self.divisor.checked_mul(other.divisor)?,
        };
        for (variable, _) in self.terms.iter().chain(&other.terms) {
            if coefficient(&sum.terms, *variable) == 0 {
                let (a, b) = (coefficient(&self.terms, *variable), coefficient(&other.terms, *variable));
                let total = weighted(a, mine, b, others)?;
                if total != 0 {
                    sum.terms.push((*variable, total));
                }
            }
        }
        Some(sum)
    }
}

fn coefficient(terms: &Terms, variable: Variable) -> i128 {
    terms.iter().find(|(known, _)| *known == variable).map_or(0, |(_, factor)| *factor)
}

fn weighted(left: i128, left_times: i128, right: i128, right_times: i128) -> Option<i128> {
    left.checked_mul(left_times)?.checked_add(right.checked_mul(right_times)?)
}

/// A sum that is at most 0, or less than 0. In lowest terms, with variables in order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Inequality {
    pub(crate) terms: Terms,
    pub(crate) constant: i128,
    /// Less than 0. Never for whole numbers.
    pub(crate) strict: bool,
    /// Whether the variables are whole numbers.
    pub(crate) whole: bool,
}

/// A constraint in normal form, or its truth value if it has one.
#[derive(Debug)]
pub(crate) enum Simplified {
    Inequality(Inequality),
    Always,
    Never,
}

impl Inequality {
    /// `sum <= 0`, or `sum < 0`. `None` if the numbers get too large.
    pub(crate) fn simplified(sum: Sum, strict: bool, whole: bool) -> Option<Simplified> {
        Inequality { terms: sum.terms, constant: sum.constant, strict, whole }.normal()
    }

    fn normal(mut self) -> Option<Simplified> {
        self.terms.retain(|(_, factor)| *factor != 0);
        self.terms.sort_unstable();
        if self.whole && self.strict {
            self.strict = false;
            self.constant = self.constant.checked_add(1)?;
        }
        if self.terms.is_empty() {
            let holds = if self.strict { self.constant < 0 } else { self.constant <= 0 };
            return Some(if holds { Simplified::Always } else { Simplified::Never });
        }
        let mut divisor = self.terms.iter().fold(0, |divisor, (_, factor)| gcd(divisor, *factor));
        if !self.whole {
            divisor = gcd(divisor, self.constant);
        }
        self.terms.iter_mut().for_each(|(_, factor)| *factor /= divisor);
        // Rounded up: a whole sum that is at most -5/2 is at most -3.
        self.constant = -((-self.constant).div_euclid(divisor));
        let fits = |number: i128| i64::try_from(number).is_ok();
        let small = fits(self.constant) && self.terms.iter().all(|(_, factor)| fits(*factor));
        small.then_some(Simplified::Inequality(self))
    }

    pub(crate) fn variables(&self) -> impl Iterator<Item = Variable> {
        self.terms.iter().map(|(variable, _)| *variable)
    }

    pub(crate) fn mentions(&self, variable: Variable) -> bool {
        coefficient(&self.terms, variable) != 0
    }

    /// The sum that is compared with 0.
    pub(crate) fn sum(&self) -> Sum {
        Sum { terms: self.terms.clone(), constant: self.constant, divisor: 1 }
    }

    /// The constant of the sum.
    pub(crate) fn constant_sum(&self) -> Sum {
        Sum { terms: Terms::new(), constant: self.constant, divisor: 1 }
    }

    /// The bounds of a variable.
    pub(crate) fn bounds(variable: Variable, (low, high): (i64, i64)) -> [Inequality; 2] {
        let bound = |factor: i128, constant: i128| Inequality {
            terms: [(variable, factor)].into_iter().collect(),
            constant,
            strict: false,
            whole: true,
        };
        [bound(-1, low.into()), bound(1, -i128::from(high))]
    }

    fn negated(&self) -> Option<Inequality> {
        let terms = self.terms.iter().map(|(variable, factor)| (*variable, -factor)).collect();
        let constant = self.constant.checked_neg()?;
        match (Inequality { terms, constant, strict: !self.strict, whole: self.whole }).normal()? {
            Simplified::Inequality(negated) => Some(negated),
            Simplified::Always | Simplified::Never => None,
        }
    }

    /// Whether it follows from another with the same terms.
    pub(crate) fn follows_from(&self, other: &Inequality) -> bool {
        self.terms == other.terms
            && (other.constant > self.constant
                || other.constant == self.constant && (other.strict || !self.strict))
    }

    /// The sum of both in which a variable cancels, which has different signs in them.
    fn without(&self, other: &Inequality, variable: Variable) -> Option<Simplified> {
        let (a, b) = (coefficient(&self.terms, variable), coefficient(&other.terms, variable));
        let (left, right) = (self.sum(), other.sum());
        let scaled = Sum::constant(0, 1).plus(b.checked_abs()?, &left)?.plus(a.checked_abs()?, &right)?;
        Inequality::simplified(scaled, self.strict || other.strict, self.whole)
    }

    pub(crate) fn map(&self, change: impl Fn(Variable) -> Variable) -> Inequality {
        let mut mapped = self.clone();
        mapped.terms.iter_mut().for_each(|(variable, _)| *variable = change(*variable));
        mapped.terms.sort_unstable();
        mapped
    }
}

/// Whether some numbers may satisfy all constraints.
pub(crate) fn satisfiable(constraints: &[Inequality]) -> bool {
    let mut all = tightest(constraints);
    while let Some(variable) = easiest(&all) {
        match projected(&all, variable) {
            None => return false,
            Some(rest) if rest.len() > MOST_CONSTRAINTS => return true,
            Some(rest) => all = rest,
        }
    }
    true
}

/// Whether a constraint holds wherever the others do.
pub(crate) fn entails(constraints: &[Inequality], conclusion: &Inequality) -> bool {
    if constraints.iter().any(|known| conclusion.follows_from(known)) {
        return true;
    }
    let Some(negated) = conclusion.negated() else { return false };
    let all: Vec<Inequality> = constraints.iter().cloned().chain([negated]).collect();
    !satisfiable(&all)
}

/// What constraints say about the other variables; `None` if they contradict each other.
pub(crate) fn projected(constraints: &[Inequality], variable: Variable) -> Option<Vec<Inequality>> {
    let factor = |constraint: &&Inequality| coefficient(&constraint.terms, variable);
    let (with, without): (Vec<&Inequality>, Vec<&Inequality>) =
        constraints.iter().partition(|constraint| factor(constraint) != 0);
    let mut rest: Vec<Inequality> = without.into_iter().cloned().collect();
    let (mut above, mut below): (Vec<&Inequality>, Vec<&Inequality>) =
        with.into_iter().partition(|constraint| factor(constraint) > 0);
    let pairs: Vec<(&Inequality, &Inequality)> = if let Some((upper, lower)) = equation(&above, &below) {
        // With an equation, the variable is what the others make of it.
        above.retain(|constraint| *constraint != upper);
        below.retain(|constraint| *constraint != lower);
        let others = above.iter().map(|other| (*other, lower));
        others.chain(below.iter().map(|other| (upper, *other))).collect()
    } else {
        above.iter().flat_map(|upper| below.iter().map(|lower| (*upper, *lower))).collect()
    };
    for (upper, lower) in pairs {
        match upper.without(lower, variable) {
            Some(Simplified::Never) => return None,
            Some(Simplified::Inequality(constraint)) => rest.push(constraint),
            // What is too large to be computed is forgotten.
            Some(Simplified::Always) | None => {}
        }
    }
    Some(tightest(&rest))
}

/// Two constraints that make an equation together.
fn equation<'a>(
    above: &[&'a Inequality],
    below: &[&'a Inequality],
) -> Option<(&'a Inequality, &'a Inequality)> {
    let pairs = above.iter().flat_map(|upper| below.iter().map(|lower| (*upper, *lower)));
    let is_opposite =
        |((left, a), (right, b)): (&(Variable, i128), &(Variable, i128))| left == right && *a == -*b;
    pairs.into_iter().find(|(upper, lower)| {
        upper.terms.len() == lower.terms.len()
            && upper.constant == -lower.constant
            && !upper.strict
            && !lower.strict
            && upper.terms.iter().zip(&lower.terms).all(is_opposite)
    })
}

/// The constraints without those that follow from another with the same terms.
pub(crate) fn tightest(constraints: &[Inequality]) -> Vec<Inequality> {
    let mut kept: Vec<Inequality> = Vec::with_capacity(constraints.len());
    for constraint in constraints {
        if kept.iter().any(|known| constraint.follows_from(known)) {
            continue;
        }
        kept.retain(|known| !known.follows_from(constraint));
        kept.push(constraint.clone());
    }
    kept.sort_unstable();
    kept
}

/// The variable whose elimination gives the fewest constraints.
fn easiest(constraints: &[Inequality]) -> Option<Variable> {
    let cost = |variable: &Variable| {
        let signs = |positive: bool| {
            let has_sign = |constraint: &&Inequality| match coefficient(&constraint.terms, *variable) {
                0 => false,
                factor => (factor > 0) == positive,
            };
            constraints.iter().filter(has_sign).count()
        };
        signs(true) * signs(false)
    };
    constraints.iter().flat_map(Inequality::variables).min_by_key(cost)
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variable::Location;

    fn variable(number: u16) -> Variable {
        Variable::cell(Location::new(number, &[]))
    }

    /// `a x0 + b x1 + c <= 0`
    fn at_most([a, b]: [i128; 2], constant: i64, whole: bool) -> Inequality {
        let parts = [(0, a), (1, b)];
        let sum = parts.into_iter().fold(Sum::constant(constant, 1), |sum, (at, factor)| {
            sum.plus(factor, &Sum::variable(variable(at))).unwrap()
        });
        match Inequality::simplified(sum, false, whole).unwrap() {
            Simplified::Inequality(constraint) => constraint,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn whole_numbers_leave_no_room_between_neighbours() {
        // 1 <= 2x <= 1, in whole numbers and in others.
        for whole in [true, false] {
            let between = [at_most([2, 0], -1, whole), at_most([-2, 0], 1, whole)];
            assert_eq!(satisfiable(&between), !whole);
        }
    }

    #[test]
    fn a_chain_of_comparisons_is_transitive() {
        // x0 + 1 <= x1 and x1 <= 3 give x0 <= 2, and no less.
        let known = [at_most([1, -1], 1, true), at_most([0, 1], -3, true)];
        assert!(entails(&known, &at_most([1, 0], -2, true)));
        assert!(!entails(&known, &at_most([1, 0], -1, true)));
        let about_the_first = projected(&known, variable(1)).unwrap();
        assert_eq!(about_the_first, [at_most([1, 0], -2, true)]);
    }

    #[test]
    fn numbers_that_do_not_fit_are_no_answer() {
        let large = Sum::constant(i64::MAX, 1).plus(i128::MAX / 2, &Sum::variable(variable(0)));
        assert!(large.unwrap().plus(3, &Sum::constant(0, 3)).is_none());
    }
}
