//! Comparing an implementation with its specification: traces that are lost, and traces that are added.

use super::{implementation::Implementation, implementation::Move, state::State};
use crate::meaning::Action;
use explore::{Limit, Limits};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// The most differences of each kind that are listed.
const MOST_DIFFERENCES: usize = 8;
/// Longer queues are not compared.
const LONGEST_QUEUE: usize = 64;

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
    pub incomplete: Option<Limit>,
    /// Pairs of states that were visited.
    pub pairs: usize,
}

impl Comparison {
    /// Whether both have the same traces.
    pub fn is_equal(&self) -> bool {
        self.lost.is_empty() && self.added.is_empty() && self.incomplete.is_none()
    }
}

/// Compares an implementation with a specification; both must be deterministic, as [`Strict`](super::Style::Strict) and
/// [`Liberal`](super::Style::Liberal) ones are. Of several differences in the same action the shortest is listed.
pub fn compare(
    specification: &Implementation,
    implementation: &Implementation,
    limits: &Limits,
) -> Comparison {
    let begun = Instant::now();
    let start = (specification.initial(), implementation.initial());
    let mut search = Pairs {
        numbers: FxHashMap::from_iter([(start.clone(), 0)]),
        list: vec![start],
        parents: vec![None],
        found: Comparison::default(),
    };
    let mut at = 0;
    while at < search.list.len() {
        let full = limits.states.is_some_and(|most| at >= most).then_some(Limit::States);
        let ended = at.is_multiple_of(256).then(|| limits.ended_since(begun)).flatten();
        let (left, right) = search.list[at].clone();
        let long = |state: &State| state.channels.iter().any(|it| it.messages.len() > LONGEST_QUEUE);
        let long = (long(&left) || long(&right)).then_some(Limit::States);
        if let Some(limit) = full.or(ended).or(long) {
            search.found.incomplete = Some(limit);
            break;
        }
        search.compare(at, (specification, &left), (implementation, &right));
        at += 1;
    }
    search.found.pairs = search.list.len();
    search.found
}

struct Pairs {
    numbers: FxHashMap<(State, State), usize>,
    list: Vec<(State, State)>,
    parents: Vec<Option<(usize, Action)>>,
    found: Comparison,
}

impl Pairs {
    fn compare(
        &mut self,
        at: usize,
        (specification, left): (&Implementation, &State),
        (implementation, right): (&Implementation, &State),
    ) {
        let (wanted, possible) = (specification.moves(left), implementation.moves(right));
        for step in &wanted {
            match possible.iter().find(|other| other.action == step.action) {
                Some(other) => self.follow(at, step, other),
                None => self.differs(at, Some(&step.action), true),
            }
        }
        for step in &possible {
            if !wanted.iter().any(|other| other.action == step.action) {
                self.differs(at, Some(&step.action), false);
            }
        }
        match (specification.may_end(left), implementation.may_end(right)) {
            (true, false) => self.differs(at, None, true),
            (false, true) => self.differs(at, None, false),
            _ => {}
        }
    }

    fn follow(&mut self, at: usize, left: &Move, right: &Move) {
        let pair = (left.to.clone(), right.to.clone());
        let next = self.list.len();
        if *self.numbers.entry(pair.clone()).or_insert(next) == next {
            self.list.push(pair);
            self.parents.push(Some((at, left.action.clone())));
        }
    }

    fn differs(&mut self, at: usize, action: Option<&Action>, lost: bool) {
        let known = if lost { &self.found.lost } else { &self.found.added };
        if known.len() == MOST_DIFFERENCES || known.iter().any(|it| it.action.as_ref() == action) {
            return;
        }
        let difference = Difference { trace: self.way_to(at), action: action.cloned() };
        if lost { self.found.lost.push(difference) } else { self.found.added.push(difference) }
    }

    fn way_to(&self, mut at: usize) -> Vec<Action> {
        let mut way = Vec::new();
        while let Some((before, action)) = &self.parents[at] {
            way.push(action.clone());
            at = *before;
        }
        way.reverse();
        way
    }
}
