//! Breadth first: near states before far ones.

use std::collections::VecDeque;

use super::{Next, NodeId, Strategy};
use crate::Steered;

/// Breadth-first search (Moore: The shortest path through a maze, 1959). The first violation of a property that it
/// finds has a shortest trace. This does not hold between properties: the enabled actions of a state are computed
/// when it is resumed, so a deadlock may be noticed after a bad state that is one step farther away.
#[derive(Debug, Default)]
pub struct BreadthFirst {
    /// The number of initial states entered.
    started: usize,
    /// The nodes to resume, in the order in which they were reached, hence by increasing depth.
    queue: VecDeque<NodeId>,
}

impl BreadthFirst {
    /// A search that has not begun.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<S: Steered> Strategy<S> for BreadthFirst {
    fn next(&mut self, initials: usize) -> Next {
        if self.started < initials {
            self.started += 1;
            return Next::Initial(self.started - 1);
        }
        self.queue.pop_front().map_or(Next::Done, Next::Resume)
    }

    fn postpones(&mut self) -> bool {
        true
    }

    fn postponed(&mut self, node: NodeId) {
        self.queue.push_back(node);
    }
}
