//! Properties judge states, steps, and states without an enabled action.

use crate::Steered;
use std::{convert::Infallible, fmt};

/// A violation of a property that has a name and nothing else, such as [`BadState`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named(pub String);

/// Judges the states and steps that a search visits. Properties whose violations have the same type combine as pairs.
///
/// A reduction may skip a state or a step in favour of one that represents it. Every memory and every reduction of
/// this crate keeps all states (up to renaming, with [`Symmetric`](crate::Symmetric)); steps are kept up to the order
/// of independent ones. A property of longer parts of a run needs a [`Monitor`](crate::Monitor), whose memory becomes
/// part of the state.
pub trait Property<S: Steered> {
    /// The type of violations. Equal violations are reported once, with the first run that leads to them; they are
    /// ordered so that reports do not depend on the number of threads.
    type Violation: Clone + fmt::Debug + Ord + Send;

    /// Judges the current state, once for each time that it is searched from.
    fn state(&mut self, _system: &S, _found: &mut Vec<Self::Violation>) {}

    /// Judges a step: `action` has just led to the current state.
    fn step(&mut self, _system: &S, _action: &S::Action, _found: &mut Vec<Self::Violation>) {}

    /// Judges the current state, in which no action is enabled.
    fn stuck(&mut self, _system: &S, _found: &mut Vec<Self::Violation>) {}
}

/// No property: the search only counts states and steps.
impl<S: Steered> Property<S> for () {
    type Violation = Infallible;
}

impl<S: Steered, P: Property<S>> Property<S> for &mut P {
    type Violation = P::Violation;

    fn state(&mut self, system: &S, found: &mut Vec<Self::Violation>) {
        (**self).state(system, found);
    }

    fn step(&mut self, system: &S, action: &S::Action, found: &mut Vec<Self::Violation>) {
        (**self).step(system, action, found);
    }

    fn stuck(&mut self, system: &S, found: &mut Vec<Self::Violation>) {
        (**self).stuck(system, found);
    }
}

impl<S: Steered, P: Property<S>, Q: Property<S, Violation = P::Violation>> Property<S> for (P, Q) {
    type Violation = P::Violation;

    fn state(&mut self, system: &S, found: &mut Vec<Self::Violation>) {
        self.0.state(system, found);
        self.1.state(system, found);
    }

    fn step(&mut self, system: &S, action: &S::Action, found: &mut Vec<Self::Violation>) {
        self.0.step(system, action, found);
        self.1.step(system, action, found);
    }

    fn stuck(&mut self, system: &S, found: &mut Vec<Self::Violation>) {
        self.0.stuck(system, found);
        self.1.stuck(system, found);
    }
}

/// A state that must not be reached, given by a predicate.
#[derive(Clone, Debug)]
pub struct BadState<F> {
    name: String,
    is_bad: F,
}

impl<F> BadState<F> {
    /// Violated by the states in which `is_bad` holds.
    pub fn new(name: impl Into<String>, is_bad: F) -> Self {
        BadState { name: name.into(), is_bad }
    }
}

impl<S: Steered, F: FnMut(&S) -> bool> Property<S> for BadState<F> {
    type Violation = Named;

    fn state(&mut self, system: &S, found: &mut Vec<Self::Violation>) {
        if (self.is_bad)(system) {
            found.push(Named(self.name.clone()));
        }
    }
}

/// A step that must not be taken, given by a predicate on the action and the state that it leads to.
#[derive(Clone, Debug)]
pub struct BadStep<F> {
    name: String,
    is_bad: F,
}

impl<F> BadStep<F> {
    /// Violated by the steps for which `is_bad` holds.
    pub fn new(name: impl Into<String>, is_bad: F) -> Self {
        BadStep { name: name.into(), is_bad }
    }
}

impl<S: Steered, F: FnMut(&S, &S::Action) -> bool> Property<S> for BadStep<F> {
    type Violation = Named;

    fn step(&mut self, system: &S, action: &S::Action, found: &mut Vec<Self::Violation>) {
        if (self.is_bad)(system, action) {
            found.push(Named(self.name.clone()));
        }
    }
}

/// Reports states without an enabled action in which the system has not [`ended`](Steered::ended).
#[derive(Clone, Copy, Debug, Default)]
pub struct Deadlock;

impl<S: Steered> Property<S> for Deadlock {
    type Violation = Named;

    fn stuck(&mut self, system: &S, found: &mut Vec<Self::Violation>) {
        if !system.ended() {
            found.push(Named("deadlock".into()));
        }
    }
}
