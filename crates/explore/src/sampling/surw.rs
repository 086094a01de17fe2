//! Selectively uniform random walk (Zhao, Wolff, Mathur, Roychoudhury: Selectively uniform concurrency testing,
//! ASPLOS 2025).

use super::Scheduler;
use crate::Rng;
use crate::concurrency::{Access, Thread, Threads, Turn};

/// Samples the order of *selected* operations uniformly: a thread goes next with a probability in proportion to the
/// selected operations that it has left; others go freely.
///
/// Each run selects the operations on one object, drawn from those that an earlier run used from several threads. How
/// many a thread has is estimated by that run.
#[derive(Clone, Debug)]
pub struct Surw {
    rng: Rng,
    /// Of the run before: each use of an object by a thread.
    uses: Vec<(u64, Thread)>,
    /// Of the current run.
    now: Vec<(u64, Thread)>,
    selected: Option<u64>,
    /// By thread, the estimated number of selected operations that are left.
    left: Vec<usize>,
    /// Who is to take the next selected operation.
    intended: Option<Thread>,
    accesses: Vec<Access>,
}

impl Surw {
    /// A sampler with this seed.
    pub fn new(seed: u64) -> Surw {
        Surw {
            rng: Rng::new(seed),
            uses: Vec::new(),
            now: Vec::new(),
            selected: None,
            left: Vec::new(),
            intended: None,
            accesses: Vec::new(),
        }
    }

    /// An object that several threads have used, at random.
    fn select(&mut self) -> Option<u64> {
        let start = if self.uses.is_empty() { 0 } else { self.rng.below(self.uses.len()) };
        let turned = self.uses[start..].iter().chain(&self.uses[..start]);
        let shared = |(object, thread): &&(u64, Thread)| {
            self.uses.iter().any(|(other, its)| other == object && its != thread)
        };
        turned.into_iter().find(shared).map(|(object, _)| *object)
    }

    fn count(&mut self) {
        self.left.clear();
        for (object, thread) in &self.uses {
            if Some(*object) == self.selected {
                let thread = usize::from(*thread);
                if self.left.len() <= thread {
                    self.left.resize(thread + 1, 0);
                }
                self.left[thread] += 1;
            }
        }
    }

    fn weight(&self, thread: Thread) -> usize {
        self.left.get(usize::from(thread)).copied().unwrap_or(0)
    }

    /// Draws who takes the next selected operation, among those that can go on.
    fn intend(&mut self, turns: &[Turn]) {
        let total: usize = turns.iter().map(|turn| self.weight(turn.thread)).sum();
        if total == 0 {
            self.intended = None;
            return;
        }
        let mut drawn = self.rng.below(total);
        for turn in turns {
            let weight = self.weight(turn.thread);
            if drawn < weight {
                self.intended = Some(turn.thread);
                return;
            }
            drawn -= weight;
        }
    }

    fn is_selected<S: Threads>(&mut self, system: &S, turn: Turn) -> bool {
        self.accesses.clear();
        system.accesses(turn, &mut self.accesses);
        self.accesses.iter().any(|access| Some(access.object) == self.selected)
    }
}

impl<S: Threads> Scheduler<S> for Surw {
    fn begin(&mut self) {
        if !self.now.is_empty() {
            self.uses = std::mem::take(&mut self.now);
        }
        self.selected = self.select();
        self.intended = None;
        self.count();
    }

    fn choose(&mut self, system: &S, turns: &[Turn]) -> usize {
        if self.selected.is_none() {
            return self.rng.below(turns.len());
        }
        if !self.intended.is_some_and(|thread| turns.iter().any(|turn| turn.thread == thread)) {
            self.intend(turns);
        }
        let mut free: Vec<usize> = Vec::new();
        for (position, turn) in turns.iter().enumerate() {
            if self.intended.is_none_or(|thread| thread == turn.thread) || !self.is_selected(system, *turn) {
                free.push(position);
            }
        }
        if free.is_empty() { self.rng.below(turns.len()) } else { free[self.rng.below(free.len())] }
    }

    fn taking(&mut self, system: &S, turn: Turn) {
        let selected = self.is_selected(system, turn);
        self.now.extend(self.accesses.iter().map(|access| (access.object, turn.thread)));
        if selected {
            self.intended = None;
            if let Some(left) = self.left.get_mut(usize::from(turn.thread)) {
                *left = left.saturating_sub(1);
            }
        }
    }
}
