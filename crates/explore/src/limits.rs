//! When to give up: limits on what a search may use, and the watch over them.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::Stats;

/// Limits of a search; by default there are none. A search that needs exactly what a limit allows ends by
/// itself.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// How many states may be searched from.
    pub states: Option<usize>,
    /// How many steps may be taken.
    pub steps: Option<usize>,
    /// How long a run may get. Unlike a [`DepthBound`](crate::DepthBound), this ends the search.
    pub depth: Option<usize>,
    /// How long the search may take. Looked at every few steps, so that one long step can exceed it.
    pub time: Option<Duration>,
    /// How many bytes states and nodes may take, by estimate.
    pub memory: Option<usize>,
    /// Asked by anyone who wants the search to end.
    pub cancel: Cancel,
}

impl Limits {
    /// The same limits for the rest of a search that began then: with the remaining time.
    #[must_use]
    pub fn remaining_since(&self, begun: Instant) -> Limits {
        let time = self.time.map(|time| time.saturating_sub(begun.elapsed()));
        Limits { time, ..self.clone() }
    }

    /// The limit that does not depend on what is searched, if a search that began then has hit one.
    pub fn ended_since(&self, begun: Instant) -> Option<Limit> {
        if self.cancel.is_asked() {
            return Some(Limit::Cancelled);
        }
        self.time.is_some_and(|most| begun.elapsed() >= most).then_some(Limit::Time)
    }
}

/// Asks a search to end, from any thread: each of some flags does. By default there is none.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Vec<Arc<AtomicBool>>);

impl Cancel {
    /// Asked by this flag.
    pub fn by(flag: Arc<AtomicBool>) -> Cancel {
        Cancel(vec![flag])
    }

    /// Asked by this flag too.
    #[must_use]
    pub fn or_by(&self, flag: Arc<AtomicBool>) -> Cancel {
        Cancel(self.0.iter().cloned().chain([flag]).collect())
    }

    /// Whether the search is to end.
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
            Limit::Cancelled => "the search was cancelled",
        })
    }
}

/// Counts what a search does, and tells when a limit is hit.
#[derive(Debug)]
pub(crate) struct Meter {
    limits: Limits,
    stats: Stats,
    begun: Instant,
}

/// Reading the clock and adding up memory costs more than a step of a model, so only every so often.
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
