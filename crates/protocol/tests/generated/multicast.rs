// Made by `motet protocol generate` from multicast.dcj (session `multicast`, liberal). Changes are lost when it is made again.

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
    Prepare(String),
    Vote,
    Commit,
    Abort,
}

impl Payload for Message {
    fn kind(&self) -> Option<u32> {
        match self {
            Message::Prepare(_) => Some(0),
            Message::Vote => Some(1),
            Message::Commit => Some(2),
            Message::Abort => Some(3),
        }
    }
}

/// The numbers of the roles.
pub mod role {
    pub const COORDINATOR: u32 = 0;
    pub const WORKER_0: u32 = 1;
    pub const WORKER_1: u32 = 2;
    pub const WORKER_2: u32 = 3;
}

/// A session: a handle for each role.
pub struct Session {
    pub coordinator: Coordinator,
    pub worker_0: Worker0,
    pub worker_1: Worker1,
    pub worker_2: Worker2,
}

/// Opens a session in this process.
pub fn open() -> Session {
    let mut ends = motet_session::open(&TABLES).into_iter();
    let mut next = || ends.next().expect("there is an endpoint for each role");
    Session {
        coordinator: Coordinator(next()),
        worker_0: Worker0(next()),
        worker_1: Worker1(next()),
        worker_2: Worker2(next()),
    }
}

/// What `coordinator` holds.
pub struct Coordinator(pub Endpoint<Message>);

impl Coordinator {
    pub fn send_prepare_to_worker_0_and_worker_1_and_worker_2(&mut self, value: String) -> Result<(), Error> {
        self.0.send_all(&[1, 2, 3], Message::Prepare(value))
    }

    pub fn recv_from_worker_0(&mut self) -> Result<Message, Error> {
        self.0.recv(1)
    }

    pub fn recv_from_worker_1(&mut self) -> Result<Message, Error> {
        self.0.recv(2)
    }

    pub fn recv_from_worker_2(&mut self) -> Result<Message, Error> {
        self.0.recv(3)
    }

    pub fn send_commit_to_worker_0_and_worker_1_and_worker_2(&mut self) -> Result<(), Error> {
        self.0.send_all(&[1, 2, 3], Message::Commit)
    }

    pub fn send_abort_to_worker_0_and_worker_1_and_worker_2(&mut self) -> Result<(), Error> {
        self.0.send_all(&[1, 2, 3], Message::Abort)
    }

}

impl ops::Deref for Coordinator {
    type Target = Endpoint<Message>;

    fn deref(&self) -> &Endpoint<Message> {
        &self.0
    }
}

impl ops::DerefMut for Coordinator {
    fn deref_mut(&mut self) -> &mut Endpoint<Message> {
        &mut self.0
    }
}

/// What `worker[0]` holds.
pub struct Worker0(pub Endpoint<Message>);

impl Worker0 {
    pub fn recv_from_coordinator(&mut self) -> Result<Message, Error> {
        self.0.recv(0)
    }

