//! The tables of an implementation, and the pure functions on them that programs and checkers call alike.

use crate::state::{Message, State};
use std::borrow::Cow;

/// What happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verb {
    /// A message goes into a channel.
    Send,
    /// A message is taken from a channel.
    Receive,
    /// Sender and receiver step together.
    Handshake,
    /// Nothing more is sent.
    Close,
}

/// An action. Roles and types have numbers. A receive has no type: it takes what comes first.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Action {
    /// What happens.
    pub verb: Verb,
    /// Who sends.
    pub from: u32,
    /// Who receives: several if a message is sent to all of them at once.
    pub to: Cow<'static, [u32]>,
    /// The message type.
    pub message: Option<u32>,
}

impl Action {
    /// Whose step it is: the receiver's of a receive, the sender's of anything else.
    pub fn subject(&self) -> u32 {
        if self.verb == Verb::Receive { self.to[0] } else { self.from }
    }
}

/// What a machine may do in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    /// The action, by number.
    pub action: u32,
    /// Of a send: the stamp that the message carries. Of a receive: the stamp that the message must carry.
    pub stamp: u32,
    /// The state after it.
    pub next: u32,
}

/// The machine of a role, or of all roles together. State 0 is the first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// Where the entries of each state begin; one more at the end.
    pub rows: Cow<'static, [u32]>,
    /// Entries, sorted in each row.
    pub entries: Cow<'static, [Entry]>,
    /// For each state whether the run may end here, as far as this machine knows.
    pub may_stop: Cow<'static, [bool]>,
}

/// A handshake of two machines: sender and receiver agree if both states fit together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Meeting {
    /// The action, by number.
    pub action: u32,
    /// The state of the sender.
    pub sender: u32,
    /// The state of the receiver.
    pub receiver: u32,
    /// The state of the sender after it.
    pub sender_next: u32,
    /// The state of the receiver after it.
    pub receiver_next: u32,
}

impl Table {
    /// A table from its rows, one for each state.
    pub fn new(rows: Vec<Vec<Entry>>, may_stop: Vec<bool>) -> Table {
        let (mut starts, mut entries) = (vec![0], Vec::new());
        for mut row in rows {
            row.sort_unstable();
            entries.extend(row);
            starts.push(u32::try_from(entries.len()).expect("tables have fewer than 2^32 entries"));
        }
        Table { rows: starts.into(), entries: entries.into(), may_stop: may_stop.into() }
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.may_stop.len()
    }

    /// What may be done in a state.
    #[inline]
    pub fn row(&self, state: u32) -> &[Entry] {
        let at = state as usize;
        &self.entries[self.rows[at] as usize..self.rows[at + 1] as usize]
    }

    /// The state after a send, a close or a handshake, and the stamp of the message; `None` if it is not enabled.
    #[inline]
    pub fn try_send(&self, state: u32, action: u32) -> Option<(u32, u32)> {
        let row = self.row(state);
        let at = row.partition_point(|entry| entry.action < action);
        row.get(at).filter(|entry| entry.action == action).map(|entry| (entry.next, entry.stamp))
    }

    /// The state after a receive of a message with a stamp; `None` if it is not enabled.
    #[inline]
    pub fn try_recv(&self, state: u32, action: u32, stamp: u32) -> Option<u32> {
        let row = self.row(state);
        let found = row.binary_search_by_key(&(action, stamp), |entry| (entry.action, entry.stamp));
        found.ok().map(|at| row[at].next)
    }

    /// Whether something with this action may be done in a state, whatever the stamp.
    #[inline]
    pub fn allows(&self, state: u32, action: u32) -> bool {
        self.row(state).iter().any(|entry| entry.action == action)
    }
}

/// How a protocol is implemented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// One machine that all roles share.
    Strict,
    /// A machine for each role.
    Liberal,
}

