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
mod changes;
mod command_line;
mod compiler;
mod confirm;
mod debugger;
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
mod searching;
mod serving;
mod steering;
mod symbols;
mod testing;
mod values;
mod variables;
mod wrapper;

pub use answers::Stats;
pub use board::Progress;
pub use building::{NoProgram, Program};
pub use changes::Changes;
pub use compiler::Language;
pub use confirm::Mark;
pub use debugger::debug;
pub use finding::{Finding, Party, Setting, kinds, sentence};
pub use operation::actor;
pub use options::{Mode, Options, Search, Visible};
pub use recipe::Recipe;
pub use replaying::{Replayed, replay};
pub use runtime::Runtime;
pub use schedule::Schedule;
pub use searching::Shard;
pub use serving::{Served, ThreadState, Waiting, Wrong};
pub use symbols::{Debug, Place, Symbols};
pub use testing::{Claims, Testing, claims, marks, test};
pub use values::Worth;
pub use wrapper::{Compiled, wrap};
