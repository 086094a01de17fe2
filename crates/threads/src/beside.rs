//! One thing done beside another.

use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

/// Something that is done beside the work of the current thread.
#[derive(Debug)]
pub struct Beside<'s, B>(ScopedJoinHandle<'s, B>);

impl<B> Beside<'_, B> {
    /// Waits for its result. Panics if it does.
    pub fn wait(self) -> B {
        self.0.join().unwrap_or_else(|panic| resume_unwind(panic))
    }
}

/// Does `work` on the current thread and `other` on one beside it, whose result `work` may wait for. Returns when both have
/// ended.
pub fn beside<B: Send, R>(other: impl FnOnce() -> B + Send, work: impl FnOnce(Beside<'_, B>) -> R) -> R {
    thread::scope(|scope| work(Beside(scope.spawn(other))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn both_are_done_at_the_same_time() {
        let both_here = Barrier::new(2);
        let other = || {
            both_here.wait();
            1
        };
        let sum = beside(other, |other| {
            both_here.wait();
            other.wait() + 2
        });
        assert_eq!(sum, 3);
    }

    #[test]
    fn the_other_has_ended_even_if_nobody_waits() {
        let (may_end, ended) = (Barrier::new(2), AtomicBool::new(false));
        let other = || {
            may_end.wait();
            ended.store(true, Ordering::Relaxed);
        };
        beside(other, |_| may_end.wait());
        assert!(ended.load(Ordering::Relaxed));
    }

    #[test]
    fn a_panic_is_told() {
        let other = || "the other".parse::<u32>().expect("not a number");
        let ended = catch_unwind(AssertUnwindSafe(|| beside(other, |other| other.wait() + 1)));
        assert!(ended.is_err());
    }
}
