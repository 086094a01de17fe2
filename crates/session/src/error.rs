//! Why an operation of an endpoint fails.

use std::{error, fmt};

/// Why an operation fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The protocol does not allow it in the state that this role is in, whatever others do.
    NotAllowed(String),
    /// The message that came is none that this role may receive now: somebody does not follow the protocol.
    Unexpected(String),
    /// Everybody who could send has gone or has closed the channel.
    Disconnected,
    /// The network has failed.
    Network(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotAllowed(what) => write!(f, "the protocol does not allow this now: {what}"),
            Error::Unexpected(what) => write!(f, "this message was not to come now: {what}"),
            Error::Disconnected => f.write_str("the other side has gone"),
            Error::Network(reason) => write!(f, "the network has failed: {reason}"),
        }
    }
}

impl error::Error for Error {}
