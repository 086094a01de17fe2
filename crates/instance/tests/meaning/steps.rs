//! Steps: a transition, pairwise distinct parameters, and all updates at once.

use super::{
    evaluation::Stuck,
    instance::{Binding, Instance, State, tuples},
    value::Value,
};
use ir::{self, RuleId, Sort, SymbolId, Transition, Update};
use std::collections::HashMap;

/// An enabled step.
#[derive(Debug)]
pub(crate) struct Step {
    /// The rule that it comes from.
    pub(crate) rule: RuleId,
    /// The states that it may lead to.
    pub(crate) states: Vec<State>,
    /// Whether a range excluded some successors.
    pub(crate) cut: bool,
}

/// The new value of a cell.
enum Change {
    To(Value),
    Any,
}

impl Instance<'_> {
    /// Every step that is enabled in a state.
    pub(crate) fn steps(&self, state: &State) -> Result<Vec<Step>, Stuck> {
        let mut steps = Vec::new();
        for transition in &self.model.transitions {
            for binding in self.bindings(&transition.params, transition.variables.len()) {
                if self.formula(&transition.guard, &binding, state)? {
                    steps.push(self.step(transition, &binding, state)?);
                }
            }
        }
        Ok(steps)
    }

    fn step(&self, transition: &Transition, binding: &Binding, state: &State) -> Result<Step, Stuck> {
        let mut step = Step { rule: transition.rule, states: vec![state.clone()], cut: false };
        for update in &transition.updates {
            for (cell, change) in self.changes(update, binding, state)? {
                self.apply(&mut step, update.symbol, cell, &change, state)?;
            }
        }
        for after in &mut step.states {
            *after = self.canonical(std::mem::take(after));
        }
        Ok(step)
    }

    /// The changes made by an update. Conditions and values read the state before the step.
    fn changes(
        &self,
        update: &Update,
        binding: &Binding,
        state: &State,
    ) -> Result<Vec<(usize, Change)>, Stuck> {
        let mut changes = Vec::new();
        for indices in tuples(self.processes, update.cell.len()) {
            let mut binding = binding.clone();
            for (variable, process) in update.cell.iter().zip(&indices) {
                binding[variable.index()] = Some(*process);
            }
            for arm in &update.arms {
                if !self.formula(&arm.condition, &binding, state)? {
                    continue;
                }
                let cell = self.cell(update.symbol, &indices);
                match &arm.value {
                    ir::Value::Term(term) => {
                        changes.push((cell, Change::To(self.term(term, &binding, state)?)));
                    }
                    ir::Value::Any => changes.push((cell, Change::Any)),
                    ir::Value::Keep => {}
                }
                break;
            }
        }
        Ok(changes)
    }

    /// Changes a cell in all successors so far.
    fn apply(
        &self,
        step: &mut Step,
        symbol: SymbolId,
        cell: usize,
        change: &Change,
        before: &State,
    ) -> Result<(), Stuck> {
        let mut after = Vec::new();
        for state in std::mem::take(&mut step.states) {
            let values = match change {
                Change::To(value) => vec![*value],
                // New values of other cells are not fresh any more.
                Change::Any => self.values(symbol, &[before, &state]).ok_or(Stuck::Open(symbol))?,
            };
            for value in values {
                assert!(
                    self.in_domain(symbol, value, before),
                    "`{}` becomes {value:?}, which the typed form should rule out",
                    self.model.symbol(symbol).name
                );
                let mut state = state.clone();
                state[cell] = value;
                after.push(state);
            }
        }
        step.states = after;
        // Values beyond the range are excluded from a nondeterministic number.
        step.cut |= matches!(change, Change::Any) && self.range(symbol).is_some();
        self.cut(step, symbol, cell);
        Ok(())
    }

    /// Drops the successors in which a cell is outside of the range that the user gave.
    fn cut(&self, step: &mut Step, symbol: SymbolId, cell: usize) {
        let Some((low, high)) = self.range(symbol) else { return };
        let before = step.states.len();
        step.states.retain(|state| match state[cell] {
            Value::Number(number) => number.within(low, high),
            _ => true,
        });
        step.cut |= step.states.len() < before;
    }

    /// The state with the values of abstract types numbered by first occurrence.
    pub(crate) fn canonical(&self, mut state: State) -> State {
        for at in 0..self.model.abstract_types.len() {
            let sort = Sort::Abstract(ir::AbstractId::from_index(at));
            let mut names: HashMap<u32, u32> = HashMap::new();
            for symbol in self.symbols().filter(|symbol| self.model.symbol(*symbol).sort == sort) {
                for cell in self.cells_of(symbol) {
                    if let Value::Abstract(value) = state[cell] {
                        let next = u32::try_from(names.len()).expect("few");
                        state[cell] = Value::Abstract(*names.entry(value).or_insert(next));
                    }
                }
            }
        }
        state
    }
}
