//! Exit codes: the promise that scripts rely on.

use std::process::ExitCode;

/// The exit code of a command, with the same meaning for all commands.
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

impl Exit {
    /// The worse of two results about several files: bad input is worst, then a violation, then unknown.
    #[must_use]
    pub fn worse(self, other: Exit) -> Exit {
        let badness = |exit: Exit| match exit {
            Exit::Holds => 0,
            Exit::Unknown => 1,
            Exit::Violated => 2,
            Exit::BadInput => 3,
        };
        if badness(self) >= badness(other) { self } else { other }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
