//! The pure core of an implementation.

use crate::{
    state::{Message, State},
    tables::{Action, Tables},
};
use std::{borrow::Cow, hash::Hash};

/// A whole session without the values of messages. An implementation by hand can be checked and compared with its protocol as well as a generated
/// one: what has this trait is explored by calling it.
pub trait Core: Clone + Eq + Hash {
    /// The names of the roles.
    fn roles(&self) -> Vec<Cow<'static, str>>;

    /// The names of the message types.
    fn types(&self) -> Vec<Cow<'static, str>>;

    /// All actions that there can be. Roles and types have the numbers of their names.
    fn actions(&self) -> Vec<Action>;

    /// A send, a close or a handshake, by the number of the action; false, and nothing has changed, if it is not enabled.
    fn try_send(&mut self, action: u32) -> bool;

    /// A receive, by the number of the action: the type of the message that was taken. `None`, and nothing has changed, if it is not enabled.
    fn try_recv(&mut self, action: u32) -> Option<Option<u32>>;

    /// Whether the run may end here successfully.
    fn may_end(&self) -> bool;

    /// The types of the messages from one role to another, the oldest first.
    fn queue(&self, from: u32, to: u32) -> Vec<Option<u32>>;
}

/// The core that tables make.
#[derive(Debug, Clone)]
pub struct TableCore<'t> {
    tables: &'t Tables,
    state: State,
}

impl<'t> TableCore<'t> {
    /// A session that begins.
    pub fn new(tables: &'t Tables) -> TableCore<'t> {
        TableCore { tables, state: tables.initial() }
    }

    /// A session in a state.
    pub fn at(tables: &'t Tables, state: State) -> TableCore<'t> {
        TableCore { tables, state }
    }

    /// Where it is.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The tables.
    pub fn tables(&self) -> &'t Tables {
        self.tables
    }

    /// A receive: the message that was taken, with its stamp.
    pub fn try_take(&mut self, action: u32) -> Option<Message> {
        self.tables.try_recv(&mut self.state, action)
    }
}

impl PartialEq for TableCore<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state
    }
}

impl Eq for TableCore<'_> {}

impl Hash for TableCore<'_> {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        self.state.hash(hasher);
    }
}

impl Core for TableCore<'_> {
    fn roles(&self) -> Vec<Cow<'static, str>> {
        self.tables.roles.to_vec()
    }

    fn types(&self) -> Vec<Cow<'static, str>> {
        self.tables.types.to_vec()
    }

    fn actions(&self) -> Vec<Action> {
        self.tables.actions.to_vec()
    }

    fn try_send(&mut self, action: u32) -> bool {
        self.tables.try_send(&mut self.state, action)
    }

    fn try_recv(&mut self, action: u32) -> Option<Option<u32>> {
        self.try_take(action).map(|message| message.kind)
    }

    fn may_end(&self) -> bool {
        self.tables.may_end(&self.state)
    }

    fn queue(&self, from: u32, to: u32) -> Vec<Option<u32>> {
        let channel = self.tables.channel(from, to).map(|channel| &self.state.channels[channel]);
        channel
            .map(|channel| channel.messages.iter().map(|message| message.kind).collect())
            .unwrap_or_default()
    }
}
