//! From views to an answer: abstraction levels are refined until one leads to a certificate.

use crate::{
    AbstractionLevel, Found, Options, Progress, Statistics, Threads, Unsupported, Views, abstraction,
    context, normal, search,
};
use explore::{Deadline, Limit, Limits};
use ir::{Model, RuleId, Sort};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Which views a proof may use, and when it gives up.
#[derive(Debug, Clone, Default)]
pub struct ProofOptions {
    /// The number of members of a view. By default first 2, then 3.
    pub size: Option<usize>,
    /// When to give up. States are views.
    pub limits: Limits,
    /// Whether to try only a few coarse levels and the finest one, each with few steps.
    pub brief: bool,
    /// The threads to use. The answer does not depend on their number.
    pub threads: Threads,
    /// Receives the counters of each search while it runs.
    pub progress: Option<Arc<Progress>>,
}

/// The answer, and how it was found.
#[derive(Debug)]
pub struct Outcome {
    /// Whether the model is safe, with the evidence.
    pub verdict: Verdict,
    /// The size of the last search of views.
    pub statistics: Statistics,
    /// The size of the last search for a certificate.
    pub certificate: prove::Statistics,
    /// The level of the last search of views.
    pub level: AbstractionLevel,
    /// The number of searches of views.
    pub searches: usize,
}

/// Whether a bad state is reachable, with the evidence.
#[derive(Debug)]
pub enum Verdict {
    /// No bad state is reachable, whatever the number of processes.
    Holds(prove::Proof),
    /// A bad state is reachable: a run of an instance leads there.
    Violated(prove::Violation),
    /// No proof and no run was found.
    Unknown(Reason),
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The model has no property of states.
    NothingToProve,
    /// A construct is not supported.
    Unsupported(Unsupported),
    /// A limit was hit.
    Limit(Limit),
    /// Store buffers stand in the way.
    Buffers(prove::Buffers),
    /// The views are too coarse: an abstract path leads to a bad structure, and no run of a small instance follows it.
    Coarse {
        /// The property, by position in the model.
        property: usize,
        /// The rules on the path.
        rules: Vec<RuleId>,
    },
    /// The views suffice, but the backward search has not found a certificate with them.
    NoCertificate(prove::Reason),
}

/// The steps of the finest level before coarser ones are tried: many models need no more. Counted work, not time, so that the
/// same views are found on every machine.
const FIRST_STEPS: usize = 150_000;
/// The steps of each coarser level: one that is not too coarse needs few.
const COARSE_STEPS: usize = 1_000_000;
/// The steps of the finest level of a brief proof.
const BRIEF_FIRST_STEPS: usize = 40_000;
/// The steps of each coarser level of a brief proof.
const BRIEF_COARSE_STEPS: usize = 6_000;
/// The coarser levels of a brief proof.
const BRIEF_COARSE_LEVELS: usize = 3;
/// With numbers, a step of a brief proof takes about this many times as long.
const NUMBERS_COST: usize = 8;

/// Tries to prove that no property of a model is ever violated, for any number of processes.
pub fn prove(model: &Model, options: &ProofOptions) -> Outcome {
    let begun = Instant::now();
    let mut refinement = Refinement {
        model,
        options,
        deadline: options.limits.time.and_then(|most| begun.checked_add(most)),
        statistics: Statistics::default(),
        certificate: prove::Statistics::default(),
        level: AbstractionLevel::default(),
        searches: 0,
    };
    let verdict = if model.properties.is_empty() {
        Verdict::Unknown(Reason::NothingToProve)
    } else {
        match refinement.run() {
            Verdict::Unknown(Reason::NoCertificate(why @ prove::Reason::Spurious { .. }))
                if !options.brief =>
            {
                refinement.with_auxiliary_variables().unwrap_or(Verdict::Unknown(Reason::NoCertificate(why)))
            }
            verdict => verdict,
        }
    };
    let Refinement { statistics, certificate, level, searches, .. } = refinement;
    let statistics = Statistics { time: begun.elapsed(), ..statistics };
    Outcome { verdict, statistics, certificate, level, searches }
}

/// What is tried before the finest level is searched to its end.
struct Budget {
    /// The steps of the finest level.
    first_steps: usize,
    /// The steps of each coarser level.
    coarse_steps: usize,
    /// The number of coarser levels.
    coarse_levels: usize,
}

/// Whether views of a model have numbers, which makes each of them more work.
pub fn follows_numbers(model: &Model) -> bool {
    model.symbols.iter().any(|symbol| symbol.sort == Sort::Int)
}

/// A proof in progress.
struct Refinement<'p> {
    model: &'p Model,
    options: &'p ProofOptions,
    deadline: Option<Instant>,
    statistics: Statistics,
    certificate: prove::Statistics,
    level: AbstractionLevel,
    searches: usize,
}

