// Made by `motet protocol generate` from streaming.dcj (session `streaming`, liberal). Changes are lost when it is made again.

#![allow(warnings, clippy::all, clippy::pedantic)]

use motet_session::{Action, Endpoint, Entry, Error, Meeting, Payload, Style, Table, TableCore, Tables, Verb};
use std::{borrow::Cow, ops};

/// A whole session without values: what a checker explores.
pub fn core() -> TableCore<'static> {
    TableCore::new(&TABLES)
}

/// What is sent.
#[derive(Debug, Clone)]
pub enum Message {
    Value(u64),
    Stop,
}

impl Payload for Message {
    fn kind(&self) -> Option<u32> {
        match self {
            Message::Value(_) => Some(0),
            Message::Stop => Some(1),
        }
    }
}

/// The numbers of the roles.
pub mod role {
    pub const SOURCE: u32 = 0;
    pub const SINK: u32 = 1;
}

/// A session: a handle for each role.
pub struct Session {
    pub source: Source,
    pub sink: Sink,
}

/// Opens a session in this process.
pub fn open() -> Session {
    let mut ends = motet_session::open(&TABLES).into_iter();
    let mut next = || ends.next().expect("there is an endpoint for each role");
    Session {
        source: Source(next()),
        sink: Sink(next()),
    }
}

/// What `source` holds.
pub struct Source(pub Endpoint<Message>);

impl Source {
    pub fn send_value_to_sink(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(0, Message::Value(value))
    }

    pub fn send_stop_to_sink(&mut self) -> Result<(), Error> {
        self.0.send_by(2, Message::Stop)
    }

}

impl ops::Deref for Source {
    type Target = Endpoint<Message>;

    fn deref(&self) -> &Endpoint<Message> {
        &self.0
    }
}

impl ops::DerefMut for Source {
    fn deref_mut(&mut self) -> &mut Endpoint<Message> {
        &mut self.0
    }
}

/// What `sink` holds.
pub struct Sink(pub Endpoint<Message>);

impl Sink {
    pub fn recv_from_source(&mut self) -> Result<Message, Error> {
        self.0.recv(0)
    }

}

impl ops::Deref for Sink {
    type Target = Endpoint<Message>;

    fn deref(&self) -> &Endpoint<Message> {
        &self.0
    }
}

impl ops::DerefMut for Sink {
    fn deref_mut(&mut self) -> &mut Endpoint<Message> {
        &mut self.0
    }
}

static ROLES: [Cow<'static, str>; 2] = [
    Cow::Borrowed("source"),
    Cow::Borrowed("sink"),
];

static TYPES: [Cow<'static, str>; 2] = [
    Cow::Borrowed("Value"),
    Cow::Borrowed("Stop"),
];

static ACTIONS: [Action; 3] = [
    Action { verb: Verb::Send, from: 0, to: Cow::Borrowed(&[1]), message: Some(0) },
    Action { verb: Verb::Receive, from: 0, to: Cow::Borrowed(&[1]), message: None },
    Action { verb: Verb::Send, from: 0, to: Cow::Borrowed(&[1]), message: Some(1) },
];

static MACHINES: [Table; 2] = [
    Table {
        rows: Cow::Borrowed(&[0, 2, 4, 4]),
        entries: Cow::Borrowed(&[Entry { action: 0, stamp: 0, next: 1 }, Entry { action: 2, stamp: 1, next: 2 }, Entry { action: 0, stamp: 0, next: 1 }, Entry { action: 2, stamp: 1, next: 2 }]),
        may_stop: Cow::Borrowed(&[false, false, true]),
    },
    Table {
        rows: Cow::Borrowed(&[0, 2, 2]),
        entries: Cow::Borrowed(&[Entry { action: 1, stamp: 0, next: 0 }, Entry { action: 1, stamp: 1, next: 1 }]),
        may_stop: Cow::Borrowed(&[false, true]),
    },
];

static MEETINGS: [Meeting; 0] = [
];

/// The implementation.
pub static TABLES: Tables = Tables {
    style: Style::Liberal,
    roles: Cow::Borrowed(&ROLES),
    types: Cow::Borrowed(&TYPES),
    actions: Cow::Borrowed(&ACTIONS),
    machines: Cow::Borrowed(&MACHINES),
    meetings: Cow::Borrowed(&MEETINGS),
    channels: Cow::Borrowed(&[(0, 1)]),
    capacity: None,
};
