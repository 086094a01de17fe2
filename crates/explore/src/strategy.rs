//! Strategies decide what a search tries next.

mod breadth_first;
mod depth_first;
mod random_walk;
mod recorded;

pub use breadth_first::BreadthFirst;
pub use depth_first::DepthFirst;
pub use random_walk::RandomWalk;
pub use recorded::Recorded;

use crate::{Fault, Steered};

/// A node that a strategy has postponed, by the number under which the search keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(pub(crate) u32);

/// Where a search continues when the current path has nothing left to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// At an initial state. One that the system does not have is a deviation.
    Initial(usize),
    /// At a postponed node, which can be resumed once.
    Resume(NodeId),
    /// The search is over.
    Done,
}

/// Decides the order in which a search tries initial states, actions and postponed nodes, and may leave out some of
/// them. The search notices that and reports [`Cut::Sampled`](crate::Cut::Sampled), so that no strategy can make it
/// claim too much.
///
/// The search walks along a path of open nodes. For each new state the strategy chooses between continuing from there
/// at once, which lengthens the path, and postponing it. When the last node of the path has no action left, the
/// search backtracks to the one before; when the path is empty, it asks the strategy for the next node.
pub trait Strategy<S: Steered> {
    /// Where to continue. `initials` is the number of initial states.
    fn next(&mut self, initials: usize) -> Next;

    /// Whether new states are postponed rather than searched from at once.
    fn postpones(&mut self) -> bool {
        false
    }

    /// Tells the strategy that a node was postponed.
    fn postponed(&mut self, _node: NodeId) {}

    /// Sorts the actions to be tried in the current state, or removes some.
    fn choose(&mut self, _system: &S, _actions: &mut Vec<S::Action>) -> Result<(), Fault> {
        Ok(())
    }
}
