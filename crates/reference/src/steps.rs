//! Steps: a transition, pairwise distinct processes, and everything at once (section 5).

use super::{
    evaluation::Stuck,
    instance::{Env, Instance, bound, bound_params, tuples},
    state::{State, Value},
    tree::{Assigned, Rule, Target, Update},
};
use std::collections::BTreeSet;

/// Why a step is faulty. It counts as enabled, and ends the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    Misuse,
    Range,
}

/// A step that is enabled.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) rule: usize,
    /// The processes of its parameters.
    pub(crate) processes: Vec<usize>,
    /// The possible successors; empty if the step is faulty.
    pub(crate) states: Vec<State>,
    pub(crate) faults: BTreeSet<Fault>,
    /// Whether a range excluded some successors.
    pub(crate) cut: bool,
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
    pub(crate) fn steps(&self, state: &State) -> Vec<Result<Step, Stuck>> {
        let mut steps = Vec::new();
        for (at, rule) in self.program.rules.iter().enumerate() {
            for processes in self.choices(&rule.params, &state.kinds) {
                let mut step =
                    Step { rule: at, processes, states: vec![], faults: BTreeSet::new(), cut: false };
                match self.take(rule, &mut step, state) {
                    Ok(enabled) => steps.extend(enabled.then_some(Ok(step))),
                    Err(stuck) => steps.push(Err(stuck)),
                }
            }
        }
        steps
    }

    /// Whether the step is enabled; if so, fills in its successors.
    fn take(&self, rule: &Rule, step: &mut Step, state: &State) -> Result<bool, Stuck> {
        let env = bound_params(&rule.params, &step.processes);
        // Section 7: enabled only while its actor is active.
        if rule.actor.is_some_and(|actor| !state.is_active(env[actor])) {
            return Ok(false);
        }
        match self.truth(&rule.guard, &env, state) {
            Ok(false) => return Ok(false),
            Ok(true) => self.execute(rule, &env, step, state)?,
            Err(Stuck::Outside) => _ = step.faults.insert(Fault::Misuse),
            Err(stuck) => return Err(stuck),
        }
        Ok(true)
    }

    fn execute(&self, rule: &Rule, env: &Env, step: &mut Step, state: &State) -> Result<(), Stuck> {
        let mut changes = Vec::new();
        for update in &rule.updates {
            match self.changes(update, env, state) {
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
            self.follow(step, &changes, locked, state)?;
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
        locked: Vec<State>,
        before: &State,
    ) -> Result<(), Stuck> {
        step.states = locked;
        for change in changes {
            let mut after = Vec::new();
            for state in std::mem::take(&mut step.states) {
                after.extend(self.changed(&state, change, before)?);
            }
            // Values beyond the range are excluded from a nondeterministic number.
            step.cut |= matches!(change.to, Becomes::Any) && self.range(change.symbol).is_some();
            let all = after.len();
            after.retain(|state| self.in_asked_range(change.symbol, state.cells[change.cell]));
            step.cut |= after.len() < all;
            step.states = after;
        }
        step.states.iter_mut().for_each(|state| self.canonical(state));
        Ok(())
    }

    fn changed(&self, state: &State, change: &Change, before: &State) -> Result<Vec<State>, Stuck> {
        let values = match change.to {
            Becomes::Value(value) => vec![value],
            // Values that another `?` of this step has just introduced are present as well.
            Becomes::Any => self
                .values(change.symbol, &state.kinds, &[&before.cells, &state.cells])
                .ok_or(Stuck::Unset(change.symbol))?,
        };
        let with = |value| {
            let mut state = state.clone();
            state.cells[change.cell] = value;
            state
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
