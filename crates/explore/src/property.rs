//! Properties: they judge states, steps and the states in which a run cannot go on.

use crate::Steered;

/// Something that must not happen, and did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The name of the property.
    pub property: String,
    /// What is wrong, in a sentence; may be empty.
    pub message: String,
}

/// Judges what a search comes across. Properties combine as tuples.
///
/// A reduction may skip a state or a step for one that stands for it. Every memory and every reduction of
/// this crate keeps all states (up to renaming, with [`Symmetric`](crate::Symmetric)); steps are kept up to
/// the order of independent ones. Whatever looks at a longer part of a run needs a
/// [`Monitor`](crate::Monitor), whose memory becomes part of the state.
pub trait Property<S: Steered> {
    /// Judges the current state, once for each time that it is searched from.
    fn state(&mut self, _system: &S, _found: &mut Vec<Violation>) {}

    /// Judges a step: `action` has just led to the current state.
    fn step(&mut self, _system: &S, _action: &S::Action, _found: &mut Vec<Violation>) {}

    /// Judges the current state, in which nothing is enabled.
    fn stuck(&mut self, _system: &S, _found: &mut Vec<Violation>) {}
}

/// No property: the search only counts.
impl<S: Steered> Property<S> for () {}

impl<S: Steered, P: Property<S>> Property<S> for &mut P {
    fn state(&mut self, system: &S, found: &mut Vec<Violation>) {
        (**self).state(system, found);
    }

    fn step(&mut self, system: &S, action: &S::Action, found: &mut Vec<Violation>) {
        (**self).step(system, action, found);
    }

    fn stuck(&mut self, system: &S, found: &mut Vec<Violation>) {
        (**self).stuck(system, found);
    }
}

impl<S: Steered, P: Property<S>, Q: Property<S>> Property<S> for (P, Q) {
    fn state(&mut self, system: &S, found: &mut Vec<Violation>) {
        self.0.state(system, found);
        self.1.state(system, found);
    }

    fn step(&mut self, system: &S, action: &S::Action, found: &mut Vec<Violation>) {
        self.0.step(system, action, found);
        self.1.step(system, action, found);
    }

    fn stuck(&mut self, system: &S, found: &mut Vec<Violation>) {
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
    fn state(&mut self, system: &S, found: &mut Vec<Violation>) {
        if (self.is_bad)(system) {
            found.push(Violation { property: self.name.clone(), message: String::new() });
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
    fn step(&mut self, system: &S, action: &S::Action, found: &mut Vec<Violation>) {
        if (self.is_bad)(system, action) {
            found.push(Violation { property: self.name.clone(), message: String::new() });
        }
    }
}

/// A state with no enabled action that the system does not call an end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Deadlock;

impl<S: Steered> Property<S> for Deadlock {
    fn stuck(&mut self, system: &S, found: &mut Vec<Violation>) {
        if !system.ended() {
            found.push(Violation { property: "deadlock".into(), message: "no action is enabled".into() });
        }
    }
}
