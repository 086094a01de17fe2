//! A run: where it began, and the steps that were taken.

use crate::{Snapshot, Subject};
use std::rc::Rc;

/// A step of a run.
#[derive(Debug)]
pub(crate) struct Step {
    /// The position of the exit that was taken.
    pub(crate) exit: usize,
    /// The exit in words.
    pub(crate) label: String,
    /// Who acted.
    pub(crate) process: Option<usize>,
    /// How many exits there were before it.
    pub(crate) before: usize,
    /// How many there are after it.
    pub(crate) after: usize,
    /// Whether the user chose it.
    pub(crate) by_hand: bool,
    /// The state after it, if it is remembered.
    pub(crate) state: Option<Snapshot>,
}

/// A run. Copies are cheap, so that moves can be taken back.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    /// The number of the initial state.
    pub(crate) initial: usize,
    /// The initial state.
    pub(crate) start: Snapshot,
    pub(crate) steps: Vec<Rc<Step>>,
}

impl Run {
    /// A run of no steps from an initial state, to which the subject goes.
    pub(crate) fn begin(subject: &mut dyn Subject, initial: usize) -> Result<Run, String> {
        subject.start(initial)?;
        Ok(Run { initial, start: subject.snapshot(), steps: vec![] })
    }

    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Takes an exit at the end of the run, where the subject is. Every `flag`th state is remembered.
    pub(crate) fn advance(
        &mut self,
        subject: &mut dyn Subject,
        exit: usize,
        by_hand: bool,
        flag: usize,
    ) -> Result<(), String> {
        let (before, taken) = (subject.exits(), subject.exit(exit));
        subject.take(exit)?;
        let remembered = (self.len() + 1).is_multiple_of(flag);
        self.steps.push(Rc::new(Step {
            exit,
            label: taken.label,
            process: taken.process,
            before,
            after: subject.exits(),
            by_hand,
            state: remembered.then(|| subject.snapshot()),
        }));
        Ok(())
    }

    /// Whether a state is remembered; that of the start always is.
    pub(crate) fn remembers(&self, step: usize) -> bool {
        step == 0 || self.steps[step - 1].state.is_some()
    }

    /// Brings the subject to the state after a step: from the nearest remembered one before it.
    pub(crate) fn visit(&self, subject: &mut dyn Subject, step: usize) -> Result<(), String> {
        let known = self.steps[..step].iter().rposition(|known| known.state.is_some());
        let state = known.and_then(|at| self.steps[at].state.as_ref()).unwrap_or(&self.start);
        subject.restore(state)?;
        let from = known.map_or(0, |at| at + 1);
        self.steps[from..step].iter().try_for_each(|step| subject.take(step.exit))
    }
}
