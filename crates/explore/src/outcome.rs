//! The result of a search.

use std::fmt;
use std::time::Duration;

use crate::{Fault, Limit, Property, Schedule, Steered};

/// The result of one search: `A` are the actions of the system, `V` the violations of the property.
#[derive(Clone, Debug)]
pub struct Outcome<A, V> {
    /// Why the search ended.
    pub end: End,
    /// The violations found, each with the first run that showed it.
    pub found: Vec<Found<A, V>>,
    /// What was left out on purpose. Empty if `end` is [`End::Exhausted`].
    pub cuts: Vec<Cut>,
    /// If states were recognised by a hash, its width in bits: two different states may have been taken for one.
    pub fingerprint_bits: Option<u32>,
    /// States, steps, memory and time used.
    pub stats: Stats,
}

/// Why a search ended. Only [`Exhausted`](End::Exhausted), with states recognised exactly, means that nothing was
/// missed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Every reachable state was visited, or one that represents it, and nothing was cut.
    Exhausted,
    /// Nothing was left to do, but only because of the cuts that the outcome lists.
    Bounded,
    /// A violation was found, and the search was not asked to continue.
    Found,
    /// A limit was hit.
    Limit(Limit),
    /// The system could not be run further, or is not deterministic: the results cannot be trusted.
    Fault(Fault),
}

/// A violation with the run that leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<A, V> {
    /// The violation, as the property reported it.
    pub violation: V,
    /// The run that leads to it.
    pub schedule: Schedule<A>,
}

/// The outcome of searching a system for violations of a property.
pub type OutcomeOf<S, P> = Outcome<<S as Steered>::Action, <P as Property<S>>::Violation>;

/// A violation of a property by a run of a system.
pub type FoundBy<S, P> = Found<<S as Steered>::Action, <P as Property<S>>::Violation>;

/// A way in which a search that ended by itself was not exhaustive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Steps beyond this depth were cut.
    Depth(usize),
    /// Runs with more preemptions than this were cut.
    Preemptions(usize),
    /// The strategy tried only some of the runs.
    Sampled,
    /// A cut by a reduction of another crate, which names it.
    Other(String),
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cut::Depth(bound) => write!(f, "no more than {bound} steps"),
            Cut::Preemptions(bound) => write!(f, "no more than {bound} preemptions"),
            Cut::Sampled => write!(f, "some of the runs only"),
            Cut::Other(what) => write!(f, "{what}"),
        }
    }
}

/// What a search has visited and used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// States searched from. With a memory each counts once, and again if a reduction requires another visit; without
    /// a memory, once for each path to it.
    pub states: usize,
    /// Steps taken, not counting those repeated to return to a checkpoint.
    pub transitions: usize,
    /// Runs that reached a state without enabled actions.
    pub runs: usize,
    /// Runs that were given up because all that they could still do had been tried in an equivalent run.
    pub vain: usize,
    /// The largest number of steps from an initial state to a state searched from.
    pub depth: usize,
    /// The estimated memory of states and nodes at the end, in bytes.
    pub bytes: usize,
    /// Wall-clock time.
    pub time: Duration,
}

impl Stats {
    /// The wall-clock time in seconds, for reports.
    pub fn seconds(&self) -> f64 {
        self.time.as_secs_f64()
    }
}
