// Made by `motet protocol generate` from turn-game.dcj (session `turn-game`, liberal). Changes are lost when it is made again.

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
    /// Joins a session whose roles are in different processes, at these addresses.
    pub fn join(addresses: &[std::net::SocketAddr]) -> Result<White, Error> {
        motet_session::tcp::join(&TABLES, 0, addresses).map(White)
    }

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
    /// Joins a session whose roles are in different processes, at these addresses.
    pub fn join(addresses: &[std::net::SocketAddr]) -> Result<Black, Error> {
        motet_session::tcp::join(&TABLES, 1, addresses).map(Black)
    }

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

/// The same handles with a type for each state: an operation takes the state and gives the next one.
pub mod typed {
    use super::*;

    /// Opens a session in this process: the first state of each role.
    pub fn open() -> (White0, Black0,) {
        let session = super::open();
        (White0(session.white.0), Black0(session.black.0),)
    }

    /// `white` in state 0.
    #[must_use]
    pub struct White0(pub(super) Endpoint<Message>);

    impl White0 {
        pub fn send_move_to_black(mut self, value: u32) -> Result<White1, Error> {
            self.0.send_by(0, Message::Move(value)).map(|()| White1(self.0))
        }

        pub fn send_resign_to_black(mut self) -> Result<White2, Error> {
            self.0.send_by(2, Message::Resign).map(|()| White2(self.0))
        }
    }

    /// `white` in state 1.
    #[must_use]
    pub struct White1(pub(super) Endpoint<Message>);

    /// What may come from `black`, and the state after it.
    pub enum White1FromBlack {
        Move(u32, White3),
        Resign(White2),
    }

    impl White1 {
        pub fn recv_from_black(mut self) -> Result<White1FromBlack, Error> {
            let value = self.0.recv(1)?;
            match (value, self.0.state()) {
                (Message::Move(value), Some(3)) => Ok(White1FromBlack::Move(value, White3(self.0))),
                (Message::Resign, Some(2)) => Ok(White1FromBlack::Resign(White2(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from black".into())),
            }
        }
    }

    /// `white` in state 2; the session may be over.
    #[must_use]
    pub struct White2(pub(super) Endpoint<Message>);

    /// `white` in state 3.
    #[must_use]
    pub struct White3(pub(super) Endpoint<Message>);

    impl White3 {
        pub fn send_move_to_black(mut self, value: u32) -> Result<White1, Error> {
            self.0.send_by(0, Message::Move(value)).map(|()| White1(self.0))
        }

        pub fn send_resign_to_black(mut self) -> Result<White2, Error> {
            self.0.send_by(2, Message::Resign).map(|()| White2(self.0))
        }
    }

    /// `black` in state 0.
    #[must_use]
    pub struct Black0(pub(super) Endpoint<Message>);

    /// What may come from `white`, and the state after it.
    pub enum Black0FromWhite {
        Move(u32, Black1),
        Resign(Black2),
    }

    impl Black0 {
        pub fn recv_from_white(mut self) -> Result<Black0FromWhite, Error> {
            let value = self.0.recv(0)?;
            match (value, self.0.state()) {
                (Message::Move(value), Some(1)) => Ok(Black0FromWhite::Move(value, Black1(self.0))),
                (Message::Resign, Some(2)) => Ok(Black0FromWhite::Resign(Black2(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from white".into())),
            }
        }
    }

    /// `black` in state 1.
    #[must_use]
    pub struct Black1(pub(super) Endpoint<Message>);

    impl Black1 {
        pub fn send_move_to_white(mut self, value: u32) -> Result<Black0, Error> {
            self.0.send_by(3, Message::Move(value)).map(|()| Black0(self.0))
        }

        pub fn send_resign_to_white(mut self) -> Result<Black2, Error> {
            self.0.send_by(5, Message::Resign).map(|()| Black2(self.0))
        }
    }

    /// `black` in state 2; the session may be over.
    #[must_use]
    pub struct Black2(pub(super) Endpoint<Message>);

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

static MACHINES: [Table; 2] = [
    Table {
        rows: Cow::Borrowed(&[0, 2, 4, 4, 6]),
        entries: Cow::Borrowed(&[Entry { action: 0, stamp: 0, next: 1 }, Entry { action: 2, stamp: 1, next: 2 }, Entry { action: 4, stamp: 2, next: 3 }, Entry { action: 4, stamp: 3, next: 2 }, Entry { action: 0, stamp: 0, next: 1 }, Entry { action: 2, stamp: 1, next: 2 }]),
        may_stop: Cow::Borrowed(&[false, false, true, false]),
    },
    Table {
        rows: Cow::Borrowed(&[0, 2, 4, 4]),
        entries: Cow::Borrowed(&[Entry { action: 1, stamp: 0, next: 1 }, Entry { action: 1, stamp: 1, next: 2 }, Entry { action: 3, stamp: 2, next: 0 }, Entry { action: 5, stamp: 3, next: 2 }]),
        may_stop: Cow::Borrowed(&[false, false, true]),
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
    channels: Cow::Borrowed(&[(0, 1), (1, 0)]),
    capacity: None,
};
