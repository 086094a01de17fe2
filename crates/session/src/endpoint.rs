//! Endpoints: what one role of a program holds. Operations try, block, or are awaited.

use crate::{
    Payload,
    error::Error,
    liberal::{Liberal, Neighbour},
    queue::{Meetingplace, Outlet, queue},
    shared::{Shared, Strict},
    tables::{Style, Tables, Verb},
    waiting::block,
};
use std::{
    collections::{BTreeMap, hash_map::RandomState},
    fmt::Write,
    future::Future,
    hash::BuildHasher,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

/// A value and the number of the role that it came from.
pub type Received<M> = (u32, M);

/// What a send carries: a value for each receiver.
pub(crate) enum Values<M> {
    One(Option<M>),
    Many(std::vec::IntoIter<M>),
}

impl<M> Values<M> {
    pub(crate) fn next(&mut self) -> Option<M> {
        match self {
            Values::One(value) => value.take(),
            Values::Many(values) => values.next(),
        }
    }
}

enum Inner<M> {
    Strict(Strict<M>),
    Liberal(Liberal<M>),
}

/// What one role of a program holds. It can be stored, moved to a thread, and used with or without `async`; its operations follow the protocol, or
/// fail.
pub struct Endpoint<M> {
    inner: Inner<M>,
    /// Sends, closes and handshakes of this role.
    own: Vec<u32>,
}

/// Opens a session in this process: an endpoint for each role, in order.
pub fn open<M: Payload + Send + 'static>(tables: &'static Tables) -> Vec<Endpoint<M>> {
    let roles = u32::try_from(tables.roles.len()).expect("there are few roles");
    match tables.style {
        Style::Strict => {
            let shared = Arc::new(Shared::new(tables));
            let strict = |role| Inner::Strict(Strict { shared: shared.clone(), role });
            (0..roles).map(|role| Endpoint::new(tables, role, strict(role))).collect()
        }
        Style::Liberal => open_liberal(tables, roles),
    }
}

fn open_liberal<M: Payload + Send + 'static>(tables: &'static Tables, roles: u32) -> Vec<Endpoint<M>> {
    let mut outlets: BTreeMap<(u32, u32), Arc<dyn Outlet<M>>> = BTreeMap::new();
    let mut inlets = BTreeMap::new();
    for ends in tables.channels.iter() {
        let (outlet, inlet) = queue(tables.capacity);
        outlets.insert(*ends, outlet);
        inlets.insert(*ends, inlet);
    }
    let handshakes = tables.actions.iter().filter(|action| action.verb == Verb::Handshake);
    let places: BTreeMap<(u32, u32), Arc<Meetingplace<M>>> =
        handshakes.map(|action| ((action.from, action.to[0]), Arc::new(Meetingplace::new()))).collect();
    let mut neighbour = |role: u32, other: u32| {
        Some(Neighbour {
            inlet: inlets.remove(&(other, role)),
            outlet: outlets.get(&(role, other)).cloned(),
            offering: places.get(&(role, other)).cloned(),
            taking: places.get(&(other, role)).cloned(),
        })
    };
    let mut neighbours = |role| (0..roles).map(|other| neighbour(role, other)).collect();
    (0..roles).map(|role| Endpoint::liberal(tables, role, neighbours(role))).collect()
}

/// An action in words.
pub(crate) fn in_words(tables: &Tables, number: u32) -> String {
    let action = &tables.actions[number as usize];
    let name = |role: u32| &tables.roles[role as usize];
    let verb = match action.verb {
        Verb::Send => "SEND",
        Verb::Receive => "RECV",
        Verb::Handshake => "SYNC",
        Verb::Close => "CLOSE",
    };
    let mut text = format!("{} {verb}", name(action.subject()));
    if let Some(kind) = action.message {
        let _ = write!(text, " {}", tables.types[kind as usize]);
    }
    let others: Vec<&str> = action.to.iter().map(|to| &**name(*to)).collect();
    text + " TO " + &others.join(",")
}

impl<M: Payload + Send> Endpoint<M> {
    fn new(tables: &'static Tables, role: u32, inner: Inner<M>) -> Endpoint<M> {
        let is_own = |action: &crate::Action| action.verb != Verb::Receive && action.from == role;
        let own = (0..).zip(tables.actions.iter()).filter(|(_, action)| is_own(action));
        Endpoint { inner, own: own.map(|(number, _)| number).collect() }
    }

