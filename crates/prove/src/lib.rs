//! Safety of models for every number of processes, by backward search over cubes.
//!
//! [`prove`] looks for an inductive invariant: from the bad states it computes pre-images until nothing new comes up.
//! On the way it may replace a cube by a more general one that no state of a small instance matches, and takes that back
//! when it turns out to be wrong. It answers [`Verdict::Holds`] only with a certificate that the checker of
//! the crate `certify` has accepted, which shares no code with the search, and [`Verdict::Violated`] only with
//! a run of a concrete instance, found by the engine for a fixed number of processes, which shares none either.
//!
//! What this crate must not know: the text of models, files, terminals.

mod approximate;
mod assume;
mod canonical;
mod cases;
mod cell;
mod certificate;
mod confirm;
mod cover;
mod cube;
mod explain;
mod history;
mod initial;
mod instances;
mod linear;
mod matching;
mod oracle;
mod preimage;
mod regions;
mod search;
mod system;
mod template;
mod threads;
mod union;
mod values;
mod vocabulary;
mod witnesses;

pub use certify::{Cause, Rejection};
pub use explain::Growth;
pub use history::{Entry, Fate, History, Origin};
pub use instances::Explored;
pub use oracle::{
    Point, PointerColumn, ValueColumn, ViewCell, ViewColumn, ViewPointer, ViewTable, ViewValue, Zones,
};
pub use search::{Order, Progress, Statistics};

use approximate::Approximator;
use certify::{Certificate, How, Stop, Witness};
use explore::Deadline;
use explore::{Limit, Limits, Trace};
pub use instance::states::Walk;
use instances::Instances;
use ir::{At, Model, RuleId, SymbolId, Term, Value};
use oracle::Oracle;
use search::{Ended, Search};
use std::borrow::Cow;
use std::num::NonZero;
use std::sync::Arc;
use std::time::{Duration, Instant};
use system::System;

/// A construct that the prover cannot follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported {
    /// What it is, in words.
    pub what: String,
    /// Where it is.
    pub at: Option<At>,
}

impl Unsupported {
    fn new(what: &str, at: Option<At>) -> Unsupported {
        Unsupported { what: what.to_owned(), at }
    }
}

/// How to prove.
#[derive(Debug, Clone)]
pub struct Options {
    /// Whether to guess invariants.
    pub approximation: Approximation,
    /// Which states guesses are tested against.
    pub oracle: OracleOptions,
    /// Which cube is looked at next.
    pub order: Order,
    /// Which techniques are used.
    pub techniques: Techniques,
    /// When to give up. Of the states: cubes that were visited.
    pub limits: Limits,
    /// How much of all this is tried.
    pub effort: Effort,
    /// How many threads work. The outcome does not depend on it, unless a limit is hit.
    pub threads: usize,
    /// Whether to keep the history of the search.
    pub keep_history: bool,
    /// Told from time to time how far it is.
    pub progress: Option<Arc<Progress>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            approximation: Approximation::Auto,
            oracle: OracleOptions::default(),
            order: Order::default(),
            techniques: Techniques::default(),
            limits: Limits::default(),
            effort: Effort::Everything,
            threads: 1,
            keep_history: false,
            progress: None,
        }
    }
}

/// How much is tried at once, for a portfolio with other methods. Measured by counted work, so that it is the same on every
/// machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Effort {
    /// A short search without candidates, then one with candidates, as long as limits allow.
    #[default]
    Everything,
    /// The short search only.
    Short,
    /// The search with candidates, as long as few of them are refuted and there are not too many cubes.
    Bounded,
    /// The search with candidates, as long as limits allow.
    Unbounded,
}

/// Which states guesses are tested against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OracleOptions {
    /// In which order they are reached. If it is not given, those that are near first; where these are not all, there are
    /// some more that are far.
    pub walk: Option<Walk>,
    /// How many there are of each instance, at most.
    pub states: usize,
    /// How many steps they are away from the start, at most.
    pub depth: Option<usize>,
    /// How long it may take to reach those of an instance.
    pub time: Option<Duration>,
}

impl Default for OracleOptions {
    fn default() -> OracleOptions {
        OracleOptions { walk: None, states: 200_000, depth: None, time: None }
    }
}

/// Whether to guess invariants, and from which instances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approximation {
    /// Not at all.
    Off,
    /// From instances of a size that suits the model.
    Auto,
    /// From instances with up to so many processes.
    Processes(u32),
}

