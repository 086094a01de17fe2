//! The value of terms and the truth of formulas in a state (sections 3 and 4).

use crate::{
    instance::{Env, Instance, bound, distinct, tuples},
    number::Ratio,
    state::{State, Value},
    tree::{Phrase, Quantified, Question, Relation},
};

/// Why a phrase has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stuck {
    /// It reads a number that is unset, or a value that is not decided yet.
    Unset(usize),
    /// It uses an outsider as an index, or orders it: a misuse (section 6).
    Outside,
    /// A number does not fit.
    Overflow,
}

pub type Truth = Result<bool, Stuck>;

impl Instance<'_> {
    /// The truth of a formula.
    pub fn truth(&self, formula: &Phrase, env: &Env, state: &State) -> Truth {
        match self.value(formula, env, state)? {
            Value::Truth(truth) => Ok(truth),
            other => panic!("{other:?} is not a truth value"),
        }
    }

    pub fn value(&self, phrase: &Phrase, env: &Env, state: &State) -> Result<Value, Stuck> {
        let truth = |part: &Phrase| self.truth(part, env, state);
        Ok(match phrase {
            Phrase::Value(value) => *value,
            Phrase::Variable(variable) => Value::Process(env[*variable]),
            Phrase::Read(symbol, indices) => {
                let indices = self.indices(indices, env, state)?;
                set(state.cells[self.cell(*symbol, &indices)], *symbol)?
            }
            Phrase::ReadBy(reader, symbol, indices) => {
                let indices = self.indices(indices, env, state)?;
                let Value::Process(reader) = self.value(reader, env, state)? else { panic!("no reader") };
                set(state.seen_by(reader).cells[self.cell(*symbol, &indices)], *symbol)?
            }
            Phrase::Fence(actor) => Value::Truth(state.buffers[env[*actor]].is_empty()),
            Phrase::ProcessCount => Value::Number(Ratio::size(self.processes)),
            Phrase::Count { symbol, row, value } => {
                Value::Number(Ratio::size(self.count(*symbol, row, value.as_deref(), env, state)?))
            }
            Phrase::Sum(_) | Phrase::Product(_) | Phrase::Share(..) => {
                Value::Number(self.arithmetic(phrase, env, state)?)
            }
            Phrase::Compare(relation, left, right) => {
                let (left, right) = (self.value(left, env, state)?, self.value(right, env, state)?);
                Value::Truth(compare(*relation, left, right)?)
            }
            Phrase::Not(part) => Value::Truth(!truth(part)?),
            Phrase::And(parts) => Value::Truth(all(parts.iter().map(truth))?),
            Phrase::Or(parts) => Value::Truth(any(parts.iter().map(truth))?),
            Phrase::Implies(premise, conclusion) => {
                let parts = [(premise, true), (conclusion, false)].into_iter();
                Value::Truth(any(parts.map(|(part, negated)| truth(part).map(|holds| holds != negated)))?)
            }
            Phrase::Iff(left, right) => Value::Truth(truth(left)? == truth(right)?),
            Phrase::If(condition, then, otherwise) => {
                Value::Truth(if truth(condition)? { truth(then)? } else { truth(otherwise)? })
            }
            Phrase::Quantified(quantified) => Value::Truth(self.quantified(quantified, env, state)?),
            Phrase::Asks(question, lock, process) => {
                Value::Truth(self.asks(*question, lock.as_deref(), process.as_deref(), env, state)?)
            }
        })
    }

    fn arithmetic(&self, phrase: &Phrase, env: &Env, state: &State) -> Result<Ratio, Stuck> {
        let number = |part: &Phrase| match self.value(part, env, state)? {
            Value::Number(number) => Ok(number),
            other => panic!("{other:?} is not a number"),
        };
        let fits = |number: Option<Ratio>| number.ok_or(Stuck::Overflow);
        match phrase {
            Phrase::Sum(summands) => summands.iter().try_fold(Ratio::ZERO, |sum, (minus, part)| {
                let part = number(part)?;
                fits(sum.plus(if *minus { part.negative() } else { part }))
            }),
            Phrase::Product(factors) => {
                factors.iter().try_fold(Ratio::ONE, |product, part| fits(product.times(number(part)?)))
            }
            // Section 3: `count(V, Yes) >= 2/3` holds when `3·count >= 2·SYS_PROCS`.
            Phrase::Share(over, under) => {
                let share = number(over)?.times(Ratio::size(self.processes));
                fits(share.and_then(|share| number(under).ok().and_then(|under| share.by(under))))
            }
            other => number(other),
        }
    }

    /// The processes that index terms evaluate to; an outsider is an error.
    pub fn indices(&self, terms: &[Phrase], env: &Env, state: &State) -> Result<Vec<usize>, Stuck> {
        let index = |term| match self.value(term, env, state)? {
            Value::Process(process) => Ok(process),
            Value::Outsider(_) => Err(Stuck::Outside),
            other => panic!("{other:?} is not an index"),
        };
        terms.iter().map(index).collect()
    }

    fn count(
        &self,
        symbol: usize,
        row: &[Phrase],
        value: Option<&Phrase>,
        env: &Env,
        state: &State,
    ) -> Result<usize, Stuck> {
        let row = self.indices(row, env, state)?;
        let rest = tuples(self.processes, self.program.symbols[symbol].arity - row.len());
        let Some(value) = value else { return Ok(rest.len()) };
        let value = self.value(value, env, state)?;
        let mut found = 0;
        for rest in rest {
            let cell = self.cell(symbol, &[row.as_slice(), &rest].concat());
            found += usize::from(set(state.cells[cell], symbol)? == value);
        }
        Ok(found)
    }

    /// Evaluates the body for every process, without short-circuiting: a misuse for one of them is a misuse.
    fn quantified(&self, quantified: &Quantified, env: &Env, state: &State) -> Truth {
        let bodies: Vec<Truth> = self
            .bindings(quantified, env)
            .iter()
            .map(|env| self.truth(&quantified.body, env, state))
            .collect();
        if bodies.contains(&Err(Stuck::Outside)) {
            return Err(Stuck::Outside);
        }
        if quantified.universal { all(bodies.into_iter()) } else { any(bodies.into_iter()) }
    }

    /// All bindings of the variables of a quantifier.
    pub fn bindings(&self, quantified: &Quantified, env: &Env) -> Vec<Env> {
        let apart_from: Vec<usize> = quantified.apart_from.iter().map(|variable| env[*variable]).collect();
        let choices = distinct(self.processes, quantified.variables.len(), &apart_from);
        choices.iter().map(|chosen| bound(env, quantified.variables.iter().copied(), chosen)).collect()
    }

    /// The state of locks (section 7). An outsider owns nothing and waits for nothing.
    fn asks(
        &self,
        question: Question,
        lock: Option<&Phrase>,
        process: Option<&Phrase>,
        env: &Env,
        state: &State,
    ) -> Truth {
        let queues = match lock {
            Some(Phrase::Read(symbol, indices)) => {
                Some(&state.locks[self.lock(*symbol, &self.indices(indices, env, state)?)])
            }
            _ => None,
        };
        let process = match process.map(|process| self.value(process, env, state)).transpose()? {
            Some(Value::Process(process)) => Some(process),
            _ => None,
        };
        Ok(match (question, queues, process) {
            (Question::Free, Some(queues), _) => queues.owner.is_none(),
            (Question::Owner, Some(queues), Some(process)) => queues.owner == Some(process),
            (Question::Waiting, Some(queues), Some(process)) => queues.waiters.contains(&process),
            (Question::Sleeping, Some(queues), Some(process)) => queues.sleepers.contains(&process),
            (Question::Active, _, Some(process)) => state.is_active(process),
            (question, ..) => question == Question::Active,
        })
    }
}

