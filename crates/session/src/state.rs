//! States of a whole session: where its machines are, and what is in its channels, without values.

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
    /// The first state.
    pub fn new(machines: usize, channels: usize) -> State {
        State { control: vec![0; machines].into(), channels: vec![Channel::default(); channels].into() }
    }

    /// Whether no message is on its way.
    pub fn is_quiet(&self) -> bool {
        self.channels.iter().all(|channel| channel.messages.is_empty())
    }
}