/// Techniques that can be switched off, so that their worth can be measured. Verdicts stay right without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
pub struct Techniques {
    /// Several visited cubes together may cover one.
    pub union: bool,
    /// Visited cubes that a later one covers are deleted.
    pub deletion: bool,
    /// Which values can occur at all is found out first.
    pub values: bool,
    /// Cubes with more processes than the one that they come from wait.
    pub postpone: bool,
    /// What a cube says about one process alone is tried by a short search of its own, unless invariants are guessed.
    pub inference: bool,
    /// Where a search cannot go on for guards about all processes, variables are added for those whom they exclude.
    pub witnesses: bool,
    /// Where invariants are not guessed, what a cube says about sums of numbers is weakened to how they compare.
    pub sums: bool,
}

impl Default for Techniques {
    fn default() -> Techniques {
        Techniques {
            union: true,
            deletion: true,
            values: true,
            postpone: true,
            inference: true,
            witnesses: true,
            sums: true,
        }
    }
}

/// What came out.
#[derive(Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// How much was done.
    pub statistics: Statistics,
    /// What the last search has done, if that was asked for.
    pub history: Option<History>,
    /// What grew in the last search, if it did not come to an end.
    pub growth: Vec<Growth>,
}

/// The answer.
#[derive(Debug)]
pub enum Verdict {
    /// No bad state is reachable, whatever the number of processes.
    Holds(Proof),
    /// A bad state is reachable.
    Violated(Violation),
    /// Neither is known.
    Unknown(Reason),
}

/// An invariant that was checked.
#[derive(Debug)]
pub struct Proof {
    /// The whole invariant.
    pub certificate: Certificate,
    /// The part of it that was guessed.
    pub guessed: Vec<certify::Cube>,
}

impl Proof {
    /// The model that the invariant is about: the one that was proved, with the witnesses.
    ///
    /// # Panics
    /// If it is not a proof of this model.
    pub fn model<'m>(&self, model: &'m Model) -> Cow<'m, Model> {
        self.certificate.extended(model).expect("the certificate was checked with the model").model
    }
}

/// A violation with its run.
#[derive(Debug)]
pub struct Violation {
    /// The position of the property in the model.
    pub property: usize,
    /// How many processes the run has.
    pub processes: u32,
    /// The run.
    pub trace: Trace,
    /// The ranges that it needs for numbers that the model leaves open.
    pub ranges: Vec<(SymbolId, i64, i64)>,
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
    /// The search needs cubes with more processes than it can represent.
    TooManyProcesses,
    /// The search found a way to a bad state that no small instance can go. The rules on it, in order.
    Spurious {
        /// The names of the rules.
        rules: Vec<String>,
        /// Constructs that were not followed exactly.
        approximated: Vec<&'static str>,
        /// Whether guards speak of processes that are none of their parameters.
        universal: bool,
    },
    /// The checker did not accept the certificate, or gave up.
    NotCertified(Rejection),
}

/// Tries to prove that no property of a model is ever violated, for any number of processes.
pub fn prove(model: &Model, options: &Options) -> Outcome {
    attempt(model, options, Known::Nothing)
}

/// The same, where a set of views is known that holds those of all reachable states: whatever none of them matches is never
/// reached. Guesses that are wrong all the same, since the views are not all, are
/// taken back as always.
pub fn with_views(model: &Model, options: &Options, views: ViewTable) -> Outcome {
    attempt(model, options, Known::Views(Box::new(Oracle::of_views(views))))
}

/// The states of small instances that guesses are tested against, or an outcome, if one of them already violates a property.
pub fn explored(model: &Model, options: &Options) -> Result<Explored, Box<Outcome>> {
    let begun = Instant::now();
    let deadline = options.limits.time.and_then(|most| begun.checked_add(most));
    Instances { model, options, deadline }.explored().map_err(|violation| {
        let statistics = Statistics { time: begun.elapsed(), ..Statistics::default() };
        let verdict = Verdict::Violated(violation);
        Box::new(Outcome { verdict, statistics, history: None, growth: vec![] })
    })
}

/// The same as [`prove`], where these are known.
pub fn with_instances(model: &Model, options: &Options, explored: Explored) -> Outcome {
    attempt(model, options, Known::Instances(explored))
}

/// What a proof begins with.
enum Known {
    Nothing,
    Views(Box<Oracle>),
    Instances(Explored),
}

/// A run that violates a property and takes steps of these rules, or another one that is found without much effort: on the
/// smallest instance, of so many processes or a few more, that has one. Of the options, limits on time, cancellation and threads count.
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

