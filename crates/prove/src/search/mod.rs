//! The backward search: from the bad states, by pre-images, until nothing new is found.
//!
//! With approximation, a visited cube may be replaced by a more general candidate. Whatever comes from a candidate
//! has it as its origin. If one of these meets an initial or a known state, the candidate was wrong: what came from it is
//! undone, what was left out because of it returns to the queue, and everything else stays.

mod infer;
mod nodes;
mod progress;
mod queue;
mod roots;
mod study;
mod undo;
mod visit;
mod visited;

pub(crate) use nodes::{By, Node, NodeId, Source, State};
pub use progress::{Progress, Statistics};
pub use queue::Order;

use crate::approximate::Approximator;
use crate::assume::{Assumer, Watch};
use crate::cell::MAX_PROCESSES;
use crate::confirm::Path;
use crate::cover::covers;
use crate::cube::Cube;
use crate::initial::meets_initial;
use crate::system::System;
use crate::vocabulary::Vocabulary;
use crate::{Effort, Options, Techniques, threads};
use explore::Deadline;
use explore::{Limit, Limits};

use nodes::{Hash, Nodes};
use queue::Queue;
use roots::{cubes_of, exact_cubes_of};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;
use study::{Ahead, Replacement};
use undo::Dependents;

use visited::Visited;

/// A turn ends when so many cubes were visited or left out: of what is proved at all, nearly everything is by then.
const CUBES_OF_A_TURN: usize = 2200;
/// Or when more guesses were wrong than these,
const FEW_WRONG: usize = 3;
/// and one for so many cubes that were visited: then small instances say little about large ones.
const CUBES_FOR_ONE_WRONG: usize = 40;
/// Or when cubes have more processes: each of them takes very long then, and there is always one more.
const PROCESSES_OF_A_TURN: u8 = 6;

/// What a cube takes with everything that is kept about it, roughly.
const BYTES_PER_NODE: usize = 800;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// No more cubes: none meets an initial state.
    Closed,
    /// A cube that meets an initial state, or that a known state matches.
    Reached(NodeId),
    /// A branch needs more processes than a cube can have.
    TooManyProcesses,
    /// A limit was hit.
    Limit(Limit),
}

/// What a search has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    visited: usize,
    candidates: usize,
    undone: usize,
    deleted: usize,
    covered: usize,
    /// The most of a visited cube.
    processes: usize,
}

/// A search under way.
pub(crate) struct Search<'s> {
    system: &'s System,
    watch: Watch,
    approximator: Option<Approximator>,
    pub(crate) nodes: Nodes,
    visited: Visited,
    queue: Queue,
    /// What no instance satisfies.
    excluded: Vec<Cube>,
    techniques: Techniques,
    limits: Limits,
    effort: Effort,
    begun: Instant,
    progress: Option<Arc<Progress>>,
    counts: Counts,
    /// The search ends before it looks at a cube with more.
    pub(crate) most_processes: u8,
    /// Parts of cubes that had a search of their own.
    tried: FxHashSet<Cube>,
    /// What is known of cubes that were put back into the queue.
    put_back: FxHashMap<NodeId, Replacement>,
    /// How many threads study cubes in advance.
    threads: usize,
    ahead: Ahead,
    dependents: Dependents,
}

