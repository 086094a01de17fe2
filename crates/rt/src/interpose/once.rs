//! Initialisation that happens once.

use crate::op::{Kind, Op};
use crate::runtime::{pc, rt};

/// Somebody is initialising.
pub(crate) const RUNNING: u32 = 1;
const DONE: u32 = 2;

entries! {
    fn pthread_once(control: *mut u32, function: extern "C" fn()) -> i32 {
        let runtime = rt();
        let object = control as usize;
        let pc = pc();
        if runtime.is_controlled() {
            runtime.visible(Op::new(Kind::Once, object, pc));
            runtime.acquire(object);
        }
        if *control == DONE {
            return 0;
        }
        *control = RUNNING;
        function();
        let runtime = rt();
        if runtime.is_controlled() {
            runtime.note_change();
            runtime.stand_at(Op::new(Kind::OnceDone, object, pc));
            runtime.release(object);
        }
        *control = DONE;
        0
    }
}
