//! C programs with threads as systems under test.
//!
//! A program is built with instrumentation and linked with the runtime of the crate `rt`, which explores the schedules
//! of the program from inside of it. This crate is the other side: it builds ([`wrap`], [`Program`]), starts and watches
//! the process ([`test`]), confirms what it reports in a fresh process, and turns addresses into lines of source.
//!
//! What it must not know: how schedules are searched (that is in `explore`, inside of the program), terminals, command
//! lines.

mod command_line;
mod compiler;
mod platform;
mod runtime;
mod wrapper;

pub use compiler::Language;
pub use runtime::Runtime;
pub use wrapper::{Compiled, wrap};
