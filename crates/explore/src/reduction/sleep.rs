//! Sleep sets: try only one of several orders of independent actions.

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
/// **With a memory.** That a state was searched from with sleep set Z makes a visit with sleep set Z'
/// superfluous only if Z is a subset of Z'. Otherwise the actions in Z but not in Z' must be tried now, with the
/// intersection asleep (as Godefroid does), and the two visits count as one with the intersection. Every action
/// is thus tried at most once from each state. Why this holds for every order of search, and with cycles:
///
/// Call an action *initial* in a run if reordering independent actions can bring it to the front. Claim: if no
/// initial action of a run w from s is in the sleep set that the memory has for s in the end, then the last state
/// of w is reached. By induction on the length of w. All initial actions of w were tried from s. Consider the last
/// visit that tried any of them, and the first one tried there, a; w is equivalent to a followed by some v.
/// Suppose an initial action b of v slept after a. Then b is independent of a, hence initial in w, and either it
/// slept in s during that visit and was tried in a later one, or it was tried before a in the same one. Both
/// contradict the choice of a. So the claim holds for v in the state after a. In the end nothing sleeps in an
/// initial state, so all states are reached.
#[derive(Debug)]
pub struct Sleep<A> {
    dependency: Dependency,
    action: PhantomData<A>,
}

impl<A> Sleep<A> {
    /// Reduces the more, the more precise the system's [`footprint`](Steered::footprint) is.
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
    /// All of them are enabled: an action stays enabled while only independent ones are taken.
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
    fn subsumes(&self, other: &Self) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Searched from with a and b asleep, reached again with b and c asleep: a is left to try, b stays asleep, c was
    /// tried in the first visit. The next visit with at least b asleep is superfluous.
    #[test]
    fn a_second_visit_tries_the_difference() {
        let asleep = |actions: &str| SleepSet { asleep: actions.chars().collect(), only: None };
        let mut visit = asleep("bc");
        assert!(!asleep("ab").subsumes(&visit));
        visit.narrow(&asleep("ab"));
        assert_eq!(
            (visit.only.as_deref(), visit.asleep.as_slice()),
            (Some(['a'].as_slice()), ['b'].as_slice())
        );
        assert!(visit.subsumes(&asleep("ab")) && visit.subsumes(&asleep("bc")));
        assert!(!visit.subsumes(&asleep("ac")));
    }

    /// Disjoint sleep sets, with several actions left to try.
    #[test]
    fn a_second_visit_may_try_several() {
        let mut visit = SleepSet { asleep: vec![], only: None };
        visit.narrow(&SleepSet { asleep: vec![1, 2, 3], only: None });
        assert_eq!((visit.only, visit.asleep), (Some(vec![1, 2, 3]), vec![]));
    }
}
