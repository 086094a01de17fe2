//! Taking back a guess that was wrong.

use super::{Ended, NodeId, Search, Source, State};
use smallvec::SmallVec;

impl Search<'_> {
    /// A candidate was wrong: takes back everything that came from it.
    pub(super) fn undo(&mut self, candidate: NodeId) -> Result<(), Ended> {
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
        self.visited.retain(|id| !is_gone(&id));
        for id in 0..self.nodes.len() {
            let returns = match &self.nodes[id].state {
                State::Covered(by) | State::Orphaned(by) => by.iter().any(is_gone),
                State::Replaced(by) => is_gone(by),
                _ => false,
            };
            if returns {
                self.nodes[id].state = State::Queued;
                self.push(u32::try_from(id).expect("ids are numbers"));
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
        self.enter(id, None)
    }
}
