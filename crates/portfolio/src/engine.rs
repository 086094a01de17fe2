//! What the portfolio asks of an engine.

use explore::Limits;
use ir::Model;
use views::Threads;

/// A method that looks for a proof or a violation, one share of the work at a time.
pub trait Engine {
    /// Everything that the engine tells about a run: a proof, a trace, figures, the reason why there is no answer.
    type Outcome;

    /// Does what a run with this share needs and what can be done while another engine runs, on threads that both want. The
    /// next run takes it up. An attempt if that already answers.
    fn prepare(&mut self, model: &Model, share: &Share) -> Option<Attempt<Self::Outcome>> {
        let _ = (model, share);
        None
    }

    /// Works on the model until there is an answer or the share is used up.
    fn run(&mut self, model: &Model, share: &Share) -> Attempt<Self::Outcome>;
}

/// What an engine may spend in one run.
#[derive(Debug, Clone)]
pub struct Share {
    /// How far the engine goes.
    pub work: Work,
    /// What ends the run whatever the work: the remaining time, memory, cancellation, and what the user counts.
    pub limits: Limits,
    /// The threads that the engine may use. The answer does not depend on their number.
    pub threads: Threads,
}

/// Amounts of work. Each engine counts it in its own terms (cubes, views, states), never in time: the same on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// What takes a moment and decides most models that the engine decides at all.
    Brief,
    /// Until it gets less likely that this engine decides than that another one does.
    Bounded,
    /// As much as limits allow.
    Unbounded,
}

/// What came of a share.
#[derive(Debug)]
pub struct Attempt<O> {
    /// What that means for the other engines.
    pub answer: Answer,
    /// The outcome, with the evidence for the answer.
    pub outcome: O,
}

/// What an outcome means for the other engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The model is safe for every number of processes that it allows.
    Holds,
    /// A run leads to a violation. A candidate until the run is replayed.
    Violated,
    /// Neither, but another engine, or more work, may decide.
    Undecided,
    /// Neither, and nothing will: a limit on everything was hit, or the model is not one that can be proved.
    Ended,
}

impl<O> Attempt<O> {
    /// Whether no other engine needs to run.
    pub fn is_final(&self) -> bool {
        self.answer != Answer::Undecided
    }
}
