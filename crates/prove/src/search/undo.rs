//! Taking back a guess that was wrong.

use super::{Ended, NodeId, Search, Source, State};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What may have to be taken back with a cube. Some of it may depend on others by now.
#[derive(Debug, Default)]
pub(super) struct Dependents {
    /// What came from a candidate.
    derived: FxHashMap<NodeId, Vec<NodeId>>,
    /// What was left out because of a cube.
    aside: FxHashMap<NodeId, Vec<NodeId>>,
}

impl Search<'_> {
    /// A cube has got its origin.
    pub(super) fn came_from(&mut self, id: NodeId) {
        if let Some(origin) = self.node(id).origin {
            self.dependents.derived.entry(origin).or_default().push(id);
        }
    }

    /// Leaves a cube out, because of others.
    pub(super) fn set_aside(&mut self, id: NodeId, state: State) {
        for by in reasons(&state) {
            self.dependents.aside.entry(*by).or_default().push(id);
        }
        self.put_back.remove(&id);
        self.nodes[id].state = state;
    }

    /// A candidate was wrong: takes back everything that came from it.
    pub(super) fn undo(&mut self, candidate: NodeId) -> Result<(), Ended> {
        self.counts.undone += 1;
        if let Some(approximator) = &mut self.approximator {
            approximator.refute(&self.system.vocabulary, &self.nodes[candidate].cube);
        }
        let mut gone = self.dependents.derived.remove(&candidate).unwrap_or_default();
        gone.retain(|id| {
            let node = &mut self.nodes[*id];
            let goes = node.origin == Some(candidate) && node.state != State::Undone;
            if goes {
                node.state = State::Undone;
            }
            goes
        });
        gone.sort_unstable();
        let is_gone = |id: &NodeId| gone.binary_search(id).is_ok();
        self.visited.retain(|id| !is_gone(&id));
        for by in &gone {
            for id in self.dependents.aside.remove(by).unwrap_or_default() {
                if reasons(&self.node(id).state).contains(by) {
                    self.nodes[id].state = State::Queued;
                    self.push(id);
                }
            }
        }
        gone.into_iter().try_for_each(|id| self.return_by_another_way(id))
    }

    /// A cube that was undone stays if it also came from somewhere else.
    fn return_by_another_way(&mut self, id: NodeId) -> Result<(), Ended> {
        if self.node(id).state != State::Undone {
            return Ok(());
        }
        let others = std::mem::take(&mut self.nodes[id].others);
        let alive = |source: &Source| match source {
            Source::Property(_) | Source::Fact => true,
            Source::Step { after, .. } => self.node(*after).state != State::Undone,
            Source::Candidate { .. } => false,
        };
        let alive: SmallVec<[Source; 1]> = others.iter().copied().filter(alive).collect();
        let Some((source, rest)) = alive.split_first() else { return Ok(()) };
        let (depth, origin) = (self.depth_of(*source), self.origin_of(*source, id));
        let node = &mut self.nodes[id];
        (node.source, node.depth, node.origin, node.state) = (*source, depth, origin, State::Queued);
        node.others = SmallVec::from_slice(rest);
        self.came_from(id);
        self.enter(id, None)
    }
}

/// The cubes because of which one is left out.
fn reasons(state: &State) -> &[NodeId] {
    match state {
        State::Covered(by) | State::Orphaned(by) => by,
        State::Replaced(by) => std::slice::from_ref(by),
        State::Queued | State::Visited | State::Undone => &[],
    }
}
