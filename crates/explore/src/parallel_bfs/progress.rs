//! Progress of a parallel breadth-first search, for displays.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Counters that a search updates while it runs, with a small delay.
#[derive(Debug, Default)]
pub struct Progress {
    states: AtomicUsize,
    expanded: AtomicUsize,
    transitions: AtomicUsize,
    depth: AtomicUsize,
    bytes: AtomicUsize,
}

/// The counters at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// States reached.
    pub states: usize,
    /// States reached whose steps have not been taken yet.
    pub waiting: usize,
    /// Steps taken.
    pub transitions: usize,
    /// The depth of the level that is being built.
    pub depth: usize,
    /// The memory of the states, in bytes.
    pub bytes: usize,
}

impl Progress {
    /// The current values of the counters.
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

    /// Sets the counters, for a search of another kind.
    pub fn show(&self, states: usize, expanded: usize, transitions: usize, bytes: usize) {
        self.states.store(states, Ordering::Relaxed);
        self.expanded.store(expanded, Ordering::Relaxed);
        self.transitions.store(transitions, Ordering::Relaxed);
        self.bytes.store(bytes, Ordering::Relaxed);
    }

    /// Resets all counters: one `Progress` may serve several searches, one after the other.
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

    /// Updates the memory when a shard grows or shrinks from `before` to `now` bytes.
    pub(super) fn resize(&self, before: usize, now: usize) {
        self.bytes.fetch_add(now.wrapping_sub(before), Ordering::Relaxed);
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }
}
