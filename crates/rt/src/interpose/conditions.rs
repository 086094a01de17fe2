//! Condition variables. Who sleeps on one is known by the threads.

use super::error::ETIMEDOUT;
use super::mutexes::{DESTROYED, Mutex, check_alive, me, release};
use crate::op::{Kind, Op};
use crate::runtime::{pc, rt};

/// A `pthread_cond_t`, of which only a mark is used.
#[repr(C)]
pub(crate) struct Condition {
    reserved: [u32; 10],
    mark: u32,
}

pub(crate) unsafe fn wait(condition: *mut Condition, mutex: *mut Mutex, timed: bool) -> i32 {
    let runtime = rt();
    if !runtime.is_controlled() {
        return 0;
    }
    let pc = pc();
    if (*mutex).owner != me() {
        runtime.fail("misuse", "wait with a mutex that this thread does not hold".into(), vec![pc]);
    }
    let op = Op { second: mutex as usize, ..Op::new(Kind::Wait, condition as usize, pc) };
    runtime.visible(op);
    check_alive((*condition).mark, "a condition variable");
    runtime.end_if_cancelled();
    check_mutex(condition as usize, mutex as usize, pc);
    runtime.this().timed_out = false;
    if (*mutex).count > 0 {
        return wait_in_vain(op, mutex, timed);
    }
    release(mutex);
    let spurious = runtime.options.spurious > runtime.this().spurious;
    let sleep = Op { kind: Kind::Sleep { timed: timed || spurious }, ..op };
    if timed {
        // Who waits for a time again and again, and finds everything as it was, waits for others.
        runtime.note_time();
        runtime.follow_operation(&sleep);
    } else {
        runtime.note_change();
    }
    runtime.stand_at(sleep);
    // Awake: either by a signal, and the mutex is free; or by itself, and the mutex is still to be taken.
    if !matches!(runtime.this().next.kind, Kind::Sleep { .. }) {
        runtime.note_change();
    } else {
        runtime.this().timed_out = timed;
        runtime.this().spurious += 1;
        runtime.stand_at(Op { kind: Kind::Lock, object: mutex as usize, ..op });
    }
    (*mutex).owner = me();
    runtime.this().held += 1;
    runtime.acquire(mutex as usize);
    runtime.end_if_cancelled();
    if runtime.this().timed_out { ETIMEDOUT } else { 0 }
}

/// A wait releases a recursive mutex once, as glibc does: who has it several times keeps it.
unsafe fn wait_in_vain(op: Op, mutex: *mut Mutex, timed: bool) -> i32 {
    let runtime = rt();
    (*mutex).count -= 1;
    runtime.note_change();
    runtime.stand_at(Op { kind: Kind::Sleep { timed }, second: 0, ..op });
    let timed_out = matches!(runtime.this().next.kind, Kind::Sleep { .. });
    (*mutex).count += 1;
    runtime.end_if_cancelled();
    if timed_out { ETIMEDOUT } else { 0 }
}

/// All who sleep on a condition must have used the same mutex.
fn check_mutex(condition: usize, mutex: usize, pc: usize) {
    let runtime = rt();
    let other = |thread: &usize| {
        let second = runtime.threads[*thread].next.second;
        second != mutex && second != 0
    };
    if let Some(thread) = runtime.sleepers(condition).find(other) {
        let message = format!("wait with another mutex than thread {thread} on the same condition variable");
        rt().fail("misuse", message, vec![pc]);
    }
}

pub(crate) unsafe fn initialise(condition: *mut Condition) {
    (*condition).mark = 0;
}

pub(crate) unsafe fn destroy(condition: *mut Condition) {
    let runtime = rt();
    if runtime.is_controlled() {
        let pc = pc();
        runtime.destroy(condition as usize, pc);
        check_alive((*condition).mark, "a condition variable");
        if runtime.sleepers(condition as usize).next().is_some() {
            runtime.fail(
                "misuse",
                "destroy of a condition variable on which a thread sleeps".into(),
                vec![pc],
            );
        }
        runtime.note_change();
    }
    (*condition).mark = DESTROYED;
}

pub(crate) unsafe fn signal(condition: *mut Condition) {
    let runtime = rt();
    if !runtime.is_controlled() {
        return;
    }
    let choice = runtime.visible(Op::new(Kind::Signal, condition as usize, pc()));
    check_alive((*condition).mark, "a condition variable");
    let sleeper = runtime.sleepers(condition as usize).nth(choice.into());
    if let Some(sleeper) = sleeper {
        runtime.note_change();
        runtime.wake(sleeper);
    } else {
        runtime.unheard.insert(condition as usize, runtime.run);
    }
}

pub(crate) unsafe fn broadcast(condition: *mut Condition) {
    let runtime = rt();
    if !runtime.is_controlled() {
        return;
    }
    runtime.visible(Op::new(Kind::Broadcast, condition as usize, pc()));
    check_alive((*condition).mark, "a condition variable");
    let sleepers: Vec<usize> = runtime.sleepers(condition as usize).collect();
    if sleepers.is_empty() {
        runtime.unheard.insert(condition as usize, runtime.run);
    } else {
        runtime.note_change();
    }
    for sleeper in sleepers {
        runtime.wake(sleeper);
    }
}

entries! {
    fn pthread_cond_init(condition: *mut Condition, _attributes: usize) -> i32 {
        initialise(condition);
        0
    }

    fn pthread_cond_destroy(condition: *mut Condition) -> i32 {
        destroy(condition);
        0
    }

    fn pthread_cond_wait(condition: *mut Condition, mutex: *mut Mutex) -> i32 {
        wait(condition, mutex, false)
    }

    fn pthread_cond_timedwait(condition: *mut Condition, mutex: *mut Mutex, _until: usize) -> i32 {
        wait(condition, mutex, true)
    }

    fn pthread_cond_clockwait(condition: *mut Condition, mutex: *mut Mutex, _clock: i32, _until: usize) -> i32 {
        wait(condition, mutex, true)
    }

    fn pthread_cond_signal(condition: *mut Condition) -> i32 {
        signal(condition);
        0
    }

    fn pthread_cond_broadcast(condition: *mut Condition) -> i32 {
        broadcast(condition);
        0
    }
}
