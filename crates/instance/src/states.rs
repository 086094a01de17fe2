//! Reachable states of an instance as a table, for engines that ask which combinations of values occur.

use crate::{
    for_width, fuzzing,
    machine::{Column, Instance, Machine, Obstacle, Place, Sample, Setup},
    numbers::TABULATING,
};
use explore::{
    Deadline, DepthBound, DepthFirst, End, Limits, Outcome, ParallelBfs, Property, RandomWalk, Search, Seen,
    Steered, Symmetric, Trace, record,
};
use ir::{Model, SymbolId};
use rustc_hash::FxHashSet;

/// Some reachable states.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The variable or cell that each column holds.
    pub places: Vec<Place>,
    /// For each place its values in all states.
    pub columns: Vec<Column>,
    /// The number of states, which is the length of each column.
    pub states: usize,
    /// The denominator of all reals.
    pub real_scale: i64,
    /// Whether these are all states, up to permutation of processes, that are reachable from the sampled initial
    /// states with the ranges chosen for open numbers.
    pub complete: bool,
    /// A run to a state that violates a property, with the position of the property in the model. It ends the search.
    pub violation: Option<(usize, Trace)>,
    /// The ranges chosen for numbers that the model leaves open.
    pub ranges: Vec<(SymbolId, i64, i64)>,
}

/// The order in which states are visited. It matters if a limit ends the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Walk {
    /// Breadth first.
    #[default]
    Breadth,
    /// Depth first.
    Depth,
    /// Random walks. Deterministic for a given seed.
    Random {
        /// The seed of the random number generator.
        seed: u64,
    },
    /// Fuzzing, which soon reaches distant and diverse states. Deterministic for a given seed.
    Fuzz {
        /// The seed of the random number generator.
        seed: u64,
    },
}

/// The length of a random walk in steps, unless a limit on the depth is given.
const RANDOM_LENGTH: usize = 200;

/// How to sample initial states that differ only in what `init` does not mention.
pub const SAMPLE: Sample = Sample { seed: 0, draws: 16, enough: usize::MAX };

/// Visits states of an instance, up to permutation of processes, from a sample of its initial states. `None` if there
/// is no such instance, or it cannot be run.
pub fn reachable(model: &Model, processes: u32, walk: Walk, limits: &Limits) -> Option<Table> {
    let deadline = Deadline::of(limits);
    let setup = Setup {
        sample_start: Some(SAMPLE),
        deadline,
        ..Setup::new(processes as usize, TABULATING.first_bits())
    };
    let (table, ranges) = TABULATING.retry(setup, |setup| {
        let instances = match Instance::all(model, setup) {
            Ok(instances) => instances,
            Err(obstacle) => return (None, Some(obstacle)),
        };
        for_width!(instances, collect(model, &instances, processes, walk, limits), (None, None))
    });
    table.map(|table| Table { ranges, ..table })
}

fn collect<'m, const W: usize>(
    model: &'m Model,
    instances: &[Instance<'m>],
    processes: u32,
    walk: Walk,
    limits: &Limits,
) -> (Option<Table>, Option<Obstacle>) {
    if instances.iter().all(|instance| instance.initial_states() == 0) {
        return (None, None);
    }
    let mut machine = Machine::<W>::new(instances);
    let symmetric = Instance::is_symmetric(model);
    let (outcome, states) = match walk {
        Walk::Breadth => breadth_first(&mut machine, symmetric, limits),
        Walk::Depth => depth_first(&mut machine, symmetric, limits),
        Walk::Random { seed } => random(&mut machine, seed, limits),
        Walk::Fuzz { seed } => fuzzing::reach(model, &mut machine, processes, seed, limits),
    };
    let obstacle = machine.obstacle();
    let mut table = Table {
        places: machine.places(),
        columns: machine.columns(&states),
        states: states.len(),
        real_scale: machine.real_scale(),
        complete: outcome.end == End::Exhausted && obstacle.is_none(),
        ..Table::default()
    };
    if let Some(found) = outcome.found.first() {
        // Recording replays the run from its start.
        let trace = record(&mut machine, &found.schedule).ok();
        let confirmed = trace.filter(|_| violates(&machine, found.violation));
        table.violation = confirmed.map(|trace| (found.violation, trace));
    }
    (Some(table), obstacle)
}

