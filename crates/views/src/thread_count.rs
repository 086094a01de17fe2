//! The threads of a search: their number, which may change while it runs, and the team that works with that number.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// The number of threads that may work on something. A portfolio changes it while a search runs, when another engine needs the
/// threads or has finished with its own.
#[derive(Debug, Clone)]
pub struct Threads(Arc<(Mutex<usize>, Condvar)>);

impl Threads {
    /// Works off a queue by a team of threads, each with a worker of its own. Where the number of threads changes, the team
    /// goes on with the new number; with `alone`, it is one thread until the end.
    ///
    /// `work_off_one` takes the next task from the queue, and tells whether there was one.
    pub(crate) fn work_off<W: Send>(
        &self,
        alone: bool,
        workers: &mut Vec<W>,
        new_worker: impl Fn() -> W,
        work_off_one: impl Fn(&mut W) -> bool + Sync,
    ) {
        loop {
            let count = self.now();
            let work_while_unchanged = |worker: &mut W| {
                while self.now() == count || alone {
                    if !work_off_one(worker) {
                        return true;
                    }
                }
                false
            };
            let team = if alone { 1 } else { count };
            workers.resize_with(workers.len().max(team), &new_worker);
            // Where one has found the queue empty there is nothing left for the others either.
            if threads::together(&mut workers[..team], work_while_unchanged).contains(&true) {
                return;
            }
        }
    }

    /// No threads until the pause is dropped, and `afterwards` from then on.
    pub fn pause(&self, afterwards: usize) -> Pause<'_> {
        self.set(0);
        Pause { threads: self, afterwards }
    }

    fn set(&self, count: usize) {
        let (now, changed) = &*self.0;
        *now.lock().unwrap_or_else(PoisonError::into_inner) = count;
        changed.notify_all();
    }

    /// The current number. Waits while there are none.
    pub fn now(&self) -> usize {
        let (now, changed) = &*self.0;
        let now = now.lock().unwrap_or_else(PoisonError::into_inner);
        *changed.wait_while(now, |now| *now == 0).unwrap_or_else(PoisonError::into_inner)
    }
}

/// A time without threads. It ends even if its owner panics, so that nothing waits forever.
#[derive(Debug)]
#[must_use = "the pause ends when this is dropped"]
pub struct Pause<'t> {
    threads: &'t Threads,
    afterwards: usize,
}

impl Drop for Pause<'_> {
    fn drop(&mut self) {
        self.threads.set(self.afterwards);
    }
}

impl From<usize> for Threads {
    fn from(count: usize) -> Threads {
        Threads(Arc::new((Mutex::new(count.max(1)), Condvar::new())))
    }
}

impl Default for Threads {
    fn default() -> Threads {
        Threads::from(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_at_least_one() {
        assert_eq!(Threads::from(0).now(), 1);
    }

    #[test]
    fn a_queue_is_worked_off_by_any_number() {
        for (count, alone) in [(1, false), (3, false), (3, true)] {
            let queue = Mutex::new(0..1000);
            let mut sums = Vec::new();
            Threads::from(count).work_off(
                alone,
                &mut sums,
                || 0,
                |sum| {
                    let next = queue.lock().unwrap().next();
                    *sum += next.unwrap_or(0);
                    next.is_some()
                },
            );
            assert_eq!(sums.len(), if alone { 1 } else { count });
            assert_eq!(sums.iter().sum::<i32>(), 499_500);
        }
    }

    #[test]
    fn a_pause_lasts_until_it_is_dropped() {
        let threads = Threads::from(2);
        let pause = threads.pause(3);
        let seen = std::thread::scope(|scope| {
            let waiting = scope.spawn(|| threads.now());
            drop(pause);
            waiting.join().expect("does not panic")
        });
        assert_eq!(seen, 3);
    }
}
