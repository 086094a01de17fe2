//! A violation if one is near, else a proof: fuzzing, small instances, and the portfolio of proofs, one after the other.

use crate::{
    Activity, Answer, Attempt, Engine, Fuzzed, Fuzzing, InstancesOutcome, Observer, Outcome, ProofOptions,
    Share, SmallInstances, Work, prove,
};
use explore::DeadlockPolicy;
use explore::Limits;
use instance::exploration::Exploration;
use ir::{Model, SymbolId};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// The time for one model where no limit is given.
pub const BUDGET: Duration = Duration::from_secs(60);
/// The time for violations before a proof is tried; half of it is for fuzzing.
const MOMENT: Duration = Duration::from_secs(2);
/// Once fuzzing has found a violation, small instances get one over this of a moment: they may show one with fewer processes
/// and steps.
const TO_SHORTEN: u32 = 4;

/// What a search for violations by all engines may do, before it turns to a proof.
#[derive(Debug, Clone)]
pub struct Hunt {
    /// What a deadlock counts for.
    pub deadlock: DeadlockPolicy,
    /// Ranges for numbers without one: symbol, least and greatest value.
    pub ranges: Vec<(SymbolId, i64, i64)>,
    /// When to give up.
    pub limits: Limits,
    /// The seed of everything random.
    pub seed: u64,
    /// The number of threads. A proof does not depend on it.
    pub workers: usize,
}

/// The answer, by the engine that gave it.
#[derive(Debug)]
pub enum Hunted {
    /// A small instance violates a property.
    Explored(Exploration),
    /// Fuzzing has found a violation, and small instances have not shown a smaller one.
    Fuzzed(Box<Fuzzed>),
    /// Every number of processes that the model allows was explored, and nothing is violated.
    Exhausted(InstancesOutcome),
    /// What a proof came to, and what small instances have shown before.
    Proof(Box<Outcome>, InstancesOutcome),
}

/// Looks for a violation for a moment, and tries to prove that there is none.
pub fn hunt(model: &Model, hunt: &Hunt, observer: &mut dyn Observer) -> Hunted {
    let begun = Instant::now();
    let moment = hunt.limits.time.map_or(MOMENT, |most| most.min(MOMENT));
    let fuzzing = hunt.fuzz(model, moment / 2, observer);
    let is_violated = fuzzing.answer == Answer::Violated;
    let rest = if is_violated { moment / TO_SHORTEN } else { moment.saturating_sub(begun.elapsed()) };
    let Attempt { answer, outcome: small } = hunt.explore(model, rest, observer);
    match (small, answer) {
        (InstancesOutcome { violation: Some(exploration), .. }, _) => Hunted::Explored(exploration),
        _ if is_violated => Hunted::Fuzzed(Box::new(fuzzing.outcome)),
        (small, Answer::Holds) => Hunted::Exhausted(small),
        (small, _) => {
            let limits = hunt.limits.remaining_since(begun);
            Hunted::Proof(Box::new(hunt.prove(model, limits, observer)), small)
        }
    }
}

impl Hunt {
    /// Fuzzes several numbers of processes, the same way each time unless another seed is given.
    fn fuzz(&self, model: &Model, time: Duration, observer: &mut dyn Observer) -> Attempt<Fuzzed> {
        let (deadlock, ranges, progress) = (self.deadlock, self.ranges.clone(), Arc::default());
        observer.begins(Activity::Fuzzing(Arc::clone(&progress)));
        let attempt = Fuzzing { deadlock, ranges, seed: self.seed, progress }.run(model, &self.share(time));
        observer.ends();
        attempt
    }

    fn explore(
        &self,
        model: &Model,
        time: Duration,
        observer: &mut dyn Observer,
    ) -> Attempt<InstancesOutcome> {
        let mut small = SmallInstances::all(self.deadlock, self.ranges.clone(), &self.limits);
        observer.begins(Activity::Exploring(small.progress.clone()));
        let attempt = small.run(model, &self.share(time));
        observer.ends();
        attempt
    }

    fn share(&self, time: Duration) -> Share {
        let limits = Limits { time: Some(time), ..self.limits.clone() };
        Share { work: Work::Unbounded, limits, threads: self.workers.into() }
    }

    fn prove(&self, model: &Model, limits: Limits, observer: &mut dyn Observer) -> Outcome {
        let backward = prove::Options { limits, threads: self.workers, ..prove::Options::default() };
        let ranges = self.ranges.clone();
        prove(model, &ProofOptions { backward, small: None, ranges }, observer)
    }
}
