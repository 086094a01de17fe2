//! A system together with the actions that are enabled where it is.

use crate::{Call, Inspect};
use explore::{Fault, Label};

/// A system that lists the enabled actions once in every state that it enters.
pub(crate) struct Cursor<S: Inspect> {
    system: S,
    enabled: Vec<S::Action>,
}

impl<S: Inspect> Cursor<S> {
    /// A cursor that must be [started](Self::start) before anything else.
    pub(crate) fn new(system: S) -> Cursor<S> {
        Cursor { system, enabled: vec![] }
    }

    pub(crate) fn system(&self) -> &S {
        &self.system
    }

    /// For questions that need a mutable system. It must stay in this state.
    pub(crate) fn system_mut(&mut self) -> &mut S {
        &mut self.system
    }

    pub(crate) fn enabled(&self) -> &[S::Action] {
        &self.enabled
    }

    pub(crate) fn labels(&self) -> Vec<String> {
        self.enabled.iter().map(|action| self.system.label(action).to_string()).collect()
    }

    /// The enabled actions that a call may mean.
    pub(crate) fn fitting(&self, call: &Call) -> Vec<&S::Action> {
        self.enabled.iter().filter(|action| call.means(&self.system.call(action))).collect()
    }

    pub(crate) fn with_label(&self, label: &Label) -> Option<S::Action> {
        self.enabled.iter().find(|action| self.system.is_meant(action, label)).cloned()
    }

    pub(crate) fn start(&mut self, initial: usize) -> Result<(), Fault> {
        self.system.start(initial)?;
        self.arrive();
        Ok(())
    }

    pub(crate) fn take(&mut self, action: &S::Action) -> Result<(), Fault> {
        self.system.take(action)?;
        self.arrive();
        Ok(())
    }

    pub(crate) fn restore(&mut self, checkpoint: &S::Checkpoint) -> Result<(), Fault> {
        self.system.restore(checkpoint)?;
        self.arrive();
        Ok(())
    }

    pub(crate) fn checkpoint(&mut self) -> S::Checkpoint {
        self.system.checkpoint()
    }

    pub(crate) fn is_violated(&self) -> bool {
        self.system.findings().iter().any(|finding| finding.violation)
    }

    fn arrive(&mut self) {
        self.enabled.clear();
        self.system.enabled(&mut self.enabled);
    }
}
