//! Plain accesses to memory, as the compiler announces them before each.

use crate::control::Visible;
use crate::heap;
use crate::op::{Kind, Op};
use crate::runtime::{Mode, Runtime, pc, rt};
use crate::stack;
use crate::thread::Phase;

impl Runtime {
    /// An access that the program is about to make.
    #[inline]
    pub(crate) fn plain(&mut self, address: usize, size: usize, writes: bool) {
        self.plain_at(address, size, writes, pc());
    }

    /// The same for a call that was entered before other threads ran.
    #[inline]
    pub(crate) fn plain_at(&mut self, address: usize, size: usize, writes: bool, pc: usize) {
        if !self.is_controlled() || size == 0 {
            if self.mode == Mode::Judging && !writes {
                self.read_by_invariant(address, size);
            }
            return;
        }
        self.hooks += 1;
        let own_stack = self.is_own_stack(address);
        let visible = match self.options.visible {
            Visible::Sync => false,
            Visible::Racy => self.races.is_racy(address, size, pc),
            Visible::All => !own_stack,
        };
        if visible {
            let kind = if writes { Kind::Write } else { Kind::Read };
            self.visible(Op { size: size as u32, ..Op::new(kind, address, pc) });
        }
        self.follow_access(address, size, writes, own_stack && !visible);
        if self.is_long() {
            self.look_at_long_step(pc, writes);
        }
        if heap::contains(address) && self.races.is_freed(address) {
            let what = if writes { "write to" } else { "read of" };
            self.fail("memory", format!("{what} memory that was freed"), vec![pc]);
        }
        if !own_stack && stack::owner(address).is_some_and(|thread| self.has_ended_thread(thread)) {
            let what = if writes { "write to" } else { "read of" };
            self.fail("memory", format!("{what} the stack of a thread that has ended"), vec![pc]);
        }
        self.note(address, size, writes, false, pc);
    }

    fn has_ended_thread(&self, thread: usize) -> bool {
        self.threads[thread].phase == Phase::Finished
    }

    fn is_own_stack(&self, address: usize) -> bool {
        (stack::bottom(self.current)..stack::top(self.current)).contains(&address)
    }

    /// A synchronisation object must not be initialised or destroyed while it is used.
    pub(crate) fn note_use(&mut self, address: usize, size: usize, pc: usize) {
        self.note(address, size, false, true, pc);
    }
}

macro_rules! accesses {
    ($($size:literal: $read:ident $write:ident $unaligned_read:ident $unaligned_write:ident)*) => {
        entries! {
            $(
                fn $read(address: usize) { rt().plain(address, $size, false) }
                fn $write(address: usize) { rt().plain(address, $size, true) }
                fn $unaligned_read(address: usize) { rt().plain(address, $size, false) }
                fn $unaligned_write(address: usize) { rt().plain(address, $size, true) }
            )*
        }
    };
}

accesses! {
    1: __tsan_read1 __tsan_write1 __tsan_unaligned_read1 __tsan_unaligned_write1
    2: __tsan_read2 __tsan_write2 __tsan_unaligned_read2 __tsan_unaligned_write2
    4: __tsan_read4 __tsan_write4 __tsan_unaligned_read4 __tsan_unaligned_write4
    8: __tsan_read8 __tsan_write8 __tsan_unaligned_read8 __tsan_unaligned_write8
    16: __tsan_read16 __tsan_write16 __tsan_unaligned_read16 __tsan_unaligned_write16
}

accesses! {
    1: __tsan_volatile_read1 __tsan_volatile_write1 __tsan_unaligned_volatile_read1 __tsan_unaligned_volatile_write1
    2: __tsan_volatile_read2 __tsan_volatile_write2 __tsan_unaligned_volatile_read2 __tsan_unaligned_volatile_write2
    4: __tsan_volatile_read4 __tsan_volatile_write4 __tsan_unaligned_volatile_read4 __tsan_unaligned_volatile_write4
    8: __tsan_volatile_read8 __tsan_volatile_write8 __tsan_unaligned_volatile_read8 __tsan_unaligned_volatile_write8
    16: __tsan_volatile_read16 __tsan_volatile_write16 __tsan_unaligned_volatile_read16 __tsan_unaligned_volatile_write16
}

entries! {
    fn __tsan_read_range(address: usize, size: usize) { rt().plain(address, size, false) }
    fn __tsan_write_range(address: usize, size: usize) { rt().plain(address, size, true) }
    fn __tsan_vptr_update(address: usize, _value: usize) { rt().plain(address, 8, true) }
    fn __tsan_vptr_read(address: usize) { rt().plain(address, 8, false) }

    fn __wrap_memcpy(to: *mut u8, from: *const u8, size: usize) -> *mut u8 {
        let pc = pc();
        rt().plain_at(from as usize, size, false, pc);
        rt().plain_at(to as usize, size, true, pc);
        std::ptr::copy_nonoverlapping(from, to, size);
        to
    }

    fn __wrap_memmove(to: *mut u8, from: *const u8, size: usize) -> *mut u8 {
        let pc = pc();
        rt().plain_at(from as usize, size, false, pc);
        rt().plain_at(to as usize, size, true, pc);
        std::ptr::copy(from, to, size);
        to
    }

    fn __wrap_memset(to: *mut u8, byte: i32, size: usize) -> *mut u8 {
        rt().plain(to as usize, size, true);
        std::ptr::write_bytes(to, byte as u8, size);
        to
    }
}

plain! {
    fn __tsan_init() {}
    fn __tsan_func_entry(_pc: usize) {}
    fn __tsan_func_exit() {}
}
