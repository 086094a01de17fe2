//! Visiting cubes, a batch at a time.
//!
//! What becomes of a cube depends on the others that are visited with it, since they may subsume it. So this is decided by one
//! thread, in the order of the cubes. Everything that takes time needs less, and is computed speculatively by all threads
//! ([`super::speculation`]). The outcome is the same, however many there are.

use super::evaluation::{Evaluation, Known, PreImage, Replacement, Subsumption};
use super::graph::{Justification, NodeId, Source, State};
use super::inference::Trial;
use super::{Ended, Search};
use crate::cube::Cube;
use crate::matching::Target;
use smallvec::SmallVec;

/// This many cubes are visited at a time where there are no candidates: what becomes of each is known before their pre-images
/// are computed. Does not depend on the number of threads, as the outcome must not.
const WINDOW: usize = 16;

/// A cube that is visited, with its pre-images if they have been computed.
#[derive(Debug)]
pub(super) struct Visit {
    pub(super) id: NodeId,
    pub(super) pre_images: Option<Vec<PreImage>>,
}

impl Search<'_> {
    pub(super) fn visit_batch(&mut self, batch: &[NodeId]) -> Result<(), Ended> {
        let (visited, refuted) = (self.visited.len(), self.counts.refuted);
        let open = self.unsubsumed(batch);
        if self.approximator.is_some() {
            self.visit_or_replace(open)?;
        } else {
            let mut open = open.into_iter().peekable();
            while open.peek().is_some() {
                self.visit_window(open.by_ref().take(WINDOW).collect(), visited)?;
            }
        }
        if self.problem.techniques.deletion && self.counts.refuted == refuted {
            self.delete_subsumed(visited);
        }
        self.report();
        Ok(())
    }

    /// The cubes of a batch that those visited before do not subsume, each with what these say about it.
    fn unsubsumed(&mut self, batch: &[NodeId]) -> Vec<Evaluation> {
        let visited = self.visited.len();
        let mut open = Vec::new();
        for (id, evaluation) in batch.iter().zip(self.speculate(batch)) {
            if self.is_left_out(*id) {
                continue;
            }
            let evaluation = evaluation
                .unwrap_or_else(|| self.evaluator().with_subsumption(Evaluation::new(*id), 0..visited));
            match evaluation.subsumption {
                Subsumption::By(by) => self.leave_out_subsumed(*id, by),
                Subsumption::No(_) => open.push(evaluation),
            }
        }
        open
    }

    /// Whether visited cubes subsume those of a batch, as far as speculation tells.
    fn speculate(&mut self, batch: &[NodeId]) -> Vec<Option<Evaluation>> {
        if self.speculation.threads == 1 {
            return batch.iter().map(|_| None).collect();
        }
        let begun = batch.iter().map(|id| self.speculation.resume(*id)).collect();
        self.evaluator().speculative_subsumptions(begun)
    }

    /// Visits cubes, or candidates in their place, until one of these is refuted: it must not lead to further ones.
    fn visit_or_replace(&mut self, open: Vec<Evaluation>) -> Result<(), Ended> {
        let (visited, refuted) = (self.visited.len(), self.counts.refuted);
        let mut open = open.into_iter().peekable();
        while open.peek().is_some() {
            self.check_time()?;
            let known = self.visited.len();
            let mut some: Vec<Evaluation> = open.by_ref().take(self.speculation.window()).collect();
            if self.counts.refuted == refuted {
                some = self.evaluator().evaluate(some, visited..known);
            }
            for evaluation in some {
                if self.counts.refuted > refuted {
                    self.push(evaluation.id);
                    self.speculation.retain(evaluation);
                    self.speculation.learn(false);
                    continue;
                }
                let visit = self.visit(evaluation, known);
                self.speculation.learn(visit.is_some());
                if let Some(visit) = visit {
                    self.expand(visit)?;
                }
            }
        }
        Ok(())
    }

    /// Ends everything once there is no time left: nothing that is found then can be relied on.
    fn check_time(&self) -> Result<(), Ended> {
        self.problem.watch.look();
        self.problem.watch.ended().map_or(Ok(()), |limit| Err(Ended::Limit(limit)))
    }

    /// Visits a few cubes of a batch that began when there were `visited` visited ones.
    fn visit_window(&mut self, open: Vec<Evaluation>, visited: usize) -> Result<(), Ended> {
        self.check_time()?;
        let known = self.visited.len();
        let evaluations = self.evaluator().evaluate(open, visited..known);
        let mut visits: Vec<Visit> =
            evaluations.into_iter().filter_map(|evaluation| self.visit(evaluation, known)).collect();
        self.evaluator().add_missing_pre_images(&mut visits);
        visits.into_iter().try_for_each(|visit| self.expand(visit))
    }

    /// Deletes visited cubes that one from a position on subsumes.
    fn delete_subsumed(&mut self, from: usize) {
        let subsumed = self.evaluator().subsumed_by_later(from);
        self.visited.delete(subsumed.iter().map(|(id, _)| *id));
        for (id, by) in subsumed {
            self.counts.deleted += 1;
            self.leave_out(id, State::Subsumed(SmallVec::from_slice(&[by])));
        }
    }

    /// Whether a cube is not to be visited, for other reasons than that it is subsumed.
    fn is_left_out(&mut self, id: NodeId) -> bool {
        if self.graph[id].state != State::Queued {
            return true;
        }
        let Some(by) = self.graph.orphaned_by(id) else { return false };
        self.leave_out(id, State::Orphaned(by));
        true
    }

    fn leave_out_subsumed(&mut self, id: NodeId, by: Justification) {
        self.counts.subsumed += 1;
        self.leave_out(id, State::Subsumed(by));
    }

    fn leave_out(&mut self, id: NodeId, state: State) {
        self.speculation.forget(id);
        self.graph.leave_out(id, state);
    }

    /// Visits a cube, or a candidate in its place, unless it is subsumed. Its evaluation has considered the first `known` visited
    /// cubes.
    fn visit(&mut self, evaluation: Evaluation, known: usize) -> Option<Visit> {
        let id = evaluation.id;
        if self.is_left_out(id) {
            return None;
        }
        let Evaluation { subsumption, replacement, .. } =
            self.evaluator().with_subsumption(evaluation, known..self.visited.len());
        if let Subsumption::By(by) = subsumption {
            self.leave_out_subsumed(id, by);
            return None;
        }
        let Replacement { trials, candidate, pre_images } =
            replacement.unwrap_or_else(|| self.evaluator().replacement(id));
        if let Some(by) = self.learn(id, trials) {
            self.leave_out(id, State::Subsumed(by));
            return None;
        }
        let (visited, pre_images) = match candidate {
            None => (id, pre_images),
            Some(candidate) => match self.unless_refuted(id, candidate, pre_images) {
                None => (id, None),
                Some((candidate, pre_images)) => (self.replace(id, candidate)?, pre_images),
            },
        };
        self.counts.visited += 1;
        self.counts.processes = self.counts.processes.max(self.graph[visited].cube.processes.into());
        self.add_visited(visited);
        Some(Visit { id: visited, pre_images })
    }

    /// A candidate for a cube with its pre-images, or another one if it has been refuted since it was found.
    fn unless_refuted(
        &self,
        id: NodeId,
        candidate: Cube,
        pre_images: Option<Vec<PreImage>>,
    ) -> Option<(Cube, Option<Vec<PreImage>>)> {
        if !self.approximator.as_ref()?.is_refuted(self.problem.vocabulary(), &candidate) {
            return Some((candidate, pre_images));
        }
        self.evaluator().candidate(id).map(|(candidate, pre_images)| (candidate, Some(pre_images)))
    }

    /// Adds what trials have shown. The cube among it that subsumes the one that they were made for, if there is one.
    fn learn(&mut self, id: NodeId, mut trials: Vec<Trial>) -> Option<Justification> {
        let before = self.visited.len();
        // The same part may have been tried for another cube in the meantime.
        trials.retain(|trial| self.inference.is_untried(&self.graph, &trial.part));
        for Trial { part, inductive } in trials {
            self.inference.add_tried(part);
            inductive.into_iter().for_each(|cube| self.add_fact(cube));
        }
        let target = Target::new(self.problem.vocabulary(), &self.graph[id].cube);
        let by = self.visited.subsuming(&target, before..self.visited.len())?;
        Some(SmallVec::from_slice(&[by]))
    }

    /// Puts a candidate in the place of a cube, unless it has been in the search already.
    fn replace(&mut self, id: NodeId, candidate: Cube) -> Option<NodeId> {
        self.counts.candidates += 1;
        let new = match self.graph.find(&candidate) {
            Err(hash) => self.graph.insert(candidate, hash, Source::Candidate { of: id }),
            Ok(known) => match self.graph[known].state {
                State::Retracted | State::Queued | State::Orphaned(_) => {
                    self.graph.make_candidate(known, id);
                    known
                }
                // So the cube is subsumed as well; that search had a limit.
                State::Visited | State::Subsumed(_) | State::Replaced(_) => {
                    self.leave_out(id, State::Subsumed(SmallVec::from_slice(&[known])));
                    return None;
                }
            },
        };
        self.leave_out(id, State::Replaced(new));
        Some(new)
    }

    /// Adds the pre-images of a visited cube to the search.
    fn expand(&mut self, Visit { id, pre_images }: Visit) -> Result<(), Ended> {
        for PreImage { transition, cube } in pre_images.unwrap_or_else(|| self.evaluator().pre_images(id)) {
            let source = Source::Step { after: id, transition };
            match cube {
                Known::Before(known) => self.add_source(known, source)?,
                Known::New { cube, hash, reached } => match self.graph.find_by_hash(&cube, hash) {
                    Some(known) => self.add_source(known, source)?,
                    None => self.add_new(*cube, hash, source, Some(reached))?,
                },
            }
            // A pre-image may have refuted the candidate that the cube comes from.
            if self.graph[id].state != State::Visited {
                return Ok(());
            }
        }
        Ok(())
    }
}
