//! Threads: their creation and their ends. A `pthread_t` is the number of a thread plus one.

use super::error::{EAGAIN, EBUSY, EDEADLK, EINVAL, ERANGE, ESRCH, ETIMEDOUT};
use crate::control::{Failing, Visible};
use crate::op::{Kind, Op};
use crate::program;
use crate::runtime::{pc, rt};
use crate::stack;
use crate::thread::Phase;

/// The thread that a `pthread_t` stands for.
pub(crate) fn number(handle: usize) -> Option<usize> {
    let number = handle.checked_sub(1)?;
    (number < rt().count && rt().threads[number].phase != Phase::Absent).then_some(number)
}

pub(crate) fn join(handle: usize, result: *mut usize) -> i32 {
    let runtime = rt();
    let pc = pc();
    let Some(thread) = number(handle) else {
        runtime.fail("misuse", "join with a handle that is no thread's".into(), vec![pc]);
        return ESRCH;
    };
    if thread == runtime.current {
        return EDEADLK;
    }
    if !can_be_joined(thread, pc) {
        return EINVAL;
    }
    runtime.visible(Op::new(Kind::Join, thread, pc));
    runtime.end_if_cancelled();
    // Another one may have been faster.
    if !can_be_joined(thread, pc) {
        return EINVAL;
    }
    take_result(thread, result);
    0
}

fn can_be_joined(thread: usize, pc: usize) -> bool {
    let one = &rt().threads[thread];
    let what = match (one.detached, one.joined) {
        (false, false) => return true,
        (true, _) => "detached",
        (false, true) => "joined before",
    };
    rt().fail("misuse", format!("join of a thread that was {what}"), vec![pc]);
    false
}

/// Joins a thread that has ended.
fn take_result(thread: usize, result: *mut usize) {
    let runtime = rt();
    runtime.threads[thread].joined = true;
    runtime.learn_from(thread);
    runtime.note_change();
    if !result.is_null() {
        // SAFETY: the program's variable.
        unsafe { *result = runtime.threads[thread].result };
    }
}

/// Joins a thread if it has ended, otherwise returns `otherwise`.
fn join_if_ended(handle: usize, result: *mut usize, otherwise: i32) -> i32 {
    let runtime = rt();
    let pc = pc();
    let Some(thread) = number(handle) else {
        runtime.fail("misuse", "join with a handle that is no thread's".into(), vec![pc]);
        return ESRCH;
    };
    if !can_be_joined(thread, pc) {
        return EINVAL;
    }
    if !runtime.watches_ends {
        // From now on the ends of threads are scheduling points.
        runtime.watches_ends = true;
        runtime.judged_more = true;
    }
    let word = program::ended_word(thread);
    runtime.visible(Op { size: 4, ..Op::new(Kind::TryJoin, word, pc) });
    if runtime.threads[thread].phase != Phase::Finished {
        runtime.follow_access(word, 4, false, false);
        return otherwise;
    }
    take_result(thread, result);
    0
}

pub(crate) unsafe fn create(
    handle: *mut usize,
    attributes: *const i32,
    function: usize,
    argument: usize,
) -> i32 {
    let runtime = rt();
    if !runtime.runs_program() {
        runtime.unsupported("a thread that is created before `main`");
    }
    if runtime.options.visible == Visible::All {
        runtime.visible(Op::new(Kind::Create, 0, pc()));
    }
    runtime.note_change();
    let Some(thread) = runtime.spawn(handle, function, argument) else { return EAGAIN };
    if !attributes.is_null() {
        let mut detached = 0;
        pthread_attr_getdetachstate(attributes, &raw mut detached);
        runtime.threads[thread].detached = detached != 0;
    }
    0
}

pub(crate) fn detach(handle: usize) -> i32 {
    let Some(thread) = number(handle) else { return ESRCH };
    let runtime = rt();
    if runtime.threads[thread].detached || runtime.threads[thread].joined {
        runtime.fail("misuse", "detach of a thread that was detached or joined before".into(), vec![pc()]);
        return EINVAL;
    }
    runtime.threads[thread].detached = true;
    0
}

entries! {
    fn pthread_create(handle: *mut usize, attributes: *const i32, function: usize, argument: usize) -> i32 {
        if rt().call_fails(Failing::Create) {
            return EAGAIN;
        }
        create(handle, attributes, function, argument)
    }

    fn pthread_join(handle: usize, result: *mut usize) -> i32 {
        join(handle, result)
    }

    fn pthread_tryjoin_np(handle: usize, result: *mut usize) -> i32 {
        join_if_ended(handle, result, EBUSY)
    }

    fn pthread_timedjoin_np(handle: usize, result: *mut usize, _until: usize) -> i32 {
        join_if_ended(handle, result, ETIMEDOUT)
    }

    fn pthread_clockjoin_np(handle: usize, result: *mut usize, _clock: i32, _until: usize) -> i32 {
        join_if_ended(handle, result, ETIMEDOUT)
    }

    fn pthread_detach(handle: usize) -> i32 {
        detach(handle)
    }
}

plain! {
    fn pthread_exit(result: usize) {
        if rt().this().cleanup.is_empty() { program::finish(result) } else { rt().unwind(result) }
    }
}

unsafe extern "C" {
    fn pthread_attr_getdetachstate(attributes: *const i32, state: *mut i32) -> i32;
    fn pthread_attr_setdetachstate(attributes: *mut i32, state: i32) -> i32;
    fn pthread_attr_setstack(attributes: *mut i32, bottom: usize, size: usize) -> i32;
    fn pthread_attr_init(attributes: *mut i32) -> i32;
}

entries! {
    fn pthread_self() -> usize {
        rt().current + 1
    }

    fn pthread_equal(one: usize, other: usize) -> i32 {
        i32::from(one == other)
    }

    fn pthread_setname_np(handle: usize, name: *const u8) -> i32 {
        let Some(thread) = number(handle) else { return ESRCH };
        let own = &mut rt().threads[thread].name;
        let Some(length) = (0..own.len()).find(|length| *name.add(*length) == 0) else { return ERANGE };
        *own = [0; 16];
        own[..length].copy_from_slice(std::slice::from_raw_parts(name, length));
        0
    }

    fn pthread_getname_np(handle: usize, name: *mut u8, size: usize) -> i32 {
        let Some(thread) = number(handle) else { return ESRCH };
        let own = rt().threads[thread].name;
        if size < own.len() {
            return ERANGE;
        }
        name.copy_from_nonoverlapping(own.as_ptr(), own.len());
        0
    }

    fn pthread_getattr_np(handle: usize, attributes: *mut i32) -> i32 {
        let Some(thread) = number(handle) else { return ESRCH };
        pthread_attr_init(attributes);
        pthread_attr_setstack(attributes, stack::bottom(thread), stack::SIZE);
        pthread_attr_setdetachstate(attributes, i32::from(rt().threads[thread].detached));
        0
    }

    fn sched_yield() -> i32 {
        0
    }

    fn pthread_yield() -> i32 {
        0
    }
}
