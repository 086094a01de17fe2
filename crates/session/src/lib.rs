//! What generated implementations of protocols run on.
//!
//! A protocol becomes [`Tables`]. A [`TableCore`] is a whole session without the values of messages: a pure object that can be copied, compared
//! and hashed, whose [`try_send`](Core::try_send) and [`try_recv`](Core::try_recv) are all that a checker needs. An [`Endpoint`] is what one role of a
//! program holds; it moves by the very same functions, [`Table::try_send`] and [`Table::try_recv`], and adds values, waiting and transport.
//!
//! What this crate must not know: the language of protocols, and checkers.
#![forbid(unsafe_code)]

mod core;
mod drive;
mod endpoint;
mod error;
mod liberal;
mod queue;
mod shared;
mod state;
mod tables;
#[cfg(feature = "tcp")]
pub mod tcp;
mod waiting;

pub use core::{Core, TableCore};
pub use drive::{answer, drive};
pub use endpoint::{Endpoint, Received, Receiving, Sending, open};
pub use error::Error;
pub use queue::{Envelope, Outlet, Room};
pub use state::{Channel, Message, State};
pub use tables::{Action, Entry, Meeting, Style, Table, Tables, Verb};

/// What is sent: the values of a protocol, each with the number of its type.
pub trait Payload {
    /// The number of its type in [`Tables::types`]; `None` for a message without a type.
    fn kind(&self) -> Option<u32>;
}
