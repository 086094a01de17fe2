//! Proofs of weak models by memory events, from the crate `events`: where no number of slots suffices, and as a second opinion.

use certify::events::Certificate;
use events::{Action, CandidateRun, Reason, Statistics, Verdict};
use explore::{Deadline, Limits};
use instance::guided;
use ir::store_buffers::Capacity;
use ir::{Model, RuleId};
use prove::Violation;
use std::time::Instant;

/// What came of a proof by events.
#[derive(Debug)]
pub struct ByEvents {
    /// Whether the model is safe, with the evidence.
    pub answer: EventsAnswer,
    /// How much was done.
    pub statistics: Statistics,
}

/// The answer of a proof by events.
#[derive(Debug)]
pub enum EventsAnswer {
    /// The model is safe for every number of processes: there is a certificate, which has been checked.
    Holds(Certificate),
    /// A run with exact store buffers leads to a bad state.
    Violated(Box<Violation>),
    /// Neither is known, for this reason.
    Unknown(String),
}

/// Each step of a run is followed from at most this many states.
const STATES_PER_STEP: usize = 20_000;
/// A run that fills a buffer with more entries than this is not followed.
const MOST_ENTRIES: usize = 64;

/// Tries to prove a weak model by events.
pub fn prove_by_events(model: &Model, limits: &Limits) -> ByEvents {
    let begun = Instant::now();
    let outcome = events::prove(model, &events::Options { limits: limits.clone() });
    let answer = match outcome.verdict {
        Verdict::Safe(certificate) => EventsAnswer::Holds(certificate),
        Verdict::Unsafe(run) => {
            let deadline = Deadline::of(&limits.remaining_since(begun));
            followed(model, &run, &deadline).map_or_else(
                || EventsAnswer::Unknown(spurious(model, &run)),
                |violation| EventsAnswer::Violated(Box::new(violation)),
            )
        }
        Verdict::Unknown(Reason::Unsupported(refusal)) => {
            EventsAnswer::Unknown(format!("memory events do not support {}", refusal.what))
        }
        Verdict::Unknown(reason) => EventsAnswer::Unknown(reason.to_string()),
    };
    ByEvents { answer, statistics: outcome.statistics }
}

/// The violation, if a run with exact buffers takes the steps of the candidate.
fn followed(model: &Model, run: &CandidateRun, deadline: &Deadline) -> Option<Violation> {
    let buffered = run.actions.iter().filter(|action| matches!(action, Action::Step { buffers: true, .. }));
    let entries = buffered.count().clamp(1, MOST_ENTRIES);
    let lowered = model.with_store_buffers(Capacity::exact(entries)).ok()?;
    let flush = lowered.buffers.as_ref()?.flush;
    let rule = |action: &Action| match action {
        Action::Step { rule, .. } => *rule,
        Action::Flush { .. } => flush,
    };
    let rules: Vec<RuleId> = run.actions.iter().map(rule).collect();
    let found = guided::follow(&lowered, run.processes, &rules, run.property, STATES_PER_STEP, deadline)?;
    let ranges = instance::weak::of_user(&lowered, &found.ranges);
    let buffer = u16::try_from(entries).ok();
    Some(Violation { property: run.property, processes: run.processes, trace: found.trace, ranges, buffer })
}

fn spurious(model: &Model, run: &CandidateRun) -> String {
    let names: Vec<&str> = run.steps().map(|(rule, _)| model.rules[rule.index()].name.as_str()).collect();
    let by = if names.is_empty() { String::new() } else { format!(" by {}", names.join(", ")) };
    format!("the search meets a bad state{by}, but no run of a small instance goes there")
}
