//! Pools, whose threads stay awake while a search hands out small pieces of work.

use rayon::{ThreadPool, ThreadPoolBuilder, Yield};
use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

/// A pool, if it has several threads and the system can start them. Without one, everything takes longer and is the same.
fn pool(threads: usize) -> Option<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads);
    if threads > 1 { pool.build().ok() } else { None }
}

/// Runs `work` on one thread of a pool, and tells it how many threads there are: one if there is no pool. It may hand out work
/// to the others by [`in_order`].
pub fn with_pool<R: Send>(threads: usize, work: impl FnOnce(usize) -> R + Send) -> R {
    match pool(threads) {
        Some(pool) => with_others_awake(&pool, || work(threads)),
        None => work(1),
    }
}

/// Does some work for each of several items by all threads, while `consume` takes the results in the order of the items. Once
/// it returns, no further item is begun.
pub fn consumed_in_order<T: Send, R: Send, U>(
    threads: usize,
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
    consume: impl FnOnce(&mut dyn Iterator<Item = R>) -> U,
) -> U {
    let Some(pool) = pool(threads) else { return consume(&mut items.into_iter().map(work)) };
    let (work, is_done) = (&work, &AtomicBool::new(false));
    pool.in_place_scope(|scope| {
        let begin = |item| {
            let (sender, receiver) = mpsc::channel();
            scope.spawn(move |_| {
                if !is_done.load(Ordering::Relaxed) {
                    // The receiver is gone if no more results are needed.
                    let _ = sender.send(work(item));
                }
            });
            receiver
        };
        let results: Vec<mpsc::Receiver<R>> = items.into_iter().map(begin).collect();
        // If an item panics, there are no more results, and the scope panics as well.
        let consumed = consume(&mut results.into_iter().map_while(|result| result.recv().ok()));
        is_done.store(true, Ordering::Relaxed);
        consumed
    })
}

/// Does something on one thread of a pool while the others stay awake: to wake them takes longer than many a piece of work.
fn with_others_awake<R: Send>(pool: &ThreadPool, work: impl FnOnce() -> R + Send) -> R {
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

/// Does some work for each of several items, by the threads of the pool that this runs on. They begin the items in their order.
pub fn in_order<T: Send, R: Send + Sync>(
    threads: usize,
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let threads = threads.min(items.len().max(1));
    // Each slot belongs to one thread: none waits for another.
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

/// Counts as at work until it is dropped, also by a panic: no thread must wait for ever.
struct AtWork<'c>(&'c AtomicUsize);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        // A thread that sees that none is at work also sees the results.
        self.0.fetch_sub(1, Ordering::Release);
    }
}

/// How often a thread looks for work before it starts to sleep in between: about a millisecond.
const LOOKS: u32 = 10_000;
const REST: Duration = Duration::from_micros(50);

/// Does what there is to do in the pool, as long as a thread is at work that may hand out more.
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
        with_pool(threads, |threads| {
            assert!(threads > 1);
            in_order(threads, items, |item| item * item)
        })
    }

    #[test]
    fn results_are_in_the_order_of_the_items() {
        for count in [0, 1, 2, 3, 1_000] {
            let items: Vec<u64> = (0..count).collect();
            let expected: Vec<u64> = items.iter().map(|item| item * item).collect();
            assert_eq!(squares(3, items.clone()), expected);
            for threads in [1, 3] {
                let all = consumed_in_order(threads, items.clone(), |item| item * item, |all| all.collect());
                let all: Vec<u64> = all;
                assert_eq!(all, expected);
            }
        }
    }

    #[test]
    fn results_that_are_not_needed_are_dropped() {
        for threads in [1, 2] {
            let first = consumed_in_order(threads, 5..1_000, |item| item, |all| all.next());
            assert_eq!(first, Some(5));
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
    fn no_thread_waits_for_one_that_panics() {
        let work = |_| {
            let this = rayon::current_thread_index();
            two_together(|| assert_eq!(rayon::current_thread_index(), this, "the other one"))
        };
        let ended = catch_unwind(AssertUnwindSafe(|| with_pool(2, work)));
        assert!(ended.is_err());
        let work = |item: u64| assert_ne!(item, 1, "the second one");
        let consumed = || consumed_in_order(2, vec![0, 1, 2], work, |results| results.count());
        assert!(catch_unwind(AssertUnwindSafe(consumed)).is_err());
        assert_eq!(squares(2, vec![3]), [9]);
    }

    #[test]
    fn threads_that_sleep_are_there_when_there_is_work() {
        let seen = with_pool(2, |_| {
            thread::sleep(Duration::from_millis(20));
            two_together(rayon::current_thread_index)
        });
        assert_ne!(seen[0], seen[1]);
    }
}
