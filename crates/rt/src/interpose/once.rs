//! Initialisation that happens once.

use crate::op::{Kind, Op};
use crate::runtime::{pc, rt};

/// Somebody is initialising.
pub(crate) const RUNNING: u32 = 1;
const DONE: u32 = 2;

// The program's function runs on the program's stack, between two calls of the runtime's.
plain! {
    fn pthread_once(control: *mut u32, function: extern "C" fn()) -> i32 {
        if motet_once_begin(control) != 0 {
            function();
            motet_once_end(control);
        }
        0
    }
}

entries! {
    /// Returns whether the caller has to initialise.
    fn motet_once_begin(control: *mut u32) -> i32 {
        let (runtime, object) = (rt(), control as usize);
        if runtime.is_controlled() {
            runtime.visible(Op::new(Kind::Once, object, pc()));
            runtime.acquire(object);
        }
        if *control == DONE {
            return 0;
        }
        *control = RUNNING;
        runtime.note_change();
        1
    }

    /// The caller has initialised.
    fn motet_once_end(control: *mut u32) {
        let (runtime, object) = (rt(), control as usize);
        if runtime.is_controlled() {
            runtime.visible(Op::new(Kind::OnceDone, object, pc()));
            runtime.release(object);
        }
        *control = DONE;
        runtime.note_change();
    }
}
