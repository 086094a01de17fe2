// Made by `motet protocol generate` from butterfly.dcj (session `butterfly` 3, liberal). Changes are lost when it is made again.

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
}

impl Payload for Message {
    fn kind(&self) -> Option<u32> {
        match self {
            Message::Value(_) => Some(0),
        }
    }
}

/// The numbers of the roles.
pub mod role {
    pub const WORKER_0: u32 = 0;
    pub const WORKER_1: u32 = 1;
    pub const WORKER_2: u32 = 2;
    pub const WORKER_3: u32 = 3;
    pub const WORKER_4: u32 = 4;
    pub const WORKER_5: u32 = 5;
    pub const WORKER_6: u32 = 6;
    pub const WORKER_7: u32 = 7;
}

/// A session: a handle for each role.
pub struct Session {
    pub worker_0: Worker0,
    pub worker_1: Worker1,
    pub worker_2: Worker2,
    pub worker_3: Worker3,
    pub worker_4: Worker4,
    pub worker_5: Worker5,
    pub worker_6: Worker6,
    pub worker_7: Worker7,
}

/// Opens a session in this process.
pub fn open() -> Session {
    let mut ends = motet_session::open(&TABLES).into_iter();
    let mut next = || ends.next().expect("there is an endpoint for each role");
    Session {
        worker_0: Worker0(next()),
        worker_1: Worker1(next()),
        worker_2: Worker2(next()),
        worker_3: Worker3(next()),
        worker_4: Worker4(next()),
        worker_5: Worker5(next()),
        worker_6: Worker6(next()),
        worker_7: Worker7(next()),
    }
}

/// What `worker[0]` holds.
pub struct Worker0(pub Endpoint<Message>);

impl Worker0 {
    pub fn send_value_to_worker_1(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(0, Message::Value(value))
    }

    pub fn recv_from_worker_1(&mut self) -> Result<Message, Error> {
        self.0.recv(1)
    }

    pub fn send_value_to_worker_2(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(16, Message::Value(value))
    }

    pub fn recv_from_worker_2(&mut self) -> Result<Message, Error> {
        self.0.recv(2)
    }

    pub fn send_value_to_worker_4(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(32, Message::Value(value))
    }

    pub fn recv_from_worker_4(&mut self) -> Result<Message, Error> {
        self.0.recv(4)
    }

}

impl ops::Deref for Worker0 {
    type Target = Endpoint<Message>;

    fn deref(&self) -> &Endpoint<Message> {
        &self.0
    }
}

impl ops::DerefMut for Worker0 {
    fn deref_mut(&mut self) -> &mut Endpoint<Message> {
        &mut self.0
    }
}

/// What `worker[1]` holds.
pub struct Worker1(pub Endpoint<Message>);

impl Worker1 {
    pub fn recv_from_worker_0(&mut self) -> Result<Message, Error> {
        self.0.recv(0)
    }

    pub fn send_value_to_worker_0(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(2, Message::Value(value))
    }

    pub fn send_value_to_worker_3(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(18, Message::Value(value))
    }

    pub fn recv_from_worker_3(&mut self) -> Result<Message, Error> {
        self.0.recv(3)
    }

    pub fn send_value_to_worker_5(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(34, Message::Value(value))
    }

    pub fn recv_from_worker_5(&mut self) -> Result<Message, Error> {
        self.0.recv(5)
    }

}

impl ops::Deref for Worker1 {
    type Target = Endpoint<Message>;

    fn deref(&self) -> &Endpoint<Message> {
        &self.0
    }
}

impl ops::DerefMut for Worker1 {
    fn deref_mut(&mut self) -> &mut Endpoint<Message> {
        &mut self.0
    }
}

/// What `worker[2]` holds.
pub struct Worker2(pub Endpoint<Message>);

impl Worker2 {
    pub fn send_value_to_worker_3(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(4, Message::Value(value))
    }

    pub fn recv_from_worker_3(&mut self) -> Result<Message, Error> {
        self.0.recv(3)
    }

    pub fn recv_from_worker_0(&mut self) -> Result<Message, Error> {
        self.0.recv(0)
    }

    pub fn send_value_to_worker_0(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(20, Message::Value(value))
    }

    pub fn send_value_to_worker_6(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(36, Message::Value(value))
    }

