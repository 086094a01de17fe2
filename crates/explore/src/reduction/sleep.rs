//! Sleep sets: of several orders of independent actions, try one.

use std::marker::PhantomData;

use super::{Mark, Nature, Reduction};
use crate::footprint::Dependency;
use crate::{Cut, Steered};

/// Sleep sets (Godefroid: Partial-order methods for the verification of concurrent systems, LNCS 1032, 1996,
/// chapter 5). An action that was tried from a node sleeps in the later siblings' subtrees until something
/// dependent on it is taken, because a run that begins with it has been searched there.
///
/// All states stay reachable, deadlocks and ends among them; only steps are saved.
///
/// **With a memory.** A state that was searched from with sleep set Z stands for a visit with sleep set Z'
/// only if Z is a subset of Z'. Otherwise the actions in Z but not in Z' must be tried now, with what is in
/// both asleep (figure 5.2 there), and the two visits count as one with the intersection. Every action is
/// thus tried at most once from each state. Why this holds for every order of search, with cycles too:
///
/// Let w be a run from state s such that no action that may come first in w, up to the order of independent
/// ones, is in the sleep set which the memory finally has for s. Then all these actions were tried from s.
/// Among those of them that were tried in the last visit that tried any, take the first, a; w is equivalent
/// to a followed by some v. An action that may come first in v and slept after a is independent of a, so it
/// may come first in w; when a was tried it was asleep, then it would have been tried in a later visit, or
/// had been tried in the same one, and either contradicts the choice of a. So v has the property of w in
/// the state after a, and is shorter: the last state of w is reached. Nothing sleeps in an initial state.
#[derive(Debug)]
pub struct Sleep<A> {
    dependency: Dependency,
    action: PhantomData<A>,
}

impl<A> Sleep<A> {
    /// A reduction that is as good as the system's [`footprint`](Steered::footprint) is precise.
    pub fn new() -> Self {
        Sleep { dependency: Dependency::default(), action: PhantomData }
    }
}

impl<A> Default for Sleep<A> {
    fn default() -> Self {
        Self::new()
    }
}

/// The actions that need not be tried from a node.
#[derive(Clone, Debug)]
pub struct SleepSet<A> {
    /// All of them are enabled: what is independent of the steps since stays enabled.
    asleep: Vec<A>,
    /// If the state was visited before: the only actions that must be tried in this visit.
    only: Option<Vec<A>>,
}

impl<A> Default for SleepSet<A> {
    fn default() -> Self {
        SleepSet { asleep: Vec::new(), only: None }
    }
}

impl<A: Clone + Eq> Mark for SleepSet<A> {
    fn covers(&self, other: &Self) -> bool {
        self.asleep.iter().all(|action| other.asleep.contains(action))
    }

    fn narrow(&mut self, before: &Self) {
        let only = before.asleep.iter().filter(|action| !self.asleep.contains(action));
        self.only = Some(only.cloned().collect());
        self.asleep.retain(|action| before.asleep.contains(action));
    }
}

impl<S: Steered> Reduction<S> for Sleep<S::Action> {
    type Mark = SleepSet<S::Action>;

    fn nature(&self) -> Nature {
        Nature { reorders: true, names: true, ..Nature::default() }
    }

    fn prune(&mut self, _system: &S, mark: &mut Self::Mark, actions: &mut Vec<S::Action>) {
        let SleepSet { asleep, only } = mark;
        actions.retain(|action| {
            !asleep.contains(action) && only.as_ref().is_none_or(|only| only.contains(action))
        });
    }

    fn step(&mut self, system: &S, mark: &mut Self::Mark, action: &S::Action) -> Self::Mark {
        self.dependency.of(system, action);
        let still = mark.asleep.iter().filter(|other| !self.dependency.holds(system, action, other));
        let asleep = still.cloned().collect();
        mark.asleep.push(action.clone());
        SleepSet { asleep, only: None }
    }

    fn cuts(&self, _cuts: &mut Vec<Cut>) {}
}
