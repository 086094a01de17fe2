//! Backward search and views in turns: most models need but a little of one of them, and which one nobody knows before.

use crate::proof::has_numbers;
use crate::{
    Outcome, Progress, ProofOptions, Reason, Threads, Verdict, is_supported, prove as prove_by_views,
};
use explore::{Cancel, Limit, Limits};
use ir::Model;
use prove::{Effort, Explored};
use std::mem::replace;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

/// What came of all turns.
#[derive(Debug)]
pub struct Turns {
    /// The answer.
    pub outcome: prove::Outcome,
    /// What views have done, if the answer is theirs.
    pub views: Option<Outcome>,
    /// What views have done without coming to an answer, if nobody else has.
    pub undecided: Option<Outcome>,
}

/// So many views are enough, before it is the turn of the backward search again. Counted work, so that the answer is the same
/// on every machine.
const MOST_VIEWS: usize = 200_000;
/// With numbers each of them takes more work.
const MOST_VIEWS_WITH_NUMBERS: usize = 20_000;
/// Larger ones are many more.
const SIZE: usize = 2;
/// Before views have had their turn, guesses are tested against at most so many states of each instance.
const STATES_OF_A_TURN: usize = 50_000;

/// Tries to prove that no property of a model is ever violated, for any number of processes.
/// Where the first turns have not come to an answer, `look` may look for a violation by other means.
pub fn prove_by_turns(
    model: &Model,
    options: &prove::Options,
    progress: Option<Arc<Progress>>,
    look: Look<'_>,
) -> Turns {
    let begun = Instant::now();
    let turns = TurnsUnderWay { model, options, progress, begun };
    if options.limits.states.is_some() {
        return turns.backward(options.effort, None);
    }
    let with_views = is_supported(model).is_ok();
    let brief = turns.backward(Effort::Short, None);
    if let Some(answer) = brief.unless_helped() {
        return answer;
    }
    if !with_views {
        let violation = look(turns.limits(None));
        return violation
            .map_or_else(|| turns.backward(Effort::Unbounded, None), |found| turns.violated(found));
    }
    let views = turns.views(true, &Threads::from(options.threads), &options.limits.cancel);
    views.unwrap_or_else(|_| turns.guesses_and_views(look))
}

/// Looks for a violation by other means, within limits.
type Look<'l> = &'l dyn Fn(Limits) -> Option<prove::Violation>;

struct TurnsUnderWay<'p> {
    model: &'p Model,
    options: &'p prove::Options,
    progress: Option<Arc<Progress>>,
    begun: Instant,
}

