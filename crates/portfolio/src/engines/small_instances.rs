//! Exhaustive search of instances with more and more processes: most bugs show with few.

use crate::engine::{Answer, Attempt, Engine, Share};
use explore::DeadlockPolicy;
use explore::{Limits, Progress};
use instance::Obstacle;
use instance::exploration::{Exploration, Incomplete, Options, explore, has_initial_state};
use instance::fuzzing::fewest;
use instance::judge::Finding;
use ir::{Domain, Model, Sort, SymbolId};
use std::{sync::Arc, time::Instant};

/// The engine. Its work is bounded by what is counted here, whatever the share; the limit on time is for all instances together.
#[derive(Debug, Clone)]
pub struct SmallInstances {
    /// What a deadlock counts for.
    pub deadlock: DeadlockPolicy,
    /// Ranges for numbers without one: symbol, least and greatest value.
    pub ranges: Vec<(SymbolId, i64, i64)>,
    /// The most states of each instance.
    pub most_states: Option<usize>,
    /// Instances with more initial states than this are not explored.
    pub most_starts: Option<usize>,
    /// Instances with more processes than this are not explored.
    pub most_processes: u32,
    /// Receives the counters of the instance that is being explored.
    pub progress: Arc<Progress>,
}

impl SmallInstances {
    /// All instances that limits allow.
    pub fn all(
        deadlock: DeadlockPolicy,
        ranges: Vec<(SymbolId, i64, i64)>,
        limits: &Limits,
    ) -> SmallInstances {
        SmallInstances {
            deadlock,
            ranges,
            most_states: limits.states,
            most_starts: None,
            most_processes: u32::MAX,
            progress: Arc::default(),
        }
    }

    /// Few states of instances with just enough processes for all transitions and properties to match, and one more.
    /// Deadlocks are ignored.
    pub fn brief(model: &Model, ranges: Vec<(SymbolId, i64, i64)>) -> SmallInstances {
        SmallInstances {
            most_states: Some(BRIEF_STATES),
            most_processes: fewest(model) + 1,
            ..SmallInstances::bounded(model, ranges)
        }
    }

    /// A bounded number of states of instances with up to a few more processes than all transitions and properties need to
    /// match. Deadlocks are ignored.
    pub fn bounded(model: &Model, ranges: Vec<(SymbolId, i64, i64)>) -> SmallInstances {
        SmallInstances {
            deadlock: DeadlockPolicy::Ignore,
            ranges,
            most_states: Some(BOUNDED_STATES),
            most_starts: Some(BOUNDED_STARTS),
            most_processes: fewest(model).max(BOUNDED_PROCESSES) + 2,
            progress: Arc::default(),
        }
    }
}

/// The most states of each instance of a brief search.
const BRIEF_STATES: usize = 5_000;
/// The most states of each instance of a bounded search.
const BOUNDED_STATES: usize = 200_000;
/// The most initial states of each instance of a bounded search.
const BOUNDED_STARTS: usize = 20_000;
/// A bounded search goes on to this number of processes and two more, where there are few states.
const BOUNDED_PROCESSES: u32 = 4;

/// What small instances have shown.
#[derive(Debug, Default)]
pub struct InstancesOutcome {
    /// All instances with up to this many processes were explored to the end.
    pub exhausted: Option<u32>,
    /// The exploration that found the first violation.
    pub violation: Option<Exploration>,
    /// The first state without a next step that does not count as a violation.
    pub stuck: Option<Finding>,
    /// The first instance that was not explored to the end, with its number of processes.
    pub unfinished: Option<(u32, Exploration)>,
    /// Whether any instance has an initial state. None if that is not known of any.
    pub inhabited: Option<bool>,
}

/// The range that numbers without one get in a second attempt, where they may grow forever: many violations need no others.
const SMALL_NUMBERS: (i64, i64) = (0, 1);

impl Engine for SmallInstances {
    type Outcome = InstancesOutcome;

    /// Explores instances with more and more processes, until something ends it; then, if numbers can grow, once more with
    /// small numbers only.
    fn run(&mut self, model: &Model, share: &Share) -> Attempt<InstancesOutcome> {
        let run = Run { engine: self, model, share, begun: Instant::now() };
        let most = run.most_processes();
        let mut outcome = InstancesOutcome::default();
        for processes in model.min_processes()..=most {
            if !outcome.add(processes, run.instance(processes, &[])) {
                break;
            }
        }
        if outcome.violation.is_none() && outcome.unfinished.is_some() {
            outcome.violation = run.with_small_numbers();
        }
        let answer = if outcome.violation.is_some() {
            Answer::Violated
        } else if outcome.unfinished.is_none()
            && model.max_processes.is_some_and(|all| outcome.exhausted == Some(all))
        {
            Answer::Holds
        } else {
            Answer::Undecided
        };
        Attempt { answer, outcome }
    }
}

