//! One attempt to prove a model: a short search without candidates, then one with them, and what follows from how it ended.

use crate::approximation::Approximator;
use crate::cell::MAX_PROCESSES;
use crate::confirm::{self, Path};
use crate::explain::{self, Growth};
use crate::history::{self, History};
use crate::instances::{Explored, Instances};
use crate::oracle::Oracle;
use crate::outcome::{Outcome, Proof, Reason, Unsupported, Verdict};
use crate::search::{Ended, NodeId, Search, Statistics};
use crate::system::System;
use crate::{Approximation, Effort, Options, Techniques, certificate, counted};
use certify::{Certificate, CheckOptions, Stop};
use explore::{Deadline, Limits};
use ir::{Model, Term, Value};
use std::num::NonZero;
use std::time::{Duration, Instant};

/// A proof of at most this many cubes needs no candidates.
const SHORT: usize = 100;
/// A proof that needs cubes with more processes is not short.
const FEW_PROCESSES: u8 = 4;

/// What is known about reachable states before a proof begins.
pub(crate) enum Known {
    Nothing,
    /// Views of all reachable states.
    Views(Box<Oracle>),
    /// States of small instances.
    Instances(Explored),
}

/// Tries to prove a model with the auxiliary variables and counters of a certificate without cubes. If the search has met a bad state that no run leads to, the path to it
/// is returned as well.
pub(crate) fn attempt(
    original: &Model,
    added: &Certificate,
    options: &Options,
    known: Known,
) -> (Outcome, Option<Path>) {
    let begun = Instant::now();
    let deadline = options.limits.time.and_then(|most| begun.checked_add(most));
    let statistics = Statistics::default();
    let model = match added.extended(original) {
        Ok(extended) => extended.model,
        Err(why) => {
            let verdict = Verdict::Unknown(Reason::Unsupported(Unsupported::new(&why, None)));
            return (Outcome::new(verdict, statistics), None);
        }
    };
    let (suspect, history, growth) = (None, None, vec![]);
    let mut prover =
        Prover { original, added, model: &model, options, deadline, statistics, suspect, history, growth };
    let verdict = prover.attempt(known);
    let Prover { history, growth, statistics, suspect, .. } = prover;
    let suspect = suspect.filter(|_| matches!(verdict, Verdict::Unknown(Reason::Spurious { .. })));
    let statistics = Statistics { time: begun.elapsed(), ..statistics };
    (Outcome { verdict, statistics, history, growth }, suspect)
}

/// A proof under way.
struct Prover<'p> {
    /// What is to be proved.
    original: &'p Model,
    /// The variables that are added to it.
    added: &'p Certificate,
    /// Both together.
    model: &'p Model,
    options: &'p Options,
    deadline: Option<Instant>,
    statistics: Statistics,
    /// The path to a bad state that the last search has met, if no run takes it.
    suspect: Option<Path>,
    history: Option<History>,
    growth: Vec<Growth>,
}

