//! Bounded exploration of more and more processes: what a bug needs is seldom much.

use explore::{DeadlockPolicy, FindingKind};
use explore::{Limits, Progress};
use instance::exploration::{Exploration, Options, explore, has_initial_state};
use instance::fuzzing::fewest;
use instance::judge::Finding;
use ir::{Domain, Model, Sort, SymbolId};
use std::{sync::Arc, time::Instant};

/// How instances are explored.
#[derive(Debug, Clone)]
pub struct Growing {
    /// What a deadlock counts for.
    pub deadlock: DeadlockPolicy,
    /// Ranges for numbers.
    pub ranges: Vec<(SymbolId, i64, i64)>,
    /// When to give up: time for all of them together, states for each.
    pub limits: Limits,
    /// Instances with more initial states than this are not explored, if a number is given.
    pub most_starts: Option<usize>,
    /// More processes than this are not explored.
    pub most_processes: u32,
    /// How many threads work.
    pub workers: usize,
    /// Told how far the instance is that is being explored.
    pub progress: Arc<Progress>,
}

impl Growing {
    /// Counted work, the same on every machine, before or beside a proof: a few processes more than everything needs to
    /// match, and not too many states of each.
    pub fn brief(model: &Model, limits: &Limits, workers: usize) -> Growing {
        Growing {
            deadlock: DeadlockPolicy::Ignore,
            ranges: vec![],
            limits: Limits { states: Some(BRIEF_STATES), ..limits.clone() },
            most_starts: Some(BRIEF_STARTS),
            most_processes: fewest(model).max(BRIEF_PROCESSES) + 2,
            workers,
            progress: Arc::default(),
        }
    }
}

/// What a brief exploration visits at most, of each instance.
const BRIEF_STATES: usize = 200_000;
/// What a brief exploration begins with at most, of each instance.
const BRIEF_STARTS: usize = 20_000;
/// A brief exploration does not end before this number of processes and two more, if there are few states.
const BRIEF_PROCESSES: u32 = 4;

/// What more and more processes have shown.
#[derive(Debug, Default)]
pub struct Grown {
    /// All instances with up to so many processes were explored to the end.
    pub exhausted: Option<u32>,
    /// The first violation.
    pub violation: Option<Exploration>,
    /// The first state without a next step that is no violation.
    pub stuck: Option<Finding>,
    /// The first instance that was not explored to the end, and how far that got.
    pub unfinished: Option<(u32, Exploration)>,
    /// Whether any instance has an initial state. None if not even one process was looked at.
    pub inhabited: Option<bool>,
}

/// Numbers without a range stay among these where they may grow for ever: many a bug needs no others.
const SMALL_NUMBERS: (i64, i64) = (0, 1);

/// Explores more and more processes, until something ends it; then, if numbers can grow, once more with small ones only.
pub fn grow(model: &Model, growing: &Growing) -> Grown {
    let begun = Instant::now();
    let most = growing.most_processes.min(model.max_processes.unwrap_or(u32::MAX));
    let mut grown = Grown::default();
    for processes in model.min_processes()..=most {
        if !grown.take(processes, instance(model, growing, processes, &[], begun)) {
            break;
        }
    }
    if grown.violation.is_none() && grown.unfinished.is_some() {
        grown.violation = with_small_numbers(model, growing, begun);
    }
    grown
}

/// A violation that shows with small numbers.
fn with_small_numbers(model: &Model, growing: &Growing, begun: Instant) -> Option<Exploration> {
    let open = open_numbers(model, &growing.ranges);
    if open.is_empty() {
        return None;
    }
    let most = (fewest(model) + 1).min(growing.most_processes).min(model.max_processes.unwrap_or(u32::MAX));
    let explorations =
        (model.min_processes()..=most).map(|processes| instance(model, growing, processes, &open, begun));
    explorations.take_while(|_| growing.limits.ended_since(begun).is_none()).find(Exploration::is_violated)
}

/// Whether any small instance has a state to start from; none if that is not known.
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

fn instance(
    model: &Model,
    growing: &Growing,
    processes: u32,
    more_ranges: &[(SymbolId, i64, i64)],
    begun: Instant,
) -> Exploration {
    let time = growing.limits.time.map(|time| time.saturating_sub(begun.elapsed()));
    let options = Options {
        ranges: [&growing.ranges, more_ranges].concat(),
        deadlock: growing.deadlock,
        limits: Limits { time, ..growing.limits.clone() },
        most_starts: growing.most_starts,
        workers: growing.workers,
        progress: growing.progress.clone(),
        ..Options::new(processes)
    };
    explore(model, &options)
}

impl Grown {
    /// Notes what one instance has shown. Whether a larger one is worth a look.
    fn take(&mut self, processes: u32, mut exploration: Exploration) -> bool {
        let has_states = exploration.stats.states > 0;
        if exploration.incomplete.is_none() || has_states {
            self.inhabited = Some(self.inhabited == Some(true) || has_states);
        }
        if self.stuck.is_none() {
            let is_stuck = |finding: &Finding| !finding.is_violation() && is_end(finding.kind);
            self.stuck =
                exploration.findings.iter().position(is_stuck).map(|at| exploration.findings.remove(at));
        }
        if exploration.is_violated() {
            self.violation = Some(exploration);
            return false;
        }
        if exploration.incomplete.is_some() {
            self.unfinished = Some((processes, exploration));
            return false;
        }
        self.exhausted = Some(processes);
        // Without a state there is nothing to grow, and instances are made for nothing.
        has_states || processes < MOST_EMPTY
    }
}

/// So many processes are tried where no instance has a state.
const MOST_EMPTY: u32 = 6;

fn is_end(kind: FindingKind) -> bool {
    matches!(kind, FindingKind::Deadlock | FindingKind::Stuck)
}
