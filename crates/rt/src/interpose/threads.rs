//! Threads: their creation and their ends. A `pthread_t` is the number of a thread plus one.

use super::error::{EAGAIN, EDEADLK, EINVAL, ESRCH};
use crate::control::Visible;
use crate::op::{Kind, Op};
use crate::program;
use crate::runtime::{pc, rt};
use crate::thread::Phase;

/// The thread that a `pthread_t` stands for.
pub(crate) fn number(handle: usize) -> Option<usize> {
    let number = handle.checked_sub(1)?;
    (number < rt().count && rt().threads[number].phase != Phase::Absent).then_some(number)
}

pub(crate) fn join(handle: usize, result: *mut usize) -> i32 {
    let runtime = rt();
    let Some(thread) = number(handle) else { return ESRCH };
    if thread == runtime.current {
        return EDEADLK;
    }
    if runtime.threads[thread].detached || runtime.threads[thread].joined {
        let what = if runtime.threads[thread].detached { "detached" } else { "joined before" };
        runtime.fail("misuse", format!("join of a thread that was {what}"), vec![pc()]);
        return EINVAL;
    }
    runtime.visible(Op::new(Kind::Join, thread, pc()));
    runtime.end_if_cancelled();
    runtime.threads[thread].joined = true;
    runtime.learn_from(thread);
    runtime.note_change();
    if !result.is_null() {
        // SAFETY: the program's variable.
        unsafe { *result = runtime.threads[thread].result };
    }
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
        create(handle, attributes, function, argument)
    }

    fn pthread_join(handle: usize, result: *mut usize) -> i32 {
        join(handle, result)
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
}

entries! {
    fn pthread_self() -> usize {
        rt().current + 1
    }

    fn pthread_equal(one: usize, other: usize) -> i32 {
        i32::from(one == other)
    }

    fn pthread_setname_np(_handle: usize, _name: usize) -> i32 {
        0
    }

    fn sched_yield() -> i32 {
        0
    }

    fn pthread_yield() -> i32 {
        0
    }
}
