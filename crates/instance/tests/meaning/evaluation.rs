//! The value of terms and the truth of formulas in a state.

use super::{
    instance::{Binding, Instance, State, distinct, tuples},
    value::{Rational, Value},
};
use ir::{Formula, Quantifier, Relation, SymbolId, Term, Var};

/// Why a term has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stuck {
    /// It reads a symbol that is open.
    Open(SymbolId),
    /// It uses an outsider as an index, or orders it.
    Outside,
    /// A number does not fit.
    Overflow,
}

/// The truth of a formula, which has one if it does not depend on parts that have none.
pub(crate) type Truth = Result<bool, Stuck>;

impl Instance<'_> {
    /// The value of a term.
    pub(crate) fn term(&self, term: &Term, binding: &Binding, state: &State) -> Result<Value, Stuck> {
        Ok(match term {
            Term::Var(var) => Value::Process(process_of(*var, binding)),
            Term::Process(k) => Value::Process(*k as usize - 1),
            Term::Outsider(id) => Value::Outsider(id.0),
            Term::Constructor(_, at) => Value::Constructor(*at),
            // The reader makes no difference: memory is sequentially consistent.
            Term::Read { symbol, indices, reader: _ } => {
                let indices = self.indices(indices, binding, state)?;
                let value = state[self.cell(*symbol, &indices)];
                if value == Value::Open {
                    return Err(Stuck::Open(*symbol));
                }
                value
            }
            Term::Linear(linear) => {
                let mut sum = Rational::from(linear.constant);
                for (coefficient, part) in &linear.parts {
                    let part = self.number(part, binding, state)?.times(*coefficient);
                    sum = part.and_then(|part| sum.plus(part)).ok_or(Stuck::Overflow)?;
                }
                Value::Number(sum)
            }
            Term::ProcessCount => Value::size(self.processes),
            Term::Count { symbol, row, value } => {
                Value::size(self.count(*symbol, row, value.as_deref(), binding, state)?)
            }
        })
    }

    fn number(&self, term: &Term, binding: &Binding, state: &State) -> Result<Rational, Stuck> {
        match self.term(term, binding, state)? {
            Value::Number(number) => Ok(number),
            other => panic!("{other:?} in a sum"),
        }
    }

    /// The processes that index terms stand for.
    pub(crate) fn indices(
        &self,
        terms: &[Term],
        binding: &Binding,
        state: &State,
    ) -> Result<Vec<usize>, Stuck> {
        let index = |term| match self.term(term, binding, state)? {
            Value::Process(process) => Ok(process),
            Value::Outsider(_) => Err(Stuck::Outside),
            other => panic!("{other:?} as an index"),
        };
        terms.iter().map(index).collect()
    }

    fn count(
        &self,
        symbol: SymbolId,
        row: &[Term],
        value: Option<&Term>,
        binding: &Binding,
        state: &State,
    ) -> Result<usize, Stuck> {
        let row = self.indices(row, binding, state)?;
        let rest = tuples(self.processes, self.model.symbol(symbol).arity - row.len());
        let Some(value) = value else { return Ok(rest.len()) };
        let value = self.term(value, binding, state)?;
        let mut found = 0;
        for rest in rest {
            let cell = state[self.cell(symbol, &[row.as_slice(), &rest].concat())];
            if cell == Value::Open {
                return Err(Stuck::Open(symbol));
            }
            found += usize::from(cell == value);
        }
        Ok(found)
    }

    /// Whether a formula holds.
    pub(crate) fn formula(&self, formula: &Formula, binding: &Binding, state: &State) -> Truth {
        let holds = |formula: &Formula| self.formula(formula, binding, state);
        match formula {
            // Under sequential consistency nothing is ever buffered.
            Formula::True | Formula::Fence => Ok(true),
            Formula::False => Ok(false),
            Formula::Compare(relation, left, right) => {
                compare(*relation, self.term(left, binding, state)?, self.term(right, binding, state)?)
            }
            Formula::Not(inner) => holds(inner).map(|truth| !truth),
            Formula::And(parts) => all(parts.iter().map(holds)),
            Formula::Or(parts) => any(parts.iter().map(holds)),
            Formula::Iff(left, right) => Ok(holds(left)? == holds(right)?),
            Formula::If(condition, then, otherwise) => {
                if holds(condition)? {
                    holds(then)
                } else {
                    holds(otherwise)
                }
            }
            Formula::Quantified { quantifier, variables, apart_from, body } => {
                let bindings = self.quantified(variables, apart_from, binding);
                let bodies = bindings.iter().map(|inner| self.formula(body, inner, state));
                match quantifier {
                    Quantifier::Forall => all(bodies),
                    Quantifier::Exists => any(bodies),
                }
            }
        }
    }

    /// All bindings of the variables of a quantifier to pairwise distinct processes, except some.
    pub(crate) fn quantified(
        &self,
        variables: &[Var],
        apart_from: &[Var],
        binding: &Binding,
    ) -> Vec<Binding> {
        let without: Vec<usize> = apart_from.iter().map(|var| process_of(*var, binding)).collect();
        let bound = |chosen: Vec<usize>| {
            let mut inner = binding.clone();
            for (variable, process) in variables.iter().zip(chosen) {
                inner[variable.index()] = Some(process);
            }
            inner
        };
        distinct(self.processes, variables.len(), &without).into_iter().map(bound).collect()
    }
}

fn process_of(var: Var, binding: &Binding) -> usize {
    binding[var.index()].unwrap_or_else(|| panic!("{var:?} is not bound"))
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
    Ok(if relation == Relation::Lt { ordering.is_lt() } else { ordering.is_le() })
}

/// Conjunction: false if some part is, even if others have no value.
fn all(parts: impl Iterator<Item = Truth>) -> Truth {
    let mut truth = Ok(true);
    for part in parts {
        match part {
            Ok(false) => return Ok(false),
            Ok(true) => {}
            Err(stuck) => truth = Err(stuck),
        }
    }
    truth
}

/// Disjunction: true if some part is, even if others have no value.
fn any(parts: impl Iterator<Item = Truth>) -> Truth {
    all(parts.map(|part| part.map(|truth| !truth))).map(|truth| !truth)
}
