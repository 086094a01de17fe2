//! The `motet` command: arguments, reports and exit codes.
//!
//! What every command shares is defined here once, as types: [`Exit`], the flags in [`flags`], and the
//! JSON document in [`report`]. The commands themselves are thin: they read files, call the library
//! crates and report. There is no checking logic here.

mod cli;
mod commands;
mod engine_progress;
mod exit;
pub mod flags;
mod interrupt;
mod load;
mod output;
mod pictures;
mod program_trace;
mod progress_line;
mod protocols;
mod range;
pub mod report;
mod telling;
mod temporal;
mod trace_file;

pub use exit::Exit;

use std::ffi::OsString;

/// Runs a command line, and returns its exit code. Never panics on any input.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    cli::run(arguments)
}