impl Refinement<'_> {
    fn run(&mut self) -> Verdict {
        let sizes = self.options.size.map_or(2..=3, |size| size..=size);
        let mut last = Verdict::Unknown(Reason::NothingToProve);
        for size in sizes {
            last = match self.all_levels(size) {
                Verdict::Unknown(coarse @ Reason::Coarse { .. }) => Verdict::Unknown(coarse),
                decided => return decided,
            };
        }
        last
    }

    /// Views of a size: a few steps of the finest level, then the coarser ones, then the finest to its end and with contexts.
    fn all_levels(&mut self, size: usize) -> Verdict {
        let levels = abstraction::visible_sets(&normal::normal(self.model)).len();
        let finest = AbstractionLevel::Visible(levels - 1);
        let budget = self.budget();
        let mut last = self.attempt(size, finest, Some(budget.first_steps));
        if matches!(last, Verdict::Unknown(Reason::NoCertificate(_) | Reason::Limit(Limit::Steps))) {
            for level in (0..levels - 1).take(budget.coarse_levels).map(AbstractionLevel::Visible) {
                match self.attempt(size, level, Some(budget.coarse_steps)) {
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
        match last {
            Verdict::Unknown(Reason::Coarse { property, rules }) => {
                self.in_context(size, finest, property, rules)
            }
            other => other,
        }
    }

    /// The finest level is too coarse, and hence so are all others without a context. Those with one may not be; or the
    /// violation is real.
    fn in_context(
        &mut self,
        size: usize,
        finest: AbstractionLevel,
        property: usize,
        rules: Vec<RuleId>,
    ) -> Verdict {
        let contexts = context::candidates(&normal::normal(self.model)).len();
        for level in (0..contexts).map(AbstractionLevel::Context) {
            match self.attempt(size, level, None) {
                Verdict::Unknown(Reason::Coarse { .. }) => {}
                decided => return decided,
            }
        }
        // The path is one of this level.
        self.level = finest;
        let processes = u32::try_from(size).unwrap_or(u32::MAX);
        match prove::confirmed(self.model, property, &rules, processes, &self.prove_options()) {
            Some(violation) => Verdict::Violated(violation),
            None if self.time().is_some_and(|left| left.is_zero()) => {
                Verdict::Unknown(Reason::Limit(Limit::Time))
            }
            None => Verdict::Unknown(Reason::Coarse { property, rules }),
        }
    }

    fn budget(&self) -> Budget {
        if !self.options.brief {
            return Budget {
                first_steps: FIRST_STEPS,
                coarse_steps: COARSE_STEPS,
                coarse_levels: usize::MAX,
            };
        }
        let first_steps =
            if follows_numbers(self.model) { BRIEF_FIRST_STEPS / NUMBERS_COST } else { BRIEF_FIRST_STEPS };
        let coarse_steps = BRIEF_COARSE_STEPS.min(first_steps);
        Budget { first_steps, coarse_steps, coarse_levels: BRIEF_COARSE_LEVELS }
    }

    /// No structure is bad, but cubes cannot say why not. With auxiliary variables they may.
    fn with_auxiliary_variables(&mut self) -> Option<Verdict> {
        let outcome = prove::with_auxiliary_variables(self.model, &self.prove_options())?;
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

    /// The remaining time.
    fn time(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Searches views of one level, and a certificate with them.
    fn attempt(&mut self, size: usize, level: AbstractionLevel, steps: Option<usize>) -> Verdict {
        self.searches += 1;
        self.level = level;
        let limits = Limits { time: self.time(), steps, ..self.options.limits.clone() };
        if let Some(progress) = &self.options.progress {
            progress.size.store(size, Ordering::Relaxed);
        }
        let options = Options {
            size,
            level,
            limits,
            threads: self.options.threads.clone(),
            progress: self.options.progress.clone(),
        };
        let (found, statistics) = match search(self.model, &options) {
            Ok(found) => found,
            Err(unsupported) => return Verdict::Unknown(Reason::Unsupported(unsupported)),
        };
        self.statistics = statistics;
        match found {
            Found::Limit(limit) => Verdict::Unknown(Reason::Limit(limit)),
            Found::Coarse { property, rules, .. } => Verdict::Unknown(Reason::Coarse { property, rules }),
            Found::Closed(views) => self.certify(&views),
        }
    }

    /// Searches backwards, with views as the oracle.
    fn certify(&mut self, views: &Views) -> Verdict {
        let options = self.prove_options();
        let deadline = Deadline::of(&options.limits);
        let Some(table) = views.table(&deadline) else {
            return Verdict::Unknown(Reason::Limit(deadline.ended().unwrap_or(Limit::Time)));
        };
        let outcome = prove::with_views(self.model, &options, table);
        self.certificate = outcome.statistics;
        match outcome.verdict {
            prove::Verdict::Holds(proof) => Verdict::Holds(proof),
            prove::Verdict::Violated(violation) => Verdict::Violated(violation),
            prove::Verdict::Unknown(prove::Reason::Limit(limit)) => Verdict::Unknown(Reason::Limit(limit)),
            prove::Verdict::Unknown(reason) => Verdict::Unknown(Reason::NoCertificate(reason)),
        }
    }
}
