//! Threads, by means of the standard library alone.
//!
//! The rest of the workspace starts threads in the crate `threads`. This one depends on nothing but the typed form, so that there is
//! little to trust; and all it needs is workers that take jobs from a shared counter.

use std::panic::resume_unwind;
use std::thread;

/// Runs a worker on this many threads, of which the current one is the first, and returns what each of them returns.
pub(crate) fn on_threads<R: Send>(threads: usize, worker: impl Fn() -> R + Sync) -> Vec<R> {
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(&worker)).collect();
        let mut results = vec![worker()];
        for other in others {
            results.push(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        results
    })
}
