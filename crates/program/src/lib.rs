//! C programs with threads as systems under test.
//!
//! A program is built with instrumentation and linked with the runtime of the crate `rt`, which explores the schedules
//! of the program from inside of it. This crate is the other side: it builds ([`wrap`], [`Program`]), starts and watches
//! the process ([`test()`]), confirms what it reports in a fresh process, and turns addresses into lines of source.
//!
//! What it must not know: how schedules are searched (that is in `explore`, inside of the program), terminals, command
//! lines.

mod answers;
mod board;
mod building;
mod command_line;
mod compiler;
mod confirm;
mod executable;
mod finding;
mod operation;
mod options;
mod platform;
mod process;
mod recipe;
mod replaying;
mod runtime;
mod schedule;
mod symbols;
mod testing;
mod variables;
mod wrapper;

pub use answers::Stats;
pub use board::Progress;
pub use building::{NoProgram, Program};
pub use compiler::Language;
pub use confirm::Mark;
pub use finding::{Finding, Party, Setting, kinds};
pub use options::{Mode, Options, Search, Visible};
pub use recipe::Recipe;
pub use replaying::{Replayed, replay};
pub use runtime::Runtime;
pub use schedule::Schedule;
pub use symbols::Place;
pub use testing::{Testing, test};
pub use wrapper::{Compiled, wrap};