    pub(crate) fn liberal(
        tables: &'static Tables,
        role: u32,
        neighbours: Vec<Option<Neighbour<M>>>,
    ) -> Endpoint<M> {
        Endpoint::new(tables, role, Inner::Liberal(Liberal::new(tables, role, neighbours)))
    }

    /// The implementation.
    pub fn tables(&self) -> &'static Tables {
        match &self.inner {
            Inner::Strict(strict) => strict.tables(),
            Inner::Liberal(liberal) => liberal.tables,
        }
    }

    /// The number of this role.
    pub fn role(&self) -> u32 {
        match &self.inner {
            Inner::Strict(strict) => strict.role,
            Inner::Liberal(liberal) => liberal.role,
        }
    }

    /// Whether the session may be over, as far as this role knows.
    pub fn may_stop(&self) -> bool {
        match &self.inner {
            Inner::Strict(strict) => strict.may_stop(),
            Inner::Liberal(liberal) => liberal.may_stop(),
        }
    }

    /// The state of the machine of this role; none in a strict session, in which roles have none of their own.
    pub fn state(&self) -> Option<u32> {
        match &self.inner {
            Inner::Strict(_) => None,
            Inner::Liberal(liberal) => Some(liberal.state),
        }
    }

    fn allows(&self, action: u32) -> bool {
        match &self.inner {
            Inner::Strict(strict) => strict.allows(action),
            Inner::Liberal(liberal) => liberal.allows(action),
        }
    }

    /// The action of this role that sends a type to some roles. If there is a message and a handshake, the one that is allowed now.
    fn sending(&self, to: &[u32], kind: Option<u32>) -> Result<u32, Error> {
        let tables = self.tables();
        let is_it = |number: &&u32| {
            let action = &tables.actions[**number as usize];
            action.verb != Verb::Close && action.message == kind && *action.to == *to
        };
        let mut found = self.own.iter().filter(is_it).copied();
        match (found.next(), found.next()) {
            (Some(first), Some(second)) if !self.allows(first) && self.allows(second) => Ok(second),
            (Some(first), _) => Ok(first),
            (None, _) => {
                let kind = kind.and_then(|kind| tables.types.get(kind as usize)).map_or("a message", |it| it);
                let names: Vec<&str> =
                    to.iter().filter_map(|to| tables.roles.get(*to as usize)).map(|it| &**it).collect();
                Err(Error::NotAllowed(format!("sending {kind} to {}", names.join(","))))
            }
        }
    }

    fn poll_send(
        &mut self,
        action: u32,
        values: &mut Values<M>,
        offered: &mut bool,
        waker: Option<&Waker>,
    ) -> Poll<Result<(), Error>> {
        match &mut self.inner {
            Inner::Strict(strict) => strict.poll_send(action, values, offered, waker),
            Inner::Liberal(liberal) => liberal.poll_send(action, values, offered, waker),
        }
    }

    fn poll_recv(&mut self, from: Option<u32>, waker: Option<&Waker>) -> Poll<Result<Received<M>, Error>> {
        match &mut self.inner {
            Inner::Strict(strict) => strict.poll_recv(from, waker),
            Inner::Liberal(liberal) => liberal.poll_recv(from, waker),
        }
    }

    fn withdraw(&mut self, action: u32) {
        match &mut self.inner {
            Inner::Strict(strict) => strict.withdraw(),
            Inner::Liberal(liberal) => liberal.withdraw(action),
        }
    }

    fn sent(&mut self, action: u32, mut values: Values<M>) -> Result<(), Error> {
        let mut offered = false;
        block(|waker| self.poll_send(action, &mut values, &mut offered, waker))
    }

    /// Takes an action of this role by its number, and waits until it is done.
    pub fn send_by(&mut self, action: u32, value: M) -> Result<(), Error> {
        self.sent(action, Values::One(Some(value)))
    }

    /// Sends, and waits until that is done: until there is room, and in a strict session until the protocol allows it.
    pub fn send(&mut self, to: u32, value: M) -> Result<(), Error> {
        let action = self.sending(&[to], value.kind())?;
        self.send_by(action, value)
    }

    /// Sends one message to several roles, given in ascending order.
    pub fn send_all(&mut self, to: &[u32], value: M) -> Result<(), Error>
    where
        M: Clone,
    {
        let action = self.sending(to, value.kind())?;
        self.sent(action, Values::Many(vec![value; to.len()].into_iter()))
    }

    /// Sends to whom the protocol says; if that may be several roles, to one of them, drawn at random.
    pub fn send_any(&mut self, value: M) -> Result<(), Error> {
        let kind = value.kind();
        let is_it = |number: &&u32| {
            let action = &self.tables().actions[**number as usize];
            action.verb != Verb::Close && action.message == kind && action.to.len() == 1
        };
        let possible: Vec<u32> = self.own.iter().filter(is_it).copied().collect();
        let mut enabled: Vec<u32> = possible.iter().copied().filter(|number| self.allows(*number)).collect();
        if enabled.is_empty() {
            enabled = possible;
        }
        if enabled.is_empty() {
            return Err(Error::NotAllowed("sending this to anybody".into()));
        }
        let drawn = usize::try_from(RandomState::new().hash_one(0) >> 1).unwrap_or(0) % enabled.len();
        self.send_by(enabled[drawn], value)
    }

    /// Sends if that is possible at once; else the value comes back. A handshake never is, since the other side has to come.
    pub fn try_send(&mut self, to: u32, value: M) -> Result<Option<M>, Error> {
        let action = self.sending(&[to], value.kind())?;
        if self.tables().actions[action as usize].verb == Verb::Handshake {
            return Ok(Some(value));
        }
        let mut values = Values::One(Some(value));
        match self.poll_send(action, &mut values, &mut false, None) {
            Poll::Ready(done) => done.map(|()| None),
            Poll::Pending => Ok(values.next()),
        }
    }

    /// Sends nothing more to a role.
    pub fn close(&mut self, to: u32) -> Result<(), Error> {
        let is_it = |number: &&u32| {
            let action = &self.tables().actions[**number as usize];
            action.verb == Verb::Close && *action.to == [to]
        };
        let action = self.own.iter().find(is_it).copied();
        let action = action.ok_or_else(|| Error::NotAllowed("closing this channel".into()))?;
        self.sent(action, Values::One(None))
    }

    /// Waits for a message from a role, and takes it.
    pub fn recv(&mut self, from: u32) -> Result<M, Error> {
        block(|waker| self.poll_recv(Some(from), waker)).map(|(_, value)| value)
    }

    /// Waits for a message from any role, and takes it.
    pub fn recv_any(&mut self) -> Result<Received<M>, Error> {
        block(|waker| self.poll_recv(None, waker))
    }

    /// Takes a message from a role if there is one.
    pub fn try_recv(&mut self, from: u32) -> Result<Option<M>, Error> {
        match self.poll_recv(Some(from), None) {
            Poll::Ready(received) => received.map(|(_, value)| Some(value)),
            Poll::Pending => Ok(None),
        }
    }

    /// Sends, to be awaited. If the future is dropped before it is done, nothing has happened.
    pub fn send_async(&mut self, to: u32, value: M) -> Sending<'_, M> {
        let action = self.sending(&[to], value.kind());
        Sending { endpoint: self, action, values: Values::One(Some(value)), offered: false, done: false }
    }

    /// Receives from a role, to be awaited. If the future is dropped before it is done, nothing has happened: the state moves when the message is
    /// taken, not before.
    pub fn recv_async(&mut self, from: u32) -> Receiving<'_, M> {
        Receiving { endpoint: self, from: Some(from) }
    }

    /// Receives from any role, to be awaited.
    pub fn recv_any_async(&mut self) -> Receiving<'_, M> {
        Receiving { endpoint: self, from: None }
    }
}

