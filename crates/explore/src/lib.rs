//! The core of Motet: search the executions of anything that can be steered one action at a time.
//!
//! A [`System`] says which actions are enabled, takes one, tells where it is, and comes back to a
//! checkpoint. Against that trait everything else is written once: a [`Strategy`] decides what is tried
//! next, a [`Reduction`] and a [`Memory`] decide what need not be tried, a [`Property`] judges states and
//! steps, [`Limits`] end a run early, a [`Trace`] is the result. [`Search`] is the one loop that joins them.
//!
//! What this crate must not know: models, programs, protocols; how an action or a state is written (the
//! system renders both); files, terminals, command lines. It also runs inside a foreign process, so it has
//! no global state, starts no thread and, without the feature `json`, depends on nothing.
//!
//! Its promise: [`End::Exhausted`] is said only when nothing was cut by a bound, a limit or a choice.
#![forbid(unsafe_code)]

mod fault;
mod footprint;
mod hash;
mod limits;
mod memory;
mod monitored;
mod outcome;
mod property;
mod reduction;
mod replayed;
mod rng;
mod schedule;
mod search;
mod strategy;
mod system;
mod trace;

pub use fault::Fault;
pub use footprint::Footprint;
pub use limits::{Limit, Limits};
pub use memory::{Forget, Memory, Seen, Symmetric};
pub use monitored::{Monitor, Monitored};
pub use outcome::{Cut, End, Found, Outcome, Stats};
pub use property::{BadState, BadStep, Deadlock, Property, Violation};
pub use reduction::{Conflict, DepthBound, Mark, Nature, PreemptionBound, Reduction, Sleep, SleepSet};
pub use replayed::Replayed;
pub use rng::Rng;
pub use schedule::Schedule;
pub use search::Search;
pub use strategy::{BreadthFirst, DepthFirst, Next, NodeId, RandomWalk, Recorded, Strategy};
pub use system::{Steered, Symmetry, System};
#[cfg(feature = "json")]
pub use trace::ItfError;
pub use trace::{Replay, Step, Trace, Valuation, minimise, record, replay, resolve};
