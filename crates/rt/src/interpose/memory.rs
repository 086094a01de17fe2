//! The program's allocator.

use super::error::{EINVAL, ENOMEM};
use super::set_errno;
use crate::control::Failing;
use crate::heap;
use crate::runtime::{pc, rt};

pub(crate) unsafe fn allocate(size: usize, align: usize) -> *mut u8 {
    allocate_block(size, align).0
}

/// A block, and whether it was in use before: a fresh one is zero.
unsafe fn allocate_block(size: usize, align: usize) -> (*mut u8, bool) {
    let part = rt().heap();
    let (block, used) = heap::allocate(part, size, align);
    if block.is_null() {
        set_errno(ENOMEM);
    } else if rt().is_controlled() && rt().heap_of == usize::MAX {
        rt().note_change();
        if used {
            rt().races.set_freed(block as usize, heap::size(block), false);
        }
    }
    (block, used)
}

unsafe fn give_back(block: *mut u8) {
    if block.is_null() {
        return;
    }
    let runtime = rt();
    let part = runtime.heap();
    let watched = runtime.is_controlled() && runtime.heap_of == usize::MAX;
    if watched && heap::is_block(block as usize) {
        let size = heap::size(block);
        runtime.note_change();
        runtime.note_free(block as usize, size, pc());
        runtime.races.set_freed(block as usize, size, true);
    }
    let problem = match heap::free(part, block) {
        Ok(()) => return,
        Err(heap::Misuse::Twice) => "a block is freed twice",
        Err(heap::Misuse::Unknown) => "what is freed was not allocated",
    };
    if watched {
        runtime.fail("memory", problem.into(), vec![pc()]);
    }
}

/// Whether this allocation of the program's is to fail.
unsafe fn fails() -> bool {
    let fails = rt().heap_of == usize::MAX && rt().call_fails(Failing::Malloc);
    if fails {
        set_errno(ENOMEM);
    }
    fails
}

entries! {
    fn malloc(size: usize) -> *mut u8 {
        if fails() { std::ptr::null_mut() } else { allocate(size, 16) }
    }

    fn calloc(count: usize, size: usize) -> *mut u8 {
        let Some(total) = count.checked_mul(size) else { return std::ptr::null_mut() };
        if fails() {
            return std::ptr::null_mut();
        }
        let (block, used) = allocate_block(total, 16);
        if !block.is_null() && used {
            std::ptr::write_bytes(block, 0, total);
        }
        block
    }

    fn realloc(block: *mut u8, size: usize) -> *mut u8 {
        if fails() {
            return std::ptr::null_mut();
        }
        if block.is_null() {
            return allocate(size, 16);
        }
        let old = heap::size(block);
        if size <= old && size * 2 >= old {
            return block;
        }
        let new = allocate(size, 16);
        if !new.is_null() {
            std::ptr::copy_nonoverlapping(block, new, old.min(size));
            give_back(block);
        }
        new
    }

    fn free(block: *mut u8) {
        give_back(block);
    }

    fn posix_memalign(result: *mut *mut u8, align: usize, size: usize) -> i32 {
        if !align.is_power_of_two() || align < 8 {
            return EINVAL;
        }
        let block = allocate(size, align);
        if block.is_null() {
            return ENOMEM;
        }
        *result = block;
        0
    }

    fn aligned_alloc(align: usize, size: usize) -> *mut u8 {
        allocate(size, align)
    }

    fn memalign(align: usize, size: usize) -> *mut u8 {
        allocate(size, align)
    }

    fn malloc_usable_size(block: *mut u8) -> usize {
        if block.is_null() { 0 } else { heap::size(block) }
    }
}
