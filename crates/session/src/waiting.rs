//! How a thread waits: everything that waits is polled with a waker, and the waker of a thread unparks it.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Poll, Wake, Waker},
    thread::{self, Thread},
};

/// How often a thread looks again before it parks, each time after twice as long: most answers come soon.
const LOOKS: u32 = 7;
/// How often it then lets others run. Few times: on a busy machine that takes long.
const YIELDS: u32 = 3;

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.unpark();
    }
}

thread_local! {
    static WAKER: Waker = Waker::from(Arc::new(Unpark(thread::current())));
}

/// Polls until there is an answer. Without a waker nothing is registered.
pub(crate) fn block<T>(mut poll: impl FnMut(Option<&Waker>) -> Poll<T>) -> T {
    for look in 0..LOOKS + YIELDS {
        if let Poll::Ready(answer) = poll(None) {
            return answer;
        }
        if look >= LOOKS { thread::yield_now() } else { (0..1 << look).for_each(|_| std::hint::spin_loop()) }
    }
    WAKER.with(|waker| {
        loop {
            if let Poll::Ready(answer) = poll(Some(waker)) {
                return answer;
            }
            thread::park();
        }
    })
}

/// Locks, also after somebody else has panicked: what is guarded here is consistent between any two operations.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Remembers who waits, once.
pub(crate) fn remember(waiting: &mut Option<Waker>, waker: Option<&Waker>) {
    if let Some(waker) = waker
        && !waiting.as_ref().is_some_and(|known| known.will_wake(waker))
    {
        *waiting = Some(waker.clone());
    }
}
