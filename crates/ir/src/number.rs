//! Exact numbers as they are written in models.

use std::fmt;

/// An exact rational: whole for `int`, any for `real`. In lowest terms, with a positive denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Number {
    numerator: i64,
    denominator: i64,
}

impl Number {
    /// Zero.
    pub const ZERO: Number = Number { numerator: 0, denominator: 1 };

    /// A whole number.
    pub fn whole(value: i64) -> Number {
        Number { numerator: value, denominator: 1 }
    }

    /// Digits with at most one point: `12`, `1.5`, `5.`; `None` if numerator or denominator does not fit into 64
    /// bits.
    pub fn parse(text: &str) -> Option<Number> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let fraction = fraction.trim_end_matches('0');
        let digits = format!("{whole}{fraction}");
        let denominator = 10_i64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
        Number::reduced(digits.parse().ok()?, denominator)
    }

    /// A fraction; `None` on overflow, or if the denominator is 0.
    pub fn ratio(numerator: i64, denominator: i64) -> Option<Number> {
        if denominator == 0 { None } else { Number::reduced(numerator, denominator) }
    }

    /// The value in lowest terms.
    fn reduced(numerator: i64, denominator: i64) -> Option<Number> {
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()).max(1);
        let divisor = i64::try_from(divisor).ok()?;
        let sign = if denominator < 0 { -1 } else { 1 };
        let numerator = (numerator / divisor).checked_mul(sign)?;
        Some(Number { numerator, denominator: (denominator / divisor).checked_mul(sign)? })
    }

    /// The numerator.
    pub fn numerator(self) -> i64 {
        self.numerator
    }

    /// The denominator, positive.
    pub fn denominator(self) -> i64 {
        self.denominator
    }

    /// Whether it is 0.
    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// The sum; `None` on overflow.
    pub fn plus(self, other: Number) -> Option<Number> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Number::reduced(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// The product with a whole number; `None` on overflow.
    pub fn times(self, factor: i64) -> Option<Number> {
        Number::reduced(self.numerator.checked_mul(factor)?, self.denominator)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> std::cmp::Ordering {
        let left = i128::from(self.numerator) * i128::from(other.denominator);
        left.cmp(&(i128::from(other.numerator) * i128::from(self.denominator)))
    }
}

impl fmt::Display for Number {
    /// A whole number as digits, anything else with a decimal point. Sums and multiples of decimals are decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            return write!(f, "{}", self.numerator);
        }
        let denominator = i128::from(self.denominator);
        let places = (1..19).find(|places| 10_i128.pow(*places) % denominator == 0).unwrap_or(18);
        let scale = 10_i128.pow(places);
        let scaled = (i128::from(self.numerator) * (scale / denominator)).unsigned_abs();
        let sign = if self.numerator < 0 { "-" } else { "" };
        let (whole, fraction) = (scaled / scale.unsigned_abs(), scaled % scale.unsigned_abs());
        write!(f, "{sign}{whole}.{fraction:0width$}", width = places as usize)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        let number = |text| Number::parse(text).unwrap();
        assert_eq!(number("1.50"), Number { numerator: 3, denominator: 2 });
        assert_eq!(number("5."), Number::whole(5));
        assert_eq!(number("0.1").plus(number("0.2")), Number::parse("0.3"));
        assert!(number("0.3") < number("0.34"));
    }

    #[test]
    fn decimals_print_as_they_are_written() {
        for text in ["1.5", "0.25", "12.03", "7"] {
            assert_eq!(Number::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Number::parse("1.5").unwrap().times(-1).unwrap().to_string(), "-1.5");
    }

    #[test]
    fn what_does_not_fit_is_none_and_never_wraps() {
        assert_eq!(Number::parse("9223372036854775808"), None);
        assert_eq!(Number::whole(i64::MAX).plus(Number::whole(1)), None);
        assert_eq!(Number::whole(i64::MAX).times(2), None);
        assert_eq!(Number::parse("0.00000000000000000001"), None);
    }
}
