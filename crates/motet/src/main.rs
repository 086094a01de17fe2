//! The `motet` executable.

use std::process::ExitCode;

// Threads hand each other much of what they allocate. With the allocator of the system they would wait for each other.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // A panic is a bug in Motet; scripts that read exit codes still get one that promises nothing.
    let ended = std::panic::catch_unwind(|| motet::run(std::env::args_os()));
    ended.unwrap_or(motet::Exit::Unknown).into()
}
