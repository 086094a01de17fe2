//! Read-write locks. The first word is the number of readers, or has its highest bit set for a writer.

use super::error::{EBUSY, EDEADLK, EPERM, ETIMEDOUT};
use super::mutexes::{DESTROYED, check_alive, me};
use crate::op::{Kind, Op};
use crate::runtime::{pc, rt};

/// A `pthread_rwlock_t`.
#[repr(C)]
pub(crate) struct ReadWriteLock {
    state: u32,
    /// The writer plus one.
    writer: u32,
    /// [`DESTROYED`] after `pthread_rwlock_destroy`.
    mark: u32,
}

const WRITTEN: u32 = 1 << 31;

unsafe fn take(lock: *mut ReadWriteLock, kind: Kind) -> i32 {
    let runtime = rt();
    if runtime.is_controlled() {
        if (*lock).writer == me() && matches!(kind, Kind::ReadLock | Kind::WriteLock) {
            return EDEADLK;
        }
        runtime.visible(Op::new(kind, lock as usize, pc()));
        check_alive((*lock).mark, "a read-write lock");
    }
    let writes = matches!(kind, Kind::WriteLock | Kind::TryWriteLock);
    if (*lock).state & WRITTEN != 0 || writes && (*lock).state != 0 {
        runtime.follow_access(lock as usize, 4, false, false);
        return EBUSY;
    }
    runtime.this().held += 1;
    if writes {
        ((*lock).state, (*lock).writer) = (WRITTEN, me());
    } else {
        (*lock).state += 1;
        runtime.this().read_locks.push(lock as usize);
    }
    // A reader learns from writers alone, a writer from everybody.
    runtime.acquire(lock as usize);
    if writes {
        runtime.acquire(lock as usize + 1);
    }
    0
}

/// Takes a lock, or gives up if it is not free: the time may be over at any moment.
unsafe fn take_in_time(lock: *mut ReadWriteLock, kind: Kind) -> i32 {
    if (*lock).writer == me() {
        return EDEADLK;
    }
    match take(lock, kind) {
        EBUSY => ETIMEDOUT,
        result => result,
    }
}

unsafe fn give_back(lock: *mut ReadWriteLock) -> i32 {
    let runtime = rt();
    if runtime.is_controlled() {
        let pc = pc();
        runtime.visible(Op::new(Kind::RwUnlock, lock as usize, pc));
        check_alive((*lock).mark, "a read-write lock");
        if !forget(lock) {
            let who = if (*lock).state == 0 { "nobody holds" } else { "this thread does not hold" };
            runtime.fail("misuse", format!("unlock of a read-write lock that {who}"), vec![pc]);
            return EPERM;
        }
    }
    let this = runtime.this();
    this.held = this.held.saturating_sub(1);
    if (*lock).writer == me() {
        ((*lock).state, (*lock).writer) = (0, 0);
        runtime.release(lock as usize);
    } else {
        (*lock).state = (*lock).state.saturating_sub(1);
        runtime.release(lock as usize + 1);
    }
    0
}

/// The current thread does not hold the lock any more; returns whether it did.
unsafe fn forget(lock: *mut ReadWriteLock) -> bool {
    if (*lock).writer == me() {
        return true;
    }
    let held = &mut rt().this().read_locks;
    let found = held.iter().position(|held| *held == lock as usize);
    found.map(|position| held.swap_remove(position)).is_some()
}

entries! {
    fn pthread_rwlock_init(lock: *mut ReadWriteLock, _attributes: usize) -> i32 {
        *lock = ReadWriteLock { state: 0, writer: 0, mark: 0 };
        0
    }

    fn pthread_rwlock_destroy(lock: *mut ReadWriteLock) -> i32 {
        let runtime = rt();
        if runtime.is_controlled() {
            let pc = pc();
            runtime.destroy(lock as usize, pc);
            check_alive((*lock).mark, "a read-write lock");
            if (*lock).state != 0 {
                runtime.fail("misuse", "destroy of a read-write lock that is held".into(), vec![pc]);
            }
            runtime.note_change();
        }
        (*lock).mark = DESTROYED;
        0
    }

    fn pthread_rwlock_rdlock(lock: *mut ReadWriteLock) -> i32 {
        take(lock, Kind::ReadLock)
    }

    fn pthread_rwlock_tryrdlock(lock: *mut ReadWriteLock) -> i32 {
        take(lock, Kind::TryReadLock)
    }

    fn pthread_rwlock_timedrdlock(lock: *mut ReadWriteLock, _until: usize) -> i32 {
        take_in_time(lock, Kind::TryReadLock)
    }

    fn pthread_rwlock_clockrdlock(lock: *mut ReadWriteLock, _clock: i32, _until: usize) -> i32 {
        take_in_time(lock, Kind::TryReadLock)
    }

    fn pthread_rwlock_wrlock(lock: *mut ReadWriteLock) -> i32 {
        take(lock, Kind::WriteLock)
    }

    fn pthread_rwlock_trywrlock(lock: *mut ReadWriteLock) -> i32 {
        take(lock, Kind::TryWriteLock)
    }

    fn pthread_rwlock_timedwrlock(lock: *mut ReadWriteLock, _until: usize) -> i32 {
        take_in_time(lock, Kind::TryWriteLock)
    }

    fn pthread_rwlock_clockwrlock(lock: *mut ReadWriteLock, _clock: i32, _until: usize) -> i32 {
        take_in_time(lock, Kind::TryWriteLock)
    }

    fn pthread_rwlock_unlock(lock: *mut ReadWriteLock) -> i32 {
        give_back(lock)
    }
}