/// A send that is awaited, by any executor.
pub struct Sending<'e, M: Payload + Send> {
    endpoint: &'e mut Endpoint<M>,
    action: Result<u32, Error>,
    values: Values<M>,
    offered: bool,
    done: bool,
}

impl<M: Payload + Send + Unpin> Future for Sending<'_, M> {
    type Output = Result<(), Error>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let action = match &this.action {
            Ok(action) => *action,
            Err(error) => return Poll::Ready(Err(error.clone())),
        };
        let sent =
            this.endpoint.poll_send(action, &mut this.values, &mut this.offered, Some(context.waker()));
        this.done = sent.is_ready();
        sent
    }
}

impl<M: Payload + Send> Drop for Sending<'_, M> {
    fn drop(&mut self) {
        if let (true, false, Ok(action)) = (self.offered, self.done, &self.action) {
            self.endpoint.withdraw(*action);
        }
    }
}

/// A receive that is awaited, by any executor.
pub struct Receiving<'e, M: Payload + Send> {
    endpoint: &'e mut Endpoint<M>,
    from: Option<u32>,
}

impl<M: Payload + Send> Future for Receiving<'_, M> {
    type Output = Result<Received<M>, Error>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.endpoint.poll_recv(this.from, Some(context.waker()))
    }
}
