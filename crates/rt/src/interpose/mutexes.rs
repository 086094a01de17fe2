//! Mutexes and spin locks. The state is in the program's object: the owner plus one, a count, the kind.

use super::error::{EBUSY, EDEADLK, EPERM, ETIMEDOUT};
use crate::op::{Kind, Op};
use crate::runtime::{pc, rt};

/// A `pthread_mutex_t`. The place of `kind` is glibc's, whose initialisers set it.
#[repr(C)]
pub(crate) struct Mutex {
    /// 0 if free, otherwise the number of the owner plus one.
    pub(crate) owner: u32,
    /// How often a recursive mutex was taken beyond the first time.
    pub(crate) count: u32,
    reserved: [u32; 2],
    kind: i32,
    /// [`DESTROYED`] after `pthread_mutex_destroy`.
    mark: u32,
}

const RECURSIVE: i32 = 1;
const ERROR_CHECK: i32 = 2;
/// The mark of robust mutexes in glibc's attributes.
const ROBUST: i32 = 0x4000_0000;

/// Marks an object that was destroyed.
pub(crate) const DESTROYED: u32 = 0x6465_6164;

impl Mutex {
    /// One that its owner may lock again.
    pub(crate) fn recursive() -> Mutex {
        Mutex { owner: 0, count: 0, reserved: [0; 2], kind: RECURSIVE, mark: 0 }
    }

    fn kind(&self) -> i32 {
        self.kind & 3
    }
}

/// The number that stands for the current thread in objects.
pub(crate) fn me() -> u32 {
    rt().current as u32 + 1
}

/// Reports the use of an object that was destroyed.
pub(crate) unsafe fn check_alive(mark: u32, what: &str) {
    if mark == DESTROYED {
        rt().fail("misuse", format!("{what} is used after it was destroyed"), vec![pc()]);
    }
}

/// Takes a mutex, waiting if need be; `kind` is `Lock` or `TryLock`.
pub(crate) unsafe fn take(mutex: *mut Mutex, kind: Kind) -> i32 {
    let runtime = rt();
    if runtime.is_controlled() && (*mutex).owner == me() {
        match (*mutex).kind() {
            RECURSIVE => {
                (*mutex).count += 1;
                return 0;
            }
            ERROR_CHECK if kind == Kind::Lock => return EDEADLK,
            _ => {}
        }
    }
    if runtime.is_controlled() {
        let pc = pc();
        runtime.visible(Op::new(kind, mutex as usize, pc));
        check_alive((*mutex).mark, "a mutex");
        runtime.note_use(mutex as usize + 16, 8, pc);
    }
    if kind == Kind::TryLock && (*mutex).owner != 0 {
        runtime.follow_access(mutex as usize, 4, false, false);
        return EBUSY;
    }
    (*mutex).owner = me();
    runtime.this().held += 1;
    runtime.acquire(mutex as usize);
    0
}

pub(crate) unsafe fn give_back(mutex: *mut Mutex) -> i32 {
    let runtime = rt();
    if runtime.is_controlled() && (*mutex).owner != me() {
        check_alive((*mutex).mark, "a mutex");
        if matches!((*mutex).kind(), RECURSIVE | ERROR_CHECK) {
            return EPERM;
        }
        let who = if (*mutex).owner == 0 { "that nobody holds" } else { "that another thread holds" };
        runtime.fail("misuse", format!("unlock of a mutex {who}"), vec![pc()]);
        return EPERM;
    }
    if (*mutex).count > 0 {
        (*mutex).count -= 1;
        return 0;
    }
    if runtime.is_controlled() {
        let pc = pc();
        runtime.visible(Op::new(Kind::Unlock, mutex as usize, pc));
        check_alive((*mutex).mark, "a mutex");
        runtime.note_use(mutex as usize + 16, 8, pc);
    }
    release(mutex);
    0
}

/// Releases a mutex at once.
pub(crate) unsafe fn release(mutex: *mut Mutex) {
    (*mutex).owner = 0;
    let this = rt().this();
    this.held = this.held.saturating_sub(1);
    if rt().is_controlled() {
        rt().release(mutex as usize);
    }
}

