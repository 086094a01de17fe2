//! The questions about a single cube that take nearly all of the time: do the visited cubes subsume it, which candidate may
//! replace it, what are its pre-images. Their answers depend on nothing that changes while they are computed, so that several
//! threads may ask them at once.

use super::graph::{Graph, Hash, Justification, NodeId};
use super::inference::{Inference, Trial};
use super::problem::{Budget, Problem};
use super::visited::Visited;
use crate::approximation::Approximator;
use crate::assume::Assumer;
use crate::canonical::canonical;
use crate::cases::cases;
use crate::cube::Cube;
use crate::joint_subsumption::Unsubsumed;
use crate::matching::Target;
use crate::preimage::pre_images;
use crate::vocabulary::Vocabulary;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use threads::in_order;

/// This many transitions are one piece of work.
const TRANSITIONS: usize = 8;

/// A search as it is at some time.
#[derive(Clone, Copy)]
pub(super) struct Evaluator<'a> {
    pub(super) problem: &'a Problem<'a>,
    pub(super) approximator: Option<&'a Approximator>,
    pub(super) graph: &'a Graph,
    pub(super) visited: &'a Visited,
    pub(super) inference: &'a Inference,
    pub(super) budget: &'a Budget,
    pub(super) threads: usize,
}

/// What is known of a cube.
#[derive(Debug)]
pub(super) struct Evaluation {
    pub(super) id: NodeId,
    pub(super) subsumption: Subsumption,
    /// Computed only if the cube is not subsumed, and ahead of its turn only if there are several threads.
    pub(super) replacement: Option<Replacement>,
}

impl Evaluation {
    pub(super) fn new(id: NodeId) -> Evaluation {
        Evaluation { id, subsumption: Subsumption::No(Unsubsumed::default()), replacement: None }
    }
}

/// Whether visited cubes subsume a cube.
#[derive(Debug)]
pub(super) enum Subsumption {
    By(Justification),
    /// They do not; what they say about it.
    No(Unsubsumed),
}

/// What may make it unnecessary to visit a cube.
#[derive(Debug)]
pub(super) struct Replacement {
    pub(super) trials: Vec<Trial>,
    /// What is to be visited in its place.
    pub(super) candidate: Option<Cube>,
    /// The pre-images of the candidate; if there is none, those of the cube, if they have been computed.
    pub(super) pre_images: Option<Vec<PreImage>>,
}

/// A cube from which a transition leads to another.
#[derive(Debug)]
pub(super) struct PreImage {
    pub(super) transition: usize,
    pub(super) cube: Known,
}

/// What was known of a pre-image when it was computed.
#[derive(Debug)]
pub(super) enum Known {
    /// It was in the graph.
    Before(NodeId),
    /// It was not; whether it meets an initial state, or a state that is known to be reachable.
    New { cube: Box<Cube>, hash: Hash, reached: bool },
}

