//! The compiled instances of a model as a [`System`] that can be explored.

use super::{Instance, Obstacle, StepError, Trouble, Waiting, moves::Move};
use explore::{Fault, Label, Packed, Steered, Symmetry, System, Valuation};
use ir::{Origin, PropertyKind, RuleId, SymbolId};
use std::cell::Cell;

/// A step with its nondeterministic choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Action {
    /// The position of the step in the instance.
    pub(super) step: u32,
    /// The number of the combination of open values.
    pub(super) choice: u32,
}

impl Action {
    /// The position of its step in the instance.
    pub(crate) fn step(self) -> usize {
        self.step as usize
    }

    /// The number of the combination of values that the step leaves open, from 0.
    pub fn choice(self) -> usize {
        self.choice as usize
    }
}

/// A cursor over the states of some instances of one model.
#[derive(Debug, Clone)]
pub struct Machine<'m, 'i, const W: usize> {
    instances: &'i [Instance<'m>],
    /// The current state, which includes the number of its instance.
    at: [u64; W],
    /// The first obstacle by [`rank`], if any: then the run is not exhaustive.
    obstacle: Cell<Option<ObstacleAt>>,
    /// Whether a range that the user gave excluded something: a step, an initial state, or some values of an open
    /// number.
    cut: Cell<bool>,
    /// Whether a store buffer had no room for a write.
    overflowed: Cell<bool>,
    /// For each step of each instance whether [`Packed::successors`] has taken it.
    taken: Vec<Vec<bool>>,
    /// The bits that such steps have changed.
    changed: [u64; W],
    /// Whether [`Packed::successors`] drops steps to states that violate an invariant.
    trusting: bool,
    /// The number of dropped steps and initial states.
    dropped: usize,
    /// If set, the only initial state: runs begin there instead of in the initial states of the model.
    origin: Option<[u64; W]>,
}

/// An obstacle, cheap to copy, with the number of its instance.
type ObstacleAt = (usize, StepError);

