//! The cubes of a search, by number and by what they say.

use crate::cube::Cube;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;
use std::hash::BuildHasher;
use std::ops::{Index, IndexMut};

/// A cube of the search, by number.
pub(crate) type NodeId = u32;

/// Where a cube comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A property of the model.
    Property(usize),
    /// Excluded by what never changes.
    Fact,
    /// The pre-image of a cube by a transition.
    Step { after: NodeId, transition: usize },
    /// A candidate that replaces a cube.
    Candidate { of: NodeId },
}

/// The cubes because of which another one is left out.
pub(crate) type By = SmallVec<[NodeId; 2]>;

/// What has become of a cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Queued,
    /// Part of the invariant, its pre-images are in the search.
    Visited,
    /// Left out because these visited cubes cover it.
    Covered(By),
    /// Left out because the cubes whose pre-image it is are covered by these, whose pre-images are in the search.
    Orphaned(By),
    /// Replaced by a candidate.
    Replaced(NodeId),
    /// Came from a candidate that was wrong.
    Undone,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) cube: Cube,
    pub(crate) source: Source,
    /// Further ways in which the same cube came up.
    pub(super) others: SmallVec<[Source; 1]>,
    pub(crate) state: State,
    pub(crate) depth: u32,
    /// The candidate that it comes from, if it does.
    pub(crate) origin: Option<NodeId>,
    /// Whether it meets an initial or known state.
    pub(super) reached: bool,
}

/// The hash of a cube, to be found out but once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hash(u64);

/// All cubes of a search, each but once.
#[derive(Debug, Default)]
pub(crate) struct Nodes {
    list: Vec<Node>,
    /// Those with a hash, which is kept since cubes are large.
    numbers: HashTable<(Hash, NodeId)>,
}

impl Nodes {
    pub(crate) fn all(&self) -> &[Node] {
        &self.list
    }

    /// The number of a cube, or its hash if it is not in the search.
    pub(super) fn find(&self, cube: &Cube) -> Result<NodeId, Hash> {
        let hash = Hash(FxBuildHasher.hash_one(cube));
        self.find_by_hash(cube, hash).ok_or(hash)
    }

    /// The number of a cube with this hash, if it is in the search.
    pub(super) fn find_by_hash(&self, cube: &Cube, hash: Hash) -> Option<NodeId> {
        let found = self.numbers.find(hash.0, |(known, id)| *known == hash && self[*id].cube == *cube);
        found.map(|(_, id)| *id)
    }

    /// The number that the next cube will have.
    pub(super) fn next(&self) -> NodeId {
        u32::try_from(self.list.len()).expect("memory ends before")
    }

    /// Adds a cube that is not in the search, and waits.
    pub(super) fn push(&mut self, cube: Cube, hash: Hash, source: Source) -> NodeId {
        let id = self.next();
        self.numbers.insert_unique(hash.0, (hash, id), |(hash, _)| hash.0);
        let (others, state) = (SmallVec::new(), State::Queued);
        self.list.push(Node { cube, source, others, state, depth: 0, origin: None, reached: false });
        id
    }
}

impl Index<NodeId> for Nodes {
    type Output = Node;

    fn index(&self, id: NodeId) -> &Node {
        &self.list[id as usize]
    }
}

impl IndexMut<NodeId> for Nodes {
    fn index_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.list[id as usize]
    }
}
