//! Depth first: follows a run to its end, then backtracks.

use super::{Next, Strategy};
use crate::{Fault, Rng, Steered};

/// Depth-first search (Tarjan: Depth-first search and linear graph algorithms, 1972). It holds checkpoints of one
/// path only, and returns to one once for each branch, which suits systems that replay.
#[derive(Debug, Default)]
pub struct DepthFirst {
    /// The number of initial states entered.
    started: usize,
    /// Shuffles the actions of each node; without it they keep the system's order.
    rng: Option<Rng>,
}

impl DepthFirst {
    /// Tries actions in the order in which the system lists them.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tries actions in an order that `seed` determines.
    pub fn shuffled(seed: u64) -> Self {
        DepthFirst { started: 0, rng: Some(Rng::new(seed)) }
    }
}

impl<S: Steered> Strategy<S> for DepthFirst {
    fn next(&mut self, initials: usize) -> Next {
        if self.started == initials {
            return Next::Done;
        }
        self.started += 1;
        Next::Initial(self.started - 1)
    }

    fn choose(&mut self, _system: &S, actions: &mut Vec<S::Action>) -> Result<(), Fault> {
        if let Some(rng) = &mut self.rng {
            rng.shuffle(actions);
        }
        Ok(())
    }
}