    pub fn recv_from_worker_6(&mut self) -> Result<Message, Error> {
        self.0.recv(6)
    }

}

impl ops::Deref for Worker2 {
    type Target = Endpoint<Message>;

    fn deref(&self) -> &Endpoint<Message> {
        &self.0
    }
}

impl ops::DerefMut for Worker2 {
    fn deref_mut(&mut self) -> &mut Endpoint<Message> {
        &mut self.0
    }
}

/// What `worker[3]` holds.
pub struct Worker3(pub Endpoint<Message>);

impl Worker3 {
    pub fn recv_from_worker_2(&mut self) -> Result<Message, Error> {
        self.0.recv(2)
    }

    pub fn send_value_to_worker_2(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(6, Message::Value(value))
    }

    pub fn recv_from_worker_1(&mut self) -> Result<Message, Error> {
        self.0.recv(1)
    }

    pub fn send_value_to_worker_1(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(22, Message::Value(value))
    }

    pub fn send_value_to_worker_7(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(38, Message::Value(value))
    }

    pub fn recv_from_worker_7(&mut self) -> Result<Message, Error> {
        self.0.recv(7)
    }

}

impl ops::Deref for Worker3 {
    type Target = Endpoint<Message>;

    fn deref(&self) -> &Endpoint<Message> {
        &self.0
    }
}

impl ops::DerefMut for Worker3 {
    fn deref_mut(&mut self) -> &mut Endpoint<Message> {
        &mut self.0
    }
}

/// What `worker[4]` holds.
pub struct Worker4(pub Endpoint<Message>);

impl Worker4 {
    pub fn send_value_to_worker_5(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(8, Message::Value(value))
    }

    pub fn recv_from_worker_5(&mut self) -> Result<Message, Error> {
        self.0.recv(5)
    }

    pub fn send_value_to_worker_6(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(24, Message::Value(value))
    }

    pub fn recv_from_worker_6(&mut self) -> Result<Message, Error> {
        self.0.recv(6)
    }

    pub fn recv_from_worker_0(&mut self) -> Result<Message, Error> {
        self.0.recv(0)
    }

    pub fn send_value_to_worker_0(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(40, Message::Value(value))
    }

}

impl ops::Deref for Worker4 {
    type Target = Endpoint<Message>;

    fn deref(&self) -> &Endpoint<Message> {
        &self.0
    }
}

impl ops::DerefMut for Worker4 {
    fn deref_mut(&mut self) -> &mut Endpoint<Message> {
        &mut self.0
    }
}

/// What `worker[5]` holds.
pub struct Worker5(pub Endpoint<Message>);

impl Worker5 {
    pub fn recv_from_worker_4(&mut self) -> Result<Message, Error> {
        self.0.recv(4)
    }

    pub fn send_value_to_worker_4(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(10, Message::Value(value))
    }

    pub fn send_value_to_worker_7(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(26, Message::Value(value))
    }

    pub fn recv_from_worker_7(&mut self) -> Result<Message, Error> {
        self.0.recv(7)
    }

    pub fn recv_from_worker_1(&mut self) -> Result<Message, Error> {
        self.0.recv(1)
    }

    pub fn send_value_to_worker_1(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(42, Message::Value(value))
    }

}

impl ops::Deref for Worker5 {
    type Target = Endpoint<Message>;

    fn deref(&self) -> &Endpoint<Message> {
        &self.0
    }
}

impl ops::DerefMut for Worker5 {
    fn deref_mut(&mut self) -> &mut Endpoint<Message> {
        &mut self.0
    }
}

/// What `worker[6]` holds.
pub struct Worker6(pub Endpoint<Message>);

impl Worker6 {
    pub fn send_value_to_worker_7(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(12, Message::Value(value))
    }

    pub fn recv_from_worker_7(&mut self) -> Result<Message, Error> {
        self.0.recv(7)
    }

    pub fn recv_from_worker_4(&mut self) -> Result<Message, Error> {
        self.0.recv(4)
    }

    pub fn send_value_to_worker_4(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(28, Message::Value(value))
    }

    pub fn recv_from_worker_2(&mut self) -> Result<Message, Error> {
        self.0.recv(2)
    }

    pub fn send_value_to_worker_2(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(44, Message::Value(value))
    }

}

