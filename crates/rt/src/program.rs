//! The beginning and the end of the program under test.

use std::ffi::CStr;

use crate::context;
use crate::control::Options;
use crate::op::{Kind, Op};
use crate::runtime::{Mode, Program, pc, rt};
use crate::search;
use crate::signals;
use crate::sys;
use crate::thread::{MOST, Phase};

/// The name of the variable that names the file of options.
const VARIABLE: &CStr = c"MOTET_TEST";

unsafe extern "C" {
    fn getenv(name: *const i8) -> *const i8;
}

type Main = extern "C" fn(i32, usize, usize) -> i32;

/// Called in place of `main`: tests the program if that is asked for, otherwise runs it once.
pub(crate) extern "C" fn start(argc: i32, argv: usize, environment: usize) -> i32 {
    let runtime = rt();
    (runtime.program.argc, runtime.program.argv, runtime.program.environment) = (argc, argv, environment);
    // SAFETY: libc is initialised, and its environment ends with a zero.
    let path = unsafe { getenv(VARIABLE.as_ptr()) };
    if path.is_null() {
        runtime.options.search = crate::control::Search::Replay;
        runtime.options.output = true;
    } else {
        // SAFETY: as above.
        let path = unsafe { CStr::from_ptr(path) }.to_string_lossy().into_owned();
        match Options::read(&path) {
            Some(options) => runtime.options = options,
            None => {
                sys::complain("the options of the test cannot be read");
                return 70;
            }
        }
        sys::end_with_parent();
        // SAFETY: does not return if it starts the program again.
        unsafe { sys::without_randomisation(argv as *const *const u8, environment as *const *const u8) };
    }
    if !context::can_set_thread_pointer() {
        sys::complain("this processor does not let programs set the thread pointer (FSGSBASE)");
        return 70;
    }
    runtime.shared = crate::control::Shared::open(runtime.options.shared);
    // Reference counts of libstdc++ are atomic only if the program is said to have threads.
    // SAFETY: a byte of libc's.
    unsafe {
        if let Some(single) = crate::local::private::<*mut u8>(c"__libc_single_threaded") {
            *single = 0;
        }
    }
    runtime.local.begin();
    runtime.heap();
    // SAFETY: the program has one thread, which is here.
    unsafe {
        crate::stack::make(0);
        signals::install();
        runtime.snapshot.take(start as *const () as usize, context::thread_pointer());
    }
    runtime.first_handlers = runtime.exit_handlers.clone();
    // SAFETY: there is one OS thread.
    unsafe { crate::interpose::keys::remember() };
    runtime.mode = Mode::Controlled;
    search::run(path.is_null())
}

/// The first function on the stack of each thread.
pub(crate) extern "C" fn begin(thread: usize) {
    let (function, argument) = (rt().threads[thread].function, rt().threads[thread].argument);
    // SAFETY: what the program gave to `pthread_create`, or `run_main`.
    let function: extern "C" fn(usize) -> usize = unsafe { std::mem::transmute(function) };
    let result = function(argument);
    finish(result);
}

/// For each thread whether it has ended: what those look at who join it only if it has.
static mut ENDED: [u32; MOST] = [0; MOST];

/// The word of a thread among these.
pub(crate) fn ended_word(thread: usize) -> usize {
    // SAFETY: its address is taken alone.
    unsafe { &raw const ENDED[thread] as usize }
}

/// A thread begins.
pub(crate) fn note_beginning(thread: usize) {
    // SAFETY: there is one OS thread.
    unsafe { ENDED[thread] = 0 };
}

/// Calls the destructors of the current thread's thread-local objects, the last first.
fn destroy_locals() {
    while let Some((destructor, object)) = rt().this().destructors.pop() {
        // SAFETY: what the program gave to `__cxa_thread_atexit`.
        let destructor: extern "C" fn(usize) = unsafe { std::mem::transmute(destructor) };
        destructor(object);
    }
}

/// Ends the current thread; the program, too, if it is the last one.
pub(crate) fn finish(result: usize) -> ! {
    destroy_locals();
    crate::interpose::keys::destroy();
    let runtime = rt();
    let current = runtime.current;
    let lives = |thread: usize| matches!(runtime.threads[thread].phase, Phase::Ready | Phase::Running);
    if !(0..runtime.count).any(|thread| thread != current && lives(thread)) {
        // What all the others did is over.
        let others = (0..runtime.count).filter(|thread| *thread != current);
        others.for_each(|thread| runtime.learn_from(thread));
        exit(0);
    }
    if runtime.watches_ends {
        runtime.stand_at(Op { size: 4, ..Op::new(Kind::Finish, ended_word(current), pc()) });
        // SAFETY: there is one OS thread.
        unsafe { ENDED[current] = 1 };
    }
    let this = runtime.this();
    (this.result, this.phase) = (result, Phase::Finished);
    loop {
        runtime.yield_back();
    }
}

/// The function of the first thread.
pub(crate) extern "C" fn run_main(_argument: usize) -> usize {
    choose_input();
    let Program { main, argc, argv, environment } = rt().program;
    // SAFETY: what the loader gave to `__libc_start_main`.
    let main: Main = unsafe { std::mem::transmute(main) };
    let code = main(argc, argv, environment);
    exit(code);
}

/// Makes one of the files that were given the standard input, if there are any: all are tried.
fn choose_input() {
    let runtime = rt();
    let count = runtime.options.inputs.len();
    let choice = match count {
        0 => return,
        1 => 0,
        _ => runtime.stand_at(Op { size: count as u32, ..Op::new(Kind::Choose, 0, pc()) }),
    };
    let path = runtime.options.inputs[usize::from(choice)].clone() + "\0";
    // SAFETY: the path ends with a zero byte; nothing else uses the file.
    unsafe {
        let file = sys::open(path.as_ptr());
        if file < 0 {
            runtime.unsupported("an input that cannot be read");
        }
        sys::duplicate(file, 0);
        sys::close(file);
    }
}

/// Ends the program: handlers first, then all threads at once.
pub(crate) fn exit(code: i32) -> ! {
    destroy_locals();
    let runtime = rt();
    while let Some((function, argument)) = runtime.exit_handlers.pop() {
        // SAFETY: what the program gave to `atexit` or `__cxa_atexit`.
        let function: extern "C" fn(usize) = unsafe { std::mem::transmute(function) };
        function(argument);
    }
    end(code)
}

/// Ends the program without handlers.
pub(crate) fn end(code: i32) -> ! {
    let runtime = rt();
    let mut op = Op::new(Kind::End, 0, pc());
    op.size = code as u32;
    runtime.visible(op);
    runtime.over = true;
    runtime.this().phase = Phase::Finished;
    loop {
        runtime.yield_back();
    }
}
