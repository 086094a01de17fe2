//! The steps of an instance: each transition for each choice of its processes.

use super::{
    ground::{Binding, Cond, Expr, Grounder, bound},
    layout::Slot,
    program::{CondId, ExprId, Guard, Program, Trouble},
};
use explore::{Deadline, Limit};
use ir::{Arm, Domain, Final, Model, Property, Sort, Transition, Update, Value, Var};

/// A transition with its parameters bound to processes.
#[derive(Debug, Clone)]
pub(super) struct Step {
    /// The position of the transition in the model.
    pub(super) transition: usize,
    /// The processes bound to its parameters, from 0.
    pub(super) processes: Vec<usize>,
    pub(super) guard: Guard,
    /// Constants that are written in every state: a word, the bits to keep, and the bits to set.
    constants: Vec<(usize, u64, u64)>,
    effects: Vec<Effect>,
}

/// The new value of one slot.
#[derive(Debug, Clone)]
struct Effect {
    slot: usize,
    /// Tried in order; if none applies, the slot keeps its value.
    arms: Vec<(CondId, Source)>,
}

/// Where a new value comes from.
#[derive(Debug, Clone, Copy)]
enum Source {
    Value(ExprId),
    Any,
    Keep,
}

/// A property with its parameters bound to processes.
#[derive(Debug, Clone)]
pub(super) struct Bad {
    /// The position of the property in the model.
    pub(super) property: usize,
    /// The processes bound to its parameters, from 0.
    pub(super) processes: Vec<usize>,
    pub(super) guard: Guard,
}

/// The values that a slot may get from a nondeterministic assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Choice {
    /// One of these codes.
    Codes(Vec<u64>),
    /// A value of an abstract type: any value present in these slots, or a fresh one.
    Fresh(Vec<usize>),
    /// Infinitely many numbers.
    Unbounded,
}

impl Choice {
    /// The codes that can be chosen in a state; `None` if there are infinitely many.
    pub(super) fn codes(&self, slots: &[Slot], state: &[u64]) -> Option<Vec<u64>> {
        match self {
            Choice::Codes(codes) => Some(codes.clone()),
            Choice::Fresh(same) => {
                let largest = same.iter().map(|slot| slots[*slot].code(state)).max().unwrap_or(0);
                Some((0..=(largest + 1).min(same.len() as u64 - 1)).collect())
            }
            Choice::Unbounded => None,
        }
    }
}

/// Why a step cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StepError {
    Trouble(Trouble),
    /// A number does not fit into this slot.
    TooLarge(usize),
    /// A limit was hit while its successors were listed.
    Stopped(Limit),
}

impl From<Trouble> for StepError {
    fn from(trouble: Trouble) -> StepError {
        StepError::Trouble(trouble)
    }
}

/// The part of an instance that steps read.
pub(super) struct World<'a> {
    pub(super) program: &'a Program,
    pub(super) slots: &'a [Slot],
}

impl Step {
    /// Whether the step has exactly one successor in every state where its guard holds: nothing is left open, and in an
    /// instance without numbers nothing can be too large or unset.
    pub(super) fn is_certain(&self, has_numbers: bool) -> bool {
        let open = |effect: &Effect| effect.arms.iter().any(|(_, source)| matches!(source, Source::Any));
        self.effects.is_empty() || !has_numbers && !self.effects.iter().any(open)
    }

    /// The successor, if nothing but constants is written. The guard must hold.
    #[inline]
    pub(super) fn constant_successor<const W: usize>(&self, state: &[u64; W]) -> Option<[u64; W]> {
        if !self.effects.is_empty() {
            return None;
        }
        let mut next = *state;
        self.write_constants(&mut next);
        Some(next)
    }

    #[inline]
    fn write_constants(&self, next: &mut [u64]) {
        for (word, keep, set) in &self.constants {
            next[*word] = next[*word] & keep | set;
        }
    }

