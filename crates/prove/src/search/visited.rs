//! The visited cubes, asked whether they cover another one.

use super::{By, NodeId};
use crate::cover::Signature;
use crate::cube::Cube;
use crate::matching::{Pattern, Target};
use crate::union::{self, Instance, MAX_OPEN};
use crate::vocabulary::Vocabulary;
use rustc_hash::FxHashSet;
use std::{cell::LazyCell, ops::Range};

/// The visited cubes, in the order in which they were visited.
#[derive(Debug, Default)]
pub(super) struct Visited {
    entries: Vec<Entry>,
    /// What each of them demands: looked at for all, unlike the rest.
    demanded: Vec<Signature>,
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
        self.demanded.push(Signature::demanded(cube, vocabulary));
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

    /// Those in a range of which a condition holds for what they demand.
    fn promising(
        &self,
        range: Range<usize>,
        may: impl Fn(Signature) -> bool,
    ) -> impl Iterator<Item = &Entry> {
        let demanded = self.demanded[range.clone()].iter();
        demanded
            .zip(&self.entries[range])
            .filter(move |(demanded, _)| may(**demanded))
            .map(|(_, entry)| entry)
    }

    /// The first one in a range that alone covers a cube.
    pub(super) fn covering(&self, target: &Target<'_>, range: Range<usize>) -> Option<NodeId> {
        let offered = Signature::offered(target.cube, target.vocabulary);
        self.promising(range, |demanded| demanded.is_within(offered))
            .find(|entry| target.is_covered_by(&entry.cube, &entry.pattern))
            .map(|entry| entry.id)
    }

    /// Appends the instances of those in a range that say something about a cube.
    pub(super) fn instances(&self, target: &Target<'_>, range: Range<usize>, found: &mut Vec<Instance>) {
        let offered = Signature::offered(target.cube, target.vocabulary);
        for entry in self.promising(range, |demanded| demanded.missing_from(offered) <= MAX_OPEN) {
            union::instances(target, (entry.id, &entry.cube, &entry.pattern), found);
        }
    }

    /// Those that a later one covers, of which the covering ones from a position on are considered; each with that one.
    /// They are no longer visited.
    pub(super) fn delete_covered(&mut self, vocabulary: &Vocabulary, from: usize) -> Vec<(NodeId, NodeId)> {
        let mut deleted = Vec::new();
        for (at, known) in self.entries.iter().enumerate() {
            let later = from.max(at + 1)..self.entries.len();
            let target = LazyCell::new(|| Target::new(vocabulary, &known.cube));
            let by = self
                .promising(later, |demanded| demanded.is_within(known.offered))
                .find(|entry| target.is_covered_by(&entry.cube, &entry.pattern));
            deleted.extend(by.map(|entry| (known.id, entry.id)));
        }
        if !deleted.is_empty() {
            let gone: FxHashSet<NodeId> = deleted.iter().map(|(old, _)| *old).collect();
            self.retain(|id| !gone.contains(&id));
        }
        deleted
    }
}

/// The visited cubes that cover a cube together, if their instances do.
pub(super) fn covered_together(vocabulary: &Vocabulary, cube: &Cube, instances: &[Instance]) -> Option<By> {
    let mut used = Vec::new();
    union::is_covered(vocabulary, cube, instances, &mut used).then(|| {
        used.sort_unstable();
        used.dedup();
        used.into()
    })
}