impl<'m, 'i, const W: usize> Machine<'m, 'i, W> {
    /// A machine over instances of at most `W` words.
    pub fn new(instances: &'i [Instance<'m>]) -> Machine<'m, 'i, W> {
        assert!(instances.iter().all(|instance| instance.words() <= W), "states must fit");
        Machine {
            instances,
            at: [0; W],
            obstacle: Cell::new(None),
            cut: Cell::new(instances.iter().any(|instance| instance.initial_cut)),
            overflowed: Cell::new(false),
            taken: instances.iter().map(|instance| vec![false; instance.steps.len()]).collect(),
            changed: [0; W],
            trusting: false,
            dropped: 0,
            origin: None,
        }
    }

    /// A machine whose runs begin in the current state of this one. It has met no obstacle yet.
    #[must_use]
    pub fn beginning_here(&self) -> Self {
        Machine { origin: Some(self.at), at: self.at, cut: Cell::new(false), ..Machine::new(self.instances) }
    }

    /// Forgets the obstacle met so far, so that the next one can be noticed.
    pub fn forget_obstacles(&mut self) {
        self.obstacle.set(None);
    }

    /// Whether to drop initial states that violate an invariant, and steps to such states.
    #[must_use]
    pub fn trust_invariants(self, trusting: bool) -> Self {
        Machine { trusting, ..self }
    }

    /// The number of the current instance. All instances have the same layout.
    fn number(&self) -> usize {
        self.number_in(&self.at)
    }

    fn number_in(&self, state: &[u64; W]) -> usize {
        usize::try_from(self.instances[0].layout.instance.code(state)).expect("few instances")
    }

    pub(super) fn instance(&self) -> &'i Instance<'m> {
        &self.instances[self.number()]
    }

    /// The instance that a state belongs to.
    pub(super) fn instance_of(&self, state: &[u64; W]) -> &'i Instance<'m> {
        &self.instances[self.number_in(state)]
    }

    pub(super) fn state(&self) -> &[u64; W] {
        &self.at
    }

    /// What kept the run from being exhaustive, if anything did.
    pub fn obstacle(&self) -> Option<Obstacle> {
        self.obstacle.get().map(|(at, error)| self.instances[at].obstacle(error))
    }

    /// Whether a range that the user gave excluded a step, an initial state or a value.
    pub fn was_cut(&self) -> bool {
        self.cut.get()
    }

    /// Whether a store buffer had no room for a write, so that the run is not exhaustive.
    pub fn overflowed(&self) -> bool {
        self.overflowed.get()
    }

    /// The number of steps and initial states dropped because they violate a trusted invariant.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// The rules of which no step was taken. Meaningful after an exhaustive search.
    pub fn never_taken(&self) -> Vec<RuleId> {
        let Some(model) = self.instances.first().map(|instance| instance.model) else { return vec![] };
        let mut taken = vec![false; model.rules.len()];
        for (instance, steps) in self.instances.iter().zip(&self.taken) {
            for (step, was_taken) in instance.steps.iter().zip(steps) {
                taken[model.transitions[step.transition].rule.index()] |= was_taken;
            }
        }
        (0..taken.len()).filter(|rule| !taken[*rule]).map(RuleId::from_index).collect()
    }

    /// The declared variables and arrays that are not constants, but that no step changed. Meaningful after an
    /// exhaustive search.
    pub fn never_changed(&self) -> Vec<SymbolId> {
        let Some(instance) = self.instances.first() else { return vec![] };
        let ids = (0..instance.model.symbols.len()).map(SymbolId::from_index);
        ids.filter(|id| {
            let symbol = instance.model.symbol(*id);
            let slots = instance.layout.slots.iter().zip(&instance.layout.symbol_of);
            let bits =
                slots.filter(|(_, of)| *of == id).map(|(slot, _)| (slot.word, slot.mask << slot.shift));
            let (mut possible, mut seen) = (0, 0);
            bits.for_each(|(word, mask)| {
                possible |= mask;
                seen |= self.changed[word] & mask;
            });
            !symbol.constant && symbol.origin == Origin::Declared && possible != 0 && seen == 0
        })
        .collect()
    }

    /// Notes an obstacle. Which of several is kept does not depend on their order.
    pub(super) fn note(&self, error: StepError) {
        let new = (self.number(), error);
        if self.obstacle.get().is_none_or(|known| rank(&new) < rank(&known)) {
            self.obstacle.set(Some(new));
        }
    }

    /// Notes that a range excluded something.
    pub(super) fn note_cut(&self) {
        self.cut.set(true);
    }

    /// Lists the violated properties, by position in the model, each with the first processes that match it.
    pub fn violations(&self, found: &mut Vec<(usize, Vec<usize>)>) {
        let instance = self.instance();
        for bad in &instance.bad {
            if found.last().is_some_and(|(property, _)| *property == bad.property) {
                continue;
            }
            match instance.program.passes(&bad.guard, self.state()) {
                Ok(true) => found.push((bad.property, bad.processes.clone())),
                Ok(false) | Err(Trouble::Outsider) => {}
                Err(trouble) => self.note(trouble.into()),
            }
        }
    }

    /// The first processes that match a property, given by its position in the model, in the current state. `None` if
    /// the state does not violate it.
    pub fn witness(&self, property: usize) -> Option<&'i [usize]> {
        let instance = self.instance();
        let found = instance.bad.iter().filter(|bad| bad.property == property).find(|bad| {
            instance.program.passes(&bad.guard, self.state()).unwrap_or_else(|trouble| {
                if trouble != Trouble::Outsider {
                    self.note(trouble.into());
                }
                false
            })
        });
        found.map(|bad| bad.processes.as_slice())
    }

    /// Calls a function with every violated property, by position in the model, without allocating. A full store buffer
    /// is no violation, but noted.
    pub fn each_violated(&self, mut visit: impl FnMut(usize)) {
        let properties = &self.instance().model.properties;
        self.each_bad(|property| {
            if properties[property].kind == PropertyKind::Overflow {
                self.overflowed.set(true);
            } else {
                visit(property);
            }
        });
    }

    /// Calls a function with every property that the state matches, whatever its kind.
    pub(crate) fn each_bad(&self, mut visit: impl FnMut(usize)) {
        let instance = self.instance();
        let mut last = None;
        for bad in &instance.bad {
            if last == Some(bad.property) {
                continue;
            }
            match instance.program.passes(&bad.guard, self.state()) {
                Ok(true) => {
                    last = Some(bad.property);
                    visit(bad.property);
                }
                Ok(false) | Err(Trouble::Outsider) => {}
                Err(trouble) => self.note(trouble.into()),
            }
        }
    }

    /// For each waiting process the number of what it waits for, sorted: equal for deadlocks that differ only by a
    /// permutation of processes.
    pub fn waiting_pattern(&self) -> Vec<u64> {
        let instance = self.instance();
        let Some(threads) = &instance.model.threads else { return vec![] };
        let slots = instance.layout.slots.iter().zip(&instance.layout.symbol_of);
        let blocked = slots.filter(|(_, symbol)| **symbol == threads.blocked);
        let mut pattern: Vec<u64> =
            blocked.map(|(slot, _)| slot.code(self.state())).filter(|code| *code != 0).collect();
        pattern.sort_unstable();
        pattern
    }

    /// Whether a step from the current state breaks a rule of the language. Such a step counts as enabled, and ends
    /// the run.
    pub fn ends_in_violation(&self) -> bool {
        let mut found = Vec::new();
        self.violations(&mut found);
        found.iter().any(|(at, _)| {
            let property = &self.instance().model.properties[*at];
            matches!(property.kind, PropertyKind::Misuse | PropertyKind::Range | PropertyKind::Overflow)
                && property.rule.is_some()
        })
    }

    /// Whether a run may end in the current state; `None` if the model does not say where runs may end. If that
    /// depends on a number that is not set, the answer is no, and an obstacle is noted.
    pub fn is_final(&self) -> Option<bool> {
        let instance = self.instance();
        let ends = instance.ends?;
        Some(match instance.program.holds(ends, self.state()) {
            Ok(holds) => holds,
            Err(Trouble::Outsider) => false,
            Err(trouble) => {
                self.note(trouble.into());
                false
            }
        })
    }

    /// Whether the current state has steps, including those excluded by a range that the user gave.
    pub fn has_steps_here(&self) -> bool {
        let before = self.cut.replace(false);
        let mut actions = Vec::new();
        self.enabled(&mut actions);
        let here = self.cut.get();
        self.cut.set(before || here);
        here || !actions.is_empty()
    }

    /// Whether some process waits or sleeps.
    pub fn somebody_waits(&self) -> bool {
        let instance = self.instance();
        let Some(threads) = &instance.model.threads else { return false };
        let slots = instance.layout.slots.iter().zip(&instance.layout.symbol_of);
        slots.filter(|(_, symbol)| **symbol == threads.blocked).any(|(slot, _)| slot.code(self.state()) != 0)
    }

    /// Which process waits for what, as text; empty if none waits.
    pub fn who_waits(&self) -> String {
        let told = |process: usize| {
            let Waiting { on, asleep, .. } = self.waiting(process)?;
            let verb = if asleep { "sleeps on" } else { "waits for" };
            Some(format!("#{} {verb} {on}", process + 1))
        };
        let waiting: Vec<String> = (0..self.instance().layout.processes).filter_map(told).collect();
        waiting.join(", ")
    }

    pub(super) fn put(&mut self, state: [u64; W]) {
        self.at = state;
    }

    /// Drops moves to states that violate a trusted invariant.
    pub(super) fn drop_untrusted(&mut self, moves: &mut Vec<Move<W>>) {
        if self.trusting {
            let before = moves.len();
            moves.retain(|step| !self.breaks_invariant(&step.to));
            self.dropped += before - moves.len();
        }
    }

    /// The run starts again with larger fields, so that other successors do not matter; or time is up.
    pub(super) fn stop_at_obstacle(&self) -> Result<(), Fault> {
        match self.obstacle.get() {
            Some((_, StepError::TooLarge(_))) => Err(Fault::Broken("a number has outgrown its field".into())),
            Some((_, StepError::Stopped(limit))) => Err(Fault::Broken(limit.to_string())),
            _ => Ok(()),
        }
    }

    /// Whether a state of the current instance violates an invariant.
    fn breaks_invariant(&self, state: &[u64; W]) -> bool {
        let instance = self.instance();
        let kind = |property: usize| instance.model.properties[property].kind;
        let mut invariants = instance.bad.iter().filter(|bad| kind(bad.property) == PropertyKind::Invariant);
        invariants.any(|bad| match instance.program.passes(&bad.guard, state) {
            Ok(broken) => broken,
            Err(Trouble::Outsider) => false,
            Err(trouble) => {
                self.note(trouble.into());
                false
            }
        })
    }

    /// The transition of an action, by position in the model, and its processes.
    pub fn step_of(&self, action: &Action) -> (usize, &'i [usize]) {
        let step = &self.instance().steps[action.step as usize];
        (step.transition, &step.processes)
    }

    /// The number of the action's rule among those with the same name, from 0.
    pub fn variant_of(&self, action: &Action) -> usize {
        let model = self.instance().model;
        let rule = model.transitions[self.step_of(action).0].rule.index();
        model.rules[..rule].iter().filter(|other| other.name == model.rules[rule].name).count()
    }

    /// The kind of each process in the current instance.
    pub fn kinds(&self) -> &'i [u32] {
        &self.instance().kinds
    }

    /// The name of the kind of each process in the current instance; `None` if the model has no kinds.
    pub fn kind_names(&self) -> Option<Vec<&'m str>> {
        self.instance().kind_names()
    }
}

