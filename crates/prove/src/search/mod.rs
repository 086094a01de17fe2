//! The backward search: from the bad states, by pre-images, until nothing new is found.
//!
//! [`Search`] decides what happens next; what it decides about is kept by others: the cubes and their justifications by the
//! graph, those that wait by the frontier, those of the invariant by [`visited`], speculative evaluations by the speculation.
//! With approximation, a cube may be replaced by a more general candidate; if anything that comes from a candidate meets an
//! initial or a known state, the candidate is refuted and the search backtracks.

mod backtracking;
mod deduction;
mod evaluation;
mod frontier;
mod graph;
mod inference;
mod problem;
mod roots;
mod speculation;
mod statistics;
mod visit;
mod visited;

pub use frontier::Order;
pub(crate) use graph::{Node, NodeId, Source, State};
pub use statistics::{Progress, Statistics};

use crate::Options;
use crate::approximation::Approximator;
use crate::assume::Watch;
use crate::confirm::Path;
use crate::cube::Cube;
use crate::system::System;
use evaluation::Evaluator;
use explore::{Deadline, Limit};
use frontier::Frontier;
use graph::{Graph, Hash};
use inference::Inference;
use problem::{Budget, Problem};
use roots::{cubes_of, exact_cubes_of};
use speculation::Speculation;
use statistics::Counts;
use std::sync::Arc;
use visited::Visited;

/// Why a search ended, and so what is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The frontier is empty: the negations of the visited cubes are an inductive invariant.
    Closed,
    /// A cube that comes from a property without approximation meets an initial state, or one that is known to be reachable.
    Reached(NodeId),
    /// Cubes with more processes than can be represented were left out, so that the visited ones need not be an invariant.
    TooManyProcesses,
    /// Nothing is known: a limit was hit.
    Limit(Limit),
}

/// A search under way.
pub(crate) struct Search<'s> {
    problem: Problem<'s>,
    approximator: Option<Approximator>,
    graph: Graph,
    frontier: Frontier,
    visited: Visited,
    speculation: Speculation,
    inference: Inference,
    budget: Budget,
    counts: Counts,
    progress: Option<Arc<Progress>>,
}

