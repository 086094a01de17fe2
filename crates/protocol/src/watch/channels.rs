//! Channels of the standard library that tell a watch what goes through them.

use super::{Alarm, Watch};
use std::{
    fmt,
    sync::{Arc, mpsc},
};

/// The name of the message type of a value.
type Kind<T> = fn(&T) -> &str;

/// Why nothing went through a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WatchedError {
    /// The other end has gone.
    Disconnected,
    /// It would have been wrong. A value that was to be sent was not; one that came is lost.
    Alarm(Alarm),
}

impl fmt::Display for WatchedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WatchedError::Disconnected => f.write_str("the other end of the channel has gone"),
            WatchedError::Alarm(alarm) => alarm.fmt(f),
        }
    }
}

impl std::error::Error for WatchedError {}

/// Who uses a channel, and who is at its other end.
#[derive(Debug)]
struct End<T> {
    watch: Arc<Watch>,
    role: String,
    other: String,
    kind: Kind<T>,
}

impl<T> End<T> {
    fn tell(&self, verb: &str, value: &T, word: &str) -> Result<(), WatchedError> {
        let End { watch, role, other, kind } = self;
        watch.see(&format!("{role} {verb} {} {word} {other}", kind(value))).map_err(WatchedError::Alarm)
    }
}

/// The sending end of a channel. It cannot be cloned: two threads could tell about their values in one order and send them in the other.
#[derive(Debug)]
pub struct WatchedSender<T> {
    end: End<T>,
    channel: mpsc::Sender<T>,
}

/// The receiving end of a channel.
#[derive(Debug)]
pub struct WatchedReceiver<T> {
    end: End<T>,
    channel: mpsc::Receiver<T>,
}

impl Watch {
    /// A channel from one role to another; `kind` tells the message type of a value.
    pub fn channel<T>(
        self: &Arc<Watch>,
        from: &str,
        to: &str,
        kind: Kind<T>,
    ) -> (WatchedSender<T>, WatchedReceiver<T>) {
        let (sender, receiver) = mpsc::channel();
        (self.sender(from, to, sender, kind), self.receiver(to, from, receiver, kind))
    }

    /// Wraps the sending end of a channel, which `role` holds, and no other thread a clone of.
    pub fn sender<T>(
        self: &Arc<Watch>,
        role: &str,
        to: &str,
        channel: mpsc::Sender<T>,
        kind: Kind<T>,
    ) -> WatchedSender<T> {
        WatchedSender { end: self.end_of(role, to, kind), channel }
    }

    /// Wraps the receiving end of a channel, which `role` holds.
    pub fn receiver<T>(
        self: &Arc<Watch>,
        role: &str,
        from: &str,
        channel: mpsc::Receiver<T>,
        kind: Kind<T>,
    ) -> WatchedReceiver<T> {
        WatchedReceiver { end: self.end_of(role, from, kind), channel }
    }

    fn end_of<T>(self: &Arc<Watch>, role: &str, other: &str, kind: Kind<T>) -> End<T> {
        End { watch: self.clone(), role: role.to_owned(), other: other.to_owned(), kind }
    }
}

impl<T> WatchedSender<T> {
    /// Sends, unless the protocol does not allow it.
    pub fn send(&self, value: T) -> Result<(), WatchedError> {
        self.end.tell("SEND", &value, "TO")?;
        self.channel.send(value).map_err(|_| WatchedError::Disconnected)
    }
}

impl<T> WatchedReceiver<T> {
    /// Waits for a value.
    pub fn recv(&self) -> Result<T, WatchedError> {
        let value = self.channel.recv().map_err(|_| WatchedError::Disconnected)?;
        self.end.tell("RECV", &value, "FROM")?;
        Ok(value)
    }

    /// A value, if there is one.
    pub fn try_recv(&self) -> Result<Option<T>, WatchedError> {
        match self.channel.try_recv() {
            Ok(value) => self.end.tell("RECV", &value, "FROM").map(|()| Some(value)),
            Err(mpsc::TryRecvError::Empty) => Ok(None),
            Err(mpsc::TryRecvError::Disconnected) => Err(WatchedError::Disconnected),
        }
    }
}
