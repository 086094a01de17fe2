//! An instance as a system that can be explored.

use super::{Instance, Obstacle, Trouble, steps::World};
use crate::ir::{PropertyKind, Sort, SymbolId};
use explore::{Fault, Steered, Symmetry, System};
use std::cell::Cell;

/// One step: a transition with its processes and, where it leaves values open, which of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Action {
    /// The position of the step in the instance.
    step: u32,
    /// Which combination of open values.
    choice: u32,
}

/// Where a machine is: which instance, and its state.
pub type Situation<const W: usize> = (u32, [u64; W]);

/// Walks through the states of some instances of one model.
#[derive(Debug)]
pub struct Machine<'m, 'i, const W: usize> {
    instances: &'i [Instance<'m>],
    at: Situation<W>,
    /// The first thing that went wrong: such a run is no evidence for anything.
    obstacle: Cell<Option<ObstacleAt>>,
    /// Whether a step was cut because a number would leave the range that the user gave.
    cut: Cell<bool>,
}

/// An obstacle, cheap to copy.
type ObstacleAt = (u32, super::StepError);

impl<'m, 'i, const W: usize> Machine<'m, 'i, W> {
    /// A machine over instances of at most `W` words.
    pub fn new(instances: &'i [Instance<'m>]) -> Machine<'m, 'i, W> {
        assert!(instances.iter().all(|instance| instance.words() <= W), "states must fit");
        Machine { instances, at: (0, [0; W]), obstacle: Cell::new(None), cut: Cell::new(false) }
    }

    fn instance(&self) -> &'i Instance<'m> {
        &self.instances[self.at.0 as usize]
    }

    fn state(&self) -> &[u64] {
        &self.at.1
    }

    /// What stopped the run from being exhaustive, if anything did.
    pub fn obstacle(&self) -> Option<Obstacle> {
        self.obstacle.get().map(|(at, error)| self.instances[at as usize].obstacle(error))
    }

    /// Whether steps were cut by a range.
    pub fn was_cut(&self) -> bool {
        self.cut.get()
    }

    fn note(&self, error: super::StepError) {
        if self.obstacle.get().is_none() {
            self.obstacle.set(Some((self.at.0, error)));
        }
    }

    /// The violated properties, by position in the model, each with the processes that match it first.
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

    /// Whether a step of this state breaks a rule of the language: it counts as enabled, and the run ends here.
    pub fn ends_in_violation(&self) -> bool {
        let mut found = Vec::new();
        self.violations(&mut found);
        found.iter().any(|(at, _)| {
            let property = &self.instance().model.properties[*at];
            matches!(property.kind, PropertyKind::Misuse | PropertyKind::Range) && property.rule.is_some()
        })
    }

    /// Whether a step of this state was cut because a number would leave the range that the user gave.
    pub fn is_cut_here(&self) -> bool {
        let before = self.cut.replace(false);
        self.enabled(&mut Vec::new());
        let here = self.cut.get();
        self.cut.set(before || here);
        here
    }

    /// Whether some process is suspended or asleep.
    pub fn somebody_waits(&self) -> bool {
        let instance = self.instance();
        let Some(threads) = &instance.model.threads else { return false };
        let slots = instance.layout.slots.iter().zip(&instance.layout.symbol_of);
        slots.filter(|(_, symbol)| **symbol == threads.blocked).any(|(slot, _)| slot.code(self.state()) != 0)
    }

    /// Who waits for what, in words; empty if nobody does.
    pub fn who_waits(&self) -> String {
        let instance = self.instance();
        let Some(threads) = &instance.model.threads else { return String::new() };
        let first = instance.layout.first(threads.blocked).expect("it is stored");
        let mut waiting = Vec::new();
        for process in 0..instance.layout.processes {
            let code = instance.layout.slots[first + process].code(self.state());
            let Some(reason) =
                usize::try_from(code).ok().and_then(|code| threads.reasons.get(code.checked_sub(1)?))
            else {
                continue;
            };
            let lock = &threads.locks[reason.lock];
            let cell = threads.blocked_at.filter(|_| lock.array).map_or(String::new(), |cells| {
                let at = instance.layout.first(cells).expect("it is stored") + process;
                format!("[{}]", self.show(at))
            });
            let verb = if reason.asleep { "sleeps on" } else { "waits for" };
            waiting.push(format!("#{} {verb} {}{cell}", process + 1, lock.name));
        }
        waiting.join(", ")
    }

    /// The place of each process in its queue, from who came before whom.
    fn places(&self, before: SymbolId) -> Vec<(String, String)> {
        let layout = &self.instance().layout;
        let first = layout.first(before).expect("it is stored");
        let count = layout.processes;
        let waits = |process: &usize| self.waits(*process);
        let place = |process: usize| {
            let ahead = (0..count)
                .filter(|other| layout.slots[first + other * count + process].code(self.state()) != 0);
            let place = Some(process).filter(waits).map(|_| (ahead.count() + 1).to_string());
            (format!("place[#{}]", process + 1), place.unwrap_or_else(|| "none".into()))
        };
        (0..count).map(place).collect()
    }

    /// Whether a process is suspended or asleep.
    fn waits(&self, process: usize) -> bool {
        let instance = self.instance();
        let blocked =
            instance.model.threads.as_ref().and_then(|threads| instance.layout.first(threads.blocked));
        blocked.is_some_and(|first| instance.layout.slots[first + process].code(self.state()) != 0)
    }

    /// The successors of a step, in a fixed order.
    fn successors(&self, step: usize, visit: &mut impl FnMut(&[u64; W])) {
        let instance = self.instance();
        let world = World { program: &instance.program, slots: &instance.layout.slots };
        let mut next = [0; W];
        let mut open = Vec::new();
        match instance.steps[step].apply(&world, self.state(), &mut next, &mut open) {
            Ok(()) => self.choose(&open, next, visit),
            Err(super::StepError::TooLarge(slot))
                if instance.ranged[instance.layout.symbol_of[slot].index()] =>
            {
                self.cut.set(true);
            }
            Err(error) => self.note(error),
        }
    }

    /// Gives every combination of values to the open slots.
    fn choose(&self, open: &[usize], mut next: [u64; W], visit: &mut impl FnMut(&[u64; W])) {
        let instance = self.instance();
        let Some((first, rest)) = open.split_first() else {
            super::rename_abstract_values(&instance.abstract_slots, &instance.layout.slots, &mut next);
            visit(&next);
            return;
        };
        let Some(codes) = instance.choices[*first].codes(&instance.layout.slots, &next) else {
            return self.note(super::StepError::Trouble(Trouble::Unset(*first)));
        };
        for code in codes {
            instance.layout.slots[*first].set(&mut next, code);
            self.choose(rest, next, visit);
        }
    }

    /// The transition of an action, by position in the model, and its processes.
    pub fn step_of(&self, action: &Action) -> (usize, &'i [usize]) {
        let step = &self.instance().steps[action.step as usize];
        (step.transition, &step.processes)
    }

    /// The kinds of the processes of the instance.
    pub fn kinds(&self) -> &'i [u32] {
        &self.instance().kinds
    }

    /// The value of a variable or cell as people read it.
    pub fn show(&self, slot: usize) -> String {
        self.instance().show(slot, self.state())
    }
}

