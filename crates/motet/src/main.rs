//! The `motet` executable.

use std::process::ExitCode;

fn main() -> ExitCode {
    // A panic is a bug in Motet; scripts that read exit codes still get one that promises nothing.
    let ended = std::panic::catch_unwind(|| motet::run(std::env::args_os()));
    ended.unwrap_or(motet::Exit::Unknown).into()
}
