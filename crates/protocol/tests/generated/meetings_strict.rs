// Made by `motet protocol generate` from meetings.dcj (session `meetings`, strict). Changes are lost when it is made again.

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
    Bye,
    Ask(u8),
    Yes,
    No,
}

impl Payload for Message {
    fn kind(&self) -> Option<u32> {
        match self {
            Message::Bye => Some(0),
            Message::Ask(_) => Some(1),
            Message::Yes => Some(2),
            Message::No => Some(3),
        }
    }
}

/// The numbers of the roles.
pub mod role {
    pub const SERVER: u32 = 0;
    pub const CLIENT: u32 = 1;
}

/// A session: a handle for each role.
pub struct Session {
    pub server: Server,
    pub client: Client,
}

/// Opens a session in this process.
pub fn open() -> Session {
    let mut ends = motet_session::open(&TABLES).into_iter();
    let mut next = || ends.next().expect("there is an endpoint for each role");
    Session {
        server: Server(next()),
        client: Client(next()),
    }
}

/// What `server` holds.
pub struct Server(pub Endpoint<Message>);

impl Server {
    pub fn close_to_client(&mut self) -> Result<(), Error> {
        self.0.close(1)
    }

    pub fn recv_from_client(&mut self) -> Result<Message, Error> {
        self.0.recv(1)
    }

    pub fn send_yes_to_client(&mut self) -> Result<(), Error> {
        self.0.send_by(4, Message::Yes)
    }

    pub fn send_no_to_client(&mut self) -> Result<(), Error> {
        self.0.send_by(5, Message::No)
    }

}

impl ops::Deref for Server {
    type Target = Endpoint<Message>;

    fn deref(&self) -> &Endpoint<Message> {
        &self.0
    }
}

impl ops::DerefMut for Server {
    fn deref_mut(&mut self) -> &mut Endpoint<Message> {
        &mut self.0
    }
}

/// What `client` holds.
pub struct Client(pub Endpoint<Message>);

impl Client {
    pub fn send_bye_to_server(&mut self) -> Result<(), Error> {
        self.0.send_by(1, Message::Bye)
    }

    pub fn send_ask_to_server(&mut self, value: u8) -> Result<(), Error> {
        self.0.send_by(3, Message::Ask(value))
    }

    pub fn recv_from_server(&mut self) -> Result<Message, Error> {
        self.0.recv(0)
    }

}

impl ops::Deref for Client {
    type Target = Endpoint<Message>;

    fn deref(&self) -> &Endpoint<Message> {
        &self.0
    }
}

impl ops::DerefMut for Client {
    fn deref_mut(&mut self) -> &mut Endpoint<Message> {
        &mut self.0
    }
}

static ROLES: [Cow<'static, str>; 2] = [
    Cow::Borrowed("server"),
    Cow::Borrowed("client"),
];

static TYPES: [Cow<'static, str>; 4] = [
    Cow::Borrowed("Bye"),
    Cow::Borrowed("Ask"),
    Cow::Borrowed("Yes"),
    Cow::Borrowed("No"),
];

static ACTIONS: [Action; 6] = [
    Action { verb: Verb::Close, from: 0, to: Cow::Borrowed(&[1]), message: None },
    Action { verb: Verb::Send, from: 1, to: Cow::Borrowed(&[0]), message: Some(0) },
    Action { verb: Verb::Receive, from: 1, to: Cow::Borrowed(&[0]), message: None },
    Action { verb: Verb::Handshake, from: 1, to: Cow::Borrowed(&[0]), message: Some(1) },
    Action { verb: Verb::Handshake, from: 0, to: Cow::Borrowed(&[1]), message: Some(2) },
    Action { verb: Verb::Handshake, from: 0, to: Cow::Borrowed(&[1]), message: Some(3) },
];

static MACHINES: [Table; 1] = [
    Table {
        rows: Cow::Borrowed(&[0, 1, 3, 4, 5, 6, 7, 7]),
        entries: Cow::Borrowed(&[Entry { action: 3, stamp: 0, next: 1 }, Entry { action: 4, stamp: 0, next: 2 }, Entry { action: 5, stamp: 0, next: 3 }, Entry { action: 3, stamp: 0, next: 1 }, Entry { action: 0, stamp: 0, next: 4 }, Entry { action: 1, stamp: 0, next: 5 }, Entry { action: 2, stamp: 0, next: 6 }]),
        may_stop: Cow::Borrowed(&[false, false, false, false, false, false, true]),
    },
];

static MEETINGS: [Meeting; 0] = [
];

/// The implementation.
pub static TABLES: Tables = Tables {
    style: Style::Strict,
    roles: Cow::Borrowed(&ROLES),
    types: Cow::Borrowed(&TYPES),
    actions: Cow::Borrowed(&ACTIONS),
    machines: Cow::Borrowed(&MACHINES),
    meetings: Cow::Borrowed(&MEETINGS),
    channels: Cow::Borrowed(&[(0, 1), (1, 0)]),
    capacity: None,
};
