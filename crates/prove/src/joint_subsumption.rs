//! Joint subsumption: when every state that matches a cube matches one of several others, though none of them alone subsumes it.
//!
//! The negation of each visited cube, under each mapping of its processes into those of the cube in question, is a
//! clause: not all literals of this instance hold. Literals that follow from the cube are left out; an instance with one
//! literal left restricts the cube, as in unit propagation. If a contradiction arises, the cube is subsumed. A few case
//! splits follow. Instances with many open literals are ignored: to miss that a cube is subsumed costs time only.

use crate::assume::Watch;
use crate::cell::Cell;
use crate::cube::{Contradiction, Cube, Relation};
use crate::linear::{Comparison, Constraint, Simplified};
use crate::matching::{Literal, Pattern, Status, Target, status};
use crate::search::NodeId;
use crate::vocabulary::Vocabulary;
use rustc_hash::FxBuildHasher;
use smallvec::{SmallVec, smallvec};
use std::{hash::BuildHasher, ops::ControlFlow};

/// Instances of visited cubes.
#[derive(Debug, Default)]
pub(crate) struct Instances {
    all: Vec<Instance>,
    /// The literals of all, one after the other.
    literals: Vec<Literal>,
}

/// An instance of a visited cube.
#[derive(Clone, Copy, Debug)]
struct Instance {
    of: NodeId,
    /// Where its literals end.
    end: u32,
    /// The cells that they mention, as a set of hashes.
    marks: u64,
}

/// Instances with more open literals are ignored.
pub(crate) const MAX_OPEN: usize = 3;
/// The most case splits for one question.
const MAX_SPLITS: usize = 24;
/// The most looks at instances for one question, which take about a second,
const MAX_LOOKS: usize = 5_000_000;
/// where a look at one with numbers counts as this many.
const LOOKS_WITH_NUMBERS: usize = 100;
/// The clock is looked at once in this many instances,
const INSTANCES_PER_LOOK: usize = 4096;
/// or this many, if there are numbers.
const NUMERIC_PER_LOOK: usize = 16;

impl Instances {
    /// Adds those of a cube that leave at most `MAX_OPEN` literals open.
    pub(crate) fn add(&mut self, target: &Target<'_>, (of, general, pattern): (NodeId, &Cube, &Pattern)) {
        // It never breaks off.
        let _ = target.each_match(general, pattern, MAX_OPEN, &mut |open| {
            let marks = open.iter().fold(0, |marks, literal| marks | marks_of(literal));
            self.literals.extend_from_slice(open);
            let end = u32::try_from(self.literals.len()).expect("MOST_STEPS ends before");
            self.all.push(Instance { of, end, marks });
            ControlFlow::Continue(())
        });
    }

    fn append(&mut self, other: Instances) {
        let before = u32::try_from(self.literals.len()).expect("as when they were added");
        self.literals.extend(other.literals);
        self.all.extend(other.all.iter().map(|one| Instance { end: before + one.end, ..*one }));
    }

    /// The instances with all of their literals.
    fn rests(&self) -> Vec<Rest<'_>> {
        let starts = std::iter::once(0).chain(self.all.iter().map(|instance| instance.end));
        let with = |(instance, start): (&Instance, u32)| {
            let literals = &self.literals[start as usize..instance.end as usize];
            Rest { of: instance.of, marks: instance.marks, literals, open: (1 << literals.len()) - 1 }
        };
        self.all.iter().zip(starts).map(with).collect()
    }
}

/// What visited cubes say about one that they do not subsume, so that further ones can be added.
#[derive(Debug, Default)]
pub(crate) struct Unsubsumed {
    instances: Instances,
    /// A part of the cube that has nothing in common with any instance, if one is known.
    part: Option<Box<Cube>>,
}

