//! What a search has to say at its end.

use std::fmt;
use std::time::Duration;

use crate::{Fault, Limit, Schedule};

/// The result of one search: `A` are the actions of the system, `V` the violations of the property.
#[derive(Clone, Debug)]
pub struct Outcome<A, V> {
    /// How the search ended.
    pub end: End,
    /// The violations found, each with the first run that showed it.
    pub found: Vec<Found<A, V>>,
    /// What was left out on purpose. Empty if `end` is [`End::Exhausted`].
    pub cuts: Vec<Cut>,
    /// If states were recognised by a hash, its width: two different states may have been taken for one.
    pub fingerprint_bits: Option<u32>,
    /// How much was done.
    pub stats: Stats,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Every state was reached, or one that stands for it, and nothing was cut.
    Exhausted,
    /// Nothing was left to do, but only because of the cuts that the outcome lists.
    Bounded,
    /// A violation was found, and the search was not asked to go on.
    Found,
    /// A limit was hit.
    Limit(Limit),
    /// The system could not be steered further, or is not deterministic.
    Fault(Fault),
}

/// A violation with the run that leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<A, V> {
    /// What is wrong.
    pub violation: V,
    /// How to get there.
    pub schedule: Schedule<A>,
}

/// A way in which a search that ended by itself was not exhaustive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Steps beyond this depth were cut.
    Depth(usize),
    /// Runs with more preemptions than this were cut.
    Preemptions(usize),
    /// The strategy tried only some of the runs.
    Sampled,
    /// Something that another crate's reduction names.
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

/// How much a search has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// States searched from. With a memory each counts once, and again if a reduction asks for another visit;
    /// without, once for each way to reach it.
    pub states: usize,
    /// Steps taken, without those that a system repeats in order to come back.
    pub transitions: usize,
    /// Runs that came to a state without enabled actions.
    pub runs: usize,
    /// The most steps between an initial state and a state searched from.
    pub depth: usize,
    /// How many bytes states and nodes took at the end, by estimate.
    pub bytes: usize,
    /// Wall-clock time.
    pub time: Duration,
}

impl Stats {
    /// The wall-clock time as reports want it.
    pub fn seconds(&self) -> f64 {
        self.time.as_secs_f64()
    }
}
