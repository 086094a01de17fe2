//! Words that end in a cycle, and what it means that one satisfies a formula: the definition, without an automaton.

use crate::{Binary, Formula, Letter, Unary};

/// Whether no infinite word that begins with these letters satisfies the formula, as far as that shows without knowing what
/// follows: a formula is unknown where it depends on a letter after the last one.
pub fn is_refuted(formula: &Formula<u32>, letters: &[Letter]) -> bool {
    known(formula, letters).first() == Some(&Some(false))
}

/// For each position the value of the formula there, if the letters determine it.
fn known(formula: &Formula<u32>, letters: &[Letter]) -> Vec<Option<bool>> {
    let all = |value| vec![Some(value); letters.len()];
    match formula {
        Formula::True => all(true),
        Formula::False => all(false),
        Formula::Atom(atom) => letters.iter().map(|letter| Some(letter >> atom & 1 == 1)).collect(),
        Formula::Unary(operator, inner) => {
            let inner = known(inner, letters);
            match operator {
                Unary::Not => inner.into_iter().map(|value| value.map(|value| !value)).collect(),
                Unary::Next => inner.into_iter().skip(1).chain([None]).take(letters.len()).collect(),
                Unary::Finally => backwards(&inner, or),
                Unary::Globally => backwards(&inner, and),
            }
        }
        Formula::Binary(operator, left, right) => {
            let (left, right) = (known(left, letters), known(right, letters));
            let both = left.into_iter().zip(right);
            let not = |value: Option<bool>| value.map(|value| !value);
            match operator {
                Binary::And => both.map(|(left, right)| and(left, right)).collect(),
                Binary::Or => both.map(|(left, right)| or(left, right)).collect(),
                Binary::Implies => both.map(|(left, right)| or(not(left), right)).collect(),
                Binary::Xor => {
                    both.map(|(left, right)| left.zip(right).map(|(left, right)| left != right)).collect()
                }
                Binary::Iff => {
                    both.map(|(left, right)| left.zip(right).map(|(left, right)| left == right)).collect()
                }
                Binary::Until | Binary::WeakUntil => {
                    backwards(&both.collect::<Vec<_>>(), |(left, right), next| or(right, and(left, next)))
                }
                Binary::Release | Binary::StrongRelease => {
                    backwards(&both.collect::<Vec<_>>(), |(left, right), next| and(right, or(left, next)))
                }
            }
        }
    }
}

fn and(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    and(left.map(|left| !left), right.map(|right| !right)).map(|neither| !neither)
}

/// Values from the last position to the first, each by what is there and the value after it, which is unknown at the end.
fn backwards<T: Copy>(now: &[T], value: impl Fn(T, Option<bool>) -> Option<bool>) -> Vec<Option<bool>> {
    let mut next = None;
    let mut values: Vec<Option<bool>> = now
        .iter()
        .rev()
        .map(|now| {
            next = value(*now, next);
            next
        })
        .collect();
    values.reverse();
    values
}

/// An infinite word: a stem, then a cycle for ever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The letters of the stem, then those of the cycle.
    pub letters: Vec<Letter>,
    /// Where the cycle begins; less than the number of letters.
    pub back: usize,
}

impl Word {
    /// Whether the word satisfies a formula. The number of an atom is its bit in a letter.
    pub fn satisfies(&self, formula: &Formula<u32>) -> bool {
        self.values(formula)[0]
    }

    /// For each position whether the suffix from there satisfies the formula.
    fn values(&self, formula: &Formula<u32>) -> Vec<bool> {
        let all = |value| vec![value; self.letters.len()];
        match formula {
            Formula::True => all(true),
            Formula::False => all(false),
            Formula::Atom(atom) => self.letters.iter().map(|letter| letter >> atom & 1 == 1).collect(),
            Formula::Unary(operator, inner) => {
                let inner = self.values(inner);
                match operator {
                    Unary::Not => inner.iter().map(|value| !value).collect(),
                    Unary::Next => (0..inner.len()).map(|at| inner[self.after(at)]).collect(),
                    Unary::Finally => self.least(&inner, &all(true)),
                    Unary::Globally => self.greatest(&inner, &all(false)),
                }
            }
            Formula::Binary(operator, left, right) => {
                let (left, right) = (self.values(left), self.values(right));
                let both = |test: fn(bool, bool) -> bool| -> Vec<bool> {
                    left.iter().zip(&right).map(|(left, right)| test(*left, *right)).collect()
                };
                match operator {
                    Binary::And => both(|left, right| left && right),
                    Binary::Or => both(|left, right| left || right),
                    Binary::Xor => both(|left, right| left != right),
                    Binary::Implies => both(|left, right| !left || right),
                    Binary::Iff => both(|left, right| left == right),
                    Binary::Until => self.least(&right, &left),
                    Binary::WeakUntil => self.greatest(&both(|left, right| left || right), &right),
                    Binary::Release => self.greatest(&right, &left),
                    Binary::StrongRelease => self.least(&both(|left, right| left && right), &right),
                }
            }
        }
    }

    fn after(&self, at: usize) -> usize {
        if at + 1 == self.letters.len() { self.back } else { at + 1 }
    }

    /// The least solution of `v = now | (stay & next v)`.
    fn least(&self, now: &[bool], stay: &[bool]) -> Vec<bool> {
        self.solve(false, |at, next| now[at] || stay[at] && next)
    }

    /// The greatest solution of `v = now & (end | next v)`.
    fn greatest(&self, now: &[bool], end: &[bool]) -> Vec<bool> {
        self.solve(true, |at, next| now[at] && (end[at] || next))
    }

    /// Backwards twice: the first time around the cycle ends with an assumption, the second with the truth.
    fn solve(&self, assumed: bool, value: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![assumed; self.letters.len()];
        for _ in 0..2 {
            for at in (0..values.len()).rev() {
                values[at] = value(at, values[self.after(at)]);
            }
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Formula, parse};

    /// Atoms `a` and `b`; a letter is written by those that hold.
    fn satisfies(stem: &str, cycle: &str, text: &str) -> bool {
        let letter = |text: &str| u64::from(text.contains('a')) | u64::from(text.contains('b')) << 1;
        let letters = stem.split_whitespace().chain(cycle.split_whitespace()).map(letter).collect();
        let word = Word { letters, back: stem.split_whitespace().count() };
        let number = |atom: crate::Atom| if atom.text == "a" { Ok::<u32, ()>(0) } else { Ok(1) };
        let formula: Formula<u32> = parse(text, 0.into()).unwrap().try_map(&mut { number }).unwrap();
        word.satisfies(&formula)
    }

    #[test]
    fn operators_mean_what_the_table_says() {
        assert!(satisfies("a a", "b", "a U b") && satisfies("a a", "b", "a W b"));
        assert!(!satisfies("a -", "b", "a U b"));
        assert!(satisfies("", "a", "a W b") && !satisfies("", "a", "a U b"));
        assert!(satisfies("b b ab", "-", "a R b") && satisfies("b b ab", "-", "a M b"));
        assert!(satisfies("", "b", "a R b") && !satisfies("", "b", "a M b"));
        assert!(satisfies("- -", "a -", "G F a") && !satisfies("a a", "-", "G F a"));
        assert!(satisfies("- b", "a", "F G a & X b") && !satisfies("", "a b", "F G a"));
    }
}
