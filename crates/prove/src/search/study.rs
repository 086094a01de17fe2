//! What can be found out about a cube before it is its turn, from what does not change until its batch is done.
//! This is where the time goes, and all of it may be done by several threads.

use super::infer::Trial;
use super::nodes::Hash;
use super::{By, NodeId, Search, State};
use crate::assume::Assumer;
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
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// So many transitions are one piece of work.
const TRANSITIONS: usize = 8;
/// So many pairs of cubes are compared sooner than a thread wakes up.
const MANY_PAIRS: usize = 1_000_000;

/// How many cubes are studied in advance where cubes are guessed. What is guessed may cover most of those that follow, so
/// that to study them is in vain. The outcome does not depend on it.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// Cubes that came up of late.
    cubes: usize,
    /// Those of them that were visited: not covered by others, nor put back because of a wrong guess.
    needed: usize,
}

/// So many at most; and of so many cubes at most it is remembered whether they were needed.
const MOST_AHEAD: usize = 64;

impl Ahead {
    pub(super) fn cubes(&self) -> usize {
        if 2 * self.needed > self.cubes { MOST_AHEAD } else { 1 }
    }

    pub(super) fn learn(&mut self, needed: bool) {
        self.cubes += 1;
        self.needed += usize::from(needed);
        if self.cubes == MOST_AHEAD {
            *self = Ahead { cubes: self.cubes / 2, needed: self.needed / 2 };
        }
    }
}

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
    /// The pre-images of the candidate; if there is none, those of the cube, if they were looked at in advance.
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
    /// Looks whether visited cubes cover those of a batch that are still to be looked at, if there are threads for that.
    pub(super) fn covered_in_advance(&mut self, batch: &[NodeId]) -> Vec<Option<Study>> {
        if self.threads == 1 {
            return batch.iter().map(|_| None).collect();
        }
        let begun: Vec<Study> = batch
            .iter()
            .map(|id| Study { replacement: self.put_back.remove(id), ..Study::new(*id) })
            .collect();
        let all = 0..self.visited.len();
        in_order(self.threads, begun, |study| {
            let is_open = self.node(study.id).state == State::Queued && self.orphaned_by(study.id).is_none();
            is_open.then(|| self.with_cover(study, all.clone()))
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
            let mut replacement = self.replacement(study.id);
            if self.approximator.is_some() {
                replacement.pre_images.get_or_insert_with(|| self.pre_images(study.id));
            }
            study.replacement = Some(replacement);
        }
        if let Some(Replacement { candidate, .. }) = &study.replacement {
            likely().push(candidate.as_ref().unwrap_or(cube).clone());
        }
        study
    }

    fn is_covered_by_any<'c>(&self, cube: &Cube, mut others: impl Iterator<Item = &'c Cube>) -> bool {
        others.any(|other| covers(self.vocabulary(), other, cube))
    }

    /// Whether the visited cubes of a range cover a cube, with what those before say about it.
    pub(super) fn cover(&self, id: NodeId, mut known: Uncovered, range: Range<usize>) -> Cover {
        if self.watch.look() {
            return Cover::No(known);
        }
        let cube = &self.node(id).cube;
        let target = Target::for_many(self.vocabulary(), cube, &self.watch);
        if let Some(by) = self.visited.covering(&target, range.clone()) {
            return Cover::By(SmallVec::from_slice(&[by]));
        }
        if !self.techniques.union {
            return Cover::No(known);
        }
        let further = self.visited.instances(&target, range);
        match known.add((self.vocabulary(), &self.watch), cube, further) {
            None => Cover::No(known),
            Some(mut together) => {
                together.sort_unstable();
                together.dedup();
                Cover::By(together.into())
            }
        }
    }

    pub(super) fn replacement(&self, id: NodeId) -> Replacement {
        let (candidate, pre_images) = self.candidate(id).unzip();
        Replacement { trials: self.trials(&self.node(id).cube), candidate, pre_images }
    }

    /// What is to be visited in the place of a cube, with its pre-images.
    pub(super) fn candidate(&self, id: NodeId) -> Option<(Cube, Vec<PreImage>)> {
        let approximator = self.approximator.as_ref()?;
        let tenable = |candidate: &Cube| self.tenable(candidate);
        approximator.candidate(self.vocabulary(), &self.node(id).cube, tenable, &self.watch)
    }

    /// The pre-images of a candidate, unless it or one of these is reached: then it is wrong, and so is whatever is more general.
    fn tenable(&self, candidate: &Cube) -> Option<Vec<PreImage>> {
        if meets_initial(self.system, &self.assumer(), candidate) {
            return None;
        }
        let is_wrong = AtomicBool::new(false);
        let found = self.by_all_transitions(&[candidate], |cube, transitions| {
            let (assumer, mut found) = (self.assumer(), Vec::new());
            for transition in transitions {
                if is_wrong.load(Ordering::Relaxed) {
                    break;
                }
                let before = found.len();
                self.add_pre_images_by(&assumer, transition, cube, &mut found);
                if found[before..].iter().any(|one| self.is_known_reached(one)) {
                    is_wrong.store(true, Ordering::Relaxed);
                }
            }
            found
        });
        if is_wrong.into_inner() { None } else { found.into_iter().next() }
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
        self.all_pre_images(&[&self.node(id).cube]).pop().unwrap_or_default()
    }

    /// The pre-images of several cubes, by all threads.
    fn all_pre_images(&self, cubes: &[&Cube]) -> Vec<Vec<PreImage>> {
        self.by_all_transitions(cubes, |cube, transitions| self.pre_images_by(cube, transitions))
    }

    /// What is found for each of several cubes, some transitions at a time.
    fn by_all_transitions(
        &self,
        cubes: &[&Cube],
        find: impl Fn(&Cube, Range<usize>) -> Vec<PreImage> + Sync,
    ) -> Vec<Vec<PreImage>> {
        let transitions = self.system.transitions.len();
        if self.threads == 1 {
            return cubes.iter().map(|cube| find(cube, 0..transitions)).collect();
        }
        let starts = || (0..transitions).step_by(TRANSITIONS);
        let pieces: Vec<(&Cube, usize)> =
            cubes.iter().flat_map(|cube| starts().map(|from| (*cube, from))).collect();
        let mut found = in_order(self.threads, pieces, |(cube, from)| {
            find(cube, from..transitions.min(from + TRANSITIONS))
        })
        .into_iter();
        let count = starts().len();
        cubes.iter().map(|_| found.by_ref().take(count).flatten().collect()).collect()
    }

    fn pre_images_by(&self, cube: &Cube, transitions: Range<usize>) -> Vec<PreImage> {
        let (assumer, mut found) = (self.assumer(), Vec::new());
        transitions.for_each(|transition| self.add_pre_images_by(&assumer, transition, cube, &mut found));
        found
    }

    fn add_pre_images_by(
        &self,
        assumer: &Assumer<'_>,
        transition: usize,
        cube: &Cube,
        found: &mut Vec<PreImage>,
    ) {
        if self.watch.look() {
            return;
        }
        let step = &self.system.transitions[transition];
        pre_images(assumer, step, cube, &mut |cube| {
            for mut cube in self.cases(cube) {
                canonical(&mut cube, self.vocabulary());
                found.push(PreImage { transition, cube: self.known(cube) });
            }
        });
    }

    fn known(&self, cube: Cube) -> Known {
        match self.nodes.find(&cube) {
            Ok(id) => Known::Before(id),
            Err(hash) => Known::New { hash, reached: self.is_reached(&cube), cube: Box::new(cube) },
        }
    }

    /// Whether a pre-image is reached. That it was in the search before changes nothing: it may have been undone.
    fn is_known_reached(&self, found: &PreImage) -> bool {
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
        let watch = &self.watch;
        let at = |at: usize| {
            if watch.look() { None } else { self.visited.covered_by_later(vocabulary, at, from) }
        };
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
