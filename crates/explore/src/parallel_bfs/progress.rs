//! How far a parallel breadth-first search has got, for progress displays.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts that a search keeps up to date, a little late, while it runs.
#[derive(Debug, Default)]
pub struct Progress {
    states: AtomicUsize,
    expanded: AtomicUsize,
    transitions: AtomicUsize,
    depth: AtomicUsize,
    bytes: AtomicUsize,
}

/// The counts at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// States reached.
    pub states: usize,
    /// States reached whose steps have not been taken yet.
    pub waiting: usize,
    /// Steps taken.
    pub transitions: usize,
    /// The depth of the states that are being reached.
    pub depth: usize,
    /// What states take.
    pub bytes: usize,
}

impl Progress {
    /// The counts now.
    pub fn snapshot(&self) -> Snapshot {
        let read = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        let states = read(&self.states);
        Snapshot {
            states,
            waiting: states.saturating_sub(read(&self.expanded)),
            transitions: read(&self.transitions),
            depth: read(&self.depth),
            bytes: read(&self.bytes),
        }
    }

    /// Begins anew: a watcher may see several searches one after the other.
    pub(super) fn reset(&self) {
        for counter in [&self.states, &self.expanded, &self.transitions, &self.depth, &self.bytes] {
            counter.store(0, Ordering::Relaxed);
        }
    }

    pub(super) fn add(&self, states: usize, expanded: usize, transitions: usize) {
        self.states.fetch_add(states, Ordering::Relaxed);
        self.expanded.fetch_add(expanded, Ordering::Relaxed);
        self.transitions.fetch_add(transitions, Ordering::Relaxed);
    }

    pub(super) fn set_depth(&self, depth: usize) {
        self.depth.store(depth, Ordering::Relaxed);
    }

    /// Notes that a share of the states takes more or less than before.
    pub(super) fn resize(&self, before: usize, now: usize) {
        self.bytes.fetch_add(now.wrapping_sub(before), Ordering::Relaxed);
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }
}
