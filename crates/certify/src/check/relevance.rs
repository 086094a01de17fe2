//! What the checker has done, and which cubes it needed for that.

use super::outcome::{Checked, Obligation};
use std::collections::{BTreeMap, BTreeSet};

/// The cubes from which each obligation followed, by position.
pub(crate) struct Relevant(BTreeMap<Key, BTreeSet<usize>>);

/// An obligation that has hypotheses: a property, a transition with a cube, one with a symbol, or what a counter needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Property(usize),
    Step(usize, usize),
    Domain(usize, usize),
    Lift(usize),
}

impl Relevant {
    /// For a property.
    pub(crate) fn to_property(&self, property: usize) -> impl Iterator<Item = usize> {
        self.0.get(&Key::Property(property)).into_iter().flatten().copied()
    }

    /// For a step of a transition to a cube.
    pub(crate) fn to_step(&self, transition: usize, cube: usize) -> impl Iterator<Item = usize> {
        self.0.get(&Key::Step(transition, cube)).into_iter().flatten().copied()
    }

    /// For the domain of a symbol that a transition assigns.
    pub(crate) fn to_domain(&self, transition: usize, symbol: usize) -> impl Iterator<Item = usize> {
        self.0.get(&Key::Domain(transition, symbol)).into_iter().flatten().copied()
    }

    /// For what an auxiliary variable or counter needs.
    pub(crate) fn to_lift(&self, lift: usize) -> impl Iterator<Item = usize> {
        self.0.get(&Key::Lift(lift)).into_iter().flatten().copied()
    }
}

/// What was done.
#[derive(Debug, Default)]
pub(crate) struct Work {
    pub(crate) done: Checked,
    used: BTreeMap<Key, BTreeSet<usize>>,
}

impl Work {
    pub(crate) fn use_hypotheses(&mut self, obligation: Obligation, used: impl IntoIterator<Item = usize>) {
        let key = match obligation {
            Obligation::Step { transition, cube } => Key::Step(transition, cube),
            Obligation::Property { property } => Key::Property(property),
            Obligation::Domain { transition, symbol } => Key::Domain(transition, symbol),
            Obligation::Lift { lift } => Key::Lift(lift),
            Obligation::Form | Obligation::Init { .. } => return,
        };
        self.used.entry(key).or_default().extend(used);
    }

    /// The cubes that each obligation followed from, among the first `cubes` hypotheses: assumptions come after the cubes.
    pub(crate) fn relevant(mut self, cubes: usize) -> Relevant {
        for used in self.used.values_mut() {
            used.retain(|at| *at < cubes);
        }
        Relevant(self.used)
    }

    pub(crate) fn absorb(&mut self, other: Work) {
        self.done.problems += other.done.problems;
        self.done.plain += other.done.plain;
        for (key, used) in other.used {
            self.used.entry(key).or_default().extend(used);
        }
    }
}
