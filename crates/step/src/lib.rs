//! A session of the interactive debugger: where one is in a run, how one got there, and what can be asked.
//!
//! [`Session`] executes one [`Command`] after the other and gives an [`Answer`] to each. Answers are values, which can be
//! serialised; a terminal, a web page or an editor shows them in its own way. A session steers any [`Inspect`]: a
//! [`System`](explore::System) that can also be looked at. [`models`] has the adapter for models, [`programs`] that for C programs.
//!
//! What this crate must not know: terminals, colours, line editing, and where files are; a [`Store`] reads and writes traces.
//! What the session itself must not know: models and programs.
#![forbid(unsafe_code)]

mod answer;
mod breadth;
mod command;
mod complete;
mod cursor;
mod inspect;
pub mod models;
mod parse;
pub mod programs;
mod reason;
mod refusal;
mod run;
mod serialize;
mod session;
mod state;
mod suggest;
mod walk;

pub use answer::{
    Answer, Arrival, Choice, Divergence, EnabledAction, Inconclusive, MostSeen, Moved, Outcome, Position,
    Report, Resumed, RunEnd, RunView, StateView, StepView, Stop, Vicinity, Watch, WatchChange,
};
pub use command::{Command, TOPICS, Topic, topic};
pub use complete::{Completion, Vocabulary, complete, hint};
pub use explore::Call;
pub use inspect::{Inspect, Reach, ReachEnd};
pub use parse::parse;
pub use reason::{Evidence, Explanation, Reason, Role, TermValue};
pub use refusal::Refusal;
pub use session::{Kept, Options, Session, Store};
pub use state::{
    Activity, Blocked, Excerpt, Finding, Gap, Judgement, LineColumn, Location, Matter, Offence,
    ProcessStatus, Resource, ResourceKind, Status, Value,
};
pub use walk::Way;
