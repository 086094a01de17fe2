//! What a search has done, for people: every cube, how it came up and what became of it.

use crate::certificate::Writer;
use crate::search::{Ended, Node, Search, Source, State};
use crate::system::System;
use ir::Model;

/// All cubes of a search, in the order in which they came up.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// The cubes; entries name each other by their positions here.
    pub entries: Vec<Entry>,
    /// From the cube that an initial state matches, if there is one, to a cube of the property, which is the last.
    pub path: Vec<usize>,
}

/// A cube, how it came up, and what became of it.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The states that it stands for.
    pub cube: certify::Cube,
    /// How it came up.
    pub origin: Origin,
    /// What became of it.
    pub fate: Fate,
}

/// How a cube came up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A property of the model, by its position.
    Property(usize),
    /// What never changes excludes it, or a search of its own has shown that it is never reached.
    Known,
    /// A step leads from it to another.
    Step {
        /// The other, by number.
        after: usize,
        /// The name of the transition.
        rule: String,
    },
    /// It is a candidate that replaces another.
    Candidate {
        /// The other, by number.
        of: usize,
    },
}

/// What became of a cube.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It is still to be visited.
    Queued,
    /// It is part of the invariant.
    Kept,
    /// These subsume it, or the cubes whose pre-image it is.
    Subsumed(Vec<usize>),
    /// This candidate was visited in its place.
    Replaced(usize),
    /// It came from a candidate that was refuted.
    Retracted,
}

/// The history of a search.
pub(crate) fn history(model: &Model, system: &System, search: &Search<'_>, ended: Ended) -> History {
    let writer = Writer { model, vocabulary: &system.vocabulary };
    let entry = |node: &Node| Entry {
        cube: writer.cube(&node.cube),
        origin: match node.source {
            Source::Property(at) => Origin::Property(at),
            Source::Fact => Origin::Known,
            Source::Step { after, transition } => {
                let rule = system.transitions[transition].rule;
                Origin::Step { after: after as usize, rule: model.rules[rule.index()].name.clone() }
            }
            Source::Candidate { of } => Origin::Candidate { of: of as usize },
        },
        fate: match &node.state {
            State::Queued => Fate::Queued,
            State::Visited => Fate::Kept,
            State::Subsumed(by) | State::Orphaned(by) => {
                Fate::Subsumed(by.iter().map(|by| *by as usize).collect())
            }
            State::Replaced(by) => Fate::Replaced(*by as usize),
            State::Retracted => Fate::Retracted,
        },
    };
    let path = search.path_of(ended).into_iter().map(|id| id as usize).collect();
    History { entries: search.nodes().iter().map(entry).collect(), path }
}
