//! Read-write locks. The first word is the number of readers, or has its highest bit set for a writer.

use super::error::{EBUSY, EDEADLK, EPERM};
use super::mutexes::me;
use crate::op::{Kind, Op};
use crate::runtime::{pc, rt};

/// A `pthread_rwlock_t`.
#[repr(C)]
pub(crate) struct ReadWriteLock {
    state: u32,
    /// The writer plus one.
    writer: u32,
}

const WRITTEN: u32 = 1 << 31;

unsafe fn take(lock: *mut ReadWriteLock, kind: Kind) -> i32 {
    let runtime = rt();
    if runtime.is_controlled() {
        if (*lock).writer == me() && matches!(kind, Kind::ReadLock | Kind::WriteLock) {
            return EDEADLK;
        }
        runtime.visible(Op::new(kind, lock as usize, pc()));
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
    }
    // A reader learns from writers alone, a writer from everybody.
    runtime.acquire(lock as usize);
    if writes {
        runtime.acquire(lock as usize + 1);
    }
    0
}

entries! {
    fn pthread_rwlock_init(lock: *mut ReadWriteLock, _attributes: usize) -> i32 {
        *lock = ReadWriteLock { state: 0, writer: 0 };
        0
    }

    fn pthread_rwlock_destroy(lock: *mut ReadWriteLock) -> i32 {
        if rt().is_controlled() && (*lock).state != 0 {
            rt().fail("misuse", "destroy of a read-write lock that is held".into(), vec![pc()]);
        }
        0
    }

    fn pthread_rwlock_rdlock(lock: *mut ReadWriteLock) -> i32 {
        take(lock, Kind::ReadLock)
    }

    fn pthread_rwlock_tryrdlock(lock: *mut ReadWriteLock) -> i32 {
        take(lock, Kind::TryReadLock)
    }

    fn pthread_rwlock_wrlock(lock: *mut ReadWriteLock) -> i32 {
        take(lock, Kind::WriteLock)
    }

    fn pthread_rwlock_trywrlock(lock: *mut ReadWriteLock) -> i32 {
        take(lock, Kind::TryWriteLock)
    }

    fn pthread_rwlock_unlock(lock: *mut ReadWriteLock) -> i32 {
        let runtime = rt();
        if runtime.is_controlled() {
            if (*lock).state == 0 {
                runtime.fail("misuse", "unlock of a read-write lock that nobody holds".into(), vec![pc()]);
                return EPERM;
            }
            runtime.visible(Op::new(Kind::RwUnlock, lock as usize, pc()));
        }
        let this = runtime.this();
        this.held = this.held.saturating_sub(1);
        if (*lock).writer == me() {
            ((*lock).state, (*lock).writer) = (0, 0);
            runtime.release(lock as usize);
        } else {
            (*lock).state -= 1;
            runtime.release(lock as usize + 1);
        }
        0
    }
}
