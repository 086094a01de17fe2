//! Comparing an implementation with its specification: traces that are lost, and traces that are added.
//!
//! Either may be non-deterministic: a trace leads to a set of states, and pairs of such sets are visited breadth first (the subset
//! construction, on the fly), so that what is found first is shortest.

use super::{
    behaviour::Behaviour,
    explored::{Incomplete, LONGEST_QUEUE},
    sets::{Numbered, Set, set},
};
use crate::meaning::Action;
use explore::{Fault, Limit, Limits};
use rustc_hash::FxHashMap;
use session::State;
use std::{collections::BTreeMap, time::Instant};

/// The most differences of each kind that are listed.
const MOST_DIFFERENCES: usize = 8;

/// A trace that only one of two systems has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What both can do, as short as possible.
    pub trace: Vec<Action>,
    /// What only one of them can do then; `None` for ending successfully.
    pub action: Option<Action>,
}

/// How an implementation differs from its specification.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// Traces that the implementation does not have. They make it wrong.
    pub lost: Vec<Difference>,
    /// Traces that the specification does not have: reorderings, as a rule.
    pub added: Vec<Difference>,
    /// Why not all traces were compared.
    pub incomplete: Option<Incomplete>,
    /// Pairs of sets of states that were visited.
    pub pairs: usize,
}

impl Comparison {
    /// Whether both have the same traces.
    pub fn is_equal(&self) -> bool {
        self.lost.is_empty() && self.added.is_empty() && self.incomplete.is_none()
    }
}

/// Compares the traces of an implementation with those of a specification. Of several differences in the same action the shortest is
/// listed.
pub fn compare(specification: &dyn Behaviour, implementation: &dyn Behaviour, limits: &Limits) -> Comparison {
    let mut pairs = Pairs::default();
    let incomplete = pairs
        .search(specification, implementation, limits)
        .unwrap_or_else(|fault| Some(Incomplete::Fault(fault)));
    Comparison { incomplete, pairs: pairs.list.list.len(), ..pairs.found }
}

/// The pairs that were met.
#[derive(Default)]
struct Pairs {
    list: Numbered<(u32, u32)>,
    /// For each pair but the first: the pair before it, and the action.
    parents: Vec<Option<(usize, u32)>>,
    actions: Numbered<Action>,
    found: Comparison,
}

impl Pairs {
    fn search(
        &mut self,
        specification: &dyn Behaviour,
        implementation: &dyn Behaviour,
        limits: &Limits,
    ) -> Result<Option<Incomplete>, Fault> {
        let begun = Instant::now();
        let (mut left, mut right) = (Side::new(specification)?, Side::new(implementation)?);
        self.list.number((0, 0));
        self.parents.push(None);
        let mut at = 0;
        while at < self.list.list.len() {
            let full = limits.states.is_some_and(|most| at >= most).then_some(Limit::States);
            let ended = at.is_multiple_of(256).then(|| limits.ended_since(begun)).flatten();
            if let Some(limit) = full.or(ended) {
                return Ok(Some(Incomplete::Limit(limit)));
            }
            let (one, other) = self.list.list[at];
            if left.is_long(one) || right.is_long(other) {
                return Ok(Some(Incomplete::LongQueue));
            }
            let wanted = left.after(one, &mut self.actions)?;
            let possible = right.after(other, &mut self.actions)?;
            self.compare(at, &wanted, &possible);
            at += 1;
        }
        Ok(None)
    }

    fn compare(&mut self, at: usize, wanted: &After, possible: &After) {
        for (action, one) in &wanted.targets {
            match possible.targets.get(action) {
                Some(other) => self.follow(at, *action, (*one, *other)),
                None => self.differs(at, Some(*action), true),
            }
        }
        for action in possible.targets.keys().filter(|action| !wanted.targets.contains_key(action)) {
            self.differs(at, Some(*action), false);
        }
        if wanted.may_end != possible.may_end {
            self.differs(at, None, wanted.may_end);
        }
    }

    fn follow(&mut self, at: usize, action: u32, pair: (u32, u32)) {
        let before = self.list.list.len();
        self.list.number(pair);
        if self.list.list.len() > before {
            self.parents.push(Some((at, action)));
        }
    }

    fn differs(&mut self, at: usize, action: Option<u32>, lost: bool) {
        let action = action.map(|action| self.actions.list[action as usize].clone());
        let known = if lost { &self.found.lost } else { &self.found.added };
        if known.len() == MOST_DIFFERENCES || known.iter().any(|it| it.action == action) {
            return;
        }
        let difference = Difference { trace: self.way_to(at), action };
        if lost { self.found.lost.push(difference) } else { self.found.added.push(difference) }
    }

    fn way_to(&self, mut at: usize) -> Vec<Action> {
        let mut way = Vec::new();
        while let Some((before, action)) = self.parents[at] {
            way.push(self.actions.list[action as usize].clone());
            at = before;
        }
        way.reverse();
        way
    }
}

/// What follows a set of states.
#[derive(Clone)]
struct After {
    /// For each action, by number, the set of states after it.
    targets: BTreeMap<u32, u32>,
    may_end: bool,
}

/// One of two systems: its states and the sets of them that traces lead to, with numbers.
struct Side<'b> {
    behaviour: &'b dyn Behaviour,
    states: Numbered<State>,
    sets: Numbered<Set>,
    known: FxHashMap<u32, After>,
}

impl<'b> Side<'b> {
    fn new(behaviour: &'b dyn Behaviour) -> Result<Side<'b>, Fault> {
        let mut side = Side {
            behaviour,
            states: Numbered::default(),
            sets: Numbered::default(),
            known: FxHashMap::default(),
        };
        let first = side.states.number(behaviour.initial()?);
        side.sets.number(set([first]));
        Ok(side)
    }

    fn is_long(&self, set: u32) -> bool {
        let long = |state: &u32| {
            self.states.list[*state as usize].channels.iter().any(|it| it.messages.len() > LONGEST_QUEUE)
        };
        self.sets.list[set as usize].iter().any(long)
    }

    fn after(&mut self, set_number: u32, actions: &mut Numbered<Action>) -> Result<After, Fault> {
        if let Some(known) = self.known.get(&set_number) {
            return Ok(known.clone());
        }
        let mut targets: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut may_end = false;
        for number in self.sets.list[set_number as usize].clone().iter() {
            let state = self.states.list[*number as usize].clone();
            may_end |= self.behaviour.may_end(&state)?;
            for step in self.behaviour.moves(&state)? {
                let to = self.states.number(step.to);
                targets.entry(actions.number(step.action)).or_default().push(to);
            }
        }
        let targets = targets.into_iter().map(|(action, to)| (action, self.sets.number(set(to)))).collect();
        let after = After { targets, may_end };
        self.known.insert(set_number, after.clone());
        Ok(after)
    }
}
