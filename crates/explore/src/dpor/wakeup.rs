//! Wakeup trees: what must still be tried from a state, as sequences that share their beginnings.

use super::run::GATE;
use crate::concurrency::{Access, Turn, independent};

/// An operation that is to be taken.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) turn: Turn,
    pub(super) accesses: Vec<Access>,
    /// It was tried by another part of the search, which does not tell what it has found.
    pub(super) elsewhere: bool,
}

impl Step {
    /// Whether a run that begins with this operation can also be one that begins with `sequence`: it is the
    /// first operation of its thread there, or of no thread there, and independent of everything before it. In the
    /// literature it is then a *weak initial* of the sequence.
    fn begins(&self, sequence: &[Step]) -> Begins {
        for (position, other) in sequence.iter().enumerate() {
            if other.turn.thread == self.turn.thread {
                return if self.is(other) { Begins::At(position) } else { Begins::No };
            }
            if !independent(&self.accesses, &other.accesses) {
                return Begins::No;
            }
        }
        Begins::Beside
    }

    /// Whether it need not be tried to begin with `sequence` where this operation was tried already. If it is not in the
    /// sequence, the runs that began with it have shown which ones must not: that is not known of another part's runs.
    pub(super) fn covers(&self, sequence: &[Step]) -> bool {
        match self.begins(sequence) {
            Begins::At(_) => true,
            Begins::Beside => !self.elsewhere,
            Begins::No => false,
        }
    }
}

/// The choice of an operation that is to be taken with whatever outcome it may have there.
pub(super) const ANY: u16 = u16::MAX;

impl Step {
    /// Whether it is the same operation: also on the same objects, since a thread may have been released in between.
    fn is(&self, other: &Step) -> bool {
        let choices = [self.turn.choice, other.turn.choice];
        self.turn.thread == other.turn.thread
            && (choices[0] == choices[1] || choices.contains(&ANY))
            && self.objects().eq(other.objects())
    }

    fn objects(&self) -> impl Iterator<Item = u64> {
        self.accesses.iter().map(|access| access.object).filter(|object| object & GATE == 0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Begins {
    /// It is the operation at this position.
    At(usize),
    /// It is not in the sequence, and independent of it.
    Beside,
    No,
}

/// An ordered tree of operations to take.
#[derive(Clone, Debug, Default)]
pub(super) struct WakeupTree {
    branches: Vec<Branch>,
}

#[derive(Clone, Debug)]
struct Branch {
    step: Step,
    rest: WakeupTree,
}

impl WakeupTree {
    /// The first operation to take from here, and what must be tried after it.
    pub(super) fn take_first(&mut self) -> Option<(Step, WakeupTree)> {
        if self.branches.is_empty() {
            return None;
        }
        let Branch { step, rest } = self.branches.remove(0);
        Some((step, rest))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.branches.is_empty()
    }

    /// Adds a sequence, unless what is there already will lead to an equivalent run.
    pub(super) fn insert(&mut self, mut sequence: Vec<Step>) {
        let mut tree = self;
        while !sequence.is_empty() {
            let fitting = tree.branches.iter().position(|branch| branch.step.covers(&sequence));
            let Some(position) = fitting else {
                tree.append(sequence);
                return;
            };
            let branch = &mut tree.branches[position];
            if let Begins::At(first) = branch.step.begins(&sequence) {
                sequence.remove(first);
            }
            if branch.rest.is_empty() {
                return;
            }
            tree = &mut branch.rest;
        }
    }

    fn append(&mut self, sequence: Vec<Step>) {
        let mut tree = self;
        for step in sequence {
            tree.branches.push(Branch { step, rest: WakeupTree::default() });
            let last = tree.branches.len() - 1;
            tree = &mut tree.branches[last].rest;
        }
    }
}
