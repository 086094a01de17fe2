//! Backtracking by replay: makes a [`System`] of anything that can be restarted.

use crate::{Fault, Footprint, Label, Schedule, Steered, System, Valuation};

/// A [`System`] whose checkpoints are schedules: restoring one restarts the system and takes the same actions.
///
/// Every replay is compared with the run that it repeats, state by state. A difference is a [`Fault::Deviation`]: the
/// system is not deterministic, and no result of a search can be trusted.
pub struct Replayed<R: Steered> {
    inner: R,
    past: Past<R>,
}

/// A run up to the current state.
pub struct Past<R: Steered> {
    schedule: Schedule<R::Action>,
    /// The state before each action and the current one; empty before the first start.
    identities: Vec<R::Identity>,
}

impl<R: Steered> Clone for Past<R> {
    fn clone(&self) -> Self {
        Past { schedule: self.schedule.clone(), identities: self.identities.clone() }
    }
}

impl<R: Steered> Past<R> {
    /// Whether `other` is an extension of this run.
    fn leads_to(&self, other: &Self) -> bool {
        !self.identities.is_empty()
            && self.schedule.initial == other.schedule.initial
            && other.schedule.actions.starts_with(&self.schedule.actions)
            && other.identities.starts_with(&self.identities)
    }
}

impl<R: Steered> Replayed<R> {
    /// A system that restores checkpoints by restarting `inner`.
    pub fn new(inner: R) -> Self {
        let schedule = Schedule { initial: 0, actions: Vec::new() };
        Replayed { inner, past: Past { schedule, identities: Vec::new() } }
    }

    /// The system that is replayed.
    pub fn inner(&self) -> &R {
        &self.inner
    }

    /// Compares the current state with that of an earlier run at the same step.
    fn compare(&self, past: &Past<R>) -> Result<(), Fault> {
        let step = self.past.schedule.actions.len();
        if self.past.identities.get(step) == past.identities.get(step) {
            return Ok(());
        }
        let after = past.schedule.actions[..step].last();
        let expected =
            after.map_or("the same initial state".into(), |last| format!("the same state after {last:?}"));
        Err(Fault::Deviation { step, expected, found: "another state".into() })
    }
}

impl<R: Steered> Steered for Replayed<R> {
    type Action = R::Action;
    type Identity = R::Identity;

    fn initials(&mut self) -> Result<usize, Fault> {
        self.inner.initials()
    }

    fn start(&mut self, initial: usize) -> Result<(), Fault> {
        self.past.identities.clear();
        self.past.schedule.actions.clear();
        self.past.schedule.initial = initial;
        self.inner.start(initial)?;
        self.past.identities.push(self.inner.identity());
        Ok(())
    }

    fn enabled(&self, actions: &mut Vec<R::Action>) {
        self.inner.enabled(actions);
    }

    fn take(&mut self, action: &R::Action) -> Result<(), Fault> {
        self.inner.take(action)?;
        self.past.schedule.actions.push(action.clone());
        self.past.identities.push(self.inner.identity());
        Ok(())
    }

    fn identity(&self) -> R::Identity {
        self.inner.identity()
    }

    fn ended(&self) -> bool {
        self.inner.ended()
    }

    fn footprint(&self, action: &R::Action, footprint: &mut Footprint) {
        self.inner.footprint(action, footprint);
    }

    fn process(&self, action: &R::Action) -> Option<usize> {
        self.inner.process(action)
    }

    fn fingerprint_bits(&self) -> Option<u32> {
        self.inner.fingerprint_bits()
    }

    fn heap_bytes(&self) -> usize {
        self.inner.heap_bytes() + self.past.identities.len() * size_of::<(R::Action, R::Identity)>()
    }

    fn label(&self, action: &R::Action) -> Label {
        self.inner.label(action)
    }

    fn describe(&self) -> Valuation {
        self.inner.describe()
    }
}

impl<R: Steered> System for Replayed<R> {
    type Checkpoint = Past<R>;

    fn checkpoint(&mut self) -> Past<R> {
        self.past.clone()
    }

    fn restore(&mut self, past: &Past<R>) -> Result<(), Fault> {
        if !self.past.leads_to(past) {
            self.start(past.schedule.initial)?;
            self.compare(past)?;
        }
        for action in &past.schedule.actions[self.past.schedule.actions.len()..] {
            self.take(action)?;
            self.compare(past)?;
        }
        Ok(())
    }
}
