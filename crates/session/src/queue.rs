//! Channels of liberal implementations: a queue for each sender and receiver, and a place where both meet for a handshake.

use crate::{
    error::Error,
    waiting::{lock, remember},
};
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    task::Waker,
};

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

/// The sending end of a queue in this process: a channel of the standard library, and who waits at its ends.
#[derive(Debug)]
pub(crate) struct Queue<M> {
    messages: mpsc::Sender<Envelope<M>>,
    capacity: usize,
    /// How many messages of a bounded queue were not taken.
    unseen: AtomicUsize,
    closed: AtomicBool,
    abandoned: AtomicBool,
    receiver: Waiting,
    sender: Waiting,
}

/// Who waits at one end. Both sides exchange the flag: who waits raises it and then looks at the queue once more, who changes the queue lowers it
/// afterwards. Whichever exchange comes second sees what the other side did before its own, so that nobody sleeps over a change.
#[derive(Debug, Default)]
struct Waiting {
    is_there: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

impl Waiting {
    fn wait(&self, waker: &Waker) {
        remember(&mut lock(&self.waker), Some(waker));
        self.is_there.swap(true, Ordering::AcqRel);
    }

    #[inline]
    fn wake(&self) {
        if self.is_there.swap(false, Ordering::AcqRel) {
            self.wake_now();
        }
    }

    #[cold]
    fn wake_now(&self) {
        let waker = lock(&self.waker).take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// The receiving end of a queue.
#[derive(Debug)]
pub(crate) struct Inlet<M> {
    queue: Arc<Queue<M>>,
    messages: mpsc::Receiver<Envelope<M>>,
    /// A message that was looked at.
    first: Option<Envelope<M>>,
}

/// Both ends of a queue.
pub(crate) fn queue<M>(capacity: Option<u32>) -> (Arc<Queue<M>>, Inlet<M>) {
    let (sender, messages) = mpsc::channel();
    let queue = Arc::new(Queue {
        messages: sender,
        capacity: capacity.map_or(usize::MAX, |most| most as usize),
        unseen: AtomicUsize::new(0),
        closed: AtomicBool::new(false),
        abandoned: AtomicBool::new(false),
        receiver: Waiting::default(),
        sender: Waiting::default(),
    });
    (queue.clone(), Inlet { queue, messages, first: None })
}

impl<M> Inlet<M> {
    /// Takes the oldest message if it fits; else the waker is told when something comes.
    pub(crate) fn take(
        &mut self,
        waker: Option<&Waker>,
        fits: impl FnOnce(&Envelope<M>) -> bool,
    ) -> Taken<M> {
        if self.first.is_none() {
            self.first = self.messages.try_recv().ok();
        }
        if self.first.is_none()
            && let Some(nothing) = self.wait(waker)
        {
            return nothing;
        }
        if !self.first.as_ref().is_some_and(fits) {
            return Taken::Misfit;
        }
        if self.queue.capacity != usize::MAX {
            self.queue.unseen.fetch_sub(1, Ordering::AcqRel);
            self.queue.sender.wake();
        }
        self.first.take().map_or(Taken::Empty, Taken::Message)
    }

    /// There was nothing: looks again after it is known who waits. Nothing if there is a message now.
    fn wait(&mut self, waker: Option<&Waker>) -> Option<Taken<M>> {
        let closed = self.queue.closed.load(Ordering::Acquire);
        if let (Some(waker), false) = (waker, closed) {
            self.queue.receiver.wait(waker);
        } else if !closed {
            return Some(Taken::Empty);
        }
        let closed = self.queue.closed.load(Ordering::Acquire);
        self.first = self.messages.try_recv().ok();
        match &self.first {
            Some(_) => None,
            None if closed => Some(Taken::Ended),
            None => Some(Taken::Empty),
        }
    }
}

impl<M> Drop for Inlet<M> {
    fn drop(&mut self) {
        self.queue.abandoned.store(true, Ordering::Release);
        self.queue.sender.wake();
    }
}

impl<M: Send> Outlet<M> for Queue<M> {
    fn room(&self, waker: Option<&Waker>) -> Room {
        if self.abandoned.load(Ordering::Acquire) {
            return Room::Gone;
        }
        let is_full = || self.capacity != usize::MAX && self.unseen.load(Ordering::Acquire) >= self.capacity;
        if !is_full() {
            return Room::Yes;
        }
        let Some(waker) = waker else { return Room::No };
        self.sender.wait(waker);
        match (self.abandoned.load(Ordering::Acquire), is_full()) {
            (true, _) => Room::Gone,
            (false, true) => Room::No,
            (false, false) => Room::Yes,
        }
    }

    fn push(&self, envelope: Envelope<M>) -> Result<(), Error> {
        if self.capacity != usize::MAX {
            self.unseen.fetch_add(1, Ordering::AcqRel);
        }
        self.messages.send(envelope).map_err(|_| Error::Disconnected)?;
        self.receiver.wake();
        Ok(())
    }

    fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.receiver.wake();
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
