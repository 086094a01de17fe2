//! Recorded: follows one given schedule exactly.

use super::{Next, Strategy};
use crate::trace::not_enabled;
use crate::{Fault, Schedule, Steered};

/// Follows a schedule and nothing else. A recorded action that is not enabled is a deviation.
#[derive(Debug)]
pub struct Recorded<A> {
    schedule: Schedule<A>,
    /// The number of actions chosen so far; `None` before the run has begun.
    taken: Option<usize>,
}

impl<A> Recorded<A> {
    /// Follows `schedule`.
    pub fn new(schedule: Schedule<A>) -> Self {
        Recorded { schedule, taken: None }
    }
}

impl<S: Steered> Strategy<S> for Recorded<S::Action> {
    fn next(&mut self, _initials: usize) -> Next {
        if self.taken.is_some() {
            return Next::Done;
        }
        self.taken = Some(0);
        Next::Initial(self.schedule.initial)
    }

    fn choose(&mut self, system: &S, actions: &mut Vec<S::Action>) -> Result<(), Fault> {
        let step = self.taken.unwrap_or(0);
        let Some(wanted) = self.schedule.actions.get(step) else {
            actions.clear();
            return Ok(());
        };
        if !actions.contains(wanted) {
            return Err(not_enabled(system, step, format!("{wanted:?}"), actions));
        }
        actions.clear();
        actions.push(wanted.clone());
        self.taken = Some(step + 1);
        Ok(())
    }
}