impl ops::Deref for Worker6 {
    type Target = Endpoint<Message>;

    fn deref(&self) -> &Endpoint<Message> {
        &self.0
    }
}

impl ops::DerefMut for Worker6 {
    fn deref_mut(&mut self) -> &mut Endpoint<Message> {
        &mut self.0
    }
}

/// What `worker[7]` holds.
pub struct Worker7(pub Endpoint<Message>);

impl Worker7 {
    pub fn recv_from_worker_6(&mut self) -> Result<Message, Error> {
        self.0.recv(6)
    }

    pub fn send_value_to_worker_6(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(14, Message::Value(value))
    }

    pub fn recv_from_worker_5(&mut self) -> Result<Message, Error> {
        self.0.recv(5)
    }

    pub fn send_value_to_worker_5(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(30, Message::Value(value))
    }

    pub fn recv_from_worker_3(&mut self) -> Result<Message, Error> {
        self.0.recv(3)
    }

    pub fn send_value_to_worker_3(&mut self, value: u64) -> Result<(), Error> {
        self.0.send_by(46, Message::Value(value))
    }

}

impl ops::Deref for Worker7 {
    type Target = Endpoint<Message>;

    fn deref(&self) -> &Endpoint<Message> {
        &self.0
    }
}

impl ops::DerefMut for Worker7 {
    fn deref_mut(&mut self) -> &mut Endpoint<Message> {
        &mut self.0
    }
}

static ROLES: [Cow<'static, str>; 8] = [
    Cow::Borrowed("worker[0]"),
    Cow::Borrowed("worker[1]"),
    Cow::Borrowed("worker[2]"),
    Cow::Borrowed("worker[3]"),
    Cow::Borrowed("worker[4]"),
    Cow::Borrowed("worker[5]"),
    Cow::Borrowed("worker[6]"),
    Cow::Borrowed("worker[7]"),
];

static TYPES: [Cow<'static, str>; 1] = [
    Cow::Borrowed("Value"),
];