impl Evaluator<'_> {
    fn vocabulary(&self) -> &Vocabulary {
        self.problem.vocabulary()
    }

    pub(super) fn cube(&self, id: NodeId) -> &Cube {
        &self.graph[id].cube
    }

    /// Completes what is known of a cube by whether the visited cubes of a range subsume it.
    pub(super) fn with_subsumption(&self, evaluation: Evaluation, range: Range<usize>) -> Evaluation {
        let subsumption = match evaluation.subsumption {
            Subsumption::No(known) => self.subsumption(evaluation.id, known, range),
            by @ Subsumption::By(_) => by,
        };
        Evaluation { subsumption, ..evaluation }
    }

    /// Whether the visited cubes of a range subsume a cube, together with those that have been considered before.
    pub(super) fn subsumption(&self, id: NodeId, mut known: Unsubsumed, range: Range<usize>) -> Subsumption {
        let Problem { techniques, watch, .. } = self.problem;
        if watch.look() {
            return Subsumption::No(known);
        }
        let cube = self.cube(id);
        let target = Target::for_many(self.vocabulary(), cube, watch);
        if let Some(by) = self.visited.subsuming(&target, range.clone()) {
            return Subsumption::By(SmallVec::from_slice(&[by]));
        }
        if !techniques.joint_subsumption {
            return Subsumption::No(known);
        }
        let further = self.visited.instances(&target, range);
        match known.add((self.vocabulary(), watch), cube, further) {
            None => Subsumption::No(known),
            Some(mut together) => {
                together.sort_unstable();
                together.dedup();
                Subsumption::By(together.into())
            }
        }
    }

    pub(super) fn replacement(&self, id: NodeId) -> Replacement {
        let (candidate, pre_images) = self.candidate(id).unzip();
        Replacement { trials: self.trials(self.cube(id)), candidate, pre_images }
    }

    /// What is to be visited in the place of a cube, with its pre-images.
    pub(super) fn candidate(&self, id: NodeId) -> Option<(Cube, Vec<PreImage>)> {
        let tenable = |candidate: &Cube| self.tenable(candidate);
        self.approximator?.candidate(self.vocabulary(), self.cube(id), tenable, &self.problem.watch)
    }

    /// The pre-images of a candidate, unless it or one of them is reached: then it is refuted, and so is whatever is more
    /// general.
    fn tenable(&self, candidate: &Cube) -> Option<Vec<PreImage>> {
        if self.problem.meets_initial(candidate) {
            return None;
        }
        let is_refuted = AtomicBool::new(false);
        let found = self.by_all_transitions(&[candidate], |cube, transitions| {
            let (assumer, mut found) = (self.problem.assumer(), Vec::new());
            for transition in transitions {
                if is_refuted.load(Ordering::Relaxed) {
                    break;
                }
                let before = found.len();
                self.add_pre_images_by(&assumer, transition, cube, &mut found);
                if found[before..].iter().any(|one| self.is_known_reached(one)) {
                    is_refuted.store(true, Ordering::Relaxed);
                }
            }
            found
        });
        if is_refuted.into_inner() { None } else { found.into_iter().next() }
    }

    pub(super) fn pre_images(&self, id: NodeId) -> Vec<PreImage> {
        self.all_pre_images(&[self.cube(id)]).pop().unwrap_or_default()
    }

    /// The pre-images of each of several cubes.
    pub(super) fn all_pre_images(&self, cubes: &[&Cube]) -> Vec<Vec<PreImage>> {
        self.by_all_transitions(cubes, |cube, transitions| {
            let (assumer, mut found) = (self.problem.assumer(), Vec::new());
            transitions.for_each(|transition| self.add_pre_images_by(&assumer, transition, cube, &mut found));
            found
        })
    }

    /// What is found for each of several cubes, a few transitions at a time, by all threads.
    fn by_all_transitions(
        &self,
        cubes: &[&Cube],
        find: impl Fn(&Cube, Range<usize>) -> Vec<PreImage> + Sync,
    ) -> Vec<Vec<PreImage>> {
        let transitions = self.problem.system.transitions.len();
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

    fn add_pre_images_by(
        &self,
        assumer: &Assumer<'_>,
        transition: usize,
        cube: &Cube,
        found: &mut Vec<PreImage>,
    ) {
        if self.problem.watch.look() {
            return;
        }
        let step = &self.problem.system.transitions[transition];
        pre_images(assumer, &self.problem.system.promises, step, cube, &mut |cube| {
            for mut cube in self.cases(cube) {
                canonical(&mut cube, self.vocabulary());
                found.push(PreImage { transition, cube: self.known(cube) });
            }
        });
    }

    fn known(&self, cube: Cube) -> Known {
        match self.graph.find(&cube) {
            Ok(id) => Known::Before(id),
            Err(hash) => Known::New { hash, reached: self.is_reached(&cube), cube: Box::new(cube) },
        }
    }

    /// Whether a pre-image is reached. That it is in the graph proves nothing: it may have been retracted.
    fn is_known_reached(&self, found: &PreImage) -> bool {
        match found.cube {
            Known::Before(id) => self.graph[id].reached,
            Known::New { reached, .. } => reached,
        }
    }

    /// A cube in the cases that views tell apart.
    fn cases(&self, cube: Cube) -> Vec<Cube> {
        match self.approximator {
            Some(known) if known.knows_views() => cases(self.vocabulary(), cube),
            _ => vec![cube],
        }
    }

    /// Whether a cube meets an initial state, or a state that is known to be reachable.
    pub(super) fn is_reached(&self, cube: &Cube) -> bool {
        self.problem.meets_initial(cube)
            || self.approximator.is_some_and(|known| known.is_reachable(self.vocabulary(), cube))
    }
}
