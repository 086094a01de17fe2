//! All reachable states of a small instance with all steps between them, for drawing.

use crate::{
    exploration::Options,
    machine::{Instance, Machine, Obstacle, Setup},
    numbers::DRAWING,
};
use explore::{Fault, Steered, Symmetry, System, Valuation};
use ir::{Formula, Model};
use std::collections::{HashMap, hash_map::Entry};

/// States with the steps between them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StateGraph {
    /// The states, in the order of their distance from the start.
    pub states: Vec<State>,
    /// The steps: from which state to which, as traces write them.
    pub steps: Vec<(usize, usize, String)>,
    /// Whether states that differ by a permutation of processes are one.
    pub symmetric: bool,
}

/// A state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The values in words.
    pub values: Valuation,
    /// The kinds of the processes by name, if there are kinds.
    pub kinds: Vec<String>,
    /// Whether a run may begin here.
    pub initial: bool,
    /// The names of the properties that are violated here.
    pub violated: Vec<String>,
    /// Whether nothing can happen here any more.
    pub stuck: bool,
    /// Whether it is one of those that were asked for.
    pub wanted: bool,
}

/// Why there is no graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoGraph {
    /// There are more states than were asked for.
    TooLarge,
    /// The instance cannot be run.
    Obstacle(Obstacle),
    /// Something that must not happen did.
    Fault(Fault),
}

/// States are few, so that one width serves all.
const WORDS: usize = 64;

/// The graph of an instance of at most `most` states. Of the options, limits and what counts as a violation do not matter.
pub fn state_graph(model: &Model, options: &Options, most: usize) -> Result<StateGraph, NoGraph> {
    state_graph_where(model, options, most, &Formula::True)
}

/// The same, and which states satisfy a formula without free variables. One that has no answer in a state does not hold there.
pub fn state_graph_where(
    model: &Model,
    options: &Options,
    most: usize,
    wanted: &Formula,
) -> Result<StateGraph, NoGraph> {
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
    /// For each state where the machine was when it was found.
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

    /// The number of the state in which the machine is.
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

    fn state(&self) -> State {
        let mut bad = Vec::new();
        self.machine.violations(&mut bad);
        let violated = bad.iter().map(|(at, _)| self.model.properties[*at].name.clone()).collect();
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
        // A step that breaks a rule of the language, or leaves a range, is there all the same.
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
