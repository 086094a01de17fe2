//! The backward search: from the bad states, by pre-images, until nothing new is found.
//!
//! With approximation, a visited cube may be replaced by a more general candidate. Whatever comes from a candidate
//! has it as its origin. If one of these meets an initial or a known state, the candidate was wrong: what came from it is
//! undone, what was left out because of it returns to the queue, and everything else stays.

use crate::approximate::Approximator;
use crate::assume::{Assumer, Branch, Env, UNBOUND, bind};
use crate::canonical::canonical;
use crate::confirm::Path;
use crate::cover::{Signature, covers};
use crate::cube::Cube;
use crate::initial::meets_initial;
use crate::preimage::pre_images;
use crate::system::{Bad, System};
use crate::union::{self, MAX_OPEN};
use crate::vocabulary::Vocabulary;
use crate::{Options, Techniques};
use explore::{Limit, Limits};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Which cube is looked at next: the names are those of Cubicle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// First in, first out.
    #[default]
    Bfs,
    /// Last in, first out.
    Dfs,
    /// The fewest literals first, older ones before younger.
    Bfsh,
    /// The fewest literals first, younger ones before older.
    Dfsh,
    /// The fewest literals about cells of arrays first, older ones before younger.
    Bfsa,
    /// The fewest literals about cells of arrays first, younger ones before older.
    Dfsa,
}

/// How far a proof is, for those who watch.
#[derive(Debug, Default)]
pub struct Progress {
    /// Cubes of the invariant so far.
    pub visited: AtomicUsize,
    /// Cubes that wait.
    pub queued: AtomicUsize,
    /// The most processes of a visited cube.
    pub processes: AtomicUsize,
    /// Guessed invariants so far.
    pub candidates: AtomicUsize,
    /// Guesses that were taken back.
    pub undone: AtomicUsize,
}

/// What a proof has taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Cubes that were visited, those deleted later included.
    pub nodes: usize,
    /// Cubes that others covered.
    pub covered: usize,
    /// Visited cubes that a later one covered.
    pub deleted: usize,
    /// Guessed invariants that are part of the proof.
    pub invariants: usize,
    /// Guessed invariants that turned out to be wrong.
    pub undone: usize,
    /// The most processes of a visited cube.
    pub max_processes: usize,
    /// States that guesses were tested against.
    pub oracle_states: usize,
    /// Wall-clock time.
    pub time: Duration,
}

/// What a cube takes with everything that is kept about it, roughly.
const BYTES_PER_NODE: usize = 800;

/// A cube of the search, by number.
pub(crate) type NodeId = u32;

/// Where a cube comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A property of the model.
    Property(usize),
    /// Excluded by what never changes.
    Fact,
    /// The pre-image of a cube by a transition.
    Step { after: NodeId, transition: usize },
    /// A candidate that replaces a cube.
    Candidate { of: NodeId },
}

/// What has become of a cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Queued,
    /// Part of the invariant, its pre-images are in the search.
    Visited,
    /// Left out because these visited cubes cover it.
    Covered(SmallVec<[NodeId; 2]>),
    /// Left out because the cubes whose pre-image it is are covered by these, whose pre-images are in the search.
    Orphaned(SmallVec<[NodeId; 2]>),
    /// Replaced by a candidate.
    Replaced(NodeId),
    /// Came from a candidate that was wrong.
    Undone,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) cube: Cube,
    pub(crate) source: Source,
    /// Further ways in which the same cube came up.
    others: SmallVec<[Source; 1]>,
    pub(crate) state: State,
    pub(crate) depth: u32,
    /// The candidate that it comes from, if it does.
    pub(crate) origin: Option<NodeId>,
}

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
}

/// The place of a cube in the queue: smaller ones come first.
type Rank = (u8, u32, i64);

/// A search under way.
pub(crate) struct Search<'s> {
    system: &'s System,
    assumer: Assumer<'s>,
    approximator: Option<Approximator>,
    pub(crate) nodes: Vec<Node>,
    /// The visited cubes with their signatures.
    visited: Vec<(Signature, NodeId)>,
    queue: BinaryHeap<Reverse<(Rank, NodeId)>>,
    known: FxHashMap<Cube, NodeId>,
    /// What no instance satisfies.
    excluded: Vec<Cube>,
    order: Order,
    techniques: Techniques,
    limits: Limits,
    begun: Instant,
    progress: Option<Arc<Progress>>,
    counts: Counts,
}

