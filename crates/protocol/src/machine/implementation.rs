//! Implementations in three styles, and their steps.

use super::{
    determinise::{as_it_is, determinise},
    project::project,
};
use crate::{
    meaning::{Action, StateGraph, Vocabulary},
    syntax::tree::Verb,
};
use session::{Entry, Meeting, Message, State, Table, Tables};
use std::{borrow::Cow, fmt, rc::Rc, str::FromStr};

/// How a protocol is implemented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// Not at all: the specification itself, with channels.
    Spec,
    /// One state that all roles share.
    Strict,
    /// A machine for each role, and nothing shared but channels.
    Liberal,
}

impl Style {
    /// The word that people use.
    pub fn word(self) -> &'static str {
        match self {
            Style::Spec => "spec",
            Style::Strict => "strict",
            Style::Liberal => "liberal",
        }
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Style {
    type Err = String;

    fn from_str(text: &str) -> Result<Style, String> {
        let styles = [Style::Spec, Style::Strict, Style::Liberal];
        let found = styles.into_iter().find(|style| style.word() == text);
        found.ok_or_else(|| "one of spec, strict and liberal".into())
    }
}

/// A machine would have too many states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

/// A step of an implementation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// What is done; a receive has the type of the message.
    pub action: Action,
    /// The state after it.
    pub to: State,
}

/// An implementation: tables, and how they are used.
#[derive(Debug, Clone)]
pub struct Implementation {
    style: Style,
    vocabulary: Rc<Vocabulary>,
    /// What programs run; the machine of a specification may have several entries for one action.
    tables: Rc<Tables>,
    /// The handshakes, by number.
    handshakes: Rc<[u32]>,
}

impl Implementation {
    /// Makes an implementation of a state graph.
    pub fn new(graph: &StateGraph, style: Style) -> Result<Implementation, TooLarge> {
        let (tables, meetings) = match style {
            Style::Spec => (vec![as_it_is(graph)], vec![]),
            Style::Strict => (vec![determinise(graph)?], vec![]),
            Style::Liberal => {
                let projection = project(graph)?;
                (projection.tables, projection.meetings)
            }
        };
        let vocabulary = Rc::new(graph.vocabulary.clone());
        let is_handshake = |(_, action): &(u32, &Action)| action.verb == Verb::Handshake;
        let handshakes =
            (0..).zip(&vocabulary.actions).filter(is_handshake).map(|(number, _)| number).collect();
        let tables = Tables {
            style: if style == Style::Liberal { session::Style::Liberal } else { session::Style::Strict },
            roles: vocabulary.roles.iter().map(|role| Cow::Owned(role.name.clone())).collect(),
            types: vocabulary.types.iter().map(|name| Cow::Owned(name.to_string())).collect(),
            actions: vocabulary.actions.iter().map(as_in_tables).collect(),
            machines: tables.into(),
            meetings: meetings.into(),
            channels: channels(&vocabulary).into(),
            capacity: None,
        };
        Ok(Implementation { style, vocabulary, tables: Rc::new(tables), handshakes })
    }

    /// The same implementation with channels that hold so many messages; a send waits until there is room.
    #[must_use]
    pub fn with_capacity(mut self, capacity: Option<usize>) -> Implementation {
        let capacity = capacity.map(|most| u32::try_from(most).unwrap_or(u32::MAX));
        self.tables = Rc::new(Tables { capacity, ..(*self.tables).clone() });
        self
    }

    /// The same implementation with other tables, one for each that it has, and other handshakes: somebody has changed them.
    #[must_use]
    pub fn with_tables(mut self, tables: Vec<Table>, meetings: Vec<Meeting>) -> Implementation {
        let (machines, meetings) = (tables.into(), meetings.into());
        self.tables = Rc::new(Tables { machines, meetings, ..(*self.tables).clone() });
        self
    }

    /// The most messages of a channel, if there is a limit.
    pub fn capacity(&self) -> Option<usize> {
        self.tables.capacity.map(|most| most as usize)
    }

    /// How it is made.
    pub fn style(&self) -> Style {
        self.style
    }

    /// Roles, types and actions.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The machines.
    pub fn machines(&self) -> &[Table] {
        &self.tables.machines
    }

    /// Everything that a program needs to run.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The handshakes of machines for each role.
    pub fn meetings(&self) -> &[Meeting] {
        &self.tables.meetings
    }