    /// Writes the successor into `next`, and lists in `open` the slots that may get any value. The guard must hold.
    pub(super) fn apply(
        &self,
        world: &World<'_>,
        state: &[u64],
        next: &mut [u64],
        open: &mut Vec<usize>,
    ) -> Result<(), StepError> {
        next.copy_from_slice(state);
        self.write_constants(next);
        for effect in &self.effects {
            match source(effect, world.program, state)? {
                Source::Keep => {}
                Source::Any => open.push(effect.slot),
                Source::Value(value) => {
                    let slot = &world.slots[effect.slot];
                    let value = world.program.value(value, state)?;
                    slot.set(next, slot.encode(value).ok_or(StepError::TooLarge(effect.slot))?);
                }
            }
        }
        Ok(())
    }
}

fn source(effect: &Effect, program: &Program, state: &[u64]) -> Result<Source, Trouble> {
    for (condition, source) in &effect.arms {
        if program.holds(*condition, state)? {
            return Ok(*source);
        }
    }
    Ok(Source::Keep)
}

/// Compiles steps and properties.
pub(super) struct Compiler<'g> {
    pub(super) grounder: Grounder<'g>,
    pub(super) program: Program,
}

impl Compiler<'_> {
    /// All steps of a model.
    pub(super) fn steps(&mut self, model: &Model, deadline: &Deadline) -> Result<Vec<Step>, Limit> {
        let mut steps = Vec::new();
        for (at, transition) in model.transitions.iter().enumerate() {
            for mut binding in self.bindings(&transition.params) {
                deadline.check()?;
                steps.extend(self.step(at, transition, &mut binding));
            }
        }
        Ok(steps)
    }

    fn bindings(&self, params: &[Var]) -> Vec<Binding> {
        let mut found = Vec::new();
        self.grounder.each_distinct(params, &[], &mut vec![], &mut |binding| found.push(binding.clone()));
        found
    }

    fn step(&mut self, at: usize, transition: &Transition, binding: &mut Binding) -> Option<Step> {
        let condition = self.grounder.formula(&transition.guard, binding);
        let guard = self.program.guard(&condition)?;
        let processes = processes(&transition.params, binding);
        let mut step = Step { transition: at, processes, guard, constants: vec![], effects: vec![] };
        for update in &transition.updates {
            self.update(update, binding, &mut step);
        }
        Some(step)
    }

    /// One effect for each cell that an update may change.
    fn update(&mut self, update: &Update, binding: &mut Binding, step: &mut Step) {
        let first =
            self.grounder.layout.first(update.symbol).expect("constants of the instance are not updated");
        let mut cells = Vec::new();
        self.grounder.each_tuple(&update.cell, binding, &mut |binding| cells.push(binding.clone()));
        for (cell, mut binding) in cells.into_iter().enumerate() {
            self.effect(first + cell, &update.arms, &mut binding, step);
        }
    }

    fn effect(&mut self, slot: usize, arms: &[Arm], binding: &mut Binding, step: &mut Step) {
        let mut kept: Vec<(Cond, Option<Expr>, &Value)> = Vec::new();
        for arm in arms {
            let condition = self.grounder.formula(&arm.condition, binding);
            if condition == Cond::Constant(false) {
                continue;
            }
            let value = match &arm.value {
                Value::Term(term) => Some(self.grounder.term(term, binding)),
                Value::Any | Value::Keep => None,
            };
            let last = condition == Cond::Constant(true);
            kept.push((condition, value, &arm.value));
            if last {
                break;
            }
        }
        if let [(Cond::Constant(true), value, kind)] = kept.as_slice() {
            let done =
                **kind == Value::Keep || value.as_ref().is_some_and(|value| self.constant(slot, value, step));
            if done {
                return;
            }
        }
        let arms: Vec<(CondId, Source)> =
            kept.iter().map(|(condition, value, kind)| self.arm(condition, value.as_ref(), kind)).collect();
        if !arms.is_empty() {
            step.effects.push(Effect { slot, arms });
        }
    }

    fn arm(&mut self, condition: &Cond, value: Option<&Expr>, kind: &Value) -> (CondId, Source) {
        let source = match (kind, value) {
            (Value::Term(_), Some(value)) => Source::Value(self.program.expr(value)),
            (Value::Any, _) => Source::Any,
            _ => Source::Keep,
        };
        (self.program.cond(condition), source)
    }

    /// Makes a constant that is always written part of a mask. False if that is not possible.
    fn constant(&self, slot: usize, value: &Expr, step: &mut Step) -> bool {
        let place = self.grounder.layout.slots[slot];
        let Expr::Constant(value) = value else { return false };
        let Some(code) = place.encode(*value) else { return false };
        let (keep, set) = (!(place.mask << place.shift), code << place.shift);
        match step.constants.iter_mut().find(|(word, _, _)| *word == place.word) {
            Some((_, known_keep, known_set)) => {
                *known_keep &= keep;
                *known_set |= set;
            }
            None => step.constants.push((place.word, keep, set)),
        }
        true
    }

    /// Compiles properties for all choices of processes, leaving out those that never match.
    pub(super) fn properties(
        &mut self,
        properties: &[Property],
        deadline: &Deadline,
    ) -> Result<Vec<Bad>, Limit> {
        let mut bad = Vec::new();
        for (at, property) in properties.iter().enumerate() {
            for mut binding in self.bindings(&property.params) {
                deadline.check()?;
                let condition = self.grounder.formula(&property.formula, &mut binding);
                if let Some(guard) = self.program.guard(&condition) {
                    bad.push(Bad { property: at, processes: processes(&property.params, &binding), guard });
                }
            }
        }
        Ok(bad)
    }

    /// Compiles the condition that a run may end; `None` if the model does not say.
    pub(super) fn ends(&mut self, finals: &[Final]) -> Option<CondId> {
        let tree = |end: &Final| self.grounder.formula(&end.formula, &mut vec![]);
        let any = Cond::any(finals.iter().map(tree));
        (!finals.is_empty()).then(|| self.program.cond(&any))
    }
}

