//! The graph of a proof: its cubes, how each of them came up, and why some of them need not be visited.
//!
//! With approximation, a cube may be replaced by a more general candidate. Whatever comes from a candidate has it as its
//! origin, and whatever is left out has a justification. Both are indexed in the opposite direction as well, so that a
//! candidate that is refuted can be retracted with everything that depends on it, and with nothing else.

use crate::cube::Cube;
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;
use std::hash::BuildHasher;
use std::ops::Index;

/// A cube of the graph, by number.
pub(crate) type NodeId = u32;

/// How a cube came up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// It is a cube of a property of the model.
    Property(usize),
    /// What never changes excludes it, or a short search of its own has shown that it is unreachable.
    Fact,
    /// The pre-image of a cube by a transition.
    Step { after: NodeId, transition: usize },
    /// A candidate that replaces a cube.
    Candidate { of: NodeId },
}

/// The visited cubes because of which another one need not be visited.
pub(crate) type Justification = SmallVec<[NodeId; 2]>;

/// What has become of a cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It waits in the frontier.
    Queued,
    /// Part of the invariant; its pre-images are in the graph.
    Visited,
    /// Left out: these visited cubes subsume it.
    Subsumed(Justification),
    /// Left out: all cubes whose pre-image it is are subsumed by these, whose pre-images are in the graph.
    Orphaned(Justification),
    /// Left out: this candidate is visited in its place.
    Replaced(NodeId),
    /// Not part of the proof: it came from a candidate that was refuted.
    Retracted,
}

impl State {
    fn justification(&self) -> &[NodeId] {
        match self {
            State::Subsumed(by) | State::Orphaned(by) => by,
            State::Replaced(by) => std::slice::from_ref(by),
            State::Queued | State::Visited | State::Retracted => &[],
        }
    }
}

/// A cube with its history.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) cube: Cube,
    pub(crate) source: Source,
    /// Further ways in which the same cube came up.
    others: SmallVec<[Source; 1]>,
    pub(crate) state: State,
    /// The candidate that it comes from, if any; a candidate is its own origin.
    pub(super) origin: Option<NodeId>,
    /// Whether it meets an initial state, or a state that is known to be reachable.
    pub(super) reached: bool,
}

/// The hash of a cube: cubes are large, so it is computed once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hash(u64);

/// All cubes that came up. Each occurs once, however often it came up.
#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    by_hash: HashTable<(Hash, NodeId)>,
    /// For each candidate, at least the nodes whose origin it is.
    derived: FxHashMap<NodeId, Vec<NodeId>>,
    /// For each node, at least the nodes whose justification it is part of.
    justified: FxHashMap<NodeId, Vec<NodeId>>,
}

impl Graph {
    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The number of a cube, or its hash if it is not in the graph.
    pub(super) fn find(&self, cube: &Cube) -> Result<NodeId, Hash> {
        let hash = Hash(FxBuildHasher.hash_one(cube));
        self.find_by_hash(cube, hash).ok_or(hash)
    }

    /// The number of a cube with this hash, if it is in the graph.
    pub(super) fn find_by_hash(&self, cube: &Cube, hash: Hash) -> Option<NodeId> {
        let found = self.by_hash.find(hash.0, |(known, id)| *known == hash && self[*id].cube == *cube);
        found.map(|(_, id)| *id)
    }

    /// Adds a cube that is not in the graph.
    pub(super) fn insert(&mut self, cube: Cube, hash: Hash, source: Source) -> NodeId {
        let id = u32::try_from(self.nodes.len()).expect("memory ends before");
        self.by_hash.insert_unique(hash.0, (hash, id), |(hash, _)| hash.0);
        let (others, state) = (SmallVec::new(), State::Queued);
        self.nodes.push(Node { cube, source, others, state, origin: None, reached: false });
        self.set_source(id, source);
        id
    }

    /// A cube of the graph came up in another way.
    pub(super) fn add_source(&mut self, id: NodeId, source: Source) {
        self.node_mut(id).others.push(source);
    }

    /// Queues a cube that was retracted, since it came up again.
    pub(super) fn revive(&mut self, id: NodeId, source: Source) {
        let node = self.node_mut(id);
        node.others.clear();
        node.state = State::Queued;
        self.set_source(id, source);
    }