    /// The channels: sender and receiver.
    pub fn channels(&self) -> &[(u32, u32)] {
        &self.tables.channels
    }

    /// The number of a channel.
    pub fn channel(&self, from: u32, to: u32) -> Option<usize> {
        self.tables.channel(from, to)
    }

    /// The first state.
    pub fn initial(&self) -> State {
        self.tables.initial()
    }

    /// Whether the run may end here successfully: nothing is on its way, and nobody has to do anything.
    pub fn may_end(&self, state: &State) -> bool {
        self.tables.may_end(state)
    }

    /// The steps from a state.
    pub fn moves(&self, state: &State) -> Vec<Move> {
        let mut moves = Vec::new();
        for (machine, table) in self.tables.machines.iter().enumerate() {
            let mut last = None;
            for entry in table.row(state.control[machine]) {
                match self.style {
                    // Several entries of one action are several steps.
                    Style::Spec => moves.extend(self.by_entry(state, entry)),
                    // Several entries of one action differ in the stamp that a message must have.
                    _ if last == Some(entry.action) => {}
                    _ => moves.extend(self.try_action(state, entry.action)),
                }
                last = Some(entry.action);
            }
        }
        if self.style == Style::Liberal {
            let handshakes = self.handshakes.iter();
            moves.extend(handshakes.filter_map(|number| self.try_action(state, *number)));
        }
        moves
    }

    /// A step, if it is enabled: the very functions that programs call.
    fn try_action(&self, state: &State, number: u32) -> Option<Move> {
        let action = &self.vocabulary.actions[number as usize];
        let mut to = state.clone();
        if action.verb == Verb::Receive {
            let message = self.tables.try_recv(&mut to, number)?;
            return Some(Move { action: Action { message: message.kind, ..action.clone() }, to });
        }
        self.tables.try_send(&mut to, number).then(|| Move { action: action.clone(), to })
    }

    fn by_entry(&self, state: &State, entry: &Entry) -> Option<Move> {
        let action = &self.vocabulary.actions[entry.action as usize];
        match action.verb {
            Verb::Receive => {
                let message = *self.head(state, action)?;
                Some(self.received(state, action, message, 0, entry.next))
            }
            _ => self.sent(state, action, 0, entry.next, entry.stamp),
        }
    }

    fn head<'s>(&self, state: &'s State, action: &Action) -> Option<&'s Message> {
        state.channels[self.channel(action.from, action.to[0])?].messages.first()
    }

    fn received(&self, state: &State, action: &Action, message: Message, machine: usize, next: u32) -> Move {
        let mut to = state.clone();
        to.control[machine] = next;
        if let Some(channel) = self.channel(action.from, action.to[0]) {
            to.channels[channel].messages.remove(0);
        }
        Move { action: Action { message: message.kind, ..action.clone() }, to }
    }

    /// The state after a send, a close or a handshake; `None` if a channel is closed or full.
    fn sent(&self, state: &State, action: &Action, machine: usize, next: u32, stamp: u32) -> Option<Move> {
        let mut to = state.clone();
        to.control[machine] = next;
        for receiver in action.to.iter().filter(|_| action.verb != Verb::Handshake) {
            let channel = &mut to.channels[self.channel(action.from, *receiver)?];
            if action.verb == Verb::Close {
                channel.closed = true;
                continue;
            }
            let full = self.capacity().is_some_and(|most| channel.messages.len() >= most);
            if channel.closed || full {
                return None;
            }
            channel.messages.push(Message { kind: action.message, stamp });
        }
        Some(Move { action: action.clone(), to })
    }
}

/// The channels that actions use, sorted.
fn channels(vocabulary: &Vocabulary) -> Vec<(u32, u32)> {
    let used = vocabulary.actions.iter().filter(|action| action.verb != Verb::Handshake);
    let mut channels: Vec<(u32, u32)> =
        used.flat_map(|action| action.to.iter().map(|to| (action.from, *to))).collect();
    channels.sort_unstable();
    channels.dedup();
    channels
}

/// An action as tables have it.
fn as_in_tables(action: &Action) -> session::Action {
    session::Action {
        verb: action.verb,
        from: action.from,
        to: Cow::Owned(action.to.to_vec()),
        message: action.message,
    }
}
