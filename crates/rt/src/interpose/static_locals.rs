//! Static variables in functions of C++, which are initialised once. The first byte of their guard tells that this was
//! done, as the C++ ABI says; the word behind it is used as that of `pthread_once`.

use super::once::RUNNING;
use crate::op::{Kind, Op};
use crate::runtime::{pc, rt};

unsafe fn state(guard: *mut u8) -> *mut u32 {
    guard.add(4).cast()
}

/// Nobody initialises any more.
unsafe fn leave(guard: *mut u8) {
    let (runtime, object) = (rt(), state(guard));
    if runtime.is_controlled() {
        runtime.visible(Op::new(Kind::OnceDone, object as usize, pc()));
        runtime.release(object as usize);
    }
    *object = 0;
    runtime.note_change();
}

entries! {
    fn __cxa_guard_acquire(guard: *mut u8) -> i32 {
        let (runtime, object) = (rt(), state(guard));
        if runtime.is_controlled() {
            runtime.visible(Op::new(Kind::Once, object as usize, pc()));
            runtime.acquire(object as usize);
        }
        if *guard != 0 {
            return 0;
        }
        *object = RUNNING;
        runtime.note_change();
        1
    }

    fn __cxa_guard_release(guard: *mut u8) {
        let runtime = rt();
        if runtime.is_controlled() {
            // Others look at the first byte before they call anything.
            let pc = pc();
            runtime.visible(Op { size: 1, ..Op::new(Kind::AtomicWrite, guard as usize, pc) });
            runtime.note(guard as usize, 1, true, true, pc);
            runtime.release(guard as usize);
        }
        *guard = 1;
        leave(guard);
    }

    fn __cxa_guard_abort(guard: *mut u8) {
        leave(guard);
    }
}
