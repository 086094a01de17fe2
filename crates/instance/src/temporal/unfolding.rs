//! From a run through the graph, whose states may stand for permutations of each other, to a run of the machine.

use super::graph::ModelGraph;
use crate::{Action, machine::Move};
use explore::{Schedule, Steered};
use ltl::{Label, Run};

/// A cycle of states up to permutation closes after at most as many rounds as the order of a permutation.
const MOST_ROUNDS: usize = 100_000;

/// A schedule, and after how many of its steps the part begins that is repeated.
type Unfolded = (Schedule<Action>, Option<usize>);

impl<const W: usize> ModelGraph<'_, '_, '_, W> {
    /// Follows a run on the machine. A cycle is followed until it comes back to the very same state.
    pub(super) fn unfold(&mut self, run: &Run) -> Result<Unfolded, String> {
        let initial = self.start_at(run.states[0])?;
        let mut actions = Vec::new();
        let stem = run.back.unwrap_or(run.labels.len());
        for at in 0..stem {
            actions.extend(self.follow(run.states[at + 1], run.labels[at])?);
        }
        let Some(back) = run.back else { return Ok((Schedule { initial, actions }, None)) };
        let mut rounds = vec![(self.machine_mut().identity(), actions.len())];
        while rounds.len() < MOST_ROUNDS {
            for at in back..run.labels.len() {
                let to = run.states.get(at + 1).copied().unwrap_or(run.states[back]);
                actions.extend(self.follow(to, run.labels[at])?);
            }
            let here = self.machine_mut().identity();
            if let Some((_, begin)) = rounds.iter().find(|(state, _)| *state == here) {
                return Ok((Schedule { initial, actions }, Some(*begin)));
            }
            rounds.push((here, actions.len()));
        }
        Err("the cycle does not close".into())
    }

    fn start_at(&mut self, number: u32) -> Result<usize, String> {
        let initials = self.machine_mut().initials().map_err(|fault| fault.to_string())?;
        for initial in 0..initials {
            self.machine_mut().start(initial).map_err(|fault| fault.to_string())?;
            let here = self.machine_mut().identity();
            if self.known(&here) == Some(number) {
                self.machine_mut().go_to(&here);
                return Ok(initial);
            }
        }
        Err("the run does not begin in an initial state".into())
    }

    /// Takes a step with this label to this state. No action if the run stays where it is.
    fn follow(&mut self, to: u32, label: Label) -> Result<Option<Action>, String> {
        let here = self.machine_mut().identity();
        let steps = self.labelled().map_err(|_| "the run cannot be followed".to_owned())?;
        for (step, found) in steps {
            let target = step.map_or(here, |Move { to, .. }| to);
            if found == label && self.known(&target) == Some(to) {
                self.machine_mut().go_to(&target);
                return Ok(step.map(|step| step.action));
            }
        }
        Err("the run cannot be followed".into())
    }
}
