//! Coroutines: switching stacks and thread-local storage.

use std::arch::{asm, global_asm};

// Saves what a function call must preserve on the current stack, and continues on another one.
global_asm!(
    ".hidden motet_switch",
    ".globl motet_switch",
    "motet_switch:",
    "push rbp",
    "push rbx",
    "push r12",
    "push r13",
    "push r14",
    "push r15",
    "mov [rdi], rsp",
    "mov rsp, rsi",
    "pop r15",
    "pop r14",
    "pop r13",
    "pop r12",
    "pop rbx",
    "pop rbp",
    "ret",
    // Where a new coroutine begins: `r12` is the function, `r13` its argument. Nothing is above it on the stack.
    ".hidden motet_begin",
    ".globl motet_begin",
    "motet_begin:",
    ".cfi_startproc",
    ".cfi_undefined rip",
    "xor ebp, ebp",
    "mov rdi, r13",
    "call r12",
    "ud2",
    ".cfi_endproc",
);

unsafe extern "C" {
    fn motet_switch(save: *mut usize, to: usize);
    fn motet_begin();
}

/// Saves the current stack in `save` and continues on the stack `to`.
///
/// # Safety
/// `to` was saved by this function or made by [`prepare`], and is used once.
#[inline]
pub(crate) unsafe fn switch(save: *mut usize, to: usize) {
    motet_switch(save, to);
}

/// A stack on which `function(argument)` begins when it is switched to.
///
/// # Safety
/// The memory below `top` belongs to the new coroutine. The function must not return.
pub(crate) unsafe fn prepare(top: usize, function: extern "C" fn(usize), argument: usize) -> usize {
    let mut stack = (top & !15) as *mut usize;
    // An aligned stack at the call, and zeros where the saved registers of other stacks are.
    stack = stack.sub(2);
    *stack = 0;
    stack = stack.sub(1);
    *stack = motet_begin as *const () as usize;
    for register in [0, 0, function as usize, argument, 0, 0] {
        stack = stack.sub(1);
        *stack = register;
    }
    stack as usize
}

/// The address of the thread-local storage in use.
#[inline]
pub(crate) fn thread_pointer() -> usize {
    let pointer: usize;
    // SAFETY: the first word of the thread control block is its own address.
    unsafe { asm!("mov {}, fs:0", out(reg) pointer, options(nostack, readonly)) };
    pointer
}

/// Uses other thread-local storage.
///
/// # Safety
/// `pointer` is a thread control block, and the processor has the instruction (see [`can_set_thread_pointer`]).
#[inline]
pub(crate) unsafe fn set_thread_pointer(pointer: usize) {
    asm!("wrfsbase {}", in(reg) pointer, options(nostack));
}

/// Whether programs may set the thread pointer themselves.
pub(crate) fn can_set_thread_pointer() -> bool {
    const AT_HWCAP2: u64 = 26;
    unsafe extern "C" {
        fn getauxval(kind: u64) -> u64;
    }
    // SAFETY: reads a table that the kernel has left.
    unsafe { getauxval(AT_HWCAP2) & 2 != 0 }
}