impl Grounder<'_> {
    /// The nondeterministic choices for each slot; `ranged` tells for each symbol whether the user gave it a range.
    pub(super) fn choices(&self, ranged: &[bool]) -> Vec<Choice> {
        (0..self.layout.slots.len()).map(|slot| self.choice(slot, ranged)).collect()
    }

    fn choice(&self, slot: usize, ranged: &[bool]) -> Choice {
        let id = self.layout.symbol_of[slot];
        let symbol = self.model.symbol(id);
        let all = |count: usize| Choice::Codes((0..count as u64).collect());
        match (symbol.sort, symbol.domain) {
            (Sort::Enum(of), _) => all(self.model.enums[of.index()].constructors.len()),
            (Sort::Proc, Domain::Kind(kind)) => {
                let of_kind = (0..self.layout.processes).filter(|process| self.kinds[*process] == kind.0);
                Choice::Codes(of_kind.map(|process| process as u64).collect())
            }
            (Sort::Proc, _) => all(self.layout.processes),
            (Sort::Abstract(_), _) => {
                let same =
                    |other: &usize| self.model.symbol(self.layout.symbol_of[*other]).sort == symbol.sort;
                Choice::Fresh((0..self.layout.slots.len()).filter(same).collect())
            }
            (Sort::Int, Domain::Range(..)) => Choice::Codes((1..=self.layout.slots[slot].last).collect()),
            (Sort::Int | Sort::Real, _) if ranged[id.index()] => {
                Choice::Codes((1..=self.layout.slots[slot].last).collect())
            }
            (Sort::Int | Sort::Real, _) => Choice::Unbounded,
        }
    }
}

fn processes(params: &[Var], binding: &Binding) -> Vec<usize> {
    params.iter().filter_map(|var| bound(binding, *var)).collect()
}
