//! What comes out of an attempt to prove a model safe.

use crate::refusal::Refusal;
use crate::run::CandidateRun;
use certify::Rejection;
use explore::Limit;
use std::fmt;
use std::time::Duration;

/// A verdict, and how it was found.
#[derive(Debug)]
pub struct Outcome {
    /// Whether the model is safe, with the evidence.
    pub verdict: Verdict,
    /// What the search visited, and how long that took.
    pub statistics: Statistics,
}

/// Whether a bad state is reachable under x86-TSO, with the evidence.
#[derive(Debug)]
pub enum Verdict {
    /// No bad state is reachable, for any number of processes: there is a certificate, which has been checked.
    Safe(certify::events::Certificate),
    /// A bad state may be reachable: this run leads there, unless guards about all processes forbid it.
    Unsafe(CandidateRun),
    /// No proof and no run was found.
    Unknown(Reason),
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// A limit ended the search.
    Limit(Limit),
    /// Something in the model cannot be handled.
    Unsupported(Refusal),
    /// The search came to an end, but its certificate was not accepted.
    Rejected(Box<Rejection>),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Limit(limit) => limit.fmt(f),
            Reason::Unsupported(refusal) => f.write_str(&refusal.what),
            Reason::Rejected(rejection) => write!(f, "the certificate was not accepted: {rejection}"),
        }
    }
}

/// The size of a search over cubes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Cubes that were visited.
    pub nodes: usize,
    /// Pre-images that were computed.
    pub preimages: usize,
    /// The most open reads of a cube.
    pub events: usize,
    /// The most processes of a cube.
    pub max_processes: u32,
    /// The wall-clock time of search and check together.
    pub time: Duration,
}
