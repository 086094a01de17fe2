//! Reads through store buffers, as case distinctions.

use super::{Unsupported, effects::compare, slots::Slots};
use crate::{At, Formula, Linear, Model, Relation, SymbolId, Term, Var};

/// Alternatives that exclude each other, one of which applies.
type Cases = Vec<(Formula, Term)>;

/// A formula with more cases than this is refused.
const MOST_CASES: usize = 1 << 12;

/// Who reads, in an item of the model.
#[derive(Debug, Clone)]
pub(super) struct Reading<'s> {
    pub(super) model: &'s Model,
    pub(super) slots: &'s Slots,
    /// The process whose reads are not marked with another.
    pub(super) actor: Option<Var>,
    /// Whether the buffer of the actor is known to be empty.
    pub(super) flushed: bool,
    /// Variables that stand for different processes.
    pub(super) apart: Vec<(Var, Var)>,
    /// Where the item is.
    pub(super) at: At,
}

impl Reading<'_> {
    /// The same where these variables stand for pairwise different processes.
    #[must_use]
    pub(super) fn distinct(mut self, variables: &[Var]) -> Self {
        for (at, one) in variables.iter().enumerate() {
            self.apart.extend(variables[..at].iter().map(|other| (*one, *other)));
        }
        self
    }

    /// Whether two terms of sort `proc` are equal, if that is obvious.
    fn equal(&self, left: &Term, right: &Term) -> Option<bool> {
        let (Term::Var(one), Term::Var(other)) = (left, right) else { return None };
        let known = self.apart.contains(&(*one, *other)) || self.apart.contains(&(*other, *one));
        if one == other { Some(true) } else { known.then_some(false) }
    }

    /// The formula with reads of weak symbols through the buffers of their readers.
    pub(super) fn formula(&self, formula: &Formula) -> Result<Formula, Unsupported> {
        let parts = |parts: &[Formula]| -> Result<Vec<Formula>, Unsupported> {
            parts.iter().map(|part| self.formula(part)).collect()
        };
        Ok(match formula {
            Formula::True | Formula::False => formula.clone(),
            Formula::Fence => self.fence(),
            Formula::Compare(relation, left, right) => self.comparison(*relation, left, right)?,
            Formula::Not(inner) => self.formula(inner)?.not(),
            Formula::And(all) => Formula::and(parts(all)?),
            Formula::Or(all) => Formula::or(parts(all)?),
            Formula::Iff(left, right) => self.formula(left)?.iff(self.formula(right)?),
            Formula::If(condition, then, otherwise) => {
                Formula::if_then_else(self.formula(condition)?, self.formula(then)?, self.formula(otherwise)?)
            }
            Formula::Quantified { quantifier, variables, apart_from, body } => {
                let mut inner = self.clone().distinct(variables);
                let others = |var: &Var| apart_from.iter().map(|other| (*var, *other)).collect::<Vec<_>>();
                inner.apart.extend(variables.iter().flat_map(others));
                Formula::quantified(*quantifier, variables.clone(), apart_from.clone(), inner.formula(body)?)
            }
        })
    }

    /// The buffer of the actor is empty.
    fn fence(&self) -> Formula {
        match self.actor {
            Some(actor) if !self.flushed => self.slots.is_empty(0, &Term::Var(actor)),
            _ => Formula::True,
        }
    }

    fn comparison(&self, relation: Relation, left: &Term, right: &Term) -> Result<Formula, Unsupported> {
        let (left, right) = (self.cases(left)?, self.cases(right)?);
        self.check(left.len() * right.len())?;
        let pair = |(first, left): &(Formula, Term), (second, right): &(Formula, Term)| {
            let compared = compare(relation, left.clone(), right.clone(), &|a, b| self.equal(a, b));
            Formula::and([first.clone(), second.clone(), compared])
        };
        Ok(Formula::or(left.iter().flat_map(|left| right.iter().map(move |right| pair(left, right)))))
    }

    /// The possible values of a term.
    pub(super) fn cases(&self, term: &Term) -> Result<Cases, Unsupported> {
        match term {
            Term::Read { symbol, indices, reader } => {
                let reader = reader.as_deref().cloned().or(self.actor.map(Term::Var));
                let mut all = Cases::new();
                for (condition, indices) in self.tuples(indices)? {
                    for (read, value) in self.read(*symbol, &indices, reader.as_ref()) {
                        all.push((Formula::and([condition.clone(), read]), value));
                    }
                }
                self.check(all.len())?;
                Ok(all)
            }
            Term::Linear(linear) => self.sum(linear),
            Term::Count { symbol, row, value } => self.count(*symbol, row, value.as_deref()),
            other => Ok(vec![(Formula::True, other.clone())]),
        }
    }

    /// The possible values of several terms at once.
    fn tuples(&self, terms: &[Term]) -> Result<Vec<(Formula, Vec<Term>)>, Unsupported> {
        let mut all = vec![(Formula::True, vec![])];
        for term in terms {
            let cases = self.cases(term)?;
            self.check(all.len() * cases.len())?;
            let longer = |(condition, tuple): &(Formula, Vec<Term>), (case, value): &(Formula, Term)| {
                let tuple = tuple.iter().chain([value]).cloned().collect();
                (Formula::and([condition.clone(), case.clone()]), tuple)
            };
            all = all.iter().flat_map(|known| cases.iter().map(move |case| longer(known, case))).collect();
        }
        Ok(all)
    }

    fn sum(&self, linear: &Linear) -> Result<Cases, Unsupported> {
        let terms: Vec<Term> = linear.parts.iter().map(|(_, term)| term.clone()).collect();
        let mut all = Cases::new();
        for (condition, values) in self.tuples(&terms)? {
            let mut sum = Some(Linear::constant(linear.sort, linear.constant));
            for ((coefficient, _), value) in linear.parts.iter().zip(values) {
                let part = Linear::from_term(linear.sort, value).times(*coefficient);
                sum = sum.and_then(|sum| sum.plus(part?));
            }
            let sum = sum.ok_or_else(|| self.unsupported("numbers this large"))?;
            all.push((condition, sum.into_term()));
        }
        Ok(all)
    }

    /// The number of cells with a value. Cells of a weak array must not be behind a buffer.
    fn count(&self, symbol: SymbolId, row: &[Term], value: Option<&Term>) -> Result<Cases, Unsupported> {
        if self.model.symbol(symbol).weak && !self.flushed && self.is_buffered(symbol) {
            return Err(self.unsupported("`count` of a weak array where the store buffer may not be empty"));
        }
        let all: Vec<Term> = row.iter().chain(value).cloned().collect();
        let counted = |mut values: Vec<Term>| {
            let value = value.and_then(|_| values.pop()).map(Box::new);
            Term::Count { symbol, row: values, value }
        };
        Ok(self.tuples(&all)?.into_iter().map(|(condition, values)| (condition, counted(values))).collect())
    }

    fn is_buffered(&self, symbol: SymbolId) -> bool {
        self.slots.writes.iter().any(|write| write.effect(symbol).is_some())
    }

    /// The possible values of a location: that of the youngest entry that writes it, otherwise that of memory.
    fn read(&self, symbol: SymbolId, indices: &[Term], reader: Option<&Term>) -> Cases {
        let memory = Term::read(symbol, indices.to_vec());
        let (Some(reader), true) = (reader, self.model.symbol(symbol).weak) else {
            return vec![(Formula::True, memory)];
        };
        if self.flushed && self.actor.is_some_and(|actor| *reader == Term::Var(actor)) {
            return vec![(Formula::True, memory)];
        }
        let mut younger = Cases::new();
        let mut cases = Cases::new();
        for slot in (0..self.slots.all.len()).rev() {
            let here = self.entries(slot, symbol, indices, reader);
            for (condition, value) in &here {
                add_case(&mut cases, after(&younger, condition.clone(), value), value.clone());
            }
            younger.extend(here);
        }
        add_case(&mut cases, after(&younger, Formula::True, &memory), memory);
        cases.retain(|(condition, _)| *condition != Formula::False);
        cases
    }

    /// What a slot may hold about a location: conditions that exclude each other, with the value that is written there.
    fn entries(&self, slot: usize, symbol: SymbolId, indices: &[Term], reader: &Term) -> Cases {
        let mut all = Cases::new();
        for (number, write) in self.slots.writes.iter().enumerate() {
            let Some(effect) = write.effect(symbol) else { continue };
            let held = Formula::eq(self.slots.holds(slot, reader), self.slots.write(number));
            let arguments = self.slots.all[slot].arguments_of(write, reader);
            let equal = |left: &Term, right: &Term| self.equal(left, right);
            let mut earlier = held;
            for arm in write.arms(effect, reader, indices, &arguments, &equal) {
                let here = Formula::and([earlier.clone(), arm.condition.clone()]);
                all.extend(arm.value.map(|value| (here, value)));
                earlier = Formula::and([earlier, arm.condition.not()]);
            }
        }
        all
    }

    fn check(&self, cases: usize) -> Result<(), Unsupported> {
        if cases > MOST_CASES {
            return Err(self.unsupported("a formula with this many reads of weak symbols"));
        }
        Ok(())
    }

    fn unsupported(&self, what: &str) -> Unsupported {
        Unsupported { what: what.to_owned(), at: self.at }
    }
}

/// The condition where no younger entry writes another value.
fn after(younger: &Cases, condition: Formula, value: &Term) -> Formula {
    let others = younger.iter().filter(|(_, other)| other != value);
    Formula::and([condition].into_iter().chain(others.map(|(other, _)| other.clone().not())))
}

/// Adds a case; cases with the same value become one.
fn add_case(cases: &mut Cases, condition: Formula, value: Term) {
    match cases.iter_mut().find(|(_, known)| *known == value) {
        Some((known, _)) => *known = Formula::or([known.clone(), condition]),
        None => cases.push((condition, value)),
    }
}
