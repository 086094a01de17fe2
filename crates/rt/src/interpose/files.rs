//! Calls whose effects a copy of memory cannot undo. Each run of a program that makes them gets a process of its own.

use super::error::EMFILE;
use crate::control::Failing;
use crate::runtime::{Runtime, rt};
use crate::thread::Phase;

impl Runtime {
    /// The program is about to change something outside of its memory: from now on runs are forked.
    fn leave_memory(&mut self) {
        if !self.runs_program() || self.forks || self.is_child {
            return;
        }
        self.wants_fork = true;
        self.over = true;
        self.this().phase = Phase::Dead;
        loop {
            self.yield_back();
        }
    }
}

/// Defines entries that pass on to the function of the same name behind this library.
macro_rules! passed_on {
    ($($name:ident $(=> $failure:literal)?)*) => {
        $(
            #[cfg_attr(motet_interpose, unsafe(no_mangle))]
            #[unsafe(naked)]
            pub unsafe extern "C" fn $name() {
                unsafe extern "C" fn find() -> usize {
                    static mut NEXT: usize = 0;
                    rt().leave_memory();
                    $(
                        if rt().call_fails(Failing::Open) {
                            super::set_errno(EMFILE);
                            unsafe extern "C" fn fail() -> isize {
                                $failure
                            }
                            return fail as *const () as usize;
                        }
                    )?
                    if NEXT == 0 {
                        NEXT = super::process::next(concat!(stringify!($name), "\0").as_ptr().cast());
                    }
                    NEXT
                }
                // All registers that may hold arguments are kept, for any function.
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
                    "push rdi", "push rsi", "push rdx", "push rcx", "push r8", "push r9", "push rax",
                    "call {find}",
                    "mov r11, rax",
                    "pop rax", "pop r9", "pop r8", "pop rcx", "pop rdx", "pop rsi", "pop rdi",
                    "jmp r11",
                    entry = sym $crate::runtime::ENTRY,
                    find = sym find,
                )
            }
        )*
    };
}

passed_on! {
    open => -1 open64 => -1 openat => -1 openat64 => -1 creat => -1 mkstemp => -1
    fopen => 0 fopen64 => 0 freopen => 0 fdopen => 0 tmpfile => 0 opendir => 0
    socket socketpair pipe pipe2 eventfd timerfd_create epoll_create epoll_create1 inotify_init
    mmap mmap64 munmap mremap mprotect shm_open shm_unlink dlopen
    unlink rename mkdir rmdir remove truncate ftruncate chdir
}
