//! Cancellation of threads: asked for by another thread, carried out at the next cancellation point.

use super::error::{EINVAL, ESRCH};
use super::threads::number;
use crate::op::{Kind, Op};
use crate::program;
use crate::runtime::{HOOK_STACK, Runtime, pc, rt};
use crate::thread::Phase;

/// What a thread that was cancelled returns.
const CANCELED: usize = usize::MAX;
const DISABLE: i32 = 1;
const ASYNCHRONOUS: i32 = 1;

unsafe extern "C" {
    fn _longjmp(environment: usize, value: i32) -> !;
}

impl Runtime {
    /// A cancellation point: the current thread may be told to end here.
    pub(crate) fn cancellation_point(&mut self) {
        if !self.runs_program() || !self.cancels {
            return;
        }
        self.stand_at(Op::new(Kind::TestCancel, self.current, pc()));
        self.end_if_cancelled();
    }

    /// Whether a thread that stands at a cancellation point is to end there.
    pub(crate) fn is_cancelled_at(&self, thread: usize, op: &Op) -> bool {
        let thread = &self.threads[thread];
        thread.cancelled && !thread.cancel_disabled && op.is_cancellation_point()
    }

    /// Ends the current thread if that was asked for.
    pub(crate) fn end_if_cancelled(&mut self) {
        if self.this().cancelled && !self.this().cancel_disabled {
            self.this().cancel_disabled = true;
            self.unwind(CANCELED);
        }
    }

    /// Runs the cleanup handlers of the current thread, the last first, and ends it.
    pub(crate) fn unwind(&mut self, result: usize) -> ! {
        self.this().result = result;
        let Some(handler) = self.this().cleanup.pop() else { program::finish(result) };
        // SAFETY: the environment lies on the stack of the current thread, in a function that has not returned.
        unsafe {
            HOOK_STACK = self.hook_stack(self.current);
            _longjmp(handler, 1)
        }
    }
}

entries! {
    fn pthread_cancel(handle: usize) -> i32 {
        let Some(thread) = number(handle) else { return ESRCH };
        let runtime = rt();
        if !runtime.cancels {
            // From now on cancellation points are scheduling points.
            runtime.cancels = true;
            runtime.judged_more = true;
        }
        runtime.visible(Op::new(Kind::Cancel, thread, pc()));
        runtime.note_change();
        let other = &mut runtime.threads[thread];
        other.cancelled = true;
        // Who waits for something else than a signal finds out by itself.
        let sleeps = other.phase == Phase::Ready && matches!(other.next.kind, Kind::Sleep { .. });
        if sleeps && !other.cancel_disabled {
            runtime.wake(thread);
        }
        0
    }

    fn pthread_testcancel() {
        let runtime = rt();
        if runtime.runs_program() && runtime.cancels {
            runtime.visible(Op::new(Kind::TestCancel, runtime.current, pc()));
            runtime.end_if_cancelled();
        }
    }

    fn pthread_setcancelstate(state: i32, old: *mut i32) -> i32 {
        let this = rt().this();
        if !old.is_null() {
            *old = i32::from(this.cancel_disabled);
        }
        this.cancel_disabled = state == DISABLE;
        0
    }

    fn pthread_setcanceltype(kind: i32, old: *mut i32) -> i32 {
        if kind == ASYNCHRONOUS {
            rt().unsupported("asynchronous cancellation");
        }
        if kind != 0 {
            return EINVAL;
        }
        if !old.is_null() {
            *old = 0;
        }
        0
    }

    fn __pthread_register_cancel(handler: usize) {
        rt().this().cleanup.push(handler);
    }

    fn __pthread_unregister_cancel(handler: usize) {
        let cleanup = &mut rt().this().cleanup;
        if cleanup.last() == Some(&handler) {
            cleanup.pop();
        }
    }

    fn __pthread_unwind_next(_handler: usize) {
        let result = rt().this().result;
        rt().unwind(result)
    }
}