impl<const W: usize> Steered for Machine<'_, '_, W> {
    type Action = Action;
    type Identity = [u64; W];

    fn initials(&mut self) -> Result<usize, Fault> {
        let all = self.instances.iter().map(|instance| instance.initial.len()).sum();
        Ok(self.origin.map_or(all, |_| 1))
    }

    fn start(&mut self, mut initial: usize) -> Result<(), Fault> {
        if let Some(origin) = self.origin.filter(|_| initial == 0) {
            self.at = origin;
            return Ok(());
        }
        for (at, instance) in self.instances.iter().enumerate() {
            if let Some(state) = instance.initial.get(initial) {
                self.at = [0; W];
                self.at[..state.len()].copy_from_slice(state);
                instance.layout.instance.set(&mut self.at, at as u64);
                return Ok(());
            }
            initial -= instance.initial.len();
        }
        Err(Fault::Broken("there is no such initial state".into()))
    }

    fn enabled(&self, actions: &mut Vec<Action>) {
        let instance = self.instance();
        for (at, step) in instance.steps.iter().enumerate() {
            match instance.program.passes(&step.guard, self.state()) {
                Ok(true) if instance.certain[at] => {
                    actions.push(Action { step: u32::try_from(at).expect("few steps"), choice: 0 });
                }
                Ok(true) => self.add_actions(at, actions),
                // Misuse of an outsider is a violation in its own right.
                Ok(false) | Err(Trouble::Outsider) => {}
                Err(trouble) => self.note(trouble.into()),
            }
        }
    }

