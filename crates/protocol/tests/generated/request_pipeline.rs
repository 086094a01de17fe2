// Made by `motet protocol generate` from request-pipeline.dcj (session `request-pipeline` 3, liberal). Changes are lost when it is made again.

#![allow(warnings, clippy::all, clippy::pedantic)]

use motet_session::{Action, Endpoint, Entry, Error, Meeting, Payload, Style, Table, TableCore, Tables, Verb};
use std::{borrow::Cow, ops};

/// A whole session without values: what a checker explores.
pub fn core() -> TableCore<'static> {
    TableCore::new(&TABLES)
}

/// What is sent.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub enum Message {
    Request(u64),
    Answer(u64),
}

impl Payload for Message {
    fn kind(&self) -> Option<u32> {
        match self {
            Message::Request(_) => Some(0),
            Message::Answer(_) => Some(1),
        }
    }
}

/// The numbers of the roles.
pub mod role {
    pub const WRITER: u32 = 0;
    pub const FILTER: u32 = 1;
    pub const SERVER: u32 = 2;
    pub const READER: u32 = 3;
}

/// A session: a handle for each role.
pub struct Session {
    pub writer: Writer,
    pub filter: Filter,
    pub server: Server,
    pub reader: Reader,
}

/// Opens a session in this process.
pub fn open() -> Session {
    let mut ends = motet_session::open(&TABLES).into_iter();
    let mut next = || ends.next().expect("there is an endpoint for each role");
    Session {
        writer: Writer(next()),
        filter: Filter(next()),
        server: Server(next()),
        reader: Reader(next()),
    }
}

/// What `writer` holds.
pub struct Writer(pub Endpoint<Message>);

impl Writer {
    /// Joins a session whose roles are in different processes, at these addresses.
    pub fn join(addresses: &[std::net::SocketAddr]) -> Result<Writer, Error> {
        motet_session::tcp::join(&TABLES, 0, addresses).map(Writer)
    }

    pub fn send_request_to_filter(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(0, Message::Request(value))
    }

}

impl ops::Deref for Writer {
    type Target = Endpoint<Message>;

    fn deref(&self) -> &Endpoint<Message> {
        &self.0
    }
}

impl ops::DerefMut for Writer {
    fn deref_mut(&mut self) -> &mut Endpoint<Message> {
        &mut self.0
    }
}

/// What `filter` holds.
pub struct Filter(pub Endpoint<Message>);

impl Filter {
    /// Joins a session whose roles are in different processes, at these addresses.
    pub fn join(addresses: &[std::net::SocketAddr]) -> Result<Filter, Error> {
        motet_session::tcp::join(&TABLES, 1, addresses).map(Filter)
    }

    pub fn recv_from_writer(&mut self) -> Result<Message, Error> {
        self.0.recv(0)
    }

    pub fn send_request_to_server(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(2, Message::Request(value))
    }

}

impl ops::Deref for Filter {
    type Target = Endpoint<Message>;

    fn deref(&self) -> &Endpoint<Message> {
        &self.0
    }
}

impl ops::DerefMut for Filter {
    fn deref_mut(&mut self) -> &mut Endpoint<Message> {
        &mut self.0
    }
}

/// What `server` holds.
pub struct Server(pub Endpoint<Message>);

impl Server {
    /// Joins a session whose roles are in different processes, at these addresses.
    pub fn join(addresses: &[std::net::SocketAddr]) -> Result<Server, Error> {
        motet_session::tcp::join(&TABLES, 2, addresses).map(Server)
    }

    pub fn recv_from_filter(&mut self) -> Result<Message, Error> {
        self.0.recv(1)
    }

    pub fn send_answer_to_reader(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(4, Message::Answer(value))
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

/// What `reader` holds.
pub struct Reader(pub Endpoint<Message>);

impl Reader {
    /// Joins a session whose roles are in different processes, at these addresses.
    pub fn join(addresses: &[std::net::SocketAddr]) -> Result<Reader, Error> {
        motet_session::tcp::join(&TABLES, 3, addresses).map(Reader)
    }

    pub fn recv_from_server(&mut self) -> Result<Message, Error> {
        self.0.recv(2)
    }

}

impl ops::Deref for Reader {
    type Target = Endpoint<Message>;

    fn deref(&self) -> &Endpoint<Message> {
        &self.0
    }
}

impl ops::DerefMut for Reader {
    fn deref_mut(&mut self) -> &mut Endpoint<Message> {
        &mut self.0
    }
}

static ROLES: [Cow<'static, str>; 4] = [
    Cow::Borrowed("writer"),
    Cow::Borrowed("filter"),
    Cow::Borrowed("server"),
    Cow::Borrowed("reader"),
];

static TYPES: [Cow<'static, str>; 2] = [
    Cow::Borrowed("Request"),
    Cow::Borrowed("Answer"),
];

static ACTIONS: [Action; 6] = [
    Action { verb: Verb::Send, from: 0, to: Cow::Borrowed(&[1]), message: Some(0) },
    Action { verb: Verb::Receive, from: 0, to: Cow::Borrowed(&[1]), message: None },
    Action { verb: Verb::Send, from: 1, to: Cow::Borrowed(&[2]), message: Some(0) },
    Action { verb: Verb::Receive, from: 1, to: Cow::Borrowed(&[2]), message: None },
    Action { verb: Verb::Send, from: 2, to: Cow::Borrowed(&[3]), message: Some(1) },
    Action { verb: Verb::Receive, from: 2, to: Cow::Borrowed(&[3]), message: None },
];

static MACHINES: [Table; 4] = [
    Table {
        rows: Cow::Borrowed(&[0, 1, 2, 3, 3]),
        entries: Cow::Borrowed(&[Entry { action: 0, stamp: 0, next: 1 }, Entry { action: 0, stamp: 1, next: 2 }, Entry { action: 0, stamp: 2, next: 3 }]),
        may_stop: Cow::Borrowed(&[false, false, false, true]),
    },
    Table {
        rows: Cow::Borrowed(&[0, 1, 2, 3, 4, 5, 6, 6]),
        entries: Cow::Borrowed(&[Entry { action: 1, stamp: 0, next: 1 }, Entry { action: 2, stamp: 3, next: 2 }, Entry { action: 1, stamp: 1, next: 3 }, Entry { action: 2, stamp: 4, next: 4 }, Entry { action: 1, stamp: 2, next: 5 }, Entry { action: 2, stamp: 6, next: 6 }]),
        may_stop: Cow::Borrowed(&[false, false, false, false, false, false, true]),
    },
    Table {
        rows: Cow::Borrowed(&[0, 1, 2, 3, 4, 5, 6, 6]),
        entries: Cow::Borrowed(&[Entry { action: 3, stamp: 3, next: 1 }, Entry { action: 4, stamp: 5, next: 2 }, Entry { action: 3, stamp: 4, next: 3 }, Entry { action: 4, stamp: 7, next: 4 }, Entry { action: 3, stamp: 6, next: 5 }, Entry { action: 4, stamp: 8, next: 6 }]),
        may_stop: Cow::Borrowed(&[false, false, false, false, false, false, true]),
    },
    Table {
        rows: Cow::Borrowed(&[0, 1, 2, 3, 3]),
        entries: Cow::Borrowed(&[Entry { action: 5, stamp: 5, next: 1 }, Entry { action: 5, stamp: 7, next: 2 }, Entry { action: 5, stamp: 8, next: 3 }]),
        may_stop: Cow::Borrowed(&[false, false, false, true]),
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
    channels: Cow::Borrowed(&[(0, 1), (1, 2), (2, 3)]),
    capacity: None,
};
