//! The visited cubes, which are the invariant so far, and whether they subsume another one.

use super::NodeId;
use crate::cube::Cube;
use crate::joint_subsumption::{Instances, MAX_OPEN};
use crate::matching::{Pattern, Target};
use crate::subsumption::{Globals, Signature};
use crate::vocabulary::Vocabulary;
use rustc_hash::FxHashSet;
use std::{cell::LazyCell, ops::Range};

/// The visited cubes, in the order in which they were visited.
#[derive(Debug, Default)]
pub(super) struct Visited {
    entries: Vec<Entry>,
    /// What each of them demands, apart from the rest: most questions need no more of an entry.
    demanded: Vec<Demanded>,
}

#[derive(Clone, Copy, Debug)]
struct Demanded {
    globals: Globals,
    features: Signature,
}

#[derive(Debug)]
struct Entry {
    offered: Signature,
    pattern: Pattern,
    id: NodeId,
    cube: Cube,
}

impl Visited {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = NodeId> {
        self.entries.iter().map(|entry| entry.id)
    }

    pub(super) fn push(&mut self, vocabulary: &Vocabulary, id: NodeId, cube: &Cube) {
        self.demanded.push(Demanded {
            globals: Globals::demanded(cube, vocabulary),
            features: Signature::demanded(cube, vocabulary),
        });
        self.entries.push(Entry {
            offered: Signature::offered(cube, vocabulary),
            pattern: Pattern::new(vocabulary, cube),
            id,
            cube: cube.clone(),
        });
    }

    pub(super) fn retain(&mut self, keep: impl Fn(NodeId) -> bool) {
        let mut kept = self.entries.iter().map(|entry| keep(entry.id));
        self.demanded.retain(|_| kept.next().unwrap_or(false));
        self.entries.retain(|entry| keep(entry.id));
    }

    /// The entries in a range whose demands satisfy a condition.
    fn promising(&self, range: Range<usize>, may: impl Fn(Demanded) -> bool) -> impl Iterator<Item = &Entry> {
        let demanded = self.demanded[range.clone()].iter();
        demanded
            .zip(&self.entries[range])
            .filter(move |(demanded, _)| may(**demanded))
            .map(|(_, entry)| entry)
    }

    /// The first one in a range that subsumes a cube by itself.
    pub(super) fn subsuming(&self, target: &Target<'_>, range: Range<usize>) -> Option<NodeId> {
        let offered = Signature::offered(target.cube, target.vocabulary);
        self.promising(range, |demanded| demanded.features.is_within(offered))
            .find(|entry| target.is_subsumed_by(&entry.cube, &entry.pattern))
            .map(|entry| entry.id)
    }

    /// The instances of those in a range that have something in common with a cube.
    pub(super) fn instances(&self, target: &Target<'_>, range: Range<usize>) -> Instances {
        let mut found = Instances::default();
        let offered = Signature::offered(target.cube, target.vocabulary);
        let excluded = Globals::excluded(target.cube, target.vocabulary);
        let may = |Demanded { globals, features }: Demanded| {
            globals.is_disjoint(excluded) && features.missing_from(offered) <= MAX_OPEN
        };
        for entry in self.promising(range, may) {
            found.add(target, (entry.id, &entry.cube, &entry.pattern));
        }
        found
    }

    /// The cube at a position, and a later one from the position `from` on that subsumes it, if there is one.
    pub(super) fn subsumed_by_later(
        &self,
        vocabulary: &Vocabulary,
        at: usize,
        from: usize,
    ) -> Option<(NodeId, NodeId)> {
        let known = &self.entries[at];
        let target = LazyCell::new(|| Target::new(vocabulary, &known.cube));
        let later = from.max(at + 1)..self.entries.len();
        self.promising(later, |demanded| demanded.features.is_within(known.offered))
            .find(|entry| target.is_subsumed_by(&entry.cube, &entry.pattern))
            .map(|entry| (known.id, entry.id))
    }

    pub(super) fn delete(&mut self, gone: impl Iterator<Item = NodeId>) {
        let gone: FxHashSet<NodeId> = gone.collect();
        if !gone.is_empty() {
            self.retain(|id| !gone.contains(&id));
        }
    }
}
