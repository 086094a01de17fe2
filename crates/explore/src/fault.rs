//! Why a system could not be steered further.

use std::error::Error;
use std::fmt;

/// The system could not follow the search. Never a verdict about the correctness of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The same schedule led elsewhere: the system is not deterministic, or not the one that was recorded.
    Deviation {
        /// The number of steps taken before the difference showed.
        step: usize,
        /// The state or action of the earlier run at this step.
        expected: String,
        /// The state or actions of this run instead.
        found: String,
    },
    /// The system could not be run at all, for a reason of its own.
    Broken(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Deviation { step, expected, found } => {
                write!(f, "the run deviates after {step} steps: expected {expected}, found {found}")
            }
            Fault::Broken(reason) => write!(f, "the system cannot be run: {reason}"),
        }
    }
}

impl Error for Fault {}
