//! What the fuzzing loop needs to know about a model: its transitions, and the violations of a state.

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
    /// The position of the pseudo-property that marks interesting states; it is never reported.
    pub(super) interesting: Option<usize>,
    /// For each rule whether the user gave it priority.
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

/// The same judgement, for the minimiser.
impl<'m, const W: usize> Property<Machine<'m, '_, W>> for ModelGuide<'m> {
    type Violation = Violation;

    fn state(&mut self, machine: &Machine<'m, '_, W>, found: &mut Vec<Violation>) {
        Guide::judge(self, machine, false, found);
    }

    fn stuck(&mut self, machine: &Machine<'m, '_, W>, found: &mut Vec<Violation>) {
        found.extend(self.judge.end(machine));
    }
}
