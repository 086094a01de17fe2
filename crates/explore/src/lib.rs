//! The core of Motet: search the executions of anything that can be steered one action at a time.
//!
//! A [`System`] lists the enabled actions, takes one, identifies its current state, and returns to a checkpoint.
//! Everything else is written once against that trait: a [`Strategy`] decides what is tried next, a [`Reduction`] and
//! a [`Memory`] decide what need not be tried, a [`Property`] judges states and steps, [`Limits`] end a run early, a
//! [`Trace`] is the result. [`Search`] is the one loop that joins them; [`ParallelBfs`] is the fast breadth-first
//! search over packed states.
//!
//! What this crate must not know: models, programs, protocols; what an action or a state is made of (the
//! system describes both as data); files, terminals, command lines. It also runs inside a foreign process, so it has
//! no global state; it starts no thread without the feature `threads`, and depends on nothing without `json`.
//!
//! Its promise: a search ends with [`End::Exhausted`] only if nothing was cut by a bound, a limit or a choice.
//!
//! ```
//! use explore::{
//!     BadState, BreadthFirst, End, Entry, Fault, Label, Search, Seen, Steered, System, Valuation, Value, record,
//! };
//!
//! /// Two hands of a clock with five hours; a step moves either by one.
//! struct Clock([u8; 2]);
//!
//! impl Steered for Clock {
//!     type Action = usize;
//!     type Identity = [u8; 2];
//!
//!     fn initials(&mut self) -> Result<usize, Fault> {
//!         Ok(1)
//!     }
//!     fn start(&mut self, _initial: usize) -> Result<(), Fault> {
//!         self.0 = [0, 0];
//!         Ok(())
//!     }
//!     fn enabled(&self, actions: &mut Vec<usize>) {
//!         actions.extend([0, 1]);
//!     }
//!     fn take(&mut self, hand: &usize) -> Result<(), Fault> {
//!         self.0[*hand] = (self.0[*hand] + 1) % 5;
//!         Ok(())
//!     }
//!     fn identity(&self) -> [u8; 2] {
//!         self.0
//!     }
//!     fn ended(&self) -> bool {
//!         false
//!     }
//!     fn label(&self, hand: &usize) -> Label {
//!         format!("move hand {hand}").into()
//!     }
//!     fn describe(&self) -> Valuation {
//!         vec![Entry::variable("hands", Value::Word(format!("{:?}", self.0)))]
//!     }
//! }
//!
//! impl System for Clock {
//!     type Checkpoint = [u8; 2];
//!
//!     fn checkpoint(&mut self) -> [u8; 2] {
//!         self.0
//!     }
//!     fn restore(&mut self, hands: &[u8; 2]) -> Result<(), Fault> {
//!         self.0 = *hands;
//!         Ok(())
//!     }
//! }
//!
//! let mut clock = Clock([0, 0]);
//! let outcome = Search::new(&mut clock, BreadthFirst::new(), ()).remember(Seen::new()).run()?;
//! assert_eq!((outcome.end, outcome.stats.states), (End::Exhausted, 25));
//!
//! let late = BadState::new("late", |clock: &Clock| clock.0 == [3, 1]);
//! let outcome = Search::new(&mut clock, BreadthFirst::new(), late).remember(Seen::new()).run()?;
//! let trace = record(&mut clock, &outcome.found[0].schedule)?;
//! assert_eq!(trace.steps.len(), 4);
//! assert_eq!(trace.steps[3].state[0].to_string(), "hands = [3, 1]");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod call;
mod concurrency;
mod deadline;
mod dpor;
mod fault;
mod filtered;
mod footprint;
mod hash;
mod label;
mod limits;
mod memory;
mod monitored;
mod outcome;
mod parallel_bfs;
mod property;
mod reduction;
mod replayed;
mod results;
mod rng;
mod sampling;
mod schedule;
mod search;
mod state;
mod strategy;
mod system;
mod trace;

pub use call::{Call, NotACall};
pub use concurrency::{Access, Needs, Thread, Threads, Turn};
pub use deadline::Deadline;
pub use dpor::{Dpor, Part};
pub use fault::Fault;
pub use filtered::{Filter, Filtered, LocalCycles, MostSteps, NotSeenBefore, Successor, SuperSteps, Visited};
pub use footprint::Footprint;
pub use label::Label;
pub use limits::{Cancel, Limit, Limits};
pub use memory::{Forget, Memory, Seen, Symmetric};
pub use monitored::{Monitor, Monitored};
pub use outcome::{Cut, End, Found, FoundBy, Outcome, OutcomeOf, Stats};
pub use parallel_bfs::{Packed, ParallelBfs, Progress, Snapshot};
pub use property::{BadState, BadStep, Deadlock, Named, Property};
pub use reduction::{Conflict, DepthBound, Mark, Nature, PreemptionBound, Reduction, Sleep, SleepSet};
pub use replayed::Replayed;
pub use results::{DeadlockPolicy, Finding, FindingKind, Incomplete, Severity, Verdict};
pub use rng::Rng;
pub use sampling::{Learned, Pct, Pos, Sampling, Scheduler, Surw, Uniform};
pub use schedule::Schedule;
pub use search::Search;
pub use state::{Buffered, Entry, Stored, Subject, Valuation, Value, Variable};
pub use strategy::{BreadthFirst, DepthFirst, Next, NodeId, RandomWalk, Recorded, Strategy};
pub use system::{Steered, Symmetry, System};
#[cfg(feature = "json")]
pub use trace::ItfError;
pub use trace::{Replay, Step, Trace, minimise, record, replay, resolve};
