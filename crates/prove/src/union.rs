//! When several cubes together cover one: every state that matches it matches one of them.
//!
//! Instances of the visited cubes, each under a mapping of its processes into those of the cube in question, are
//! clauses: not all of its literals hold. Literals that follow from the cube are left out; an instance with one
//! literal left restricts the cube, as in unit propagation. If a contradiction arises, the cube is covered. A
//! few case splits follow. Instances with many literals left are not looked at: missing a cover costs time only.

use crate::cell::Cell;
use crate::cube::{Contradiction, Cube};
use crate::linear::{Comparison, Constraint, Simplified};
use crate::matching::{Literal, Open, Pattern, Status, Target, status, status_of};
use crate::search::NodeId;
use crate::vocabulary::Vocabulary;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;
use std::{hash::BuildHasher, ops::ControlFlow};

/// An instance of a visited cube: not all of these hold.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    of: NodeId,
    open: Open,
}

/// Instances with more open literals are not looked at.
pub(crate) const MAX_OPEN: usize = 3;
/// So many case splits are made for one question.
const MAX_SPLITS: usize = 24;
/// So often an instance is looked at for one question, which takes about a second,
const MAX_LOOKS: usize = 5_000_000;
/// where one with numbers counts for so many.
const LOOKS_WITH_NUMBERS: usize = 100;

/// Collects the instances of a cube that leave at most `MAX_OPEN` literals open.
pub(crate) fn instances(
    target: &Target<'_>,
    (id, general, pattern): (NodeId, &Cube, &Pattern),
    found: &mut Vec<Instance>,
) {
    // Never broken off.
    let _ = target.each_match(general, pattern, MAX_OPEN, &mut |open| {
        found.push(Instance { of: id, open: open.clone() });
        ControlFlow::Continue(())
    });
}

/// Whether the instances leave nothing of a cube. If so, `used` has the visited cubes that matter, and perhaps more.
pub(crate) fn is_covered(
    vocabulary: &Vocabulary,
    cube: &Cube,
    instances: &[Instance],
    used: &mut Vec<NodeId>,
) -> bool {
    let literals = instances.iter().flat_map(|instance| &instance.open);
    let numeric = !cube.linear.is_empty() || literals.clone().any(is_linear);
    // What is open was found out by matching, but for numbers, where less was known of their types.
    let changed = if numeric { Changed::Anything } else { Changed::Nothing };
    let mut question =
        Question { vocabulary, instances, numeric, splits: MAX_SPLITS, looks: MAX_LOOKS, used };
    question.refute(cube.clone(), instances.iter().map(Rest::new).collect(), changed)
}

/// What is left of an instance.
#[derive(Clone, Copy)]
struct Rest<'a> {
    of: &'a Instance,
    /// Which cells it mentions, roughly.
    marks: u64,
    /// Its literals that are still open, as bits.
    open: u8,
}

impl<'a> Rest<'a> {
    fn new(of: &'a Instance) -> Rest<'a> {
        let marks = of.open.iter().fold(0, |marks, literal| marks | marks_of(literal));
        Rest { of, marks, open: (1 << of.open.len()) - 1 }
    }

    fn literals(&self) -> impl Iterator<Item = (usize, &'a Literal)> + use<'a> {
        let open = self.open;
        self.of.open.iter().enumerate().filter(move |(at, _)| open >> at & 1 == 1)
    }

    fn first(&self) -> &'a Literal {
        &self.of.open[self.open.trailing_zeros() as usize]
    }

    /// Whether it has one literal left, and says something definite.
    fn is_unit(&self) -> bool {
        self.open.is_power_of_two() && !splits_when_denied(self.first())
    }

    /// Drops the literals that follow. Whether none contradicts.
    fn keep(&mut self, status: impl Fn(&Literal) -> Status) -> bool {
        for (at, literal) in self.literals() {
            match status(literal) {
                Status::Open => {}
                Status::Follows => self.open &= !(1 << at),
                Status::Contradicts => return false,
            }
        }
        true
    }
}

/// What a cube says more than when its instances were looked at.
#[derive(Clone, Copy)]
enum Changed {
    Nothing,
    /// The values of one cell.
    Cell(Cell),
    Anything,
}

struct Question<'a> {
    vocabulary: &'a Vocabulary,
    instances: &'a [Instance],
    /// Whether there are numbers.
    numeric: bool,
    splits: usize,
    looks: usize,
    used: &'a mut Vec<NodeId>,
}

impl<'a> Question<'a> {
    /// Whether a cube contradicts what is left of the instances.
    fn refute(&mut self, mut cube: Cube, mut left: Vec<Rest<'a>>, mut changed: Changed) -> bool {
        loop {
            let looks = if self.numeric { LOOKS_WITH_NUMBERS } else { 1 } * left.len();
            let Some(rest) = self.looks.checked_sub(looks) else { return false };
            self.looks = rest;
            self.simplify(&cube, &mut left, changed);
            if let Some(empty) = left.iter().find(|rest| rest.open == 0) {
                self.used.push(empty.of.of);
                return true;
            }
            let Some(at) = left.iter().position(Rest::is_unit) else { break };
            let unit = left.remove(at);
            self.used.push(unit.of.of);
            changed = change(&cube, unit.first());
            match denials(self.vocabulary, &cube, unit.first()).pop() {
                None => return true,
                Some(rest) => cube = rest,
            }
        }
        self.split(cube, left)
    }

