//! What comes out of an attempt to prove a model safe.

use crate::explain::Growth;
use crate::history::History;
use crate::search::Statistics;
use certify::{Certificate, Rejection};
use explore::{Limit, Trace};
use ir::{At, Model, SymbolId};
use std::borrow::Cow;

/// A verdict, and how it was found.
#[derive(Debug)]
pub struct Outcome {
    /// Whether the model is safe, with the evidence.
    pub verdict: Verdict,
    /// What the search visited, and how long that took.
    pub statistics: Statistics,
    /// What the last search has done, if the options ask for that.
    pub history: Option<History>,
    /// What grew in the last search, if it did not come to an end.
    pub growth: Vec<Growth>,
}

impl Outcome {
    /// An outcome without a search that could tell more about it.
    pub(crate) fn new(verdict: Verdict, statistics: Statistics) -> Outcome {
        Outcome { verdict, statistics, history: None, growth: vec![] }
    }
}

/// The answer, with its evidence.
#[derive(Debug)]
pub enum Verdict {
    /// No bad state is reachable, for any number of processes: there is an inductive invariant, which has been checked.
    Holds(Proof),
    /// A bad state is reachable: a run of an instance leads there.
    Violated(Violation),
    /// No invariant and no run was found.
    Unknown(Reason),
}

/// An invariant that has been checked.
#[derive(Debug)]
pub struct Proof {
    /// The whole invariant.
    pub certificate: Certificate,
    /// The part of it that began as candidates.
    pub candidates: Vec<certify::Cube>,
    /// The part of it that is about how many processes are where, in words.
    pub place_invariants: Vec<String>,
}

impl Proof {
    /// The model that the invariant is about: the one that was proved, with the auxiliary variables.
    ///
    /// # Panics
    /// If it is not a proof of this model.
    pub fn model<'m>(&self, model: &'m Model) -> Cow<'m, Model> {
        self.certificate.extended(model).expect("the certificate was checked with the model").model
    }
}

/// A property that a run of an instance violates.
#[derive(Debug)]
pub struct Violation {
    /// The position of the property in the model.
    pub property: usize,
    /// The number of processes of the instance.
    pub processes: u32,
    /// The run, replayed from an initial state to the violation.
    pub trace: Trace,
    /// The ranges that the run needs for numbers that the model leaves unbounded.
    pub ranges: Vec<(SymbolId, i64, i64)>,
    /// The number of entries of each store buffer, if the model is weak.
    pub buffer: Option<u16>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The model has no property of states.
    NothingToProve,
    /// The search cannot follow a construct of the model.
    Unsupported(Unsupported),
    /// A limit was hit.
    Limit(Limit),
    /// Store buffers stand in the way.
    Buffers(Buffers),
    /// The search needs cubes with more processes than it can represent.
    TooManyProcesses,
    /// The search found a way to a bad state, but no small instance has a run that takes it.
    Spurious {
        /// The names of the rules on the way, in order.
        rules: Vec<String>,
        /// Constructs that were not followed exactly.
        approximated: Vec<&'static str>,
        /// Whether guards quantify over processes.
        universal: bool,
    },
    /// The checker did not accept the certificate, or gave up.
    NotCertified(Rejection),
}

/// How store buffers keep a weak model from being decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Buffers {
    /// A process can have more different stores in its buffer than this.
    Full(usize),
    /// A violation was found that may need more equal stores in a buffer than its run has made.
    Merged,
}

/// A construct that the prover cannot follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported {
    /// What it is, in words.
    pub what: String,
    /// Where it is in the source.
    pub at: Option<At>,
}

impl Unsupported {
    pub(crate) fn new(what: &str, at: Option<At>) -> Unsupported {
        Unsupported { what: what.to_owned(), at }
    }
}
