//! States of an implementation: where its machines are, and what is in its channels.

/// A message in a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Message {
    /// Its type, by number.
    pub kind: Option<u32>,
    /// What tells the receiver the branch.
    pub stamp: u32,
}

/// A channel from one role to another: first in, first out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Channel {
    /// Nothing more may be sent.
    pub closed: bool,
    /// The oldest message first.
    pub messages: Vec<Message>,
}

/// A state.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct State {
    /// The state of each machine: one for all roles, or one for each.
    pub control: Box<[u32]>,
    /// The channels.
    pub channels: Box<[Channel]>,
}

impl State {
    /// Whether no message is on its way.
    pub fn is_quiet(&self) -> bool {
        self.channels.iter().all(|channel| channel.messages.is_empty())
    }
}
