//! Functions of libc that read and write the program's memory: announced like the accesses of the compiler.

use crate::runtime::{Runtime, pc, rt};

/// The length of a string, at most `most`.
unsafe fn length(text: *const u8, most: usize) -> usize {
    let mut length = 0;
    while length < most && *text.add(length) != 0 {
        length += 1;
    }
    length
}

/// The position of the first difference of two blocks or strings, or `most`.
unsafe fn first_difference(one: *const u8, other: *const u8, most: usize, strings: bool) -> usize {
    let mut at = 0;
    while at < most && *one.add(at) == *other.add(at) && !(strings && *one.add(at) == 0) {
        at += 1;
    }
    at
}

impl Runtime {
    /// Reads both up to their first difference, and compares them there.
    unsafe fn compare(&mut self, one: *const u8, other: *const u8, most: usize, strings: bool) -> i32 {
        let pc = pc();
        let at = first_difference(one, other, most, strings);
        let size = most.min(at.saturating_add(1));
        self.plain_at(one as usize, size, false, pc);
        self.plain_at(other as usize, size, false, pc);
        // Others may have gone on meanwhile.
        let at = first_difference(one, other, most, strings);
        if at == most { 0 } else { i32::from(*one.add(at)) - i32::from(*other.add(at)) }
    }

    /// Reads a string of at most `most` bytes with its end, and returns its length.
    unsafe fn measure(&mut self, text: *const u8, most: usize, pc: usize) -> usize {
        let size = length(text, most);
        self.plain_at(text as usize, most.min(size.saturating_add(1)), false, pc);
        length(text, most)
    }

    /// Copies a string with its end, and returns its length.
    unsafe fn copy(&mut self, to: *mut u8, from: *const u8, pc: usize) -> usize {
        let size = self.measure(from, usize::MAX, pc);
        self.plain_at(to as usize, size + 1, true, pc);
        std::ptr::copy(from, to, size + 1);
        size
    }

    /// Reads up to a byte of a string or a block, and returns where it is.
    unsafe fn find(&mut self, text: *const u8, byte: u8, most: usize, string: bool) -> *const u8 {
        let pc = pc();
        let look = || {
            let mut at = 0;
            while at < most && *text.add(at) != byte && !(string && *text.add(at) == 0) {
                at += 1;
            }
            at
        };
        self.plain_at(text as usize, most.min(look().saturating_add(1)), false, pc);
        let at = look();
        if at < most && *text.add(at) == byte { text.add(at) } else { std::ptr::null() }
    }
}

entries! {
    fn __wrap_strlen(text: *const u8) -> usize {
        rt().measure(text, usize::MAX, pc())
    }

    fn __wrap_strnlen(text: *const u8, most: usize) -> usize {
        rt().measure(text, most, pc())
    }

    fn __wrap_strcpy(to: *mut u8, from: *const u8) -> *mut u8 {
        rt().copy(to, from, pc());
        to
    }

    fn __wrap_stpcpy(to: *mut u8, from: *const u8) -> *mut u8 {
        let size = rt().copy(to, from, pc());
        to.add(size)
    }

    fn __wrap_strcat(to: *mut u8, from: *const u8) -> *mut u8 {
        let pc = pc();
        let size = rt().measure(to, usize::MAX, pc);
        rt().copy(to.add(size), from, pc);
        to
    }

    fn __wrap_strncpy(to: *mut u8, from: *const u8, most: usize) -> *mut u8 {
        let pc = pc();
        let size = rt().measure(from, most, pc);
        rt().plain_at(to as usize, most, true, pc);
        std::ptr::copy(from, to, size);
        std::ptr::write_bytes(to.add(size), 0, most - size);
        to
    }

    fn __wrap_strncat(to: *mut u8, from: *const u8, most: usize) -> *mut u8 {
        let pc = pc();
        let start = to.add(rt().measure(to, usize::MAX, pc));
        let size = rt().measure(from, most, pc);
        rt().plain_at(start as usize, size + 1, true, pc);
        std::ptr::copy(from, start, size);
        *start.add(size) = 0;
        to
    }

    fn __wrap_strcmp(one: *const u8, other: *const u8) -> i32 {
        rt().compare(one, other, usize::MAX, true)
    }

    fn __wrap_strncmp(one: *const u8, other: *const u8, most: usize) -> i32 {
        rt().compare(one, other, most, true)
    }

    fn __wrap_memcmp(one: *const u8, other: *const u8, size: usize) -> i32 {
        rt().compare(one, other, size, false)
    }

    fn __wrap_strchr(text: *const u8, byte: i32) -> *const u8 {
        rt().find(text, byte as u8, usize::MAX, true)
    }

    fn __wrap_memchr(block: *const u8, byte: i32, size: usize) -> *const u8 {
        rt().find(block, byte as u8, size, false)
    }

    fn __wrap_strdup(text: *const u8) -> *mut u8 {
        let pc = pc();
        let size = rt().measure(text, usize::MAX, pc);
        let copy = super::memory::allocate(size + 1, 16);
        if !copy.is_null() {
            rt().copy(copy, text, pc);
        }
        copy
    }
}
