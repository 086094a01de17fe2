//! Actions: who does what. Roles, types and actions have numbers.

use crate::syntax::tree::Verb;
use rustc_hash::FxHashMap;
use std::{fmt::Write, rc::Rc};

/// A role of an instance, such as `worker[0]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Role {
    /// Its name with indices.
    pub name: String,
    /// The key that it is declared by.
    pub key: Rc<str>,
}

/// A single action. A receive of the specification has no type: it takes what comes first in the channel.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action {
    /// What happens.
    pub verb: Verb,
    /// Who sends, by number.
    pub from: u32,
    /// Who receives: several if the message is sent to all of them at once.
    pub to: Rc<[u32]>,
    /// The message type, by number.
    pub message: Option<u32>,
}

impl Action {
    /// Who is ordered by weak sequence: the receiver of a receive, the sender of anything else.
    pub fn subject(&self) -> u32 {
        if self.verb == Verb::Receive { self.to[0] } else { self.from }
    }

    /// Whether a role takes this step: a send is a step of its sender alone, a handshake of both.
    pub fn is_step_of(&self, role: u32) -> bool {
        self.subject() == role || self.verb == Verb::Handshake && self.to[0] == role
    }
}

/// The roles, message types and actions of an instance. The number of each is its position.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    /// Roles.
    pub roles: Vec<Role>,
    /// Message types.
    pub types: Vec<Rc<str>>,
    /// Actions.
    pub actions: Vec<Action>,
    numbers: FxHashMap<Action, u32>,
}

impl Vocabulary {
    pub(crate) fn role(&mut self, name: &str, key: &Rc<str>) -> u32 {
        let at = self.roles.iter().position(|role| role.name == name).unwrap_or_else(|| {
            self.roles.push(Role { name: name.to_owned(), key: key.clone() });
            self.roles.len() - 1
        });
        number(at)
    }

    pub(crate) fn message(&mut self, name: &Rc<str>) -> u32 {
        let at = self.types.iter().position(|known| known == name).unwrap_or_else(|| {
            self.types.push(name.clone());
            self.types.len() - 1
        });
        number(at)
    }

    pub(crate) fn action(&mut self, action: Action) -> u32 {
        let next = number(self.actions.len());
        let known = *self.numbers.entry(action.clone()).or_insert(next);
        if known == next {
            self.actions.push(action);
        }
        known
    }

    /// The number of an action, if it occurs.
    pub fn find(&self, action: &Action) -> Option<u32> {
        self.numbers.get(action).copied()
    }

    /// An action in words, which are also those of atoms: `white SEND Move TO black`.
    pub fn text(&self, action: &Action) -> String {
        let name = |role: u32| self.roles[role as usize].name.clone();
        let (who, verb, word) = match action.verb {
            Verb::Send => (action.from, "SEND", "TO"),
            Verb::Receive => (action.to[0], "RECV", "FROM"),
            Verb::Handshake => (action.from, "SYNC", "TO"),
            Verb::Close => (action.from, "CLOSE", "TO"),
        };
        let others: Vec<String> = match action.verb {
            Verb::Receive => vec![name(action.from)],
            _ => action.to.iter().map(|role| name(*role)).collect(),
        };
        let mut text = format!("{} {verb} ", name(who));
        if let Some(message) = action.message {
            write!(text, "{} ", self.types[message as usize]).expect("memory takes everything");
        }
        text + word + " " + &others.join(",")
    }
}

pub(crate) fn number(at: usize) -> u32 {
    u32::try_from(at).expect("tables have fewer than 2^32 entries")
}
