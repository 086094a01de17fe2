//! Random walks over instances of several sizes, by `instance::fuzzing`.

use crate::engine::{Answer, Attempt, Engine, Share};
use explore::DeadlockPolicy;
use instance::fuzzing;
use ir::{Model, SymbolId};
use std::sync::Arc;

/// The engine. Work means nothing to it: it walks until limits end it or a violation is found.
#[derive(Debug)]
pub struct Fuzzing {
    /// What a deadlock counts for.
    pub deadlock: DeadlockPolicy,
    /// Ranges for numbers without one: symbol, least and greatest value.
    pub ranges: Vec<(SymbolId, i64, i64)>,
    /// The same seed gives the same run, unless time ends it.
    pub seed: u64,
    /// Receives the counters of the run.
    pub progress: Arc<fuzz::Progress>,
}

/// A run of the fuzzer, and how it was made.
#[derive(Debug)]
pub struct Fuzzed {
    /// What the run has shown.
    pub fuzzing: fuzzing::Fuzzing,
    /// The options with which the run can be repeated.
    pub options: fuzzing::Options,
}

impl Engine for Fuzzing {
    type Outcome = Fuzzed;

    fn run(&mut self, model: &Model, share: &Share) -> Attempt<Fuzzed> {
        let fuzz = fuzz::Options {
            seed: self.seed,
            stop_at_first: true,
            workers: share.threads.now(),
            limits: share.limits.clone(),
            progress: self.progress.clone(),
            ..fuzz::Options::default()
        };
        let (deadlock, ranges) = (self.deadlock, self.ranges.clone());
        let options = fuzzing::Options { fuzz, deadlock, ranges, ..fuzzing::Options::new(None) };
        let fuzzing = fuzzing::fuzz(model, &options);
        let answer = if fuzzing.is_violated() { Answer::Violated } else { Answer::Undecided };
        Attempt { answer, outcome: Fuzzed { fuzzing, options } }
    }
}
