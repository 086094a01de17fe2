//! What the checker has done, and which cubes it needed for that.

use super::outcome::{Checked, Obligation};
use std::collections::{BTreeMap, BTreeSet};

/// The cubes from which each obligation followed, by position.
pub(crate) struct Relevant {
    cubes: BTreeMap<Key, BTreeSet<usize>>,
    /// The obligations for which assumptions or counters had to name the processes that they promise, with those counters.
    promised: BTreeMap<Key, BTreeSet<usize>>,
}

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
        self.cubes.get(&Key::Property(property)).into_iter().flatten().copied()
    }

    /// The promises of counters that a property needs; none if it needs no process that is promised.
    pub(crate) fn promised_to_property(&self, property: usize) -> Option<&BTreeSet<usize>> {
        self.promised.get(&Key::Property(property))
    }

    /// The same for a step of a transition to a cube.
    pub(crate) fn promised_to_step(&self, transition: usize, cube: usize) -> Option<&BTreeSet<usize>> {
        self.promised.get(&Key::Step(transition, cube))
    }

    /// For a step of a transition to a cube.
    pub(crate) fn to_step(&self, transition: usize, cube: usize) -> impl Iterator<Item = usize> {
        self.cubes.get(&Key::Step(transition, cube)).into_iter().flatten().copied()
    }

    /// For the domain of a symbol that a transition assigns.
    pub(crate) fn to_domain(&self, transition: usize, symbol: usize) -> impl Iterator<Item = usize> {
        self.cubes.get(&Key::Domain(transition, symbol)).into_iter().flatten().copied()
    }

    /// For what an auxiliary variable or counter needs.
    pub(crate) fn to_lift(&self, lift: usize) -> impl Iterator<Item = usize> {
        self.cubes.get(&Key::Lift(lift)).into_iter().flatten().copied()
    }
}

/// What was done.
#[derive(Debug, Default)]
pub(crate) struct Work {
    pub(crate) done: Checked,
    used: BTreeMap<Key, BTreeSet<usize>>,
    promised: BTreeMap<Key, BTreeSet<usize>>,
}

impl Work {
    pub(crate) fn use_hypotheses(&mut self, obligation: Obligation, used: impl IntoIterator<Item = usize>) {
        if let Some(key) = key(obligation) {
            self.used.entry(key).or_default().extend(used);
        }
    }

    /// An obligation needs a process that is promised by an assumption, or by what counters mean, given by its position.
    pub(crate) fn use_promise(&mut self, obligation: Obligation, by_counters: Option<usize>) {
        if let Some(key) = key(obligation) {
            self.promised.entry(key).or_default().extend(by_counters);
        }
    }

    /// The cubes that each obligation followed from, among the first `cubes` hypotheses: assumptions come after the cubes.
    pub(crate) fn relevant(mut self, cubes: usize) -> Relevant {
        for used in self.used.values_mut() {
            used.retain(|at| *at < cubes);
        }
        Relevant { cubes: self.used, promised: self.promised }
    }

    pub(crate) fn absorb(&mut self, other: Work) {
        self.done.problems += other.done.problems;
        self.done.plain += other.done.plain;
        for (key, used) in other.used {
            self.used.entry(key).or_default().extend(used);
        }
        for (key, promised) in other.promised {
            self.promised.entry(key).or_default().extend(promised);
        }
    }
}

fn key(obligation: Obligation) -> Option<Key> {
    match obligation {
        Obligation::Step { transition, cube } => Some(Key::Step(transition, cube)),
        Obligation::Property { property } => Some(Key::Property(property)),
        Obligation::Domain { transition, symbol } => Some(Key::Domain(transition, symbol)),
        Obligation::Lift { lift } => Some(Key::Lift(lift)),
        Obligation::Form | Obligation::Init { .. } => None,
    }
}
