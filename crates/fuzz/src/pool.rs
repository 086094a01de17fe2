//! The pool of nodes: states, with the path to each and how often their enabled actions were taken.
//!
//! Nodes are in one list, in the order in which they were reached, and an open-addressing table finds them by hash.
//! There are no allocations per node: the counts of enabled actions of all nodes are in one list.

use crate::Target;
use explore::Schedule;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The number of a node.
pub(crate) type NodeId = u32;

/// The last step of the path to a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way<A> {
    /// None: the node is an initial state, with this number.
    Start(u32),
    /// An action taken from another node.
    Step(NodeId, A),
}

pub(crate) struct Node<S: Target> {
    pub(crate) checkpoint: S::Checkpoint,
    pub(crate) way: Way<S::Action>,
    /// The transition of the last step of the path; `None` for initial states.
    pub(crate) transition: Option<u32>,
    /// At least the length of the path, and greater than the depth of the node before it, so that no path is a cycle.
    pub(crate) depth: u32,
    pub(crate) visits: u32,
    pub(crate) enabled: u32,
    /// The number of enabled actions that were never taken.
    untaken: u32,
    /// The position of its first enabled action in [`Pool::taken`].
    first_action: usize,
    /// Its position in [`Pool::open`]; [`NOBODY`] if it is not open.
    place: u32,
}

/// A state that is about to become a node.
pub(crate) struct Arrival<'a, S: Target> {
    pub(crate) checkpoint: &'a S::Checkpoint,
    pub(crate) hash: u64,
    pub(crate) way: Way<S::Action>,
    pub(crate) transition: Option<u32>,
    pub(crate) depth: u32,
    pub(crate) enabled: u32,
}

/// The position of a node that is not open.
const NOBODY: u32 = u32::MAX;
const EMPTY: u64 = u64::MAX;

pub(crate) struct Pool<S: Target> {
    pub(crate) nodes: Vec<Node<S>>,
    /// An entry is the upper half of the hash, then the number of the node.
    table: Vec<u64>,
    /// How often each enabled action of each node was taken, at most 255.
    taken: Vec<u8>,
    /// The nodes with enabled actions that were never taken.
    pub(crate) open: Vec<NodeId>,
}

impl<S: Target> Pool<S> {
    pub(crate) fn new() -> Self {
        Pool { nodes: Vec::new(), table: vec![EMPTY; 1024], taken: Vec::new(), open: Vec::new() }
    }

    /// The hash by which a state is found.
    pub(crate) fn hash(checkpoint: &S::Checkpoint) -> u64 {
        let mut hasher = FxHasher::default();
        checkpoint.hash(&mut hasher);
        let bits = hasher.finish();
        (bits ^ bits >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ bits >> 32
    }

    pub(crate) fn find(&self, hash: u64, checkpoint: &S::Checkpoint) -> Option<NodeId> {
        let mut place = home(hash, self.table.len());
        loop {
            let entry = self.table[place];
            if entry == EMPTY {
                return None;
            }
            if entry >> 32 == hash >> 32 {
                let id = number(entry);
                if self.nodes[id as usize].checkpoint == *checkpoint {
                    return Some(id);
                }
            }
            place = (place + 1) & (self.table.len() - 1);
        }
    }

    /// Adds a state that is not in the pool yet.
    pub(crate) fn insert(&mut self, arrival: &Arrival<'_, S>) -> NodeId {
        if (self.nodes.len() + 1) * 2 > self.table.len() {
            self.grow();
        }
        let id = u32::try_from(self.nodes.len()).expect("the loop ends before node numbers overflow");
        enter(&mut self.table, arrival.hash, id);
        let place = u32::try_from(self.open.len()).expect("there are no more open nodes than nodes");
        let Arrival { checkpoint, way, transition, depth, enabled, .. } = *arrival;
        let is_open = enabled > 0;
        self.nodes.push(Node {
            checkpoint: checkpoint.clone(),
            way,
            transition,
            depth,
            visits: 0,
            enabled,
            untaken: enabled,
            first_action: self.taken.len(),
            place: if is_open { place } else { NOBODY },
        });
        if is_open {
            self.open.push(id);
        }
        self.taken.resize(self.taken.len() + enabled as usize, 0);
        id
    }

    fn grow(&mut self) {
        let size = self.table.len() * 2;
        self.table.clear();
        self.table.resize(size, EMPTY);
        for (id, node) in (0..).zip(&self.nodes) {
            enter(&mut self.table, Self::hash(&node.checkpoint), id);
        }
    }

    /// How often an enabled action was taken.
    pub(crate) fn taken(&self, id: NodeId, choice: usize) -> u8 {
        self.taken[self.nodes[id as usize].first_action + choice]
    }

    pub(crate) fn is_open(&self, id: NodeId) -> bool {
        self.nodes[id as usize].place != NOBODY
    }

    /// Counts that an enabled action was taken. A node without untaken actions is no longer open.
    pub(crate) fn take(&mut self, id: NodeId, choice: u32) {
        let node = &mut self.nodes[id as usize];
        let count = &mut self.taken[node.first_action + choice as usize];
        let is_first = *count == 0;
        *count = count.saturating_add(1);
        node.untaken -= u32::from(is_first);
        if is_first && node.untaken == 0 {
            let place = std::mem::replace(&mut node.place, NOBODY);
            self.close(place);
        }
    }

    fn close(&mut self, place: u32) {
        self.open.swap_remove(place as usize);
        if let Some(moved) = self.open.get(place as usize) {
            self.nodes[*moved as usize].place = place;
        }
    }

    /// Counts a visit of a known node, and keeps the new path to it if it is shorter.
    pub(crate) fn reach_again(&mut self, id: NodeId, from: NodeId, action: S::Action, transition: u32) {
        let depth = self.nodes[from as usize].depth + 1;
        let node = &mut self.nodes[id as usize];
        node.visits = node.visits.saturating_add(1);
        if depth < node.depth {
            node.depth = depth;
            node.way = Way::Step(from, action);
            node.transition = Some(transition);
        }
    }

    /// The run that leads to a node.
    pub(crate) fn schedule(&self, mut id: NodeId) -> Schedule<S::Action> {
        let mut actions = Vec::new();
        loop {
            match self.nodes[id as usize].way {
                Way::Step(before, action) => {
                    actions.push(action);
                    id = before;
                }
                Way::Start(initial) => {
                    actions.reverse();
                    return Schedule { initial: initial as usize, actions };
                }
            }
        }
    }

    /// The estimated memory in use, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let lists = self.open.capacity() * size_of::<NodeId>() + self.taken.capacity();
        self.nodes.capacity() * size_of::<Node<S>>() + self.table.capacity() * size_of::<u64>() + lists
    }
}

/// The first place to look for a hash. Sizes are powers of two.
fn home(hash: u64, size: usize) -> usize {
    usize::try_from(hash & 0xffff_ffff).unwrap_or(0) & (size - 1)
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half is the number")]
fn number(entry: u64) -> NodeId {
    entry as u32
}

fn enter(table: &mut [u64], hash: u64, id: NodeId) {
    let mut place = home(hash, table.len());
    while table[place] != EMPTY {
        place = (place + 1) & (table.len() - 1);
    }
    table[place] = hash & !0xffff_ffff | u64::from(id);
}
