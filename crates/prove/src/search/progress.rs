//! What a search tells about itself.

use std::sync::atomic::AtomicUsize;
use std::time::Duration;

/// How far a proof is, for those who watch.
#[derive(Debug, Default)]
pub struct Progress {
    /// Cubes of the invariant so far.
    pub visited: AtomicUsize,
    /// Cubes that wait.
    pub queued: AtomicUsize,
    /// The most processes of a visited cube.
    pub processes: AtomicUsize,
    /// Guessed invariants so far.
    pub candidates: AtomicUsize,
    /// Guesses that were taken back.
    pub undone: AtomicUsize,
}

/// What a proof has taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Cubes that were visited, those deleted later included.
    pub nodes: usize,
    /// Cubes that others covered.
    pub covered: usize,
    /// Visited cubes that a later one covered.
    pub deleted: usize,
    /// Guessed invariants that are part of the proof.
    pub invariants: usize,
    /// Guessed invariants that turned out to be wrong.
    pub undone: usize,
    /// The most processes of a visited cube.
    pub max_processes: usize,
    /// States that guesses were tested against.
    pub oracle_states: usize,
    /// Wall-clock time.
    pub time: Duration,
}
