//! What a search is about and what bounds it, as opposed to what it has found.

use crate::assume::{Assumer, Watch};
use crate::cube::Cube;
use crate::initial::meets_initial;
use crate::subsumption::subsumes;
use crate::system::System;
use crate::vocabulary::Vocabulary;
use crate::{Effort, Options, Techniques};
use explore::{Limit, Limits};
use std::time::Instant;

use super::statistics::Counts;

/// The system, the cubes that are excluded from the start, and the techniques to use.
#[derive(Debug)]
pub(super) struct Problem<'s> {
    pub(super) system: &'s System,
    pub(super) techniques: Techniques,
    pub(super) watch: Watch,
    /// Cubes that no state of any instance matches, by the assumptions of the model.
    pub(super) excluded: Vec<Cube>,
    /// Cubes about processes in places that none gets to.
    pub(super) unreached: Vec<Cube>,
    /// What holds of counters where a cell has a certain value: see [`super::deduction`].
    pub(super) lemmas: Vec<Cube>,
}

impl<'s> Problem<'s> {
    pub(super) fn new(system: &'s System, techniques: Techniques, watch: Watch) -> Problem<'s> {
        Problem { system, techniques, watch, excluded: vec![], unreached: vec![], lemmas: vec![] }
    }

    /// The same problem for a separate search, which makes no further ones. What it gives up is its own affair.
    pub(super) fn separate(&self) -> Problem<'s> {
        let techniques = Techniques { inference: false, ..self.techniques };
        Problem {
            excluded: self.excluded.clone(),
            unreached: self.unreached.clone(),
            lemmas: self.lemmas.clone(),
            ..Problem::new(self.system, techniques, self.watch.separate())
        }
    }

    pub(super) fn vocabulary(&self) -> &'s Vocabulary {
        &self.system.vocabulary
    }

    pub(super) fn assumer(&self) -> Assumer<'_> {
        Assumer::new(self.vocabulary(), &self.watch)
    }

    pub(super) fn meets_initial(&self, cube: &Cube) -> bool {
        meets_initial(self.system, &self.assumer(), cube)
    }

    pub(super) fn is_excluded(&self, cube: &Cube) -> bool {
        self.excluded.iter().any(|excluded| subsumes(self.vocabulary(), excluded, cube))
    }
}

/// `Effort::Bounded` ends when this many cubes were visited or subsumed: of what is proved at all, nearly everything is by
/// then.
const BOUNDED_CUBES: usize = 2200;
/// Or when more candidates were refuted than these,
const FEW_REFUTED: usize = 3;
/// and one for this many visited cubes: then small instances say little about large ones.
const CUBES_PER_REFUTED: usize = 40;
/// Or when cubes have more processes: each of them takes very long then, and there is always one more.
const BOUNDED_PROCESSES: u8 = 6;

/// The memory for a cube with everything that is kept about it, roughly.
const BYTES_PER_NODE: usize = 800;

/// When a search gives up.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    limits: Limits,
    effort: Effort,
    begun: Instant,
    most_processes: u8,
}

impl Budget {
    pub(super) fn new(options: &Options, most_processes: u8) -> Budget {
        let (limits, effort) = (options.limits.clone(), options.effort);
        Budget { limits, effort, begun: Instant::now(), most_processes }
    }

    /// For a separate search that visits at most this many cubes, in the same time.
    pub(super) fn separate(&self, cubes: usize) -> Budget {
        let limits = Limits { states: Some(cubes), ..self.limits.clone() };
        Budget { limits, effort: Effort::Everything, ..self.clone() }
    }

    /// The search gives up before it visits a cube with more processes.
    pub(super) fn most_processes(&self) -> u8 {
        match self.effort {
            Effort::Bounded => self.most_processes.min(BOUNDED_PROCESSES),
            Effort::Everything | Effort::Short | Effort::Unbounded => self.most_processes,
        }
    }

    /// The limit that is hit, if any, by a search that has done this and has a graph of this size.
    pub(super) fn exhausted(&self, counts: &Counts, nodes: usize) -> Option<Limit> {
        let limits = &self.limits;
        if let Some(limit) = limits.ended_since(self.begun) {
            return Some(limit);
        }
        if limits.states.is_some_and(|most| counts.visited >= most) {
            return Some(Limit::States);
        }
        if self.effort == Effort::Bounded && is_long(counts) {
            return Some(Limit::States);
        }
        limits.memory.is_some_and(|most| nodes * BYTES_PER_NODE >= most).then_some(Limit::Memory)
    }
}

/// Whether another method should have its chance: many cubes came up, or more than a few candidates were refuted.
fn is_long(counts: &Counts) -> bool {
    let Counts { visited, subsumed, refuted, .. } = *counts;
    visited + subsumed >= BOUNDED_CUBES || refuted > FEW_REFUTED + visited / CUBES_PER_REFUTED
}
