// Made by `motet protocol generate` from meetings.dcj (session `meetings`, liberal). Changes are lost when it is made again.

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

/// The same handles with a type for each state: an operation takes the state and gives the next one.
pub mod typed {
    use super::*;

    /// Opens a session in this process: the first state of each role.
    pub fn open() -> (Server0, Client0,) {
        let session = super::open();
        (Server0(session.server.0), Client0(session.client.0),)
    }

    /// `server` in state 0.
    #[must_use]
    pub struct Server0(pub(super) Endpoint<Message>);

    /// What may come from `client`, and the state after it.
    pub enum Server0FromClient {
        Ask(u8, Server1),
    }

    impl Server0 {
        pub fn recv_from_client(mut self) -> Result<Server0FromClient, Error> {
            let value = self.0.recv(1)?;
            match (value, self.0.state()) {
                (Message::Ask(value), Some(1)) => Ok(Server0FromClient::Ask(value, Server1(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from client".into())),
            }
        }
    }

    /// `server` in state 1.
    #[must_use]
    pub struct Server1(pub(super) Endpoint<Message>);

    impl Server1 {
        pub fn send_yes_to_client(mut self) -> Result<Server2, Error> {
            self.0.send_by(4, Message::Yes).map(|()| Server2(self.0))
        }

        pub fn send_no_to_client(mut self) -> Result<Server3, Error> {
            self.0.send_by(5, Message::No).map(|()| Server3(self.0))
        }
    }

    /// `server` in state 2.
    #[must_use]
    pub struct Server2(pub(super) Endpoint<Message>);

    /// What may come from `client`, and the state after it.
    pub enum Server2FromClient {
        Ask(u8, Server1),
    }

    impl Server2 {
        pub fn recv_from_client(mut self) -> Result<Server2FromClient, Error> {
            let value = self.0.recv(1)?;
            match (value, self.0.state()) {
                (Message::Ask(value), Some(1)) => Ok(Server2FromClient::Ask(value, Server1(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from client".into())),
            }
        }
    }

    /// `server` in state 3.
    #[must_use]
    pub struct Server3(pub(super) Endpoint<Message>);

    impl Server3 {
        pub fn close_to_client(mut self) -> Result<Server4, Error> {
            self.0.close(1).map(|()| Server4(self.0))
        }
    }

    /// `server` in state 4.
    #[must_use]
    pub struct Server4(pub(super) Endpoint<Message>);

    /// What may come from `client`, and the state after it.
    pub enum Server4FromClient {
        Bye(Server5),
    }

    impl Server4 {
        pub fn recv_from_client(mut self) -> Result<Server4FromClient, Error> {
            let value = self.0.recv(1)?;
            match (value, self.0.state()) {
                (Message::Bye, Some(5)) => Ok(Server4FromClient::Bye(Server5(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from client".into())),
            }
        }
    }

    /// `server` in state 5; the session may be over.
    #[must_use]
    pub struct Server5(pub(super) Endpoint<Message>);

    /// `client` in state 0.
    #[must_use]
    pub struct Client0(pub(super) Endpoint<Message>);

    impl Client0 {
        pub fn send_ask_to_server(mut self, value: u8) -> Result<Client1, Error> {
            self.0.send_by(3, Message::Ask(value)).map(|()| Client1(self.0))
        }
    }

    /// `client` in state 1.
    #[must_use]
    pub struct Client1(pub(super) Endpoint<Message>);

    /// What may come from `server`, and the state after it.
    pub enum Client1FromServer {
        Yes(Client2),
        No(Client3),
    }

    impl Client1 {
        pub fn recv_from_server(mut self) -> Result<Client1FromServer, Error> {
            let value = self.0.recv(0)?;
            match (value, self.0.state()) {
                (Message::Yes, Some(2)) => Ok(Client1FromServer::Yes(Client2(self.0))),
                (Message::No, Some(3)) => Ok(Client1FromServer::No(Client3(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from server".into())),
            }
        }
    }

    /// `client` in state 2.
    #[must_use]
    pub struct Client2(pub(super) Endpoint<Message>);

    impl Client2 {
        pub fn send_ask_to_server(mut self, value: u8) -> Result<Client1, Error> {
            self.0.send_by(3, Message::Ask(value)).map(|()| Client1(self.0))
        }
    }

    /// `client` in state 3.
    #[must_use]
    pub struct Client3(pub(super) Endpoint<Message>);

    impl Client3 {
        pub fn send_bye_to_server(mut self) -> Result<Client4, Error> {
            self.0.send_by(1, Message::Bye).map(|()| Client4(self.0))
        }
    }

    /// `client` in state 4; the session may be over.
    #[must_use]
    pub struct Client4(pub(super) Endpoint<Message>);

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

static MACHINES: [Table; 2] = [
    Table {
        rows: Cow::Borrowed(&[0, 0, 0, 0, 1, 2, 2]),
        entries: Cow::Borrowed(&[Entry { action: 0, stamp: 1, next: 4 }, Entry { action: 2, stamp: 0, next: 5 }]),
        may_stop: Cow::Borrowed(&[false, false, false, false, false, true]),
    },
    Table {
        rows: Cow::Borrowed(&[0, 0, 0, 0, 1, 1]),
        entries: Cow::Borrowed(&[Entry { action: 1, stamp: 0, next: 4 }]),
        may_stop: Cow::Borrowed(&[false, false, false, false, true]),
    },
];

static MEETINGS: [Meeting; 4] = [
    Meeting { action: 3, sender: 0, receiver: 0, sender_next: 1, receiver_next: 1 },
    Meeting { action: 3, sender: 2, receiver: 2, sender_next: 1, receiver_next: 1 },
    Meeting { action: 4, sender: 1, receiver: 1, sender_next: 2, receiver_next: 2 },
    Meeting { action: 5, sender: 1, receiver: 1, sender_next: 3, receiver_next: 3 },
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
