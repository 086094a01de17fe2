//! Completes the covered pairs of a run that took every enabled action of every state.
//!
//! A walk enters a state by one transition at a time, so pairs may be missing. Once all enabled actions are known,
//! each is executed once more: every transition into a state is followed by every transition out of it.

use crate::{Fuzzer, Guide, Target, pool::Pool};
use explore::Fault;
use rustc_hash::FxHashSet;

/// The largest number of enabled actions; larger systems have covered their pairs by then.
const MOST_EXITS: usize = 2_000_000;

impl<S: Target, G: Guide<S> + Sync> Fuzzer<S, G> {
    /// Completes the pairs of an exhausted system.
    pub(crate) fn complete_pairs(&mut self) -> Result<(), Fault> {
        let enabled: usize = self.pool.nodes.iter().map(|node| node.enabled as usize).sum();
        let most = self.options.limits.steps.map_or(MOST_EXITS, |most| most.saturating_sub(self.steps));
        if enabled > most.min(MOST_EXITS) {
            return Ok(());
        }
        let worker = &mut self.workers[0];
        let (mut into, mut out) = (FxHashSet::default(), FxHashSet::default());
        let mut actions = Vec::new();
        for (from, node) in self.pool.nodes.iter().enumerate() {
            actions.clear();
            worker.system.restore(&node.checkpoint)?;
            worker.system.enabled(&mut actions);
            for action in &actions {
                worker.system.restore(&node.checkpoint)?;
                let transition = worker.guide.transition(&worker.system, action);
                worker.system.take(action)?;
                let state = worker.system.checkpoint();
                let to = self.pool.find(Pool::<S>::hash(&state), &state);
                into.extend(to.map(|to| (to as usize, transition)));
                out.insert((from, transition));
            }
        }
        self.steps += enabled;
        let mut leaving = vec![Vec::new(); self.pool.nodes.len()];
        out.iter().for_each(|(node, transition)| leaving[*node].push(*transition));
        for (node, before) in into {
            leaving[node].iter().for_each(|after| {
                self.coverage.add_pair(before, *after);
            });
        }
        Ok(())
    }
}
