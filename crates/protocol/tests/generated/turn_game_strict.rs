// Made by `motet protocol generate` from turn-game.dcj (session `turn-game`, strict). Changes are lost when it is made again.

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
    Move(u32),
    Resign,
}

impl Payload for Message {
    fn kind(&self) -> Option<u32> {
        match self {
            Message::Move(_) => Some(0),
            Message::Resign => Some(1),
        }
    }
}

/// The numbers of the roles.
pub mod role {
    pub const WHITE: u32 = 0;
    pub const BLACK: u32 = 1;
}

/// A session: a handle for each role.
pub struct Session {
    pub white: White,
    pub black: Black,
}

/// Opens a session in this process.
pub fn open() -> Session {
    let mut ends = motet_session::open(&TABLES).into_iter();
    let mut next = || ends.next().expect("there is an endpoint for each role");
    Session {
        white: White(next()),
        black: Black(next()),
    }
}

/// What `white` holds.
pub struct White(pub Endpoint<Message>);

impl White {
    pub fn send_move_to_black(&mut self, value: u32) -> Result<(), Error> {
        self.0.send_by(0, Message::Move(value))
    }

    pub fn send_resign_to_black(&mut self) -> Result<(), Error> {
        self.0.send_by(2, Message::Resign)
    }

    pub fn recv_from_black(&mut self) -> Result<Message, Error> {
        self.0.recv(1)
    }

}

impl ops::Deref for White {
    type Target = Endpoint<Message>;

    fn deref(&self) -> &Endpoint<Message> {
        &self.0
    }
}

impl ops::DerefMut for White {
    fn deref_mut(&mut self) -> &mut Endpoint<Message> {
        &mut self.0
    }
}

/// What `black` holds.
pub struct Black(pub Endpoint<Message>);

impl Black {
    pub fn recv_from_white(&mut self) -> Result<Message, Error> {
        self.0.recv(0)
    }

    pub fn send_move_to_white(&mut self, value: u32) -> Result<(), Error> {
        self.0.send_by(3, Message::Move(value))
    }

    pub fn send_resign_to_white(&mut self) -> Result<(), Error> {
        self.0.send_by(5, Message::Resign)
    }

}

impl ops::Deref for Black {
    type Target = Endpoint<Message>;

    fn deref(&self) -> &Endpoint<Message> {
        &self.0
    }
}

impl ops::DerefMut for Black {
    fn deref_mut(&mut self) -> &mut Endpoint<Message> {
        &mut self.0
    }
}

static ROLES: [Cow<'static, str>; 2] = [
    Cow::Borrowed("white"),
    Cow::Borrowed("black"),
];

static TYPES: [Cow<'static, str>; 2] = [
    Cow::Borrowed("Move"),
    Cow::Borrowed("Resign"),
];

static ACTIONS: [Action; 6] = [
    Action { verb: Verb::Send, from: 0, to: Cow::Borrowed(&[1]), message: Some(0) },
    Action { verb: Verb::Receive, from: 0, to: Cow::Borrowed(&[1]), message: None },
    Action { verb: Verb::Send, from: 0, to: Cow::Borrowed(&[1]), message: Some(1) },
    Action { verb: Verb::Send, from: 1, to: Cow::Borrowed(&[0]), message: Some(0) },
    Action { verb: Verb::Receive, from: 1, to: Cow::Borrowed(&[0]), message: None },
    Action { verb: Verb::Send, from: 1, to: Cow::Borrowed(&[0]), message: Some(1) },
];

static MACHINES: [Table; 1] = [
    Table {
        rows: Cow::Borrowed(&[0, 2, 3, 4, 6, 6, 7, 8, 10]),
        entries: Cow::Borrowed(&[Entry { action: 0, stamp: 0, next: 1 }, Entry { action: 2, stamp: 0, next: 2 }, Entry { action: 1, stamp: 0, next: 3 }, Entry { action: 1, stamp: 0, next: 4 }, Entry { action: 3, stamp: 0, next: 5 }, Entry { action: 5, stamp: 0, next: 6 }, Entry { action: 4, stamp: 0, next: 7 }, Entry { action: 4, stamp: 0, next: 4 }, Entry { action: 0, stamp: 0, next: 1 }, Entry { action: 2, stamp: 0, next: 2 }]),
        may_stop: Cow::Borrowed(&[false, false, false, false, true, false, false, false]),
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