impl Instance<'_> {
    fn show(&self, slot: usize, state: &[u64]) -> String {
        let place = &self.layout.slots[slot];
        let symbol = self.model.symbol(self.layout.symbol_of[slot]);
        let code = place.code(state);
        let at = usize::try_from(code).unwrap_or(usize::MAX);
        match symbol.sort {
            Sort::Enum(of) => self.model.enums[of.index()].constructors[at].clone(),
            Sort::Proc if at < self.layout.processes => format!("#{}", at + 1),
            Sort::Proc => self.model.outsiders[at - self.layout.processes].name.clone(),
            Sort::Abstract(of) => format!("{}{}", self.model.abstract_types[of.index()].name, at + 1),
            Sort::Int | Sort::Real if place.unset && code == 0 => "?".into(),
            Sort::Int | Sort::Real => self.scale.show(code.cast_signed() + place.low, symbol.sort),
        }
    }

    fn name(&self, slot: usize) -> String {
        let symbol = self.model.symbol(self.layout.symbol_of[slot]);
        let indices: Vec<String> =
            self.layout.indices(self.model, slot).iter().map(|at| format!("#{}", at + 1)).collect();
        if indices.is_empty() {
            symbol.name.clone()
        } else {
            format!("{}[{}]", symbol.name, indices.join(","))
        }
    }
}

