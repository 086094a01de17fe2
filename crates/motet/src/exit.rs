//! Exit codes: the promise that scripts rely on.

use std::process::ExitCode;

/// How a command ended. The numbers are the same for every command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// 0: the property holds; `check` found no error; `fmt --check` found nothing to change; `certify` accepted.
    Holds = 0,
    /// 1: violated, and the trace was replayed; `fmt --check` would change something; `certify` rejected.
    Violated = 1,
    /// 2: the input or the command line is wrong.
    BadInput = 2,
    /// 3: unknown, with the reason; also valid input that the engine cannot handle.
    Unknown = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
