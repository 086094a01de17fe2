//! Selection of the nodes from which walks begin: classes of nodes, and how to draw a node of a class.

use crate::{
    Coverage, Target,
    pool::{NodeId, Pool},
};
use explore::Rng;

/// A class of nodes. A node may be in several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Nodes with untaken actions.
    Open,
    /// Nodes reached recently.
    Newest,
    /// Nodes reached by a rarely taken transition.
    Rare,
    /// Nodes that covered a new transition or pair when they were reached.
    First,
    /// Initial states.
    Start,
    /// Nodes that satisfy the user's formula, or were reached by a preferred transition.
    Interesting,
}

impl Class {
    pub(crate) const ALL: [Class; 6] =
        [Class::Open, Class::Newest, Class::Rare, Class::First, Class::Start, Class::Interesting];
}

/// The number of nodes kept for each transition; below, the number of nodes that count as the newest.
const PER_TRANSITION: usize = 64;
const NEWEST: usize = 256;
/// The largest number of interesting nodes to keep; new ones replace the oldest.
const MOST_INTERESTING: usize = 4096;
/// The number of attempts to draw a node with untaken actions.
const DRAWS: usize = 4;
/// The number of random transitions of which the rarest is chosen.
const RIVALS: usize = 3;

/// The nodes of the classes that are not derived from the pool itself.
#[derive(Debug)]
pub(crate) struct Corpus {
    first: Vec<NodeId>,
    starts: Vec<NodeId>,
    /// For each transition the last nodes that it led to.
    reached_by: Vec<Vec<NodeId>>,
    /// The transitions that were taken.
    covered: Vec<usize>,
    interesting: Vec<NodeId>,
    interesting_seen: usize,
}

impl Corpus {
    pub(crate) fn new(transitions: usize) -> Corpus {
        Corpus {
            first: Vec::new(),
            starts: Vec::new(),
            reached_by: vec![Vec::new(); transitions],
            covered: Vec::new(),
            interesting: Vec::new(),
            interesting_seen: 0,
        }
    }

    pub(crate) fn add_start(&mut self, node: NodeId) {
        self.starts.push(node);
    }

    /// Adds a node that covered something new when it was reached.
    pub(crate) fn add_first(&mut self, node: NodeId) {
        self.first.push(node);
    }

    pub(crate) fn add_interesting(&mut self, node: NodeId) {
        if self.interesting.len() < MOST_INTERESTING {
            self.interesting.push(node);
        } else {
            self.interesting[self.interesting_seen % MOST_INTERESTING] = node;
        }
        self.interesting_seen += 1;
    }

    /// Adds a new node that a transition led to; `count` is how often that transition was taken.
    pub(crate) fn add_reached(&mut self, transition: usize, node: NodeId, count: u64) {
        let list = &mut self.reached_by[transition];
        if list.is_empty() {
            self.covered.push(transition);
        }
        if list.len() < PER_TRANSITION {
            list.push(node);
        } else {
            let at = usize::try_from(count % PER_TRANSITION as u64).unwrap_or(0);
            list[at] = node;
        }
    }

    /// Draws a node of a class, preferably with untaken actions; if the class is empty, any open node or initial
    /// state.
    pub(crate) fn draw<S: Target>(
        &self,
        class: Class,
        pool: &Pool<S>,
        coverage: &Coverage,
        rng: &mut Rng,
    ) -> Option<NodeId> {
        let mut drawn = None;
        for _ in 0..DRAWS {
            drawn = self.draw_once(class, pool, coverage, rng).or(drawn);
            if drawn.is_some_and(|node| pool.is_open(node)) {
                break;
            }
        }
        drawn.or_else(|| open(pool, rng)).or_else(|| one_of(&self.starts, rng))
    }

    fn draw_once<S: Target>(
        &self,
        class: Class,
        pool: &Pool<S>,
        coverage: &Coverage,
        rng: &mut Rng,
    ) -> Option<NodeId> {
        match class {
            Class::Open => open(pool, rng),
            Class::Newest => {
                let back = rng.below(NEWEST.min(pool.nodes.len()).max(1)) + 1;
                pool.nodes.len().checked_sub(back).and_then(|at| u32::try_from(at).ok())
            }
            Class::Rare => {
                let mut rivals = (0..RIVALS).filter_map(|_| one_of(&self.covered, rng));
                let first = rivals.next()?;
                let rarest = rivals.fold(first, |best, other| {
                    if coverage.count(other) < coverage.count(best) { other } else { best }
                });
                one_of(&self.reached_by[rarest], rng)
            }
            Class::First => one_of(&self.first, rng),
            Class::Start => one_of(&self.starts, rng),
            Class::Interesting => one_of(&self.interesting, rng),
        }
    }
}

/// The less visited one of two random open nodes.
fn open<S: Target>(pool: &Pool<S>, rng: &mut Rng) -> Option<NodeId> {
    let (first, second) = (one_of(&pool.open, rng)?, one_of(&pool.open, rng)?);
    let visits = |node: NodeId| pool.nodes[node as usize].visits;
    Some(if visits(second) < visits(first) { second } else { first })
}

fn one_of<T: Copy>(list: &[T], rng: &mut Rng) -> Option<T> {
    (!list.is_empty()).then(|| list[rng.below(list.len())])
}
