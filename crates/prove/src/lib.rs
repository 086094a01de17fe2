//! Safety of models for every number of processes, by backward search over cubes.
//!
//! [`prove`] looks for an inductive invariant: from the bad states it computes pre-images until nothing new comes up.
//! On the way it may replace a cube by a more general candidate that no state of a small instance matches; a candidate that is
//! refuted is retracted. It answers [`Verdict::Holds`] only with a certificate that the checker of the crate `certify` has
//! accepted, which shares no code with the search, and [`Verdict::Violated`] only with a run of a concrete instance, found by
//! the engine for a fixed number of processes, which shares none either.
//!
//! What this crate must not know: the text of models, files, terminals.

mod approximation;
mod assume;
mod auxiliary;
mod canonical;
mod cases;
mod cell;
mod certificate;
mod confirm;
mod counted;
mod cube;
mod explain;
mod history;
mod initial;
mod instances;
mod joint_subsumption;
mod linear;
mod matching;
mod options;
mod oracle;
mod outcome;
mod places;
mod preimage;
mod promises;
mod prover;
mod regions;
mod search;
mod subsumption;
mod system;
mod template;
mod values;
mod vocabulary;

pub use certify::{Cause, Rejection};
pub use explain::Growth;
pub use history::{Entry, Fate, History, Origin};
pub use instance::states::Walk;
pub use instances::Explored;
pub use options::{Approximation, Effort, Options, OracleOptions, Techniques};
pub use oracle::{
    Point, PointerColumn, ValueColumn, ViewCell, ViewColumn, ViewPointer, ViewTable, ViewValue, Zones,
};
pub use outcome::{Buffers, Outcome, Proof, Reason, Unsupported, Verdict, Violation};
pub use search::{Order, Progress, Statistics};

use certify::Certificate;
use explore::{Deadline, Limits};
use instances::Instances;
use ir::{Model, RuleId};
use oracle::Oracle;
use prover::Known;
use std::fmt;
use std::time::Instant;
use system::System;

/// With auxiliary variables, a proof visits few cubes or is not found at all.
const MOST_WITH_AUXILIARIES: usize = 1000;
/// The same with counters.
const MOST_WITH_COUNTERS: usize = 3000;

/// Tries to prove that no property of a model is ever violated, for any number of processes.
pub fn prove(model: &Model, options: &Options) -> Outcome {
    attempt(model, options, Known::Nothing)
}

/// The same, given views of all reachable states: whatever none of them matches is a candidate. The answer does not depend on the views being complete, since candidates can be refuted as always.
pub fn with_views(model: &Model, options: &Options, views: ViewTable) -> Outcome {
    attempt(model, options, Known::Views(Box::new(Oracle::of_views(views))))
}

/// The states of small instances that candidates are tested against, or an outcome, if one of them violates a property.
pub fn explored(model: &Model, options: &Options) -> Result<Explored, Box<Outcome>> {
    let begun = Instant::now();
    let deadline = options.limits.time.and_then(|most| begun.checked_add(most));
    Instances { model, options, deadline }.explored().map_err(|violation| {
        let statistics = Statistics { time: begun.elapsed(), ..Statistics::default() };
        Box::new(Outcome::new(Verdict::Violated(*violation), statistics))
    })
}

/// The same as [`prove`], given the states that [`explored`] has found.
pub fn with_instances(model: &Model, options: &Options, explored: Explored) -> Outcome {
    attempt(model, options, Known::Instances(explored))
}

/// A run that violates a property and takes steps of these rules, or another one that is found with little effort: on the
/// smallest instance that has one, with at least this many processes and at most a few more. Of the options, only limits on
/// time, cancellation and the number of threads have an effect.
pub fn confirmed(
    model: &Model,
    property: usize,
    rules: &[RuleId],
    processes: u32,
    options: &Options,
) -> Option<Violation> {
    let path = confirm::Path { property, rules: rules.to_vec(), processes };
    let deadline = Deadline::of(&options.limits);
    confirm::follow(model, &path, &deadline)
        .or_else(|| confirm::look_around(model, &path, &deadline, options.threads))
}

