//! The frontier: cubes that are still to be visited, in the order in which they will be.

use super::NodeId;
use crate::cube::Cube;
use crate::vocabulary::Vocabulary;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which cube is visited next. The names are those of Cubicle.
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

impl Order {
    fn is_depth_first(self) -> bool {
        matches!(self, Order::Dfs | Order::Dfsh | Order::Dfsa)
    }

    /// What comes first is smaller by this measure.
    fn size(self, vocabulary: &Vocabulary, cube: &Cube) -> usize {
        match self {
            Order::Bfs | Order::Dfs => 0,
            Order::Bfsh | Order::Dfsh => cube.literals(),
            Order::Bfsa | Order::Dfsa => {
                cube.cells().iter().filter(|cell| vocabulary.arity(**cell) > 0).count()
            }
        }
    }
}

/// The position of a cube in the frontier: smaller ones come first.
type Rank = (u8, u32, i64);

/// Cubes that are still to be visited.
#[derive(Debug)]
pub(super) struct Frontier {
    order: Order,
    /// Whether cubes with more processes wait until there are none with fewer.
    postpone: bool,
    /// The most cubes that are taken at once.
    batch: usize,
    queue: BinaryHeap<Reverse<(Rank, NodeId)>>,
}

/// The most cubes that are taken at once.
const LARGE_BATCH: usize = 256;
/// The same where there are candidates, since each may subsume many of the cubes that follow.
const BATCH_WITH_CANDIDATES: usize = 64;
/// The same where the youngest come first, since each has younger ones that ought to come before the next.
const DEPTH_FIRST_BATCH: usize = 8;

impl Frontier {
    pub(super) fn new(order: Order, postpone: bool, has_candidates: bool) -> Frontier {
        let batch = if order.is_depth_first() {
            DEPTH_FIRST_BATCH
        } else if has_candidates {
            BATCH_WITH_CANDIDATES
        } else {
            LARGE_BATCH
        };
        Frontier { order, postpone, batch, queue: BinaryHeap::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.queue.len()
    }

    pub(super) fn push(&mut self, vocabulary: &Vocabulary, id: NodeId, cube: &Cube) {
        let processes = if self.postpone { cube.processes } else { 0 };
        let size = u32::try_from(self.order.size(vocabulary, cube)).unwrap_or(u32::MAX);
        let age = if self.order.is_depth_first() { -i64::from(id) } else { i64::from(id) };
        self.queue.push(Reverse(((processes, size, age), id)));
    }

    /// The cubes that come next, all with the same number of processes. How many are taken at once depends on the frontier
    /// alone, never on the number of threads, so that the outcome does not depend on it, either.
    pub(super) fn next_batch(&mut self) -> Vec<NodeId> {
        let most = self.batch.min(1 + self.queue.len() / 4);
        let mut batch = Vec::with_capacity(most);
        let mut processes = None;
        while let Some(Reverse((rank, _))) = self.queue.peek()
            && batch.len() < most
            && processes.is_none_or(|known| known == rank.0)
        {
            processes = Some(rank.0);
            batch.extend(self.queue.pop().map(|Reverse((_, id))| id));
        }
        batch
    }
}
