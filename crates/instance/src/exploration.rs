//! All reachable states of a model for a fixed number of processes, and what is wrong with them.

use crate::{
    Action, Instance, Machine, Obstacle, Sample, Setting, Setup, for_width,
    judge::{Finding, Judge, Violation},
    numbers::{self, MOST_NUMBER_BITS},
    temporal::Judgement,
    weak,
};
use explore::{
    Deadline, DeadlockPolicy, End, Found, Limits, Outcome, ParallelBfs, Progress, Severity, Stats,
};
use ir::{Model, RuleId, SymbolId};
use std::{sync::Arc, time::Instant};

/// Why an exploration is not exhaustive.
pub type Incomplete = explore::Incomplete<Obstacle>;

/// Options of [`explore()`].
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "flags that have nothing to do with each other")]
pub struct Options {
    /// The number of processes.
    pub processes: u32,
    /// Ranges for unbounded numbers, bounds included. Steps that leave a range are not taken.
    pub ranges: Vec<(SymbolId, i64, i64)>,
    /// Whether to continue after the first violation.
    pub all: bool,
    /// Whether to apply symmetry reduction, where the model allows it.
    pub symmetry: bool,
    /// Which deadlocks are violations, and which are remarks.
    pub deadlock: DeadlockPolicy,
    /// Limits on time, memory, states and steps.
    pub limits: Limits,
    /// The largest number of initial states to accept, for runs that are only worth a moment; `None` for the default.
    pub most_starts: Option<usize>,
    /// The number of threads. The result does not depend on it, unless a limit ends the run.
    pub workers: usize,
    /// Whether to use hash compaction: states are recognised by 64-bit hashes.
    pub compact: bool,
    /// Whether to drop states that violate an invariant instead of reporting them.
    pub trust_invariants: bool,
    /// The most entries of a store buffer, for a weak model. If not given, buffers are as large as they need to be.
    pub buffer: Option<usize>,
    /// For replaying a run that fuzzing has found: the seed with which initial states were sampled.
    pub seed: Option<u64>,
    /// Receives the progress of the run.
    pub progress: Arc<Progress>,
}

impl Options {
    /// Symmetry reduction, exact states, stop at the first violation, one thread, no limits.
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
            buffer: None,
            seed: None,
            progress: Arc::default(),
        }
    }

    pub(crate) fn setting(&self) -> Setting {
        let Options { processes, ranges, seed, buffer, .. } = self;
        Setting { processes: *processes, ranges: ranges.clone(), seed: *seed, buffer: *buffer }
    }

    pub(crate) fn setup(&self, number_bits: u32) -> Setup {
        let deadline = Deadline::of(&self.limits);
        let usual = Setup::new(self.processes as usize, number_bits);
        let most_starts = self.most_starts.unwrap_or(usual.most_starts);
        Setup { ranges: self.ranges.clone(), most_starts, deadline, ..usual }
    }
}

/// The result of an exploration.
#[derive(Debug)]
pub struct Exploration {
    /// Violations and remarks, in the order in which they were found.
    pub findings: Vec<Finding>,
    /// Why the exploration is not exhaustive; `None` if all reachable states were visited.
    pub incomplete: Option<Incomplete>,
    /// The rules that never fired. Empty unless the exploration is exhaustive.
    pub never_taken: Vec<RuleId>,
    /// The variables and arrays that no step changed. Empty unless the exploration is exhaustive.
    pub never_changed: Vec<SymbolId>,
    /// The number of steps and initial states dropped because they violate an invariant; `None` unless invariants
    /// were trusted.
    pub dropped: Option<usize>,
    /// Whether only properties were judged, not states without an enabled action: no property can match, but store
    /// buffers grow without bound.
    pub ends_unjudged: bool,
    /// The verdicts on the temporal properties of the model, in order. Empty if they were not asked for.
    pub temporal: Vec<Judgement>,
    /// States, transitions and depth.
    pub stats: Stats,
}

impl Exploration {
    /// An exploration that stopped at a single finding and knows nothing else.
    pub fn of_finding(finding: Finding) -> Exploration {
        Exploration { findings: vec![finding], ..failed(Incomplete::Stopped) }
    }

    /// Whether a property is violated.
    pub fn is_violated(&self) -> bool {
        self.findings.iter().any(Finding::is_violation)
    }
}

pub(crate) fn failed(reason: Incomplete) -> Exploration {
    Exploration {
        findings: vec![],
        incomplete: Some(reason),
        never_taken: vec![],
        never_changed: vec![],
        dropped: None,
        ends_unjudged: false,
        temporal: vec![],
        stats: Stats::default(),
    }
}

/// Visits the reachable states of a model breadth first, and replays every violation before reporting it. A weak model
/// is explored under x86-TSO.
pub fn explore(model: &Model, options: &Options) -> Exploration {
    if model.is_weak() { weak::explore(model, options) } else { explore_as_it_is(model, options) }
}

/// Visits the reachable states of a model that is not weak.
pub(crate) fn explore_as_it_is(model: &Model, options: &Options) -> Exploration {
    let begun = Instant::now();
    // Numbers without a range begin with few bits; if one outgrows its field, the exploration restarts with more.
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

/// Whether an instance has an initial state; `None` if that could not be decided.
pub fn has_initial_state(model: &Model, processes: u32, limits: &Limits) -> Option<bool> {
    // Store buffers are empty at the start.
    let model = &model.sequentially_consistent();
    let options = Options { limits: limits.clone(), ..Options::new(processes) };
    let all = options.setup(MOST_NUMBER_BITS);
    // Finding one initial state by sampling is enough; finding none proves nothing.
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
    let ends_unjudged = false;
    Exploration {
        findings,
        incomplete,
        never_taken,
        never_changed,
        dropped,
        ends_unjudged,
        temporal: vec![],
        stats: outcome.stats,
    }
}

fn is_violation(violation: &Violation) -> bool {
    violation.severity() == Severity::Violation
}

/// Why a run is not exhaustive, if it is not.
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
        End::Exhausted if machine.overflowed() => Some(Incomplete::Obstacle(machine.full_buffer())),
        End::Exhausted => outcome.fingerprint_bits.map(|_| Incomplete::Compacted(outcome.stats.states)),
    }
}

/// Sorts findings by distance from the start; equally near ones in the order of the model, deadlocks last.
fn in_order(mut found: Vec<Found<Action, Violation>>) -> Vec<Found<Action, Violation>> {
    found.sort_by_key(|found| (found.schedule.actions.len(), found.violation));
    found
}
