//! The limits of a search and the flag to stop it, shared by all workers.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Progress;
use crate::{End, Limit, Limits};

/// Enforces the limits of one search.
#[derive(Debug)]
pub(super) struct Watch {
    limits: Limits,
    begun: Instant,
    pub(super) progress: Arc<Progress>,
    /// The number of states, and below of steps: exact, but counted only if they are limited.
    states: AtomicUsize,
    steps: AtomicUsize,
    stopped: AtomicBool,
    /// Why the search was stopped. The first reason is kept.
    why: Mutex<Option<End>>,
}

impl Watch {
    pub(super) fn new(limits: Limits, progress: Arc<Progress>) -> Self {
        progress.reset();
        Watch {
            limits,
            begun: Instant::now(),
            progress,
            states: AtomicUsize::new(0),
            steps: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            why: Mutex::new(None),
        }
    }

    pub(super) fn stop(&self, end: impl Into<End>) {
        self.why.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(end.into());
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Why the search was stopped, if it was.
    pub(super) fn end(&self) -> Option<End> {
        self.why.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Checks the limits that are too costly to check at every step. False if the search must stop.
    pub(super) fn look(&self) -> bool {
        match self.limits.ended_since(self.begun) {
            Some(limit) => self.stop(limit),
            None => {
                self.may_grow(0);
            }
        }
        !self.is_stopped()
    }

    /// Whether this many more bytes may be used.
    pub(super) fn may_grow(&self, bytes: usize) -> bool {
        let fits = self.limits.memory.is_none_or(|most| self.progress.bytes() + bytes <= most);
        if !fits {
            self.stop(Limit::Memory);
        }
        fits
    }

    /// Whether a new state may be stored.
    pub(super) fn admit(&self, depth: usize) -> bool {
        if self.limits.depth.is_some_and(|most| depth > most) {
            self.stop(Limit::Depth);
            return false;
        }
        let Some(most) = self.limits.states else { return true };
        let fits = self.states.fetch_add(1, Ordering::Relaxed) < most;
        if !fits {
            self.stop(Limit::States);
        }
        fits
    }

    /// Counts `steps` steps, and returns how many of them may be taken.
    pub(super) fn allow(&self, steps: usize) -> usize {
        let Some(most) = self.limits.steps else { return steps };
        let left = most.saturating_sub(self.steps.fetch_add(steps, Ordering::Relaxed));
        if left < steps {
            self.stop(Limit::Steps);
        }
        steps.min(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A worker that stops because of others must not overwrite the reason.
    #[test]
    fn the_first_reason_counts() {
        let watch = Watch::new(Limits::default(), Arc::default());
        assert!(watch.look() && watch.end().is_none());
        watch.stop(Limit::States);
        watch.stop(Limit::Time);
        assert_eq!(watch.end(), Some(End::Limit(Limit::States)));
        assert!(!watch.look());
    }
}