impl<'s> Search<'s> {
    pub(crate) fn new(
        system: &'s System,
        approximator: Option<Approximator>,
        options: &Options,
    ) -> Search<'s> {
        let begun = Instant::now();
        let Techniques { postpone, .. } = options.techniques;
        Search {
            system,
            watch: Watch::new(Deadline::of(&options.limits)),
            queue: Queue::new(options.order, postpone, approximator.is_some()),
            approximator,
            nodes: Nodes::default(),
            visited: Visited::default(),
            excluded: vec![],
            techniques: options.techniques,
            limits: options.limits.clone(),
            effort: options.effort,
            begun,
            progress: options.progress.clone(),
            counts: Counts::default(),
            most_processes: MAX_PROCESSES,
            tried: FxHashSet::default(),
            put_back: FxHashMap::default(),
            threads: options.threads,
            ahead: Ahead::default(),
            dependents: Dependents::default(),
        }
    }

    pub(crate) fn run(&mut self) -> Ended {
        let ended = if let Some(pool) = threads::pool(self.threads) {
            // One of the threads does what only one can do, and the others join it where there is more.
            threads::with_others_awake(&pool, || self.search())
        } else {
            self.threads = 1;
            self.search()
        };
        // Nothing that ended for want of time is an answer: branches are missing.
        self.watch.ended().map_or(ended, Ended::Limit)
    }

    /// A short search of its own, that begins with nothing.
    fn apart(&self, most: usize) -> Search<'s> {
        let limits = Limits { states: Some(most), ..self.limits.clone() };
        Search {
            system: self.system,
            watch: self.watch.apart(),
            approximator: None,
            nodes: Nodes::default(),
            visited: Visited::default(),
            queue: Queue::new(Order::Bfs, self.techniques.postpone, false),
            excluded: self.excluded.clone(),
            techniques: Techniques { inference: false, ..self.techniques },
            limits,
            effort: Effort::Everything,
            begun: self.begun,
            progress: None,
            counts: Counts::default(),
            most_processes: self.most_processes,
            tried: FxHashSet::default(),
            put_back: FxHashMap::default(),
            threads: 1,
            ahead: Ahead::default(),
            dependents: Dependents::default(),
        }
    }

    fn assumer(&self) -> Assumer<'_> {
        Assumer::new(self.vocabulary(), &self.watch)
    }

    fn search(&mut self) -> Ended {
        let anything = Cube::new(self.vocabulary().named);
        if !meets_initial(self.system, &self.assumer(), &anything) {
            // There is no initial state: "nothing is reachable" is inductive.
            self.add_fact(anything);
            return Ended::Closed;
        }
        for assumption in &self.system.assumptions {
            let mut cubes = exact_cubes_of(&self.assumer(), assumption);
            self.excluded.append(&mut cubes);
        }
        for fact in &self.system.facts {
            for cube in cubes_of(&self.assumer(), fact) {
                self.add_fact(cube);
            }
        }
        for (at, property) in self.system.properties.iter().enumerate() {
            for cube in cubes_of(&self.assumer(), property) {
                // A property may have very many.
                if let Some(limit) = self.limit() {
                    return Ended::Limit(limit);
                }
                if let Err(ended) = self.add(cube, Source::Property(at)) {
                    return ended;
                }
            }
        }
        self.visit_all()
    }

    /// Visits cubes until there are none left.
    fn visit_all(&mut self) -> Ended {
        loop {
            let batch = self.queue.batch();
            if batch.is_empty() {
                break;
            }
            if let Some(limit) = self.limit() {
                return Ended::Limit(limit);
            }
            let most = match self.effort {
                Effort::Bounded => self.most_processes.min(PROCESSES_OF_A_TURN),
                Effort::Everything | Effort::Short | Effort::Unbounded => self.most_processes,
            };
            if batch.iter().any(|id| self.node(*id).cube.processes > most) {
                return Ended::Limit(Limit::States);
            }
            if let Err(ended) = self.visit_batch(&batch) {
                return ended;
            }
        }
        if self.watch.has_overflowed() { Ended::TooManyProcesses } else { Ended::Closed }
    }

    /// The limit that is hit, if one is.
    fn limit(&self) -> Option<Limit> {
        let limits = &self.limits;
        if let Some(limit) = limits.ended_since(self.begun) {
            return Some(limit);
        }
        if limits.states.is_some_and(|most| self.counts.visited >= most) {
            return Some(Limit::States);
        }
        if self.effort == Effort::Bounded && self.is_long_enough() {
            return Some(Limit::States);
        }
        let bytes = self.nodes.all().len() * BYTES_PER_NODE;
        limits.memory.is_some_and(|most| bytes >= most).then_some(Limit::Memory)
    }

    /// Whether it is the turn of somebody else: many cubes were looked at, or more than a few guesses were wrong.
    fn is_long_enough(&self) -> bool {
        let Counts { visited, covered, undone, .. } = self.counts;
        visited + covered >= CUBES_OF_A_TURN || undone > FEW_WRONG + visited / CUBES_FOR_ONE_WRONG
    }

    fn push(&mut self, id: NodeId) {
        self.queue.push(&self.system.vocabulary, id, &self.nodes[id].cube);
    }

    fn report(&self) {
        let Some(progress) = &self.progress else { return };
        progress.visited.store(self.visited.len(), Ordering::Relaxed);
        progress.queued.store(self.queue.len(), Ordering::Relaxed);
        progress.candidates.store(self.counts.candidates - self.counts.undone, Ordering::Relaxed);
        progress.undone.store(self.counts.undone, Ordering::Relaxed);
        progress.processes.store(self.counts.processes, Ordering::Relaxed);
    }

    /// Adds what was done to the statistics.
    pub(crate) fn fill(&self, statistics: &mut Statistics) {
        statistics.nodes = self.counts.visited;
        statistics.covered = self.counts.covered;
        statistics.deleted = self.counts.deleted;
        statistics.undone = self.counts.undone;
        statistics.invariants = self.guessed().count();
        let in_use = self.visited.ids().map(|id| self.node(id));
        statistics.max_processes = in_use.map(|node| node.cube.processes.into()).max().unwrap_or(0);
    }

    /// The way from a cube to the property that it comes from.
    pub(crate) fn path(&self, node: NodeId) -> Path {
        let processes = u32::from(self.node(node).cube.processes);
        let (mut rules, mut at) = (Vec::new(), node);
        loop {
            match self.node(at).source {
                Source::Property(property) => return Path { property, rules, processes },
                Source::Step { after, transition } => {
                    rules.push(self.system.transitions[transition].rule);
                    at = after;
                }
                Source::Candidate { of } => at = of,
                Source::Fact => unreachable!("facts have no pre-images"),
            }
        }
    }

    fn vocabulary(&self) -> &'s Vocabulary {
        &self.system.vocabulary
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    /// A cube over symbols that never change has no pre-image: it is part of the invariant if no initial state matches it.
    fn add_fact(&mut self, cube: Cube) {
        let Err(hash) = self.nodes.find(&cube) else { return };
        if meets_initial(self.system, &self.assumer(), &cube) {
            return;
        }
        let id = self.nodes.push(cube, hash, Source::Fact);
        self.nodes[id].state = State::Visited;
        self.visited.push(&self.system.vocabulary, id, &self.nodes[id].cube);
    }

    /// Adds a cube to the search, unless it is in it.
    fn add(&mut self, cube: Cube, source: Source) -> Result<(), Ended> {
        match self.nodes.find(&cube) {
            Ok(known) => self.add_source(known, source),
            Err(hash) => self.add_new(cube, hash, source, None),
        }
    }

    /// A cube of the search comes up again.
    fn add_source(&mut self, known: NodeId, source: Source) -> Result<(), Ended> {
        let node = &mut self.nodes[known];
        if node.state == State::Undone {
            return self.revive(known, source);
        }
        // If it is an orphan, it stays one: the pre-images of the cubes that cover its origin cover it.
        node.others.push(source);
        Ok(())
    }

    /// Adds a cube that is not in the search. Whether it is reached may be known.
    fn add_new(
        &mut self,
        cube: Cube,
        hash: Hash,
        source: Source,
        reached: Option<bool>,
    ) -> Result<(), Ended> {
        if self.excluded.iter().any(|excluded| covers(self.vocabulary(), excluded, &cube)) {
            return Ok(());
        }
        let (depth, origin) = (self.depth_of(source), self.origin_of(source, self.nodes.next()));
        let id = self.nodes.push(cube, hash, source);
        (self.nodes[id].depth, self.nodes[id].origin) = (depth, origin);
        self.came_from(id);
        self.enter(id, reached)
    }

    /// A cube that was undone comes up again.
    fn revive(&mut self, id: NodeId, source: Source) -> Result<(), Ended> {
        let (depth, origin) = (self.depth_of(source), self.origin_of(source, id));
        let node = &mut self.nodes[id];
        (node.source, node.depth, node.origin, node.state) = (source, depth, origin, State::Queued);
        node.others.clear();
        self.came_from(id);
        self.enter(id, None)
    }

    fn depth_of(&self, source: Source) -> u32 {
        match source {
            Source::Property(_) | Source::Fact => 0,
            Source::Step { after, .. } => self.node(after).depth + 1,
            Source::Candidate { of } => self.node(of).depth,
        }
    }

    fn origin_of(&self, source: Source, id: NodeId) -> Option<NodeId> {
        match source {
            Source::Property(_) | Source::Fact => None,
            Source::Step { after, .. } => self.node(after).origin,
            Source::Candidate { .. } => Some(id),
        }
    }

    /// A cube that meets an initial state ends the search, or tells that its origin was wrong.
    fn enter(&mut self, id: NodeId, reached: Option<bool>) -> Result<(), Ended> {
        let reached = reached.unwrap_or_else(|| self.is_reached(&self.node(id).cube));
        self.nodes[id].reached = reached;
        if !reached {
            self.push(id);
            return Ok(());
        }
        match self.node(id).origin {
            None => Err(Ended::Reached(id)),
            Some(candidate) => self.undo(candidate),
        }
    }

    /// The part of the invariant that was guessed.
    pub(crate) fn guessed(&self) -> impl Iterator<Item = &Cube> {
        let in_use = self.visited.ids().map(|id| self.node(id));
        in_use.filter(|node| matches!(node.source, Source::Candidate { .. })).map(|node| &node.cube)
    }

    /// The cubes whose negations are the invariant.
    pub(crate) fn invariant(&self) -> impl Iterator<Item = &Cube> {
        self.visited.ids().map(|id| &self.node(id).cube)
    }
}
