//! Atomic operations, which the compiler hands over whole.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::SeqCst};

use crate::op::{Kind, Op};
use crate::runtime::{Mode, Runtime, pc, rt};

/// A memory order of C11, by its number.
type Order = i32;

fn acquires(order: Order) -> bool {
    matches!(order, 1 | 2 | 4 | 5)
}

fn releases(order: Order) -> bool {
    matches!(order, 3..=5)
}

impl Runtime {
    /// Before an atomic operation.
    fn atomic(&mut self, address: usize, size: usize, writes: bool) {
        if !self.is_controlled() {
            if self.mode == Mode::Judging {
                self.read_by_invariant(address, size);
            }
            return;
        }
        let kind = if writes { Kind::AtomicWrite } else { Kind::AtomicRead };
        let pc = pc();
        self.visible(Op { size: size as u32, ..Op::new(kind, address, pc) });
        self.follow_access(address, size, false, false);
        if writes {
            self.follow_access(address, size, true, false);
        }
        self.note(address, size, writes, true, pc);
    }

    fn loaded(&mut self, address: usize, order: Order) {
        if !self.is_controlled() {
            return;
        }
        self.acquire_later(address);
        if acquires(order) {
            self.acquire(address);
        }
    }

    fn stored(&mut self, address: usize, order: Order) {
        if self.is_controlled() {
            self.replace(address, releases(order));
        }
    }

    /// A read-modify-write continues the release sequence that it reads from.
    fn modified(&mut self, address: usize, order: Order) {
        if !self.is_controlled() {
            return;
        }
        self.acquire_later(address);
        if acquires(order) {
            self.acquire(address);
        }
        if releases(order) {
            self.release(address);
        } else {
            self.release_told(address);
        }
    }
}

macro_rules! atomics {
    ($type:ty, $atomic:ty, $size:literal, $load:ident $store:ident $exchange:ident $add:ident $sub:ident $and:ident $or:ident $xor:ident $nand:ident $strong:ident $weak:ident $value:ident) => {
        entries! {
            fn $load(address: *mut $atomic, order: Order) -> $type {
                rt().atomic(address as usize, $size, false);
                rt().loaded(address as usize, order);
                (*address).load(SeqCst)
            }
            fn $store(address: *mut $atomic, value: $type, order: Order) {
                rt().atomic(address as usize, $size, true);
                rt().stored(address as usize, order);
                (*address).store(value, SeqCst);
            }
            fn $exchange(address: *mut $atomic, value: $type, order: Order) -> $type {
                rt().atomic(address as usize, $size, true);
                rt().modified(address as usize, order);
                (*address).swap(value, SeqCst)
            }
            fn $add(address: *mut $atomic, value: $type, order: Order) -> $type {
                rt().atomic(address as usize, $size, true);
                rt().modified(address as usize, order);
                (*address).fetch_add(value, SeqCst)
            }
            fn $sub(address: *mut $atomic, value: $type, order: Order) -> $type {
                rt().atomic(address as usize, $size, true);
                rt().modified(address as usize, order);
                (*address).fetch_sub(value, SeqCst)
            }
            fn $and(address: *mut $atomic, value: $type, order: Order) -> $type {
                rt().atomic(address as usize, $size, true);
                rt().modified(address as usize, order);
                (*address).fetch_and(value, SeqCst)
            }
            fn $or(address: *mut $atomic, value: $type, order: Order) -> $type {
                rt().atomic(address as usize, $size, true);
                rt().modified(address as usize, order);
                (*address).fetch_or(value, SeqCst)
            }
            fn $xor(address: *mut $atomic, value: $type, order: Order) -> $type {
                rt().atomic(address as usize, $size, true);
                rt().modified(address as usize, order);
                (*address).fetch_xor(value, SeqCst)
            }
            fn $nand(address: *mut $atomic, value: $type, order: Order) -> $type {
                rt().atomic(address as usize, $size, true);
                rt().modified(address as usize, order);
                (*address).fetch_nand(value, SeqCst)
            }
            fn $strong(address: *mut $atomic, expected: *mut $type, value: $type, order: Order, failure: Order) -> i32 {
                rt().atomic(address as usize, $size, true);
                let (success, found) = swap(address as usize, order, failure, || {
                    (*address).compare_exchange(*expected, value, SeqCst, SeqCst)
                });
                if !success {
                    rt().plain(expected as usize, $size, true);
                    *expected = found;
                }
                i32::from(success)
            }
            fn $weak(address: *mut $atomic, expected: *mut $type, value: $type, order: Order, failure: Order) -> i32 {
                rt().atomic(address as usize, $size, true);
                let (success, found) = swap(address as usize, order, failure, || {
                    (*address).compare_exchange(*expected, value, SeqCst, SeqCst)
                });
                if !success {
                    rt().plain(expected as usize, $size, true);
                    *expected = found;
                }
                i32::from(success)
            }
            fn $value(address: *mut $atomic, expected: $type, value: $type, order: Order, failure: Order) -> $type {
                rt().atomic(address as usize, $size, true);
                swap(address as usize, order, failure, || (*address).compare_exchange(expected, value, SeqCst, SeqCst)).1
            }
        }
    };
}

