//! Initial states: all states that satisfy `init` for all its parameters (section 6).
//!
//! Cells with finitely many values are tried one value after the other; numbers have the values that the equations of
//! `init` give them, and are unset otherwise.

use crate::{
    evaluation::Stuck,
    instance::{Env, Instance, bound_params, of_kinds, tuples},
    linear::Solution,
    outsiders::{Start, starts},
    search::Refusal,
    state::{Queues, State, Value},
    tree::{Claim, LockType, Phrase, Relation, Type},
};
use std::collections::HashSet;

/// A formula that must hold, or must not.
#[derive(Debug, Clone)]
struct Demand<'p> {
    asserted: bool,
    phrase: &'p Phrase,
    env: Env,
}

/// The initial states that were found.
#[derive(Debug, Default)]
pub struct Initial {
    pub states: HashSet<State>,
    /// Whether a range that the user gave excluded some.
    pub cut: bool,
    /// The number of partial states that may still be visited.
    nodes: usize,
}

impl Instance<'_> {
    pub fn initial(&self, nodes: usize) -> Result<Initial, Refusal> {
        let mut initial = Initial { nodes, ..Initial::default() };
        for start in starts(self.program) {
            for kinds in self.kind_assignments() {
                let demands = self.demands(&start, &kinds);
                self.try_values(self.blank(&start, kinds), 0, &demands, &mut initial)?;
            }
        }
        initial.states = without_covered(&initial.states);
        Ok(initial)
    }

    /// A state in which only kinds and outsiders are decided. Locks start free (section 7).
    fn blank(&self, start: &Start<'_>, kinds: Vec<usize>) -> State {
        let locks = vec![Queues::default(); self.locks];
        let (cells, buffers) = (vec![Value::Unset; self.cells], vec![vec![]; self.processes]);
        let mut state = State { kinds, cells, locks, buffers };
        for (symbol, named) in &start.outside {
            self.cells_of(*symbol).into_iter().for_each(|cell| state.cells[cell] = Value::Outsider(*named));
        }
        state
    }

    /// `init` for all assignments of its parameters, and no match of an assumption.
    fn demands<'s>(&'s self, start: &'s Start<'_>, kinds: &[usize]) -> Vec<Demand<'s>> {
        let params = &start.init.params;
        let mut assignments = tuples(self.processes, params.len());
        assignments.retain(|chosen| of_kinds(params, chosen, kinds));
        let demand = |chosen: &Vec<usize>| Demand {
            asserted: true,
            phrase: &start.formula,
            env: bound_params(params, chosen),
        };
        let mut demands: Vec<Demand<'_>> = assignments.iter().map(demand).collect();
        for assumption in self.program.properties.iter().filter(|p| p.claim == Claim::Assumption) {
            demands.extend(self.choices(&assumption.params, kinds).iter().map(|chosen| Demand {
                asserted: false,
                phrase: &assumption.formula,
                env: bound_params(&assumption.params, chosen),
            }));
        }
        demands
    }

    /// Tries every value of every cell from `from` on.
    fn try_values(
        &self,
        state: State,
        from: usize,
        demands: &[Demand<'_>],
        found: &mut Initial,
    ) -> Result<(), Refusal> {
        found.nodes = found.nodes.checked_sub(1).ok_or(Refusal::TooLarge)?;
        let Some(demands) = self.undecided(demands, &state)? else { return Ok(()) };
        for (symbol, cell) in self.all_cells().into_iter().filter(|(_, cell)| *cell >= from) {
            if state.cells[cell] != Value::Unset || self.range(symbol).is_some() {
                continue;
            }
            let Some(values) = self.values(symbol, &state.kinds, &[&state.cells]) else { continue };
            for value in values {
                let mut state = state.clone();
                state.cells[cell] = value;
                self.try_values(state, cell + 1, &demands, found)?;
            }
            return Ok(());
        }
        self.decide_numbers(state, &demands, found)
    }

    /// The demands whose truth is not known yet; `None` if one is violated.
    fn undecided<'s>(
        &self,
        demands: &[Demand<'s>],
        state: &State,
    ) -> Result<Option<Vec<Demand<'s>>>, Refusal> {
        let mut open = Vec::new();
        for demand in demands {
            match self.truth(demand.phrase, &demand.env, state) {
                Ok(truth) if truth == demand.asserted => {}
                Ok(_) => return Ok(None),
                Err(Stuck::Overflow) => return Err(Refusal::TooLarge),
                Err(_) => open.push(demand.clone()),
            }
        }
        Ok(Some(open))
    }

    /// Only numbers are left: takes formulas apart until equations decide them.
    fn decide_numbers(
        &self,
        mut state: State,
        demands: &[Demand<'_>],
        found: &mut Initial,
    ) -> Result<(), Refusal> {
        found.nodes = found.nodes.checked_sub(1).ok_or(Refusal::TooLarge)?;
        let Some(demands) = self.undecided(demands, &state)? else { return Ok(()) };
        for at in 0..demands.len() {
            match self.equation(&demands[at], &state) {
                Solution::Unknown => continue,
                Solution::Decided(false) => return Ok(()),
                Solution::Decided(true) => {}
                Solution::Cell(cell, value) => state.cells[cell] = value,
            }
            return self.decide_numbers(state, &without(&demands, at), found);
        }
        for at in 0..demands.len() {
            let Some(alternatives) = self.take_apart(&demands[at]) else { continue };
            for alternative in alternatives {
                let demands = [without(&demands, at), alternative].concat();
                self.decide_numbers(state.clone(), &demands, found)?;
            }
            return Ok(());
        }
        for (symbol, cell) in self.all_cells() {
            if state.cells[cell] == Value::Unset && self.range(symbol).is_some() {
                return self.try_range(&state, symbol, cell, &demands, found);
            }
        }
        self.finish(state, &demands, found)
    }

    /// Tries every value in the range of a number that nothing decides; other values are excluded.
    fn try_range(
        &self,
        state: &State,
        symbol: usize,
        cell: usize,
        demands: &[Demand<'_>],
        found: &mut Initial,
    ) -> Result<(), Refusal> {
        found.cut = true;
        for value in self.values(symbol, &state.kinds, &[]).unwrap_or_default() {
            let mut state = state.clone();
            state.cells[cell] = value;
            self.decide_numbers(state, demands, found)?;
        }
        Ok(())
    }

    /// Adds the state, or refuses if a demand still depends on a number that nothing decides.
    fn finish(&self, mut state: State, demands: &[Demand<'_>], found: &mut Initial) -> Result<(), Refusal> {
        for (symbol, cell) in self.all_cells() {
            let value = state.cells[cell];
            if !self.fits(symbol, value, &state.kinds) || self.is_negative_semaphore(symbol, value) {
                return Ok(());
            }
            if let (Some(range), Value::Number(number)) = (self.range(symbol), value)
                && !number.within(range)
            {
                found.cut = true;
                return Ok(());
            }
        }
        for demand in demands {
            self.truth(demand.phrase, &demand.env, &state).map_err(|stuck| self.refusal(stuck))?;
        }
        self.canonical(&mut state);
        found.states.insert(state);
        Ok(())
    }

    /// Section 7: the initial value of a semaphore must not be negative.
    fn is_negative_semaphore(&self, symbol: usize, value: Value) -> bool {
        let semaphore = self.program.symbols[symbol].of == Type::Lock(LockType::Semaphore);
        semaphore && matches!(value, Value::Number(number) if number < crate::number::Ratio::ZERO)
    }

    fn equation(&self, demand: &Demand<'_>, state: &State) -> Solution {
        let relation = if demand.asserted { Relation::Eq } else { Relation::Neq };
        let Phrase::Compare(found, left, right) = demand.phrase else { return Solution::Unknown };
        if *found != relation {
            return Solution::Unknown;
        }
        self.solve(left, right, &demand.env, state).unwrap_or(Solution::Unknown)
    }

    /// The alternatives of which one meets a demand, each a list of demands; `None` if it is a comparison.
    fn take_apart<'s>(&self, demand: &Demand<'s>) -> Option<Vec<Vec<Demand<'s>>>> {
        let with = |phrase, asserted| Demand { asserted, phrase, env: demand.env.clone() };
        let same = |phrase| with(phrase, demand.asserted);
        let not = |phrase| with(phrase, !demand.asserted);
        let parts: (bool, Vec<Demand<'s>>) = match demand.phrase {
            Phrase::Not(part) => (true, vec![not(part)]),
            Phrase::And(parts) => (demand.asserted, parts.iter().map(same).collect()),
            Phrase::Or(parts) => (!demand.asserted, parts.iter().map(same).collect()),
            Phrase::Implies(premise, conclusion) => (!demand.asserted, vec![not(premise), same(conclusion)]),
            Phrase::Quantified(quantified) => {
                let envs = self.bindings(quantified, &demand.env).into_iter();
                let body = |env| Demand { env, ..same(&quantified.body) };
                (quantified.universal == demand.asserted, envs.map(body).collect())
            }
            Phrase::Iff(left, right) => {
                let sides = |holds| vec![with(left, holds), with(right, holds == demand.asserted)];
                return Some(vec![sides(true), sides(false)]);
            }
            Phrase::If(condition, then, otherwise) => {
                let (yes, no) = (with(condition, true), with(condition, false));
                return Some(vec![vec![yes, same(then)], vec![no, same(otherwise)]]);
            }
            _ => return None,
        };
        let (jointly, parts) = parts;
        Some(if jointly { vec![parts] } else { parts.into_iter().map(|part| vec![part]).collect() })
    }
}

/// All demands but one.
fn without<'s>(demands: &[Demand<'s>], at: usize) -> Vec<Demand<'s>> {
    [&demands[..at], &demands[at + 1..]].concat()
}

/// Removes the states that are special cases of another, which leaves unset what they decide: disjuncts may overlap.
fn without_covered(states: &HashSet<State>) -> HashSet<State> {
    let unset =
        |state: &State| -> Vec<bool> { state.cells.iter().map(|value| *value == Value::Unset).collect() };
    let masks: HashSet<Vec<bool>> = states.iter().map(unset).collect();
    let wider = |state: &State, mask: &[bool]| {
        let mut state = state.clone();
        let cells = state.cells.iter_mut().zip(mask).filter(|(_, unset)| **unset);
        cells.for_each(|(value, _)| *value = Value::Unset);
        state
    };
    let covered = |state: &State| {
        masks.iter().map(|mask| wider(state, mask)).any(|wider| wider != *state && states.contains(&wider))
    };
    states.iter().filter(|state| !covered(state)).cloned().collect()
}
