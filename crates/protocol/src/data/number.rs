//! Exact numbers: integers, and fractions of them.

use super::Value;
use std::cmp::Ordering;

/// A fraction in lowest terms with a positive denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number {
    above: i128,
    below: i128,
}

impl Number {
    pub(super) fn of(value: &Value) -> Option<Number> {
        match value {
            Value::Integer(value) => Some(Number { above: i128::from(*value), below: 1 }),
            Value::Ratio(above, below) => {
                Some(Number { above: i128::from(*above), below: i128::from(*below) })
            }
            _ => None,
        }
    }

    /// As a value; `None` if it does not fit.
    pub(super) fn value(self) -> Option<Value> {
        let above = i64::try_from(self.above).ok()?;
        let below = i64::try_from(self.below).ok()?;
        Some(if below == 1 { Value::Integer(above) } else { Value::Ratio(above, below) })
    }

    // Parts fit into 64 bits, so that products of two and their sums fit into 128.
    pub(super) fn plus(self, other: Number) -> Number {
        lowest(self.above * other.below + other.above * self.below, self.below * other.below)
    }

    pub(super) fn negated(self) -> Number {
        Number { above: -self.above, ..self }
    }

    pub(super) fn times(self, other: Number) -> Number {
        lowest(self.above * other.above, self.below * other.below)
    }

    /// `None` for a division by zero.
    pub(super) fn over(self, other: Number) -> Option<Number> {
        (other.above != 0).then(|| lowest(self.above * other.below, self.below * other.above))
    }

    pub(super) fn compare(self, other: Number) -> Ordering {
        (self.above * other.below).cmp(&(other.above * self.below))
    }

    pub(super) fn floor(self) -> Number {
        Number { above: self.above.div_euclid(self.below), below: 1 }
    }

    pub(super) fn ceiling(self) -> Number {
        self.negated().floor().negated()
    }

    /// Towards zero.
    pub(super) fn truncated(self) -> Number {
        Number { above: self.above / self.below, below: 1 }
    }
}

fn lowest(above: i128, below: i128) -> Number {
    let sign = if below < 0 { -1 } else { 1 };
    let divisor = gcd(above.unsigned_abs(), below.unsigned_abs());
    let divisor = i128::try_from(divisor.max(1)).expect("a divisor of a number is no larger");
    Number { above: sign * above / divisor, below: sign * below / divisor }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
