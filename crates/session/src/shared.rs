//! A strict implementation: one state that all roles share, under one lock. An operation waits until the state allows it.

use crate::{
    Payload,
    endpoint::Values,
    error::Error,
    state::State,
    tables::{Tables, Verb},
    waiting::lock,
};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    task::{Poll, Waker},
};

/// The session.
pub(crate) struct Shared<M> {
    tables: &'static Tables,
    inner: Mutex<Inner<M>>,
}

struct Inner<M> {
    state: State,
    /// The values of the messages in each channel of the state.
    values: Vec<VecDeque<M>>,
    /// Handshakes that senders are ready for, by the number of the role.
    offers: Vec<Option<(u32, M)>>,
    /// Whether the last offer of a role was taken.
    met: Vec<bool>,
    /// Who waits, by the number of the role.
    waiting: Vec<Option<Waker>>,
    present: usize,
}

impl<M: Payload + Send> Shared<M> {
    pub(crate) fn new(tables: &'static Tables) -> Shared<M> {
        let roles = tables.roles.len();
        let inner = Inner {
            state: tables.initial(),
            values: tables.channels.iter().map(|_| VecDeque::new()).collect(),
            offers: (0..roles).map(|_| None).collect(),
            met: vec![false; roles],
            waiting: vec![None; roles],
            present: roles,
        };
        Shared { tables, inner: Mutex::new(inner) }
    }
}

/// A role.
pub(crate) struct Strict<M> {
    pub(crate) shared: Arc<Shared<M>>,
    pub(crate) role: u32,
}

impl<M> Strict<M> {
    pub(crate) fn tables(&self) -> &'static Tables {
        self.shared.tables
    }
}

impl<M: Payload + Send> Strict<M> {
    pub(crate) fn may_stop(&self) -> bool {
        self.shared.tables.may_end(&lock(&self.shared.inner).state)
    }

    pub(crate) fn allows(&self, action: u32) -> bool {
        let mut state = lock(&self.shared.inner).state.clone();
        self.shared.tables.try_send(&mut state, action)
    }

    /// Runs a step under the lock; if it changes something, everybody looks again.
    fn step<T>(
        &self,
        waker: Option<&Waker>,
        step: impl FnOnce(&mut Inner<M>, &Tables) -> Option<T>,
    ) -> Poll<Result<T, Error>> {
        let mut inner = lock(&self.shared.inner);
        let Some(done) = step(&mut inner, self.shared.tables) else {
            // Nobody is left who could change the state.
            if inner.present < 2 {
                return Poll::Ready(Err(Error::Disconnected));
            }
            crate::waiting::remember(&mut inner.waiting[self.role as usize], waker);
            return Poll::Pending;
        };
        wake_others(inner, self.role);
        Poll::Ready(Ok(done))
    }

    pub(crate) fn poll_send(
        &mut self,
        number: u32,
        values: &mut Values<M>,
        offered: &mut bool,
        waker: Option<&Waker>,
    ) -> Poll<Result<(), Error>> {
        let action = &self.shared.tables.actions[number as usize];
        if action.verb == Verb::Handshake {
            return self.poll_meet(number, values, offered, waker);
        }
        self.step(waker, |inner, tables| {
            if !tables.try_send(&mut inner.state, number) {
                return None;
            }
            if action.verb == Verb::Send {
                for to in action.to.iter() {
                    let channel = tables.channel(action.from, *to)?;
                    inner.values[channel].extend(values.next());
                }
            }
            Some(())
        })
    }

    fn poll_meet(
        &mut self,
        number: u32,
        values: &mut Values<M>,
        offered: &mut bool,
        waker: Option<&Waker>,
    ) -> Poll<Result<(), Error>> {
        let role = self.role as usize;
        if !*offered && let Some(value) = values.next() {
            *offered = true;
            let mut inner = lock(&self.shared.inner);
            inner.offers[role] = Some((number, value));
            inner.met[role] = false;
            wake_others(inner, self.role);
        }
        self.step(waker, |inner, _| std::mem::take(&mut inner.met[role]).then_some(()))
    }

    /// Takes an offer back that nobody waits for any more.
    pub(crate) fn withdraw(&mut self) {
        let mut inner = lock(&self.shared.inner);
        inner.offers[self.role as usize] = None;
        inner.met[self.role as usize] = false;
    }

    pub(crate) fn poll_recv(
        &mut self,
        from: Option<u32>,
        waker: Option<&Waker>,
    ) -> Poll<Result<(u32, M), Error>> {
        let role = self.role;
        self.step(waker, |inner, tables| {
            let roles = u32::try_from(tables.roles.len()).ok()?;
            let mut senders = from.map_or(0..roles, |from| from..from + 1);
            senders.find_map(|from| received(inner, tables, from, role).map(|value| (from, value)))
        })
    }
}

/// What a role receives from another one, if that is allowed now.
fn received<M>(inner: &mut Inner<M>, tables: &Tables, from: u32, role: u32) -> Option<M> {
    let is_receive =
        |action: &crate::Action| action.verb == Verb::Receive && action.from == from && action.to[0] == role;
    if let Some(number) = tables.actions.iter().position(is_receive)
        && tables.try_recv(&mut inner.state, u32::try_from(number).ok()?).is_some()
    {
        return inner.values[tables.channel(from, role)?].pop_front();
    }
    let (number, _) = inner.offers.get(from as usize)?.as_ref()?;
    let number = *number;
    if tables.actions[number as usize].to[0] != role || !tables.try_send(&mut inner.state, number) {
        return None;
    }
    inner.met[from as usize] = true;
    inner.offers[from as usize].take().map(|(_, value)| value)
}

fn wake_others<M>(mut inner: std::sync::MutexGuard<'_, Inner<M>>, role: u32) {
    let others = (0..).zip(inner.waiting.iter_mut()).filter(|(other, _)| *other != role);
    let waiting: Vec<Waker> = others.filter_map(|(_, waker)| waker.take()).collect();
    drop(inner);
    waiting.into_iter().for_each(Waker::wake);
}

impl<M> Drop for Strict<M> {
    fn drop(&mut self) {
        let mut inner = lock(&self.shared.inner);
        inner.present -= 1;
        inner.offers[self.role as usize] = None;
        wake_others(inner, self.role);
    }
}