pub(crate) unsafe fn initialise(mutex: *mut Mutex, kind: i32) {
    *mutex = Mutex { owner: 0, count: 0, reserved: [0; 2], kind, mark: 0 };
    if rt().is_controlled() {
        rt().note(mutex as usize + 16, 8, true, false, pc());
    }
}

/// Takes a mutex, or gives up if it is not free: the time may be over at any moment.
pub(crate) unsafe fn take_in_time(mutex: *mut Mutex) -> i32 {
    match take(mutex, Kind::TryLock) {
        EBUSY => ETIMEDOUT,
        result => result,
    }
}

pub(crate) unsafe fn destroy(mutex: *mut Mutex) {
    let runtime = rt();
    if runtime.is_controlled() {
        let pc = pc();
        runtime.destroy(mutex as usize, pc);
        check_alive((*mutex).mark, "a mutex");
        if (*mutex).owner != 0 {
            runtime.fail("misuse", "destroy of a mutex that is held".into(), vec![pc]);
        }
        runtime.note(mutex as usize + 16, 8, true, false, pc);
        runtime.note_change();
    }
    (*mutex).mark = DESTROYED;
}

entries! {
    fn pthread_mutex_init(mutex: *mut Mutex, attributes: *const i32) -> i32 {
        let attributes = if attributes.is_null() { 0 } else { *attributes };
        if attributes & ROBUST != 0 {
            rt().unsupported("a robust mutex");
        }
        let kind = attributes & 3;
        initialise(mutex, kind);
        0
    }

    fn pthread_mutex_destroy(mutex: *mut Mutex) -> i32 {
        destroy(mutex);
        0
    }

    fn pthread_mutex_timedlock(mutex: *mut Mutex, _until: usize) -> i32 {
        take_in_time(mutex)
    }

    fn pthread_mutex_clocklock(mutex: *mut Mutex, _clock: i32, _until: usize) -> i32 {
        take_in_time(mutex)
    }

    fn pthread_mutex_lock(mutex: *mut Mutex) -> i32 {
        take(mutex, Kind::Lock)
    }

    fn pthread_mutex_trylock(mutex: *mut Mutex) -> i32 {
        take(mutex, Kind::TryLock)
    }

    fn pthread_mutex_unlock(mutex: *mut Mutex) -> i32 {
        give_back(mutex)
    }

    fn pthread_spin_init(lock: *mut u32, _shared: i32) -> i32 {
        *lock = 0;
        0
    }

    fn pthread_spin_destroy(_lock: *mut u32) -> i32 {
        0
    }

    fn pthread_spin_lock(lock: *mut u32) -> i32 {
        let runtime = rt();
        if runtime.is_controlled() {
            runtime.visible(Op::new(Kind::Lock, lock as usize, pc()));
        }
        *lock = me();
        runtime.this().held += 1;
        runtime.acquire(lock as usize);
        0
    }

    fn pthread_spin_trylock(lock: *mut u32) -> i32 {
        let runtime = rt();
        if runtime.is_controlled() {
            runtime.visible(Op::new(Kind::TryLock, lock as usize, pc()));
        }
        if *lock != 0 {
            runtime.follow_access(lock as usize, 4, false, false);
            return EBUSY;
        }
        *lock = me();
        runtime.this().held += 1;
        runtime.acquire(lock as usize);
        0
    }

    fn pthread_spin_unlock(lock: *mut u32) -> i32 {
        let runtime = rt();
        if runtime.is_controlled() {
            if *lock != me() {
                runtime.fail("misuse", "unlock of a spin lock that this thread does not hold".into(), vec![pc()]);
            }
            runtime.visible(Op::new(Kind::Unlock, lock as usize, pc()));
            runtime.release(lock as usize);
        }
        *lock = 0;
        let this = rt().this();
        this.held = this.held.saturating_sub(1);
        0
    }
}
