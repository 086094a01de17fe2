//! Ways to walk at random: those of CFL's `execute_…` (thesis of 2023, sections 4.3 and 6.1).
//!
//! The crate `fuzz` has the same ways for a pool of nodes; here there is one state to begin with, and people who look on.

use crate::{Snapshot, Subject, Wrong};
use explore::Rng;
use std::{
    collections::{HashMap, HashSet},
    sync::atomic::{AtomicBool, Ordering},
};

/// How the next exit is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Any exit, equally likely.
    Uniform,
    /// Steps of one process, drawn at the start.
    OneProcess,
    /// An exit to an unseen state, then a transition never taken, then an exit never taken from here.
    Novelty,
    /// An exit to a state with more exits.
    MoreExits,
}

/// So many exits are drawn before the last one is taken whatever it leads to.
const DRAWS: usize = 4;
/// One in so many exits is taken though it leads to no more exits.
const INDULGENCE: usize = 10;

/// What some walks have come to.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// How often each state was entered.
    visits: HashMap<Snapshot, usize>,
    /// How many states were entered, again or not.
    pub(crate) seen: usize,
    rules: HashSet<usize>,
    exits: HashSet<(Snapshot, usize)>,
}

impl Tally {
    pub(crate) fn enter(&mut self, state: Snapshot) {
        self.seen += 1;
        *self.visits.entry(state).or_default() += 1;
    }

    pub(crate) fn distinct(&self) -> usize {
        self.visits.len()
    }

    /// The state that was entered most often, and how often. Of several the least, so that chance has no part in it.
    pub(crate) fn most(&self) -> Option<(&Snapshot, usize)> {
        let visits = self.visits.iter().map(|(state, visits)| (state, *visits));
        visits.max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(a.0)))
    }
}

/// How a walk ended.
#[derive(Debug)]
pub(crate) enum End {
    /// Something is wrong here.
    Wrong(Vec<Wrong>),
    /// There is no exit, or none that the way would take.
    NoExit,
    /// It was long enough.
    Length,
    /// Somebody wants it to end.
    Cancelled,
}

/// A walk from where the subject is: the exits that it took. It leaves the subject where it ended.
pub(crate) struct Walk<'w> {
    pub(crate) subject: &'w mut dyn Subject,
    pub(crate) rng: &'w mut Rng,
    pub(crate) tally: &'w mut Tally,
    pub(crate) cancel: &'w AtomicBool,
}

impl Walk<'_> {
    pub(crate) fn run(&mut self, way: Way, length: usize) -> Result<(Vec<usize>, End), String> {
        let process = self.rng.below(self.subject.processes().max(1));
        let mut taken = Vec::new();
        while taken.len() < length {
            if self.cancel.load(Ordering::Relaxed) {
                return Ok((taken, End::Cancelled));
            }
            let Some(exit) = self.choose(way, process)? else { return Ok((taken, End::NoExit)) };
            let from = self.subject.snapshot();
            self.tally.rules.insert(self.subject.rule(exit));
            self.tally.exits.insert((from, exit));
            self.subject.take(exit)?;
            taken.push(exit);
            self.tally.enter(self.subject.snapshot());
            let wrong = self.subject.wrong();
            if !wrong.is_empty() {
                return Ok((taken, End::Wrong(wrong)));
            }
        }
        Ok((taken, End::Length))
    }

    fn choose(&mut self, way: Way, process: usize) -> Result<Option<usize>, String> {
        if self.subject.exits() == 0 {
            return Ok(None);
        }
        match way {
            Way::Uniform => Ok(Some(self.rng.below(self.subject.exits()))),
            Way::OneProcess => {
                let acting = self.draw(|subject, exit| subject.acts(exit, process));
                Ok(acting.or_else(|| self.draw(|subject, exit| subject.takes_part(exit, process))))
            }
            Way::Novelty => self.novel().map(Some),
            Way::MoreExits => self.more_exits().map(Some),
        }
    }

    /// One of the exits for which a condition holds.
    fn draw(&mut self, holds: impl Fn(&dyn Subject, usize) -> bool) -> Option<usize> {
        let exits: Vec<usize> =
            (0..self.subject.exits()).filter(|exit| holds(&*self.subject, *exit)).collect();
        (!exits.is_empty()).then(|| exits[self.rng.below(exits.len())])
    }

    fn novel(&mut self) -> Result<usize, String> {
        let here = self.subject.snapshot();
        let mut exits: Vec<usize> = (0..self.subject.exits()).collect();
        self.rng.shuffle(&mut exits);
        for exit in &exits {
            let next = self.look(&here, *exit)?.0;
            if !self.tally.visits.contains_key(&next) {
                return Ok(*exit);
            }
        }
        let untaken = |exit: &&usize| !self.tally.exits.contains(&(here.clone(), **exit));
        let new_rule = exits.iter().find(|exit| !self.tally.rules.contains(&self.subject.rule(**exit)));
        Ok(*new_rule.or_else(|| exits.iter().find(untaken)).unwrap_or(&exits[0]))
    }

    fn more_exits(&mut self) -> Result<usize, String> {
        let (here, exits) = (self.subject.snapshot(), self.subject.exits());
        let mut exit = self.rng.below(exits);
        for _ in 1..DRAWS {
            if self.look(&here, exit)?.1 > exits || self.rng.below(INDULGENCE) == 0 {
                break;
            }
            exit = self.rng.below(exits);
        }
        Ok(exit)
    }

    /// The state that an exit leads to, and how many exits it has. The subject stays where it is.
    fn look(&mut self, here: &Snapshot, exit: usize) -> Result<(Snapshot, usize), String> {
        self.subject.take(exit)?;
        let found = (self.subject.snapshot(), self.subject.exits());
        self.subject.restore(here)?;
        Ok(found)
    }
}
