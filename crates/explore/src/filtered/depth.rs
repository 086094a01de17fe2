//! A bound on the length of runs.

use super::{Filter, Successor, Visited};
use crate::Cut;
use crate::concurrency::Threads;

/// Removes successors beyond a number of steps.
#[derive(Clone, Debug)]
pub struct MostSteps {
    most: usize,
    reached: bool,
}

impl MostSteps {
    /// At most this many steps.
    pub fn new(most: usize) -> Self {
        MostSteps { most, reached: false }
    }
}

impl<S: Threads> Filter<S> for MostSteps {
    fn filter(&mut self, _system: &S, path: &[Visited], successors: &mut Vec<Successor>) {
        if path.len() > self.most && !successors.is_empty() {
            self.reached = true;
            successors.clear();
        }
    }

    fn cut(&self) -> Option<Cut> {
        self.reached.then_some(Cut::Depth(self.most))
    }
}
