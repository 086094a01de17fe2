//! The backward search: from the bad states, by pre-images, until nothing new is found.

use crate::assume::{Assumer, Branch, Env, bind};
use crate::canonical::canonical;
use crate::cover::{Signature, covers};
use crate::cube::Cube;
use crate::initial::meets_initial;
use crate::preimage::pre_images;
use crate::system::{Bad, System};
use crate::vocabulary::Vocabulary;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A cube of the search, by number.
pub(crate) type NodeId = u32;

/// Where a cube comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    /// A property of the model.
    Property(usize),
    /// The pre-image of a cube by a transition.
    Step { after: NodeId, transition: usize },
}

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) cube: Cube,
    pub(crate) from: From,
    pub(crate) depth: u32,
    /// Covered by a cube that came later: neither it nor what comes from it alone is needed any more.
    pub(crate) deleted: bool,
}

/// The visited cubes with what it takes to tell quickly that they do not cover another.
#[derive(Debug, Default)]
struct Visited {
    entries: Vec<(Signature, NodeId)>,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// No more cubes: none meets an initial state.
    Closed,
    /// A cube that meets an initial state.
    Initial(NodeId),
    /// A branch needs more processes than a cube can have.
    TooManyProcesses,
}

/// A search under way.
pub(crate) struct Search<'s> {
    system: &'s System,
    assumer: Assumer<'s>,
    pub(crate) nodes: Vec<Node>,
    visited: Visited,
    /// By number of processes, then first in, first out.
    queue: BinaryHeap<Reverse<(u8, NodeId)>>,
    seen: FxHashSet<Cube>,
    excluded: Vec<Cube>,
    pub(crate) tests: usize,
}

impl<'s> Search<'s> {
    pub(crate) fn new(system: &'s System) -> Search<'s> {
        Search {
            system,
            assumer: Assumer::new(&system.vocabulary),
            nodes: vec![],
            visited: Visited::default(),
            queue: BinaryHeap::new(),
            seen: FxHashSet::default(),
            excluded: vec![],
            tests: 0,
        }
    }

    pub(crate) fn run(&mut self) -> Ended {
        for assumption in &self.system.assumptions {
            let mut cubes = cubes_of(&self.assumer, assumption);
            self.excluded.append(&mut cubes);
        }
        for (at, property) in self.system.properties.iter().enumerate() {
            for cube in cubes_of(&self.assumer, property) {
                if let Some(ended) = self.add(cube, From::Property(at), 0) {
                    return ended;
                }
            }
        }
        while let Some(Reverse((_, id))) = self.queue.pop() {
            if let Some(ended) = self.visit(id) {
                return ended;
            }
        }
        if self.assumer.overflow.get() { Ended::TooManyProcesses } else { Ended::Closed }
    }

    fn vocabulary(&self) -> &'s Vocabulary {
        &self.system.vocabulary
    }

    /// Puts a cube into the queue, unless it is there or was.
    fn add(&mut self, cube: Cube, from: From, depth: u32) -> Option<Ended> {
        if !self.seen.insert(cube.clone()) {
            return None;
        }
        if self.excluded.iter().any(|excluded| covers(self.vocabulary(), excluded, &cube)) {
            return None;
        }
        let id = u32::try_from(self.nodes.len()).expect("memory ends before");
        let initial = meets_initial(self.system, &self.assumer, &cube);
        let processes = cube.processes;
        self.nodes.push(Node { cube, from, depth, deleted: false });
        if initial {
            return Some(Ended::Initial(id));
        }
        self.queue.push(Reverse((processes, id)));
        None
    }

    fn visit(&mut self, id: NodeId) -> Option<Ended> {
        let system = self.system;
        let node = &self.nodes[id as usize];
        if let From::Step { after, .. } = node.from
            && self.nodes[after as usize].deleted
        {
            return None;
        }
        if self.is_covered(&node.cube) {
            return None;
        }
        self.delete_covered(id);
        let (cube, depth) = (self.nodes[id as usize].cube.clone(), self.nodes[id as usize].depth);
        self.visited.entries.push((Signature::demanded(&cube, self.vocabulary()), id));
        for (at, transition) in system.transitions.iter().enumerate() {
            let mut found = Vec::new();
            pre_images(&self.assumer, transition, &cube, &mut |cube| found.push(cube));
            for mut cube in found {
                canonical(&mut cube, &system.vocabulary);
                let ended = self.add(cube, From::Step { after: id, transition: at }, depth + 1);
                if ended.is_some() {
                    return ended;
                }
            }
        }
        None
    }

    fn is_covered(&self, cube: &Cube) -> bool {
        let offered = Signature::offered(cube, self.vocabulary());
        self.visited.entries.iter().any(|(demanded, id)| {
            demanded.is_within(offered) && covers(self.vocabulary(), &self.nodes[*id as usize].cube, cube)
        }) || self.is_covered_together(cube, offered)
    }

    fn is_covered_together(&self, cube: &Cube, offered: Signature) -> bool {
        let mut found = Vec::new();
        for (demanded, id) in &self.visited.entries {
            if demanded.missing_from(offered) <= crate::union::MAX_OPEN {
                crate::union::instances(self.vocabulary(), &self.nodes[*id as usize].cube, *id, cube, &mut found);
            }
        }
        crate::union::is_covered(self.vocabulary(), cube, found, &mut vec![])
    }

    /// Deletes the visited cubes that a new one covers.
    fn delete_covered(&mut self, id: NodeId) {
        let vocabulary = self.vocabulary();
        let demanded = Signature::demanded(&self.nodes[id as usize].cube, vocabulary);
        let nodes = &mut self.nodes;
        self.visited.entries.retain(|(_, old)| {
            let (new, known) = (&nodes[id as usize].cube, &nodes[*old as usize].cube);
            let covered = demanded.is_within(Signature::offered(known, vocabulary))
                && covers(vocabulary, new, known);
            if covered {
                nodes[*old as usize].deleted = true;
            }
            !covered
        });
    }

    pub(crate) fn visited(&self) -> impl Iterator<Item = &Cube> {
        self.visited.entries.iter().map(|(_, id)| &self.nodes[*id as usize].cube)
    }
}

/// The cubes of a property, in canonical form.
pub(crate) fn cubes_of(assumer: &Assumer<'_>, property: &Bad) -> Vec<Cube> {
    let vocabulary = assumer.vocabulary;
    let mut cubes = Vec::new();
    each_binding(vocabulary, &property.params, &mut Env::new(), vocabulary.named, &mut |env, processes| {
        let branch = Branch::new(Cube::new(processes));
        assumer.assume(branch, &property.formula, env, &mut |branch| {
            assumer.finish(branch, &mut |branch| {
                let mut cube = branch.cube;
                if cube.settle(vocabulary).is_ok() {
                    cube.drop_unused_processes(vocabulary);
                    canonical(&mut cube, vocabulary);
                    if !cubes.contains(&cube) {
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
        env[usize::from(*param)] = crate::assume::UNBOUND;
    }
}