static ACTIONS: [Action; 48] = [
    Action { verb: Verb::Send, from: 0, to: Cow::Borrowed(&[1]), message: Some(0) },
    Action { verb: Verb::Receive, from: 0, to: Cow::Borrowed(&[1]), message: None },
    Action { verb: Verb::Send, from: 1, to: Cow::Borrowed(&[0]), message: Some(0) },
    Action { verb: Verb::Receive, from: 1, to: Cow::Borrowed(&[0]), message: None },
    Action { verb: Verb::Send, from: 2, to: Cow::Borrowed(&[3]), message: Some(0) },
    Action { verb: Verb::Receive, from: 2, to: Cow::Borrowed(&[3]), message: None },
    Action { verb: Verb::Send, from: 3, to: Cow::Borrowed(&[2]), message: Some(0) },
    Action { verb: Verb::Receive, from: 3, to: Cow::Borrowed(&[2]), message: None },
    Action { verb: Verb::Send, from: 4, to: Cow::Borrowed(&[5]), message: Some(0) },
    Action { verb: Verb::Receive, from: 4, to: Cow::Borrowed(&[5]), message: None },
    Action { verb: Verb::Send, from: 5, to: Cow::Borrowed(&[4]), message: Some(0) },
    Action { verb: Verb::Receive, from: 5, to: Cow::Borrowed(&[4]), message: None },
    Action { verb: Verb::Send, from: 6, to: Cow::Borrowed(&[7]), message: Some(0) },
    Action { verb: Verb::Receive, from: 6, to: Cow::Borrowed(&[7]), message: None },
    Action { verb: Verb::Send, from: 7, to: Cow::Borrowed(&[6]), message: Some(0) },
    Action { verb: Verb::Receive, from: 7, to: Cow::Borrowed(&[6]), message: None },
    Action { verb: Verb::Send, from: 0, to: Cow::Borrowed(&[2]), message: Some(0) },
    Action { verb: Verb::Receive, from: 0, to: Cow::Borrowed(&[2]), message: None },
    Action { verb: Verb::Send, from: 1, to: Cow::Borrowed(&[3]), message: Some(0) },
    Action { verb: Verb::Receive, from: 1, to: Cow::Borrowed(&[3]), message: None },
    Action { verb: Verb::Send, from: 2, to: Cow::Borrowed(&[0]), message: Some(0) },
    Action { verb: Verb::Receive, from: 2, to: Cow::Borrowed(&[0]), message: None },
    Action { verb: Verb::Send, from: 3, to: Cow::Borrowed(&[1]), message: Some(0) },
    Action { verb: Verb::Receive, from: 3, to: Cow::Borrowed(&[1]), message: None },
    Action { verb: Verb::Send, from: 4, to: Cow::Borrowed(&[6]), message: Some(0) },
    Action { verb: Verb::Receive, from: 4, to: Cow::Borrowed(&[6]), message: None },
    Action { verb: Verb::Send, from: 5, to: Cow::Borrowed(&[7]), message: Some(0) },
    Action { verb: Verb::Receive, from: 5, to: Cow::Borrowed(&[7]), message: None },
    Action { verb: Verb::Send, from: 6, to: Cow::Borrowed(&[4]), message: Some(0) },
    Action { verb: Verb::Receive, from: 6, to: Cow::Borrowed(&[4]), message: None },
    Action { verb: Verb::Send, from: 7, to: Cow::Borrowed(&[5]), message: Some(0) },
    Action { verb: Verb::Receive, from: 7, to: Cow::Borrowed(&[5]), message: None },
    Action { verb: Verb::Send, from: 0, to: Cow::Borrowed(&[4]), message: Some(0) },
    Action { verb: Verb::Receive, from: 0, to: Cow::Borrowed(&[4]), message: None },
    Action { verb: Verb::Send, from: 1, to: Cow::Borrowed(&[5]), message: Some(0) },
    Action { verb: Verb::Receive, from: 1, to: Cow::Borrowed(&[5]), message: None },
    Action { verb: Verb::Send, from: 2, to: Cow::Borrowed(&[6]), message: Some(0) },
    Action { verb: Verb::Receive, from: 2, to: Cow::Borrowed(&[6]), message: None },
    Action { verb: Verb::Send, from: 3, to: Cow::Borrowed(&[7]), message: Some(0) },
    Action { verb: Verb::Receive, from: 3, to: Cow::Borrowed(&[7]), message: None },
    Action { verb: Verb::Send, from: 4, to: Cow::Borrowed(&[0]), message: Some(0) },
    Action { verb: Verb::Receive, from: 4, to: Cow::Borrowed(&[0]), message: None },
    Action { verb: Verb::Send, from: 5, to: Cow::Borrowed(&[1]), message: Some(0) },
    Action { verb: Verb::Receive, from: 5, to: Cow::Borrowed(&[1]), message: None },
    Action { verb: Verb::Send, from: 6, to: Cow::Borrowed(&[2]), message: Some(0) },
    Action { verb: Verb::Receive, from: 6, to: Cow::Borrowed(&[2]), message: None },
    Action { verb: Verb::Send, from: 7, to: Cow::Borrowed(&[3]), message: Some(0) },
    Action { verb: Verb::Receive, from: 7, to: Cow::Borrowed(&[3]), message: None },
];

