//! The program's beginning and its ends: `exit`, `abort`, failed assertions.

use std::ffi::CStr;

use crate::program;
use crate::runtime::{pc, rt};
use crate::sys;

unsafe extern "C" {
    fn dlsym(handle: usize, name: *const i8) -> usize;
}

/// What the C++ library keeps before the object that was thrown.
const EXCEPTION_HEADER: usize = 128;

/// Finds what comes after this library.
const NEXT: usize = usize::MAX;

/// The function of this name behind this library.
pub(crate) unsafe fn next(name: *const i8) -> usize {
    dlsym(NEXT, name)
}

type Start = unsafe extern "C" fn(usize, i32, usize, usize, usize, usize, usize) -> i32;

unsafe fn text(pointer: *const i8) -> String {
    if pointer.is_null() { String::new() } else { CStr::from_ptr(pointer).to_string_lossy().into_owned() }
}

unsafe fn assertion_text(assertion: *const i8, file: *const i8, line: u32, function: *const i8) -> String {
    format!("assertion `{}` failed in `{}`, {}:{line}", text(assertion), text(function), text(file))
}

unsafe fn assertion_failed(message: String) -> ! {
    let runtime = rt();
    if !runtime.is_controlled() {
        sys::complain(&message);
        sys::exit(134);
    }
    runtime.fail("assertion", message, vec![pc()]);
    runtime.die()
}

plain! {
    fn __libc_start_main(
        main: usize, argc: i32, argv: usize, init: usize, fini: usize, loader_fini: usize, stack_end: usize
    ) -> i32 {
        rt().program.main = main;
        let next = dlsym(NEXT, c"__libc_start_main".as_ptr());
        let next: Start = std::mem::transmute(next);
        next(program::start as *const () as usize, argc, argv, init, fini, loader_fini, stack_end)
    }

    fn atexit(function: usize) -> i32 {
        rt().exit_handlers.push((function, 0));
        0
    }

    fn __cxa_atexit(function: usize, argument: usize, _library: usize) -> i32 {
        rt().exit_handlers.push((function, argument));
        0
    }

    /// Exceptions are counted by operations of the C++ library that no compiler has announced.
    fn __cxa_allocate_exception(size: usize) -> usize {
        let next: unsafe extern "C" fn(usize) -> usize = std::mem::transmute(next(c"__cxa_allocate_exception".as_ptr()));
        let object = next(size);
        if rt().is_controlled() && rt().runs_program() && object > EXCEPTION_HEADER {
            rt().races.exempt(object - EXCEPTION_HEADER, size + EXCEPTION_HEADER);
        }
        object
    }

    fn __cxa_thread_atexit(destructor: usize, object: usize, _library: usize) -> i32 {
        rt().this().destructors.push((destructor, object));
        0
    }

    fn __cxa_thread_atexit_impl(destructor: usize, object: usize, _library: usize) -> i32 {
        rt().this().destructors.push((destructor, object));
        0
    }
}

plain! {
    fn exit(code: i32) {
        if !rt().is_controlled() {
            sys::exit(code);
        }
        program::exit(code)
    }

    fn _exit(code: i32) {
        if !rt().is_controlled() {
            sys::exit(code);
        }
        program::end(code)
    }

    fn _Exit(code: i32) {
        if !rt().is_controlled() {
            sys::exit(code);
        }
        program::end(code)
    }

}

entries! {
    fn abort() {
        let runtime = rt();
        if !runtime.is_controlled() {
            sys::complain("aborted");
            sys::exit(134);
        }
        runtime.fail("abort", "`abort` was called".into(), vec![pc()]);
        runtime.die()
    }

    /// A failed assertion after which there is no way to go on.
    fn motet_assert_fail(assertion: *const i8, file: *const i8, line: u32, function: *const i8) {
        assertion_failed(assertion_text(assertion, file, line, function))
    }

    fn __assert_fail(assertion: *const i8, file: *const i8, line: u32, function: *const i8) {
        let message = assertion_text(assertion, file, line, function);
        if rt().options.all && rt().is_controlled() {
            rt().fail("assertion", message, vec![pc()]);
            return;
        }
        assertion_failed(message)
    }
}
