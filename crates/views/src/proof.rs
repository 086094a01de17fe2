//! From views to an answer: a ladder of ever finer views, and a certificate from the first that are fine enough.

use crate::{
    Found, Options, Progress, Rung, Statistics, Threads, Unsupported, context, liveness, normal, search,
};
use explore::Deadline;
use explore::{Limit, Limits};
use ir::{Model, RuleId, Sort};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How to prove.
#[derive(Debug, Clone, Default)]
pub struct ProofOptions {
    /// How many members a view has. If none is given, first 2, then 3.
    pub size: Option<usize>,
    /// When to give up. Of the states: views.
    pub limits: Limits,
    /// Whether to try only what is soon done.
    pub brief: bool,
    /// How many threads there are. The answer does not depend on it.
    pub threads: Threads,
    /// Told from time to time how far it is.
    pub progress: Option<Arc<Progress>>,
}

/// What came out.
#[derive(Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// What the last search of views has taken.
    pub statistics: Statistics,
    /// What the search for a certificate has taken.
    pub certificate: prove::Statistics,
    /// How much the last views have kept.
    pub rung: Rung,
    /// How many searches there were.
    pub searches: usize,
}

/// The answer.
#[derive(Debug)]
pub enum Verdict {
    /// No bad state is reachable, whatever the number of processes.
    Holds(prove::Proof),
    /// A bad state is reachable.
    Violated(prove::Violation),
    /// Neither is known.
    Unknown(Reason),
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The model has no property of states.
    NothingToProve,
    /// A construct cannot be followed.
    Unsupported(Unsupported),
    /// A limit was hit.
    Limit(Limit),
    /// Something bad is made of views, to which no run of a small instance leads.
    Coarse {
        /// The property, by position in the model.
        property: usize,
        /// The rules on the way.
        rules: Vec<RuleId>,
    },
    /// The views suffice, but no certificate came of them.
    NoCertificate(prove::Reason),
}

/// The finest views are given so many steps before coarser ones are looked at: many a model needs no more. Counted work, not
/// time, so that the same views are found on every machine.
const STEPS_AT_FIRST: usize = 150_000;
/// Coarse views are given so many steps: if they are not too coarse, they are soon done.
const STEPS_OF_COARSE: usize = 1_000_000;
/// If only what is soon done is tried, the finest views are given so many,
const FEW_STEPS: usize = 40_000;
/// and the coarsest ones, of which only so many are tried, these.
const STEPS_OF_COARSEST: usize = 6_000;
const COARSEST: usize = 3;
/// With numbers a step takes so many times as long, roughly.
const NUMBERS_COST: usize = 8;

/// Tries to prove that no property of a model is ever violated, for any number of processes.
pub fn prove(model: &Model, options: &ProofOptions) -> Outcome {
    let begun = Instant::now();
    let mut climb = Climb {
        model,
        options,
        deadline: options.limits.time.and_then(|most| begun.checked_add(most)),
        statistics: Statistics::default(),
        certificate: prove::Statistics::default(),
        rung: Rung::default(),
        searches: 0,
    };
    let verdict = if model.properties.is_empty() {
        Verdict::Unknown(Reason::NothingToProve)
    } else {
        match climb.climb() {
            Verdict::Unknown(Reason::NoCertificate(why @ prove::Reason::Spurious { .. }))
                if !options.brief =>
            {
                climb.name_somebody().unwrap_or(Verdict::Unknown(Reason::NoCertificate(why)))
            }
            verdict => verdict,
        }
    };
    let Climb { statistics, certificate, rung, searches, .. } = climb;
    let statistics = Statistics { time: begun.elapsed(), ..statistics };
    Outcome { verdict, statistics, certificate, rung, searches }
}

/// How much is tried before the finest views are searched to the end.
struct Budget {
    /// So many steps of the finest views,
    at_first: usize,
    /// and these of each of the coarser ones,
    of_coarse: usize,
    /// of which there are at most so many.
    most_coarse: usize,
}

/// Whether views of a model have numbers, which makes each of them more work.
pub fn follows_numbers(model: &Model) -> bool {
    model.symbols.iter().any(|symbol| symbol.sort == Sort::Int)
}

/// A proof under way.
struct Climb<'p> {
    model: &'p Model,
    options: &'p ProofOptions,
    deadline: Option<Instant>,
    statistics: Statistics,
    certificate: prove::Statistics,
    rung: Rung,
    searches: usize,
}