/// An implementation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tables {
    /// How it is made.
    pub style: Style,
    /// The names of the roles.
    pub roles: Cow<'static, [Cow<'static, str>]>,
    /// The names of the message types.
    pub types: Cow<'static, [Cow<'static, str>]>,
    /// The actions.
    pub actions: Cow<'static, [Action]>,
    /// The machines: one, or one for each role.
    pub machines: Cow<'static, [Table]>,
    /// Handshakes of machines for each role, sorted.
    pub meetings: Cow<'static, [Meeting]>,
    /// Sender and receiver of each channel, sorted.
    pub channels: Cow<'static, [(u32, u32)]>,
    /// The most messages of a channel; a send waits until there is room.
    pub capacity: Option<u32>,
}

impl Tables {
    /// The number of a channel.
    pub fn channel(&self, from: u32, to: u32) -> Option<usize> {
        self.channels.binary_search(&(from, to)).ok()
    }

    /// The machine that a role moves.
    pub fn machine(&self, role: u32) -> usize {
        match self.style {
            Style::Strict => 0,
            Style::Liberal => role as usize,
        }
    }

    /// The first state.
    pub fn initial(&self) -> State {
        State::new(self.machines.len(), self.channels.len())
    }

    /// Whether the run may end here successfully: nothing is on its way, and nobody has to do anything.
    pub fn may_end(&self, state: &State) -> bool {
        let mut machines = self.machines.iter().zip(&state.control);
        state.is_quiet() && machines.all(|(table, at)| table.may_stop[*at as usize])
    }

    /// A send, a close or a handshake; false, and nothing has changed, if it is not enabled.
    pub fn try_send(&self, state: &mut State, number: u32) -> bool {
        let action = &self.actions[number as usize];
        if action.verb == Verb::Handshake && self.style == Style::Liberal {
            return self.try_meet(state, number);
        }
        let machine = self.machine(action.from);
        let Some((next, stamp)) = self.machines[machine].try_send(state.control[machine], number) else {
            return false;
        };
        if action.verb == Verb::Send && !self.has_room(state, action) {
            return false;
        }
        state.control[machine] = next;
        if action.verb != Verb::Handshake {
            self.put(state, action, stamp);
        }
        true
    }

    /// A receive: the message that was taken; `None`, and nothing has changed, if it is not enabled.
    pub fn try_recv(&self, state: &mut State, number: u32) -> Option<Message> {
        let action = &self.actions[number as usize];
        let (machine, channel) = (self.machine(action.to[0]), self.channel(action.from, action.to[0])?);
        let message = *state.channels[channel].messages.first()?;
        let next = self.machines[machine].try_recv(state.control[machine], number, message.stamp)?;
        state.control[machine] = next;
        state.channels[channel].messages.remove(0);
        Some(message)
    }

    /// The next states of sender and receiver after a handshake.
    pub fn meeting(&self, action: u32, sender: u32, receiver: u32) -> Option<&Meeting> {
        let key = (action, sender, receiver);
        let found = self.meetings.binary_search_by_key(&key, |it| (it.action, it.sender, it.receiver));
        found.ok().map(|at| &self.meetings[at])
    }

    fn try_meet(&self, state: &mut State, number: u32) -> bool {
        let action = &self.actions[number as usize];
        let (from, to) = (action.from as usize, action.to[0] as usize);
        let Some(meeting) = self.meeting(number, state.control[from], state.control[to]) else {
            return false;
        };
        state.control[from] = meeting.sender_next;
        state.control[to] = meeting.receiver_next;
        true
    }

    fn has_room(&self, state: &State, action: &Action) -> bool {
        action.to.iter().all(|to| {
            let Some(channel) = self.channel(action.from, *to) else { return false };
            let channel = &state.channels[channel];
            !channel.closed && self.capacity.is_none_or(|most| channel.messages.len() < most as usize)
        })
    }

    fn put(&self, state: &mut State, action: &Action, stamp: u32) {
        for to in action.to.iter() {
            let Some(channel) = self.channel(action.from, *to) else { continue };
            let channel = &mut state.channels[channel];
            match action.verb {
                Verb::Close => channel.closed = true,
                _ => channel.messages.push(Message { kind: action.message, stamp }),
            }
        }
    }
}
