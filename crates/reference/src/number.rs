//! Exact numbers: both `int` and `real` are fractions, so that nothing is ever rounded.

use std::cmp::Ordering;

/// A fraction in lowest terms with a positive denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ratio {
    over: i128,
    under: i128,
}

impl Ratio {
    pub const ZERO: Ratio = Ratio { over: 0, under: 1 };
    pub const ONE: Ratio = Ratio { over: 1, under: 1 };

    pub fn whole(value: i64) -> Ratio {
        Ratio { over: value.into(), under: 1 }
    }

    pub fn size(value: usize) -> Ratio {
        Ratio { over: i128::try_from(value).expect("few things"), under: 1 }
    }

    fn new(over: i128, under: i128) -> Option<Ratio> {
        let divisor = gcd(over.checked_abs()?, under.checked_abs()?);
        let sign = if under < 0 { -1 } else { 1 };
        (under != 0).then(|| Ratio { over: sign * over / divisor, under: sign * under / divisor })
    }

    /// `3`, `1.5`, `5.`
    pub fn parse(text: &str) -> Option<Ratio> {
        let (before, after) = text.split_once('.').unwrap_or((text, ""));
        let under = 10_i128.checked_pow(u32::try_from(after.len()).ok()?)?;
        Ratio::new(format!("{before}{after}").parse().ok()?, under)
    }

    pub fn plus(self, other: Ratio) -> Option<Ratio> {
        let left = self.over.checked_mul(other.under)?;
        let right = other.over.checked_mul(self.under)?;
        Ratio::new(left.checked_add(right)?, self.under.checked_mul(other.under)?)
    }

    #[must_use]
    pub fn negative(self) -> Ratio {
        Ratio { over: -self.over, under: self.under }
    }

    pub fn times(self, other: Ratio) -> Option<Ratio> {
        Ratio::new(self.over.checked_mul(other.over)?, self.under.checked_mul(other.under)?)
    }

    /// The quotient; `None` on overflow or division by zero.
    pub fn by(self, other: Ratio) -> Option<Ratio> {
        Ratio::new(self.over.checked_mul(other.under)?, self.under.checked_mul(other.over)?)
    }

    pub fn is_whole(self) -> bool {
        self.under == 1
    }

    /// Whether it lies between two whole numbers, inclusive.
    pub fn within(self, (low, high): (i64, i64)) -> bool {
        Ratio::whole(low) <= self && self <= Ratio::whole(high)
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        let product = |a: i128, b: i128| a.checked_mul(b).expect("numbers of a model are far from 128 bits");
        product(self.over, other.under).cmp(&product(other.over, self.under))
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
