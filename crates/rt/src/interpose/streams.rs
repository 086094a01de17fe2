//! Locks of streams: those that a program takes itself. What it prints is not a scheduling point.

use super::mutexes::{self, Mutex};
use crate::op::Kind;
use crate::runtime::rt;
use crate::table::AddressMap;

/// The lock of each stream that was locked, at the same address in every run.
static mut LOCKS: Option<AddressMap<Box<Mutex>>> = None;

/// Releases all locks: a new run begins.
pub(crate) unsafe fn restart() {
    for lock in LOCKS.iter_mut().flat_map(AddressMap::values_mut) {
        **lock = Mutex::recursive();
    }
}

unsafe fn lock(stream: usize) -> *mut Mutex {
    let locks = LOCKS.get_or_insert_default();
    &raw mut **locks.entry(stream).or_insert_with(|| Box::new(Mutex::recursive()))
}

entries! {
    fn flockfile(stream: usize) {
        if rt().runs_program() {
            mutexes::take(lock(stream), Kind::Lock);
        }
    }

    fn ftrylockfile(stream: usize) -> i32 {
        if rt().runs_program() { mutexes::take(lock(stream), Kind::TryLock) } else { 0 }
    }

    fn funlockfile(stream: usize) {
        if rt().runs_program() {
            mutexes::give_back(lock(stream));
        }
    }
}
