//! Channels of liberal implementations: a queue for each sender and receiver, and a place where both meet for a handshake.

use crate::{
    error::Error,
    waiting::{lock, remember},
};
use std::{collections::VecDeque, sync::Mutex, task::Waker};

/// A value on its way, with what tells the receiver the branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope<M> {
    /// The stamp.
    pub stamp: u32,
    /// The value.
    pub value: M,
}

/// Whether something can be put into a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// It can, until it is.
    Yes,
    /// It cannot now; who waits is woken.
    No,
    /// The receiver has gone.
    Gone,
}

/// The sending end of a channel: a queue in the same process, or a connection to another one. There is one sender, so that room stays.
pub trait Outlet<M>: Send + Sync {
    /// Whether there is room; if not, the waker is told when there is.
    fn room(&self, waker: Option<&Waker>) -> Room;

    /// Puts a message into the channel, in which there is room.
    fn push(&self, envelope: Envelope<M>) -> Result<(), Error>;

    /// Nothing more will be sent.
    fn close(&self);
}

/// What a look into a queue shows.
pub(crate) enum Taken<M> {
    /// The oldest message, which fits.
    Message(Envelope<M>),
    /// The oldest message does not fit; it stays.
    Misfit,
    /// There is nothing yet.
    Empty,
    /// There is nothing, and nothing will come.
    Ended,
}

/// A queue in this process.
#[derive(Debug)]
pub(crate) struct Queue<M> {
    inner: Mutex<Inner<M>>,
    capacity: usize,
}

#[derive(Debug)]
struct Inner<M> {
    messages: VecDeque<Envelope<M>>,
    closed: bool,
    abandoned: bool,
    receiver: Option<Waker>,
    sender: Option<Waker>,
}

impl<M> Queue<M> {
    pub(crate) fn new(capacity: Option<u32>) -> Queue<M> {
        let inner = Inner {
            messages: VecDeque::new(),
            closed: false,
            abandoned: false,
            receiver: None,
            sender: None,
        };
        Queue { inner: Mutex::new(inner), capacity: capacity.map_or(usize::MAX, |most| most as usize) }
    }

    /// Takes the oldest message if it fits; else the waker is told when something comes.
    pub(crate) fn take(&self, waker: Option<&Waker>, fits: impl FnOnce(&Envelope<M>) -> bool) -> Taken<M> {
        let mut inner = lock(&self.inner);
        match inner.messages.front().map(fits) {
            Some(true) => {}
            Some(false) => return Taken::Misfit,
            None if inner.closed => return Taken::Ended,
            None => {
                remember(&mut inner.receiver, waker);
                return Taken::Empty;
            }
        }
        let Some(envelope) = inner.messages.pop_front() else { return Taken::Empty };
        let sender = inner.sender.take();
        drop(inner);
        if let Some(sender) = sender {
            sender.wake();
        }
        Taken::Message(envelope)
    }

    /// The receiver has gone.
    pub(crate) fn abandon(&self) {
        let mut inner = lock(&self.inner);
        inner.abandoned = true;
        let sender = inner.sender.take();
        drop(inner);
        if let Some(sender) = sender {
            sender.wake();
        }
    }
}

impl<M: Send> Outlet<M> for Queue<M> {
    fn room(&self, waker: Option<&Waker>) -> Room {
        let mut inner = lock(&self.inner);
        if inner.abandoned {
            return Room::Gone;
        }
        if inner.messages.len() < self.capacity {
            return Room::Yes;
        }
        remember(&mut inner.sender, waker);
        Room::No
    }

    fn push(&self, envelope: Envelope<M>) -> Result<(), Error> {
        let mut inner = lock(&self.inner);
        inner.messages.push_back(envelope);
        let receiver = inner.receiver.take();
        drop(inner);
        if let Some(receiver) = receiver {
            receiver.wake();
        }
        Ok(())
    }

    fn close(&self) {
        let mut inner = lock(&self.inner);
        inner.closed = true;
        let receiver = inner.receiver.take();
        drop(inner);
        if let Some(receiver) = receiver {
            receiver.wake();
        }
    }
}

/// Where a sender offers a handshake and a receiver takes it.
#[derive(Debug)]
pub(crate) struct Meetingplace<M> {
    inner: Mutex<Place<M>>,
}

#[derive(Debug)]
struct Place<M> {
    offer: Option<Offer<M>>,
    /// The state of the sender after a handshake that it has not seen yet.
    met: Option<u32>,
    gone: bool,
    sender: Option<Waker>,
    receiver: Option<Waker>,
}

/// A handshake that a sender is ready for.
#[derive(Debug)]
pub(crate) struct Offer<M> {
    pub(crate) action: u32,
    pub(crate) sender: u32,
    pub(crate) value: M,
}

impl<M> Meetingplace<M> {
    pub(crate) fn new() -> Meetingplace<M> {
        let place = Place { offer: None, met: None, gone: false, sender: None, receiver: None };
        Meetingplace { inner: Mutex::new(place) }
    }

    /// Offers a handshake, if one is given, and tells the state after it once it was taken.
    pub(crate) fn offer(&self, offer: Option<Offer<M>>, waker: Option<&Waker>) -> Result<Option<u32>, Error> {
        let mut place = lock(&self.inner);
        if let Some(next) = place.met.take() {
            return Ok(Some(next));
        }
        if place.gone {
            return Err(Error::Disconnected);
        }
        remember(&mut place.sender, waker);
        if offer.is_some() {
            place.offer = offer;
            let receiver = place.receiver.take();
            drop(place);
            if let Some(receiver) = receiver {
                receiver.wake();
            }
        }
        Ok(None)
    }

    /// Takes an offer back; the state after the handshake if it was taken already.
    pub(crate) fn withdraw(&self) -> Option<u32> {
        let mut place = lock(&self.inner);
        place.offer = None;
        place.met.take()
    }

    /// Takes an offer that fits: `fits` says which states both have after it.
    pub(crate) fn take(
        &self,
        waker: Option<&Waker>,
        fits: impl FnOnce(&Offer<M>) -> Option<(u32, u32)>,
    ) -> Option<(M, u32)> {
        let mut place = lock(&self.inner);
        let Some((sender_next, receiver_next)) = place.offer.as_ref().and_then(fits) else {
            remember(&mut place.receiver, waker);
            return None;
        };
        let offer = place.offer.take()?;
        place.met = Some(sender_next);
        let sender = place.sender.take();
        drop(place);
        if let Some(sender) = sender {
            sender.wake();
        }
        Some((offer.value, receiver_next))
    }

    /// One of both has gone.
    pub(crate) fn leave(&self) {
        let mut place = lock(&self.inner);
        place.gone = true;
        let both = [place.sender.take(), place.receiver.take()];
        drop(place);
        both.into_iter().flatten().for_each(Waker::wake);
    }

    pub(crate) fn is_left(&self) -> bool {
        lock(&self.inner).gone
    }
}
