//! What a system must answer, beyond being steered, so that a session can show and explain it.

use crate::{
    Activity, Call, Excerpt, Finding, Gap, Inconclusive, Location, ProcessStatus, Reason, Refusal, Status,
    Value,
};
use explore::{Label, System, Valuation};

/// A system that can be inspected in every state.
///
/// Only [`processes`](Self::processes), [`call`](Self::call), [`evaluate`](Self::evaluate) and
/// [`explain`](Self::explain) must be written; the other methods are for systems that know more about themselves. All
/// of them refer to the state in which the system is. What is wrong with a state, and whether one can be reached, is
/// decided by the engines of the system: a session never judges for itself.
pub trait Inspect: System<Identity: Ord> {
    /// The number of processes, threads or participants here.
    fn processes(&self) -> usize;

    /// What an action does and who takes part, with nothing left open: equal names and variants mean the same deed.
    fn call(&self, action: &Self::Action) -> Call;

    /// The value of an expression of the system's own language.
    fn evaluate(&mut self, expression: &str) -> Result<Value, Refusal>;

    /// Every reason why no enabled action fits a call; refused if the call makes no sense in any state.
    fn explain(&self, call: &Call) -> Result<Vec<Reason>, Refusal>;

    /// The state by processes, variables and resources. By default all variables, of processes that wait for nothing.
    fn status(&self) -> Status {
        let process = ProcessStatus { name: None, kind: None, activity: Activity::Active, next: None };
        Status { processes: vec![process; self.processes()], variables: self.describe(), resources: vec![] }
    }

    /// Everything that is wrong with the state, and remarks about it.
    fn findings(&self) -> Vec<Finding> {
        vec![]
    }

    /// Why enabled actions or findings may be missing here, if they may.
    fn gap(&self) -> Option<Gap> {
        None
    }

    /// Where an action is declared.
    fn location(&self, _action: &Self::Action) -> Option<Location> {
        None
    }

    /// All calls of a transition that is given by its name alone; empty if it takes no process, or does not exist.
    fn calls(&self, _name: &str) -> Vec<Call> {
        vec![]
    }

    /// The text of all transitions and properties of a name.
    fn text_of(&self, name: &str) -> Result<Vec<Excerpt>, Refusal> {
        Err(Refusal::UnknownItem { name: name.to_owned(), suggestion: None })
    }

    /// A shortest way to a state that satisfies a formula, or that a name stands for. `None`: the system has no search
    /// of its own, and the session visits states breadth first, evaluating the formula in each.
    fn reach(&mut self, _goal: &str) -> Option<Result<Reach<Self::Action>, Refusal>> {
        None
    }

    /// Whether an action is what a recorded label stands for.
    fn is_meant(&self, action: &Self::Action, label: &Label) -> bool {
        self.label(action) == *label
    }

    /// Whether this is a state that was recorded.
    fn is_recorded(&self, state: &Valuation) -> bool {
        self.describe() == *state
    }

    /// The names of all transitions.
    fn transitions(&self) -> Vec<String> {
        vec![]
    }

    /// Other words that occur in expressions.
    fn words(&self) -> Vec<String> {
        vec![]
    }
}

/// What a search for a state has come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach<A> {
    /// How many states were visited.
    pub states: usize,
    /// What was found.
    pub end: ReachEnd<A>,
}

/// How a search for a state ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReachEnd<A> {
    /// These actions lead to one; none if this is one.
    Path(Vec<A>),
    /// There is none: all states that can be reached from here were visited.
    Nowhere,
    /// It is not known whether there is one.
    Unknown(Inconclusive),
}
