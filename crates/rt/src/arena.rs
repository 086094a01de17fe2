//! The runtime's own memory: apart from the program's, so that going back in time does not touch it.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;

use crate::sys;

/// Memory for the runtime, in blocks of powers of two from the kernel, kept in lists when they are free.
///
/// There is one OS thread, and hooks do not interrupt the allocator: no lock is needed.
pub struct Arena {
    inner: UnsafeCell<Lists>,
}

struct Lists {
    free: [*mut u8; 48],
    next: usize,
    end: usize,
}

/// Where the arena begins: a range of addresses that nothing else uses, so that it is recognised by its addresses.
pub(crate) const ARENA: usize = 0x3000_0000_0000;
/// Where it ends at the latest.
pub(crate) const ARENA_END: usize = 0x3800_0000_0000;

/// The size of what is asked of the kernel at once.
const CHUNK: usize = 1 << 22;

// SAFETY: the process under test has a single OS thread.
unsafe impl Sync for Arena {}

impl Arena {
    /// An arena without memory yet.
    pub const fn new() -> Arena {
        Arena { inner: UnsafeCell::new(Lists { free: [std::ptr::null_mut(); 48], next: 0, end: 0 }) }
    }
}

impl Default for Arena {
    fn default() -> Arena {
        Arena::new()
    }
}

fn class(layout: Layout) -> usize {
    let size = layout.size().max(layout.align()).max(16);
    size.next_power_of_two().trailing_zeros() as usize
}

// SAFETY: blocks of a class are as large and as aligned as the class says, and each is given out once.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let lists = &mut *self.inner.get();
        let class = class(layout);
        let first = lists.free[class];
        if !first.is_null() {
            lists.free[class] = *first.cast::<*mut u8>();
            return first;
        }
        lists.fresh(1 << class)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let lists = &mut *self.inner.get();
        let class = class(layout);
        *block.cast::<*mut u8>() = lists.free[class];
        lists.free[class] = block;
    }
}

impl Lists {
    fn fresh(&mut self, size: usize) -> *mut u8 {
        let start = self.next.max(ARENA).next_multiple_of(size);
        let end = start + size;
        if end > self.end {
            let from = self.end.max(ARENA);
            let length = (end - from).next_multiple_of(CHUNK);
            sys::map(from, length, sys::READ_WRITE);
            self.end = from + length;
        }
        self.next = end;
        start as *mut u8
    }
}
