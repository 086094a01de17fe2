//! Depth bound: limits the length of runs.

use super::{Mark, Reduction};
use crate::{Cut, Steered};

/// Cuts every run after `bound` steps. Independent of the order in which a search visits states: a state that is
/// reached again at a smaller depth is searched from again. Runs that differ in the order of independent steps have
/// the same length, so the bound goes together with sleep sets.
#[derive(Clone, Debug)]
pub struct DepthBound {
    bound: usize,
    /// Whether any action was cut.
    cut: bool,
}

impl DepthBound {
    /// At most `bound` steps.
    pub fn new(bound: usize) -> Self {
        DepthBound { bound, cut: false }
    }
}

/// The number of steps from the initial state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Depth(usize);

impl Mark for Depth {
    fn subsumes(&self, other: &Self) -> bool {
        self.0 <= other.0
    }
}

impl<S: Steered> Reduction<S> for DepthBound {
    type Mark = Depth;

    fn prune(&mut self, _system: &S, depth: &mut Depth, actions: &mut Vec<S::Action>) {
        if depth.0 >= self.bound && !actions.is_empty() {
            actions.clear();
            self.cut = true;
        }
    }

    fn step(&mut self, _system: &S, depth: &mut Depth, _action: &S::Action) -> Depth {
        Depth(depth.0 + 1)
    }

    fn cuts(&self, cuts: &mut Vec<Cut>) {
        if self.cut {
            cuts.push(Cut::Depth(self.bound));
        }
    }
}
