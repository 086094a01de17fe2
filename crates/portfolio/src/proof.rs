//! A proof for every number of processes: backward search and views in alternation, with growing shares.

use crate::{
    Activity, Answer, Attempt, Backward, ByEvents, Engine, EventsAnswer, InstancesOutcome, Observer, Share,
    Slotted, SmallInstances, Views, Work, prove_by_events, with_enough_slots,
};
use certify::events::Certificate;
use explore::Limits;
use instance::Setting;
use ir::{Model, SymbolId};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};
use views::{Threads, is_supported};

/// What the engines of a proof may do together.
#[derive(Debug)]
pub struct ProofOptions {
    /// Options of the backward search. Its limits and threads are those of the whole proof; with a limit on states, which
    /// counts cubes, it runs alone.
    pub backward: prove::Options,
    /// Instances that are searched for a violation once the first shares are used up.
    pub small: Option<SmallInstances>,
    /// Ranges for numbers, in small instances.
    pub ranges: Vec<(SymbolId, i64, i64)>,
}

/// The answer, and how it was found.
#[derive(Debug)]
pub struct Outcome {
    /// The answer of the engine that decided, or of the last one.
    pub proof: prove::Outcome,
    /// The outcome of views, if the answer is theirs. Its verdict has moved to `proof`.
    pub views: Option<views::Outcome>,
    /// The outcome of views that did not decide, if nothing else did either.
    pub undecided: Option<views::Outcome>,
    /// If the model is weak: the model with store buffers that the answer is about.
    pub lowered: Option<Model>,
    /// If a weak model was proved by memory events: the certificate. The verdict of `proof` is then that there is no other.
    pub events: Option<Certificate>,
}

/// Tries to prove that no property of a model is ever violated, for any number of processes.
/// A weak model is proved under x86-TSO.
pub fn prove(model: &Model, options: &ProofOptions, observer: &mut dyn Observer) -> Outcome {
    if model.is_weak() {
        prove_weak(model, options, observer)
    } else {
        prove_as_it_is(model, options, observer)
    }
}

/// Looks for a violation in small instances for a moment, and then tries to prove that there is none with as many slots for
/// buffered stores as it takes.
fn prove_weak(model: &Model, options: &ProofOptions, observer: &mut dyn Observer) -> Outcome {
    let begun = Instant::now();
    let share = Share {
        work: Work::Brief,
        limits: options.backward.limits.clone(),
        threads: options.backward.threads.into(),
    };
    let small = SmallInstances::brief(model, options.ranges.clone()).run(model, &share).outcome;
    if let Some(violation) = violation_of(small) {
        return by_small_instances(violation);
    }
    let limits = options.backward.limits.remaining_since(begun);
    let slotted = with_enough_slots(model, &limits, |lowered, limits| {
        let backward = prove::Options { limits, ..options.backward.clone() };
        // Small instances are explored as the weak model that they belong to.
        let options = ProofOptions { backward, small: None, ranges: options.ranges.clone() };
        prove_as_it_is(lowered, &options, observer)
    });
    let outcome = match slotted {
        Ok(Slotted { model, outcome }) => Outcome { lowered: Some(model), ..outcome },
        Err(unsupported) => {
            let what = format!("{} with store buffers", unsupported.what);
            let unsupported = prove::Unsupported { what, at: Some(unsupported.at) };
            let verdict = prove::Verdict::Unknown(prove::Reason::Unsupported(unsupported));
            by_backward(Attempt { answer: Answer::Ended, outcome: without_search(verdict) })
        }
    };
    match &outcome.proof.verdict {
        prove::Verdict::Unknown(reason)
            if !matches!(reason, prove::Reason::NothingToProve | prove::Reason::Limit(_)) =>
        {
            with_events(model, outcome, &options.backward.limits.remaining_since(begun))
        }
        _ => outcome,
    }
}

/// The answer of a proof by events, if it has one; otherwise that of the proof with slots.
fn with_events(model: &Model, outcome: Outcome, limits: &Limits) -> Outcome {
    let ByEvents { answer, statistics } = prove_by_events(model, limits);
    let mut decided = match answer {
        EventsAnswer::Holds(certificate) => Outcome { events: Some(certificate), ..outcome },
        EventsAnswer::Violated(violation) => by_small_instances(*violation),
        EventsAnswer::Unknown(_) => return outcome,
    };
    decided.proof.statistics = prove::Statistics {
        nodes: statistics.nodes,
        max_processes: statistics.max_processes as usize,
        ..prove::Statistics::default()
    };
    Outcome { views: None, undecided: None, ..decided }
}

fn prove_as_it_is(model: &Model, options: &ProofOptions, observer: &mut dyn Observer) -> Outcome {
    let backward_progress = options.backward.progress.clone().unwrap_or_default();
    let views_progress = Arc::default();
    let views = Arc::clone(&views_progress);
    observer.begins(Activity::Proving { backward: backward_progress.clone(), views });
    let backward = prove::Options { progress: Some(backward_progress), ..options.backward.clone() };
    let schedule =
        Schedule { model, backward, small: options.small.as_ref(), views_progress, begun: Instant::now() };
    let mut outcome = schedule.run();
    observer.ends();
    outcome.proof.statistics.time = schedule.begun.elapsed();
    outcome
}

/// A proof in progress.
struct Schedule<'s> {
    model: &'s Model,
    backward: prove::Options,
    small: Option<&'s SmallInstances>,
    views_progress: Arc<views::Progress>,
    begun: Instant,
}

