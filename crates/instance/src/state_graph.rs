//! All reachable states of a small instance with all steps between them, for drawing.

use crate::{
    exploration::Options,
    machine::{Instance, Machine, Obstacle, Setup},
    numbers::DRAWING,
    weak,
};
use explore::{Fault, Label, Steered, Symmetry, System, Valuation};
use ir::{Formula, Model, PropertyKind};
use std::collections::{HashMap, hash_map::Entry};

/// The reachable states, and the steps between them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StateGraph {
    /// The states, sorted by their distance from the start.
    pub states: Vec<State>,
    /// The steps: positions of the source and target states, and the label that traces use.
    pub steps: Vec<(usize, usize, Label)>,
    /// Whether each state stands for all its permutations of processes.
    pub symmetric: bool,
    /// Whether a store buffer had no room in some state.
    pub full: bool,
}

/// A reachable state, or a class of them up to symmetry, as a node of the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The values of all variables and cells.
    pub values: Valuation,
    /// The name of the kind of each process; empty if the model has no kinds.
    pub kinds: Vec<String>,
    /// Whether this is an initial state.
    pub initial: bool,
    /// The names of the properties that this state violates.
    pub violated: Vec<String>,
    /// Whether no action is enabled.
    pub stuck: bool,
    /// Whether it satisfies the formula given to [`state_graph_where`].
    pub wanted: bool,
}

/// Why the states of an instance cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoGraph {
    /// There are more states than the given maximum.
    TooLarge,
    /// The instance cannot be run.
    Obstacle(Obstacle),
    /// The machine contradicted itself: a bug.
    Fault(Fault),
}

/// Only small graphs are drawn, so one width is enough.
const WORDS: usize = 64;

/// The graph of an instance with at most `most` states. Only the options for processes, ranges and symmetry are used.
pub fn state_graph(model: &Model, options: &Options, most: usize) -> Result<StateGraph, NoGraph> {
    state_graph_where(model, options, most, &Formula::True)
}

/// Like [`state_graph`], and marks the states that satisfy a formula without free variables. If the formula has no
/// value in a state, that state is not marked.
pub fn state_graph_where(
    model: &Model,
    options: &Options,
    most: usize,
    wanted: &Formula,
) -> Result<StateGraph, NoGraph> {
    if model.is_weak() {
        return weak::state_graph_where(model, options, most, wanted);
    }
    let mut result = Err(NoGraph::TooLarge);
    for &number_bits in DRAWING.bits {
        let processes = options.processes as usize;
        let setup = Setup { ranges: options.ranges.clone(), ..Setup::new(processes, number_bits) };
        result = Instance::all(model, &setup).map_err(NoGraph::Obstacle).and_then(|instances| {
            if instances.iter().any(|instance| instance.words() > WORDS) {
                return Err(NoGraph::Obstacle(Obstacle::TooWide));
            }
            let symmetric = options.symmetry && Instance::is_symmetric(model);
            Enumeration::new(model, &instances, symmetric, (most, wanted)).run()
        });
        if !matches!(result, Err(NoGraph::Obstacle(Obstacle::NumberTooLarge(_)))) {
            break;
        }
    }
    result
}

type Place = <Machine<'static, 'static, WORDS> as Steered>::Identity;

struct Enumeration<'m, 'i> {
    model: &'m Model,
    machine: Machine<'m, 'i, WORDS>,
    graph: StateGraph,
    most: usize,
    wanted: &'i Formula,
    /// The number of each state, by its representative.
    numbers: HashMap<Place, usize>,
    /// The checkpoint of each state.
    places: Vec<Place>,
}

impl<'m, 'i> Enumeration<'m, 'i> {
    fn new(
        model: &'m Model,
        instances: &'i [Instance<'m>],
        symmetric: bool,
        (most, wanted): (usize, &'i Formula),
    ) -> Enumeration<'m, 'i> {
        let graph = StateGraph { symmetric, ..StateGraph::default() };
        let machine = Machine::new(instances);
        Enumeration { model, machine, graph, most, wanted, numbers: HashMap::new(), places: vec![] }
    }

    fn run(mut self) -> Result<StateGraph, NoGraph> {
        for initial in 0..self.machine.initials().map_err(NoGraph::Fault)? {
            self.machine.start(initial).map_err(NoGraph::Fault)?;
            let at = self.enter()?;
            self.graph.states[at].initial = true;
        }
        let mut next = 0;
        while next < self.places.len() {
            self.expand(next)?;
            next += 1;
        }
        match self.machine.obstacle() {
            Some(obstacle) => Err(NoGraph::Obstacle(obstacle)),
            None => Ok(self.graph),
        }
    }

    /// The number of the current state of the machine, which is added if it is new.
    fn enter(&mut self) -> Result<usize, NoGraph> {
        let identity = if self.graph.symmetric { self.machine.canonical() } else { self.machine.identity() };
        let new = self.graph.states.len();
        match self.numbers.entry(identity) {
            Entry::Occupied(known) => Ok(*known.get()),
            Entry::Vacant(_) if new == self.most => Err(NoGraph::TooLarge),
            Entry::Vacant(free) => {
                free.insert(new);
                self.places.push(self.machine.checkpoint());
                let state = self.state();
                self.graph.states.push(state);
                Ok(new)
            }
        }
    }

    fn state(&mut self) -> State {
        let mut bad = Vec::new();
        self.machine.violations(&mut bad);
        let (full, bad): (Vec<_>, Vec<_>) = bad
            .iter()
            .map(|(at, _)| &self.model.properties[*at])
            .partition(|property| property.kind == PropertyKind::Overflow);
        self.graph.full |= !full.is_empty();
        let violated = bad.iter().map(|property| property.name.clone()).collect();
        let wanted = self.machine.holds(self.wanted, &[]).unwrap_or(false);
        let (values, kinds) = (self.machine.describe(), self.kinds());
        State { values, kinds, initial: false, violated, stuck: false, wanted }
    }

    fn kinds(&self) -> Vec<String> {
        let Some(kinds) = &self.model.kinds else { return vec![] };
        let names = &self.model.enums[kinds.kinds.index()].constructors;
        self.machine.kinds().iter().map(|kind| names[*kind as usize].clone()).collect()
    }

    fn expand(&mut self, from: usize) -> Result<(), NoGraph> {
        let place = self.places[from];
        self.machine.restore(&place).map_err(NoGraph::Fault)?;
        let mut enabled = Vec::new();
        self.machine.enabled(&mut enabled);
        // Steps that break a rule of the language, or leave a range, count as enabled.
        self.graph.states[from].stuck =
            enabled.is_empty() && !self.machine.ends_in_violation() && !self.machine.has_steps_here();
        for action in &enabled {
            let label = self.machine.label(action);
            self.machine.take(action).map_err(NoGraph::Fault)?;
            let to = self.enter()?;
            self.graph.steps.push((from, to, label));
            self.machine.restore(&place).map_err(NoGraph::Fault)?;
        }
        Ok(())
    }
}
