//! Semaphores. The value is the first word of the object, as in glibc.

use super::error::{EAGAIN, ETIMEDOUT};
use super::mutexes::{DESTROYED, check_alive};
use super::set_errno;
use crate::op::{Kind, Op};
use crate::runtime::{pc, rt};

/// The word of a `sem_t` that is [`DESTROYED`] after `sem_destroy`.
unsafe fn mark(semaphore: *mut u32) -> *mut u32 {
    semaphore.add(6)
}

unsafe fn down(semaphore: *mut u32, kind: Kind, otherwise: i32) -> i32 {
    let runtime = rt();
    if runtime.is_controlled() {
        runtime.visible(Op::new(kind, semaphore as usize, pc()));
        check_alive(*mark(semaphore), "a semaphore");
        if kind == Kind::Down {
            runtime.end_if_cancelled();
        }
    }
    if *semaphore == 0 {
        runtime.follow_access(semaphore as usize, 4, false, false);
        set_errno(otherwise);
        return -1;
    }
    *semaphore -= 1;
    runtime.note_change();
    runtime.acquire(semaphore as usize);
    0
}

entries! {
    fn sem_init(semaphore: *mut u32, _shared: i32, value: u32) -> i32 {
        (*semaphore, *mark(semaphore)) = (value, 0);
        if rt().is_controlled() {
            rt().note(semaphore as usize, 4, true, false, pc());
        }
        0
    }

    fn sem_destroy(semaphore: *mut u32) -> i32 {
        let runtime = rt();
        if runtime.is_controlled() {
            let pc = pc();
            runtime.destroy(semaphore as usize, pc);
            check_alive(*mark(semaphore), "a semaphore");
            if runtime.stands_at(Kind::Down, semaphore as usize) {
                runtime.fail("misuse", "destroy of a semaphore at which a thread waits".into(), vec![pc]);
            }
            runtime.note_change();
        }
        *mark(semaphore) = DESTROYED;
        0
    }

    fn sem_wait(semaphore: *mut u32) -> i32 {
        down(semaphore, Kind::Down, EAGAIN)
    }

    fn sem_trywait(semaphore: *mut u32) -> i32 {
        down(semaphore, Kind::TryDown, EAGAIN)
    }

    fn sem_timedwait(semaphore: *mut u32, _until: usize) -> i32 {
        down(semaphore, Kind::TryDown, ETIMEDOUT)
    }

    fn sem_clockwait(semaphore: *mut u32, _clock: i32, _until: usize) -> i32 {
        down(semaphore, Kind::TryDown, ETIMEDOUT)
    }

    fn sem_post(semaphore: *mut u32) -> i32 {
        let runtime = rt();
        if runtime.is_controlled() {
            runtime.visible(Op::new(Kind::Up, semaphore as usize, pc()));
            check_alive(*mark(semaphore), "a semaphore");
            runtime.release(semaphore as usize);
        }
        *semaphore += 1;
        runtime.note_change();
        0
    }

    fn sem_getvalue(semaphore: *mut u32, value: *mut i32) -> i32 {
        if rt().is_controlled() {
            rt().visible(Op::new(Kind::TryDown, semaphore as usize, pc()));
        }
        rt().follow_access(semaphore as usize, 4, false, false);
        *value = *semaphore as i32;
        0
    }
}