impl<'s> Search<'s> {
    pub(crate) fn new(
        system: &'s System,
        approximator: Option<Approximator>,
        options: &Options,
    ) -> Search<'s> {
        let begun = Instant::now();
        let mut assumer = Assumer::new(&system.vocabulary);
        assumer.deadline = options.limits.time.and_then(|most| begun.checked_add(most));
        Search {
            system,
            assumer,
            approximator,
            nodes: vec![],
            visited: vec![],
            queue: BinaryHeap::new(),
            known: FxHashMap::default(),
            excluded: vec![],
            order: options.order,
            techniques: options.techniques,
            limits: options.limits.clone(),
            begun,
            progress: options.progress.clone(),
            counts: Counts::default(),
        }
    }

    pub(crate) fn run(&mut self) -> Ended {
        let ended = self.search();
        // Nothing that ended for want of time is an answer: branches are missing.
        if self.assumer.late.get() { Ended::Limit(Limit::Time) } else { ended }
    }

    fn search(&mut self) -> Ended {
        let anything = Cube::new(self.vocabulary().named);
        if !meets_initial(self.system, &self.assumer, &anything) {
            // There is no initial state: "nothing is reachable" is inductive.
            self.add_fact(anything);
            return Ended::Closed;
        }
        for assumption in &self.system.assumptions {
            let mut cubes = cubes_of(&self.assumer, assumption);
            self.excluded.append(&mut cubes);
        }
        for fact in &self.system.facts {
            for cube in cubes_of(&self.assumer, fact) {
                self.add_fact(cube);
            }
        }
        for (at, property) in self.system.properties.iter().enumerate() {
            for cube in cubes_of(&self.assumer, property) {
                if let Err(ended) = self.add(cube, Source::Property(at)) {
                    return ended;
                }
            }
        }
        while let Some(Reverse((_, id))) = self.queue.pop() {
            if let Some(limit) = self.limit() {
                return Ended::Limit(limit);
            }
            if let Err(ended) = self.visit(id) {
                return ended;
            }
        }
        if self.assumer.overflow.get() { Ended::TooManyProcesses } else { Ended::Closed }
    }

    /// The limit that is hit, if one is.
    fn limit(&self) -> Option<Limit> {
        let limits = &self.limits;
        if limits.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Limit::Cancelled);
        }
        if limits.time.is_some_and(|most| self.begun.elapsed() >= most) {
            return Some(Limit::Time);
        }
        if limits.states.is_some_and(|most| self.counts.visited >= most) {
            return Some(Limit::States);
        }
        let bytes = self.nodes.len() * BYTES_PER_NODE;
        limits.memory.is_some_and(|most| bytes >= most).then_some(Limit::Memory)
    }

    fn push(&mut self, id: NodeId) {
        let rank = self.rank(id);
        self.queue.push(Reverse((rank, id)));
    }

    fn rank(&self, id: NodeId) -> Rank {
        let cube = &self.node(id).cube;
        let processes = if self.techniques.postpone { cube.processes } else { 0 };
        let size = match self.order {
            Order::Bfs | Order::Dfs => 0,
            Order::Bfsh | Order::Dfsh => cube.literals(),
            Order::Bfsa | Order::Dfsa => {
                let cells = cube.cells();
                cells.iter().filter(|cell| self.vocabulary().arity(**cell) > 0).count()
            }
        };
        let age = match self.order {
            Order::Bfs | Order::Bfsh | Order::Bfsa => i64::from(id),
            Order::Dfs | Order::Dfsh | Order::Dfsa => -i64::from(id),
        };
        (processes, u32::try_from(size).unwrap_or(u32::MAX), age)
    }

    fn report(&self) {
        let Some(progress) = &self.progress else { return };
        progress.visited.store(self.visited.len(), Ordering::Relaxed);
        progress.queued.store(self.queue.len(), Ordering::Relaxed);
        progress.candidates.store(self.counts.candidates - self.counts.undone, Ordering::Relaxed);
        progress.undone.store(self.counts.undone, Ordering::Relaxed);
    }

    /// Adds what was done to the statistics.
    pub(crate) fn fill(&self, statistics: &mut Statistics) {
        statistics.nodes = self.counts.visited;
        statistics.covered = self.counts.covered;
        statistics.deleted = self.counts.deleted;
        statistics.undone = self.counts.undone;
        statistics.invariants = self.guessed().count();
        let in_use = self.visited.iter().map(|(_, id)| self.node(*id));
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
        &self.nodes[id as usize]
    }

    /// A cube over symbols that never change has no pre-image: it is part of the invariant if no initial state matches it.
    fn add_fact(&mut self, cube: Cube) {
        if self.known.contains_key(&cube) || meets_initial(self.system, &self.assumer, &cube) {
            return;
        }
        let id = u32::try_from(self.nodes.len()).expect("memory ends before");
        self.visited.push((Signature::demanded(&cube, self.vocabulary()), id));
        self.known.insert(cube.clone(), id);
        let (source, state) = (Source::Fact, State::Visited);
        self.nodes.push(Node { cube, source, others: SmallVec::new(), state, depth: 0, origin: None });
    }

    /// Adds a cube to the search, unless it is in it.
    fn add(&mut self, cube: Cube, source: Source) -> Result<(), Ended> {
        if let Some(known) = self.known.get(&cube) {
            let node = &mut self.nodes[*known as usize];
            if node.state == State::Undone {
                return self.revive(*known, source);
            }
            node.others.push(source);
            if matches!(node.state, State::Orphaned(_)) {
                node.state = State::Queued;
                let known = *known;
                self.push(known);
            }
            return Ok(());
        }
        if self.excluded.iter().any(|excluded| covers(self.vocabulary(), excluded, &cube)) {
            return Ok(());
        }
        let id = u32::try_from(self.nodes.len()).expect("memory ends before");
        let (depth, origin) = (self.depth_of(source), self.origin_of(source, id));
        self.known.insert(cube.clone(), id);
        let state = State::Queued;
        self.nodes.push(Node { cube, source, others: SmallVec::new(), state, depth, origin });
        self.enter(id)
    }

    /// A cube that was undone comes up again.
    fn revive(&mut self, id: NodeId, source: Source) -> Result<(), Ended> {
        let (depth, origin) = (self.depth_of(source), self.origin_of(source, id));
        let node = &mut self.nodes[id as usize];
        (node.source, node.depth, node.origin, node.state) = (source, depth, origin, State::Queued);
        node.others.clear();
        self.enter(id)
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
    fn enter(&mut self, id: NodeId) -> Result<(), Ended> {
        let cube = &self.nodes[id as usize].cube;
        let vocabulary = &self.system.vocabulary;
        let reached = meets_initial(self.system, &self.assumer, cube)
            || self.approximator.as_mut().is_some_and(|known| known.is_reachable(vocabulary, cube));
        if !reached {
            self.push(id);
            return Ok(());
        }
        match self.node(id).origin {
            None => Err(Ended::Reached(id)),
            Some(candidate) => self.undo(candidate),
        }
    }

    fn visit(&mut self, id: NodeId) -> Result<(), Ended> {
        if self.node(id).state != State::Queued {
            return Ok(());
        }
        if let Some(by) = self.orphaned_by(id) {
            self.nodes[id as usize].state = State::Orphaned(by);
            return Ok(());
        }
        if let Some(by) = self.covered_by(id) {
            self.counts.covered += 1;
            self.nodes[id as usize].state = State::Covered(by);
            return Ok(());
        }
        let vocabulary = self.vocabulary();
        let cube = &self.nodes[id as usize].cube;
        let (system, assumer) = (self.system, &self.assumer);
        let is_initial = |cube: &Cube| meets_initial(system, assumer, cube);
        let candidate =
            self.approximator.as_mut().and_then(|known| known.candidate(vocabulary, cube, &is_initial));
        match candidate {
            None => self.expand(id),
            Some(candidate) => self.replace(id, candidate),
        }
    }

    /// Visits a candidate instead of a cube.
    fn replace(&mut self, id: NodeId, candidate: Cube) -> Result<(), Ended> {
        self.counts.candidates += 1;
        let known = self.known.get(&candidate).copied();
        let new = match known {
            Some(known)
                if matches!(self.node(known).state, State::Undone | State::Queued | State::Orphaned(_)) =>
            {
                known
            }
            // Visited, or covered: then the cube is covered too, which was looked at, but not as hard.
            Some(known) => {
                self.nodes[id as usize].state = State::Covered(SmallVec::from_slice(&[known]));
                return Ok(());
            }
            None => {
                let new = u32::try_from(self.nodes.len()).expect("memory ends before");
                self.known.insert(candidate.clone(), new);
                self.nodes.push(Node {
                    cube: candidate,
                    source: Source::Candidate { of: id },
                    others: SmallVec::new(),
                    state: State::Queued,
                    depth: 0,
                    origin: None,
                });
                new
            }
        };
        let depth = self.node(id).depth;
        let node = &mut self.nodes[new as usize];
        if node.state != State::Undone && known.is_some() {
            node.others.push(node.source);
        }
        (node.source, node.depth, node.origin, node.state) =
            (Source::Candidate { of: id }, depth, Some(new), State::Queued);
        self.nodes[id as usize].state = State::Replaced(new);
        self.expand(new)
    }

    fn expand(&mut self, id: NodeId) -> Result<(), Ended> {
        self.counts.visited += 1;
        self.report();
        if self.techniques.deletion {
            self.delete_covered(id);
        }
        self.nodes[id as usize].state = State::Visited;
        let cube = self.node(id).cube.clone();
        self.visited.push((Signature::demanded(&cube, self.vocabulary()), id));
        let system = self.system;
        for (at, transition) in system.transitions.iter().enumerate() {
            let mut found = Vec::new();
            pre_images(&self.assumer, transition, &cube, &mut |cube| found.push(cube));
            for mut before in found {
                canonical(&mut before, &system.vocabulary);
                self.add(before, Source::Step { after: id, transition: at })?;
                if self.node(id).state != State::Visited {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The visited cubes that cover everything whose pre-image a cube is, if they do.
    fn orphaned_by(&self, id: NodeId) -> Option<SmallVec<[NodeId; 2]>> {
        let node = self.node(id);
        let mut all = SmallVec::new();
        for source in std::iter::once(&node.source).chain(&node.others) {
            match source {
                Source::Step { after, .. } => match &self.node(*after).state {
                    State::Covered(by) => all.extend_from_slice(by),
                    State::Undone => {}
                    _ => return None,
                },
                Source::Property(_) | Source::Fact | Source::Candidate { .. } => return None,
            }
        }
        Some(all)
    }

    /// The visited cubes that cover a cube, if they do.
    fn covered_by(&self, id: NodeId) -> Option<SmallVec<[NodeId; 2]>> {
        let (vocabulary, cube) = (self.vocabulary(), &self.node(id).cube);
        let offered = Signature::offered(cube, vocabulary);
        let covering = self.visited.iter().find(|(demanded, by)| {
            demanded.is_within(offered) && covers(vocabulary, &self.node(*by).cube, cube)
        });
        if let Some((_, by)) = covering {
            return Some(SmallVec::from_slice(&[*by]));
        }
        if !self.techniques.union {
            return None;
        }
        let mut instances = Vec::new();
        for (demanded, by) in &self.visited {
            if demanded.missing_from(offered) <= MAX_OPEN {
                union::instances(vocabulary, &self.node(*by).cube, *by, cube, &mut instances);
            }
        }
        let mut used = Vec::new();
        union::is_covered(vocabulary, cube, instances, &mut used).then(|| {
            used.sort_unstable();
            used.dedup();
            used.into()
        })
    }

    /// Deletes the visited cubes that a new one covers.
    fn delete_covered(&mut self, id: NodeId) {
        let vocabulary = self.vocabulary();
        let demanded = Signature::demanded(&self.node(id).cube, vocabulary);
        let (nodes, counts) = (&mut self.nodes, &mut self.counts);
        self.visited.retain(|(_, old)| {
            let (new, known) = (&nodes[id as usize].cube, &nodes[*old as usize].cube);
            let covered =
                demanded.is_within(Signature::offered(known, vocabulary)) && covers(vocabulary, new, known);
            if covered {
                counts.deleted += 1;
                nodes[*old as usize].state = State::Covered(SmallVec::from_slice(&[id]));
            }
            !covered
        });
    }

    /// A candidate was wrong: takes back everything that came from it.
    fn undo(&mut self, candidate: NodeId) -> Result<(), Ended> {
        self.counts.undone += 1;
        if let Some(approximator) = &mut self.approximator {
            approximator.refute(&self.nodes[candidate as usize].cube);
        }
        let mut gone = Vec::new();
        for (id, node) in (0..).zip(&mut self.nodes) {
            if node.origin == Some(candidate) && node.state != State::Undone {
                node.state = State::Undone;
                gone.push(id);
            }
        }
        let is_gone = |id: &NodeId| gone.binary_search(id).is_ok();
        self.visited.retain(|(_, id)| !is_gone(id));
        for id in 0..self.nodes.len() {
            let returns = match &self.nodes[id].state {
                State::Covered(by) | State::Orphaned(by) => by.iter().any(is_gone),
                State::Replaced(by) => is_gone(by),
                _ => false,
            };
            if returns {
                self.nodes[id].state = State::Queued;
                let id = u32::try_from(id).expect("ids are numbers");
                self.push(id);
            }
        }
        gone.into_iter().try_for_each(|id| self.return_by_another_way(id))
    }

    /// A cube that was undone stays if it also came from somewhere else.
    fn return_by_another_way(&mut self, id: NodeId) -> Result<(), Ended> {
        if self.node(id).state != State::Undone {
            return Ok(());
        }
        let others = std::mem::take(&mut self.nodes[id as usize].others);
        let alive = |source: &Source| match source {
            Source::Property(_) | Source::Fact => true,
            Source::Step { after, .. } => self.node(*after).state != State::Undone,
            Source::Candidate { .. } => false,
        };
        let alive: SmallVec<[Source; 1]> = others.iter().copied().filter(alive).collect();
        let Some((source, rest)) = alive.split_first() else { return Ok(()) };
        let (depth, origin) = (self.depth_of(*source), self.origin_of(*source, id));
        let node = &mut self.nodes[id as usize];
        (node.source, node.depth, node.origin, node.state) = (*source, depth, origin, State::Queued);
        node.others = SmallVec::from_slice(rest);
        self.enter(id)
    }

    /// The part of the invariant that was guessed.
    pub(crate) fn guessed(&self) -> impl Iterator<Item = &Cube> {
        let in_use = self.visited.iter().map(|(_, id)| self.node(*id));
        in_use.filter(|node| matches!(node.source, Source::Candidate { .. })).map(|node| &node.cube)
    }

    /// The cubes whose negations are the invariant.
    pub(crate) fn invariant(&self) -> impl Iterator<Item = &Cube> {
        self.visited.iter().map(|(_, id)| &self.node(*id).cube)
    }
}

/// The cubes of a property, in canonical form.
pub(crate) fn cubes_of(assumer: &Assumer<'_>, property: &Bad) -> Vec<Cube> {
    let vocabulary = assumer.vocabulary;
    let (mut cubes, mut known) = (Vec::new(), FxHashSet::default());
    each_binding(vocabulary, &property.params, &mut Env::new(), vocabulary.named, &mut |env, processes| {
        let branch = Branch::new(Cube::new(processes));
        assumer.assume(branch, &property.formula, env, &mut |branch| {
            assumer.finish(branch, &mut |branch| {
                let mut cube = branch.cube;
                if cube.settle(vocabulary).is_ok() {
                    cube.drop_unused_processes(vocabulary);
                    canonical(&mut cube, vocabulary);
                    if known.insert(cube.clone()) {
                        cubes.push(cube);
                    }
                }
            });
        });
    });
    cubes
}

/// Distinct processes for parameters: named ones, or further ones in order.
fn each_binding(
    vocabulary: &Vocabulary,
    params: &[u16],
    env: &mut Env,
    processes: u8,
    visit: &mut dyn FnMut(&Env, u8),
) {
    let Some((param, others)) = params.split_first() else { return visit(env, processes) };
    for process in (0..vocabulary.named).chain([processes]) {
        if env.contains(&process) || process >= vocabulary.most {
            continue;
        }
        bind(env, *param, process);
        each_binding(vocabulary, others, env, processes.max(process + 1), visit);
        env[usize::from(*param)] = UNBOUND;
    }
}
