//! Invariants from visited cubes: what a cube says about one of its processes may be impossible by itself, which a short
//! search of its own can show (Conchon, Goel, Krstić, Mebsout, Zaïdi: Cubicle, CAV 2012).

use super::{Ended, Search, Source};
use crate::canonical::canonical;
use crate::cube::Cube;

/// A search of its own may visit so many cubes.
const FEW: usize = 12;

/// What came of trying a part of a cube.
#[derive(Debug)]
pub(super) struct Trial {
    pub(super) part: Cube,
    /// The cubes that are never reached, this one among them: together they are inductive.
    pub(super) inductive: Vec<Cube>,
}

impl Search<'_> {
    /// Tries the parts of a cube that were not tried before.
    pub(super) fn trials(&self, cube: &Cube) -> Vec<Trial> {
        if !self.techniques.inference || self.approximator.is_some() || cube.processes < 2 {
            return vec![];
        }
        let mut parts: Vec<Cube> = (self.vocabulary().named..cube.processes)
            .map(|process| self.part(cube, process))
            .filter(|part| part.literals() > 1 && self.is_untried(part))
            .collect();
        parts.sort_unstable();
        parts.dedup();
        parts.into_iter().map(|part| self.trial(part)).collect()
    }

    pub(super) fn is_untried(&self, part: &Cube) -> bool {
        !self.tried.contains(part) && self.nodes.find(part).is_err()
    }

    /// What a cube says about one process and the globals.
    fn part(&self, cube: &Cube, process: u8) -> Cube {
        let vocabulary = self.vocabulary();
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
        let mut search = self.apart(FEW);
        let begun = search.add(part.clone(), Source::Property(0));
        let closed = begun.is_ok() && search.visit_all() == Ended::Closed && !search.watch.is_late();
        let inductive = if closed { search.invariant().cloned().collect() } else { vec![] };
        Trial { part, inductive }
    }
}
