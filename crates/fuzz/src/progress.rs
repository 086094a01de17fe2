//! The progress of a run, for displays.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Counters that a run updates after each round.
#[derive(Debug, Default)]
pub struct Progress {
    states: AtomicUsize,
    steps: AtomicUsize,
    transitions: AtomicUsize,
    pairs: AtomicUsize,
    findings: AtomicUsize,
}

/// The counters at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// States reached.
    pub states: usize,
    /// Steps executed.
    pub steps: usize,
    /// Transitions covered.
    pub transitions: usize,
    /// Ordered pairs of transitions covered.
    pub pairs: usize,
    /// Different findings.
    pub findings: usize,
}

impl Progress {
    /// The current values of the counters.
    pub fn snapshot(&self) -> Snapshot {
        let read = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        Snapshot {
            states: read(&self.states),
            steps: read(&self.steps),
            transitions: read(&self.transitions),
            pairs: read(&self.pairs),
            findings: read(&self.findings),
        }
    }

    pub(crate) fn set(&self, now: Snapshot) {
        self.states.store(now.states, Ordering::Relaxed);
        self.steps.store(now.steps, Ordering::Relaxed);
        self.transitions.store(now.transitions, Ordering::Relaxed);
        self.pairs.store(now.pairs, Ordering::Relaxed);
        self.findings.store(now.findings, Ordering::Relaxed);
    }
}
