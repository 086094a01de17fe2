//! Backward search and views in turns: most models need but a little of one of them, and which one nobody knows before.

use crate::{Outcome, Progress, ProofOptions, Reason, Verdict, is_supported, prove as prove_by_views};
use explore::{Limit, Limits};
use model::ir::{Model, Sort};
use prove::Effort;
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

/// So many views are enough, before it is the turn of the backward search again. Counted work, so that the answer is the same
/// on every machine.
const MOST_VIEWS: usize = 200_000;
/// With numbers each of them takes more work.
const MOST_VIEWS_WITH_NUMBERS: usize = 20_000;
/// Larger ones are many more.
const SIZE: usize = 2;

/// Tries to prove that no property of a model is ever violated, for any number of processes.
pub fn prove_by_turns(model: &Model, options: &prove::Options, progress: Option<Arc<Progress>>) -> Turns {
    let begun = Instant::now();
    let turns = TurnsUnderWay { model, options, progress, begun };
    if options.limits.states.is_some() || is_supported(model).is_err() {
        return turns.backward(options.effort);
    }
    let mut last = turns.backward(Effort::Brief);
    for turn in [Turn::Views { brief: true }, Turn::Backward(Effort::Turn), Turn::Views { brief: false }] {
        if !may_be_helped(&last.outcome.verdict) {
            return last;
        }
        match turn {
            Turn::Backward(effort) => last = turns.backward(effort),
            Turn::Views { brief } => {
                if let Some(decided) = turns.views(brief) {
                    return decided;
                }
            }
        }
    }
    if may_be_helped(&last.outcome.verdict) { turns.backward(Effort::Rest) } else { last }
}

/// Whose turn it is.
enum Turn {
    Backward(Effort),
    Views { brief: bool },
}

struct TurnsUnderWay<'p> {
    model: &'p Model,
    options: &'p prove::Options,
    progress: Option<Arc<Progress>>,
    begun: Instant,
}

impl TurnsUnderWay<'_> {
    /// What is left of the limits, with another one of states.
    fn limits(&self, states: Option<usize>) -> Limits {
        let time = self.options.limits.time.map(|time| time.saturating_sub(self.begun.elapsed()));
        Limits { states, time, ..self.options.limits.clone() }
    }

    fn backward(&self, effort: Effort) -> Turns {
        let limits = self.limits(self.options.limits.states);
        let outcome = prove::prove(self.model, &prove::Options { limits, effort, ..self.options.clone() });
        Turns { outcome: timed(outcome, self.begun.elapsed()), views: None }
    }

    /// The answer of views, if they have one.
    fn views(&self, brief: bool) -> Option<Turns> {
        let has_numbers = self.model.symbols.iter().any(|symbol| symbol.sort == Sort::Int);
        let most = if has_numbers { MOST_VIEWS_WITH_NUMBERS } else { MOST_VIEWS };
        let mut views = prove_by_views(
            self.model,
            &ProofOptions {
                size: Some(SIZE),
                limits: self.limits(Some(most)),
                brief,
                threads: self.options.threads,
                progress: self.progress.clone(),
            },
        );
        if let Some(progress) = &self.progress {
            progress.size.store(0, Ordering::Relaxed);
        }
        let verdict = decided(&mut views.verdict)?;
        let statistics = views.certificate.clone();
        let outcome = prove::Outcome { verdict, statistics, history: None, growth: vec![] };
        Some(Turns { outcome: timed(outcome, self.begun.elapsed()), views: Some(views) })
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