impl Schedule<'_> {
    /// Brief shares first. The engines are tried in the order of what they cost where they do not decide.
    fn run(&self) -> Outcome {
        if self.backward.limits.states.is_some() {
            let proof = prove::prove(self.model, &self.backward);
            return Outcome { proof, views: None, undecided: None, lowered: None, events: None };
        }
        let mut backward = Backward::new(&self.backward);
        let brief = backward.run(self.model, &self.share(Work::Brief));
        if brief.is_final() {
            return by_backward(brief);
        }
        if is_supported(self.model).is_err() {
            let violation = self.search_small_instances();
            return violation.unwrap_or_else(|| self.rest(&mut backward));
        }
        let brief = self.views().run(self.model, &self.share(Work::Brief));
        if brief.is_final() {
            return by_views(brief.outcome);
        }
        self.bounded(&mut backward)
    }

    /// Bounded shares: candidates while they help, small instances, views, and then backward search to its end.
    ///
    /// With several threads, views begin while the instances are explored that candidates are tested against, pause during
    /// the search with candidates, and go on afterwards. The answer is the same as one after the other.
    fn bounded(&self, backward: &mut Backward<'_>) -> Outcome {
        let all = self.backward.threads;
        let (threads, is_decided) = (Threads::from(all / 2), Arc::new(AtomicBool::new(false)));
        let cancel = self.backward.limits.cancel.or_by(is_decided.clone());
        let run_views = || {
            let limits = Limits { cancel: cancel.clone(), ..self.limits() };
            self.views().run(self.model, &Share { work: Work::Bounded, limits, threads: threads.clone() })
        };
        // The limit on memory is for all engines, each of which only knows of itself.
        let at_the_same_time = all > 1 && self.backward.limits.memory.is_none();
        if at_the_same_time {
            threads::beside(run_views, |early| {
                self.around_views(backward, &threads, &is_decided, || early.wait())
            })
        } else {
            self.around_views(backward, &threads, &is_decided, run_views)
        }
    }

    /// Everything but views, which pause while the search with candidates has all threads, and end once something is decided.
    fn around_views(
        &self,
        backward: &mut Backward<'_>,
        views_threads: &Threads,
        is_decided: &AtomicBool,
        views: impl FnOnce() -> Attempt<views::Outcome>,
    ) -> Outcome {
        let prepared = backward.prepare(self.model, &self.share(Work::Bounded));
        let pause = views_threads.pause(self.backward.threads);
        let with_candidates =
            prepared.unwrap_or_else(|| backward.run(self.model, &self.share(Work::Bounded)));
        is_decided.store(with_candidates.is_final(), Ordering::Relaxed);
        drop(pause);
        if with_candidates.is_final() {
            return by_backward(with_candidates);
        }
        if let Some(violation) = self.search_small_instances() {
            is_decided.store(true, Ordering::Relaxed);
            return violation;
        }
        let views = views();
        if views.is_final() {
            return by_views(views.outcome);
        }
        Outcome { undecided: Some(views.outcome), ..self.rest(backward) }
    }

    /// Everything that limits allow, for the engine that never gives up.
    fn rest(&self, backward: &mut Backward<'_>) -> Outcome {
        by_backward(backward.run(self.model, &self.share(Work::Unbounded)))
    }

    fn search_small_instances(&self) -> Option<Outcome> {
        let small = self.small?.clone().run(self.model, &self.share(Work::Bounded)).outcome;
        Some(by_small_instances(violation_of(small)?))
    }

    fn views(&self) -> Views {
        Views { progress: self.views_progress.clone() }
    }

    /// A share of the backward search or of a brief search of views, which have all threads.
    fn share(&self, work: Work) -> Share {
        Share { work, limits: self.limits(), threads: self.backward.threads.into() }
    }

    /// The limits with the remaining time.
    fn limits(&self) -> Limits {
        self.backward.limits.remaining_since(self.begun)
    }
}

fn by_backward(attempt: Attempt<prove::Outcome>) -> Outcome {
    Outcome { proof: attempt.outcome, views: None, undecided: None, lowered: None, events: None }
}

fn by_small_instances(violation: prove::Violation) -> Outcome {
    let proof = without_search(prove::Verdict::Violated(violation));
    Outcome { proof, views: None, undecided: None, lowered: None, events: None }
}

/// The answer of views, which is final.
fn by_views(mut views: views::Outcome) -> Outcome {
    let moved = views::Verdict::Unknown(views::Reason::NothingToProve);
    let verdict = match std::mem::replace(&mut views.verdict, moved) {
        views::Verdict::Holds(proof) => prove::Verdict::Holds(proof),
        views::Verdict::Violated(violation) => prove::Verdict::Violated(violation),
        views::Verdict::Unknown(views::Reason::Limit(limit)) => {
            prove::Verdict::Unknown(prove::Reason::Limit(limit))
        }
        views::Verdict::Unknown(_) => unreachable!("the answer would not be final"),
    };
    let proof = prove::Outcome { statistics: views.certificate.clone(), ..without_search(verdict) };
    Outcome { proof, views: Some(views), undecided: None, lowered: None, events: None }
}

/// An outcome to which no search over cubes has led.
fn without_search(verdict: prove::Verdict) -> prove::Outcome {
    prove::Outcome { verdict, statistics: prove::Statistics::default(), history: None, growth: vec![] }
}

/// The violation that small instances have shown, as the prover tells it.
fn violation_of(small: InstancesOutcome) -> Option<prove::Violation> {
    let found = small.violation?.findings.into_iter().find(explore::Finding::is_violation)?;
    let Setting { processes, ranges, buffer, .. } = found.setting;
    let buffer = buffer.and_then(|entries| u16::try_from(entries).ok());
    Some(prove::Violation { property: found.property?, processes, trace: found.trace, ranges, buffer })
}