impl TurnsUnderWay<'_> {
    /// Guesses while they help, then views, then guesses again. If there are threads, views begin while instances are explored
    /// that guesses need, wait while these are made, and go on afterwards; the answer is the same.
    fn guesses_and_views(&self, look: Look<'_>) -> Turns {
        let all = self.options.threads;
        let (threads, enough) = (Threads::from(all / 2), Arc::new(AtomicBool::new(false)));
        let cancel = self.options.limits.cancel.or_by(enough.clone());
        let views = || self.views(false, &threads, &cancel);
        // What each of them takes adds up.
        let at_the_same_time = all > 1 && self.options.limits.memory.is_none();
        thread::scope(|scope| {
            let early = at_the_same_time.then(|| scope.spawn(views));
            let explored = prove::explored(self.model, &self.options_of_a_turn());
            let pause = threads.pause(all);
            let guesses = match explored {
                Ok(explored) => self.backward(Effort::Bounded, Some(explored)).unless_helped(),
                Err(outcome) => Some(self.answer(*outcome, None)),
            };
            enough.store(guesses.is_some(), Ordering::Relaxed);
            drop(pause);
            if let Some(guesses) = guesses {
                return guesses;
            }
            if let Some(violation) = look(self.limits(None)) {
                enough.store(true, Ordering::Relaxed);
                return self.violated(violation);
            }
            let views = match early {
                Some(early) => early.join().unwrap_or_else(|panic| resume_unwind(panic)),
                None => views(),
            };
            views.unwrap_or_else(|views| {
                let rest = self.backward(Effort::Unbounded, None);
                Turns { undecided: Some(*views), ..rest }
            })
        })
    }

    fn violated(&self, violation: prove::Violation) -> Turns {
        let (verdict, statistics) = (prove::Verdict::Violated(violation), prove::Statistics::default());
        self.answer(prove::Outcome { verdict, statistics, history: None, growth: vec![] }, None)
    }

    /// What is left of the limits, with another one of states.
    fn limits(&self, states: Option<usize>) -> Limits {
        let time = self.options.limits.time.map(|time| time.saturating_sub(self.begun.elapsed()));
        Limits { states, time, ..self.options.limits.clone() }
    }

    /// The options of a backward search that begins now.
    fn options_now(&self) -> prove::Options {
        prove::Options { limits: self.limits(self.options.limits.states), ..self.options.clone() }
    }

    /// The same with fewer states that guesses are tested against: those that are near say most.
    fn options_of_a_turn(&self) -> prove::Options {
        let mut options = self.options_now();
        options.oracle.states = options.oracle.states.min(STATES_OF_A_TURN);
        options
    }

    fn backward(&self, effort: Effort, explored: Option<Explored>) -> Turns {
        let options = prove::Options { effort, ..self.options_now() };
        let outcome = match explored {
            Some(explored) => prove::with_instances(self.model, &options, explored),
            None => prove::prove(self.model, &options),
        };
        self.answer(outcome, None)
    }

    fn answer(&self, mut outcome: prove::Outcome, views: Option<Outcome>) -> Turns {
        outcome.statistics.time = self.begun.elapsed();
        Turns { outcome, views, undecided: None }
    }

    /// The answer of views, or what they have done if they have none.
    fn views(&self, brief: bool, threads: &Threads, cancel: &Cancel) -> Result<Turns, Box<Outcome>> {
        let most = if has_numbers(self.model) { MOST_VIEWS_WITH_NUMBERS } else { MOST_VIEWS };
        let mut views = prove_by_views(
            self.model,
            &ProofOptions {
                size: Some(SIZE),
                limits: Limits { cancel: cancel.clone(), ..self.limits(Some(most)) },
                brief,
                threads: threads.clone(),
                progress: self.progress.clone(),
            },
        );
        if let Some(progress) = &self.progress {
            progress.size.store(0, Ordering::Relaxed);
        }
        let verdict = match decided(replace(&mut views.verdict, Verdict::Unknown(Reason::NothingToProve))) {
            Ok(verdict) => verdict,
            Err(verdict) => return Err(Box::new(Outcome { verdict, ..views })),
        };
        let statistics = views.certificate.clone();
        let outcome = prove::Outcome { verdict, statistics, history: None, growth: vec![] };
        Ok(self.answer(outcome, Some(views)))
    }
}

impl Turns {
    /// The answer, unless others may know more.
    fn unless_helped(self) -> Option<Turns> {
        use prove::Reason::{Limit as Limited, NotCertified, Spurious, TooManyProcesses};
        match &self.outcome.verdict {
            prove::Verdict::Unknown(
                Limited(Limit::States) | Spurious { .. } | TooManyProcesses | NotCertified(_),
            ) => None,
            _ => Some(self),
        }
    }
}

/// The answer of views, if it is one. What ends them for good ends everything.
fn decided(verdict: Verdict) -> Result<prove::Verdict, Verdict> {
    match verdict {
        Verdict::Holds(proof) => Ok(prove::Verdict::Holds(proof)),
        Verdict::Violated(violation) => Ok(prove::Verdict::Violated(violation)),
        Verdict::Unknown(Reason::Limit(limit @ (Limit::Time | Limit::Memory | Limit::Cancelled))) => {
            Ok(prove::Verdict::Unknown(prove::Reason::Limit(limit)))
        }
        unknown @ Verdict::Unknown(_) => Err(unknown),
    }
}