impl Unsubsumed {
    /// Adds further instances. If nothing is left of the cube, returns the visited cubes that subsume it, and perhaps some more.
    pub(crate) fn add(
        &mut self,
        (vocabulary, watch): (&Vocabulary, &Watch),
        cube: &Cube,
        further: Instances,
    ) -> Option<Vec<NodeId>> {
        if further.all.is_empty() {
            return None;
        }
        // Most of the time, something remains of the part that is known to be left.
        if let Some(part) = self.part.take() {
            self.part = ask((vocabulary, watch), &part, &further, Changed::Anything).err().flatten();
        }
        self.instances.append(further);
        if self.part.is_some() {
            return None;
        }
        // Which literals are open was found out by matching.
        let answer = ask((vocabulary, watch), cube, &self.instances, Changed::Cells(0));
        answer.map_err(|part| self.part = part).ok()
    }
}

/// The visited cubes whose instances leave nothing of a cube, or a part that they leave, if one was found.
fn ask(
    (vocabulary, watch): (&Vocabulary, &Watch),
    cube: &Cube,
    instances: &Instances,
    changed: Changed,
) -> Result<Vec<NodeId>, Option<Box<Cube>>> {
    let numeric = !cube.linear.is_empty() || instances.literals.iter().any(is_linear);
    // About numbers, matching knows less of what their types imply.
    let changed = if numeric { Changed::Anything } else { changed };
    let (literals, splits, looks) = (&instances.literals, MAX_SPLITS, MAX_LOOKS);
    let (trail, used, part) = (Vec::new(), Vec::new(), None);
    let mut question = Question { vocabulary, watch, literals, numeric, splits, looks, trail, used, part };
    let is_subsumed = question.refute(cube.clone(), instances.rests(), changed);
    if is_subsumed { Ok(question.used) } else { Err(question.part) }
}

/// An instance, with the literals that are still open.
#[derive(Clone, Copy)]
struct Rest<'a> {
    of: NodeId,
    marks: u64,
    literals: &'a [Literal],
    /// Its literals that are still open, as bits.
    open: u8,
}

impl<'a> Rest<'a> {
    fn open_literals(&self) -> impl Iterator<Item = (usize, &'a Literal)> + use<'a> {
        let open = self.open;
        self.literals.iter().enumerate().filter(move |(at, _)| open >> at & 1 == 1)
    }

    fn first(&self) -> &'a Literal {
        &self.literals[self.open.trailing_zeros() as usize]
    }

    /// Whether one literal is left, whose negation is a single literal.
    fn is_unit(&self) -> bool {
        self.open.is_power_of_two() && !splits_when_denied(self.first())
    }

    /// Drops the literals that follow, and returns whether none contradicts.
    fn keep(&mut self, status: impl Fn(&Literal) -> Status) -> bool {
        for (at, literal) in self.open_literals() {
            match status(literal) {
                Status::Open => {}
                Status::Follows => self.open &= !(1 << at),
                Status::Contradicts => return false,
            }
        }
        true
    }
}

/// How a cube has been restricted since its instances were last considered.
#[derive(Clone, Copy, Debug)]
enum Changed {
    /// In the values of the cells with these marks.
    Cells(u64),
    Anything,
}

impl Changed {
    /// What changes in a cube when a literal is claimed or denied.
    fn by(literal: &Literal, cube: &Cube) -> Changed {
        match literal {
            Literal::Finite(cell, _) if draws_no_conclusions(cube) => Changed::Cells(mark(*cell)),
            _ => Changed::Anything,
        }
    }

    /// Whether an instance has to be considered again.
    fn concerns(self, rest: &Rest<'_>) -> bool {
        match self {
            Changed::Cells(marks) => rest.marks & marks != 0,
            Changed::Anything => true,
        }
    }

    fn and(self, other: Changed) -> Changed {
        match (self, other) {
            (Changed::Cells(first), Changed::Cells(second)) => Changed::Cells(first | second),
            _ => Changed::Anything,
        }
    }
}

