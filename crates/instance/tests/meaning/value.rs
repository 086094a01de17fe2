//! Values of variables and cells, with exact numbers.

use ir::Number;
use std::cmp::Ordering;

/// The value of a variable or cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    /// A process of the run, from 0.
    Process(usize),
    /// A process outside of the run.
    Outsider(u32),
    /// A constructor of an enumeration.
    Constructor(u32),
    /// An exact number.
    Number(Rational),
    /// A value of an abstract type; in a state these are numbered by first occurrence.
    Abstract(u32),
    /// Undecided: any value while initial states are built; in a state, a number that is unset.
    Open,
}

impl Value {
    /// A whole number.
    pub(crate) fn whole(value: i64) -> Value {
        Value::Number(Rational::whole(value.into()))
    }

    /// A number of things.
    pub(crate) fn size(value: usize) -> Value {
        Value::Number(Rational::whole(i128::try_from(value).expect("few things")))
    }
}

/// A fraction in lowest terms with a positive denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Rational {
    numerator: i128,
    denominator: i128,
}

impl Rational {
    /// A whole number.
    pub(crate) fn whole(value: i128) -> Rational {
        Rational { numerator: value, denominator: 1 }
    }

    fn new(numerator: i128, denominator: i128) -> Rational {
        let divisor = gcd(numerator.abs(), denominator);
        Rational { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// The sum; `None` on overflow.
    pub(crate) fn plus(self, other: Rational) -> Option<Rational> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Some(Rational::new(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?))
    }

    /// The product with a whole number; `None` on overflow.
    pub(crate) fn times(self, factor: i64) -> Option<Rational> {
        Some(Rational::new(self.numerator.checked_mul(factor.into())?, self.denominator))
    }

    /// Whether it lies between two whole numbers, inclusive.
    pub(crate) fn within(self, low: i64, high: i64) -> bool {
        Rational::whole(low.into()) <= self && self <= Rational::whole(high.into())
    }
}

impl From<Number> for Rational {
    fn from(number: Number) -> Rational {
        Rational::new(number.numerator().into(), number.denominator().into())
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        let product =
            |a: i128, b: i128| a.checked_mul(b).expect("numbers that were computed fit with room to spare");
        product(self.numerator, other.denominator).cmp(&product(other.numerator, self.denominator))
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