    /// Looks at the cases of a literal of a short instance.
    fn split(&mut self, cube: Cube, mut left: Vec<Rest<'a>>) -> bool {
        let Some(at) = (0..left.len()).min_by_key(|at| left[*at].open.count_ones()) else { return false };
        if self.splits == 0 {
            return false;
        }
        self.splits -= 1;
        let literal = left[at].first();
        let changed = change(&cube, literal);
        let mut cases = denials(self.vocabulary, &cube, literal);
        if left[at].open.is_power_of_two() {
            self.used.push(left.remove(at).of.of);
        } else {
            let mut with = cube;
            if claim(self.vocabulary, &mut with, literal.clone()).is_ok() {
                cases.push(with);
            }
        }
        cases.into_iter().all(|case| self.refute(case, left.clone(), changed))
    }

    /// Drops literals that follow from a cube, and instances that contradict it.
    fn simplify(&self, cube: &Cube, left: &mut Vec<Rest<'a>>, changed: Changed) {
        match changed {
            Changed::Nothing => {}
            Changed::Cell(cell) => {
                let (mark, known) = (mark(cell), cube.values(self.vocabulary, cell));
                let status = |literal: &Literal| match literal {
                    Literal::Finite(other, allowed) if *other == cell => status_of(known, *allowed),
                    Literal::Relation(_) => status(self.vocabulary, cube, &[], literal),
                    _ => Status::Open,
                };
                left.retain_mut(|rest| rest.marks & mark == 0 || rest.keep(status));
            }
            Changed::Anything => {
                let facts = if self.numeric { self.facts(cube) } else { vec![] };
                let status = |literal: &Literal| status(self.vocabulary, cube, &facts, literal);
                left.retain_mut(|rest| rest.keep(status));
            }
        }
    }

    /// What types say about the numbers of a cube and the instances.
    fn facts(&self, cube: &Cube) -> Vec<Constraint> {
        let literals = self.instances.iter().flat_map(|instance| &instance.open);
        let open = literals.filter_map(|literal| match literal {
            Literal::Linear(constraint) => Some(constraint.as_ref()),
            _ => None,
        });
        let terms = cube.linear.iter().chain(open).flat_map(|constraint| &constraint.terms);
        self.vocabulary.facts(terms.map(|(cell, _)| *cell), cube.processes)
    }
}

fn is_linear(literal: &Literal) -> bool {
    matches!(literal, Literal::Linear(_))
}

/// Those of 64 marks that a literal has for the cells whose values decide it.
fn marks_of(literal: &Literal) -> u64 {
    match literal {
        Literal::Finite(cell, _) => mark(*cell),
        Literal::Relation(relation) => mark(relation.left) | mark(relation.right),
        Literal::Order(..) | Literal::Linear(_) => 0,
    }
}

fn mark(cell: Cell) -> u64 {
    1 << (FxBuildHasher.hash_one(cell) >> 58)
}

/// What changes in a cube when a literal is claimed or denied.
fn change(cube: &Cube, literal: &Literal) -> Changed {
    match literal {
        Literal::Finite(cell, _) if draws_no_conclusions(cube) => Changed::Cell(*cell),
        _ => Changed::Anything,
    }
}

/// Whether nothing follows from values but what they say themselves.
fn draws_no_conclusions(cube: &Cube) -> bool {
    cube.relations.is_empty() && cube.linear.is_empty() && cube.order.is_empty()
}

fn claim(vocabulary: &Vocabulary, cube: &mut Cube, literal: Literal) -> Result<(), Contradiction> {
    match literal {
        Literal::Finite(cell, values) => cube.restrict(vocabulary, cell, values)?,
        Literal::Relation(relation) => cube.relate(relation.left, relation.right, relation.equal)?,
        Literal::Order(first, second) => cube.precede(first, second)?,
        Literal::Linear(constraint) => cube.linear.push(*constraint),
    }
    conclude(vocabulary, cube)
}

/// Whether there are two ways for a literal not to hold: a sum that is not 0 is less or more.
fn splits_when_denied(literal: &Literal) -> bool {
    matches!(literal, Literal::Linear(constraint) if constraint.comparison == Comparison::Zero)
}

/// What is left of a cube if a literal does not hold.
fn denials(vocabulary: &Vocabulary, cube: &Cube, literal: &Literal) -> SmallVec<[Cube; 2]> {
    let with = |change: &dyn Fn(&mut Cube) -> Result<(), Contradiction>| {
        let mut cube = cube.clone();
        change(&mut cube).and_then(|()| conclude(vocabulary, &mut cube)).ok().map(|()| cube)
    };
    match literal {
        Literal::Finite(cell, values) => {
            with(&|cube| cube.restrict(vocabulary, *cell, !values)).into_iter().collect()
        }
        Literal::Relation(relation) => {
            with(&|cube| cube.relate(relation.left, relation.right, !relation.equal)).into_iter().collect()
        }
        Literal::Order(first, second) => with(&|cube| cube.precede(*second, *first)).into_iter().collect(),
        Literal::Linear(constraint) => constraint
            .negations()
            .iter()
            .filter_map(|negation| match negation {
                Simplified::Constraint(negation) => with(&|cube| {
                    cube.linear.push(negation.clone());
                    Ok(())
                }),
                Simplified::Always => Some(cube.clone()),
                Simplified::Never => None,
            })
            .collect(),
    }
}

fn conclude(vocabulary: &Vocabulary, cube: &mut Cube) -> Result<(), Contradiction> {
    if draws_no_conclusions(cube) {
        return Ok(());
    }
    cube.settle(vocabulary)
}
