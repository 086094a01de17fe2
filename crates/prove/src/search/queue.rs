//! Which cube is looked at next.

use super::NodeId;
use crate::cube::Cube;
use crate::vocabulary::Vocabulary;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

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

impl Order {
    fn is_depth_first(self) -> bool {
        matches!(self, Order::Dfs | Order::Dfsh | Order::Dfsa)
    }

    /// What comes first has less of this.
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

/// The place of a cube in the queue: smaller ones come first.
type Rank = (u8, u32, i64);

/// Cubes that wait.
#[derive(Debug)]
pub(super) struct Queue {
    order: Order,
    /// Whether cubes with more processes wait until there are none with fewer.
    postpone: bool,
    /// At most so many are taken at once.
    batch: usize,
    waiting: BinaryHeap<Reverse<(Rank, NodeId)>>,
}

/// At most so many cubes are taken at once.
const LARGE_BATCH: usize = 256;
/// Where guesses are made, which cover many cubes, or the youngest come first, it pays to look again sooner.
const BATCH_WITH_GUESSES: usize = 64;
const SMALL_BATCH: usize = 8;

impl Queue {
    pub(super) fn new(order: Order, postpone: bool, guesses: bool) -> Queue {
        let batch = match guesses {
            _ if order.is_depth_first() => SMALL_BATCH,
            true => BATCH_WITH_GUESSES,
            false => LARGE_BATCH,
        };
        Queue { order, postpone, batch, waiting: BinaryHeap::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn push(&mut self, vocabulary: &Vocabulary, id: NodeId, cube: &Cube) {
        let processes = if self.postpone { cube.processes } else { 0 };
        let size = u32::try_from(self.order.size(vocabulary, cube)).unwrap_or(u32::MAX);
        let age = if self.order.is_depth_first() { -i64::from(id) } else { i64::from(id) };
        self.waiting.push(Reverse(((processes, size, age), id)));
    }

    /// The cubes that come next, all with the same number of processes. How many are taken at once depends on the queue
    /// alone, never on how many threads there are: what comes out must not, either.
    pub(super) fn batch(&mut self) -> Vec<NodeId> {
        let most = self.batch.min(1 + self.waiting.len() / 4);
        let mut batch = Vec::with_capacity(most);
        let mut processes = None;
        while let Some(Reverse((rank, _))) = self.waiting.peek()
            && batch.len() < most
            && processes.is_none_or(|known| known == rank.0)
        {
            processes = Some(rank.0);
            batch.extend(self.waiting.pop().map(|Reverse((_, id))| id));
        }
        batch
    }
}
