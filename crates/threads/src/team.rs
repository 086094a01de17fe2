//! A team of workers, one of which has the thread of the caller.

use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

/// Has each worker do its work at the same time as the others, and waits for all of them. The first one works on the current
/// thread; a team of one starts no thread. Panics if a worker does.
pub fn together<W: Send, R: Send>(
    workers: impl IntoIterator<Item = W>,
    work: impl Fn(W) -> R + Sync,
) -> Vec<R> {
    let results = try_together(workers, work).into_iter();
    results.map(|result| result.unwrap_or_else(|panic| resume_unwind(panic))).collect()
}

/// The same, where the panic of a worker other than the first is the result of that worker.
pub fn try_together<W: Send, R: Send>(
    workers: impl IntoIterator<Item = W>,
    work: impl Fn(W) -> R + Sync,
) -> Vec<thread::Result<R>> {
    let mut workers = workers.into_iter();
    let Some(first) = workers.next() else { return vec![] };
    let work = &work;
    thread::scope(|scope| {
        let others: Vec<_> = workers.map(|worker| scope.spawn(move || work(worker))).collect();
        let first = Ok(work(first));
        std::iter::once(first).chain(others.into_iter().map(ScopedJoinHandle::join)).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;

    #[test]
    fn results_are_in_the_order_of_the_workers() {
        for count in [0_u64, 1, 2, 5] {
            let mut workers: Vec<u64> = (0..count).collect();
            let results = together(&mut workers, |worker| {
                *worker += 1;
                *worker * 10
            });
            assert_eq!(results, (1..=count).map(|worker| worker * 10).collect::<Vec<_>>());
            assert_eq!(workers, (1..=count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn all_work_at_the_same_time_and_the_first_on_this_thread() {
        let all_here = Barrier::new(3);
        let places = together(0..3, |_| {
            all_here.wait();
            thread::current().id()
        });
        assert_eq!(places[0], thread::current().id());
        assert!(places[1] != places[0] && places[2] != places[0] && places[1] != places[2]);
    }

    #[test]
    fn a_panic_is_told() {
        let work = |worker| assert_ne!(worker, 1, "the second one");
        let ended = catch_unwind(AssertUnwindSafe(|| together(0..3, work)));
        assert!(ended.is_err());
        let results: Vec<bool> = try_together(0..3, work).iter().map(Result::is_ok).collect();
        assert_eq!(results, [true, false, true]);
    }
}
