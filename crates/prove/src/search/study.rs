//! What can be found out about a cube before it is its turn, from what does not change until its batch is done.
//! This is where the time goes, and all of it may be done by several threads.

use super::infer::Trial;
use super::nodes::Hash;
use super::{By, NodeId, Search, State};
use crate::canonical::canonical;
use crate::cases::cases;
use crate::cover::covers;
use crate::cube::Cube;
use crate::initial::meets_initial;
use crate::matching::Target;
use crate::preimage::pre_images;
use crate::threads::in_order;
use crate::union::Uncovered;
use rayon::prelude::*;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// So many transitions are one piece of work.
const TRANSITIONS: usize = 8;
/// So many pairs of cubes are compared sooner than a thread wakes up.
const MANY_PAIRS: usize = 1_000_000;

/// What is known of a cube.
#[derive(Debug)]
pub(super) struct Study {
    pub(super) id: NodeId,
    pub(super) cover: Cover,
    /// Looked at only if it is not covered, and in advance only if others work at the same time.
    pub(super) replacement: Option<Replacement>,
}

impl Study {
    pub(super) fn new(id: NodeId) -> Study {
        Study { id, cover: Cover::No(Uncovered::default()), replacement: None }
    }
}

/// Whether visited cubes cover a cube.
#[derive(Debug)]
pub(super) enum Cover {
    By(By),
    /// They do not; what they say about it.
    No(Uncovered),
}

/// What may make it unnecessary to visit a cube.
#[derive(Debug)]
pub(super) struct Replacement {
    pub(super) trials: Vec<Trial>,
    /// What is to be visited in its place.
    pub(super) candidate: Option<Cube>,
    /// The pre-images of the candidate, or of the cube if there is none, if they were looked at in advance.
    pub(super) pre_images: Option<Vec<PreImage>>,
}

/// A cube that is visited, with its pre-images if they are known.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) id: NodeId,
    pub(super) pre_images: Option<Vec<PreImage>>,
}

/// A cube from which a transition leads to another.
#[derive(Debug)]
pub(super) struct PreImage {
    pub(super) transition: usize,
    pub(super) cube: Known,
}

/// What was known of a pre-image when it was found.
#[derive(Debug)]
pub(super) enum Known {
    /// It was in the search.
    Before(NodeId),
    /// It was not; whether it meets an initial or known state.
    New { cube: Box<Cube>, hash: Hash, reached: bool },
}

