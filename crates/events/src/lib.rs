//! Safety of models under x86-TSO for every number of processes, by backward search over memory events.
//!
//! [`prove`] starts from the bad states and takes steps back. It does not represent store buffers: a cube says which reads are
//! still open, that is, whose write has not been met yet, and how they are ordered in memory. What is known about the order is
//! explained in `instant.rs`, what a step does to it in `preimage.rs`. The idea is that of Conchon, Declerck, Zaïdi:
//! *Cubicle-W: parameterized model checking on weak memory*, IJCAR 2018.
//!
//! What this crate must not know: the text of models, files, terminals, and any other way to check weak memory: it is a
//! second opinion.

mod bad;
mod constraints;
mod cube;
mod expression;
mod initial;
mod instant;
mod linear;
mod outcome;
mod preimage;
mod refusal;
mod run;
mod scene;
mod search;
mod subsumption;
mod support;
mod system;
mod values;
mod variable;
mod vocabulary;
mod writing;

pub use outcome::{Outcome, Reason, Statistics, Verdict};
pub use refusal::Refusal;
pub use run::{Action, CandidateRun};

use certify::events::Certificate;
use certify::{CheckOptions, Stop};
use explore::{Deadline, Limits};
use ir::Model;
use search::{Ended, Search};
use std::time::Instant;
use system::System;

/// What bounds an attempt to prove a model.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// When to give up. The limit on states is one on visited cubes.
    pub limits: Limits,
}

/// Tries to prove that no property of a model is ever violated under x86-TSO, for any number of processes.
pub fn prove(model: &Model, options: &Options) -> Outcome {
    let begun = Instant::now();
    let mut outcome = match System::new(model) {
        Ok(system) => attempt(&system, options),
        Err(refusal) => Outcome {
            verdict: Verdict::Unknown(Reason::Unsupported(refusal)),
            statistics: Statistics::default(),
        },
    };
    outcome.statistics.time = begun.elapsed();
    outcome
}

/// Lets the independent checker have the last word.
fn checked(system: &System<'_>, certificate: Certificate, deadline: &Deadline) -> Verdict {
    let until = deadline.clone();
    let stop = Stop::when(move || until.ended().is_some());
    let options = CheckOptions { stop, ..CheckOptions::default() };
    match certify::events::check_with(system.model, &certificate, &options) {
        Ok(_) => Verdict::Safe(certificate),
        Err(rejection) => Verdict::Unknown(match deadline.ended() {
            Some(limit) => Reason::Limit(limit),
            None => Reason::Rejected(Box::new(rejection)),
        }),
    }
}

fn attempt(system: &System<'_>, options: &Options) -> Outcome {
    let mut search = Search::new(system, &options.limits);
    let verdict = match search.run() {
        Ok(Ended::Exhausted) => {
            checked(system, writing::certificate(system, search.invariant()), &search.deadline)
        }
        Ok(Ended::Initial(id, processes)) => {
            Verdict::Unsafe(run::candidate(system, &search.nodes, id, processes))
        }
        Err(reason) => Verdict::Unknown(reason),
    };
    Outcome { verdict, statistics: search.statistics }
}
