//! The runtime that is linked into the C program under test.
//!
//! It implements threads, locks and what else programs synchronise with as coroutines of one OS thread, so that a
//! step costs a function call and a restart costs a copy of what the last run wrote. The search itself, from `explore`,
//! runs here as well: nothing crosses a process boundary between two steps.
//!
//! It is built as a shared library with `--cfg motet_interpose`, which exports the functions of `interpose` in place of
//! those of libc and of the sanitizer's runtime. What it must not use: libc's own state, threads, and memory that the
//! program can write.

#![cfg_attr(not(motet_interpose), allow(dead_code))]
// There is one OS thread, and a fault interrupts the runtime only to end the process or to release a page.
#![allow(static_mut_refs)]

mod arena;
mod backtrace;
mod clock;
mod context;
mod control;
mod forked;
mod heap;
mod interpose;
mod invariants;
mod local;
mod machine;
mod memory;
mod op;
mod program;
mod races;
mod runtime;
mod search;
mod serve;
mod shorten;
mod signals;
mod spin;
mod stack;
mod sys;
mod table;
mod thread;

#[cfg(motet_interpose)]
#[global_allocator]
static ALLOCATOR: arena::Arena = arena::Arena::new();
