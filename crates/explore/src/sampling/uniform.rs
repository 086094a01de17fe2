//! Any enabled thread, all with the same probability.

use super::Scheduler;
use crate::Rng;
use crate::concurrency::{Threads, Turn};

/// A random walk.
#[derive(Clone, Debug)]
pub struct Uniform(Rng);

impl Uniform {
    /// A random walk with this seed.
    pub fn new(seed: u64) -> Uniform {
        Uniform(Rng::new(seed))
    }
}

impl<S: Threads> Scheduler<S> for Uniform {
    fn choose(&mut self, _system: &S, turns: &[Turn]) -> usize {
        self.0.below(turns.len())
    }
}
