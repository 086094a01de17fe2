//! The visited cubes, asked whether they cover another one.

use super::{By, NodeId};
use crate::cover::Signature;
use crate::cube::Cube;
use crate::matching::{Pattern, Target};
use crate::union::{self, Instance, MAX_OPEN};
use crate::vocabulary::Vocabulary;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// The visited cubes, in the order in which they were visited.
#[derive(Debug, Default)]
pub(super) struct Visited {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    demanded: Signature,
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
        self.entries.push(Entry {
            demanded: Signature::demanded(cube, vocabulary),
            offered: Signature::offered(cube, vocabulary),
            pattern: Pattern::new(vocabulary, cube),
            id,
            cube: cube.clone(),
        });
    }

    pub(super) fn retain(&mut self, mut keep: impl FnMut(NodeId) -> bool) {
        self.entries.retain(|entry| keep(entry.id));
    }

    /// The first one in a range that alone covers a cube.
    pub(super) fn covering(&self, target: &Target<'_>, range: Range<usize>) -> Option<NodeId> {
        let offered = Signature::offered(target.cube, target.vocabulary);
        let covers = |entry: &&Entry| {
            entry.demanded.is_within(offered) && target.is_covered_by(&entry.cube, &entry.pattern)
        };
        self.entries[range].iter().find(covers).map(|entry| entry.id)
    }

    /// Appends the instances of those in a range that say something about a cube.
    pub(super) fn instances(&self, target: &Target<'_>, range: Range<usize>, found: &mut Vec<Instance>) {
        let offered = Signature::offered(target.cube, target.vocabulary);
        for entry in &self.entries[range] {
            if entry.demanded.missing_from(offered) <= MAX_OPEN {
                union::instances(target, (entry.id, &entry.cube, &entry.pattern), found);
            }
        }
    }

    /// Those that a later one covers, of which the covering ones from a position on are considered; each with that one.
    /// They are no longer visited.
    pub(super) fn delete_covered(&mut self, vocabulary: &Vocabulary, from: usize) -> Vec<(NodeId, NodeId)> {
        let mut deleted = Vec::new();
        for (at, known) in self.entries.iter().enumerate() {
            let covers = |entry: &&Entry| {
                entry.demanded.is_within(known.offered)
                    && Target::new(vocabulary, &known.cube).is_covered_by(&entry.cube, &entry.pattern)
            };
            let later = &self.entries[from.max(at + 1)..];
            deleted.extend(later.iter().find(covers).map(|entry| (known.id, entry.id)));
        }
        if !deleted.is_empty() {
            let gone: FxHashSet<NodeId> = deleted.iter().map(|(old, _)| *old).collect();
            self.retain(|id| !gone.contains(&id));
        }
        deleted
    }
}

/// The visited cubes that cover a cube together, if their instances do.
pub(super) fn covered_together(vocabulary: &Vocabulary, cube: &Cube, instances: Vec<Instance>) -> Option<By> {
    let mut used = Vec::new();
    union::is_covered(vocabulary, cube, instances, &mut used).then(|| {
        used.sort_unstable();
        used.dedup();
        used.into()
    })
}
