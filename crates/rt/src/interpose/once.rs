//! Initialisation that happens once.

use crate::op::{Kind, Op};
use crate::runtime::{pc, rt};

/// Somebody is initialising.
pub(crate) const RUNNING: u32 = 1;
const DONE: u32 = 2;

// The program's function runs on the program's stack, between two calls of the runtime's. An exception may leave it:
// then nobody has initialised. Rust code cannot be unwound here, hence the assembly, with a cleanup of its own: the
// table at `.Lmotet_once_table` says that an exception in the call goes on at `.Lmotet_once_left`.
std::arch::global_asm!(
    ".hidden motet_once",
    ".globl motet_once",
    ".type motet_once, @function",
    "motet_once:",
    ".cfi_startproc",
    ".cfi_personality 0x9b, DW.ref.motet_once_personality",
    ".cfi_lsda 0x1b, .Lmotet_once_table",
    "push rbx",
    ".cfi_def_cfa_offset 16",
    ".cfi_offset rbx, -16",
    "push r12",
    ".cfi_def_cfa_offset 24",
    ".cfi_offset r12, -24",
    "sub rsp, 8",
    ".cfi_def_cfa_offset 32",
    "mov rbx, rdi",
    "mov r12, rsi",
    "call {begin}",
    "test eax, eax",
    "jz 2f",
    ".Lmotet_once_call:",
    "call r12",
    ".Lmotet_once_called:",
    "mov rdi, rbx",
    "call {end}",
    "2:",
    "xor eax, eax",
    "add rsp, 8",
    ".cfi_remember_state",
    ".cfi_def_cfa_offset 24",
    "pop r12",
    ".cfi_def_cfa_offset 16",
    "pop rbx",
    ".cfi_def_cfa_offset 8",
    "ret",
    ".cfi_restore_state",
    ".Lmotet_once_left:",
    "mov r12, rax",
    "mov rdi, rbx",
    "call {left}",
    "mov rdi, r12",
    "call _Unwind_Resume@PLT",
    "ud2",
    ".Lmotet_once_end:",
    ".cfi_endproc",
    ".size motet_once, . - motet_once",
    ".section .gcc_except_table, \"a\", @progbits",
    ".Lmotet_once_table:",
    ".byte 0xff, 0xff, 1",
    ".uleb128 .Lmotet_once_rows_end - .Lmotet_once_rows",
    ".Lmotet_once_rows:",
    ".uleb128 .Lmotet_once_call - motet_once",
    ".uleb128 .Lmotet_once_called - .Lmotet_once_call",
    ".uleb128 .Lmotet_once_left - motet_once",
    ".uleb128 0",
    ".uleb128 .Lmotet_once_left - motet_once",
    ".uleb128 .Lmotet_once_end - .Lmotet_once_left",
    ".uleb128 0",
    ".uleb128 0",
    ".Lmotet_once_rows_end:",
    ".section .data.rel.local.motet_once, \"aw\", @progbits",
    ".balign 8",
    ".hidden DW.ref.motet_once_personality",
    "DW.ref.motet_once_personality:",
    ".quad __gcc_personality_v0",
    ".text",
    begin = sym motet_once_begin,
    end = sym motet_once_end,
    left = sym motet_once_left,
);

unsafe extern "C" {
    fn motet_once(control: *mut u32, function: extern "C" fn()) -> i32;
}

/// Defines functions that are the one above.
macro_rules! once {
    ($($name:ident)*) => {
        $(
            #[cfg_attr(motet_interpose, unsafe(no_mangle))]
            #[unsafe(naked)]
            pub unsafe extern "C" fn $name(_control: *mut u32, _function: extern "C" fn()) -> i32 {
                std::arch::naked_asm!("jmp {once}", once = sym motet_once)
            }
        )*
    };
}

once! { pthread_once call_once }

entries! {
    /// Returns whether the caller has to initialise.
    fn motet_once_begin(control: *mut u32) -> i32 {
        let (runtime, object) = (rt(), control as usize);
        if runtime.is_controlled() {
            runtime.visible(Op::new(Kind::Once, object, pc()));
            runtime.acquire(object);
        }
        if *control == DONE {
            return 0;
        }
        *control = RUNNING;
        runtime.note_change();
        1
    }

    /// The caller has initialised.
    fn motet_once_end(control: *mut u32) {
        let (runtime, object) = (rt(), control as usize);
        if runtime.is_controlled() {
            runtime.visible(Op::new(Kind::OnceDone, object, pc()));
            runtime.release(object);
        }
        *control = DONE;
        runtime.note_change();
    }

    /// The caller was left by an exception: the next one initialises.
    fn motet_once_left(control: *mut u32) {
        let (runtime, object) = (rt(), control as usize);
        if runtime.is_controlled() {
            runtime.visible(Op::new(Kind::OnceDone, object, pc()));
            runtime.release(object);
        }
        *control = 0;
        runtime.note_change();
    }
}
