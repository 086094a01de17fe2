//! Which engine runs when, and what their answers amount to together.
//!
//! Four engines work on a model: fuzzing, exhaustive search of small instances, backward search over cubes, and forward search
//! over views. Most models need little of one of them, and which one is not known before. [`prove()`] alternates between the two
//! that prove safety for every number of processes; [`hunt`] looks for a violation first. Each engine gets a [`Share`] of the
//! work at a time. Shares of proofs are counted rather than timed, so that the answer is the same on every machine.
//!
//! What this crate must not know: command lines, files, terminals. Progress goes to an [`Observer`].

mod by_events;
mod engine;
mod engines;
mod fences;
mod hunt;
mod observer;
mod proof;
mod weak;

pub use by_events::{ByEvents, EventsAnswer, prove_by_events};
pub use engine::{Answer, Attempt, Engine, Share, Work};
pub use engines::{
    backward::Backward,
    fuzzing::{Fuzzed, Fuzzing},
    small_instances::{InstancesOutcome, SmallInstances, deadlocks, is_inhabited},
    views::Views,
};
pub use fences::{Checked, Fences, Places, minimal_fences};
pub use hunt::{BUDGET, Hunt, Hunted, hunt};
pub use observer::{Activity, Observer};
pub use proof::{Outcome, ProofOptions, prove};
pub use weak::{Claim, Slotted, with_enough_slots};
