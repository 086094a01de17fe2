// Made by `motet protocol generate` from double-buffering.dcj (session `double-buffering`, liberal). Changes are lost when it is made again.

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
    Ready,
    Full(Vec<u8>),
}

impl Payload for Message {
    fn kind(&self) -> Option<u32> {
        match self {
            Message::Ready => Some(0),
            Message::Full(_) => Some(1),
        }
    }
}

/// The numbers of the roles.
pub mod role {
    pub const KERNEL: u32 = 0;
    pub const SOURCE: u32 = 1;
    pub const SINK: u32 = 2;
}

/// A session: a handle for each role.
pub struct Session {
    pub kernel: Kernel,
    pub source: Source,
    pub sink: Sink,
}

/// Opens a session in this process.
pub fn open() -> Session {
    let mut ends = motet_session::open(&TABLES).into_iter();
    let mut next = || ends.next().expect("there is an endpoint for each role");
    Session {
        kernel: Kernel(next()),
        source: Source(next()),
        sink: Sink(next()),
    }
}

/// What `kernel` holds.
pub struct Kernel(pub Endpoint<Message>);

impl Kernel {
    pub fn send_ready_to_source(&mut self) -> Result<(), Error> {
        self.0.send_by(0, Message::Ready)
    }

    pub fn recv_from_source(&mut self) -> Result<Message, Error> {
        self.0.recv(1)
    }

    pub fn recv_from_sink(&mut self) -> Result<Message, Error> {
        self.0.recv(2)
    }

    pub fn send_full_to_sink(&mut self, value: Vec<u8>) -> Result<(), Error> {
        self.0.send_by(6, Message::Full(value))
    }

}

impl ops::Deref for Kernel {
    type Target = Endpoint<Message>;

    fn deref(&self) -> &Endpoint<Message> {
        &self.0
    }
}

impl ops::DerefMut for Kernel {
    fn deref_mut(&mut self) -> &mut Endpoint<Message> {
        &mut self.0
    }
}

/// What `source` holds.
pub struct Source(pub Endpoint<Message>);

impl Source {
    pub fn recv_from_kernel(&mut self) -> Result<Message, Error> {
        self.0.recv(0)
    }

    pub fn send_full_to_kernel(&mut self, value: Vec<u8>) -> Result<(), Error> {
        self.0.send_by(2, Message::Full(value))
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
    pub fn send_ready_to_kernel(&mut self) -> Result<(), Error> {
        self.0.send_by(4, Message::Ready)
    }

    pub fn recv_from_kernel(&mut self) -> Result<Message, Error> {
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

static ROLES: [Cow<'static, str>; 3] = [
    Cow::Borrowed("kernel"),
    Cow::Borrowed("source"),
    Cow::Borrowed("sink"),
];

static TYPES: [Cow<'static, str>; 2] = [
    Cow::Borrowed("Ready"),
    Cow::Borrowed("Full"),
];

static ACTIONS: [Action; 8] = [
    Action { verb: Verb::Send, from: 0, to: Cow::Borrowed(&[1]), message: Some(0) },
    Action { verb: Verb::Receive, from: 0, to: Cow::Borrowed(&[1]), message: None },
    Action { verb: Verb::Send, from: 1, to: Cow::Borrowed(&[0]), message: Some(1) },
    Action { verb: Verb::Receive, from: 1, to: Cow::Borrowed(&[0]), message: None },
    Action { verb: Verb::Send, from: 2, to: Cow::Borrowed(&[0]), message: Some(0) },
    Action { verb: Verb::Receive, from: 2, to: Cow::Borrowed(&[0]), message: None },
    Action { verb: Verb::Send, from: 0, to: Cow::Borrowed(&[2]), message: Some(1) },
    Action { verb: Verb::Receive, from: 0, to: Cow::Borrowed(&[2]), message: None },
];

static MACHINES: [Table; 3] = [
    Table {
        rows: Cow::Borrowed(&[0, 1, 2, 3, 4, 5]),
        entries: Cow::Borrowed(&[Entry { action: 0, stamp: 0, next: 1 }, Entry { action: 3, stamp: 2, next: 2 }, Entry { action: 5, stamp: 1, next: 3 }, Entry { action: 6, stamp: 3, next: 4 }, Entry { action: 0, stamp: 0, next: 1 }]),
        may_stop: Cow::Borrowed(&[false, false, false, false, false]),
    },
    Table {
        rows: Cow::Borrowed(&[0, 1, 2]),
        entries: Cow::Borrowed(&[Entry { action: 1, stamp: 0, next: 1 }, Entry { action: 2, stamp: 2, next: 0 }]),
        may_stop: Cow::Borrowed(&[false, false]),
    },
    Table {
        rows: Cow::Borrowed(&[0, 1, 2]),
        entries: Cow::Borrowed(&[Entry { action: 4, stamp: 1, next: 1 }, Entry { action: 7, stamp: 3, next: 0 }]),
        may_stop: Cow::Borrowed(&[false, false]),
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
    channels: Cow::Borrowed(&[(0, 1), (0, 2), (1, 0), (2, 0)]),
    capacity: None,
};
