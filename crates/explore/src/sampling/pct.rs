//! Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: A randomized scheduler with
//! probabilistic guarantees of finding bugs, ASPLOS 2010).

use super::Scheduler;
use crate::Rng;
use crate::concurrency::{Thread, Threads, Turn};

/// Threads have random priorities, and the highest goes; at a few random steps the one that goes gets the lowest.
///
/// A bug that needs `depth` ordered operations is found with a probability of at least 1 in n·k^(depth-1), for n
/// threads and k steps. Where the paper is given k, the longest run so far is taken here.
#[derive(Clone, Debug)]
pub struct Pct {
    rng: Rng,
    depth: usize,
    /// By thread; 0 for those that were not seen in this run.
    priorities: Vec<u64>,
    /// The steps after which the priority of the running thread drops.
    changes: Vec<usize>,
    steps: usize,
    longest: usize,
}

/// Priorities of threads that did not drop are above this.
const HIGH: u64 = 1 << 32;

impl Pct {
    /// For bugs of this depth: the number of operations whose order matters.
    pub fn new(seed: u64, depth: usize) -> Pct {
        let depth = depth.max(1);
        Pct { rng: Rng::new(seed), depth, priorities: Vec::new(), changes: Vec::new(), steps: 0, longest: 1 }
    }

    fn priority(&mut self, thread: Thread) -> u64 {
        let thread = usize::from(thread);
        if self.priorities.len() <= thread {
            self.priorities.resize(thread + 1, 0);
        }
        if self.priorities[thread] == 0 {
            self.priorities[thread] = HIGH + (self.rng.bits() >> 32);
        }
        self.priorities[thread]
    }
}

impl<S: Threads> Scheduler<S> for Pct {
    fn begin(&mut self) {
        self.longest = self.longest.max(self.steps);
        self.steps = 0;
        self.priorities.clear();
        self.changes = (1..self.depth).map(|_| self.rng.below(self.longest)).collect();
    }

    fn choose(&mut self, _system: &S, turns: &[Turn]) -> usize {
        let mut best = (0, 0);
        for (position, turn) in turns.iter().enumerate() {
            let priority = self.priority(turn.thread);
            if priority > best.0 {
                best = (priority, position);
            }
        }
        // Among the outcomes of one operation none is preferred.
        let thread = turns[best.1].thread;
        let outcomes = turns.iter().filter(|turn| turn.thread == thread).count();
        best.1 + if outcomes > 1 { self.rng.below(outcomes) } else { 0 }
    }

    fn taking(&mut self, _system: &S, turn: Turn) {
        if let Some(change) = self.changes.iter().position(|step| *step == self.steps) {
            self.priorities[usize::from(turn.thread)] = change as u64 + 1;
        }
        self.steps += 1;
    }
}
