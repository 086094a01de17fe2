//! Threads of C11, on top of those of POSIX.

use super::conditions::{self, Condition};
use super::error::{EBUSY, ETIMEDOUT};
use super::mutexes::{self, Mutex};
use super::threads;
use crate::op::Kind;
use crate::program;
use crate::runtime::rt;

const SUCCESS: i32 = 0;
const BUSY: i32 = 1;
const ERROR: i32 = 2;
const TIMED_OUT: i32 = 4;

/// The type of a mutex that its owner may lock again.
const RECURSIVE: i32 = 1;

fn result(number: i32) -> i32 {
    match number {
        0 => SUCCESS,
        EBUSY => BUSY,
        ETIMEDOUT => TIMED_OUT,
        _ => ERROR,
    }
}

entries! {
    fn thrd_create(handle: *mut usize, function: usize, argument: usize) -> i32 {
        result(threads::create(handle, std::ptr::null(), function, argument))
    }

    fn thrd_join(handle: usize, code: *mut i32) -> i32 {
        let mut value = 0;
        let error = threads::join(handle, &raw mut value);
        if error == 0 && !code.is_null() {
            *code = value as i32;
        }
        result(error)
    }

    fn thrd_detach(handle: usize) -> i32 {
        result(threads::detach(handle))
    }

    fn thrd_current() -> usize {
        rt().current + 1
    }

    fn thrd_equal(one: usize, other: usize) -> i32 {
        i32::from(one == other)
    }

    fn thrd_yield() {}

    fn thrd_sleep(time: *const super::time::Time, _left: usize) -> i32 {
        super::time::sleep_for(time);
        0
    }

    fn mtx_init(mutex: *mut Mutex, kind: i32) -> i32 {
        mutexes::initialise(mutex, kind & RECURSIVE);
        SUCCESS
    }

    fn mtx_destroy(mutex: *mut Mutex) {
        mutexes::destroy(mutex);
    }

    fn mtx_lock(mutex: *mut Mutex) -> i32 {
        result(mutexes::take(mutex, Kind::Lock))
    }

    fn mtx_trylock(mutex: *mut Mutex) -> i32 {
        result(mutexes::take(mutex, Kind::TryLock))
    }

    fn mtx_timedlock(mutex: *mut Mutex, _until: usize) -> i32 {
        result(mutexes::take_in_time(mutex))
    }

    fn mtx_unlock(mutex: *mut Mutex) -> i32 {
        result(mutexes::give_back(mutex))
    }

    fn cnd_init(condition: *mut Condition) -> i32 {
        conditions::initialise(condition);
        SUCCESS
    }

    fn cnd_destroy(condition: *mut Condition) {
        conditions::destroy(condition);
    }

    fn cnd_wait(condition: *mut Condition, mutex: *mut Mutex) -> i32 {
        result(conditions::wait(condition, mutex, false))
    }

    fn cnd_timedwait(condition: *mut Condition, mutex: *mut Mutex, _until: usize) -> i32 {
        result(conditions::wait(condition, mutex, true))
    }

    fn cnd_signal(condition: *mut Condition) -> i32 {
        conditions::signal(condition);
        SUCCESS
    }

    fn cnd_broadcast(condition: *mut Condition) -> i32 {
        conditions::broadcast(condition);
        SUCCESS
    }

    fn tss_create(key: *mut u32, destructor: usize) -> i32 {
        result(super::keys::create(key, destructor))
    }

    fn tss_delete(key: u32) {
        super::keys::delete(key);
    }

    fn tss_get(key: u32) -> usize {
        super::keys::get(key)
    }

    fn tss_set(key: u32, value: usize) -> i32 {
        result(super::keys::set(key, value))
    }
}

plain! {
    fn thrd_exit(code: i32) {
        program::finish(code as usize)
    }

}
