//! Backward reachability: pre-images of bad states until there is nothing new, or an initial state is met.

use crate::bad::{assumed_cubes, bad_cubes};
use crate::cube::Cube;
use crate::initial::initial_processes;
use crate::instant::Event;
use crate::outcome::{Reason, Statistics};
use crate::preimage::{Preimage, preimages};
use crate::run::origins;
use crate::subsumption::{Pattern, subsumes};
use crate::system::System;
use crate::values::unreachable_values;
use crate::variable::Process;
use explore::{Deadline, Limit, Limits};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A cube that was met.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) cube: Cube,
    pattern: Pattern,
    pub(crate) source: Source,
    /// How many steps there are to a bad state.
    pub(crate) depth: usize,
}

/// Where a cube comes from.
#[derive(Debug)]
pub(crate) enum Source {
    Property(usize),
    Assumption,
    /// A value that is never there.
    Fact,
    Step(Taken),
}

/// A step into a later cube.
#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) to: usize,
    pub(crate) transition: usize,
    pub(crate) processes: Vec<Process>,
    /// For each process of the step and the later cube its number in this one, unless it is forgotten.
    pub(crate) numbers: Vec<Option<Process>>,
    /// What it does to memory, in numbers of the later cube.
    pub(crate) event: Event,
    /// The steps of other processes that see what it writes, counted from the bad state.
    pub(crate) seen_at: Vec<usize>,
    /// Those that read something that it overwrites.
    pub(crate) unseen_at: Vec<usize>,
}

/// How a search ended.
#[derive(Debug)]
pub(crate) enum Ended {
    /// No initial state is among all cubes.
    Exhausted,
    /// The node of a cube that has an initial state, with so many processes.
    Initial(usize, u32),
}

/// A search, and what it has found so far.
pub(crate) struct Search<'a, 'm> {
    system: &'a System<'m>,
    limits: &'a Limits,
    pub(crate) deadline: Deadline,
    pub(crate) nodes: Vec<Node>,
    /// The nodes whose cubes are not subsumed by others.
    pub(crate) visited: Vec<usize>,
    /// The cheapest first.
    frontier: BinaryHeap<Reverse<(Cost, usize)>>,
    pub(crate) statistics: Statistics,
}

/// How many processes there are in a cube, how far from a bad state it is, and how much there is in it.
type Cost = (Process, usize, usize);

impl<'a, 'm> Search<'a, 'm> {
    pub(crate) fn new(system: &'a System<'m>, limits: &'a Limits) -> Search<'a, 'm> {
        Search {
            system,
            limits,
            deadline: Deadline::of(limits),
            nodes: vec![],
            visited: vec![],
            frontier: BinaryHeap::new(),
            statistics: Statistics::default(),
        }
    }

    pub(crate) fn run(&mut self) -> Result<Ended, Reason> {
        for cube in assumed_cubes(self.system).map_err(Reason::Unsupported)? {
            let id = self.add(cube, Source::Assumption, 0);
            self.visited.push(id);
        }
        for cube in unreachable_values(self.system).map_err(Reason::Unsupported)? {
            let id = self.add(cube, Source::Fact, 0);
            self.visited.push(id);
        }
        for (at, property) in self.system.model.properties.iter().enumerate() {
            for cube in bad_cubes(self.system, property).map_err(Reason::Unsupported)? {
                let id = self.add(cube, Source::Property(at), 0);
                self.enqueue(id);
            }
        }
        while let Some(Reverse((_, id))) = self.frontier.pop() {
            if let Some(ended) = self.visit(id)? {
                return Ok(ended);
            }
        }
        Ok(Ended::Exhausted)
    }

    fn add(&mut self, cube: Cube, source: Source, depth: usize) -> usize {
        let pattern = Pattern::new(&self.system.vocabulary, &cube);
        self.nodes.push(Node { cube, pattern, source, depth });
        self.nodes.len() - 1
    }

    fn enqueue(&mut self, id: usize) {
        let cube = &self.nodes[id].cube;
        let literals =
            cube.constraints.finite.len() + cube.constraints.relations.len() + cube.constraints.linear.len();
        let cost = (cube.processes, self.nodes[id].depth, literals + 2 * cube.instants.len());
        self.frontier.push(Reverse((cost, id)));
    }

    fn visit(&mut self, id: usize) -> Result<Option<Ended>, Reason> {
        self.deadline.check().map_err(Reason::Limit)?;
        if self.is_subsumed(id) {
            return Ok(None);
        }
        self.count(id)?;
        let initial = initial_processes(self.system, &self.nodes[id].cube).map_err(Reason::Unsupported)?;
        if let Some(processes) = initial {
            return Ok(Some(Ended::Initial(id, processes)));
        }
        self.delete_subsumed(id);
        self.visited.push(id);
        self.expand(id)?;
        Ok(None)
    }

    fn count(&mut self, id: usize) -> Result<(), Reason> {
        if self.limits.states.is_some_and(|most| self.statistics.nodes >= most) {
            return Err(Reason::Limit(Limit::States));
        }
        let cube = &self.nodes[id].cube;
        self.statistics.nodes += 1;
        self.statistics.events = self.statistics.events.max(cube.reads().len());
        self.statistics.max_processes = self.statistics.max_processes.max(cube.processes.into());
        Ok(())
    }

    fn is_subsumed(&self, id: usize) -> bool {
        self.visited.iter().any(|general| self.subsumes(&self.nodes[*general], &self.nodes[id]))
    }

    fn subsumes(&self, general: &Node, special: &Node) -> bool {
        let (general, special) = ((&general.cube, &general.pattern), (&special.cube, &special.pattern));
        subsumes(&self.system.vocabulary, general, special)
    }

    /// Forgets visited cubes that a new one subsumes.
    fn delete_subsumed(&mut self, id: usize) {
        let mut visited = std::mem::take(&mut self.visited);
        visited.retain(|at| {
            let special = &self.nodes[*at];
            matches!(special.source, Source::Assumption) || !self.subsumes(&self.nodes[id], special)
        });
        self.visited = visited;
    }

    /// The cubes that no reachable state matches.
    pub(crate) fn invariant(&self) -> impl Iterator<Item = &Cube> {
        let nodes = self.visited.iter().map(|id| &self.nodes[*id]);
        nodes.filter(|node| !matches!(node.source, Source::Assumption)).map(|node| &node.cube)
    }

    fn expand(&mut self, id: usize) -> Result<(), Reason> {
        let depth = self.nodes[id].depth + 1;
        for (transition, step) in self.system.steps.iter().enumerate() {
            self.deadline.check().map_err(Reason::Limit)?;
            let found =
                preimages(self.system, &self.nodes[id].cube, step, depth).map_err(Reason::Unsupported)?;
            for Preimage { cube, processes, numbers, event } in found {
                self.statistics.preimages += 1;
                let instants = &self.nodes[id].cube.instants;
                let (seen_at, unseen_at) =
                    (origins(instants, event.seen_at), origins(instants, event.unseen_at));
                let taken = Taken { to: id, transition, processes, numbers, event, seen_at, unseen_at };
                let new = self.add(cube, Source::Step(taken), depth);
                if self.is_subsumed(new) {
                    self.nodes.pop();
                } else {
                    self.enqueue(new);
                }
            }
        }
        Ok(())
    }
}
