//! The program's heap: a part for each thread, so that addresses do not depend on how the calls of threads interleave.
//!
//! All that the allocator knows lies in the parts themselves, and goes back in time with the rest of the memory.

use crate::sys;
use crate::thread::MOST;

const HEAP: usize = 0x1000_0000_0000;
/// The address space of one thread's part.
const PART: usize = 1 << 33;
/// Before each block: its size, and a word that tells whether it is in use.
const HEADER: usize = 16;

const IN_USE: u64 = 0x6d6f_7465_7421_0001;
const FREED: u64 = 0x6d6f_7465_7421_0002;

/// The parts that were made so far.
static mut MADE: [bool; MOST] = [false; MOST];

/// The beginning of a part.
#[repr(C)]
struct Part {
    /// Where fresh memory begins.
    next: usize,
    /// Free blocks by class.
    free: [usize; CLASSES],
}

/// Multiples of 16 up to 1 KiB, then powers of two.
const SMALL: usize = 64;
const CLASSES: usize = SMALL + 24;

#[repr(C)]
struct Header {
    size: u64,
    state: u64,
}

/// What is wrong with a block that is given back.
pub(crate) enum Misuse {
    /// It was given back before.
    Twice,
    /// It is not a block.
    Unknown,
}

fn class(size: usize) -> Option<(usize, usize)> {
    if size <= SMALL * 16 {
        let units = size.div_ceil(16).max(1);
        return Some((units - 1, units * 16));
    }
    let rounded = size.checked_next_power_of_two()?;
    let class = SMALL + (rounded.trailing_zeros() as usize - 11);
    (class < CLASSES).then_some((class, rounded))
}

/// Makes the part of a thread if it is not there; returns it if it was made now.
///
/// # Safety
/// There is one OS thread.
pub(crate) unsafe fn make(thread: usize) -> Option<(usize, usize)> {
    let made = &mut MADE;
    if std::mem::replace(&mut made[thread], true) {
        return None;
    }
    let start = HEAP + thread * PART;
    sys::map(start, PART, sys::READ_WRITE);
    Some((start, start + PART))
}

unsafe fn part(thread: usize) -> &'static mut Part {
    let start = HEAP + thread * PART;
    let part = &mut *(start as *mut Part);
    if part.next == 0 {
        part.next = start + size_of::<Part>().next_multiple_of(64);
    }
    part
}

/// A block for a thread, or null, and whether it was in use before.
///
/// # Safety
/// The part of the thread was made.
pub(crate) unsafe fn allocate(thread: usize, size: usize, align: usize) -> (*mut u8, bool) {
    if align > 16 {
        return (allocate_aligned(thread, size, align), false);
    }
    let Some((class, rounded)) = class(size) else { return (std::ptr::null_mut(), false) };
    let part = part(thread);
    let block = part.free[class];
    if block != 0 {
        part.free[class] = *(block as *const usize);
        (*header(block)).state = IN_USE;
        return (block as *mut u8, true);
    }
    (fresh(part, thread, rounded, 16), false)
}

/// Aligned blocks always come fresh: their class is that of their size, so they serve as ordinary ones later.
unsafe fn allocate_aligned(thread: usize, size: usize, align: usize) -> *mut u8 {
    let Some((_, rounded)) = class(size) else { return std::ptr::null_mut() };
    fresh(part(thread), thread, rounded, align)
}

unsafe fn fresh(part: &mut Part, thread: usize, size: usize, align: usize) -> *mut u8 {
    let block = (part.next + HEADER).next_multiple_of(align);
    if block + size > HEAP + (thread + 1) * PART {
        return std::ptr::null_mut();
    }
    part.next = block + size;
    *header(block) = Header { size: size as u64, state: IN_USE };
    block as *mut u8
}

fn header(block: usize) -> *mut Header {
    (block - HEADER) as *mut Header
}

/// Whether an address is on the heap.
pub(crate) fn contains(address: usize) -> bool {
    (HEAP..HEAP + MOST * PART).contains(&address)
}

/// Whether an address is that of a block in use.
///
/// # Safety
/// As that of reading before an address on the heap.
pub(crate) unsafe fn is_block(address: usize) -> bool {
    contains(address) && address.is_multiple_of(16) && (*header(address)).state == IN_USE
}

/// The size of a block.
///
/// # Safety
/// The block was allocated here.
pub(crate) unsafe fn size(block: *mut u8) -> usize {
    (*header(block as usize)).size as usize
}

/// Gives a block back to the part of the thread that frees it.
///
/// # Safety
/// The part of the thread was made.
pub(crate) unsafe fn free(thread: usize, block: *mut u8) -> Result<(), Misuse> {
    let address = block as usize;
    if !contains(address) || !address.is_multiple_of(16) {
        return Err(Misuse::Unknown);
    }
    match (*header(address)).state {
        IN_USE => {}
        FREED => return Err(Misuse::Twice),
        _ => return Err(Misuse::Unknown),
    }
    (*header(address)).state = FREED;
    let Some((class, _)) = class(size(block)) else { return Err(Misuse::Unknown) };
    let part = part(thread);
    *(address as *mut usize) = part.free[class];
    part.free[class] = address;
    Ok(())
}