impl<const W: usize> Steered for Machine<'_, '_, W> {
    type Action = Action;
    type Identity = Situation<W>;

    fn initials(&mut self) -> Result<usize, Fault> {
        Ok(self.instances.iter().map(|instance| instance.initial.len()).sum())
    }

    fn start(&mut self, mut initial: usize) -> Result<(), Fault> {
        for (at, instance) in self.instances.iter().enumerate() {
            if let Some(state) = instance.initial.get(initial) {
                self.at = (u32::try_from(at).expect("few instances"), [0; W]);
                self.at.1[..state.len()].copy_from_slice(state);
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
                Ok(true) => {
                    let step = u32::try_from(at).expect("few steps");
                    let mut choice = 0;
                    self.successors(at, &mut |_| {
                        actions.push(Action { step, choice });
                        choice += 1;
                    });
                }
                // What an outsider is used for is a violation of its own.
                Ok(false) | Err(Trouble::Outsider) => {}
                Err(trouble) => self.note(trouble.into()),
            }
        }
    }

    fn take(&mut self, action: &Action) -> Result<(), Fault> {
        let (mut at, mut target) = (0, None);
        self.successors(action.step as usize, &mut |next| {
            if at == action.choice {
                target = Some(*next);
            }
            at += 1;
        });
        match target {
            Some(next) => {
                self.at.1 = next;
                Ok(())
            }
            None => Err(Fault::Broken("the step is not enabled".into())),
        }
    }

    fn identity(&self) -> Situation<W> {
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

    fn label(&self, action: &Action) -> String {
        let (transition, processes) = self.step_of(action);
        let model = self.instance().model;
        let rule = &model.rules[model.transitions[transition].rule.index()];
        let shown: Vec<String> =
            processes.iter().take(rule.params.len()).map(|at| format!("#{}", at + 1)).collect();
        let woken =
            processes.get(rule.params.len()).map_or(String::new(), |at| format!(" waking #{}", at + 1));
        let choice = if action.choice > 0 { format!(" choice {}", action.choice + 1) } else { String::new() };
        format!("{}({}){woken}{choice}", rule.name, shown.join(", "))
    }

    fn describe(&self) -> Vec<(String, String)> {
        let instance = self.instance();
        let order = instance.model.threads.as_ref().and_then(|threads| threads.before);
        let shown = |slot: &usize| Some(instance.layout.symbol_of[*slot]) != order;
        let slots = (0..instance.layout.slots.len()).filter(shown);
        let mut values: Vec<_> = slots.map(|slot| (instance.name(slot), self.show(slot))).collect();
        values.extend(order.into_iter().flat_map(|order| self.places(order)));
        values
    }
}

impl<const W: usize> Symmetry for Machine<'_, '_, W> {
    fn canonical(&self) -> Situation<W> {
        let mut representative = [0; W];
        self.instance().canonical(self.state(), &mut representative);
        (self.at.0, representative)
    }
}

impl<const W: usize> System for Machine<'_, '_, W> {
    type Checkpoint = Situation<W>;

    fn checkpoint(&mut self) -> Situation<W> {
        self.at
    }

    fn restore(&mut self, checkpoint: &Situation<W>) -> Result<(), Fault> {
        self.at = *checkpoint;
        Ok(())
    }
}
