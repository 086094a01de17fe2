//! Walks: the operations that techniques use to move, which log every step.

use crate::{
    Coverage, Guide, Target,
    log::{Log, Logged, New, Place},
    pool::{NodeId, Pool},
};
use explore::{Fault, Rng};

/// What all walks of a round share, read-only.
pub(crate) struct Shared<'a, S: Target> {
    pub(crate) pool: &'a Pool<S>,
    pub(crate) coverage: &'a Coverage,
    /// The probability of accepting a step that does not lead to more enabled actions.
    pub(crate) accept_less: f64,
    /// Whether any transition is preferred.
    pub(crate) prefers: bool,
    /// Whether the time is up or the run was cancelled.
    pub(crate) is_late: &'a (dyn Fn() -> bool + Sync),
}

#[expect(clippy::expl_impl_clone_on_copy, reason = "a derived one would require the system to be `Copy`")]
impl<S: Target> Clone for Shared<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Target> Copy for Shared<'_, S> {}

/// A worker: a copy of the system, and buffers that are reused.
pub(crate) struct Worker<S: Target, G> {
    pub(crate) system: S,
    pub(crate) guide: G,
    enabled: Vec<S::Action>,
    next_enabled: Vec<S::Action>,
    /// Buffers for techniques: enabled actions, and below places.
    pub(crate) order: Vec<usize>,
    pub(crate) places: Vec<Place>,
}

impl<S: Target, G: Guide<S>> Worker<S, G> {
    pub(crate) fn new(system: S, guide: G) -> Self {
        let (enabled, next_enabled) = (Vec::new(), Vec::new());
        Worker { system, guide, enabled, next_enabled, order: Vec::new(), places: Vec::new() }
    }
}

/// A step that was executed, but neither accepted nor rejected yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt {
    pub(crate) to: Place,
    /// Whether the state that it leads to is neither in the pool nor in the log.
    pub(crate) is_new: bool,
    /// Whether the enabled actions of that state are in the worker's buffer.
    listed: bool,
}

/// One walk of a task.
pub(crate) struct Walk<'w, 'a, S: Target, G: Guide<S>> {
    pub(crate) worker: &'w mut Worker<S, G>,
    pub(crate) shared: Shared<'a, S>,
    pub(crate) log: &'w mut Log<S, G::Violation>,
    pub(crate) rng: &'w mut Rng,
    here: Place,
    /// The number of steps that may still be executed.
    pub(crate) budget: usize,
}

/// With more enabled actions than this, a step takes so long that the clock is read before each.
const MANY_EXITS: usize = 4096;

/// If a preferred transition is enabled, it is taken in all but one of this many steps.
const PREFERENCE: usize = 4;

impl<'w, 'a, S: Target, G: Guide<S>> Walk<'w, 'a, S, G> {
    /// A walk that begins at a node.
    pub(crate) fn begin(
        worker: &'w mut Worker<S, G>,
        shared: Shared<'a, S>,
        log: &'w mut Log<S, G::Violation>,
        rng: &'w mut Rng,
        node: NodeId,
        budget: usize,
    ) -> Result<Self, Fault> {
        let mut walk = Walk { worker, shared, log, rng, here: Place::Node(node), budget };
        walk.go(Place::Node(node))?;
        Ok(walk)
    }

    /// The number of enabled actions in the current state.
    pub(crate) fn enabled(&self) -> usize {
        self.worker.enabled.len()
    }

    pub(crate) fn here(&self) -> Place {
        self.here
    }

    /// Moves to a place that this walk knows.
    pub(crate) fn go(&mut self, place: Place) -> Result<(), Fault> {
        self.come_back(place)?;
        self.here = place;
        self.worker.enabled.clear();
        self.worker.system.enabled(&mut self.worker.enabled);
        self.end_if_late();
        Ok(())
    }

    /// Ends the walk if its steps take long and the time is up.
    fn end_if_late(&mut self) {
        if self.enabled() > MANY_EXITS && (self.shared.is_late)() {
            self.worker.enabled.clear();
            self.budget = 0;
        }
    }

    fn come_back(&mut self, place: Place) -> Result<(), Fault> {
        let checkpoint = match place {
            Place::Node(node) => Some(&self.shared.pool.nodes[node as usize].checkpoint),
            Place::Step(step) => self.log.state(step),
        };
        self.worker.system.restore(checkpoint.expect("places of steps are new states"))
    }

    /// Takes an enabled action, and continues from there.
    pub(crate) fn step(&mut self, choice: usize) -> Result<(), Fault> {
        let attempt = self.attempt(choice)?;
        self.accept(attempt);
        Ok(())
    }

