//! Visiting cubes, some at a time.
//!
//! What becomes of a cube depends on the others that are visited with it: they may cover it. So this is decided by one
//! thread, in the order of the cubes. Everything that takes time (`study`) needs less, and is done by all threads in advance.
//! The outcome is the same, however many there are.

use super::infer::Trial;
use super::study::{Chosen, Cover, Known, PreImage, Replacement, Study};
use super::{By, Ended, NodeId, Search, Source, State};
use crate::cube::Cube;
use crate::matching::Target;
use smallvec::SmallVec;

/// So many cubes are visited at a time where none is guessed: what becomes of each is known before their pre-images are looked at.
/// Does not depend on the number of threads, as the outcome must not.
const WINDOW: usize = 16;

impl Search<'_> {
    /// Visits some cubes.
    pub(super) fn visit_batch(&mut self, batch: &[NodeId]) -> Result<(), Ended> {
        let (visited, undone) = (self.visited.len(), self.counts.undone);
        let open = self.uncovered(batch);
        if self.approximator.is_some() {
            self.visit_or_guess(open)?;
        } else {
            let mut open = open.into_iter().peekable();
            while open.peek().is_some() {
                self.visit_window(open.by_ref().take(WINDOW).collect(), visited)?;
            }
        }
        if self.techniques.deletion && self.counts.undone == undone {
            for (old, by) in self.covered_by_later(visited) {
                self.counts.deleted += 1;
                self.set_aside(old, State::Covered(SmallVec::from_slice(&[by])));
            }
        }
        self.report();
        Ok(())
    }

    /// The cubes of a batch that those visited before do not cover, each with what these say about it.
    fn uncovered(&mut self, batch: &[NodeId]) -> Vec<Study> {
        let visited = self.visited.len();
        let mut open = Vec::new();
        for (id, study) in batch.iter().zip(self.covered_in_advance(batch)) {
            if self.is_left_out(*id) {
                continue;
            }
            let study = study.unwrap_or_else(|| self.with_cover(Study::new(*id), 0..visited));
            match study.cover {
                Cover::By(by) => self.leave_out(*id, by),
                Cover::No(_) => open.push(study),
            }
        }
        open
    }

    /// Visits cubes, or guesses in their place, until one of these turns out to be wrong: it must not lead to further ones.
    fn visit_or_guess(&mut self, open: Vec<Study>) -> Result<(), Ended> {
        let (visited, undone) = (self.visited.len(), self.counts.undone);
        let mut open = open.into_iter().peekable();
        while open.peek().is_some() {
            self.go_on()?;
            let known = self.visited.len();
            let mut some: Vec<Study> = open.by_ref().take(self.ahead.cubes()).collect();
            if self.counts.undone == undone {
                some = self.studies(some, visited..known);
            }
            for study in some {
                if self.counts.undone > undone {
                    self.put_back(study);
                    self.ahead.learn(false);
                    continue;
                }
                let chosen = self.visit(study, known);
                self.ahead.learn(chosen.is_some());
                if let Some(chosen) = chosen {
                    self.expand(chosen)?;
                }
            }
        }
        Ok(())
    }

    /// Ends everything once there is no time left: nothing that is found then can be relied on.
    fn go_on(&self) -> Result<(), Ended> {
        self.watch.look();
        self.watch.ended().map_or(Ok(()), |limit| Err(Ended::Limit(limit)))
    }

    /// Visits a few cubes. Their batch began with so many visited ones.
    fn visit_window(&mut self, open: Vec<Study>, visited: usize) -> Result<(), Ended> {
        self.go_on()?;
        let known = self.visited.len();
        let studies = self.studies(open, visited..known);
        let mut chosen: Vec<Chosen> =
            studies.into_iter().filter_map(|study| self.visit(study, known)).collect();
        self.add_missing_pre_images(&mut chosen);
        chosen.into_iter().try_for_each(|one| self.expand(one))
    }

    /// A cube has to wait until it is its turn again. Which cubes cover it may have changed by then, the rest of its study not.
    fn put_back(&mut self, Study { id, replacement, .. }: Study) {
        self.push(id);
        self.put_back.extend(replacement.map(|replacement| (id, replacement)));
    }

    /// Whether a cube is not to be looked at any more, for other reasons than that it is covered.
    fn is_left_out(&mut self, id: NodeId) -> bool {
        if self.node(id).state != State::Queued {
            return true;
        }
        let Some(by) = self.orphaned_by(id) else { return false };
        self.set_aside(id, State::Orphaned(by));
        true
    }

    fn leave_out(&mut self, id: NodeId, by: By) {
        self.counts.covered += 1;
        self.set_aside(id, State::Covered(by));
    }

    /// Visits a cube, or a guess in its place, unless it is covered. Its study knows the first so many visited ones.
    fn visit(&mut self, Study { id, cover, replacement }: Study, known: usize) -> Option<Chosen> {
        if self.is_left_out(id) {
            return None;
        }
        let cover = match cover {
            Cover::No(before) => self.cover(id, before, known..self.visited.len()),
            by @ Cover::By(_) => by,
        };
        if let Cover::By(by) = cover {
            self.leave_out(id, by);
            return None;
        }
        let Replacement { trials, candidate, pre_images } =
            replacement.unwrap_or_else(|| self.replacement(id));
        if let Some(by) = self.learn(id, trials) {
            self.set_aside(id, State::Covered(by));
            return None;
        }
        let (visited, pre_images) = match candidate {
            None => (id, pre_images),
            Some(candidate) => match self.unless_wrong(id, candidate, pre_images) {
                None => (id, None),
                Some((candidate, pre_images)) => (self.replace(id, candidate)?, pre_images),
            },
        };
        let node = &mut self.nodes[visited];
        node.state = State::Visited;
        self.counts.visited += 1;
        self.counts.processes = self.counts.processes.max(node.cube.processes.into());
        self.visited.push(&self.system.vocabulary, visited, &node.cube);
        Some(Chosen { id: visited, pre_images })
    }

    /// A candidate for a cube with its pre-images, or another one if it has turned out to be wrong since it was found.
    fn unless_wrong(
        &self,
        id: NodeId,
        candidate: Cube,
        pre_images: Option<Vec<PreImage>>,
    ) -> Option<(Cube, Option<Vec<PreImage>>)> {
        if !self.approximator.as_ref()?.is_wrong(self.vocabulary(), &candidate) {
            return Some((candidate, pre_images));
        }
        self.candidate(id).map(|(candidate, pre_images)| (candidate, Some(pre_images)))
    }

    /// Takes over what trials have shown. The cubes of them that cover a cube, if they do.
    fn learn(&mut self, id: NodeId, mut trials: Vec<Trial>) -> Option<By> {
        let before = self.visited.len();
        // Others may have tried the same in the meantime.
        trials.retain(|trial| self.is_untried(&trial.part));
        for Trial { part, inductive } in trials {
            self.tried.insert(part);
            inductive.into_iter().for_each(|cube| self.add_fact(cube));
        }
        let target = Target::new(&self.system.vocabulary, &self.nodes[id].cube);
        let by = self.visited.covering(&target, before..self.visited.len())?;
        Some(SmallVec::from_slice(&[by]))
    }

    /// Puts a candidate in the place of a cube, unless it has been in the search already.
    fn replace(&mut self, id: NodeId, candidate: Cube) -> Option<NodeId> {
        self.counts.candidates += 1;
        let source = Source::Candidate { of: id };
        let new = match self.nodes.find(&candidate) {
            Ok(known) => match self.node(known).state {
                State::Undone => known,
                State::Queued | State::Orphaned(_) => {
                    let node = &mut self.nodes[known];
                    node.others.push(node.source);
                    known
                }
                // The cube is covered too, which was looked at, but not as hard.
                State::Visited | State::Covered(_) | State::Replaced(_) => {
                    self.set_aside(id, State::Covered(SmallVec::from_slice(&[known])));
                    return None;
                }
            },
            Err(hash) => self.nodes.push(candidate, hash, source),
        };
        let depth = self.node(id).depth;
        let node = &mut self.nodes[new];
        (node.source, node.depth, node.origin) = (source, depth, Some(new));
        self.came_from(new);
        self.set_aside(id, State::Replaced(new));
        Some(new)
    }

    /// Makes the pre-images of a visited cube part of the search.
    fn expand(&mut self, Chosen { id, pre_images }: Chosen) -> Result<(), Ended> {
        for PreImage { transition, cube } in pre_images.unwrap_or_else(|| self.pre_images(id)) {
            let source = Source::Step { after: id, transition };
            match cube {
                Known::Before(known) => self.add_source(known, source)?,
                Known::New { cube, hash, reached } => match self.nodes.find_by_hash(&cube, hash) {
                    Some(known) => self.add_source(known, source)?,
                    None => self.add_new(*cube, hash, source, Some(reached))?,
                },
            }
            if self.node(id).state != State::Visited {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The visited cubes that cover everything whose pre-image a cube is, if they do.
    pub(super) fn orphaned_by(&self, id: NodeId) -> Option<By> {
        let node = self.node(id);
        let mut all = SmallVec::new();
        for source in std::iter::once(&node.source).chain(&node.others) {
            match source {
                Source::Step { after, .. } => match &self.node(*after).state {
                    State::Covered(by) => all.extend_from_slice(by),
                    State::Undone => {}
                    _ => return None,
                },
                Source::Property(_) | Source::Fact | Source::Candidate { .. } => return None,
            }
        }
        Some(all)
    }
}