/// The outcome of a search, and the states that it has visited.
type Reached<S, const W: usize> = (Outcome<<S as Steered>::Action, usize>, Vec<[u64; W]>);

fn breadth_first<'i, 'm, const W: usize>(
    machine: &mut Machine<'i, 'm, W>,
    symmetric: bool,
    limits: &Limits,
) -> Reached<Machine<'i, 'm, W>, W> {
    ParallelBfs::new(machine, FirstViolated).limit(limits.clone()).up_to_symmetry(symmetric).run_and_keep()
}

fn depth_first<'i, 'm, const W: usize>(
    machine: &mut Machine<'i, 'm, W>,
    symmetric: bool,
    limits: &Limits,
) -> Reached<Machine<'i, 'm, W>, W> {
    let mut collector = Collector::new();
    // A limit on the depth would end the whole search with its first run; a bound only ends that run.
    let bound = DepthBound::new(limits.depth.unwrap_or(usize::MAX));
    let limits = Limits { depth: None, ..limits.clone() };
    let search = Search::new(machine, DepthFirst::new(), &mut collector).limit(limits).reduce(bound);
    let outcome =
        if symmetric { search.remember(Symmetric::new()).run() } else { search.remember(Seen::new()).run() };
    (outcome.expect("a depth bound works with every memory"), collector.states)
}

fn random<'i, 'm, const W: usize>(
    machine: &mut Machine<'i, 'm, W>,
    seed: u64,
    limits: &Limits,
) -> Reached<Machine<'i, 'm, W>, W> {
    let mut collector = Collector::new();
    let length = limits.depth.unwrap_or(RANDOM_LENGTH);
    let limits = Limits { depth: None, ..limits.clone() };
    let runs = limits.states.map_or(usize::MAX, |states| states / length.max(1) + 1);
    let outcome =
        Search::new(machine, RandomWalk::new(seed, runs, length), &mut collector).limit(limits).run();
    (outcome.expect("without a reduction there is no conflict"), collector.states)
}

/// Whether the current state of a machine violates a property, given by its position in the model.
pub(crate) fn violates<const W: usize>(machine: &Machine<'_, '_, W>, property: usize) -> bool {
    let mut found = Vec::new();
    machine.violations(&mut found);
    found.iter().any(|(at, _)| *at == property)
}

/// The first property that a state violates, by position in the model.
#[derive(Debug, Clone, Copy)]
struct FirstViolated;

impl<const W: usize> Property<Machine<'_, '_, W>> for FirstViolated {
    type Violation = usize;

    fn state(&mut self, machine: &Machine<'_, '_, W>, found: &mut Vec<usize>) {
        let mut first = None;
        machine.each_bad(|property| first = first.or(Some(property)));
        found.extend(first);
    }
}

/// Collects the states that a search visits.
struct Collector<const W: usize> {
    states: Vec<[u64; W]>,
    /// The same states: a search may visit a state more than once.
    seen: FxHashSet<[u64; W]>,
}

impl<const W: usize> Collector<W> {
    fn new() -> Collector<W> {
        Collector { states: Vec::new(), seen: FxHashSet::default() }
    }
}

impl<const W: usize> Property<Machine<'_, '_, W>> for Collector<W> {
    type Violation = usize;

    fn state(&mut self, machine: &Machine<'_, '_, W>, found: &mut Vec<usize>) {
        let state = machine.identity();
        if self.seen.insert(state) {
            self.states.push(state);
        }
        FirstViolated.state(machine, found);
    }
}