    /// Executes and logs an enabled action. The system is in the new state, until the attempt is accepted or
    /// rejected.
    pub(crate) fn attempt(&mut self, choice: usize) -> Result<Attempt, Fault> {
        self.budget = self.budget.saturating_sub(1);
        let action = self.worker.enabled[choice];
        let transition = self.transition(choice);
        self.worker.system.take(&action)?;
        let checkpoint = self.worker.system.checkpoint();
        let hash = Pool::<S>::hash(&checkpoint);
        let known = match self.shared.pool.find(hash, &checkpoint) {
            Some(node) => Some(Place::Node(node)),
            None => self.log.find(hash, &checkpoint).map(Place::Step),
        };
        let here = u32::try_from(self.log.steps.len()).expect("tasks are short");
        let to = known.unwrap_or(Place::Step(here));
        let new = if known.is_none() { Some(self.judge(checkpoint, hash)) } else { None };
        let is_new = new.is_some();
        if is_new {
            self.log.hashes.push(hash);
            self.log.arrivals.push(here);
        }
        let choice = u32::try_from(choice).expect("a state has fewer than 2^32 actions");
        let transition = u32::try_from(transition).expect("a system has fewer than 2^32 transitions");
        self.log.steps.push(Logged { from: self.here, choice, action, transition, to, new });
        Ok(Attempt { to, is_new, listed: is_new })
    }

    /// The entry for a new state in the log.
    fn judge(&mut self, checkpoint: S::Checkpoint, hash: u64) -> New<S> {
        let Worker { system, guide, next_enabled, .. } = &mut *self.worker;
        next_enabled.clear();
        system.enabled(next_enabled);
        let first = self.log.violations.len();
        guide.judge(system, next_enabled.is_empty(), &mut self.log.violations);
        let violations = first..self.log.violations.len();
        let enabled = u32::try_from(next_enabled.len()).expect("a state has fewer than 2^32 actions");
        New { checkpoint, hash, enabled, interesting: guide.is_interesting(system), violations }
    }

    /// Continues from the state that an attempt has led to.
    pub(crate) fn accept(&mut self, attempt: Attempt) {
        self.here = attempt.to;
        let worker = &mut *self.worker;
        if attempt.listed {
            std::mem::swap(&mut worker.enabled, &mut worker.next_enabled);
        } else {
            worker.enabled.clear();
            worker.system.enabled(&mut worker.enabled);
        }
        self.end_if_late();
    }

    /// Returns to the state before the attempt.
    pub(crate) fn reject(&mut self) -> Result<(), Fault> {
        self.come_back(self.here)
    }

    /// The number of enabled actions in the state that an attempt has led to.
    pub(crate) fn exits_after(&self, attempt: Attempt) -> usize {
        let enabled = match attempt.to {
            Place::Node(node) => self.shared.pool.nodes[node as usize].enabled,
            Place::Step(step) => self.log.steps[step as usize].new.as_ref().map_or(0, |new| new.enabled),
        };
        enabled as usize
    }

    /// Whether an enabled action was ever taken from the current state.
    pub(crate) fn is_taken(&self, choice: usize) -> bool {
        let before = match self.here {
            Place::Node(node) => self.shared.pool.taken(node, choice) > 0,
            Place::Step(_) => false,
        };
        before || self.log.has_taken(self.here, choice)
    }

    /// The transition of an enabled action.
    pub(crate) fn transition(&self, choice: usize) -> usize {
        self.worker.guide.transition(&self.worker.system, &self.worker.enabled[choice])
    }

    /// Whether the transition of an enabled action was ever taken anywhere.
    pub(crate) fn is_covered(&self, choice: usize) -> bool {
        self.shared.coverage.count(self.transition(choice)) > 0
    }

    /// Whether a process is the one that acts in an enabled action; see [`takes_part`](Self::takes_part).
    pub(crate) fn acts(&self, choice: usize, process: usize) -> bool {
        self.worker.system.process(&self.worker.enabled[choice]) == Some(process)
    }

    pub(crate) fn takes_part(&self, choice: usize, process: usize) -> bool {
        self.worker.guide.involves(&self.worker.system, &self.worker.enabled[choice], process)
    }

    /// Whether the user gave priority to the transition of an enabled action.
    pub(crate) fn is_preferred(&self, choice: usize) -> bool {
        self.shared.prefers && self.worker.guide.is_preferred(self.transition(choice))
    }

    /// Draws an enabled action, preferably of a preferred transition. Some action must be enabled.
    pub(crate) fn draw(&mut self) -> usize {
        if !self.shared.prefers {
            return self.rng.below(self.enabled());
        }
        self.draw_where(|_, _| true).expect("some action is enabled")
    }

    /// Draws an enabled action for which a condition holds, preferably of a preferred transition.
    pub(crate) fn draw_where(&mut self, holds: impl Fn(&Self, usize) -> bool) -> Option<usize> {
        let mut order = std::mem::take(&mut self.worker.order);
        order.clear();
        order.extend((0..self.enabled()).filter(|choice| holds(self, *choice)));
        let indulgent = self.shared.prefers && self.rng.below(PREFERENCE) > 0;
        if indulgent && order.iter().any(|choice| self.is_preferred(*choice)) {
            order.retain(|choice| self.is_preferred(*choice));
        }
        let drawn = (!order.is_empty()).then(|| order[self.rng.below(order.len())]);
        self.worker.order = order;
        drawn
    }

    /// True with the given probability.
    #[expect(clippy::cast_precision_loss, reason = "53 random bits")]
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        ((self.rng.bits() >> 11) as f64) < probability * (1_u64 << 53) as f64
    }
}
