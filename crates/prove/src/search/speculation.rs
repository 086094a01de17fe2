//! Speculative evaluation: several threads evaluate cubes before it is their turn.
//!
//! Whether a cube is visited is decided in order, by one thread, since the cubes before it may subsume it; then its evaluation was
//! in vain. Speculation affects the time that a search takes, never its outcome.

use super::evaluation::{Evaluation, Evaluator, Replacement, Subsumption};
use super::graph::{NodeId, State};
use super::visit::Visit;
use crate::cube::Cube;
use crate::subsumption::subsumes;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use threads::in_order;

/// The most cubes that are evaluated speculatively; and of how many it is remembered whether they were visited.
const WINDOW: usize = 64;
/// Comparing fewer pairs of cubes takes one thread less time than it takes another to wake up.
const MANY_PAIRS: usize = 1_000_000;
/// Visited cubes that are one piece of work when all of them are compared with new ones.
const COMPARED: usize = 64;

/// How many cubes are evaluated speculatively, and what is retained of earlier evaluations.
#[derive(Debug)]
pub(super) struct Speculation {
    /// The threads that there are, at least one.
    pub(super) threads: usize,
    /// Cubes that came up of late,
    recent: usize,
    /// and those of them that were visited: neither subsumed, nor returned to the frontier when a candidate was refuted.
    visited: usize,
    /// Results for cubes that returned to the frontier.
    retained: FxHashMap<NodeId, Replacement>,
}

impl Speculation {
    pub(super) fn new(threads: usize) -> Speculation {
        Speculation { threads, recent: 0, visited: 0, retained: FxHashMap::default() }
    }

    /// How many cubes to evaluate at once where there are candidates: if these subsume most cubes that follow, one at a time.
    pub(super) fn window(&self) -> usize {
        if 2 * self.visited > self.recent { WINDOW } else { 1 }
    }

    /// Whether a cube that was evaluated was visited in the end.
    pub(super) fn learn(&mut self, was_visited: bool) {
        self.recent += 1;
        self.visited += usize::from(was_visited);
        if self.recent == WINDOW {
            (self.recent, self.visited) = (self.recent / 2, self.visited / 2);
        }
    }

    /// Keeps what was found about a cube until it is its turn again. Which cubes subsume it may change until then, the rest not.
    pub(super) fn retain(&mut self, Evaluation { id, replacement, .. }: Evaluation) {
        self.retained.extend(replacement.map(|replacement| (id, replacement)));
    }

    pub(super) fn forget(&mut self, id: NodeId) {
        self.retained.remove(&id);
    }

    /// What is known of a cube so far.
    pub(super) fn resume(&mut self, id: NodeId) -> Evaluation {
        Evaluation { replacement: self.retained.remove(&id), ..Evaluation::new(id) }
    }
}

impl Evaluator<'_> {
    /// Whether visited cubes subsume those of a batch; none for cubes that are not to be visited for other reasons.
    pub(super) fn speculative_subsumptions(&self, batch: Vec<Evaluation>) -> Vec<Option<Evaluation>> {
        let all = 0..self.visited.len();
        in_order(self.threads, batch, |evaluation| {
            let id = evaluation.id;
            let is_open = self.graph[id].state == State::Queued && self.graph.orphaned_by(id).is_none();
            is_open.then(|| self.with_subsumption(evaluation, all.clone()))
        })
    }

    /// Evaluates cubes further, now that those in a range are visited as well.
    pub(super) fn evaluate(&self, begun: Vec<Evaluation>, range: Range<usize>) -> Vec<Evaluation> {
        let with_subsumption = |evaluation| self.with_subsumption(evaluation, range.clone());
        if self.threads == 1 || begun.len() == 1 {
            return begun.into_iter().map(with_subsumption).collect();
        }
        let likely = Mutex::default();
        in_order(self.threads, begun, |evaluation| {
            self.with_replacement(with_subsumption(evaluation), &likely)
        })
    }

    /// Looks for what may replace a cube, unless it is likely to be subsumed by what another thread has just evaluated.
    fn with_replacement(&self, mut evaluation: Evaluation, likely: &Mutex<Vec<Cube>>) -> Evaluation {
        let likely = || likely.lock().unwrap_or_else(PoisonError::into_inner);
        let cube = self.cube(evaluation.id);
        let is_needed =
            matches!(evaluation.subsumption, Subsumption::No(_)) && evaluation.replacement.is_none();
        if is_needed && !self.is_subsumed_by_any(cube, &likely().clone()) {
            let mut replacement = self.replacement(evaluation.id);
            if self.approximator.is_some() {
                replacement.pre_images.get_or_insert_with(|| self.pre_images(evaluation.id));
            }
            evaluation.replacement = Some(replacement);
        }
        if let Some(Replacement { candidate, .. }) = &evaluation.replacement {
            likely().push(candidate.as_ref().unwrap_or(cube).clone());
        }
        evaluation
    }

    fn is_subsumed_by_any(&self, cube: &Cube, others: &[Cube]) -> bool {
        others.iter().any(|other| subsumes(self.problem.vocabulary(), other, cube))
    }

    /// Adds the pre-images of visited cubes that are missing, if there are threads for that.
    pub(super) fn add_missing_pre_images(&self, visits: &mut [Visit]) {
        if self.threads == 1 {
            return;
        }
        let mut missing: Vec<&mut Visit> =
            visits.iter_mut().filter(|visit| visit.pre_images.is_none()).collect();
        let cubes: Vec<&Cube> = missing.iter().map(|visit| self.cube(visit.id)).collect();
        let found = self.all_pre_images(&cubes);
        missing.iter_mut().zip(found).for_each(|(visit, pre_images)| visit.pre_images = Some(pre_images));
    }

    /// The visited cubes that one from a position on subsumes, each with that one.
    pub(super) fn subsumed_by_later(&self, from: usize) -> Vec<(NodeId, NodeId)> {
        let (vocabulary, watch) = (self.problem.vocabulary(), &self.problem.watch);
        let at = |at: usize| {
            if watch.look() { None } else { self.visited.subsumed_by_later(vocabulary, at, from) }
        };
        let all = self.visited.len();
        if self.threads == 1 || all * (all - from) <= MANY_PAIRS {
            return (0..all).filter_map(at).collect();
        }
        let pieces = (0..all).step_by(COMPARED).map(|start| start..all.min(start + COMPARED)).collect();
        in_order(self.threads, pieces, |piece: Range<usize>| piece.filter_map(at).collect::<Vec<_>>())
            .concat()
    }
}
