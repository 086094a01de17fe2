//! Stacks of the program's threads: one place for each thread, the same in every run.

use crate::sys;
use crate::thread::MOST;

const STACKS: usize = 0x2000_0000_0000;
/// The distance of two stacks; half of it is a guard.
const SLOT: usize = 1 << 24;
/// The size of a stack, as usual on Linux.
pub(crate) const SIZE: usize = 8 << 20;

/// The stacks that were made so far; they are never given back.
static mut MADE: [bool; MOST] = [false; MOST];

/// The lowest address of the stack of a thread.
pub(crate) fn bottom(thread: usize) -> usize {
    STACKS + thread * SLOT + (SLOT - SIZE)
}

/// The address behind the stack of a thread.
pub(crate) fn top(thread: usize) -> usize {
    bottom(thread) + SIZE
}

/// The thread on whose stack an address lies.
#[inline]
pub(crate) fn owner(address: usize) -> Option<usize> {
    let slots = STACKS..STACKS + MOST * SLOT;
    slots.contains(&address).then(|| (address - STACKS) / SLOT)
}

/// Whether an address is in the guard below a stack.
pub(crate) fn is_guard(address: usize) -> bool {
    (STACKS..STACKS + MOST * SLOT).contains(&address) && (address - STACKS) % SLOT < SLOT - SIZE
}

/// Makes the stack of a thread if it is not there; returns whether it was made now.
///
/// # Safety
/// There is one OS thread.
pub(crate) unsafe fn make(thread: usize) -> bool {
    let made = &mut MADE;
    let new = !std::mem::replace(&mut made[thread], true);
    if new {
        sys::map(bottom(thread), SIZE, sys::READ_WRITE);
    }
    new
}
