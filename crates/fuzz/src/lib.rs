//! The fuzzing loop: finds bugs in seconds where exhaustive search takes too long.
//!
//! After the Cubicle Fuzzy Loop (thesis of 2023): take a node from the pool of states with untaken actions, walk from
//! it by one of six [`Technique`]s, add new states to the pool, repeat. The original draws node and technique at
//! random; here a scheduler learns which of them yield the most new coverage per step.
//!
//! Works on any [`explore::System`] whose checkpoints identify states; a [`Guide`] classifies its actions and judges
//! its states. What this crate must not know: models, programs, files, terminals. It promises nothing about what it
//! has not found.
//!
//! **Same seed, same run.** Work is done in rounds of a fixed number of tasks, which are drawn before the round.
//! During a round the pool does not change; the results of the tasks are merged in their order. So the number of
//! workers changes only how long a run takes; no decision depends on the clock. With one worker no thread is started.
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
