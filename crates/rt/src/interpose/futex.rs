//! The system calls that C++ waits with: futexes. Others go to the kernel.

use super::error::{EAGAIN, ETIMEDOUT};
use super::set_errno;
use crate::op::{Kind, Op};
use crate::runtime::{ENTRY, pc, rt};
use crate::sys;

const SYS_FUTEX: usize = 202;
/// Operations without their flags.
const OPERATION: usize = 0x7f;
const WAIT: usize = 0;
const WAKE: usize = 1;
const WAIT_BITSET: usize = 9;
const WAKE_BITSET: usize = 10;

unsafe fn wait(word: *mut u32, value: u32, timed: bool) -> isize {
    let runtime = rt();
    let op = Op { size: 4, ..Op::new(Kind::FutexWait, word as usize, pc()) };
    runtime.visible(op);
    runtime.note(word as usize, 4, false, true, op.pc);
    if *word != value {
        runtime.follow_access(word as usize, 4, false, false);
        set_errno(EAGAIN);
        return -1;
    }
    runtime.note_change();
    runtime.stand_at(Op { kind: Kind::Sleep { timed }, ..op });
    runtime.acquire(word as usize);
    if matches!(runtime.this().next.kind, Kind::Sleep { .. }) {
        set_errno(ETIMEDOUT);
        return -1;
    }
    0
}

unsafe fn wake(word: *mut u32, most: usize) -> isize {
    let runtime = rt();
    let several = most > 1;
    let kind = if several { Kind::Broadcast } else { Kind::Signal };
    let choice = runtime.visible(Op::new(kind, word as usize, pc()));
    runtime.release(word as usize);
    let sleepers: Vec<usize> = runtime.sleepers(word as usize).collect();
    let woken: Vec<usize> = if several {
        sleepers.into_iter().take(most).collect()
    } else {
        sleepers.into_iter().skip(choice.into()).take(most).collect()
    };
    if !woken.is_empty() {
        runtime.note_change();
    }
    woken.iter().for_each(|thread| runtime.wake(*thread));
    woken.len() as isize
}

entries! {
    fn syscall(number: usize, a: usize, b: usize, c: usize, d: usize, e: usize) -> isize {
        // The sixth argument is on the program's stack, behind the return address.
        let sixth = *((ENTRY.sp + 8) as *const usize);
        if number == SYS_FUTEX && rt().runs_program() {
            match b & OPERATION {
                WAIT | WAIT_BITSET => return wait(a as *mut u32, c as u32, d != 0),
                WAKE | WAKE_BITSET => return wake(a as *mut u32, c),
                other => {
                    rt().unsupported(&format!("the futex operation {other}"));
                }
            }
        }
        let result = sys::call(number, [a, b, c, d, e, sixth]);
        if result < 0 && result > -4096 {
            set_errno(-result as i32);
            return -1;
        }
        result
    }
}
