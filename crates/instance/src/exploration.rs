//! All reachable states of a model for a fixed number of processes, and what is wrong with them.

use crate::{
    Action, Instance, Machine, Obstacle, Sample, Setting, Setup, for_width,
    judge::{Finding, Judge, Violation},
    numbers::{self, MOST_NUMBER_BITS},
};
use explore::{
    Deadline, DeadlockPolicy, End, Found, Limits, Outcome, ParallelBfs, Progress, Severity, Stats,
};
use ir::{Model, RuleId, SymbolId};
use std::{sync::Arc, time::Instant};

/// Why an exploration does not know everything.
pub type Incomplete = explore::Incomplete<Obstacle>;

/// What to explore, and how far.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "flags that have nothing to do with each other")]
pub struct Options {
    /// How many processes.
    pub processes: u32,
    /// Ranges for numbers: a step that leaves one is cut.
    pub ranges: Vec<(SymbolId, i64, i64)>,
    /// Go on after the first violation.
    pub all: bool,
    /// Count states that differ by a permutation of processes once, where the model allows it.
    pub symmetry: bool,
    /// What a deadlock counts for.
    pub deadlock: DeadlockPolicy,
    /// When to give up.
    pub limits: Limits,
    /// More initial states than this are too many, for runs that are only worth a moment.
    pub most_starts: Option<usize>,
    /// How many threads. The answer does not depend on it, unless a limit ends the run.
    pub workers: usize,
    /// Recognise states by 64-bit hashes.
    pub compact: bool,
    /// Drop states that break an invariant instead of reporting them.
    pub trust_invariants: bool,
    /// For replaying a run that fuzzing has found: the seed by which initial states were drawn.
    pub seed: Option<u64>,
    /// Receives the progress of the run.
    pub progress: Arc<Progress>,
}

impl Options {
    /// Everything up to symmetry, exactly, until the first violation, on one thread.
    pub fn new(processes: u32) -> Options {
        Options {
            processes,
            ranges: vec![],
            all: false,
            symmetry: true,
            deadlock: DeadlockPolicy::Waiting,
            limits: Limits::default(),
            most_starts: None,
            workers: 1,
            compact: false,
            trust_invariants: false,
            seed: None,
            progress: Arc::default(),
        }
    }

    pub(crate) fn setting(&self) -> Setting {
        Setting { processes: self.processes, ranges: self.ranges.clone(), seed: self.seed }
    }

    pub(crate) fn setup(&self, number_bits: u32) -> Setup {
        let deadline = Deadline::of(&self.limits);
        let usual = Setup::new(self.processes as usize, number_bits);
        let most_starts = self.most_starts.unwrap_or(usual.most_starts);
        Setup { ranges: self.ranges.clone(), most_starts, deadline, ..usual }
    }
}

/// What came out.
#[derive(Debug)]
pub struct Exploration {
    /// Violations and remarks, in the order in which they were found.
    pub findings: Vec<Finding>,
    /// Why not everything is known; none if all states were seen.
    pub incomplete: Option<Incomplete>,
    /// If all states were seen: the rules of which no step was ever taken.
    pub never_taken: Vec<RuleId>,
    /// If all states were seen: the variables and arrays that no step ever changed.
    pub never_changed: Vec<SymbolId>,
    /// If invariants were trusted: how many steps and initial states were dropped because they break one.
    pub dropped: Option<usize>,
    /// How much was done.
    pub stats: Stats,
}

impl Exploration {
    /// What is known when one finding is known and nothing else.
    pub fn of_finding(finding: Finding) -> Exploration {
        Exploration { findings: vec![finding], ..failed(Incomplete::Stopped) }
    }

    /// Whether a property is violated.
    pub fn is_violated(&self) -> bool {
        self.findings.iter().any(Finding::is_violation)
    }
}

fn failed(reason: Incomplete) -> Exploration {
    Exploration {
        findings: vec![],
        incomplete: Some(reason),
        never_taken: vec![],
        never_changed: vec![],
        dropped: None,
        stats: Stats::default(),
    }
}

