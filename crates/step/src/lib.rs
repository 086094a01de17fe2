//! A session of the interactive debugger: where one is in a run, how one got there, and what can be asked.
//!
//! [`Session`] takes one [`Command`] after the other and gives an [`Answer`] to each, as text. It steers a [`Subject`]: a model
//! ([`ModelSubject`]) today; whatever can be steered one step at a time and come back will do. What is wrong with a state, and
//! whether one can be reached, is said by the engines of the subject alone, never by the session.
//!
//! What this crate must not know: terminals, line editing, and where files are; a [`Store`] reads and writes traces.
//! Answers carry escape sequences for colours, which the caller strips where nobody sees them.
#![forbid(unsafe_code)]

mod answer;
mod breadth;
mod call;
mod command;
mod complete;
mod explain;
mod model_subject;
mod parse;
mod run;
mod session;
mod show;
mod subject;
mod walk;
mod words;

pub use answer::{Answer, Outcome};
pub use call::Call;
pub use command::{Command, TOPICS, Topic, topic};
pub use complete::{Completion, Vocabulary, complete, hint};
pub use model_subject::{ModelSubject, Origin, subject};
pub use parse::parse;
pub use session::{Kept, Options, Session, Store};
pub use subject::{Exit, Found, ProcessStatus, Resource, Snapshot, Status, Subject, Why, Wrong};
pub use walk::Way;