struct Question<'a> {
    vocabulary: &'a Vocabulary,
    watch: &'a Watch,
    /// The literals of all instances.
    literals: &'a [Literal],
    /// Whether there are numbers.
    numeric: bool,
    splits: usize,
    looks: usize,
    /// The restrictions of the cube so far.
    trail: Vec<Restriction>,
    used: Vec<NodeId>,
    /// A part of the cube with which no instance has anything in common.
    part: Option<Box<Cube>>,
}

/// A restriction of the cube by an instance with one literal left.
#[derive(Clone, Copy, Debug)]
struct Restriction {
    by: NodeId,
    /// The marks of the cells whose values imply it,
    because: u64,
    /// and of the cells that have fewer values now.
    of: u64,
}

impl<'a> Question<'a> {
    /// Whether a cube contradicts the instances.
    fn refute(&mut self, mut cube: Cube, mut left: Vec<Rest<'a>>, mut changed: Changed) -> bool {
        loop {
            let looks = if self.numeric { LOOKS_WITH_NUMBERS } else { 1 } * left.len();
            let Some(rest) = self.looks.checked_sub(looks) else { return false };
            self.looks = rest;
            self.simplify(&cube, &mut left, changed);
            if self.watch.is_late() {
                return false;
            }
            if let Some(empty) = left.iter().find(|rest| rest.open == 0) {
                self.blame(*empty);
                return true;
            }
            let units: SmallVec<[Rest<'a>; 16]> = left.extract_if(.., |rest| rest.is_unit()).collect();
            if units.is_empty() {
                return self.split(cube, left);
            }
            changed = Changed::Cells(0);
            for unit in units {
                let change = Changed::by(unit.first(), &cube);
                let denied = match negations(unit.first()).pop() {
                    Some(negation) => claim(self.vocabulary, &mut cube, negation),
                    None => Err(Contradiction),
                };
                if denied.is_err() {
                    self.blame(unit);
                    return true;
                }
                self.restricted(unit, change);
                changed = changed.and(change);
            }
        }
    }

    fn restricted(&mut self, by: Rest<'_>, change: Changed) {
        let (because, of) = match change {
            Changed::Cells(marks) => (by.marks, marks),
            Changed::Anything => (u64::MAX, u64::MAX),
        };
        self.trail.push(Restriction { by: by.of, because, of });
    }

    /// A contradiction with an instance: its cube was used, and so were those that restricted the cells of the instance.
    fn blame(&mut self, with: Rest<'_>) {
        self.used.push(with.of);
        self.blame_restrictions(with.marks);
    }

    /// A contradiction that the values of cells with these marks imply.
    fn blame_restrictions(&mut self, mut because: u64) {
        for restriction in self.trail.iter().rev() {
            if restriction.of & because != 0 || restriction.of == u64::MAX {
                self.used.push(restriction.by);
                because |= restriction.because;
            }
        }
    }

    /// Splits by a literal of an instance with few open ones.
    fn split(&mut self, cube: Cube, mut left: Vec<Rest<'a>>) -> bool {
        let Some(at) = (0..left.len()).min_by_key(|at| left[*at].open.count_ones()) else {
            self.part = Some(Box::new(cube));
            return false;
        };
        if self.splits == 0 {
            return false;
        }
        self.splits -= 1;
        let literal = left[at].first();
        let changed = Changed::by(literal, &cube);
        let mut claims = negations(literal);
        if left[at].open.is_power_of_two() {
            let all = left.remove(at);
            self.restricted(all, Changed::Anything);
        } else {
            claims.push(Some(literal.clone()));
        }
        let trail = self.trail.len();
        claims.into_iter().all(|literal| {
            let mut case = cube.clone();
            self.trail.truncate(trail);
            if claim(self.vocabulary, &mut case, literal).is_err() {
                self.blame_restrictions(u64::MAX);
                return true;
            }
            self.refute(case, left.clone(), changed)
        })
    }

    /// Drops literals that follow from a cube, and instances that contradict it.
    fn simplify(&self, cube: &Cube, left: &mut Vec<Rest<'a>>, changed: Changed) {
        let facts = if self.numeric { self.facts(cube) } else { vec![] };
        let status = |literal: &Literal| status(self.vocabulary, cube, &facts, literal);
        let (mut done, per_look) =
            (0_usize, if self.numeric { NUMERIC_PER_LOOK } else { INSTANCES_PER_LOOK });
        left.retain_mut(|rest| {
            done += 1;
            let is_late = done.is_multiple_of(per_look) && self.watch.look();
            is_late || !changed.concerns(rest) || rest.keep(status)
        });
    }

    /// What types imply about the numbers of a cube and of the instances.
    fn facts(&self, cube: &Cube) -> Vec<Constraint> {
        let open = self.literals.iter().filter_map(|literal| match literal {
            Literal::Linear(constraint) => Some(constraint.as_ref()),
            _ => None,
        });
        let terms = cube.linear.iter().chain(open).flat_map(|constraint| &constraint.terms);
        let mut facts = self.vocabulary.facts(terms.map(|(cell, _)| *cell), cube.processes);
        if let Some(places) = &self.vocabulary.places {
            facts.extend(places.facts(self.vocabulary, cube));
        }
        facts
    }
}

fn is_linear(literal: &Literal) -> bool {
    matches!(literal, Literal::Linear(_))
}

/// The marks of the cells whose values decide a literal.
fn marks_of(literal: &Literal) -> u64 {
    match literal {
        Literal::Finite(cell, _) => mark(*cell),
        Literal::Relation(relation) => mark(relation.left) | mark(relation.right),
        Literal::Order(..) | Literal::Linear(_) => 0,
    }
}

/// One of 64 marks: different cells may share one.
fn mark(cell: Cell) -> u64 {
    1 << (FxBuildHasher.hash_one(cell) >> 58)
}

/// Whether restricting the values of one cell implies nothing about others.
fn draws_no_conclusions(cube: &Cube) -> bool {
    cube.relations.is_empty() && cube.linear.is_empty() && cube.order.is_empty()
}

/// Restricts a cube by a literal.
fn claim(vocabulary: &Vocabulary, cube: &mut Cube, literal: Option<Literal>) -> Result<(), Contradiction> {
    match literal {
        None => {}
        Some(Literal::Finite(cell, values)) => cube.restrict(vocabulary, cell, values)?,
        Some(Literal::Relation(relation)) => cube.relate(relation.left, relation.right, relation.equal)?,
        Some(Literal::Order(first, second)) => cube.precede(first, second)?,
        Some(Literal::Linear(constraint)) => cube.linear.push(*constraint),
    }
    conclude(vocabulary, cube)
}

/// Whether the negation of a literal is a disjunction: a sum that is not 0 is less or more.
fn splits_when_denied(literal: &Literal) -> bool {
    matches!(literal, Literal::Linear(constraint) if constraint.comparison == Comparison::Zero)
}

/// The disjuncts of the negation of a literal. One that is `None` is always true, because a number is too large.
fn negations(literal: &Literal) -> SmallVec<[Option<Literal>; 2]> {
    match literal {
        Literal::Finite(cell, values) => smallvec![Some(Literal::Finite(*cell, !values))],
        Literal::Relation(relation) => {
            smallvec![Some(Literal::Relation(Relation { equal: !relation.equal, ..*relation }))]
        }
        Literal::Order(first, second) => smallvec![Some(Literal::Order(*second, *first))],
        Literal::Linear(constraint) => constraint
            .negations()
            .into_iter()
            .filter_map(|negation| match negation {
                Simplified::Constraint(negation) => Some(Some(Literal::Linear(Box::new(negation)))),
                Simplified::Always => Some(None),
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

#[cfg(test)]
mod tests;