/// Explores a model.
pub fn explore(model: &Model, options: &Options) -> Exploration {
    let begun = Instant::now();
    // Numbers without a range begin small; if one outgrows its field, everything starts again with larger ones.
    for &number_bits in numbers::EXPLORING.bits {
        let options = Options { limits: options.limits.remaining_since(begun), ..options.clone() };
        let exploration = match Instance::all(model, &options.setup(number_bits)) {
            Ok(instances) => for_width!(
                instances,
                run(model, &instances, &options),
                failed(Incomplete::Obstacle(Obstacle::TooWide))
            ),
            Err(Obstacle::Limit(limit)) => failed(Incomplete::Limit(limit)),
            Err(obstacle) => failed(Incomplete::Obstacle(obstacle)),
        };
        let too_small =
            matches!(exploration.incomplete, Some(Incomplete::Obstacle(Obstacle::NumberTooLarge(_))));
        if !too_small || number_bits == MOST_NUMBER_BITS {
            return exploration;
        }
    }
    unreachable!("the last round returns")
}

/// Whether an instance has a state to start from; none if that is not known.
pub fn has_initial_state(model: &Model, processes: u32, limits: &Limits) -> Option<bool> {
    let options = Options { limits: limits.clone(), ..Options::new(processes) };
    let all = options.setup(MOST_NUMBER_BITS);
    // One that is drawn is enough; that none is drawn says nothing.
    let one = Setup { sample_start: Some(Sample { seed: 0, draws: 1, enough: 1 }), ..all.clone() };
    let has_states = |setup: &Setup| {
        let instances = Instance::all(model, setup)?;
        Ok(instances.iter().any(|instance| instance.initial_states() > 0))
    };
    match has_states(&one) {
        Ok(true) | Err(Obstacle::TooManyInitialStates) => Some(true),
        Ok(false) => match has_states(&all) {
            Ok(has_states) => Some(has_states),
            Err(Obstacle::TooManyInitialStates) => Some(true),
            Err(_) => None,
        },
        Err(_) => None,
    }
}

fn run<const W: usize>(model: &Model, instances: &[Instance<'_>], options: &Options) -> Exploration {
    let begun = Instant::now();
    let mut machine = Machine::<W>::new(instances).trust_invariants(options.trust_invariants);
    let judge = Judge::new(model, options.deadlock);
    let outcome = ParallelBfs::new(&mut machine, judge)
        .limit(options.limits.clone())
        .up_to_symmetry(options.symmetry && Instance::is_symmetric(model))
        .compact(options.compact)
        .share(options.workers, None)
        .end_at(if options.all { |_| false } else { is_violation })
        .tell(options.progress.clone())
        .run();
    let mut incomplete = incomplete(&outcome, &machine);
    let (never_taken, never_changed) = match incomplete {
        None => (machine.never_taken(), machine.never_changed()),
        Some(_) => (vec![], vec![]),
    };
    let dropped = options.trust_invariants.then(|| machine.dropped());
    let mut findings: Vec<Finding> = Vec::new();
    for found in in_order(outcome.found) {
        match judge.confirm(&mut machine, &found.schedule, found.violation, options.setting()) {
            Ok(finding) => findings.push(finding),
            Err(fault) => {
                let limit = options.limits.ended_since(begun).map(Incomplete::Limit);
                incomplete = Some(limit.unwrap_or_else(|| Incomplete::Contradiction(fault.to_string())));
            }
        }
        if !options.all && is_violation(&found.violation) {
            break;
        }
    }
    Exploration { findings, incomplete, never_taken, never_changed, dropped, stats: outcome.stats }
}

fn is_violation(violation: &Violation) -> bool {
    violation.severity() == Severity::Violation
}

/// Why a run does not say everything, if it does not.
fn incomplete<const W: usize>(
    outcome: &Outcome<Action, Violation>,
    machine: &Machine<'_, '_, W>,
) -> Option<Incomplete> {
    match machine.obstacle() {
        Some(Obstacle::Limit(limit)) => return Some(Incomplete::Limit(limit)),
        Some(obstacle) => return Some(Incomplete::Obstacle(obstacle)),
        None => {}
    }
    match &outcome.end {
        End::Found => Some(Incomplete::Stopped),
        End::Limit(limit) => Some(Incomplete::Limit(*limit)),
        End::Fault(fault) => Some(Incomplete::Contradiction(fault.to_string())),
        End::Bounded => Some(Incomplete::Range),
        End::Exhausted if machine.was_cut() => Some(Incomplete::Range),
        End::Exhausted => outcome.fingerprint_bits.map(|_| Incomplete::Compacted(outcome.stats.states)),
    }
}

/// What was found, nearest first; what is equally near in the order of the model, deadlocks last.
fn in_order(mut found: Vec<Found<Action, Violation>>) -> Vec<Found<Action, Violation>> {
    found.sort_by_key(|found| (found.schedule.actions.len(), found.violation));
    found
}