impl Climb<'_> {
    fn climb(&mut self) -> Verdict {
        let sizes = self.options.size.map_or(2..=3, |size| size..=size);
        let mut last = Verdict::Unknown(Reason::NothingToProve);
        for size in sizes {
            last = match self.all_rungs(size) {
                Verdict::Unknown(coarse @ Reason::Coarse { .. }) => Verdict::Unknown(coarse),
                decided => return decided,
            };
        }
        last
    }

    /// Views of a size, with more and more of what they keep.
    fn all_rungs(&mut self, size: usize) -> Verdict {
        let rungs = liveness::ladder(&normal::normal(self.model)).len();
        let finest = Rung::Near(rungs - 1);
        let budget = self.budget();
        let mut last = self.attempt(size, finest, Some(budget.at_first));
        if matches!(last, Verdict::Unknown(Reason::NoCertificate(_) | Reason::Limit(Limit::Steps))) {
            for rung in (0..rungs - 1).take(budget.most_coarse).map(Rung::Near) {
                match self.attempt(size, rung, Some(budget.of_coarse)) {
                    Verdict::Unknown(
                        Reason::Coarse { .. } | Reason::NoCertificate(_) | Reason::Limit(Limit::Steps),
                    ) => {}
                    decided => return decided,
                }
            }
        }
        if self.options.brief {
            return last;
        }
        if let Verdict::Unknown(Reason::Limit(Limit::Steps)) = last {
            last = self.attempt(size, finest, None);
        }
        // What is too coarse if everything is shown that matters is too coarse if less is.
        let Verdict::Unknown(Reason::Coarse { property, rules }) = &last else { return last };
        for rung in (0..context::candidates(&normal::normal(self.model)).len()).map(Rung::Context) {
            match self.attempt(size, rung, None) {
                Verdict::Unknown(Reason::Coarse { .. }) => {}
                decided => return decided,
            }
        }
        // What is told is about these.
        self.rung = finest;
        // What is too coarse is a bug more often than not.
        let processes = u32::try_from(size).unwrap_or(u32::MAX);
        match prove::confirmed(self.model, *property, rules, processes, &self.prove_options()) {
            Some(violation) => Verdict::Violated(violation),
            None if self.time().is_some_and(|left| left.is_zero()) => {
                Verdict::Unknown(Reason::Limit(Limit::Time))
            }
            None => last,
        }
    }

    fn budget(&self) -> Budget {
        if !self.options.brief {
            return Budget { at_first: STEPS_AT_FIRST, of_coarse: STEPS_OF_COARSE, most_coarse: usize::MAX };
        }
        let few = if follows_numbers(self.model) { FEW_STEPS / NUMBERS_COST } else { FEW_STEPS };
        Budget { at_first: few, of_coarse: STEPS_OF_COARSEST.min(few), most_coarse: COARSEST }
    }

    /// No view is bad, but cubes do not say why not: with a name for somebody they may.
    fn name_somebody(&mut self) -> Option<Verdict> {
        let outcome = prove::with_witnesses(self.model, &self.prove_options())?;
        self.certificate = outcome.statistics;
        match outcome.verdict {
            prove::Verdict::Holds(proof) => Some(Verdict::Holds(proof)),
            _ => None,
        }
    }

    fn prove_options(&self) -> prove::Options {
        let limits = Limits { time: self.time(), states: None, ..self.options.limits.clone() };
        prove::Options { limits, threads: self.options.threads.now(), ..prove::Options::default() }
    }

    /// The time that is left.
    fn time(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    fn attempt(&mut self, size: usize, rung: Rung, most: Option<usize>) -> Verdict {
        self.searches += 1;
        self.rung = rung;
        let limits = Limits { time: self.time(), steps: most, ..self.options.limits.clone() };
        if let Some(progress) = &self.options.progress {
            progress.size.store(size, Ordering::Relaxed);
        }
        let options = Options {
            size,
            rung,
            limits,
            threads: self.options.threads.clone(),
            progress: self.options.progress.clone(),
        };
        let (found, statistics) = match search(self.model, &options) {
            Ok(found) => found,
            Err(unsupported) => return Verdict::Unknown(Reason::Unsupported(unsupported)),
        };
        self.statistics = statistics;
        let views = match found {
            Found::Limit(limit) => return Verdict::Unknown(Reason::Limit(limit)),
            Found::Coarse { property, rules, .. } => {
                return Verdict::Unknown(Reason::Coarse { property, rules });
            }
            Found::Closed(views) => views,
        };
        let prove_options = self.prove_options();
        let deadline = Deadline::of(&prove_options.limits);
        let Some(table) = views.table(&deadline) else {
            return Verdict::Unknown(Reason::Limit(deadline.ended().unwrap_or(Limit::Time)));
        };
        let outcome = prove::with_views(self.model, &prove_options, table);
        self.certificate = outcome.statistics;
        match outcome.verdict {
            prove::Verdict::Holds(proof) => Verdict::Holds(proof),
            prove::Verdict::Violated(violation) => Verdict::Violated(violation),
            prove::Verdict::Unknown(prove::Reason::Limit(limit)) => Verdict::Unknown(Reason::Limit(limit)),
            prove::Verdict::Unknown(reason) => Verdict::Unknown(Reason::NoCertificate(reason)),
        }
    }
}
