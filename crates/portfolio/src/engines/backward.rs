//! Backward search over cubes, from the crate `prove`.

use crate::engine::{Answer, Attempt, Engine, Share, Work};
use explore::Limit;
use ir::Model;
use prove::{Effort, Explored, Options, Outcome, Reason, Verdict};

/// Before views have had their share, candidates are tested against at most this many states of each instance: the near ones
/// refute most.
const BOUNDED_ORACLE_STATES: usize = 50_000;

/// Backward search over cubes, as an engine. It keeps what its next share can use.
#[derive(Debug)]
pub struct Backward<'o> {
    /// How to search. Effort, limits and threads are those of the share.
    options: &'o Options,
    /// The states that candidates are tested against, once they are explored.
    explored: Option<Explored>,
}

impl<'o> Backward<'o> {
    /// An engine that searches as the options say.
    pub fn new(options: &'o Options) -> Backward<'o> {
        Backward { options, explored: None }
    }

    fn options(&self, share: &Share) -> Options {
        let effort = match share.work {
            Work::Brief => Effort::Short,
            Work::Bounded => Effort::Bounded,
            Work::Unbounded => Effort::Unbounded,
        };
        Options { effort, limits: share.limits.clone(), threads: share.threads.now(), ..self.options.clone() }
    }
}

impl Engine for Backward<'_> {
    type Outcome = Outcome;

    /// Explores the instances whose states candidates are tested against.
    fn prepare(&mut self, model: &Model, share: &Share) -> Option<Attempt<Outcome>> {
        let mut options = self.options(share);
        options.oracle.states = options.oracle.states.min(BOUNDED_ORACLE_STATES);
        match prove::explored(model, &options) {
            Ok(explored) => {
                self.explored = Some(explored);
                None
            }
            Err(violated) => Some(attempt(*violated)),
        }
    }

    fn run(&mut self, model: &Model, share: &Share) -> Attempt<Outcome> {
        let options = self.options(share);
        attempt(match self.explored.take() {
            Some(explored) => prove::with_instances(model, &options, explored),
            None => prove::prove(model, &options),
        })
    }
}

fn attempt(outcome: Outcome) -> Attempt<Outcome> {
    let answer = match &outcome.verdict {
        Verdict::Holds(_) => Answer::Holds,
        Verdict::Violated(_) => Answer::Violated,
        Verdict::Unknown(
            Reason::Limit(Limit::States)
            | Reason::Spurious { .. }
            | Reason::TooManyProcesses
            | Reason::NotCertified(_),
        ) => Answer::Undecided,
        Verdict::Unknown(_) => Answer::Ended,
    };
    Attempt { answer, outcome }
}
