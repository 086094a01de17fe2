//! Forward search over views, from the crate `views`.

use crate::engine::{Answer, Attempt, Engine, Share, Work};
use explore::{Limit, Limits};
use ir::Model;
use std::sync::{Arc, atomic::Ordering};
use views::{Outcome, Progress, ProofOptions, Reason, Verdict, follows_numbers};

/// This many views are enough before backward search gets another share.
const BOUNDED_VIEWS: usize = 200_000;
/// With numbers, each view takes more work.
const BOUNDED_VIEWS_WITH_NUMBERS: usize = 20_000;
/// There are many more views of more members.
const SIZE: usize = 2;

/// Forward search over views, as an engine.
#[derive(Debug, Default)]
pub struct Views {
    /// Receives the counters of the search.
    pub progress: Arc<Progress>,
}

impl Views {
    fn options(&self, model: &Model, share: &Share) -> ProofOptions {
        let most = if follows_numbers(model) { BOUNDED_VIEWS_WITH_NUMBERS } else { BOUNDED_VIEWS };
        let states = match share.work {
            Work::Brief | Work::Bounded => Some(most),
            Work::Unbounded => share.limits.states,
        };
        ProofOptions {
            size: Some(SIZE),
            limits: Limits { states, ..share.limits.clone() },
            brief: share.work == Work::Brief,
            threads: share.threads.clone(),
            progress: Some(self.progress.clone()),
        }
    }
}

impl Engine for Views {
    type Outcome = Outcome;

    fn run(&mut self, model: &Model, share: &Share) -> Attempt<Outcome> {
        let outcome = views::prove(model, &self.options(model, share));
        self.progress.size.store(0, Ordering::Relaxed);
        let answer = match &outcome.verdict {
            Verdict::Holds(_) => Answer::Holds,
            Verdict::Violated(_) => Answer::Violated,
            Verdict::Unknown(Reason::Limit(Limit::Time | Limit::Memory | Limit::Cancelled)) => Answer::Ended,
            Verdict::Unknown(_) => Answer::Undecided,
        };
        Attempt { answer, outcome }
    }
}
