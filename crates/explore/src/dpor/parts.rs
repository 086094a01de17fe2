//! Parts of a search, for several processes or machines: the first operations are tried in all orders that differ, which
//! gives many beginnings, and each part explores some of them. Nothing is exchanged between parts.
//!
//! Beginnings are made by sleep sets alone, so that each class of runs belongs to one beginning; a beginning may
//! have none left, which shows as a run in vain. What a run finds out about the operations of its beginning needs no
//! attention, since other beginnings are explored as well.

use std::collections::VecDeque;

use super::{Exploration, step, wakeup::Step};
use crate::concurrency::{Threads, Turn, independent};
use crate::{End, Property};

/// One of several parts of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which one, from 0.
    pub index: usize,
    /// The number of parts.
    pub of: usize,
}

/// The first operations of some runs, and what need not be tried after them.
pub(super) struct Beginning {
    pub(super) turns: Vec<Turn>,
    pub(super) sleep: Vec<Step>,
}

/// Beginnings for each part: many, since some have far more runs than others.
const PER_PART: usize = 32;

impl<S: Threads, P: Property<S>> Exploration<'_, S, P> {
    /// The beginnings of one part.
    pub(super) fn beginnings(&mut self, part: Part) -> Result<Vec<Beginning>, End> {
        let all = self.all_beginnings(part.of * PER_PART)?;
        let own = all.into_iter().enumerate().filter(|(number, _)| number % part.of == part.index);
        Ok(own.map(|(_, beginning)| beginning).collect())
    }

    /// At least `wanted` beginnings, fewer if there are not as many runs. The shortest ones are lengthened first.
    fn all_beginnings(&mut self, wanted: usize) -> Result<Vec<Beginning>, End> {
        let mut open = VecDeque::from([Beginning { turns: Vec::new(), sleep: Vec::new() }]);
        let mut complete = Vec::new();
        while open.len() + complete.len() < wanted {
            let Some(beginning) = open.pop_front() else { break };
            if self.search.most_steps.is_some_and(|most| beginning.turns.len() >= most) {
                complete.push(beginning);
                continue;
            }
            let longer = self.lengthen(&beginning)?;
            match longer {
                Some(longer) => open.extend(longer),
                None => complete.push(beginning),
            }
        }
        complete.extend(open);
        Ok(complete)
    }

    /// The beginnings with one more operation; `None` if the run is over.
    fn lengthen(&mut self, beginning: &Beginning) -> Result<Option<Vec<Beginning>>, End> {
        let system = &mut *self.search.system;
        system.start(0)?;
        for turn in &beginning.turns {
            system.take(turn)?;
        }
        let mut enabled = Vec::new();
        system.enabled(&mut enabled);
        if enabled.is_empty() {
            return Ok(None);
        }
        let mut sleep = beginning.sleep.clone();
        let mut longer = Vec::new();
        for turn in enabled {
            if sleep.iter().any(|step| step.turn == turn) {
                continue;
            }
            let taken = Step { elsewhere: true, ..step(system, turn) };
            let stays = |other: &&Step| {
                other.turn.thread != turn.thread && independent(&other.accesses, &taken.accesses)
            };
            let sleep_after = sleep.iter().filter(stays).cloned().collect();
            let turns = [&beginning.turns[..], &[turn]].concat();
            longer.push(Beginning { turns, sleep: sleep_after });
            sleep.push(taken);
        }
        Ok(Some(longer))
    }
}