/// One run of the engine.
struct Run<'r> {
    engine: &'r SmallInstances,
    model: &'r Model,
    share: &'r Share,
    begun: Instant,
}

impl Run<'_> {
    fn most_processes(&self) -> u32 {
        self.engine.most_processes.min(self.model.max_processes.unwrap_or(u32::MAX))
    }

    /// A violation that shows with small numbers.
    fn with_small_numbers(&self) -> Option<Exploration> {
        let open = open_numbers(self.model, &self.engine.ranges);
        if open.is_empty() {
            return None;
        }
        let most = (fewest(self.model) + 1).min(self.most_processes());
        let sizes = self.model.min_processes()..=most;
        let explorations = sizes.map(|processes| self.instance(processes, &open));
        explorations
            .take_while(|_| self.share.limits.ended_since(self.begun).is_none())
            .find(Exploration::is_violated)
    }

    fn instance(&self, processes: u32, more_ranges: &[(SymbolId, i64, i64)]) -> Exploration {
        let SmallInstances { deadlock, ranges, most_states, most_starts, progress, .. } = self.engine;
        let options = Options {
            ranges: [ranges, more_ranges].concat(),
            deadlock: *deadlock,
            limits: Limits { states: *most_states, ..self.share.limits.remaining_since(self.begun) },
            most_starts: *most_starts,
            workers: self.share.threads.now(),
            progress: progress.clone(),
            ..Options::new(processes)
        };
        explore(self.model, &options)
    }
}

/// What small instances of a model that was proved tell about deadlocks, which proofs do not: nothing where they are ignored.
pub fn deadlocks(
    model: &Model,
    policy: DeadlockPolicy,
    small: SmallInstances,
    share: &Share,
) -> InstancesOutcome {
    match policy {
        DeadlockPolicy::Ignore => {
            InstancesOutcome { inhabited: is_inhabited(model, &share.limits), ..InstancesOutcome::default() }
        }
        deadlock => SmallInstances { deadlock, ..small }.run(model, share).outcome,
    }
}

/// Whether any small instance has an initial state. None if that is not known.
pub fn is_inhabited(model: &Model, limits: &Limits) -> Option<bool> {
    let most = MOST_EMPTY.max(model.min_processes()).min(model.max_processes.unwrap_or(u32::MAX));
    let mut known = None;
    for processes in model.min_processes()..=most {
        match has_initial_state(model, processes, limits) {
            Some(false) => known = Some(false),
            other => return other,
        }
    }
    known
}

/// Small ranges for all numbers that have none.
fn open_numbers(model: &Model, known: &[(SymbolId, i64, i64)]) -> Vec<(SymbolId, i64, i64)> {
    let (low, high) = SMALL_NUMBERS;
    let symbols = (0..model.symbols.len()).map(SymbolId::from_index);
    let is_open = |symbol: &SymbolId| {
        let declared = model.symbol(*symbol);
        matches!(declared.sort, Sort::Int | Sort::Real)
            && !matches!(declared.domain, Domain::Range(..))
            && known.iter().all(|(ranged, ..)| ranged != symbol)
    };
    symbols.filter(is_open).map(|symbol| (symbol, low, high)).collect()
}

impl InstancesOutcome {
    /// Adds what the next instance has shown. Whether a larger one is worth exploring.
    fn add(&mut self, processes: u32, mut exploration: Exploration) -> bool {
        let has_states = exploration.stats.states > 0;
        if exploration.incomplete.is_none() || has_states {
            self.inhabited = Some(self.inhabited == Some(true) || has_states);
        }
        if self.stuck.is_none() {
            let is_stuck = |finding: &Finding| !finding.is_violation() && finding.kind.is_end();
            self.stuck =
                exploration.findings.iter().position(is_stuck).map(|at| exploration.findings.remove(at));
        }
        if exploration.is_violated() {
            self.violation = Some(exploration);
            return false;
        }
        if let Some(incomplete) = &exploration.incomplete {
            // Store buffers that grow without bound say nothing about how many states the next instance has.
            let is_full = matches!(incomplete, Incomplete::Obstacle(Obstacle::FullBuffer(_)));
            if self.unfinished.is_none() {
                self.unfinished = Some((processes, exploration));
            }
            return is_full;
        }
        if self.unfinished.is_some() {
            return true;
        }
        self.exhausted = Some(processes);
        has_states || processes < MOST_EMPTY
    }
}

/// Where no instance has an initial state, larger ones than this are not tried: they are unlikely to have one.
const MOST_EMPTY: u32 = 6;
