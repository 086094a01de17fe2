//! What can be found out about a cube before it is its turn, from what does not change until its batch is done.
//! This is where the time goes, and all of it may be done by several threads.

use super::infer::Trial;
use super::visited::covered_together;
use super::{By, NodeId, Search};
use crate::canonical::canonical;
use crate::cube::Cube;
use crate::initial::meets_initial;
use crate::matching::Target;
use crate::preimage::pre_images;
use crate::union::Instance;
use rayon::prelude::*;
use smallvec::SmallVec;

/// What is known of a cube.
#[derive(Debug)]
pub(super) struct Study {
    pub(super) cover: Cover,
    /// Looked at only if it is not covered, and in advance only if others work at the same time.
    pub(super) expansion: Option<Expansion>,
}

/// Whether the cubes that were visited when the batch began cover it.
#[derive(Debug)]
pub(super) enum Cover {
    By(By),
    /// They do not; their instances that say something about it.
    No(Vec<Instance>),
}

/// What a cube leads to.
#[derive(Debug)]
pub(super) struct Expansion {
    pub(super) trials: Vec<Trial>,
    /// What is to be visited in its place.
    pub(super) candidate: Option<Cube>,
    /// Of the candidate, or of the cube.
    pub(super) pre_images: Vec<PreImage>,
}

/// A cube from which a transition leads to another.
#[derive(Debug)]
pub(super) struct PreImage {
    pub(super) transition: usize,
    pub(super) cube: Cube,
    /// Whether it meets an initial or known state, unless it was in the search before.
    pub(super) reached: Option<bool>,
}

impl Search<'_> {
    /// Studies the cubes of a batch in advance, if there are threads for that.
    pub(super) fn studies(&self, batch: &[NodeId]) -> Vec<Option<Study>> {
        match &self.pool {
            Some(pool) if batch.len() > 1 => {
                pool.install(|| batch.par_iter().map(|id| Some(self.study(*id))).collect())
            }
            _ => batch.iter().map(|_| None).collect(),
        }
    }

    fn study(&self, id: NodeId) -> Study {
        let cover = self.cover(id, self.visited.len());
        let expansion = matches!(cover, Cover::No(_)).then(|| self.expansion(id));
        Study { cover, expansion }
    }

    /// Whether the first so many visited cubes cover a cube.
    pub(super) fn cover(&self, id: NodeId, visited: usize) -> Cover {
        let cube = &self.node(id).cube;
        let target = Target::for_many(self.vocabulary(), cube);
        if let Some(by) = self.visited.covering(&target, 0..visited) {
            return Cover::By(SmallVec::from_slice(&[by]));
        }
        let mut instances = Vec::new();
        if self.techniques.union {
            self.visited.instances(&target, 0..visited, &mut instances);
            if let Some(by) = covered_together(self.vocabulary(), cube, &instances) {
                return Cover::By(by);
            }
        }
        Cover::No(instances)
    }

    pub(super) fn expansion(&self, id: NodeId) -> Expansion {
        let (vocabulary, cube) = (self.vocabulary(), &self.node(id).cube);
        let assumer = self.assumer();
        let is_initial = |cube: &Cube| meets_initial(self.system, &assumer, cube);
        let candidate = self
            .approximator
            .as_ref()
            .and_then(|known| known.candidate(vocabulary, cube, &is_initial, &self.watch));
        let trials = self.trials(cube);
        let pre_images = self.pre_images(candidate.as_ref().unwrap_or(cube));
        Expansion { trials, candidate, pre_images }
    }

    fn pre_images(&self, cube: &Cube) -> Vec<PreImage> {
        let assumer = self.assumer();
        let mut found = Vec::new();
        for (transition, step) in self.system.transitions.iter().enumerate() {
            pre_images(&assumer, step, cube, &mut |mut cube| {
                canonical(&mut cube, self.vocabulary());
                let reached = (!self.known.contains_key(&cube)).then(|| self.is_reached(&cube));
                found.push(PreImage { transition, cube, reached });
            });
        }
        found
    }

    /// Whether a cube meets an initial state, or a state that is known to be reachable.
    pub(super) fn is_reached(&self, cube: &Cube) -> bool {
        meets_initial(self.system, &self.assumer(), cube)
            || self.approximator.as_ref().is_some_and(|known| known.is_reachable(self.vocabulary(), cube))
    }
}