    fn take(&mut self, action: &Action) -> Result<(), Fault> {
        let instance = self.instance();
        let constant = instance.steps[action.step as usize].constant_successor(&self.at);
        if let Some(next) = constant.filter(|_| action.choice == 0 && instance.abstract_slots.is_empty()) {
            self.at = next;
            return Ok(());
        }
        match self.nth_successor(action.step as usize, action.choice()) {
            Some(next) => {
                self.at = next;
                Ok(())
            }
            None => Err(Fault::Broken("the step is not enabled".into())),
        }
    }

    fn identity(&self) -> [u64; W] {
        self.at
    }

    fn ended(&self) -> bool {
        false
    }

    fn process(&self, action: &Action) -> Option<usize> {
        let (transition, processes) = self.step_of(action);
        let transition = &self.instance().model.transitions[transition];
        let actor =
            transition.actor.and_then(|actor| transition.params.iter().position(|param| *param == actor));
        processes.get(actor.unwrap_or(0)).copied()
    }

    fn actors(&self) -> Vec<String> {
        let names = self.kind_names().unwrap_or_default();
        names.iter().enumerate().map(|(at, kind)| format!("#{} : {kind}", at + 1)).collect()
    }

    fn label(&self, action: &Action) -> Label {
        self.call(action).into()
    }

