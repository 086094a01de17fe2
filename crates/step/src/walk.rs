//! Random walks: those of CFL's `execute_…` (thesis of 2023, sections 4.3 and 6.1).
//!
//! The crate `fuzz` has the same ways to walk for a pool of nodes; here there is one state to begin with, and people who look on.

use crate::{Inspect, answer::RunEnd, cursor::Cursor};
use explore::{Fault, Rng};
use serde::Serialize;
use std::{
    collections::{HashMap, HashSet},
    sync::atomic::{AtomicBool, Ordering},
};

/// How the next action is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// Any enabled action, equally likely.
    Uniform,
    /// Actions of one process, drawn at the start.
    OneProcess,
    /// An action to an unseen state, then a transition never taken, then an action never taken from here.
    Novelty,
    /// An action to a state in which more actions are enabled.
    MoreEnabled,
}

/// At most this many actions are drawn in search of one that enables more; the last one is taken whatever it leads to.
const DRAWS: usize = 4;
/// One in this many actions is taken although it does not enable more.
const TOLERANCE: usize = 10;

/// What the walks of a command have seen.
pub(crate) struct Tally<S: Inspect> {
    visits: HashMap<S::Identity, Visits<S>>,
    /// How many states were entered, again or not.
    pub(crate) seen: usize,
    /// The transitions that were taken, by name and variant.
    transitions: HashSet<(String, Option<usize>)>,
    /// The actions that were taken, by their positions among those enabled in a state.
    taken: HashSet<(S::Identity, usize)>,
}

struct Visits<S: Inspect> {
    times: usize,
    checkpoint: S::Checkpoint,
}

impl<S: Inspect> Tally<S> {
    pub(crate) fn new() -> Tally<S> {
        Tally { visits: HashMap::new(), seen: 0, transitions: HashSet::new(), taken: HashSet::new() }
    }

    /// Counts the state in which the cursor is.
    pub(crate) fn enter(&mut self, cursor: &mut Cursor<S>) {
        self.seen += 1;
        let visits = self.visits.entry(cursor.system().identity());
        visits.or_insert_with(|| Visits { times: 0, checkpoint: cursor.checkpoint() }).times += 1;
    }

    pub(crate) fn distinct(&self) -> usize {
        self.visits.len()
    }

    /// The state that was entered most often, and how often. Of several the least, as a hash map has no fixed order.
    pub(crate) fn most_seen(&self) -> Option<(&S::Checkpoint, usize)> {
        let most = self
            .visits
            .iter()
            .max_by(|(a, these), (b, those)| these.times.cmp(&those.times).then_with(|| b.cmp(a)));
        most.map(|(_, visits)| (&visits.checkpoint, visits.times))
    }

    /// Notes that an action is taken where the cursor is.
    fn take(&mut self, cursor: &Cursor<S>, at: usize) {
        self.transitions.insert(transition_of(cursor, at));
        self.taken.insert((cursor.system().identity(), at));
    }
}

fn transition_of<S: Inspect>(cursor: &Cursor<S>, at: usize) -> (String, Option<usize>) {
    let call = cursor.system().call(&cursor.enabled()[at]);
    (call.name, call.variant)
}

/// A walk from where the cursor is. It leaves the cursor where it ended.
pub(crate) struct Walk<'w, S: Inspect> {
    pub(crate) cursor: &'w mut Cursor<S>,
    pub(crate) rng: &'w mut Rng,
    pub(crate) tally: &'w mut Tally<S>,
    pub(crate) cancel: &'w AtomicBool,
}

impl<S: Inspect> Walk<'_, S> {
    /// The actions that were taken, at most `length`, and how the walk ended.
    pub(crate) fn run(&mut self, way: Way, length: usize) -> Result<(Vec<S::Action>, RunEnd), Fault> {
        let process = self.rng.below(self.cursor.system().processes().max(1));
        let mut taken = Vec::new();
        while taken.len() < length {
            if self.cancel.load(Ordering::Relaxed) {
                return Ok((taken, RunEnd::Interrupted));
            }
            let Some(at) = self.choose(way, process)? else { return Ok((taken, RunEnd::NoAction)) };
            self.tally.take(self.cursor, at);
            let action = self.cursor.enabled()[at].clone();
            self.cursor.take(&action)?;
            taken.push(action);
            self.tally.enter(self.cursor);
            let findings = self.cursor.system().findings();
            if !findings.is_empty() {
                let violated = findings.iter().any(|finding| finding.violation);
                return Ok((taken, if violated { RunEnd::Violation } else { RunEnd::Final }));
            }
        }
        Ok((taken, RunEnd::Length))
    }

    /// The position of the next action.
    fn choose(&mut self, way: Way, process: usize) -> Result<Option<usize>, Fault> {
        if self.cursor.enabled().is_empty() {
            return Ok(None);
        }
        match way {
            Way::Uniform => Ok(Some(self.rng.below(self.cursor.enabled().len()))),
            Way::OneProcess => {
                let acting = self.draw(|system, action| system.process(action) == Some(process));
                Ok(acting.or_else(|| self.draw(|system, action| system.call(action).involves(process))))
            }
            Way::Novelty => self.novel().map(Some),
            Way::MoreEnabled => self.more_enabled().map(Some),
        }
    }

    /// One of the actions for which a condition holds.
    fn draw(&mut self, holds: impl Fn(&S, &S::Action) -> bool) -> Option<usize> {
        let (system, enabled) = (self.cursor.system(), self.cursor.enabled());
        let fitting: Vec<usize> = (0..enabled.len()).filter(|at| holds(system, &enabled[*at])).collect();
        (!fitting.is_empty()).then(|| fitting[self.rng.below(fitting.len())])
    }

    fn novel(&mut self) -> Result<usize, Fault> {
        let here = (self.cursor.system().identity(), self.cursor.checkpoint());
        let mut order: Vec<usize> = (0..self.cursor.enabled().len()).collect();
        self.rng.shuffle(&mut order);
        for at in &order {
            let (next, _) = self.look(&here.1, *at)?;
            if !self.tally.visits.contains_key(&next) {
                return Ok(*at);
            }
        }
        let untaken = |at: &&usize| !self.tally.taken.contains(&(here.0.clone(), **at));
        let new = |at: &&usize| !self.tally.transitions.contains(&transition_of(self.cursor, **at));
        Ok(*order.iter().find(new).or_else(|| order.iter().find(untaken)).unwrap_or(&order[0]))
    }

    fn more_enabled(&mut self) -> Result<usize, Fault> {
        let (here, enabled) = (self.cursor.checkpoint(), self.cursor.enabled().len());
        let mut at = self.rng.below(enabled);
        for _ in 1..DRAWS {
            if self.look(&here, at)?.1 > enabled || self.rng.below(TOLERANCE) == 0 {
                break;
            }
            at = self.rng.below(enabled);
        }
        Ok(at)
    }

    /// The state that an action leads to, and how many actions are enabled there. The cursor comes back.
    fn look(&mut self, here: &S::Checkpoint, at: usize) -> Result<(S::Identity, usize), Fault> {
        let action = self.cursor.enabled()[at].clone();
        self.cursor.take(&action)?;
        let found = (self.cursor.system().identity(), self.cursor.enabled().len());
        self.cursor.restore(here)?;
        Ok(found)
    }
}
