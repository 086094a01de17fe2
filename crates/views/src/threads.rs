//! How many threads work.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// How many threads may work on something. That may change while it goes on, when others need them or are done with theirs.
#[derive(Debug, Clone)]
pub struct Threads(Arc<(Mutex<usize>, Condvar)>);

impl Threads {
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
    fn there_is_always_one_to_begin_with() {
        assert_eq!(Threads::from(0).now(), 1);
    }

    #[test]
    fn with_none_everybody_waits_until_there_are_some() {
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