    fn describe(&self) -> Valuation {
        self.entries()
    }
}

impl<const W: usize> Symmetry for Machine<'_, '_, W> {
    fn canonical(&self) -> [u64; W] {
        let mut representative = [0; W];
        self.instance().canonical(self.state(), &mut representative);
        representative
    }
}

impl<const W: usize> System for Machine<'_, '_, W> {
    type Checkpoint = [u64; W];

    fn checkpoint(&mut self) -> [u64; W] {
        self.at
    }

    fn restore(&mut self, checkpoint: &[u64; W]) -> Result<(), Fault> {
        self.at = *checkpoint;
        Ok(())
    }
}

impl<const W: usize> Packed<W> for Machine<'_, '_, W> {
    fn starts(&mut self, states: &mut Vec<[u64; W]>) -> Result<(), Fault> {
        for initial in 0..self.initials()? {
            self.start(initial)?;
            if self.trusting && self.breaks_invariant(&self.at) {
                self.dropped += 1;
            } else {
                states.push(self.at);
            }
        }
        Ok(())
    }

    fn successors(&mut self, states: &mut Vec<[u64; W]>) -> Result<(), Fault> {
        let (number, here) = (self.number(), self.at);
        let instance = &self.instances[number];
        let (mut changed, mut dropped) = (self.changed, 0);
        for (at, step) in instance.steps.iter().enumerate() {
            match instance.program.passes(&step.guard, &here) {
                Ok(false) | Err(Trouble::Outsider) => continue,
                Err(trouble) => {
                    self.note(trouble.into());
                    continue;
                }
                Ok(true) => {}
            }
            let before = states.len();
            let mut add = |made: &[u64; W], next: &[u64; W]| {
                if self.trusting && self.breaks_invariant(next) {
                    dropped += 1;
                    return;
                }
                changed
                    .iter_mut()
                    .zip(made.iter().zip(&here))
                    .for_each(|(bits, (new, old))| *bits |= new ^ old);
                states.push(*next);
            };
            match step.constant_successor(&here) {
                Some(next) if instance.abstract_slots.is_empty() => add(&next, &next),
                _ => self.each_successor(at, &mut add),
            }
            // Copies for other threads may share the cache line: write only what is new.
            if !self.taken[number][at] && states.len() > before {
                self.taken[number][at] = true;
            }
        }
        self.changed = changed;
        self.dropped += dropped;
        self.stop_at_obstacle()
    }

    fn absorb(&mut self, copy: Self) {
        let obstacles = [self.obstacle.get(), copy.obstacle.get()];
        self.obstacle.set(obstacles.into_iter().flatten().min_by_key(rank));
        self.cut.set(self.cut.get() || copy.cut.get());
        self.overflowed.set(self.overflowed.get() || copy.overflowed.get());
        self.dropped += copy.dropped;
        self.changed.iter_mut().zip(copy.changed).for_each(|(bits, more)| *bits |= more);
        for (taken, more) in self.taken.iter_mut().flatten().zip(copy.taken.into_iter().flatten()) {
            *taken |= more;
        }
    }
}

/// The lowest rank is kept. A field that is too small ends a run, so it comes before all others.
fn rank((instance, error): &ObstacleAt) -> (usize, usize, usize) {
    let (kind, slot) = match error {
        StepError::TooLarge(slot) => (0, *slot),
        StepError::Trouble(Trouble::Unset(slot)) => (1, *slot),
        StepError::Trouble(Trouble::Overflow) => (2, 0),
        StepError::Trouble(Trouble::Outsider) => (3, 0),
        StepError::Stopped(_) => (4, 0),
    };
    (kind, slot, *instance)
}
