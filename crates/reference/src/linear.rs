//! Solving linear equations of `init` with one cell that is still open.

use crate::{
    evaluation::Stuck,
    instance::{Env, Instance},
    number::Ratio,
    state::{State, Value},
    tree::{Phrase, Type},
};
use std::collections::BTreeMap;

/// A constant, and the coefficient of each open cell with its symbol.
#[derive(Debug, Clone)]
struct Linear {
    constant: Ratio,
    open: BTreeMap<(usize, usize), Ratio>,
}

/// The solution of an equation.
pub enum Solution {
    /// It is true or false, whatever the open cells are.
    Decided(bool),
    /// A cell has this value.
    Cell(usize, Value),
    /// Several cells are open, so it decides none.
    Unknown,
}

impl Instance<'_> {
    /// Solves `left = right` between numbers; an error if it is not a linear equation.
    pub fn solve(&self, left: &Phrase, right: &Phrase, env: &Env, state: &State) -> Result<Solution, Stuck> {
        let right = self.linear(right, env, state)?;
        let mut difference = plus(self.linear(left, env, state)?, &right, Ratio::ONE.negative())?;
        difference.open.retain(|_, coefficient| *coefficient != Ratio::ZERO);
        let mut open = difference.open.iter();
        match (open.next(), open.next()) {
            (None, _) => Ok(Solution::Decided(difference.constant == Ratio::ZERO)),
            (Some(((symbol, cell), coefficient)), None) => {
                let value = difference.constant.negative().by(*coefficient).ok_or(Stuck::Overflow)?;
                Ok(if value.is_whole() || self.program.symbols[*symbol].of == Type::Real {
                    Solution::Cell(*cell, Value::Number(value))
                } else {
                    Solution::Decided(false)
                })
            }
            _ => Ok(Solution::Unknown),
        }
    }

    fn linear(&self, phrase: &Phrase, env: &Env, state: &State) -> Result<Linear, Stuck> {
        let constant = |constant| Linear { constant, open: BTreeMap::new() };
        match phrase {
            Phrase::Read(symbol, indices) => {
                let cell = self.cell(*symbol, &self.indices(indices, env, state)?);
                match state.cells[cell] {
                    Value::Number(number) => Ok(constant(number)),
                    Value::Unset => {
                        Ok(Linear { open: [((*symbol, cell), Ratio::ONE)].into(), ..constant(Ratio::ZERO) })
                    }
                    _ => Err(Stuck::Unset(*symbol)),
                }
            }
            Phrase::Sum(summands) => summands.iter().try_fold(constant(Ratio::ZERO), |sum, (minus, part)| {
                let factor = if *minus { Ratio::ONE.negative() } else { Ratio::ONE };
                plus(sum, &self.linear(part, env, state)?, factor)
            }),
            Phrase::Product(factors) => {
                let factors = factors.iter().map(|factor| self.linear(factor, env, state));
                factors.collect::<Result<Vec<_>, _>>()?.into_iter().try_fold(constant(Ratio::ONE), product)
            }
            other => match self.value(other, env, state)? {
                Value::Number(number) => Ok(constant(number)),
                _ => Err(Stuck::Overflow),
            },
        }
    }
}

/// `left + factor * right`
fn plus(mut left: Linear, right: &Linear, factor: Ratio) -> Result<Linear, Stuck> {
    let sum = |a: Ratio, b: Ratio| b.times(factor).and_then(|b| a.plus(b)).ok_or(Stuck::Overflow);
    left.constant = sum(left.constant, right.constant)?;
    for (cell, coefficient) in &right.open {
        let known = left.open.get(cell).copied().unwrap_or(Ratio::ZERO);
        left.open.insert(*cell, sum(known, *coefficient)?);
    }
    Ok(left)
}

/// One of the factors is a constant: terms are linear (section 3).
fn product(left: Linear, right: Linear) -> Result<Linear, Stuck> {
    let (sum, factor) = if left.open.is_empty() { (right, left.constant) } else { (left, right.constant) };
    plus(Linear { constant: Ratio::ZERO, open: BTreeMap::new() }, &sum, factor)
}
