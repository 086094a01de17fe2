//! What the fuzzing loop must know of a model: its transitions, and what is wrong with a state.

use crate::{
    exploration::{DeadlockPolicy, judge_stuck},
    machine::{Action, Machine},
};
use explore::{Property, Steered, Violation};
use fuzz::{Guide, Wrong};
use ir::Model;
use rustc_hash::FxHasher;
use std::{hash::Hasher, sync::Arc};

/// A property is wrong by its position. A state without a next step has this bit, and the next one if that is a violation.
const DEADLOCK: Wrong = 1 << 63;
const VIOLATION: Wrong = 1 << 62;

/// Classifies the steps and judges the states of a model.
#[derive(Clone)]
pub(super) struct ModelGuide<'m> {
    pub(super) model: &'m Model,
    pub(super) processes: usize,
    pub(super) deadlock: DeadlockPolicy,
    /// The property of the model that is none but says which states are interesting.
    pub(super) interesting: Option<usize>,
    /// For each rule whether the user wants it to be taken.
    pub(super) preferred: Arc<[bool]>,
}

/// The position of the property that a number stands for; none for a deadlock.
pub(super) fn property_of(wrong: Wrong) -> Option<usize> {
    if wrong & DEADLOCK != 0 { None } else { usize::try_from(wrong).ok() }
}

impl<'m, const W: usize> Guide<Machine<'m, '_, W>> for ModelGuide<'m> {
    fn transitions(&self) -> usize {
        self.model.rules.len()
    }

    fn transition(&self, machine: &Machine<'m, '_, W>, action: &Action) -> usize {
        self.model.transitions[machine.step_of(action).0].rule.index()
    }

    fn processes(&self) -> usize {
        self.processes
    }

    fn involves(&self, machine: &Machine<'m, '_, W>, action: &Action, process: usize) -> bool {
        machine.step_of(action).1.contains(&process)
    }

    fn wrong(&self, machine: &Machine<'m, '_, W>, stuck: bool, found: &mut Vec<Wrong>) {
        machine.each_violated(|property| {
            if Some(property) != self.interesting {
                found.push(property as Wrong);
            }
        });
        if stuck {
            found.extend(deadlock(machine, self.deadlock));
        }
    }

    fn is_violation(&self, wrong: Wrong) -> bool {
        wrong & DEADLOCK == 0 || wrong & VIOLATION != 0
    }

    fn is_interesting(&self, machine: &Machine<'m, '_, W>) -> bool {
        let mut interesting = false;
        if self.interesting.is_some() {
            machine.each_violated(|property| interesting |= Some(property) == self.interesting);
        }
        interesting
    }

    fn is_preferred(&self, transition: usize) -> bool {
        self.preferred[transition]
    }
}

/// Deadlocks are the same if as many processes wait for the same things; those in which nobody waits are all the same.
fn deadlock<const W: usize>(machine: &Machine<'_, '_, W>, policy: DeadlockPolicy) -> Option<Wrong> {
    let violation = if judge_stuck(machine, policy)? { VIOLATION } else { 0 };
    let pattern = machine.waiting_pattern();
    if pattern.is_empty() {
        return Some(DEADLOCK | violation);
    }
    let mut hasher = FxHasher::default();
    pattern.iter().for_each(|code| hasher.write_u64(*code));
    Some(hasher.finish() & !VIOLATION | DEADLOCK | violation)
}

/// The same judgement for the engine that replays: every violation has its number for a name.
impl<'m, const W: usize> Property<Machine<'m, '_, W>> for ModelGuide<'m> {
    fn state(&mut self, machine: &Machine<'m, '_, W>, found: &mut Vec<Violation>) {
        let mut wrong = Vec::new();
        self.wrong(machine, false, &mut wrong);
        found.extend(wrong.into_iter().map(violation));
    }

    fn stuck(&mut self, machine: &Machine<'m, '_, W>, found: &mut Vec<Violation>) {
        found.extend(deadlock(machine, self.deadlock).map(violation));
    }
}

/// A violation for the engine that replays.
pub(super) fn violation(wrong: Wrong) -> Violation {
    Violation { property: wrong.to_string(), message: String::new() }
}

/// Everything that is wrong with the state in which a machine is.
pub(super) fn wrong_here<'m, const W: usize>(
    guide: &ModelGuide<'m>,
    machine: &Machine<'m, '_, W>,
) -> Vec<Wrong> {
    let (mut enabled, mut found) = (Vec::new(), Vec::new());
    machine.enabled(&mut enabled);
    guide.wrong(machine, enabled.is_empty(), &mut found);
    found
}
