//! A run: where it began, and the steps that were taken.

use crate::{Inspect, cursor::Cursor};
use explore::{Fault, Label};
use std::rc::Rc;

/// A step of a run.
pub(crate) struct Step<S: Inspect> {
    pub(crate) action: S::Action,
    /// The name of what was done, for the text of the last step.
    pub(crate) name: String,
    pub(crate) label: Label,
    pub(crate) process: Option<usize>,
    /// How many actions were enabled before it.
    pub(crate) enabled_before: usize,
    /// How many are enabled after it.
    pub(crate) enabled_after: usize,
    /// Whether the user chose it.
    pub(crate) by_hand: bool,
    /// The state after it, if it is remembered.
    checkpoint: Option<S::Checkpoint>,
}

/// How a step is added to a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Recording {
    /// Whether the user chose it.
    pub(crate) by_hand: bool,
    /// Every state whose number this divides is remembered.
    pub(crate) interval: usize,
}

/// A run. Clones share their steps, so that the session can keep one for every move that may be undone.
pub(crate) struct Run<S: Inspect> {
    /// The number of the initial state, from 0.
    pub(crate) initial: usize,
    start: Rc<S::Checkpoint>,
    pub(crate) steps: Vec<Rc<Step<S>>>,
}

// Derived, it would ask for a system that can be cloned.
impl<S: Inspect> Clone for Run<S> {
    fn clone(&self) -> Run<S> {
        Run { initial: self.initial, start: self.start.clone(), steps: self.steps.clone() }
    }
}

impl<S: Inspect> Run<S> {
    /// A run of no steps from an initial state, to which the cursor goes.
    pub(crate) fn begin(cursor: &mut Cursor<S>, initial: usize) -> Result<Run<S>, Fault> {
        cursor.start(initial)?;
        Ok(Run { initial, start: Rc::new(cursor.checkpoint()), steps: vec![] })
    }

    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Takes an action at the end of the run, where the cursor is.
    pub(crate) fn advance(
        &mut self,
        cursor: &mut Cursor<S>,
        action: &S::Action,
        recording: Recording,
    ) -> Result<(), Fault> {
        let (enabled_before, system) = (cursor.enabled().len(), cursor.system());
        let (name, label, process) = (system.call(action).name, system.label(action), system.process(action));
        cursor.take(action)?;
        let remembered = (self.len() + 1).is_multiple_of(recording.interval);
        self.steps.push(Rc::new(Step {
            action: action.clone(),
            name,
            label,
            process,
            enabled_before,
            enabled_after: cursor.enabled().len(),
            by_hand: recording.by_hand,
            checkpoint: remembered.then(|| cursor.checkpoint()),
        }));
        Ok(())
    }

    /// Whether a state is remembered; that of the start always is.
    pub(crate) fn remembers(&self, step: usize) -> bool {
        step == 0 || self.steps[step - 1].checkpoint.is_some()
    }

    /// Brings the cursor to the state after a step: from the nearest remembered one before it.
    pub(crate) fn visit(&self, cursor: &mut Cursor<S>, step: usize) -> Result<(), Fault> {
        let known = self.steps[..step].iter().rposition(|known| known.checkpoint.is_some());
        let state = known.and_then(|at| self.steps[at].checkpoint.as_ref()).unwrap_or(&self.start);
        cursor.restore(state)?;
        let from = known.map_or(0, |at| at + 1);
        self.steps[from..step].iter().try_for_each(|step| cursor.take(&step.action))
    }
}
