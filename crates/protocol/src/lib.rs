//! Protocols: who may send what to whom, when.
//!
//! [`Protocol::load`] reads a file and says everything that is wrong with it. A session with values for its
//! parameters has a [`StateGraph`], implementations of it in two styles, and runs that temporal properties are about.
//!
//! What this crate must not know: models, commands; and files, but for [`Build`], which build scripts use.
#![forbid(unsafe_code)]

mod build;
mod data;
mod generate;
mod machine;
mod meaning;
mod property;
mod protocol;
mod statics;
mod syntax;
mod testing;
mod watch;

pub use build::Build;
pub use data::{EvaluationError, Evaluator, Value};
pub use generate::{GeneratedFile, Language, Wishes, generate};
pub use machine::{
    Behaviour, Channel, Choice, Comparison, Difference, Entry, Explored, Growth, Implementation, Incomplete,
    Meeting, Message, Move, Object, Pipe, Runner, State, Style, Table, TooLarge, compare, safe_capacity,
};
pub use meaning::{Action, Edge, NoGraph, Obstacle, Role, StateGraph, Vocabulary};
pub use property::{
    Atom, Fair, Judgement, LengthComparison, MOST_FAIR_ROLES, Monitor, NotHere, Observed, Open, Pattern,
    Property, Runs, Violation, check, confirm, holds_here,
};
pub use protocol::{Loaded, Protocol};
pub use session;
pub use syntax::{fmt::format, tree};
pub use testing::{holds, implements, specification};
#[cfg(feature = "tracing")]
pub use watch::WatchLayer;
pub use watch::{Alarm, Watch, Watched, WatchedError, WatchedReceiver, WatchedSender};
