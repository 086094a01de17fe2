//! Invariants from visited cubes: what a cube says about one of its processes may be impossible by itself, which a short
//! search of its own can show (Conchon, Goel, Krstić, Mebsout, Zaïdi: Cubicle, CAV 2012).

use super::evaluation::Evaluator;
use super::graph::{Graph, Source};
use super::{Ended, Search};
use crate::canonical::canonical;
use crate::cube::Cube;
use rustc_hash::FxHashSet;

/// The most cubes that a trial visits.
const MOST_VISITED: usize = 12;

/// The parts of cubes that have been tried.
#[derive(Debug, Default)]
pub(super) struct Inference {
    tried: FxHashSet<Cube>,
}

impl Inference {
    pub(super) fn is_untried(&self, graph: &Graph, part: &Cube) -> bool {
        !self.tried.contains(part) && graph.find(part).is_err()
    }

    pub(super) fn add_tried(&mut self, part: Cube) {
        self.tried.insert(part);
    }
}

/// A part of a cube, and what a search from it has shown.
#[derive(Debug)]
pub(super) struct Trial {
    pub(super) part: Cube,
    /// Unreachable cubes that are inductive together, the part among them; none if the search gave up.
    pub(super) inductive: Vec<Cube>,
}

impl Evaluator<'_> {
    /// Tries the parts of a cube that have not been tried before. Where there are candidates, these do more.
    pub(super) fn trials(&self, cube: &Cube) -> Vec<Trial> {
        if !self.problem.techniques.inference || self.approximator.is_some() || cube.processes < 2 {
            return vec![];
        }
        let mut parts: Vec<Cube> = (self.problem.vocabulary().named..cube.processes)
            .map(|process| self.part(cube, process))
            .filter(|part| part.literals() > 1 && self.inference.is_untried(self.graph, part))
            .collect();
        parts.sort_unstable();
        parts.dedup();
        parts.into_iter().map(|part| self.trial(part)).collect()
    }

    /// What a cube says about one process and the globals.
    fn part(&self, cube: &Cube, process: u8) -> Cube {
        let vocabulary = self.problem.vocabulary();
        let mut part = cube.clone();
        part.finite.retain(|(cell, _)| cell.indices(vocabulary.arity(*cell)).all(|index| index == process));
        part.relations.clear();
        part.linear.clear();
        part.order.clear();
        part.drop_unused_processes(vocabulary);
        canonical(&mut part, vocabulary);
        part
    }

    fn trial(&self, part: Cube) -> Trial {
        let mut search = Search::separate(self.problem, self.budget.separate(MOST_VISITED));
        let begun = search.add(part.clone(), Source::Property(0));
        let closed = begun.is_ok() && search.visit_all() == Ended::Closed && !search.problem.watch.is_late();
        let inductive = if closed { search.invariant().cloned().collect() } else { vec![] };
        Trial { part, inductive }
    }
}