/// Compares and swaps: a failure is a load.
fn swap<T>(address: usize, order: Order, failure: Order, action: impl FnOnce() -> Result<T, T>) -> (bool, T) {
    match action() {
        Ok(found) => {
            rt().modified(address, order);
            (true, found)
        }
        Err(found) => {
            rt().loaded(address, failure);
            (false, found)
        }
    }
}

atomics!(u8, AtomicU8, 1, __tsan_atomic8_load __tsan_atomic8_store __tsan_atomic8_exchange __tsan_atomic8_fetch_add __tsan_atomic8_fetch_sub __tsan_atomic8_fetch_and __tsan_atomic8_fetch_or __tsan_atomic8_fetch_xor __tsan_atomic8_fetch_nand __tsan_atomic8_compare_exchange_strong __tsan_atomic8_compare_exchange_weak __tsan_atomic8_compare_exchange_val);
atomics!(u16, AtomicU16, 2, __tsan_atomic16_load __tsan_atomic16_store __tsan_atomic16_exchange __tsan_atomic16_fetch_add __tsan_atomic16_fetch_sub __tsan_atomic16_fetch_and __tsan_atomic16_fetch_or __tsan_atomic16_fetch_xor __tsan_atomic16_fetch_nand __tsan_atomic16_compare_exchange_strong __tsan_atomic16_compare_exchange_weak __tsan_atomic16_compare_exchange_val);
atomics!(u32, AtomicU32, 4, __tsan_atomic32_load __tsan_atomic32_store __tsan_atomic32_exchange __tsan_atomic32_fetch_add __tsan_atomic32_fetch_sub __tsan_atomic32_fetch_and __tsan_atomic32_fetch_or __tsan_atomic32_fetch_xor __tsan_atomic32_fetch_nand __tsan_atomic32_compare_exchange_strong __tsan_atomic32_compare_exchange_weak __tsan_atomic32_compare_exchange_val);
atomics!(u64, AtomicU64, 8, __tsan_atomic64_load __tsan_atomic64_store __tsan_atomic64_exchange __tsan_atomic64_fetch_add __tsan_atomic64_fetch_sub __tsan_atomic64_fetch_and __tsan_atomic64_fetch_or __tsan_atomic64_fetch_xor __tsan_atomic64_fetch_nand __tsan_atomic64_compare_exchange_strong __tsan_atomic64_compare_exchange_weak __tsan_atomic64_compare_exchange_val);

entries! {
    fn __tsan_atomic_thread_fence(order: Order) {
        if rt().runs_program() {
            rt().fence(acquires(order), releases(order));
        }
    }
    fn __tsan_atomic_signal_fence(_order: Order) {}
}
