//! Random walks: each step is drawn from the enabled actions.

use super::{Next, Strategy};
use crate::{Fault, Rng, Steered};

/// Uniform random walks (West: Protocol validation by random state exploration, 1986). Deterministic for a given
/// seed.
///
/// Meant for [`Forget`](crate::Forget): other memories end a walk at a state that was visited before.
#[derive(Debug)]
pub struct RandomWalk {
    rng: Rng,
    /// The number of runs left.
    runs: usize,
    /// The largest number of steps in a run.
    length: usize,
    /// The number of steps left in the current run.
    left: usize,
}

impl RandomWalk {
    /// A number of `runs` of at most `length` steps each.
    pub fn new(seed: u64, runs: usize, length: usize) -> Self {
        RandomWalk { rng: Rng::new(seed), runs, length, left: 0 }
    }
}

impl<S: Steered> Strategy<S> for RandomWalk {
    fn next(&mut self, initials: usize) -> Next {
        if self.runs == 0 || initials == 0 {
            return Next::Done;
        }
        self.runs -= 1;
        self.left = self.length;
        Next::Initial(self.rng.below(initials))
    }

    fn choose(&mut self, _system: &S, actions: &mut Vec<S::Action>) -> Result<(), Fault> {
        if self.left == 0 || actions.is_empty() {
            actions.clear();
            return Ok(());
        }
        self.left -= 1;
        let drawn = self.rng.below(actions.len());
        actions.swap(0, drawn);
        actions.truncate(1);
        Ok(())
    }
}