/// The place invariants of a model, in words: sums of numbers and numbers of processes in places that no step changes. The
/// checker has accepted them.
pub fn place_invariants(model: &Model) -> Result<Vec<String>, NoInvariants> {
    if model.is_weak() {
        return Err(NoInvariants::Weak);
    }
    let system = System::new(model, true, Some(&[])).map_err(NoInvariants::Unsupported)?;
    let Some(places) = &system.vocabulary.places else { return Ok(vec![]) };
    let cubes = places.cubes(&system.vocabulary);
    let certificate = certificate::certificate(model, &Certificate::default(), &system, &cubes);
    // They need not imply that the model is safe.
    let without_properties = Model { properties: vec![], ..model.clone() };
    certify::check(&without_properties, &certificate).map_err(NoInvariants::Rejected)?;
    Ok(places.sentences(model))
}

/// Why the place invariants of a model are not known.
#[derive(Debug, Clone)]
pub enum NoInvariants {
    /// It is under a weak memory model.
    Weak,
    /// It has a construct that cannot be followed.
    Unsupported(Unsupported),
    /// What was found was not accepted.
    Rejected(Rejection),
}

impl fmt::Display for NoInvariants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoInvariants::Weak => f.write_str("weak memory is not supported"),
            NoInvariants::Unsupported(what) => write!(f, "{} is not supported", what.what),
            NoInvariants::Rejected(rejection) => write!(f, "the invariants were not accepted: {rejection}"),
        }
    }
}

/// A proof with auxiliary variables for processes that guards about all processes exclude, if one is found soon.
pub fn with_auxiliary_variables(model: &Model, options: &Options) -> Option<Outcome> {
    if !options.techniques.auxiliary_variables {
        return None;
    }
    let begun = Instant::now();
    let states = options.limits.states.map_or(MOST_WITH_AUXILIARIES, |most| most.min(MOST_WITH_AUXILIARIES));
    auxiliary::choices(model).iter().find_map(|auxiliaries| {
        let limits = Limits { states: Some(states), ..options.limits.remaining_since(begun) };
        let options = Options { limits, ..options.clone() };
        let added = Certificate { auxiliaries: auxiliaries.clone(), ..Certificate::default() };
        let (outcome, _) = prover::attempt(model, &added, &options, Known::Nothing);
        matches!(outcome.verdict, Verdict::Holds(_)).then_some(outcome)
    })
}

/// A proof with counters for what the model counts, and for processes that guards about all processes exclude, if one is found
/// soon.
fn with_counters(model: &Model, options: &Options) -> Option<Outcome> {
    let counters = if options.techniques.places { counted::counters(model) } else { vec![] };
    if counters.is_empty() {
        return None;
    }
    let states = options.limits.states.map_or(MOST_WITH_COUNTERS, |most| most.min(MOST_WITH_COUNTERS));
    let limits = Limits { states: Some(states), ..options.limits.clone() };
    let options = Options { limits, ..options.clone() };
    let added = Certificate { counters, ..Certificate::default() };
    let (outcome, _) = prover::attempt(model, &added, &options, Known::Nothing);
    matches!(outcome.verdict, Verdict::Holds(_)).then_some(outcome)
}

/// A search. If it meets a bad state that no run leads to, auxiliary variables may help; if not, small instances may still have
/// another run to one.
fn attempt(model: &Model, options: &Options, known: Known) -> Outcome {
    let begun = Instant::now();
    let has_views = matches!(known, Known::Views(_));
    let (mut outcome, suspect) = prover::attempt(model, &Certificate::default(), options, known);
    if let Some(path) = suspect.filter(|_| options.effort != Effort::Short) {
        let rest = Options { limits: options.limits.remaining_since(begun), ..options.clone() };
        let proved = if has_views {
            None
        } else {
            with_counters(model, &rest).or_else(|| with_auxiliary_variables(model, &rest))
        };
        if let Some(proved) = proved {
            outcome = proved;
        } else {
            let deadline = Deadline::of(&options.limits.remaining_since(begun));
            match (confirm::look_around(model, &path, &deadline, options.threads), deadline.ended()) {
                (Some(violation), _) => outcome.verdict = Verdict::Violated(violation),
                (None, Some(limit)) => outcome.verdict = Verdict::Unknown(Reason::Limit(limit)),
                (None, None) => {}
            }
        }
    }
    outcome.statistics.time = begun.elapsed();
    outcome
}
