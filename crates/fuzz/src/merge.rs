//! Merging the log of a task into the pool, the coverage and the findings.

use crate::{
    End, Finding, Fuzzer, Guide, Target,
    log::{Log, Logged, Place},
    pool::{Arrival, NodeId, Way},
    scheduler::Gain,
};
use explore::Limit;

/// The new findings of a state.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct News {
    /// The number of new findings.
    pub(crate) findings: usize,
    /// Whether one of them is a violation.
    pub(crate) violation: bool,
}

/// The largest number of states to keep for a finding. The shortest run to any of them is reported.
const STATES_PER_FINDING: usize = 64;

impl<S: Target, G: Guide<S> + Sync> Fuzzer<S, G> {
    /// Merges the log of a task. Returns why the run ends, if it does.
    pub(crate) fn merge(&mut self, arm: usize, log: &Log<S, G::Violation>) -> Option<End> {
        for node in &log.begun {
            let visits = &mut self.pool.nodes[*node as usize].visits;
            *visits = visits.saturating_add(1);
        }
        let mut gain = Gain::default();
        // The node that each step has led to.
        let mut ids: Vec<NodeId> = Vec::with_capacity(log.steps.len());
        let end = log.steps.iter().find_map(|step| self.merge_step(step, log, &mut ids, &mut gain));
        self.scheduler.learn(arm, gain);
        end
    }

    fn merge_step(
        &mut self,
        step: &Logged<S>,
        log: &Log<S, G::Violation>,
        ids: &mut Vec<NodeId>,
        gain: &mut Gain,
    ) -> Option<End> {
        if self.options.limits.steps.is_some_and(|most| self.steps >= most) {
            return Some(End::Limit(Limit::Steps));
        }
        self.steps += 1;
        gain.steps += 1;
        let from = at(step.from, ids);
        let before = self.pool.nodes[from as usize].transition;
        let transition = step.transition as usize;
        let (new_transition, new_pair) = self.coverage.add(before.map(|before| before as usize), transition);
        gain.transitions += usize::from(new_transition);
        gain.pairs += usize::from(new_pair);
        self.pool.take(from, step.choice);
        let known = match step.new.as_ref() {
            None => Some(at(step.to, ids)),
            Some(new) => self.pool.find(new.hash, &new.checkpoint),
        };
        let id = match known {
            Some(id) => {
                self.pool.reach_again(id, from, step.action, step.transition);
                id
            }
            None if self.is_full() => return Some(End::Limit(Limit::States)),
            None => self.add(step, from),
        };
        ids.push(id);
        if new_transition || new_pair {
            self.corpus.add_first(id);
        }
        if known.is_some() {
            return None;
        }
        gain.states += 1;
        let violations = step.new.as_ref().map_or(0..0, |new| new.violations.clone());
        let news = self.note_violations(id, &log.violations[violations]);
        gain.findings += news.findings;
        (news.violation && self.options.stop_at_first).then_some(End::Found)
    }

    /// Adds the new state of a step.
    fn add(&mut self, step: &Logged<S>, from: NodeId) -> NodeId {
        let new = step.new.as_ref().expect("only new states are unknown");
        let depth = self.pool.nodes[from as usize].depth + 1;
        self.deepest = self.deepest.max(depth);
        let id = self.pool.insert(&Arrival {
            checkpoint: &new.checkpoint,
            hash: new.hash,
            way: Way::Step(from, step.action),
            transition: Some(step.transition),
            depth,
            enabled: new.enabled,
        });
        let transition = step.transition as usize;
        self.corpus.add_reached(transition, id, self.coverage.count(transition));
        if new.interesting || self.guide.is_preferred(transition) {
            self.note_interesting(id);
        }
        id
    }

    pub(crate) fn note_interesting(&mut self, id: NodeId) {
        self.corpus.add_interesting(id);
        self.scheduler.see_interesting();
    }

    pub(crate) fn note_violations(&mut self, id: NodeId, violations: &[G::Violation]) -> News {
        let mut news = News::default();
        for violation in violations {
            let known = self.findings.iter_mut().find(|finding| finding.violation == *violation);
            if let Some(finding) = known {
                finding.states += 1;
                let nodes = &self.pool.nodes;
                let depth = |id: NodeId| nodes[id as usize].depth;
                finding.keep(id, depth);
                continue;
            }
            self.findings.push(Finding {
                violation: *violation,
                after: self.steps,
                states: 1,
                nodes: vec![id],
            });
            news.findings += 1;
            news.violation |= self.guide.is_violation(*violation);
        }
        news
    }
}

impl<V> Finding<V> {
    /// Keeps a state, if necessary in place of the one that is farthest from the start.
    fn keep(&mut self, id: NodeId, depth: impl Fn(NodeId) -> u32) {
        if self.nodes.len() < STATES_PER_FINDING {
            self.nodes.push(id);
            return;
        }
        let farthest = self.nodes.iter_mut().max_by_key(|node| depth(**node)).expect("the list is full");
        if depth(id) < depth(*farthest) {
            *farthest = id;
        }
    }
}

fn at(place: Place, ids: &[NodeId]) -> NodeId {
    match place {
        Place::Node(node) => node,
        Place::Step(step) => ids[step as usize],
    }
}
