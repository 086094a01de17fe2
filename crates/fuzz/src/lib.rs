//! The fuzzing loop: find the bug in a second where exhaustive search drowns.
//!
//! After the Cubicle Fuzzy Loop (thesis of 2023): take a node from the pool of states with untaken actions, walk on from it by one
//! of six [`Technique`]s, put what is new into the pool, repeat. Where that draws node and technique blindly, a
//! scheduler learns here which of them bring new coverage for the steps that they execute.
//!
//! Works on any [`explore::System`] whose checkpoints tell states apart; a [`Guide`] classifies its actions and judges its states.
//! What this crate must not know: models, programs, files, terminals. It promises nothing about what it has not found.
//!
//! **Same seed, same run.** Work is done in rounds of a fixed number of tasks, drawn before the round from what is known then.
//! Workers share nothing but that; what they found is merged in the order of the tasks. So the number of workers changes
//! how long a run takes, and nothing else; no decision looks at the clock. With one worker no thread is started.
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate self as fuzz;

#[cfg(test)]
#[path = "../tests/common/mod.rs"]
mod common;
mod completion;
mod corpus;
mod coverage;
mod fuzzer;
mod guide;
mod log;
mod merge;
mod pool;
mod progress;
mod scheduler;
mod technique;
mod walk;

pub use coverage::Coverage;
pub use fuzzer::{End, Finding, Fuzzer, Options};
pub use guide::{Guide, Target};
pub use progress::{Progress, Snapshot};
pub use technique::Technique;
