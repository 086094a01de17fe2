//! Steps: a transition, pairwise distinct processes, and everything at once (section 5).

use crate::{
    evaluation::Stuck,
    instance::{Env, Instance, bound, bound_params, tuples},
    state::{State, Value},
    tree::{Assigned, Rule, Target, Update},
};
use std::collections::BTreeSet;

/// Why a step is faulty. It counts as enabled, and ends the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    Misuse,
    Range,
}

/// A step that is enabled.
#[derive(Debug)]
pub struct Step {
    /// `None` for the flush of the oldest entry of a buffer.
    pub rule: Option<usize>,
    /// The processes of its parameters; of a flush, the process whose buffer it is.
    pub processes: Vec<usize>,
    /// The possible successors; empty if the step is faulty.
    pub states: Vec<State>,
    pub faults: BTreeSet<Fault>,
    /// Whether a range excluded some successors.
    pub cut: bool,
}

/// The new value of a cell.
#[derive(Debug, Clone, Copy)]
struct Change {
    symbol: usize,
    cell: usize,
    to: Becomes,
}

#[derive(Debug, Clone, Copy)]
enum Becomes {
    Value(Value),
    /// `?`
    Any,
}

impl Instance<'_> {
    /// Every step that is enabled in a state, or why that cannot be decided.
    pub fn steps(&self, state: &State) -> Vec<Result<Step, Stuck>> {
        let mut steps = Vec::new();
        for (at, rule) in self.program.rules.iter().enumerate() {
            for processes in self.choices(&rule.params, &state.kinds) {
                let mut step =
                    Step { rule: Some(at), processes, states: vec![], faults: BTreeSet::new(), cut: false };
                match self.take(rule, &mut step, state) {
                    Ok(enabled) => steps.extend(enabled.then_some(Ok(step))),
                    Err(stuck) => steps.push(Err(stuck)),
                }
            }
        }
        steps.extend(self.flushes(state).into_iter().map(Ok));
        steps
    }

    /// Whether the step is enabled; if so, fills in its successors.
    fn take(&self, rule: &Rule, step: &mut Step, state: &State) -> Result<bool, Stuck> {
        let env = bound_params(&rule.params, &step.processes);
        // Section 7: enabled only while its actor is active.
        if rule.actor.is_some_and(|actor| !state.is_active(env[actor])) {
            return Ok(false);
        }
        if self.waits_for_buffer(rule, &env, state) {
            return Ok(false);
        }
        let view = Self::view(rule, &env, state);
        match self.truth(&rule.guard, &env, &view) {
            Ok(false) => return Ok(false),
            Ok(true) => self.execute(rule, &env, step, state, &view)?,
            Err(Stuck::Outside) => _ = step.faults.insert(Fault::Misuse),
            Err(stuck) => return Err(stuck),
        }
        Ok(true)
    }

    /// `view` is the state as the actor sees it.
    fn execute(
        &self,
        rule: &Rule,
        env: &Env,
        step: &mut Step,
        state: &State,
        view: &State,
    ) -> Result<(), Stuck> {
        let mut changes = Vec::new();
        for update in &rule.updates {
            match self.changes(update, env, view) {
                Ok(found) => changes.extend(found),
                Err(Stuck::Outside) => _ = step.faults.insert(Fault::Misuse),
                Err(stuck) => return Err(stuck),
            }
        }
        let leaves = |change: &Change| matches!(change.to, Becomes::Value(to) if !self.fits(change.symbol, to, &state.kinds));
        if changes.iter().any(leaves) {
            step.faults.insert(Fault::Range);
        }
        let locked = self.after_primitive(rule, env, step, state)?;
        if step.faults.is_empty() {
            let buffer = self.buffer_for(rule, env, changes.iter().map(|change| change.symbol));
            self.follow(step, &changes, buffer, locked, state)?;
        }
        Ok(())
    }

    /// The states after the primitive, if there is one.
    fn after_primitive(
        &self,
        rule: &Rule,
        env: &Env,
        step: &mut Step,
        state: &State,
    ) -> Result<Vec<State>, Stuck> {
        let Some(primitive) = &rule.primitive else { return Ok(vec![state.clone()]) };
        let actor = env[rule.actor.expect("a primitive has an actor")];
        let indices = match self.indices(&primitive.indices, env, state) {
            Ok(indices) => indices,
            Err(Stuck::Outside) => {
                step.faults.insert(Fault::Misuse);
                return Ok(vec![]);
            }
            Err(stuck) => return Err(stuck),
        };
        let Some(outcomes) = self.perform(primitive, &indices, actor, state) else {
            step.faults.insert(Fault::Misuse);
            return Ok(vec![]);
        };
        let after = outcomes.into_iter().map(|outcome| {
            let mut after = state.clone();
            after.locks[self.lock(primitive.symbol, &indices)] = outcome.queues;
            outcome
                .value
                .into_iter()
                .for_each(|value| after.cells[self.cell(primitive.symbol, &indices)] = value);
            after
        });
        Ok(after.collect())
    }

    /// The changes made by an update. Conditions, indices and values read the state before the step.
    fn changes(&self, update: &Update, env: &Env, state: &State) -> Result<Vec<Change>, Stuck> {
        let (variables, cells) = match &update.target {
            Target::Cell(indices) => (&[][..], vec![self.indices(indices, env, state)?]),
            Target::Every(variables) => (&variables[..], tuples(self.processes, variables.len())),
        };
        let mut changes = Vec::new();
        for indices in cells {
            let env = bound(env, variables.iter().copied(), &indices);
            let cell = self.cell(update.symbol, &indices);
            if let Some(to) = self.assigned(update, &env, state)? {
                changes.push(Change { symbol: update.symbol, cell, to });
            }
        }
        Ok(changes)
    }

    /// The value assigned by the first arm that applies. Without a default arm, the cell keeps its value.
    fn assigned(&self, update: &Update, env: &Env, state: &State) -> Result<Option<Becomes>, Stuck> {
        for (condition, assigned) in &update.arms {
            if self.truth(condition, env, state)? {
                return Ok(match assigned {
                    Assigned::Term(term) => Some(Becomes::Value(self.value(term, env, state)?)),
                    Assigned::Any => Some(Becomes::Any),
                    Assigned::Keep => None,
                });
            }
        }
        Ok(None)
    }

    fn follow(
        &self,
        step: &mut Step,
        changes: &[Change],
        buffer: Option<usize>,
        locked: Vec<State>,
        before: &State,
    ) -> Result<(), Stuck> {
        step.states = locked;
        for state in &mut step.states {
            buffer.into_iter().for_each(|process| state.buffers[process].push(vec![]));
        }
        for change in changes {
            let mut after = Vec::new();
            for state in std::mem::take(&mut step.states) {
                after.extend(self.changed(&state, change, buffer, before)?);
            }
            // Values beyond the range are excluded from a nondeterministic number.
            step.cut |= matches!(change.to, Becomes::Any) && self.range(change.symbol).is_some();
            let all = after.len();
            after.retain(|(_, value)| self.in_asked_range(change.symbol, *value));
            step.cut |= after.len() < all;
            step.states = after.into_iter().map(|(state, _)| state).collect();
        }
        step.states.iter_mut().for_each(|state| self.canonical(state));
        Ok(())
    }

    /// The states after a change, each with the new value. A weak write goes to the youngest entry of a buffer.
    fn changed(
        &self,
        state: &State,
        change: &Change,
        buffer: Option<usize>,
        before: &State,
    ) -> Result<Vec<(State, Value)>, Stuck> {
        let buffer = buffer.filter(|_| self.program.symbols[change.symbol].weak);
        let values = match change.to {
            Becomes::Value(value) => vec![value],
            // Values that another `?` of this step has just introduced are present as well.
            Becomes::Any => self
                .values(change.symbol, &state.kinds, &slices(&[before.pictures(), state.pictures()].concat()))
                .ok_or(Stuck::Unset(change.symbol))?,
        };
        let with = |value| {
            let mut state = state.clone();
            state.write(buffer, change.cell, value);
            (state, value)
        };
        Ok(values.into_iter().map(with).collect())
    }

    fn in_asked_range(&self, symbol: usize, value: Value) -> bool {
        match (self.range(symbol), value) {
            (Some(range), Value::Number(number)) => number.within(range),
            _ => true,
        }
    }
}

fn slices(rows: &[Vec<Value>]) -> Vec<&[Value]> {
    rows.iter().map(Vec::as_slice).collect()
}
