//! What the fuzzing loop must know of a model: its transitions, and what is wrong with a state.

use crate::{
    Action, Machine,
    judge::{Judge, Violation},
};
use explore::{Property, Severity};
use fuzz::Guide;
use std::sync::Arc;

/// Classifies the steps and judges the states of a model.
#[derive(Clone)]
pub(super) struct ModelGuide<'m> {
    pub(super) judge: Judge<'m>,
    pub(super) processes: usize,
    /// The property of the model that is none but says which states are interesting.
    pub(super) interesting: Option<usize>,
    /// For each rule whether the user wants it to be taken.
    pub(super) preferred: Arc<[bool]>,
}

impl<'m, const W: usize> Guide<Machine<'m, '_, W>> for ModelGuide<'m> {
    type Violation = Violation;

    fn transitions(&self) -> usize {
        self.judge.model.rules.len()
    }

    fn transition(&self, machine: &Machine<'m, '_, W>, action: &Action) -> usize {
        self.judge.model.transitions[machine.step_of(action).0].rule.index()
    }

    fn processes(&self) -> usize {
        self.processes
    }

    fn involves(&self, machine: &Machine<'m, '_, W>, action: &Action, process: usize) -> bool {
        machine.step_of(action).1.contains(&process)
    }

    fn judge(&self, machine: &Machine<'m, '_, W>, stuck: bool, found: &mut Vec<Violation>) {
        machine.each_violated(|property| {
            if Some(property) != self.interesting {
                found.push(Violation::Property(property));
            }
        });
        if stuck {
            found.extend(self.judge.end(machine));
        }
    }

    fn is_violation(&self, violation: Violation) -> bool {
        violation.severity() == Severity::Violation
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

/// The same judgement for the engine that shortens runs.
impl<'m, const W: usize> Property<Machine<'m, '_, W>> for ModelGuide<'m> {
    type Violation = Violation;

    fn state(&mut self, machine: &Machine<'m, '_, W>, found: &mut Vec<Violation>) {
        Guide::judge(self, machine, false, found);
    }

    fn stuck(&mut self, machine: &Machine<'m, '_, W>, found: &mut Vec<Violation>) {
        found.extend(self.judge.end(machine));
    }
}
