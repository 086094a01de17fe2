//! What a search has done so far, in numbers: for progress while it runs, and for reports afterwards.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The progress of a proof, updated after each batch of cubes.
#[derive(Debug, Default)]
pub struct Progress {
    /// Cubes of the invariant so far.
    pub visited: AtomicUsize,
    /// Cubes that are still to be visited.
    pub queued: AtomicUsize,
    /// The most processes of a visited cube.
    pub processes: AtomicUsize,
    /// Candidates that are part of the invariant so far.
    pub candidates: AtomicUsize,
    /// Candidates that were refuted, and retracted with all that came from them.
    pub refuted: AtomicUsize,
}

/// The size of a proof, and the effort that it took.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Cubes that were visited, including those that were deleted later.
    pub nodes: usize,
    /// Cubes that were not visited because visited ones subsume them.
    pub subsumed: usize,
    /// Visited cubes that a later one subsumes.
    pub deleted: usize,
    /// Candidates that are part of the proof.
    pub invariants: usize,
    /// Candidates that were refuted.
    pub refuted: usize,
    /// The most processes of a visited cube.
    pub max_processes: usize,
    /// States that candidates were tested against.
    pub oracle_states: usize,
    /// Wall-clock time.
    pub time: Duration,
}

/// What a search has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) visited: usize,
    pub(super) candidates: usize,
    pub(super) refuted: usize,
    pub(super) deleted: usize,
    pub(super) subsumed: usize,
    /// The most of a visited cube.
    pub(super) processes: usize,
}

impl Counts {
    /// Publishes the progress of a search with this many visited and queued cubes.
    pub(super) fn report(&self, progress: &Progress, visited: usize, queued: usize) {
        progress.visited.store(visited, Ordering::Relaxed);
        progress.queued.store(queued, Ordering::Relaxed);
        progress.candidates.store(self.candidates - self.refuted, Ordering::Relaxed);
        progress.refuted.store(self.refuted, Ordering::Relaxed);
        progress.processes.store(self.processes, Ordering::Relaxed);
    }
}