impl Prover<'_> {
    fn attempt(&mut self, known: Known) -> Verdict {
        if self.model.properties.is_empty() {
            return Verdict::Unknown(Reason::NothingToProve);
        }
        let Techniques { values, places, .. } = self.options.techniques;
        let promises = counted::promises(self.model, &self.added.counters);
        let system = match System::new(self.model, values, places.then_some(&promises)) {
            Ok(system) => system,
            Err(unsupported) => return Verdict::Unknown(Reason::Unsupported(unsupported)),
        };
        if let Known::Views(views) = known {
            return self.search_with(&system, Some(Approximator::of_views(*views)));
        }
        let effort = self.options.effort;
        let is_short = matches!(effort, Effort::Everything | Effort::Short);
        if is_short && self.options.approximation == Approximation::Auto {
            // Candidates lead astray where a few steps suffice.
            match self.short_search(&system) {
                Verdict::Unknown(_) if effort == Effort::Everything => {}
                decided => return decided,
            }
        }
        if let Known::Instances(explored) = known {
            return self.search_with(&system, Approximator::of_instances(explored));
        }
        let instances = Instances { model: self.model, options: self.options, deadline: self.deadline };
        match instances.explored() {
            Ok(explored) => {
                let approximator = Approximator::of_instances(explored).or_else(|| self.of_sums());
                self.search_with(&system, approximator)
            }
            Err(violation) => {
                // It was not found by a search.
                self.history = None;
                Verdict::Violated(*violation)
            }
        }
    }

    fn short_search(&mut self, system: &System) -> Verdict {
        let mut options = self.options.clone();
        options.limits.states = Some(options.limits.states.map_or(SHORT, |most| most.min(SHORT)));
        // Worth its time in a long search only.
        options.techniques.inference = false;
        self.search(system, None, options, FEW_PROCESSES)
    }

    fn search_with(&mut self, system: &System, approximator: Option<Approximator>) -> Verdict {
        self.statistics.oracle_states = approximator.as_ref().map_or(0, Approximator::states);
        self.search(system, approximator, self.options.clone(), MAX_PROCESSES)
    }

    /// Where there are no states to test candidates against, sums that the model computes would keep growing.
    fn of_sums(&self) -> Option<Approximator> {
        (self.options.techniques.sums && adds_up(self.model)).then(Approximator::of_sums)
    }

    /// The remaining time.
    fn time(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    fn remaining(&self) -> Deadline {
        Deadline::of(&Limits { time: self.time(), ..self.options.limits.clone() })
    }

    fn search(
        &mut self,
        system: &System,
        approximator: Option<Approximator>,
        mut options: Options,
        most_processes: u8,
    ) -> Verdict {
        options.limits.time = self.time();
        self.suspect = None;
        let mut search = Search::new(system, approximator, &options, most_processes);
        let ended = search.run(options.threads);
        search.fill(&mut self.statistics);
        let keep_history = self.options.keep_history;
        self.history = keep_history.then(|| history::history(self.model, system, &search, ended));
        self.growth = match ended {
            Ended::Limit(_) | Ended::TooManyProcesses => explain::growth(&system.vocabulary, search.nodes()),
            Ended::Closed | Ended::Reached(_) => vec![],
        };
        match ended {
            Ended::Closed => self.certified(system, &search),
            Ended::Reached(node) => self.confirmed(system, &search, node),
            Ended::Limit(limit) => Verdict::Unknown(Reason::Limit(limit)),
            Ended::TooManyProcesses => Verdict::Unknown(Reason::TooManyProcesses),
        }
    }

    /// What follows from a search that is closed: the model holds, if the checker accepts the invariant.
    fn certified(&self, system: &System, search: &Search<'_>) -> Verdict {
        let certificate = certificate::certificate(self.model, self.added, system, search.invariant());
        let writer = certificate::Writer { model: self.model, vocabulary: &system.vocabulary };
        let candidates = search.candidates().map(|cube| writer.cube(cube)).collect();
        let deadline = self.remaining();
        let threads = NonZero::new(self.options.threads).unwrap_or(NonZero::<usize>::MIN);
        let stop = {
            let deadline = deadline.clone();
            Stop::when(move || deadline.ended().is_some())
        };
        let options = CheckOptions { threads, stop, ..CheckOptions::default() };
        match (certify::check_with(self.original, &certificate, options), deadline.ended()) {
            (Ok(_), _) => {
                let places = system.vocabulary.places.as_ref();
                let place_invariants = places.map_or_else(Vec::new, |places| places.sentences(self.model));
                Verdict::Holds(Proof { certificate, candidates, place_invariants })
            }
            (Err(_), Some(limit)) => Verdict::Unknown(Reason::Limit(limit)),
            (Err(rejection), None) => Verdict::Unknown(Reason::NotCertified(rejection)),
        }
    }

    /// What follows from a cube that is reached: the model is violated, if a run takes the path to the property.
    fn confirmed(&mut self, system: &System, search: &Search<'_>, node: NodeId) -> Verdict {
        let path = search.path(node);
        let deadline = self.remaining();
        match (confirm::follow(self.model, &path, &deadline), deadline.ended()) {
            (Some(violation), _) => Verdict::Violated(violation),
            (None, Some(limit)) => Verdict::Unknown(Reason::Limit(limit)),
            (None, None) => {
                let reason = spurious(self.model, system, &path);
                self.suspect = Some(path);
                Verdict::Unknown(reason)
            }
        }
    }
}

/// Whether a step assigns a sum of several numbers, such as `Timer + Tick`.
fn adds_up(model: &Model) -> bool {
    let updates = model.transitions.iter().flat_map(|transition| &transition.updates);
    updates.flat_map(|update| &update.arms).any(|arm| match &arm.value {
        Value::Term(Term::Linear(sum)) => sum.parts.len() > 1,
        _ => false,
    })
}

fn spurious(model: &Model, system: &System, path: &Path) -> Reason {
    Reason::Spurious {
        rules: path.rules.iter().map(|rule| model.rules[rule.index()].name.clone()).collect(),
        approximated: system.approximated.clone(),
        universal: model.transitions.iter().any(|transition| transition.guard.has_quantifier()),
    }
}
