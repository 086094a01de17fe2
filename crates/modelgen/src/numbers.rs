//! Numbers: literals, sums, and increments with the guard that keeps their values bounded.

use crate::features::Feature;
use crate::generator::Generator;
use crate::piece::Piece;
use crate::scope::Scope;
use crate::symbols::Type;

/// A right-hand side, and the condition under which its value stays within bounds.
pub(crate) struct Bounded {
    pub(crate) term: String,
    pub(crate) bound: Option<Piece>,
}

impl Bounded {
    pub(crate) fn free(term: String) -> Self {
        Self { term, bound: None }
    }
}

impl Generator {
    pub(crate) fn integer(&mut self) -> String {
        if self.sometimes(Feature::UnaryMinus, 1, 6) {
            return self.rng.one_of(&["-1", "-2"]).to_string();
        }
        self.rng.below(4).to_string()
    }

    /// A sum that starts with a symbol: `X + 1`, `2 * X - Y`, `-X`.
    pub(crate) fn sum(&mut self, ty: Type, scope: &Scope, depth: usize) -> Option<String> {
        let mut text = self.summand(ty, scope)?;
        if self.has(Feature::LinearSums) && self.sometimes(Feature::UnaryMinus, 1, 6) && !text.contains('*') {
            text = format!("-{text}");
        }
        for _ in 0..self.rng.between(1, depth.max(1)) {
            let sign = self.rng.one_of(&["+", "-"]);
            if self.sometimes(Feature::LinearSums, 1, 2) {
                text = format!("{text} {sign} {}", self.summand(ty, scope)?);
            } else if self.has(Feature::Arithmetic) && (self.has(Feature::LinearSums) || !text.contains(' '))
            {
                let number = self.literal(ty)?;
                // `X + -1` is readable, `X - -1` is not.
                let number = if sign == "-" { number.trim_start_matches('-') } else { &number };
                text = format!("{text} {sign} {number}");
            }
        }
        Some(text)
    }

    fn summand(&mut self, ty: Type, scope: &Scope) -> Option<String> {
        let symbol = self.symbol_of(ty, scope)?;
        if ty == Type::Int && self.sometimes(Feature::Multiples, 1, 4) {
            return Some(format!("{} * {symbol}", self.rng.between(2, 3)));
        }
        Some(symbol)
    }

    /// `X + 1` when `X < 3`, `X - 1` when `X > 0`, or a sum between two bounds.
    pub(crate) fn step(&mut self, ty: Type, scope: &Scope) -> Option<Bounded> {
        let number = if ty == Type::Real { Type::Real } else { Type::Int };
        let (one, low, high) = if number == Type::Real { ("0.5", "0.0", "2.0") } else { ("1", "0", "3") };
        let (term, bound) = if self.sometimes(Feature::LinearSums, 1, 3) {
            let term = self.sum(number, scope, 2)?;
            let bounds = [format!("{term} <= {high}"), format!("{low} <= {term}")];
            (term, Piece::and(bounds.map(Piece::atom).to_vec()))
        } else if !self.has(Feature::Arithmetic) {
            return None;
        } else {
            let start = self.symbol_of(ty, scope)?;
            let up = self.rng.chance(2, 3);
            let (sign, order, end) = if up { ("+", "<", high) } else { ("-", ">", low) };
            (format!("{start} {sign} {one}"), Piece::atom(format!("{start} {order} {end}")))
        };
        let loose = match ty {
            // Leaving a range is a violation that ends the run, so it needs no guard.
            Type::Range(_) => self.rng.chance(1, 2),
            _ => self.sometimes(Feature::UnboundedIntegers, 1, 3),
        };
        Some(Bounded { term, bound: (!loose).then_some(bound) })
    }
}
