//! What a search has done, for people: every cube, where it came from and what became of it.

use crate::certificate::Writer;
use crate::search::{Ended, Node, NodeId, Source, State};
use crate::system::System;
use ir::Model;

/// All cubes of a search, in the order in which they came up.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// The cubes.
    pub entries: Vec<Entry>,
    /// From the cube that an initial state matches to the property, if there is one; the last is a cube of the property.
    pub path: Vec<usize>,
}

/// A cube.
#[derive(Debug, Clone)]
pub struct Entry {
    /// What it says.
    pub cube: certify::Cube,
    /// Where it came from.
    pub origin: Origin,
    /// What became of it.
    pub fate: Fate,
}

/// Where a cube came from.
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
    /// It was guessed in place of another.
    Guess {
        /// The other, by number.
        of: usize,
    },
}

/// What became of a cube.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It waits.
    Waiting,
    /// It is part of the invariant.
    Kept,
    /// These cover it, or what it led to.
    Covered(Vec<usize>),
    /// A guess stands for it.
    Replaced(usize),
    /// It came from a guess that was wrong.
    TakenBack,
}

/// The history of some nodes.
pub(crate) fn history(model: &Model, system: &System, nodes: &[Node], ended: Ended) -> History {
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
            Source::Candidate { of } => Origin::Guess { of: of as usize },
        },
        fate: match &node.state {
            State::Queued => Fate::Waiting,
            State::Visited => Fate::Kept,
            State::Covered(by) | State::Orphaned(by) => {
                Fate::Covered(by.iter().map(|by| *by as usize).collect())
            }
            State::Replaced(by) => Fate::Replaced(*by as usize),
            State::Undone => Fate::TakenBack,
        },
    };
    let path = if let Ended::Reached(node) = ended { path(nodes, node) } else { vec![] };
    History { entries: nodes.iter().map(entry).collect(), path }
}

/// The way from a cube to the property that it comes from.
fn path(nodes: &[Node], from: NodeId) -> Vec<usize> {
    let mut path = vec![from as usize];
    loop {
        let at = path[path.len() - 1];
        match nodes[at].source {
            Source::Step { after: next, .. } | Source::Candidate { of: next } => path.push(next as usize),
            Source::Property(_) | Source::Fact => return path,
        }
    }
}
