//! The systems that the tests explore, and reference searches that share no code with the crate.
#![allow(dead_code)] // Each test file uses a part of this.

pub(crate) mod brute;
pub(crate) mod jugs;
pub(crate) mod mailboxes;
pub(crate) mod process;
pub(crate) mod threads;

use std::collections::HashSet;

use explore::{Named, Property, Steered};

/// Collects the states that a search visits, and those in which it is stuck.
pub(crate) struct Collect<I> {
    pub(crate) states: HashSet<I>,
    pub(crate) stuck: HashSet<I>,
}

impl<I> Default for Collect<I> {
    fn default() -> Self {
        Collect { states: HashSet::new(), stuck: HashSet::new() }
    }
}

impl<S: Steered> Property<S> for Collect<S::Identity> {
    type Violation = Named;

    fn state(&mut self, system: &S, _found: &mut Vec<Named>) {
        self.states.insert(system.identity());
    }

    fn stuck(&mut self, system: &S, _found: &mut Vec<Named>) {
        self.stuck.insert(system.identity());
    }
}
