//! Backward search and views in turns: most models need but a little of one of them, and which one nobody knows before.

use crate::{Outcome, Progress, ProofOptions, Reason, Verdict, is_supported, prove as prove_by_views};
use explore::{Limit, Limits};
use model::ir::{Model, Sort};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// What came of all turns.
#[derive(Debug)]
pub struct Turns {
    /// The answer.
    pub outcome: prove::Outcome,
    /// What views have done, if the answer is theirs.
    pub views: Option<Outcome>,
}

/// So many cubes are visited before views get their turn. Counted work, so that the answer is the same on every machine.
const FIRST_TURN: usize = 400;
/// So many views are enough, before it is the turn of the backward search again.
const MOST_VIEWS: usize = 200_000;
/// With numbers each of them takes more work.
const MOST_VIEWS_WITH_NUMBERS: usize = 20_000;
/// Larger ones are many more.
const SIZE: usize = 2;

/// Tries to prove that no property of a model is ever violated, for any number of processes.
pub fn prove_by_turns(model: &Model, options: &prove::Options, progress: Option<Arc<Progress>>) -> Turns {
    let begun = Instant::now();
    let left = || options.limits.time.map(|time| time.saturating_sub(begun.elapsed()));
    let backward = |states: Option<usize>| {
        let limits = Limits { states, time: left(), ..options.limits.clone() };
        let outcome = prove::prove(model, &prove::Options { limits, ..options.clone() });
        Turns { outcome: timed(outcome, begun.elapsed()), views: None }
    };
    if options.limits.states.is_some() || is_supported(model).is_err() {
        return backward(options.limits.states);
    }
    let first = backward(Some(FIRST_TURN));
    if !may_be_helped(&first.outcome.verdict) {
        return first;
    }
    let has_numbers = model.symbols.iter().any(|symbol| symbol.sort == Sort::Int);
    let most_views = if has_numbers { MOST_VIEWS_WITH_NUMBERS } else { MOST_VIEWS };
    let mut views = prove_by_views(
        model,
        &ProofOptions {
            size: Some(SIZE),
            limits: Limits { states: Some(most_views), time: left(), ..options.limits.clone() },
            threads: options.threads,
            progress: progress.clone(),
        },
    );
    if let Some(progress) = progress {
        progress.size.store(0, Ordering::Relaxed);
    }
    match decided(&mut views.verdict) {
        Some(verdict) => {
            let statistics = views.certificate.clone();
            let outcome = prove::Outcome { verdict, statistics, history: None, growth: vec![] };
            Turns { outcome: timed(outcome, begun.elapsed()), views: Some(views) }
        }
        None => backward(None),
    }
}

fn timed(outcome: prove::Outcome, time: Duration) -> prove::Outcome {
    prove::Outcome { statistics: prove::Statistics { time, ..outcome.statistics }, ..outcome }
}

/// Whether views may know more.
fn may_be_helped(verdict: &prove::Verdict) -> bool {
    use prove::Reason::{Limit as Limited, NotCertified, Spurious, TooManyProcesses};
    match verdict {
        prove::Verdict::Unknown(reason) => {
            matches!(reason, Limited(Limit::States) | Spurious { .. } | TooManyProcesses | NotCertified(_))
        }
        _ => false,
    }
}

/// The answer of views, if it is one. What ends them for good ends everything.
fn decided(verdict: &mut Verdict) -> Option<prove::Verdict> {
    match std::mem::replace(verdict, Verdict::Unknown(Reason::NothingToProve)) {
        Verdict::Holds(proof) => Some(prove::Verdict::Holds(proof)),
        Verdict::Violated(violation) => Some(prove::Verdict::Violated(violation)),
        Verdict::Unknown(Reason::Limit(limit @ (Limit::Time | Limit::Memory | Limit::Cancelled))) => {
            Some(prove::Verdict::Unknown(prove::Reason::Limit(limit)))
        }
        Verdict::Unknown(_) => None,
    }
}