static MACHINES: [Table; 8] = [
    Table {
        rows: Cow::Borrowed(&[0, 2, 4, 5, 7, 9, 10, 12, 14, 15, 15]),
        entries: Cow::Borrowed(&[Entry { action: 0, stamp: 0, next: 1 }, Entry { action: 3, stamp: 1, next: 2 }, Entry { action: 3, stamp: 1, next: 3 }, Entry { action: 3, stamp: 8, next: 3 }, Entry { action: 0, stamp: 16, next: 3 }, Entry { action: 16, stamp: 17, next: 4 }, Entry { action: 21, stamp: 19, next: 5 }, Entry { action: 21, stamp: 19, next: 6 }, Entry { action: 21, stamp: 30, next: 6 }, Entry { action: 16, stamp: 37, next: 6 }, Entry { action: 32, stamp: 38, next: 7 }, Entry { action: 41, stamp: 41, next: 8 }, Entry { action: 41, stamp: 41, next: 9 }, Entry { action: 41, stamp: 46, next: 9 }, Entry { action: 32, stamp: 47, next: 9 }]),
        may_stop: Cow::Borrowed(&[false, false, false, false, false, false, false, false, false, true]),
    },
    Table {
        rows: Cow::Borrowed(&[0, 2, 4, 5, 7, 9, 10, 12, 14, 15, 15]),
        entries: Cow::Borrowed(&[Entry { action: 1, stamp: 0, next: 2 }, Entry { action: 2, stamp: 1, next: 1 }, Entry { action: 1, stamp: 0, next: 3 }, Entry { action: 1, stamp: 16, next: 3 }, Entry { action: 2, stamp: 8, next: 3 }, Entry { action: 18, stamp: 9, next: 4 }, Entry { action: 23, stamp: 11, next: 5 }, Entry { action: 23, stamp: 11, next: 6 }, Entry { action: 23, stamp: 20, next: 6 }, Entry { action: 18, stamp: 28, next: 6 }, Entry { action: 34, stamp: 29, next: 7 }, Entry { action: 43, stamp: 33, next: 8 }, Entry { action: 43, stamp: 33, next: 9 }, Entry { action: 43, stamp: 42, next: 9 }, Entry { action: 34, stamp: 44, next: 9 }]),
        may_stop: Cow::Borrowed(&[false, false, false, false, false, false, false, false, false, true]),
    },
    Table {
        rows: Cow::Borrowed(&[0, 2, 4, 5, 7, 9, 10, 12, 14, 15, 15]),
        entries: Cow::Borrowed(&[Entry { action: 4, stamp: 2, next: 1 }, Entry { action: 7, stamp: 3, next: 2 }, Entry { action: 7, stamp: 3, next: 3 }, Entry { action: 7, stamp: 10, next: 3 }, Entry { action: 4, stamp: 18, next: 3 }, Entry { action: 17, stamp: 17, next: 5 }, Entry { action: 20, stamp: 19, next: 4 }, Entry { action: 17, stamp: 17, next: 6 }, Entry { action: 17, stamp: 37, next: 6 }, Entry { action: 20, stamp: 30, next: 6 }, Entry { action: 36, stamp: 31, next: 7 }, Entry { action: 45, stamp: 35, next: 8 }, Entry { action: 45, stamp: 35, next: 9 }, Entry { action: 45, stamp: 43, next: 9 }, Entry { action: 36, stamp: 45, next: 9 }]),
        may_stop: Cow::Borrowed(&[false, false, false, false, false, false, false, false, false, true]),
    },
    Table {
        rows: Cow::Borrowed(&[0, 2, 4, 5, 7, 9, 10, 12, 14, 15, 15]),
        entries: Cow::Borrowed(&[Entry { action: 5, stamp: 2, next: 2 }, Entry { action: 6, stamp: 3, next: 1 }, Entry { action: 5, stamp: 2, next: 3 }, Entry { action: 5, stamp: 18, next: 3 }, Entry { action: 6, stamp: 10, next: 3 }, Entry { action: 19, stamp: 9, next: 5 }, Entry { action: 22, stamp: 11, next: 4 }, Entry { action: 19, stamp: 9, next: 6 }, Entry { action: 19, stamp: 28, next: 6 }, Entry { action: 22, stamp: 20, next: 6 }, Entry { action: 38, stamp: 21, next: 7 }, Entry { action: 47, stamp: 27, next: 8 }, Entry { action: 47, stamp: 27, next: 9 }, Entry { action: 47, stamp: 36, next: 9 }, Entry { action: 38, stamp: 39, next: 9 }]),
        may_stop: Cow::Borrowed(&[false, false, false, false, false, false, false, false, false, true]),
    },
    Table {
        rows: Cow::Borrowed(&[0, 2, 4, 5, 7, 9, 10, 12, 14, 15, 15]),
        entries: Cow::Borrowed(&[Entry { action: 8, stamp: 4, next: 1 }, Entry { action: 11, stamp: 5, next: 2 }, Entry { action: 11, stamp: 5, next: 3 }, Entry { action: 11, stamp: 12, next: 3 }, Entry { action: 8, stamp: 22, next: 3 }, Entry { action: 24, stamp: 23, next: 4 }, Entry { action: 29, stamp: 25, next: 5 }, Entry { action: 29, stamp: 25, next: 6 }, Entry { action: 29, stamp: 34, next: 6 }, Entry { action: 24, stamp: 40, next: 6 }, Entry { action: 33, stamp: 38, next: 8 }, Entry { action: 40, stamp: 41, next: 7 }, Entry { action: 33, stamp: 38, next: 9 }, Entry { action: 33, stamp: 47, next: 9 }, Entry { action: 40, stamp: 46, next: 9 }]),
        may_stop: Cow::Borrowed(&[false, false, false, false, false, false, false, false, false, true]),
    },
    Table {
        rows: Cow::Borrowed(&[0, 2, 4, 5, 7, 9, 10, 12, 14, 15, 15]),
        entries: Cow::Borrowed(&[Entry { action: 9, stamp: 4, next: 2 }, Entry { action: 10, stamp: 5, next: 1 }, Entry { action: 9, stamp: 4, next: 3 }, Entry { action: 9, stamp: 22, next: 3 }, Entry { action: 10, stamp: 12, next: 3 }, Entry { action: 26, stamp: 13, next: 4 }, Entry { action: 31, stamp: 15, next: 5 }, Entry { action: 31, stamp: 15, next: 6 }, Entry { action: 31, stamp: 26, next: 6 }, Entry { action: 26, stamp: 32, next: 6 }, Entry { action: 35, stamp: 29, next: 8 }, Entry { action: 42, stamp: 33, next: 7 }, Entry { action: 35, stamp: 29, next: 9 }, Entry { action: 35, stamp: 44, next: 9 }, Entry { action: 42, stamp: 42, next: 9 }]),
        may_stop: Cow::Borrowed(&[false, false, false, false, false, false, false, false, false, true]),
    },
    Table {
        rows: Cow::Borrowed(&[0, 2, 4, 5, 7, 9, 10, 12, 14, 15, 15]),
        entries: Cow::Borrowed(&[Entry { action: 12, stamp: 6, next: 1 }, Entry { action: 15, stamp: 7, next: 2 }, Entry { action: 15, stamp: 7, next: 3 }, Entry { action: 15, stamp: 14, next: 3 }, Entry { action: 12, stamp: 24, next: 3 }, Entry { action: 25, stamp: 23, next: 5 }, Entry { action: 28, stamp: 25, next: 4 }, Entry { action: 25, stamp: 23, next: 6 }, Entry { action: 25, stamp: 40, next: 6 }, Entry { action: 28, stamp: 34, next: 6 }, Entry { action: 37, stamp: 31, next: 8 }, Entry { action: 44, stamp: 35, next: 7 }, Entry { action: 37, stamp: 31, next: 9 }, Entry { action: 37, stamp: 45, next: 9 }, Entry { action: 44, stamp: 43, next: 9 }]),
        may_stop: Cow::Borrowed(&[false, false, false, false, false, false, false, false, false, true]),
    },
    Table {
        rows: Cow::Borrowed(&[0, 2, 4, 5, 7, 9, 10, 12, 14, 15, 15]),
        entries: Cow::Borrowed(&[Entry { action: 13, stamp: 6, next: 2 }, Entry { action: 14, stamp: 7, next: 1 }, Entry { action: 13, stamp: 6, next: 3 }, Entry { action: 13, stamp: 24, next: 3 }, Entry { action: 14, stamp: 14, next: 3 }, Entry { action: 27, stamp: 13, next: 5 }, Entry { action: 30, stamp: 15, next: 4 }, Entry { action: 27, stamp: 13, next: 6 }, Entry { action: 27, stamp: 32, next: 6 }, Entry { action: 30, stamp: 26, next: 6 }, Entry { action: 39, stamp: 21, next: 8 }, Entry { action: 46, stamp: 27, next: 7 }, Entry { action: 39, stamp: 21, next: 9 }, Entry { action: 39, stamp: 39, next: 9 }, Entry { action: 46, stamp: 36, next: 9 }]),
        may_stop: Cow::Borrowed(&[false, false, false, false, false, false, false, false, false, true]),
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
    channels: Cow::Borrowed(&[(0, 1), (0, 2), (0, 4), (1, 0), (1, 3), (1, 5), (2, 0), (2, 3), (2, 6), (3, 1), (3, 2), (3, 7), (4, 0), (4, 5), (4, 6), (5, 1), (5, 4), (5, 7), (6, 2), (6, 4), (6, 7), (7, 3), (7, 5), (7, 6)]),
    capacity: None,
};
