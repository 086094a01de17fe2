//! An object of a program as something that can be checked: it is copied, and its operations are called.

use super::{behaviour::Behaviour, implementation::Move};
use crate::meaning::{Action, Vocabulary};
use explore::Fault;
use rustc_hash::FxHashMap;
use session::{Channel, Core, Message, State, Verb};
use std::{cell::RefCell, rc::Rc};

/// A core and all its states that were met. A state is the number of such a core, and what is in its channels.
pub struct Object<C> {
    vocabulary: Vocabulary,
    channels: Vec<(u32, u32)>,
    /// For each channel its ends as the core numbers them.
    ends: Vec<(u32, u32)>,
    /// The actions, as they are in the vocabulary, in the order of the core.
    actions: Vec<Action>,
    /// For each type of the core its number in the vocabulary.
    types: Vec<u32>,
    met: RefCell<Met<C>>,
}

struct Met<C> {
    list: Vec<C>,
    numbers: FxHashMap<C, u32>,
}

impl<C: Core> Object<C> {
    /// An object in its first state. With the vocabulary of a specification, both can be compared: roles and types with the same names are the same.
    pub fn new(core: C, specification: Option<&Vocabulary>) -> Object<C> {
        let mut vocabulary = specification.cloned().unwrap_or_default();
        let names = core.roles();
        let roles: Vec<u32> = names.iter().map(|name| vocabulary.role(name, &key(name))).collect();
        let types: Vec<u32> =
            core.types().iter().map(|name| vocabulary.message(&Rc::from(&**name))).collect();
        let renumbered = |action: &session::Action| {
            let mut to: Vec<u32> = action.to.iter().map(|role| roles[*role as usize]).collect();
            to.sort_unstable();
            let message = action.message.map(|kind| types[kind as usize]);
            Action { verb: action.verb, from: roles[action.from as usize], to: to.into(), message }
        };
        let known = core.actions();
        let actions: Vec<Action> = known.iter().map(renumbered).collect();
        for action in &actions {
            vocabulary.action(action.clone());
        }
        let mut both: Vec<((u32, u32), (u32, u32))> = Vec::new();
        for action in known.iter().filter(|action| action.verb != Verb::Handshake) {
            both.extend(
                action
                    .to
                    .iter()
                    .map(|to| ((roles[action.from as usize], roles[*to as usize]), (action.from, *to))),
            );
        }
        both.sort_unstable();
        both.dedup();
        let (channels, ends) = both.into_iter().unzip();
        let met = Met { numbers: FxHashMap::from_iter([(core.clone(), 0)]), list: vec![core] };
        Object { vocabulary, channels, ends, actions, types, met: RefCell::new(met) }
    }

    fn core(&self, state: &State) -> Result<C, Fault> {
        let number = state.control.first().copied().unwrap_or_default();
        let known = self.met.borrow().list.get(number as usize).cloned();
        known.ok_or_else(|| Fault::Broken("a state is not known".into()))
    }

    fn state(&self, core: C) -> State {
        let contents = |(from, to): &(u32, u32)| {
            let kinds = core.queue(*from, *to);
            let message = |kind: Option<u32>| Message { kind: self.kind(kind), stamp: 0 };
            Channel { closed: false, messages: kinds.into_iter().map(message).collect() }
        };
        let channels = self.ends.iter().map(contents).collect();
        let mut met = self.met.borrow_mut();
        let next = u32::try_from(met.list.len()).expect("there are fewer than 2^32 states");
        let number = *met.numbers.entry(core.clone()).or_insert(next);
        if number == next {
            met.list.push(core);
        }
        State { control: [number].into(), channels }
    }

    fn kind(&self, kind: Option<u32>) -> Option<u32> {
        kind.map(|kind| self.types[kind as usize])
    }
}

/// The key of a role: its name without indices.
fn key(name: &str) -> Rc<str> {
    name.split('[').next().unwrap_or(name).into()
}

impl<C: Core> Behaviour for Object<C> {
    fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    fn channels(&self) -> &[(u32, u32)] {
        &self.channels
    }

    fn initial(&self) -> Result<State, Fault> {
        let first = self.met.borrow().list[0].clone();
        Ok(self.state(first))
    }

    fn moves(&self, state: &State) -> Result<Vec<Move>, Fault> {
        let core = self.core(state)?;
        let mut moves = Vec::new();
        for (number, action) in (0..).zip(&self.actions) {
            let mut next = core.clone();
            let action = if action.verb == Verb::Receive {
                let Some(kind) = next.try_recv(number) else { continue };
                Action { message: self.kind(kind), ..action.clone() }
            } else if next.try_send(number) {
                action.clone()
            } else {
                continue;
            };
            moves.push(Move { action, to: self.state(next) });
        }
        Ok(moves)
    }

    fn may_end(&self, state: &State) -> Result<bool, Fault> {
        Ok(self.core(state)?.may_end())
    }

    fn machine(&self, _machine: usize) -> String {
        "object".to_owned()
    }
}