impl<'s> Search<'s> {
    /// A search that gives up before it visits a cube with more than `most_processes`.
    pub(crate) fn new(
        system: &'s System,
        approximator: Option<Approximator>,
        options: &Options,
        most_processes: u8,
    ) -> Search<'s> {
        let watch = Watch::new(Deadline::of(&options.limits));
        let problem = Problem::new(system, options.techniques, watch);
        let budget = Budget::new(options, most_processes);
        let progress = options.progress.clone();
        Search { progress, ..Search::begin(problem, approximator, options.order, budget) }
    }

    /// A search about the same problem that knows nothing of what others have found.
    fn separate(problem: &Problem<'s>, budget: Budget) -> Search<'s> {
        Search::begin(problem.separate(), None, Order::Bfs, budget)
    }

    fn begin(
        problem: Problem<'s>,
        approximator: Option<Approximator>,
        order: Order,
        budget: Budget,
    ) -> Search<'s> {
        Search {
            frontier: Frontier::new(order, problem.techniques.postpone, approximator.is_some()),
            problem,
            approximator,
            graph: Graph::default(),
            visited: Visited::default(),
            speculation: Speculation::new(1),
            inference: Inference::default(),
            budget,
            counts: Counts::default(),
            progress: None,
        }
    }

    /// Searches with up to this many threads. One of them decides what happens, and the others join it where there is work.
    pub(crate) fn run(&mut self, threads: usize) -> Ended {
        let ended = threads::with_pool(threads, |threads| {
            self.speculation.threads = threads;
            self.search()
        });
        // Nothing that ended for want of time is an answer: branches are missing.
        self.problem.watch.ended().map_or(ended, Ended::Limit)
    }

    fn search(&mut self) -> Ended {
        let system = self.problem.system;
        let anything = Cube::new(system.vocabulary.named);
        if !self.problem.meets_initial(&anything) {
            // There is no initial state: "nothing is reachable" is inductive.
            self.add_fact(anything);
            return Ended::Closed;
        }
        for assumption in &system.assumptions {
            let mut cubes = exact_cubes_of(&self.problem.assumer(), assumption);
            self.problem.excluded.append(&mut cubes);
        }
        for fact in &system.facts {
            for cube in cubes_of(&self.problem.assumer(), fact) {
                self.add_fact(cube);
            }
        }
        if let Some(places) = &system.vocabulary.places {
            let cubes = places.cubes(&system.vocabulary);
            self.problem.unreached = cubes.iter().filter(|cube| cube.linear.is_empty()).cloned().collect();
            cubes.into_iter().for_each(|cube| self.add_fact(cube));
            self.problem.lemmas = self.problem.lemmas();
            self.problem.lemmas.clone().into_iter().for_each(|cube| self.add_fact(cube));
        }
        match self.add_properties() {
            Ok(()) => self.visit_all(),
            Err(ended) => ended,
        }
    }

    fn add_properties(&mut self) -> Result<(), Ended> {
        for (at, property) in self.problem.system.properties.iter().enumerate() {
            for cube in cubes_of(&self.problem.assumer(), property) {
                // A property may have very many.
                if let Some(limit) = self.exhausted() {
                    return Err(Ended::Limit(limit));
                }
                self.add(cube, Source::Property(at))?;
            }
        }
        Ok(())
    }

    /// Visits cubes until there are none left.
    fn visit_all(&mut self) -> Ended {
        loop {
            let batch = self.frontier.next_batch();
            if batch.is_empty() {
                break;
            }
            if let Some(limit) = self.exhausted() {
                return Ended::Limit(limit);
            }
            let most = self.budget.most_processes();
            if batch.iter().any(|id| self.graph[*id].cube.processes > most) {
                return Ended::Limit(Limit::States);
            }
            if let Err(ended) = self.visit_batch(&batch) {
                return ended;
            }
        }
        if self.problem.watch.has_overflowed() { Ended::TooManyProcesses } else { Ended::Closed }
    }

    fn exhausted(&self) -> Option<Limit> {
        self.budget.exhausted(&self.counts, self.graph.nodes().len())
    }

    fn evaluator(&self) -> Evaluator<'_> {
        Evaluator {
            problem: &self.problem,
            approximator: self.approximator.as_ref(),
            graph: &self.graph,
            visited: &self.visited,
            inference: &self.inference,
            budget: &self.budget,
            threads: self.speculation.threads,
        }
    }

    /// A cube over symbols that never change has no pre-image: it is part of the invariant if no initial state matches it.
    fn add_fact(&mut self, cube: Cube) {
        let Err(hash) = self.graph.find(&cube) else { return };
        if self.problem.meets_initial(&cube) {
            return;
        }
        let id = self.graph.insert(cube, hash, Source::Fact);
        self.add_visited(id);
    }

    fn add_visited(&mut self, id: NodeId) {
        self.graph.set_visited(id);
        self.visited.push(self.problem.vocabulary(), id, &self.graph[id].cube);
    }

    /// Adds a cube that came up, unless it is known.
    fn add(&mut self, cube: Cube, source: Source) -> Result<(), Ended> {
        match self.graph.find(&cube) {
            Ok(known) => self.add_source(known, source),
            Err(hash) => self.add_new(cube, hash, source, None),
        }
    }

    /// A known cube came up again.
    fn add_source(&mut self, known: NodeId, source: Source) -> Result<(), Ended> {
        if self.graph[known].state == State::Retracted {
            self.graph.revive(known, source);
            return self.enter(known, None);
        }
        // If it is an orphan, it stays one: the pre-images of the cubes that subsume its origin subsume it.
        self.graph.add_source(known, source);
        Ok(())
    }

    /// Adds a cube that is not known. It may be known whether it is reached.
    fn add_new(
        &mut self,
        cube: Cube,
        hash: Hash,
        source: Source,
        reached: Option<bool>,
    ) -> Result<(), Ended> {
        if self.problem.is_excluded(&cube) || self.problem.is_impossible(&cube) {
            return Ok(());
        }
        let id = self.graph.insert(cube, hash, source);
        self.enter(id, reached)
    }

    /// Queues a cube. If it is reached, it ends the search or refutes the candidate that it comes from.
    fn enter(&mut self, id: NodeId, reached: Option<bool>) -> Result<(), Ended> {
        let reached = reached.unwrap_or_else(|| self.evaluator().is_reached(&self.graph[id].cube));
        self.graph.set_reached(id, reached);
        if !reached {
            self.push(id);
            return Ok(());
        }
        match self.graph[id].origin {
            None => Err(Ended::Reached(id)),
            Some(candidate) => self.backtrack(candidate),
        }
    }

    fn push(&mut self, id: NodeId) {
        self.frontier.push(self.problem.vocabulary(), id, &self.graph[id].cube);
    }

    fn report(&self) {
        if let Some(progress) = &self.progress {
            self.counts.report(progress, self.visited.len(), self.frontier.len());
        }
    }

    /// Adds what was done to the statistics.
    pub(crate) fn fill(&self, statistics: &mut Statistics) {
        statistics.nodes = self.counts.visited;
        statistics.subsumed = self.counts.subsumed;
        statistics.deleted = self.counts.deleted;
        statistics.refuted = self.counts.refuted;
        statistics.invariants = self.candidates().count();
        statistics.max_processes =
            self.invariant().map(|cube| usize::from(cube.processes)).max().unwrap_or(0);
    }

    pub(crate) fn nodes(&self) -> &[Node] {
        self.graph.nodes()
    }

    /// From a cube that is reached to the cube of a property that it comes from.
    pub(crate) fn path_of(&self, ended: Ended) -> Vec<NodeId> {
        if let Ended::Reached(id) = ended { self.graph.path(id) } else { vec![] }
    }

    /// The steps from a cube to the property that it comes from.
    pub(crate) fn path(&self, from: NodeId) -> Path {
        let processes = u32::from(self.graph[from].cube.processes);
        let (mut rules, mut of) = (Vec::new(), None);
        for id in self.graph.path(from) {
            match self.graph[id].source {
                Source::Property(property) => of = Some(property),
                Source::Step { transition, .. } => {
                    rules.push(self.problem.system.transitions[transition].rule);
                }
                Source::Candidate { .. } | Source::Fact => {}
            }
        }
        Path { property: of.expect("facts have no pre-images"), rules, processes }
    }

    /// The part of the invariant that was found by approximation.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = &Cube> {
        let used = self.visited.ids().map(|id| &self.graph[id]);
        used.filter(|node| matches!(node.source, Source::Candidate { .. })).map(|node| &node.cube)
    }

    /// The cubes whose negations are the invariant.
    pub(crate) fn invariant(&self) -> impl Iterator<Item = &Cube> {
        self.visited.ids().map(|id| &self.graph[id].cube)
    }
}
