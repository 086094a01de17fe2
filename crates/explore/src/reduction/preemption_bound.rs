//! Preemption bound: limits the switches away from a process that is still enabled.

use super::{Mark, Nature, Reduction};
use crate::{Cut, Steered};

/// Iterative context bounding (Musuvathi, Qadeer: Iterative context bounding for systematic testing of multithreaded
/// programs, PLDI 2007). A switch is a preemption if the process that acted last is still enabled. Actions that
/// belong to no process are free, and do not change which process acted last.
#[derive(Clone, Debug)]
pub struct PreemptionBound {
    bound: usize,
    /// Whether any action was cut.
    cut: bool,
}

impl PreemptionBound {
    /// At most `bound` preemptions in a run.
    pub fn new(bound: usize) -> Self {
        PreemptionBound { bound, cut: false }
    }
}

/// The process that acted last, and the number of preemptions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turn {
    /// The process that acted last.
    last: Option<usize>,
    /// The number of preemptions so far, at most the bound.
    used: usize,
    /// Whether `last` is still enabled. Set when the actions of the node are known.
    could_continue: bool,
}

impl Turn {
    /// Whether an action of `process` preempts a process that is still enabled.
    fn preempts(self, process: Option<usize>) -> bool {
        self.could_continue && process.is_some() && process != self.last
    }
}

impl Mark for Turn {
    /// With one preemption to spare it does not matter which process acted last: after the next step it is the same
    /// with either mark.
    fn subsumes(&self, other: &Self) -> bool {
        let spare = usize::from(self.last != other.last);
        self.used + spare <= other.used
    }
}

impl<S: Steered> Reduction<S> for PreemptionBound {
    type Mark = Turn;

    fn nature(&self) -> Nature {
        Nature { counts_order: true, names: true, ..Nature::default() }
    }

    fn prune(&mut self, system: &S, turn: &mut Turn, actions: &mut Vec<S::Action>) {
        turn.could_continue =
            turn.last.is_some() && actions.iter().any(|action| system.process(action) == turn.last);
        if turn.used == self.bound {
            let before = actions.len();
            actions.retain(|action| !turn.preempts(system.process(action)));
            self.cut |= actions.len() < before;
        }
    }

    fn step(&mut self, system: &S, turn: &mut Turn, action: &S::Action) -> Turn {
        let process = system.process(action);
        let used = turn.used + usize::from(turn.preempts(process));
        Turn { last: process.or(turn.last), used, could_continue: false }
    }

    fn cuts(&self, cuts: &mut Vec<Cut>) {
        if self.cut {
            cuts.push(Cut::Preemptions(self.bound));
        }
    }
}
