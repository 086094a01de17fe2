//! Partial order sampling (Yuan, Yang, Gu: Partial order aware concurrency sampling, CAV 2018).

use super::Scheduler;
use crate::Rng;
use crate::concurrency::{Access, Threads, Turn, independent};

/// Each operation has a random priority, and the highest goes; those that conflict with it get new ones.
#[derive(Clone, Debug)]
pub struct Pos {
    rng: Rng,
    /// By thread, for its next operation; 0 if it has none yet.
    priorities: Vec<u64>,
    taken: Vec<Access>,
    other: Vec<Access>,
    turns: Vec<Turn>,
}

impl Pos {
    /// A sampler with this seed.
    pub fn new(seed: u64) -> Pos {
        Pos {
            rng: Rng::new(seed),
            priorities: Vec::new(),
            taken: Vec::new(),
            other: Vec::new(),
            turns: Vec::new(),
        }
    }
}

impl<S: Threads> Scheduler<S> for Pos {
    fn begin(&mut self) {
        self.priorities.clear();
    }

    fn choose(&mut self, _system: &S, turns: &[Turn]) -> usize {
        self.turns.clear();
        self.turns.extend_from_slice(turns);
        let mut best = (0, 0);
        for (position, turn) in turns.iter().enumerate() {
            let thread = usize::from(turn.thread);
            if self.priorities.len() <= thread {
                self.priorities.resize(thread + 1, 0);
            }
            if self.priorities[thread] == 0 {
                self.priorities[thread] = self.rng.bits() | 1;
            }
            if self.priorities[thread] > best.0 {
                best = (self.priorities[thread], position);
            }
        }
        let thread = turns[best.1].thread;
        let outcomes = turns.iter().filter(|turn| turn.thread == thread).count();
        best.1 + if outcomes > 1 { self.rng.below(outcomes) } else { 0 }
    }

    fn taking(&mut self, system: &S, turn: Turn) {
        self.taken.clear();
        system.accesses(turn, &mut self.taken);
        self.priorities[usize::from(turn.thread)] = 0;
        for other in &self.turns {
            self.other.clear();
            system.accesses(*other, &mut self.other);
            if !independent(&self.taken, &self.other) {
                self.priorities[usize::from(other.thread)] = 0;
            }
        }
    }
}
