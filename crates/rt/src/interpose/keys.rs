//! Thread-specific data: keys with destructors.

use super::error::{EAGAIN, EINVAL};
use crate::runtime::rt;

/// The largest number of keys.
const MOST: usize = 1024;

/// A key: in use or not, and its destructor.
#[derive(Clone, Copy, Default)]
struct Key {
    used: bool,
    destructor: usize,
}

/// How often destructors are called until no value is left.
const ROUNDS: usize = 4;

static mut KEYS: [Key; MOST] = [Key { used: false, destructor: 0 }; MOST];
/// The keys at the snapshot.
static mut FIRST: [Key; MOST] = [Key { used: false, destructor: 0 }; MOST];

/// Remembers the keys that were made before `main`.
pub(crate) unsafe fn remember() {
    FIRST = KEYS;
}

/// Goes back to the keys that were made before `main`.
pub(crate) unsafe fn restart() {
    if KEYS.iter().any(|key| key.used) {
        KEYS = FIRST;
    }
}

/// Calls the destructors of the values of the current thread, at its end.
pub(crate) fn destroy() {
    for _ in 0..ROUNDS {
        let mut called = false;
        // A destructor may set values and make keys: nothing is held across its call.
        let mut key = 0;
        while key < rt().this().specific.len() {
            let value = std::mem::replace(&mut rt().this().specific[key], 0);
            // SAFETY: there is one OS thread.
            let destructor = unsafe { KEYS[key].destructor };
            if value != 0 && destructor != 0 {
                // SAFETY: what the program gave to `pthread_key_create`.
                let destructor: extern "C" fn(usize) = unsafe { std::mem::transmute(destructor) };
                destructor(value);
                called = true;
            }
            key += 1;
        }
        if !called {
            return;
        }
    }
}

pub(crate) unsafe fn create(key: *mut u32, destructor: usize) -> i32 {
    let keys = &mut KEYS;
    let Some(free) = keys.iter().position(|key| !key.used) else { return EAGAIN };
    keys[free] = Key { used: true, destructor };
    for thread in &mut rt().threads {
        if let Some(value) = thread.specific.get_mut(free) {
            *value = 0;
        }
    }
    *key = free as u32;
    0
}

pub(crate) unsafe fn delete(key: u32) -> i32 {
    let keys = &mut KEYS;
    match keys.get_mut(key as usize) {
        Some(found) if found.used => {
            *found = Key::default();
            0
        }
        _ => EINVAL,
    }
}

pub(crate) fn get(key: u32) -> usize {
    rt().this().specific.get(key as usize).copied().unwrap_or(0)
}

pub(crate) unsafe fn set(key: u32, value: usize) -> i32 {
    let keys = &KEYS;
    if !keys.get(key as usize).is_some_and(|key| key.used) {
        return EINVAL;
    }
    let values = &mut rt().this().specific;
    if values.len() <= key as usize {
        values.resize(key as usize + 1, 0);
    }
    values[key as usize] = value;
    rt().note_change();
    0
}

entries! {
    fn pthread_key_create(key: *mut u32, destructor: usize) -> i32 {
        create(key, destructor)
    }

    fn pthread_key_delete(key: u32) -> i32 {
        delete(key)
    }

    fn pthread_getspecific(key: u32) -> usize {
        get(key)
    }

    fn pthread_setspecific(key: u32, value: usize) -> i32 {
        set(key, value)
    }
}