/// A search, and what to do if it meets a bad state without a run that goes there.
fn attempt(model: &Model, options: &Options, known: Known) -> Outcome {
    let begun = Instant::now();
    let left = || options.limits.time.map(|most| most.saturating_sub(begun.elapsed()));
    let has_views = matches!(known, Known::Views(_));
    let (mut outcome, suspect) = search(model, &[], options, known);
    if let Some(path) = suspect.filter(|_| options.effort != Effort::Short) {
        let limits = Limits { time: left(), ..options.limits.clone() };
        let options = Options { limits: limits.clone(), ..options.clone() };
        let proved = if has_views { None } else { with_witnesses(model, &options) };
        if let Some(proved) = proved {
            outcome = proved;
        } else {
            let deadline = Deadline::of(&Limits { time: left(), ..limits });
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

/// A proof with variables for processes that guards exclude by speaking of all, if there is one that is found soon.
pub fn with_witnesses(model: &Model, options: &Options) -> Option<Outcome> {
    if !options.techniques.witnesses {
        return None;
    }
    let begun = Instant::now();
    let states = options.limits.states.map_or(MOST_WITH_WITNESSES, |most| most.min(MOST_WITH_WITNESSES));
    witnesses::candidates(model).iter().find_map(|witnesses| {
        let time = options.limits.time.map(|most| most.saturating_sub(begun.elapsed()));
        let limits = Limits { states: Some(states), time, ..options.limits.clone() };
        let (outcome, _) = search(model, witnesses, &Options { limits, ..options.clone() }, Known::Nothing);
        matches!(outcome.verdict, Verdict::Holds(_)).then_some(outcome)
    })
}

/// Searches, and tells the path to a bad state that no run was found for, if the search has met one.
fn search(
    original: &Model,
    witnesses: &[Witness],
    options: &Options,
    known: Known,
) -> (Outcome, Option<confirm::Path>) {
    let begun = Instant::now();
    let deadline = options.limits.time.and_then(|most| begun.checked_add(most));
    let statistics = Statistics::default();
    let model = match certify::extended(original, witnesses) {
        Ok(extended) => extended.model,
        Err(why) => {
            let verdict = Verdict::Unknown(Reason::Unsupported(Unsupported::new(&why, None)));
            return (Outcome { verdict, statistics, history: None, growth: vec![] }, None);
        }
    };
    let mut prover = Prover {
        original,
        witnesses,
        model: &model,
        options,
        deadline,
        statistics,
        suspect: None,
        history: None,
        growth: vec![],
    };
    let verdict = prover.attempt(known);
    let Prover { history, growth, statistics, suspect, .. } = prover;
    let suspect = suspect.filter(|_| matches!(verdict, Verdict::Unknown(Reason::Spurious { .. })));
    let statistics = Statistics { time: begun.elapsed(), ..statistics };
    (Outcome { verdict, statistics, history, growth }, suspect)
}

/// Whether a step assigns a sum of several numbers, such as `Timer + Tick`.
fn adds_up(model: &Model) -> bool {
    let arms =
        model.transitions.iter().flat_map(|transition| &transition.updates).flat_map(|update| &update.arms);
    arms.into_iter().any(|arm| match &arm.value {
        Value::Term(Term::Linear(sum)) => sum.parts.len() > 1,
        _ => false,
    })
}

/// A proof under way.
struct Prover<'p> {
    /// What is to be proved.
    original: &'p Model,
    /// What is added to it.
    witnesses: &'p [Witness],
    /// Both together.
    model: &'p Model,
    options: &'p Options,
    deadline: Option<Instant>,
    statistics: Statistics,
    /// The way to a bad state that the last search has met, if no run goes there.
    suspect: Option<confirm::Path>,
    history: Option<History>,
    growth: Vec<Growth>,
}

/// How far a search goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// As far as a short proof does.
    Short,
    /// As far as limits allow.
    Whole,
}

/// A proof of so few cubes needs no guesses.
const SHORT: usize = 100;
/// With witnesses, a proof is found soon or not at all.
const MOST_WITH_WITNESSES: usize = 1000;
/// What needs cubes with more processes is not short.
const FEW_PROCESSES: u8 = 4;

impl Prover<'_> {
    fn attempt(&mut self, known: Known) -> Verdict {
        if self.model.properties.is_empty() {
            return Verdict::Unknown(Reason::NothingToProve);
        }
        let system = match System::new(self.model, self.options.techniques.values) {
            Ok(system) => system,
            Err(unsupported) => return Verdict::Unknown(Reason::Unsupported(unsupported)),
        };
        if let Known::Views(views) = known {
            return self.search_with(&system, Some(Approximator::of_views(*views)));
        }
        let effort = self.options.effort;
        let is_short = matches!(effort, Effort::Everything | Effort::Short);
        if is_short && self.options.approximation == Approximation::Auto {
            // A few steps without guesses: they lead astray where little is to be found.
            match self.search(&system, None, Scope::Short) {
                Verdict::Unknown(_) if effort == Effort::Everything => {}
                decided => return decided,
            }
        }
        if let Known::Instances(explored) = known {
            return self.search_with(&system, Approximator::of_instances(explored));
        }
        match self.instances().explored() {
            Ok(explored) => {
                let approximator = Approximator::of_instances(explored).or_else(|| self.of_sums());
                self.search_with(&system, approximator)
            }
            Err(violation) => {
                // No search has led there.
                self.history = None;
                Verdict::Violated(violation)
            }
        }
    }

    fn search_with(&mut self, system: &System, approximator: Option<Approximator>) -> Verdict {
        self.statistics.oracle_states = approximator.as_ref().map_or(0, Approximator::states);
        self.search(system, approximator, Scope::Whole)
    }

    /// Without states to test guesses against, what the model adds up would keep growing.
    fn of_sums(&self) -> Option<Approximator> {
        (self.options.techniques.sums && adds_up(self.model)).then(Approximator::of_sums)
    }

    fn instances(&self) -> Instances<'_> {
        Instances { model: self.model, options: self.options, deadline: self.deadline }
    }

    /// The time that is left.
    fn time(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    fn search(&mut self, system: &System, approximator: Option<Approximator>, scope: Scope) -> Verdict {
        let mut options = self.options.clone();
        options.limits.time = self.time();
        if scope == Scope::Short {
            options.limits.states = Some(options.limits.states.map_or(SHORT, |most| most.min(SHORT)));
            // Worth its time in a long search only.
            options.techniques.inference = false;
        }
        let mut search = Search::new(system, approximator, &options);
        self.suspect = None;
        if scope == Scope::Short {
            search.most_processes = FEW_PROCESSES;
        }
        let ended = search.run();
        search.fill(&mut self.statistics);
        self.history = self
            .options
            .keep_history
            .then(|| history::history(self.model, system, search.nodes.all(), ended));
        self.growth = match ended {
            Ended::Limit(_) | Ended::TooManyProcesses => {
                explain::growth(&system.vocabulary, search.nodes.all())
            }
            Ended::Closed | Ended::Reached(_) => vec![],
        };
        match ended {
            Ended::Closed => {
                let certificate = certificate::certificate(self.model, system, search.invariant());
                let writer = certificate::Writer { model: self.model, vocabulary: &system.vocabulary };
                self.certified(certificate, search.guessed().map(|cube| writer.cube(cube)).collect())
            }
            Ended::Reached(node) => {
                let path = search.path(node);
                let deadline = Deadline::of(&Limits { time: self.time(), ..self.options.limits.clone() });
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
            Ended::Limit(limit) => Verdict::Unknown(Reason::Limit(limit)),
            Ended::TooManyProcesses => Verdict::Unknown(Reason::TooManyProcesses),
        }
    }

    fn certified(&self, certificate: Certificate, guessed: Vec<certify::Cube>) -> Verdict {
        let certificate = Certificate { witnesses: self.witnesses.to_vec(), ..certificate };
        let deadline = Deadline::of(&Limits { time: self.time(), ..self.options.limits.clone() });
        let threads = NonZero::new(self.options.threads).unwrap_or(NonZero::<usize>::MIN);
        let stop = {
            let deadline = deadline.clone();
            Stop::when(move || deadline.ended().is_some())
        };
        let how = How { threads, stop, ..How::default() };
        match (certify::check_with(self.original, &certificate, how), deadline.ended()) {
            (Ok(_), _) => Verdict::Holds(Proof { certificate, guessed }),
            (Err(_), Some(limit)) => Verdict::Unknown(Reason::Limit(limit)),
            (Err(rejection), None) => Verdict::Unknown(Reason::NotCertified(rejection)),
        }
    }
}

fn spurious(model: &Model, system: &System, path: &confirm::Path) -> Reason {
    Reason::Spurious {
        rules: path.rules.iter().map(|rule| model.rules[rule.index()].name.clone()).collect(),
        approximated: system.approximated.clone(),
        universal: model.transitions.iter().any(|transition| transition.guard.has_quantifier()),
    }
}
