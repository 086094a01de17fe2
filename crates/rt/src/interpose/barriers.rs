//! Barriers.

use super::error::EINVAL;
use crate::op::{Kind, Op};
use crate::runtime::{pc, rt};
use crate::thread::Phase;

/// A `pthread_barrier_t`.
#[repr(C)]
pub(crate) struct Barrier {
    arrived: u32,
    count: u32,
}

/// What one of the threads gets.
const SERIAL: i32 = -1;

entries! {
    fn pthread_barrier_init(barrier: *mut Barrier, _attributes: usize, count: u32) -> i32 {
        if count == 0 {
            return EINVAL;
        }
        *barrier = Barrier { arrived: 0, count };
        if rt().is_controlled() {
            rt().note(barrier as usize, 8, true, false, pc());
        }
        0
    }

    fn pthread_barrier_destroy(barrier: *mut Barrier) -> i32 {
        let runtime = rt();
        if runtime.is_controlled() {
            let pc = pc();
            runtime.destroy(barrier as usize, pc);
            if (*barrier).arrived != 0 {
                runtime.fail("misuse", "destroy of a barrier at which threads wait".into(), vec![pc]);
            }
            runtime.note_change();
        }
        0
    }

    fn pthread_barrier_wait(barrier: *mut Barrier) -> i32 {
        let runtime = rt();
        if !runtime.is_controlled() {
            return SERIAL;
        }
        let op = Op::new(Kind::Arrive, barrier as usize, pc());
        runtime.visible(op);
        runtime.note_change();
        runtime.release(barrier as usize);
        (*barrier).arrived += 1;
        if (*barrier).arrived < (*barrier).count {
            runtime.stand_at(Op { kind: Kind::Leave, ..op });
            runtime.acquire(barrier as usize);
            return 0;
        }
        (*barrier).arrived = 0;
        for thread in 0..runtime.count {
            let other = &mut runtime.threads[thread];
            if other.phase == Phase::Ready && other.next.kind == Kind::Leave && other.next.object == barrier as usize {
                other.next.kind = Kind::Yield;
                runtime.released.push(thread as u16);
            }
        }
        runtime.acquire(barrier as usize);
        SERIAL
    }
}