    pub fn send_vote_to_coordinator(&mut self) -> Result<(), Error> {
        self.0.send_by(4, Message::Vote)
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
    pub fn recv_from_coordinator(&mut self) -> Result<Message, Error> {
        self.0.recv(0)
    }

    pub fn send_vote_to_coordinator(&mut self) -> Result<(), Error> {
        self.0.send_by(6, Message::Vote)
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
    pub fn recv_from_coordinator(&mut self) -> Result<Message, Error> {
        self.0.recv(0)
    }

    pub fn send_vote_to_coordinator(&mut self) -> Result<(), Error> {
        self.0.send_by(8, Message::Vote)
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

/// The same handles with a type for each state: an operation takes the state and gives the next one.
pub mod typed {
    use super::*;

    /// Opens a session in this process: the first state of each role.
    pub fn open() -> (Coordinator0, Worker00, Worker10, Worker20,) {
        let session = super::open();
        (Coordinator0(session.coordinator.0), Worker00(session.worker_0.0), Worker10(session.worker_1.0), Worker20(session.worker_2.0),)
    }

    /// `coordinator` in state 0; the session may be over.
    #[must_use]
    pub struct Coordinator0(pub(super) Endpoint<Message>);

    impl Coordinator0 {
        pub fn send_prepare_to_worker_0_and_worker_1_and_worker_2(mut self, value: String) -> Result<Coordinator1, Error> {
            self.0.send_all(&[1, 2, 3], Message::Prepare(value)).map(|()| Coordinator1(self.0))
        }
    }

    /// `coordinator` in state 1.
    #[must_use]
    pub struct Coordinator1(pub(super) Endpoint<Message>);

    /// What may come from `worker_0`, and the state after it.
    pub enum Coordinator1FromWorker0 {
        Vote(Coordinator2),
    }

    /// What may come from `worker_1`, and the state after it.
    pub enum Coordinator1FromWorker1 {
        Vote(Coordinator3),
    }

    /// What may come from `worker_2`, and the state after it.
    pub enum Coordinator1FromWorker2 {
        Vote(Coordinator4),
    }

    impl Coordinator1 {
        pub fn recv_from_worker_0(mut self) -> Result<Coordinator1FromWorker0, Error> {
            let value = self.0.recv(1)?;
            match (value, self.0.state()) {
                (Message::Vote, Some(2)) => Ok(Coordinator1FromWorker0::Vote(Coordinator2(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from worker_0".into())),
            }
        }

        pub fn recv_from_worker_1(mut self) -> Result<Coordinator1FromWorker1, Error> {
            let value = self.0.recv(2)?;
            match (value, self.0.state()) {
                (Message::Vote, Some(3)) => Ok(Coordinator1FromWorker1::Vote(Coordinator3(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from worker_1".into())),
            }
        }

        pub fn recv_from_worker_2(mut self) -> Result<Coordinator1FromWorker2, Error> {
            let value = self.0.recv(3)?;
            match (value, self.0.state()) {
                (Message::Vote, Some(4)) => Ok(Coordinator1FromWorker2::Vote(Coordinator4(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from worker_2".into())),
            }
        }
    }

    /// `coordinator` in state 2.
    #[must_use]
    pub struct Coordinator2(pub(super) Endpoint<Message>);

    /// What may come from `worker_1`, and the state after it.
    pub enum Coordinator2FromWorker1 {
        Vote(Coordinator5),
    }

    /// What may come from `worker_2`, and the state after it.
    pub enum Coordinator2FromWorker2 {
        Vote(Coordinator6),
    }

    impl Coordinator2 {
        pub fn recv_from_worker_1(mut self) -> Result<Coordinator2FromWorker1, Error> {
            let value = self.0.recv(2)?;
            match (value, self.0.state()) {
                (Message::Vote, Some(5)) => Ok(Coordinator2FromWorker1::Vote(Coordinator5(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from worker_1".into())),
            }
        }

        pub fn recv_from_worker_2(mut self) -> Result<Coordinator2FromWorker2, Error> {
            let value = self.0.recv(3)?;
            match (value, self.0.state()) {
                (Message::Vote, Some(6)) => Ok(Coordinator2FromWorker2::Vote(Coordinator6(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from worker_2".into())),
            }
        }
    }

    /// `coordinator` in state 3.
    #[must_use]
    pub struct Coordinator3(pub(super) Endpoint<Message>);

    /// What may come from `worker_0`, and the state after it.
    pub enum Coordinator3FromWorker0 {
        Vote(Coordinator5),
    }

    /// What may come from `worker_2`, and the state after it.
    pub enum Coordinator3FromWorker2 {
        Vote(Coordinator7),
    }

    impl Coordinator3 {
        pub fn recv_from_worker_0(mut self) -> Result<Coordinator3FromWorker0, Error> {
            let value = self.0.recv(1)?;
            match (value, self.0.state()) {
                (Message::Vote, Some(5)) => Ok(Coordinator3FromWorker0::Vote(Coordinator5(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from worker_0".into())),
            }
        }

        pub fn recv_from_worker_2(mut self) -> Result<Coordinator3FromWorker2, Error> {
            let value = self.0.recv(3)?;
            match (value, self.0.state()) {
                (Message::Vote, Some(7)) => Ok(Coordinator3FromWorker2::Vote(Coordinator7(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from worker_2".into())),
            }
        }
    }

    /// `coordinator` in state 4.
    #[must_use]
    pub struct Coordinator4(pub(super) Endpoint<Message>);

    /// What may come from `worker_0`, and the state after it.
    pub enum Coordinator4FromWorker0 {
        Vote(Coordinator6),
    }

    /// What may come from `worker_1`, and the state after it.
    pub enum Coordinator4FromWorker1 {
        Vote(Coordinator7),
    }

    impl Coordinator4 {
        pub fn recv_from_worker_0(mut self) -> Result<Coordinator4FromWorker0, Error> {
            let value = self.0.recv(1)?;
            match (value, self.0.state()) {
                (Message::Vote, Some(6)) => Ok(Coordinator4FromWorker0::Vote(Coordinator6(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from worker_0".into())),
            }
        }

        pub fn recv_from_worker_1(mut self) -> Result<Coordinator4FromWorker1, Error> {
            let value = self.0.recv(2)?;
            match (value, self.0.state()) {
                (Message::Vote, Some(7)) => Ok(Coordinator4FromWorker1::Vote(Coordinator7(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from worker_1".into())),
            }
        }
    }

    /// `coordinator` in state 5.
    #[must_use]
    pub struct Coordinator5(pub(super) Endpoint<Message>);

    /// What may come from `worker_2`, and the state after it.
    pub enum Coordinator5FromWorker2 {
        Vote(Coordinator8),
    }

    impl Coordinator5 {
        pub fn recv_from_worker_2(mut self) -> Result<Coordinator5FromWorker2, Error> {
            let value = self.0.recv(3)?;
            match (value, self.0.state()) {
                (Message::Vote, Some(8)) => Ok(Coordinator5FromWorker2::Vote(Coordinator8(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from worker_2".into())),
            }
        }
    }

    /// `coordinator` in state 6.
    #[must_use]
    pub struct Coordinator6(pub(super) Endpoint<Message>);

    /// What may come from `worker_1`, and the state after it.
    pub enum Coordinator6FromWorker1 {
        Vote(Coordinator8),
    }

    impl Coordinator6 {
        pub fn recv_from_worker_1(mut self) -> Result<Coordinator6FromWorker1, Error> {
            let value = self.0.recv(2)?;
            match (value, self.0.state()) {
                (Message::Vote, Some(8)) => Ok(Coordinator6FromWorker1::Vote(Coordinator8(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from worker_1".into())),
            }
        }
    }

    /// `coordinator` in state 7.
    #[must_use]
    pub struct Coordinator7(pub(super) Endpoint<Message>);

    /// What may come from `worker_0`, and the state after it.
    pub enum Coordinator7FromWorker0 {
        Vote(Coordinator8),
    }

    impl Coordinator7 {
        pub fn recv_from_worker_0(mut self) -> Result<Coordinator7FromWorker0, Error> {
            let value = self.0.recv(1)?;
            match (value, self.0.state()) {
                (Message::Vote, Some(8)) => Ok(Coordinator7FromWorker0::Vote(Coordinator8(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from worker_0".into())),
            }
        }
    }

    /// `coordinator` in state 8.
    #[must_use]
    pub struct Coordinator8(pub(super) Endpoint<Message>);

    impl Coordinator8 {
        pub fn send_commit_to_worker_0_and_worker_1_and_worker_2(mut self) -> Result<Coordinator9, Error> {
            self.0.send_all(&[1, 2, 3], Message::Commit).map(|()| Coordinator9(self.0))
        }

        pub fn send_abort_to_worker_0_and_worker_1_and_worker_2(mut self) -> Result<Coordinator9, Error> {
            self.0.send_all(&[1, 2, 3], Message::Abort).map(|()| Coordinator9(self.0))
        }
    }

    /// `coordinator` in state 9; the session may be over.
    #[must_use]
    pub struct Coordinator9(pub(super) Endpoint<Message>);

    impl Coordinator9 {
        pub fn send_prepare_to_worker_0_and_worker_1_and_worker_2(mut self, value: String) -> Result<Coordinator1, Error> {
            self.0.send_all(&[1, 2, 3], Message::Prepare(value)).map(|()| Coordinator1(self.0))
        }
    }

    /// `worker[0]` in state 0; the session may be over.
    #[must_use]
    pub struct Worker00(pub(super) Endpoint<Message>);

    /// What may come from `coordinator`, and the state after it.
    pub enum Worker00FromCoordinator {
        Prepare(String, Worker01),
    }

    impl Worker00 {
        pub fn recv_from_coordinator(mut self) -> Result<Worker00FromCoordinator, Error> {
            let value = self.0.recv(0)?;
            match (value, self.0.state()) {
                (Message::Prepare(value), Some(1)) => Ok(Worker00FromCoordinator::Prepare(value, Worker01(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from coordinator".into())),
            }
        }
    }

    /// `worker[0]` in state 1.
    #[must_use]
    pub struct Worker01(pub(super) Endpoint<Message>);

    impl Worker01 {
        pub fn send_vote_to_coordinator(mut self) -> Result<Worker02, Error> {
            self.0.send_by(4, Message::Vote).map(|()| Worker02(self.0))
        }
    }

    /// `worker[0]` in state 2.
    #[must_use]
    pub struct Worker02(pub(super) Endpoint<Message>);

    /// What may come from `coordinator`, and the state after it.
    pub enum Worker02FromCoordinator {
        Commit(Worker00),
        Abort(Worker00),
    }

    impl Worker02 {
        pub fn recv_from_coordinator(mut self) -> Result<Worker02FromCoordinator, Error> {
            let value = self.0.recv(0)?;
            match (value, self.0.state()) {
                (Message::Commit, Some(0)) => Ok(Worker02FromCoordinator::Commit(Worker00(self.0))),
                (Message::Abort, Some(0)) => Ok(Worker02FromCoordinator::Abort(Worker00(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from coordinator".into())),
            }
        }
    }

    /// `worker[1]` in state 0; the session may be over.
    #[must_use]
    pub struct Worker10(pub(super) Endpoint<Message>);

    /// What may come from `coordinator`, and the state after it.
    pub enum Worker10FromCoordinator {
        Prepare(String, Worker11),
    }

    impl Worker10 {
        pub fn recv_from_coordinator(mut self) -> Result<Worker10FromCoordinator, Error> {
            let value = self.0.recv(0)?;
            match (value, self.0.state()) {
                (Message::Prepare(value), Some(1)) => Ok(Worker10FromCoordinator::Prepare(value, Worker11(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from coordinator".into())),
            }
        }
    }

    /// `worker[1]` in state 1.
    #[must_use]
    pub struct Worker11(pub(super) Endpoint<Message>);

    impl Worker11 {
        pub fn send_vote_to_coordinator(mut self) -> Result<Worker12, Error> {
            self.0.send_by(6, Message::Vote).map(|()| Worker12(self.0))
        }
    }

    /// `worker[1]` in state 2.
    #[must_use]
    pub struct Worker12(pub(super) Endpoint<Message>);

    /// What may come from `coordinator`, and the state after it.
    pub enum Worker12FromCoordinator {
        Commit(Worker10),
        Abort(Worker10),
    }

    impl Worker12 {
        pub fn recv_from_coordinator(mut self) -> Result<Worker12FromCoordinator, Error> {
            let value = self.0.recv(0)?;
            match (value, self.0.state()) {
                (Message::Commit, Some(0)) => Ok(Worker12FromCoordinator::Commit(Worker10(self.0))),
                (Message::Abort, Some(0)) => Ok(Worker12FromCoordinator::Abort(Worker10(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from coordinator".into())),
            }
        }
    }

    /// `worker[2]` in state 0; the session may be over.
    #[must_use]
    pub struct Worker20(pub(super) Endpoint<Message>);

    /// What may come from `coordinator`, and the state after it.
    pub enum Worker20FromCoordinator {
        Prepare(String, Worker21),
    }

    impl Worker20 {
        pub fn recv_from_coordinator(mut self) -> Result<Worker20FromCoordinator, Error> {
            let value = self.0.recv(0)?;
            match (value, self.0.state()) {
                (Message::Prepare(value), Some(1)) => Ok(Worker20FromCoordinator::Prepare(value, Worker21(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from coordinator".into())),
            }
        }
    }

    /// `worker[2]` in state 1.
    #[must_use]
    pub struct Worker21(pub(super) Endpoint<Message>);

    impl Worker21 {
        pub fn send_vote_to_coordinator(mut self) -> Result<Worker22, Error> {
            self.0.send_by(8, Message::Vote).map(|()| Worker22(self.0))
        }
    }

    /// `worker[2]` in state 2.
    #[must_use]
    pub struct Worker22(pub(super) Endpoint<Message>);

    /// What may come from `coordinator`, and the state after it.
    pub enum Worker22FromCoordinator {
        Commit(Worker20),
        Abort(Worker20),
    }

    impl Worker22 {
        pub fn recv_from_coordinator(mut self) -> Result<Worker22FromCoordinator, Error> {
            let value = self.0.recv(0)?;
            match (value, self.0.state()) {
                (Message::Commit, Some(0)) => Ok(Worker22FromCoordinator::Commit(Worker20(self.0))),
                (Message::Abort, Some(0)) => Ok(Worker22FromCoordinator::Abort(Worker20(self.0))),
                #[allow(unreachable_patterns)]
                _ => Err(Error::Unexpected("from coordinator".into())),
            }
        }
    }

}

static ROLES: [Cow<'static, str>; 4] = [
    Cow::Borrowed("coordinator"),
    Cow::Borrowed("worker[0]"),
    Cow::Borrowed("worker[1]"),
    Cow::Borrowed("worker[2]"),
];

static TYPES: [Cow<'static, str>; 4] = [
    Cow::Borrowed("Prepare"),
    Cow::Borrowed("Vote"),
    Cow::Borrowed("Commit"),
    Cow::Borrowed("Abort"),
];

static ACTIONS: [Action; 12] = [
    Action { verb: Verb::Send, from: 0, to: Cow::Borrowed(&[1, 2, 3]), message: Some(0) },
    Action { verb: Verb::Receive, from: 0, to: Cow::Borrowed(&[1]), message: None },
    Action { verb: Verb::Receive, from: 0, to: Cow::Borrowed(&[2]), message: None },
    Action { verb: Verb::Receive, from: 0, to: Cow::Borrowed(&[3]), message: None },
    Action { verb: Verb::Send, from: 1, to: Cow::Borrowed(&[0]), message: Some(1) },
    Action { verb: Verb::Receive, from: 1, to: Cow::Borrowed(&[0]), message: None },
    Action { verb: Verb::Send, from: 2, to: Cow::Borrowed(&[0]), message: Some(1) },
    Action { verb: Verb::Receive, from: 2, to: Cow::Borrowed(&[0]), message: None },
    Action { verb: Verb::Send, from: 3, to: Cow::Borrowed(&[0]), message: Some(1) },
    Action { verb: Verb::Receive, from: 3, to: Cow::Borrowed(&[0]), message: None },
    Action { verb: Verb::Send, from: 0, to: Cow::Borrowed(&[1, 2, 3]), message: Some(2) },
    Action { verb: Verb::Send, from: 0, to: Cow::Borrowed(&[1, 2, 3]), message: Some(3) },
];

static MACHINES: [Table; 4] = [
    Table {
        rows: Cow::Borrowed(&[0, 1, 4, 6, 8, 10, 11, 12, 13, 15, 16]),
        entries: Cow::Borrowed(&[Entry { action: 0, stamp: 0, next: 1 }, Entry { action: 5, stamp: 1, next: 2 }, Entry { action: 7, stamp: 2, next: 3 }, Entry { action: 9, stamp: 3, next: 4 }, Entry { action: 7, stamp: 2, next: 5 }, Entry { action: 9, stamp: 3, next: 6 }, Entry { action: 5, stamp: 1, next: 5 }, Entry { action: 9, stamp: 3, next: 7 }, Entry { action: 5, stamp: 1, next: 6 }, Entry { action: 7, stamp: 2, next: 7 }, Entry { action: 9, stamp: 3, next: 8 }, Entry { action: 7, stamp: 2, next: 8 }, Entry { action: 5, stamp: 1, next: 8 }, Entry { action: 10, stamp: 4, next: 9 }, Entry { action: 11, stamp: 4, next: 9 }, Entry { action: 0, stamp: 0, next: 1 }]),
        may_stop: Cow::Borrowed(&[true, false, false, false, false, false, false, false, false, true]),
    },
    Table {
        rows: Cow::Borrowed(&[0, 1, 2, 3]),
        entries: Cow::Borrowed(&[Entry { action: 1, stamp: 0, next: 1 }, Entry { action: 4, stamp: 1, next: 2 }, Entry { action: 1, stamp: 4, next: 0 }]),
        may_stop: Cow::Borrowed(&[true, false, false]),
    },
    Table {
        rows: Cow::Borrowed(&[0, 1, 2, 3]),
        entries: Cow::Borrowed(&[Entry { action: 2, stamp: 0, next: 1 }, Entry { action: 6, stamp: 2, next: 2 }, Entry { action: 2, stamp: 4, next: 0 }]),
        may_stop: Cow::Borrowed(&[true, false, false]),
    },
    Table {
        rows: Cow::Borrowed(&[0, 1, 2, 3]),
        entries: Cow::Borrowed(&[Entry { action: 3, stamp: 0, next: 1 }, Entry { action: 8, stamp: 3, next: 2 }, Entry { action: 3, stamp: 4, next: 0 }]),
        may_stop: Cow::Borrowed(&[true, false, false]),
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
    channels: Cow::Borrowed(&[(0, 1), (0, 2), (0, 3), (1, 0), (2, 0), (3, 0)]),
    capacity: Some(1),
};