    /// Makes a known cube the candidate that replaces another. The way in which it came up before remains one, unless it was
    /// retracted.
    pub(super) fn make_candidate(&mut self, id: NodeId, of: NodeId) {
        let node = self.node_mut(id);
        if node.state != State::Retracted {
            node.others.push(node.source);
        }
        self.set_source(id, Source::Candidate { of });
    }

    fn set_source(&mut self, id: NodeId, source: Source) {
        let origin = match source {
            Source::Property(_) | Source::Fact => None,
            Source::Step { after, .. } => self[after].origin,
            Source::Candidate { .. } => Some(id),
        };
        let node = self.node_mut(id);
        (node.source, node.origin) = (source, origin);
        if let Some(origin) = origin {
            self.derived.entry(origin).or_default().push(id);
        }
    }

    pub(super) fn set_reached(&mut self, id: NodeId, reached: bool) {
        self.node_mut(id).reached = reached;
    }

    pub(super) fn set_visited(&mut self, id: NodeId) {
        self.node_mut(id).state = State::Visited;
    }

    /// Leaves a cube out, with a state that has a justification.
    pub(super) fn leave_out(&mut self, id: NodeId, state: State) {
        for by in state.justification() {
            self.justified.entry(*by).or_default().push(id);
        }
        self.node_mut(id).state = state;
    }

    /// The visited cubes that subsume everything whose pre-image a cube is, if they do.
    pub(super) fn orphaned_by(&self, id: NodeId) -> Option<Justification> {
        let node = &self[id];
        let mut all = SmallVec::new();
        for source in std::iter::once(&node.source).chain(&node.others) {
            match source {
                Source::Step { after, .. } => match &self[*after].state {
                    State::Subsumed(by) => all.extend_from_slice(by),
                    State::Retracted => {}
                    _ => return None,
                },
                Source::Property(_) | Source::Fact | Source::Candidate { .. } => return None,
            }
        }
        Some(all)
    }

    /// Retracts everything that comes from a candidate, and returns it in order.
    pub(super) fn retract(&mut self, candidate: NodeId) -> Vec<NodeId> {
        let mut retracted = self.derived.remove(&candidate).unwrap_or_default();
        retracted.retain(|id| {
            let node = self.node_mut(*id);
            // By now it may have come up in another way.
            let depends = node.origin == Some(candidate) && node.state != State::Retracted;
            if depends {
                node.state = State::Retracted;
            }
            depends
        });
        retracted.sort_unstable();
        retracted
    }

    /// Queues every cube that was left out because of one of these, and returns them.
    pub(super) fn requeue_justified_by(&mut self, retracted: &[NodeId]) -> Vec<NodeId> {
        let mut requeued = Vec::new();
        for by in retracted {
            for id in self.justified.remove(by).unwrap_or_default() {
                let node = self.node_mut(id);
                if node.state.justification().contains(by) {
                    node.state = State::Queued;
                    requeued.push(id);
                }
            }
        }
        requeued
    }

    /// Queues a retracted cube if it also came up in a way that has not been retracted. Whether it did.
    pub(super) fn requeue_by_another_source(&mut self, id: NodeId) -> bool {
        let others = std::mem::take(&mut self.node_mut(id).others);
        let is_valid = |source: &Source| match source {
            Source::Property(_) | Source::Fact => true,
            Source::Step { after, .. } => self[*after].state != State::Retracted,
            Source::Candidate { .. } => false,
        };
        let mut valid = others.into_iter().filter(is_valid);
        let Some(source) = valid.next() else { return false };
        let others = valid.collect();
        let node = self.node_mut(id);
        (node.others, node.state) = (others, State::Queued);
        self.set_source(id, source);
        true
    }

    /// From a cube to the cube of a property that it comes from.
    pub(super) fn path(&self, from: NodeId) -> Vec<NodeId> {
        let mut path = vec![from];
        let mut at = from;
        while let Source::Step { after: next, .. } | Source::Candidate { of: next } = self[at].source {
            path.push(next);
            at = next;
        }
        path
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }
}

impl Index<NodeId> for Graph {
    type Output = Node;

    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }
}
