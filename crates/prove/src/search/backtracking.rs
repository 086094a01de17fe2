//! Backtracking: a candidate that was refuted is retracted, with everything that came from it and nothing else.

use super::graph::{NodeId, State};
use super::{Ended, Search};

impl Search<'_> {
    /// Retracts a refuted candidate. What was left out because of it, or because of what came from it, returns to the frontier;
    /// so does what came from it, if it also came up in another way.
    pub(super) fn backtrack(&mut self, candidate: NodeId) -> Result<(), Ended> {
        self.counts.refuted += 1;
        if let Some(approximator) = &mut self.approximator {
            approximator.refute(self.problem.vocabulary(), &self.graph[candidate].cube);
        }
        let retracted = self.graph.retract(candidate);
        self.visited.retain(|id| retracted.binary_search(&id).is_err());
        for id in self.graph.requeue_justified_by(&retracted) {
            self.push(id);
        }
        retracted.into_iter().try_for_each(|id| self.return_by_another_source(id))
    }

    fn return_by_another_source(&mut self, id: NodeId) -> Result<(), Ended> {
        // The ones before it may have led to it again.
        if self.graph[id].state == State::Retracted && self.graph.requeue_by_another_source(id) {
            self.enter(id, None)
        } else {
            Ok(())
        }
    }
}
