//! Threads that work together.

use rayon::{ThreadPool, ThreadPoolBuilder, Yield};
use std::hint::spin_loop;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

/// So many threads, if they are several and the system has them. Without, everything takes longer and is the same.
pub(crate) fn pool(threads: usize) -> Option<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads);
    if threads > 1 { pool.build().ok() } else { None }
}

/// Does something on one thread of a pool while the others stay awake: to wake them takes longer than many a piece of work.
pub(crate) fn with_others_awake<R: Send>(pool: &ThreadPool, work: impl FnOnce() -> R + Send) -> R {
    pool.install(|| {
        let at_work = Arc::new(AtomicUsize::new(1));
        let _until_done = AtWork(&at_work);
        let (this, seen) = (rayon::current_thread_index(), at_work.clone());
        rayon::spawn_broadcast(move |thread| {
            if Some(thread.index()) != this {
                help_until_none_works(&seen);
            }
        });
        work()
    })
}

/// Does some work for each of some items, on a thread of a pool of so many. They begin with the items in their order.
pub(crate) fn in_order<T: Send, R: Send + Sync>(
    threads: usize,
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let threads = threads.min(items.len().max(1));
    // Each place belongs to one thread: none waits for another.
    let done: Vec<OnceLock<R>> = items.iter().map(|_| OnceLock::new()).collect();
    let items: Vec<Mutex<Option<T>>> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
    let (next, at_work) = (AtomicUsize::new(0), AtomicUsize::new(threads));
    let take_part = || {
        let _until_done = AtWork(&at_work);
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some((item, done)) = items.get(at).zip(done.get(at)) else { return };
            let item = item.lock().unwrap_or_else(PoisonError::into_inner).take();
            done.get_or_init(|| work(item.expect("taken once")));
        }
    };
    rayon::scope(|scope| {
        (1..threads).for_each(|_| scope.spawn(|_| take_part()));
        take_part();
        help_until_none_works(&at_work);
    });
    done.into_iter().filter_map(OnceLock::into_inner).collect()
}

/// One that works, until it is dropped, also if something goes wrong: nobody must wait for ever.
struct AtWork<'c>(&'c AtomicUsize);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        // Who sees that none works sees what they have done.
        self.0.fetch_sub(1, Ordering::Release);
    }
}

/// So often a thread looks for something to do before it rests in between: about a millisecond.
const LOOKS: u32 = 10_000;
const REST: Duration = Duration::from_micros(50);

/// Does what there is to do in the pool, as long as somebody works who may have more of it.
fn help_until_none_works(at_work: &AtomicUsize) {
    let mut looks = 0;
    while at_work.load(Ordering::Acquire) > 0 {
        if rayon::yield_now() == Some(Yield::Executed) {
            looks = 0;
        } else if looks < LOOKS {
            looks += 1;
            spin_loop();
        } else {
            thread::sleep(REST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn squares(threads: usize, items: Vec<u64>) -> Vec<u64> {
        let pool = pool(threads).expect("several threads");
        with_others_awake(&pool, || in_order(threads, items, |item| item * item))
    }

    #[test]
    fn results_are_in_the_order_of_the_items() {
        for count in [0, 1, 2, 3, 1_000] {
            let items: Vec<u64> = (0..count).collect();
            let expected: Vec<u64> = items.iter().map(|item| item * item).collect();
            assert_eq!(squares(3, items), expected);
        }
    }

    /// Two threads do something once both are there: one alone would wait for ever.
    fn two_together<R: Send + Sync>(work: impl Fn() -> R + Sync) -> Vec<R> {
        let arrived = AtomicUsize::new(0);
        in_order(2, vec![(), ()], |()| {
            arrived.fetch_add(1, Ordering::SeqCst);
            while arrived.load(Ordering::SeqCst) < 2 {
                thread::yield_now();
            }
            work()
        })
    }

    #[test]
    fn nobody_waits_for_a_thread_that_panics() {
        let pool = pool(2).expect("several threads");
        let work = || {
            let this = rayon::current_thread_index();
            two_together(|| assert_eq!(rayon::current_thread_index(), this, "the other one"))
        };
        let ended = catch_unwind(AssertUnwindSafe(|| with_others_awake(&pool, work)));
        assert!(ended.is_err());
        assert_eq!(squares(2, vec![3]), [9]);
    }

    #[test]
    fn those_who_rest_are_there_when_there_is_work() {
        let pool = pool(2).expect("several threads");
        let seen = with_others_awake(&pool, || {
            thread::sleep(Duration::from_millis(20));
            two_together(rayon::current_thread_index)
        });
        assert_ne!(seen[0], seen[1]);
    }
}
