//! Reductions decide which actions need not be tried; not all of them can be combined.

mod depth_bound;
mod preemption_bound;
mod sleep;

pub use depth_bound::DepthBound;
pub use preemption_bound::PreemptionBound;
pub use sleep::{Sleep, SleepSet};

use std::error::Error;
use std::fmt;

use crate::{Cut, Steered};

/// Leaves out actions that need not be tried, or that exceed a bound. Reductions combine as tuples, and an `Option`
/// of a reduction can be switched on or off at run time.
///
/// A reduction keeps what it knows about the path to a node in a *mark*. Marks are stored with nodes, so that a
/// reduction works with every strategy, and a [`Memory`](crate::Memory) compares them.
pub trait Reduction<S: Steered> {
    /// What the reduction needs to know about the path to a node; initial states have the default.
    type Mark: Mark;

    /// The properties of the reduction that decide which combinations are sound.
    fn nature(&self) -> Nature {
        Nature::default()
    }

    /// Removes actions that are enabled in the current state but need not be tried from it.
    fn prune(&mut self, system: &S, mark: &mut Self::Mark, actions: &mut Vec<S::Action>);

    /// Called before `action` is taken from the current state; returns the mark of the state after it.
    fn step(&mut self, system: &S, mark: &mut Self::Mark, action: &S::Action) -> Self::Mark;

    /// Adds what was left out although it might have led to new states.
    fn cuts(&self, cuts: &mut Vec<Cut>);
}

/// What a reduction knows about the path to a node.
pub trait Mark: Clone + Default {
    /// Whether, from the same state, everything reachable with `other` is reachable with `self`.
    fn subsumes(&self, other: &Self) -> bool;

    /// Called when the state is visited again: what is reachable with `before` need not be tried again. Restricts
    /// this visit accordingly, and makes the mark stand for both visits together. Called only when `before` does not
    /// subsume `self`, but the marks of all other reductions do subsume theirs.
    fn narrow(&mut self, _before: &Self) {}
}

/// Properties of a reduction that decide which combinations are sound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nature {
    /// Drops a run because it differs from another one in the order of independent actions only.
    pub reorders: bool,
    /// Drops a run because of the order of its actions, whether independent or not.
    pub counts_order: bool,
    /// Keeps names of actions or processes in its marks.
    pub names: bool,
}

impl Nature {
    fn and(self, other: Nature) -> Nature {
        Nature {
            reorders: self.reorders || other.reorders,
            counts_order: self.counts_order || other.counts_order,
            names: self.names || other.names,
        }
    }

    /// Refuses combinations without a soundness proof; `renames` tells whether states are recognised up to renaming.
    pub(crate) fn check(self, renames: bool) -> Result<(), Conflict> {
        if self.reorders && self.counts_order {
            return Err(Conflict::OrderCounts);
        }
        if self.names && renames {
            return Err(Conflict::NamesChange);
        }
        Ok(())
    }
}

/// Reductions that are each sound but not together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// The only one of several equivalent runs within the bound might be the one that is dropped (Coons, Musuvathi,
    /// `McKinley`: Bounded partial-order reduction, OOPSLA 2013).
    OrderCounts,
    /// Marks that name actions or processes mean something else in a state that is equal up to renaming.
    NamesChange,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Conflict::OrderCounts => {
                "partial order reduction and a bound that depends on the order of steps may miss states together"
            }
            Conflict::NamesChange => {
                "symmetry and a reduction that remembers actions or processes may miss states together"
            }
        })
    }
}

impl Error for Conflict {}

/// No reduction.
impl<S: Steered> Reduction<S> for () {
    type Mark = ();

    fn prune(&mut self, _system: &S, (): &mut (), _actions: &mut Vec<S::Action>) {}

    fn step(&mut self, _system: &S, (): &mut (), _action: &S::Action) {}

    fn cuts(&self, _cuts: &mut Vec<Cut>) {}
}

impl Mark for () {
    fn subsumes(&self, (): &()) -> bool {
        true
    }
}

impl<S: Steered, Q: Reduction<S>, R: Reduction<S>> Reduction<S> for (Q, R) {
    type Mark = (Q::Mark, R::Mark);

    fn nature(&self) -> Nature {
        self.0.nature().and(self.1.nature())
    }

    fn prune(&mut self, system: &S, mark: &mut Self::Mark, actions: &mut Vec<S::Action>) {
        self.0.prune(system, &mut mark.0, actions);
        self.1.prune(system, &mut mark.1, actions);
    }

    fn step(&mut self, system: &S, mark: &mut Self::Mark, action: &S::Action) -> Self::Mark {
        (self.0.step(system, &mut mark.0, action), self.1.step(system, &mut mark.1, action))
    }

    fn cuts(&self, cuts: &mut Vec<Cut>) {
        self.0.cuts(cuts);
        self.1.cuts(cuts);
    }
}

impl<M: Mark, N: Mark> Mark for (M, N) {
    fn subsumes(&self, other: &Self) -> bool {
        self.0.subsumes(&other.0) && self.1.subsumes(&other.1)
    }

    fn narrow(&mut self, before: &Self) {
        if before.1.subsumes(&self.1) {
            self.0.narrow(&before.0);
        } else if before.0.subsumes(&self.0) {
            self.1.narrow(&before.1);
        }
    }
}

/// A reduction that is on or off. When off, all marks are the default one.
impl<S: Steered, R: Reduction<S>> Reduction<S> for Option<R> {
    type Mark = R::Mark;

    fn nature(&self) -> Nature {
        self.as_ref().map(R::nature).unwrap_or_default()
    }

    fn prune(&mut self, system: &S, mark: &mut R::Mark, actions: &mut Vec<S::Action>) {
        if let Some(reduction) = self {
            reduction.prune(system, mark, actions);
        }
    }

    fn step(&mut self, system: &S, mark: &mut R::Mark, action: &S::Action) -> R::Mark {
        self.as_mut().map(|reduction| reduction.step(system, mark, action)).unwrap_or_default()
    }

    fn cuts(&self, cuts: &mut Vec<Cut>) {
        if let Some(reduction) = self {
            reduction.cuts(cuts);
        }
    }
}
