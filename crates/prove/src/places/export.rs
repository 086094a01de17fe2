//! Place invariants in the language of the model: counters for a certificate, and the cubes that say that the sums never change.

use super::local::{Locals, Place};
use super::{PlaceInvariant, Places};
use crate::vocabulary::Values;
use certify::{Counter, Start};
use ir::{Formula, Linear, Model, Number, Relation, Sort, SymbolId, Term, Var};

/// What a certificate needs for place invariants.
#[derive(Default)]
pub(crate) struct Exported {
    /// The counters, in the order of their symbols.
    pub(crate) counters: Vec<Counter>,
    /// Cubes over the model with these counters.
    pub(crate) cubes: Vec<certify::Cube>,
}

impl Places {
    /// Counters and cubes for all invariants.
    ///
    /// The last symbols of the model may be counters already.
    pub(crate) fn exported(&self, model: &Model, known: &[Counter]) -> Exported {
        let mut exported = Exported { counters: known.to_vec(), cubes: vec![] };
        let first = model.symbols.len() - known.len();
        for invariant in &self.invariants {
            let (left, right) = self.sum(model, first, invariant, &mut exported.counters);
            // That a counter counts what it counts.
            if left == right {
                continue;
            }
            for (low, high) in [(&left, &right), (&right, &left)] {
                let formula =
                    Formula::compare(Relation::Lt, low.clone().into_term(), high.clone().into_term());
                exported.cubes.push(certify::Cube { params: vec![], variables: vec![], formula });
            }
        }
        exported.counters.drain(..known.len());
        exported
    }

    /// Both sides of an invariant, without negative factors.
    fn sum(
        &self,
        model: &Model,
        first: usize,
        invariant: &PlaceInvariant,
        counters: &mut Vec<Counter>,
    ) -> (Linear, Linear) {
        let zero = || Linear::constant(Sort::Int, Number::ZERO);
        let (mut left, mut right) = (zero(), zero());
        let mut add = |factor: i64, term: Term| {
            let side = if factor > 0 { &mut left } else { &mut right };
            side.parts.push((factor.abs(), term));
        };
        for (number, factor) in &invariant.numbers {
            add(*factor, Term::read(SymbolId::from_index((*number).into()), vec![]));
        }
        for factor in factors(invariant, &self.reached) {
            let at = self.counter(model, invariant, factor, counters);
            add(factor, Term::read(SymbolId::from_index(first + at), vec![]));
        }
        if invariant.per_process != 0 {
            add(-invariant.per_process, Term::ProcessCount);
        }
        let side = if invariant.constant < 0 { &mut left } else { &mut right };
        side.constant = Number::whole(invariant.constant.abs());
        (left, right)
    }

    /// The counter of the processes in places with a factor, which is added unless it is known.
    fn counter(
        &self,
        model: &Model,
        invariant: &PlaceInvariant,
        factor: i64,
        counters: &mut Vec<Counter>,
    ) -> usize {
        let formula = self.formula(model, &|place| invariant.places[place] == factor);
        if let Some(at) = counters.iter().position(|counter| counter.formula == formula) {
            return at;
        }
        let mut name = format!("Count{}", counters.len() + 1);
        while model.symbols.iter().any(|symbol| symbol.name == name) {
            name.push('_');
        }
        let start = if self.starts_in(invariant, factor) { Start::Everybody } else { Start::Nobody };
        counters.push(Counter { name, variables: vec!["k".into()], formula, start });
        counters.len() - 1
    }

    /// Whether processes start in the places with a factor: all of them do, or none.
    fn starts_in(&self, invariant: &PlaceInvariant, factor: i64) -> bool {
        self.starts.first().is_some_and(|place| invariant.places[*place] == factor)
    }

    /// That a process is in one of some places, whatever is said of places that none gets to.
    pub(super) fn formula(&self, model: &Model, contains: &impl Fn(Place) -> bool) -> Formula {
        let status: Vec<Status> =
            (0..self.locals.places).map(|place| self.reached[place].then(|| contains(place))).collect();
        describe(&self.locals, model, 0, &status)
    }
}

/// The factors of an invariant, each once, that are not 0.
pub(super) fn factors(invariant: &PlaceInvariant, reached: &[bool]) -> Vec<i64> {
    let places = invariant.places.iter().zip(reached).filter(|(_, reached)| **reached);
    let mut factors: Vec<i64> = places.map(|(factor, _)| *factor).filter(|factor| *factor != 0).collect();
    factors.sort_unstable();
    factors.dedup();
    factors
}

/// Whether a place is meant; `None` if it does not matter.
pub(super) type Status = Option<bool>;

/// The values of a dimension for which the same remains to be said of the further ones, with that.
pub(super) fn groups(locals: &Locals, dimension: usize, status: &[Status]) -> Vec<(Values, Vec<Status>)> {
    let mut groups: Vec<(Values, Vec<Status>)> = Vec::new();
    for value in &locals.dimensions[dimension].values {
        let rest: Vec<Status> = (0..locals.places)
            .map(|place| locals.with(place, dimension, *value).and_then(|place| status[place]))
            .collect();
        let agree = |(_, known): &&mut (Values, Vec<Status>)| {
            known.iter().zip(&rest).all(|(a, b)| a.is_none() || b.is_none() || a == b)
        };
        match groups.iter_mut().find(agree) {
            Some((values, known)) => {
                *values |= value;
                known.iter_mut().zip(&rest).for_each(|(known, rest)| *known = known.or(*rest));
            }
            None => groups.push((*value, rest)),
        }
    }
    groups
}

/// A formula that tells places apart, from one dimension on.
fn describe(locals: &Locals, model: &Model, dimension: usize, status: &[Status]) -> Formula {
    if !status.contains(&Some(true)) {
        return Formula::False;
    }
    if !status.contains(&Some(false)) {
        return Formula::True;
    }
    let groups = groups(locals, dimension, status);
    if let [(_, rest)] = groups.as_slice() {
        return describe(locals, model, dimension + 1, rest);
    }
    Formula::or(groups.iter().map(|(values, rest)| {
        let rest = describe(locals, model, dimension + 1, rest);
        if rest == Formula::False {
            return Formula::False;
        }
        Formula::and([one_of(locals, model, dimension, *values), rest])
    }))
}

/// That the own cell of a process has one of some values.
fn one_of(locals: &Locals, model: &Model, dimension: usize, values: Values) -> Formula {
    let symbol = SymbolId::from_index(locals.dimensions[dimension].symbol.into());
    let Sort::Enum(of) = model.symbol(symbol).sort else { return Formula::False };
    let cell = Term::read(symbol, vec![Term::Var(Var(0))]);
    let is = |value: &Values| Formula::eq(cell.clone(), Term::Constructor(of, value.trailing_zeros()));
    Formula::or(locals.dimensions[dimension].values.iter().filter(|value| **value & values != 0).map(is))
}
