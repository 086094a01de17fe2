//! Reachable states of an instance as a table, for engines that ask which combinations of values occur.

use crate::{
    exploration::for_width,
    instance::{Instance, Machine, Obstacle, Place, Setup},
    ir::{Model, SymbolId},
};
use explore::{BreadthFirst, End, Limits, Property, Search, Seen, Symmetric, Trace, Violation, record};

/// Some reachable states.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// What the columns are.
    pub places: Vec<Place>,
    /// The values, state by state. Numbers without a value are `None`.
    pub values: Vec<Option<i64>>,
    /// The denominator of all reals.
    pub real_scale: i64,
    /// Whether these are all states, up to permutation of processes.
    pub complete: bool,
    /// A run to a state that violates a property, given by its position in the model: such a state ends the search.
    pub violation: Option<(usize, Trace)>,
    /// The ranges that numbers got which the model leaves open.
    pub ranges: Vec<(SymbolId, i64, i64)>,
}

impl Table {
    /// How many states there are.
    pub fn len(&self) -> usize {
        self.values.len() / self.places.len().max(1)
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

/// How many bits numbers without a range get: states with larger ones are left out, and the table is not complete.
const NUMBER_BITS: u32 = 32;

/// Numbers that `init` leaves open and that are read before they are set get these values.
const OPEN_NUMBERS: (i64, i64) = (0, 2);

/// States of an instance, breadth first, up to permutation of processes; not all initial states if there are many. None if
/// there is no such instance, or it cannot be run.
pub fn reachable(model: &Model, processes: u32, limits: &Limits) -> Option<Table> {
    let (table, ranges) = with_open_numbers(processes, NUMBER_BITS, OPEN_NUMBERS, true, |setup| {
        let instances = match Instance::all(model, setup) {
            Ok(instances) => instances,
            Err(obstacle) => return (None, Some(obstacle)),
        };
        for_width!(instances, collect(model, &instances, limits.clone()), (None, None))
    });
    table.map(|table| Table { ranges, ..table })
}

/// Tries again with a range for each number that turns out to need one. Gives these ranges back.
pub(crate) fn with_open_numbers<T>(
    processes: u32,
    number_bits: u32,
    (low, high): (i64, i64),
    sample_start: bool,
    mut attempt: impl FnMut(&Setup) -> (Option<T>, Option<Obstacle>),
) -> (Option<T>, Vec<(SymbolId, i64, i64)>) {
    let mut setup = Setup { processes: processes as usize, ranges: vec![], number_bits, sample_start };
    loop {
        let (result, obstacle) = attempt(&setup);
        match obstacle {
            Some(Obstacle::NeedsRange(symbol)) if setup.ranges.iter().all(|(known, ..)| *known != symbol) => {
                setup.ranges.push((symbol, low, high));
            }
            _ => return (result, setup.ranges),
        }
    }
}

fn collect<const W: usize>(
    model: &Model,
    instances: &[Instance<'_>],
    limits: Limits,
) -> (Option<Table>, Option<Obstacle>) {
    if instances.iter().all(|instance| instance.initial_states() == 0) {
        return (None, None);
    }
    let mut machine = Machine::<W>::new(instances);
    let mut table = Table { places: machine.places(), real_scale: machine.real_scale(), ..Table::default() };
    let mut collector = Collector { table: &mut table, violated: None };
    let search = Search::new(&mut machine, BreadthFirst::new(), &mut collector).limit(limits);
    let outcome = if Instance::is_symmetric(model) {
        search.remember(Symmetric::new()).run()
    } else {
        search.remember(Seen::new()).run()
    };
    let violated = collector.violated;
    let Ok(outcome) = outcome else { return (None, None) };
    let obstacle = machine.obstacle();
    table.complete = outcome.end == End::Exhausted && obstacle.is_none();
    // Recording repeats the run from its start.
    let trace = outcome.found.first().and_then(|found| record(&mut machine, &found.schedule).ok());
    table.violation = violated.zip(trace).filter(|(property, _)| violates(&machine, *property));
    (Some(table), obstacle)
}

/// Whether the state in which a machine is violates a property, given by its position in the model.
pub(crate) fn violates<const W: usize>(machine: &Machine<'_, '_, W>, property: usize) -> bool {
    let mut found = Vec::new();
    machine.violations(&mut found);
    found.iter().any(|(at, _)| *at == property)
}

struct Collector<'t> {
    table: &'t mut Table,
    /// The property that was violated first.
    violated: Option<usize>,
}

impl<const W: usize> Property<Machine<'_, '_, W>> for Collector<'_> {
    fn state(&mut self, machine: &Machine<'_, '_, W>, found: &mut Vec<Violation>) {
        machine.read_all(&mut self.table.values);
        let mut wrong = Vec::new();
        machine.violations(&mut wrong);
        if let Some((property, _)) = wrong.first() {
            self.violated.get_or_insert(*property);
            found.push(Violation { property: property.to_string(), message: String::new() });
        }
    }
}
