//! Faults: writes to protected pages, and crashes of the program.

use crate::runtime::rt;
use crate::stack;
use crate::sys;

const SIGILL: i32 = 4;
const SIGTRAP: i32 = 5;
const SIGBUS: i32 = 7;
const SIGFPE: i32 = 8;
const SIGSEGV: i32 = 11;
const SIGALRM: i32 = 14;

const STACK: usize = 1 << 17;

/// Handles the signals of faults on a stack of their own.
pub(crate) unsafe fn install() {
    let stack = Box::leak(vec![0_u8; STACK].into_boxed_slice());
    sys::alternative_stack(stack.as_mut_ptr(), STACK);
    for signal in [SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV] {
        sys::handle(signal, handle as *const () as usize);
    }
    sys::handle(SIGALRM, tick as *const () as usize);
    watch_steps();
}

/// Begins to look whether steps end.
pub(crate) unsafe fn watch_steps() {
    sys::alarm_every(TICK_MICROSECONDS);
}

/// How often it is looked whether a step ends.
const TICK_MICROSECONDS: u64 = 250_000;

/// The step that was running at the last tick, and for how many ticks.
static mut LAST: (u64, u64) = (0, 0);

/// Notices steps that do not end.
unsafe extern "C" fn tick(_signal: i32, _info: *const usize, context: *const usize) {
    let runtime = rt();
    let last = &mut LAST;
    if !runtime.runs_program() || last.0 != runtime.steps {
        *last = (runtime.steps, 0);
        return;
    }
    last.1 += 1;
    let pc = *context.add(5 + 16);
    if last.1 * TICK_MICROSECONDS < runtime.options.step_seconds * 1_000_000 || in_runtime(pc) {
        return;
    }
    let message = format!("a step takes longer than {} s", runtime.options.step_seconds);
    runtime.fail("hang", message, vec![pc]);
    runtime.over = true;
    runtime.die();
}

/// The parts of the kernel's description that are needed: the address of a fault, and the registers.
unsafe extern "C" fn handle(signal: i32, info: *const usize, context: *const usize) {
    let address = *info.add(2);
    if signal == SIGSEGV && rt().snapshot.release(address) {
        return;
    }
    // `rip` is the 17th register of the context, whose registers begin after five words.
    let pc = *context.add(5 + 16);
    let runtime = rt();
    let what = match signal {
        SIGSEGV if stack::is_guard(address) => "stack overflow",
        SIGSEGV if address < 4096 => "null pointer dereference",
        SIGSEGV => "invalid memory access",
        SIGFPE => "arithmetic error, such as a division by zero",
        SIGBUS => "invalid memory access (bus error)",
        SIGILL => "illegal instruction",
        _ => "trap",
    };
    let probing = std::mem::replace(&mut crate::spin::PROBING, false);
    let pc = if probing { crate::runtime::ENTRY.pc } else { pc };
    if !runtime.is_controlled() || in_runtime(pc) {
        sys::complain(&format!("the runtime has failed: {what} at {pc:x}, address {address:x}"));
        sys::exit(70);
    }
    runtime.fail("crash", what.into(), vec![pc]);
    runtime.die();
}

/// Whether an address is in the code of this library, roughly.
fn in_runtime(pc: usize) -> bool {
    let (here, there) = (in_runtime as *const () as usize, crate::program::start as *const () as usize);
    let (low, high) = (here.min(there), here.max(there));
    (low.saturating_sub(1 << 16)..high + (1 << 16)).contains(&pc)
}
