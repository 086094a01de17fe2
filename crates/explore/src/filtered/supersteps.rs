//! Super steps: steps of a thread that belong together because they are independent of what the others would do.

use super::{Filter, Successor, Visited};
use crate::concurrency::{Thread, Threads, Turn};

/// Goes on with the same thread while that loses nothing (algorithm 6 of SCALE). Its proof is for programs without
/// cycles.
#[derive(Clone, Debug, Default)]
pub struct SuperSteps {
    nodes: Vec<SuperNode>,
    steps: Vec<SuperStep>,
    /// For each state of the path, the super steps that its successors belong to.
    belongs: Vec<Vec<(Turn, usize)>>,
}

/// A state from which all enabled steps were taken.
#[derive(Clone, Debug, Default)]
struct SuperNode {
    steps: Vec<usize>,
}

#[derive(Clone, Debug)]
struct SuperStep {
    from: usize,
    intermediate: Vec<Successor>,
    last: Successor,
}

impl SuperSteps {
    /// A filter that has seen nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn siblings(&self, step: usize) -> impl Iterator<Item = &SuperStep> {
        self.nodes[self.steps[step].from]
            .steps
            .iter()
            .filter(move |other| **other != step)
            .map(|other| &self.steps[*other])
    }

    /// Whether the super step goes on with `next`.
    fn extends(&self, step: usize, next: &Successor) -> bool {
        let last = &self.steps[step].last;
        self.siblings(step).all(|other| {
            !last.depends_on(&other.last) && !other.intermediate.iter().any(|action| action.depends_on(next))
        })
    }

    /// The super step that the last step of the path belongs to.
    fn current(&self, path: &[Visited]) -> Option<usize> {
        let by = path.last()?.by.as_ref()?;
        let belongs = self.belongs.get(path.len().checked_sub(2)?)?;
        belongs.iter().find(|(turn, _)| *turn == by.turn).map(|(_, step)| *step)
    }

    fn begin(&mut self, successors: &[Successor]) -> Vec<(Turn, usize)> {
        let from = self.nodes.len();
        self.nodes.push(SuperNode::default());
        let mut belongs = Vec::new();
        for successor in successors {
            let step = self.steps.len();
            self.steps.push(SuperStep { from, intermediate: Vec::new(), last: successor.clone() });
            self.nodes[from].steps.push(step);
            belongs.push((successor.turn, step));
        }
        belongs
    }
}

/// Whether the last step has enabled another thread.
fn enables(path: &[Visited], thread: Thread, successors: &[Successor]) -> bool {
    let before = &path[path.len() - 2].enabled;
    successors.iter().any(|other| other.turn.thread != thread && !before.contains(&other.turn.thread))
}

impl<S: Threads> Filter<S> for SuperSteps {
    fn filter(&mut self, _system: &S, path: &[Visited], successors: &mut Vec<Successor>) {
        self.belongs.truncate(path.len() - 1);
        if let Some(step) = self.current(path) {
            let thread = self.steps[step].last.turn.thread;
            let next = successors.iter().find(|next| next.turn.thread == thread).cloned();
            if let Some(next) = next
                && self.extends(step, &next)
                && !enables(path, thread, successors)
            {
                let last = std::mem::replace(&mut self.steps[step].last, next);
                self.steps[step].intermediate.push(last);
                successors.retain(|next| next.turn.thread == thread);
                self.belongs.push(successors.iter().map(|next| (next.turn, step)).collect());
                return;
            }
        }
        let belongs = self.begin(successors);
        self.belongs.push(belongs);
    }
}
