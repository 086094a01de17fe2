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
    /// What the columns are.
    pub places: Vec<Place>,
    /// For each place its value in every state.
    pub columns: Vec<Column>,
    /// How many states there are.
    pub states: usize,
    /// The denominator of all reals.
    pub real_scale: i64,
    /// Whether these are all states, up to permutation of processes, that can be reached from the initial ones that were
    /// tried, with the values that open numbers got.
    pub complete: bool,
    /// A run to a state that violates a property, given by its position in the model: such a state ends the search.
    pub violation: Option<(usize, Trace)>,
    /// The ranges that numbers got which the model leaves open.
    pub ranges: Vec<(SymbolId, i64, i64)>,
}

/// In which order states are reached, as long as limits allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Walk {
    /// Those that are near first.
    #[default]
    Breadth,
    /// One run after the other, each as far as it goes.
    Depth,
    /// Random runs; the same seed gives the same ones.
    Random {
        /// The seed.
        seed: u64,
    },
    /// By fuzzing: far ones soon, and many kinds of them. The same seed gives the same ones.
    Fuzz {
        /// The seed.
        seed: u64,
    },
}

/// The length of a random run, unless there is a limit.
const RANDOM_LENGTH: usize = 200;

/// Which initial states are tried, of those that differ in what `init` does not mention.
pub const SAMPLE: Sample = Sample { seed: 0, draws: 16, enough: usize::MAX };

/// States of an instance, up to permutation of processes; not all initial states if there are many. None if there is no
/// such instance, or it cannot be run.
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
        // Recording repeats the run from its start.
        let trace = record(&mut machine, &found.schedule).ok();
        let confirmed = trace.filter(|_| violates(&machine, found.violation));
        table.violation = confirmed.map(|trace| (found.violation, trace));
    }
    (Some(table), obstacle)
}

/// How a search ended, and the states that it has reached.
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
    // A depth at which to end everything would end it with the first run.
    let bound = DepthBound::new(limits.depth.unwrap_or(usize::MAX));
    let limits = Limits { depth: None, ..limits.clone() };
    let search = Search::new(machine, DepthFirst::new(), &mut collector).limit(limits).reduce(bound);
    let outcome =
        if symmetric { search.remember(Symmetric::new()).run() } else { search.remember(Seen::new()).run() };
    (outcome.expect("a bound goes with every memory"), collector.states)
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
    (outcome.expect("nothing is left out"), collector.states)
}

/// Whether the state in which a machine is violates a property, given by its position in the model.
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
        machine.each_violated(|property| first = first.or(Some(property)));
        found.extend(first);
    }
}

/// Keeps the states that a search comes to.
struct Collector<const W: usize> {
    states: Vec<[u64; W]>,
    /// The same. A search may come to a state more than once.
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