fn set(value: Value, symbol: usize) -> Result<Value, Stuck> {
    if value == Value::Unset { Err(Stuck::Unset(symbol)) } else { Ok(value) }
}

fn compare(relation: Relation, left: Value, right: Value) -> Truth {
    let ordering = match (relation, left, right) {
        (Relation::Eq, ..) => return Ok(left == right),
        (Relation::Neq, ..) => return Ok(left != right),
        (_, Value::Number(left), Value::Number(right)) => left.cmp(&right),
        (_, Value::Process(left), Value::Process(right)) => left.cmp(&right),
        (_, Value::Outsider(_), _) | (_, _, Value::Outsider(_)) => return Err(Stuck::Outside),
        _ => panic!("{left:?} and {right:?} have no order"),
    };
    Ok(match relation {
        Relation::Lt => ordering.is_lt(),
        Relation::Le => ordering.is_le(),
        Relation::Gt => ordering.is_gt(),
        _ => ordering.is_ge(),
    })
}

/// Conjunction from left to right: parts after a false one are not evaluated. A part that depends on an unset number
/// matters only if no other part decides.
fn all(parts: impl Iterator<Item = Truth>) -> Truth {
    let mut truth = Ok(true);
    for part in parts {
        match part {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(Stuck::Outside) => return truth.and(part),
            Err(_) => truth = part,
        }
    }
    truth
}

fn any(parts: impl Iterator<Item = Truth>) -> Truth {
    all(parts.map(|part| part.map(|truth| !truth))).map(|truth| !truth)
}
