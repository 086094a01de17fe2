//! The functions that the program calls: in place of libc's threads, its allocator, and the sanitizer's runtime.

/// Defines functions of the program's interface. Each entry notes where it was called from, and with which registers; then
/// the function in Rust runs on a stack of its own. The program's stack and registers hold nothing of the runtime's
/// afterwards: what a program leaves uninitialised is the same in every run.
macro_rules! entries {
    ($($functions:tt)*) => {
        define_entries! { ("xor edx, edx") $($functions)* }
    };
}

/// The same for functions that may return two words.
macro_rules! wide_entries {
    ($($functions:tt)*) => {
        define_entries! { ("") $($functions)* }
    };
}

macro_rules! define_entries {
    (($second_word:literal) $($(#[$meta:meta])* fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block)*) => {
        $(
            $(#[$meta])*
            #[cfg_attr(motet_interpose, unsafe(no_mangle))]
            #[unsafe(naked)]
            #[allow(clippy::too_many_arguments, non_snake_case)]
            pub unsafe extern "C" fn $name($(_: $type),*) $(-> $result)? {
                unsafe extern "C" fn body($($argument: $type),*) $(-> $result)? $body
                std::arch::naked_asm!(
                    "mov r11, [rsp]",
                    "mov [rip + {entry}], r11",
                    "mov [rip + {entry} + 8], rsp",
                    "mov [rip + {entry} + 16], rbp",
                    "mov [rip + {entry} + 24], rbx",
                    "mov [rip + {entry} + 32], r12",
                    "mov [rip + {entry} + 40], r13",
                    "mov [rip + {entry} + 48], r14",
                    "mov [rip + {entry} + 56], r15",
                    // No stack of its own: the runtime itself is calling.
                    "mov r11, [rip + {stack}]",
                    "test r11, r11",
                    "jz {body}",
                    "mov qword ptr [rip + {stack}], 0",
                    "xchg rsp, r11",
                    "push r11",
                    "lea r11, [rsp + 8]",
                    "push r11",
                    "call {body}",
                    "pop r11",
                    "mov [rip + {stack}], r11",
                    "pop rsp",
                    "xor ecx, ecx",
                    $second_word,
                    "xor esi, esi",
                    "xor edi, edi",
                    "xor r8d, r8d",
                    "xor r9d, r9d",
                    "xor r10d, r10d",
                    "xor r11d, r11d",
                    "ret",
                    entry = sym $crate::runtime::ENTRY,
                    stack = sym $crate::runtime::HOOK_STACK,
                    body = sym body,
                )
            }
        )*
    };
}

/// Defines functions that call the program back, or are called before it begins: they run on its stack.
macro_rules! plain {
    ($($(#[$meta:meta])* fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block)*) => {
        $(
            $(#[$meta])*
            #[cfg_attr(motet_interpose, unsafe(no_mangle))]
            #[allow(clippy::too_many_arguments, non_snake_case)]
            pub unsafe extern "C" fn $name($($argument: $type),*) $(-> $result)? $body
        )*
    };
}

pub(crate) mod accesses;
pub(crate) mod atomics;
pub(crate) mod barriers;
pub(crate) mod c11;
pub(crate) mod cancellation;
pub(crate) mod choices;
pub(crate) mod conditions;
pub(crate) mod files;
pub(crate) mod futex;
pub(crate) mod keys;
pub(crate) mod memory;
pub(crate) mod mutexes;
pub(crate) mod once;
pub(crate) mod process;
pub(crate) mod read_write;
pub(crate) mod semaphores;
pub(crate) mod static_locals;
pub(crate) mod streams;
pub(crate) mod strings;
pub(crate) mod system;
pub(crate) mod threads;
pub(crate) mod time;
pub(crate) mod unsupported;

/// Error numbers of Linux.
pub(crate) mod error {
    pub(crate) const EPERM: i32 = 1;
    pub(crate) const ESRCH: i32 = 3;
    pub(crate) const EIO: i32 = 5;
    pub(crate) const EAGAIN: i32 = 11;
    pub(crate) const ENOMEM: i32 = 12;
    pub(crate) const EBUSY: i32 = 16;
    pub(crate) const EINVAL: i32 = 22;
    pub(crate) const EMFILE: i32 = 24;
    pub(crate) const ERANGE: i32 = 34;
    pub(crate) const EDEADLK: i32 = 35;
    pub(crate) const ETIMEDOUT: i32 = 110;
}

/// Sets `errno` of the current thread.
pub(crate) unsafe fn set_errno(number: i32) {
    unsafe extern "C" {
        fn __errno_location() -> *mut i32;
    }
    *__errno_location() = number;
}
