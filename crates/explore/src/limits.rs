//! Limits on the resources of a search, and the meter that enforces them.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::Stats;

/// Limits of a search; by default there are none. A search that needs exactly as much as a limit allows does not hit
/// it.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The largest number of states to search from.
    pub states: Option<usize>,
    /// The largest number of steps to take.
    pub steps: Option<usize>,
    /// The largest length of a run in steps. Unlike a [`DepthBound`](crate::DepthBound), this ends the search.
    pub depth: Option<usize>,
    /// Wall-clock time. Checked every few steps, so that one long step can exceed it.
    pub time: Option<Duration>,
    /// The largest estimated memory of states and nodes, in bytes.
    pub memory: Option<usize>,
    /// Ends the search from outside.
    pub cancel: Cancel,
}

impl Limits {
    /// The limits for the rest of a search that began at `begun`: the same, with the remaining time.
    #[must_use]
    pub fn remaining_since(&self, begun: Instant) -> Limits {
        self.remaining_after(begun.elapsed())
    }

    /// The limits for the rest of a search that has taken this time: the same, with the remaining time.
    #[must_use]
    pub fn remaining_after(&self, spent: Duration) -> Limits {
        let time = self.time.map(|time| time.saturating_sub(spent));
        Limits { time, ..self.clone() }
    }

    /// The limit on time or the cancellation that a search that began at `begun` has hit, if any.
    pub fn ended_since(&self, begun: Instant) -> Option<Limit> {
        if self.cancel.is_asked() {
            return Some(Limit::Cancelled);
        }
        self.time.is_some_and(|most| begun.elapsed() >= most).then_some(Limit::Time)
    }
}

/// Cancels a search from any thread, when any of its flags is set. By default there are no flags.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Vec<Arc<AtomicBool>>);

impl Cancel {
    /// Cancelled when this flag is set.
    pub fn by(flag: Arc<AtomicBool>) -> Cancel {
        Cancel(vec![flag])
    }

    /// Also cancelled when this flag is set.
    #[must_use]
    pub fn or_by(&self, flag: Arc<AtomicBool>) -> Cancel {
        Cancel(self.0.iter().cloned().chain([flag]).collect())
    }

    /// Whether any flag is set.
    pub fn is_asked(&self) -> bool {
        self.0.iter().any(|flag| flag.load(Ordering::Relaxed))
    }
}

/// The limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::states`].
    States,
    /// [`Limits::steps`].
    Steps,
    /// [`Limits::depth`].
    Depth,
    /// [`Limits::time`].
    Time,
    /// [`Limits::memory`].
    Memory,
    /// The number of runs, where a search has one.
    Runs,
    /// [`Limits::cancel`].
    Cancelled,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::States => "the limit on states was reached",
            Limit::Steps => "the limit on steps was reached",
            Limit::Depth => "the limit on depth was reached",
            Limit::Time => "the time is up",
            Limit::Memory => "the limit on memory was reached",
            Limit::Runs => "the limit on runs was reached",
            Limit::Cancelled => "the search was cancelled",
        })
    }
}

/// Counts the states and steps of a search, and checks its limits.
#[derive(Debug)]
pub(crate) struct Meter {
    limits: Limits,
    stats: Stats,
    begun: Instant,
}

/// Time and memory are checked once per this many steps: that costs more than a step of a model.
const STEPS_PER_LOOK: usize = 64;

impl Meter {
    pub(crate) fn new(limits: Limits) -> Self {
        Meter { limits, stats: Stats::default(), begun: Instant::now() }
    }

    /// Counts a step that is about to be taken.
    pub(crate) fn step(&mut self, bytes: impl FnOnce() -> usize) -> Result<(), Limit> {
        if self.limits.cancel.is_asked() {
            return Err(Limit::Cancelled);
        }
        if self.stats.transitions.is_multiple_of(STEPS_PER_LOOK) {
            self.look(bytes)?;
        }
        count(&mut self.stats.transitions, self.limits.steps, Limit::Steps)
    }

    fn look(&self, bytes: impl FnOnce() -> usize) -> Result<(), Limit> {
        if self.limits.time.is_some_and(|most| self.begun.elapsed() >= most) {
            return Err(Limit::Time);
        }
        if self.limits.memory.is_some_and(|most| bytes() > most) {
            return Err(Limit::Memory);
        }
        Ok(())
    }

    /// Counts a state that is about to be searched from.
    pub(crate) fn state(&mut self, depth: usize) -> Result<(), Limit> {
        if self.limits.depth.is_some_and(|most| depth > most) {
            return Err(Limit::Depth);
        }
        count(&mut self.stats.states, self.limits.states, Limit::States)?;
        self.stats.depth = self.stats.depth.max(depth);
        Ok(())
    }

    /// Counts a run that has come to its end.
    pub(crate) fn run(&mut self) {
        self.stats.runs += 1;
    }

    /// The number of runs that have come to their ends.
    pub(crate) fn runs(&self) -> usize {
        self.stats.runs
    }

    /// Counts a run that was given up because equivalent ones were tried.
    pub(crate) fn vain_run(&mut self) {
        self.stats.vain += 1;
    }

    pub(crate) fn finish(mut self, bytes: usize) -> Stats {
        self.stats.bytes = bytes;
        self.stats.time = self.begun.elapsed();
        self.stats
    }
}

fn count(counter: &mut usize, most: Option<usize>, limit: Limit) -> Result<(), Limit> {
    if most.is_some_and(|most| *counter >= most) {
        return Err(limit);
    }
    *counter += 1;
    Ok(())
}