impl Search<'_> {
    /// Studies those cubes of a batch that are still to be looked at, if there are threads for that.
    pub(super) fn studies_in_advance(&mut self, batch: &[NodeId]) -> Vec<Option<Study>> {
        if self.threads == 1 {
            return batch.iter().map(|_| None).collect();
        }
        let begun: Vec<Study> = batch
            .iter()
            .map(|id| Study { replacement: self.put_back.remove(id), ..Study::new(*id) })
            .collect();
        let (all, likely) = (0..self.visited.len(), Mutex::default());
        in_order(self.threads, begun, |study| {
            if self.node(study.id).state != State::Queued || self.orphaned_by(study.id).is_some() {
                return None;
            }
            let study = self.with_cover(study, all.clone());
            Some(if self.approximator.is_some() { self.with_replacement(study, &likely) } else { study })
        })
    }

    /// Studies cubes on, now that those in a range are visited, too.
    pub(super) fn studies(&self, begun: Vec<Study>, range: Range<usize>) -> Vec<Study> {
        let with_cover = |study| self.with_cover(study, range.clone());
        if self.threads == 1 || begun.len() == 1 {
            return begun.into_iter().map(with_cover).collect();
        }
        let likely = Mutex::default();
        in_order(self.threads, begun, |study| self.with_replacement(with_cover(study), &likely))
    }

    /// Looks whether the visited cubes of a range cover a cube.
    pub(super) fn with_cover(&self, Study { id, cover, replacement }: Study, range: Range<usize>) -> Study {
        let cover = match cover {
            Cover::No(known) => self.cover(id, known, range),
            by @ Cover::By(_) => by,
        };
        Study { id, cover, replacement }
    }

    /// Looks for what may replace a cube, unless it is likely not to be visited: because one that another thread looks at covers it.
    fn with_replacement(&self, mut study: Study, likely: &Mutex<Vec<Cube>>) -> Study {
        let likely = || likely.lock().unwrap_or_else(PoisonError::into_inner);
        let cube = &self.node(study.id).cube;
        let is_needed = matches!(study.cover, Cover::No(_)) && study.replacement.is_none();
        if is_needed && !self.is_covered_by_any(cube, likely().clone().iter()) {
            study.replacement = Some(self.replacement(study.id));
        }
        if let Some(Replacement { candidate, .. }) = &study.replacement {
            likely().push(candidate.as_ref().unwrap_or(cube).clone());
        }
        study
    }

    fn is_covered_by_any<'c>(&self, cube: &Cube, mut others: impl Iterator<Item = &'c Cube>) -> bool {
        others.any(|other| covers(self.vocabulary(), other, cube))
    }

    /// Adds the pre-images of what is likely to be visited, if there are threads for that: with many cubes at once, they have
    /// less to wait for than with one after the other.
    pub(super) fn add_pre_images(&self, studies: &mut [Study]) {
        if self.threads == 1 {
            return;
        }
        let mut likely: Vec<(&Cube, &mut Option<Vec<PreImage>>)> = Vec::new();
        for Study { id, replacement, .. } in studies {
            let Some(Replacement { candidate, pre_images, .. }) = replacement else { continue };
            let cube = &self.node(*id).cube;
            if !self.is_covered_by_any(cube, likely.iter().map(|(visited, _)| *visited)) {
                likely.push((candidate.as_ref().unwrap_or(cube), pre_images));
            }
        }
        likely.retain(|(_, pre_images)| pre_images.is_none());
        let cubes: Vec<&Cube> = likely.iter().map(|(cube, _)| *cube).collect();
        let found = self.all_pre_images(&cubes);
        likely.into_iter().zip(found).for_each(|((_, place), pre_images)| *place = Some(pre_images));
    }

    /// Whether the visited cubes of a range cover a cube, with what those before say about it.
    pub(super) fn cover(&self, id: NodeId, mut known: Uncovered, range: Range<usize>) -> Cover {
        if self.watch.look() {
            return Cover::No(known);
        }
        let cube = &self.node(id).cube;
        let target = Target::for_many(self.vocabulary(), cube);
        if let Some(by) = self.visited.covering(&target, range.clone()) {
            return Cover::By(SmallVec::from_slice(&[by]));
        }
        if !self.techniques.union {
            return Cover::No(known);
        }
        let further = self.visited.instances(&target, range);
        match known.add(self.vocabulary(), cube, further) {
            None => Cover::No(known),
            Some(mut together) => {
                together.sort_unstable();
                together.dedup();
                Cover::By(together.into())
            }
        }
    }

    pub(super) fn replacement(&self, id: NodeId) -> Replacement {
        let (trials, candidate) = (self.trials(&self.node(id).cube), self.candidate(id));
        Replacement { trials, candidate, pre_images: None }
    }

    pub(super) fn candidate(&self, id: NodeId) -> Option<Cube> {
        let assumer = self.assumer();
        let is_initial = |cube: &Cube| meets_initial(self.system, &assumer, cube);
        let approximator = self.approximator.as_ref()?;
        approximator.candidate(self.vocabulary(), &self.node(id).cube, &is_initial, &self.watch)
    }

    /// Adds the pre-images of visited cubes that are missing, if there are threads for that.
    pub(super) fn add_missing_pre_images(&self, chosen: &mut [Chosen]) {
        if self.threads == 1 {
            return;
        }
        let mut missing: Vec<&mut Chosen> =
            chosen.iter_mut().filter(|one| one.pre_images.is_none()).collect();
        let cubes: Vec<&Cube> = missing.iter().map(|one| &self.node(one.id).cube).collect();
        let found = self.all_pre_images(&cubes);
        missing.iter_mut().zip(found).for_each(|(one, pre_images)| one.pre_images = Some(pre_images));
    }

    pub(super) fn pre_images(&self, id: NodeId) -> Vec<PreImage> {
        self.pre_images_of(&self.node(id).cube)
    }

    pub(super) fn pre_images_of(&self, cube: &Cube) -> Vec<PreImage> {
        self.all_pre_images(&[cube]).pop().unwrap_or_default()
    }

    /// The pre-images of several cubes, by all threads.
    fn all_pre_images(&self, cubes: &[&Cube]) -> Vec<Vec<PreImage>> {
        let transitions = self.system.transitions.len();
        if self.threads == 1 {
            return cubes.iter().map(|cube| self.pre_images_by(cube, 0..transitions)).collect();
        }
        let starts = || (0..transitions).step_by(TRANSITIONS);
        let pieces: Vec<(&Cube, usize)> =
            cubes.iter().flat_map(|cube| starts().map(|from| (*cube, from))).collect();
        let mut found = in_order(self.threads, pieces, |(cube, from)| {
            self.pre_images_by(cube, from..transitions.min(from + TRANSITIONS))
        })
        .into_iter();
        let count = starts().len();
        cubes.iter().map(|_| found.by_ref().take(count).flatten().collect()).collect()
    }

    fn pre_images_by(&self, cube: &Cube, transitions: Range<usize>) -> Vec<PreImage> {
        let assumer = self.assumer();
        let mut found = Vec::new();
        for transition in transitions {
            let step = &self.system.transitions[transition];
            pre_images(&assumer, step, cube, &mut |cube| {
                for mut cube in self.cases(cube) {
                    canonical(&mut cube, self.vocabulary());
                    found.push(PreImage { transition, cube: self.known(cube) });
                }
            });
        }
        found
    }

    fn known(&self, cube: Cube) -> Known {
        match self.nodes.find(&cube) {
            Ok(id) => Known::Before(id),
            Err(hash) => Known::New { hash, reached: self.is_reached(&cube), cube: Box::new(cube) },
        }
    }

    /// Whether a pre-image is reached. That it was in the search before changes nothing: it may have been undone.
    pub(super) fn is_known_reached(&self, found: &PreImage) -> bool {
        match found.cube {
            Known::Before(id) => self.node(id).reached,
            Known::New { reached, .. } => reached,
        }
    }

    /// A cube in the cases that views tell apart.
    fn cases(&self, cube: Cube) -> Vec<Cube> {
        match &self.approximator {
            Some(known) if known.knows_views() => cases(self.vocabulary(), cube),
            _ => vec![cube],
        }
    }

    /// Deletes the visited cubes that one from a position on covers, each with that one.
    pub(super) fn covered_by_later(&mut self, from: usize) -> Vec<(NodeId, NodeId)> {
        let vocabulary = self.vocabulary();
        let at = |at: usize| self.visited.covered_by_later(vocabulary, at, from);
        let all = 0..self.visited.len();
        let is_much = all.len() * (all.len() - from) > MANY_PAIRS;
        let covered: Vec<(NodeId, NodeId)> = if self.threads > 1 && is_much {
            all.into_par_iter().with_min_len(64).filter_map(at).collect()
        } else {
            all.filter_map(at).collect()
        };
        self.visited.delete(covered.iter().map(|(id, _)| *id));
        covered
    }

    /// Whether a cube meets an initial state, or a state that is known to be reachable.
    pub(super) fn is_reached(&self, cube: &Cube) -> bool {
        meets_initial(self.system, &self.assumer(), cube)
            || self.approximator.as_ref().is_some_and(|known| known.is_reachable(self.vocabulary(), cube))
    }
}
