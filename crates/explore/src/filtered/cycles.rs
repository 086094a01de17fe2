//! Local execution cycles: a thread that has gone round a loop and changed nothing.

use super::{Filter, Successor, Visited};
use crate::concurrency::{Thread, Threads};

/// Ends a run where the thread that made the last step is in a local state that it was in before, has changed no object
/// since, and has not taken part in what others did since (algorithm 5 of SCALE).
#[derive(Clone, Debug, Default)]
pub struct LocalCycles {
    /// For each state of the path, the local state of the thread that made the step to it.
    local: Vec<Option<u64>>,
}

impl LocalCycles {
    /// A filter that has seen nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn goes_round(&self, path: &[Visited], thread: Thread) -> bool {
        let last = path.len() - 1;
        let now = self.local[last];
        let mut met: Vec<&Successor> = Vec::new();
        for state in (1..path.len()).rev() {
            let Some(action) = &path[state].by else { return false };
            let own = action.turn.thread == thread;
            let progress = own && action.accesses.iter().any(|access| access.writes);
            let conflict =
                met.iter().any(|other| (other.turn.thread == thread) != own && other.depends_on(action));
            if progress || conflict {
                return false;
            }
            let before = state - 1;
            let reached_by = path[before].by.as_ref().map_or(0, |by| by.turn.thread);
            if reached_by == thread && self.local[before] == now {
                return true;
            }
            met.push(action);
        }
        false
    }
}

impl<S: Threads> Filter<S> for LocalCycles {
    fn filter(&mut self, system: &S, path: &[Visited], successors: &mut Vec<Successor>) {
        let thread = path.last().and_then(|state| state.by.as_ref()).map_or(0, |by| by.turn.thread);
        self.local.truncate(path.len() - 1);
        let local = system.local_state(thread);
        self.local.push(local);
        if local.is_some() && self.goes_round(path, thread) {
            successors.clear();
        }
    }
}
