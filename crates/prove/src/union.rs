//! When several cubes together cover one: every state that matches it matches one of them.
//!
//! Instances of the visited cubes, each under a mapping of its processes into those of the cube in question, are
//! clauses: not all of its literals hold. Literals that follow from the cube are left out; an instance with one
//! literal left restricts the cube, as in unit propagation. If a contradiction arises, the cube is covered. A
//! few case splits follow. Instances with many literals left are not looked at: missing a cover costs time only.

use crate::cell::Cell;
use crate::cube::{Contradiction, Cube};
use crate::linear::{Comparison, Simplified};
use crate::matching::{Literal, Open, Pattern, Status, Target, status};
use crate::search::NodeId;
use crate::vocabulary::Vocabulary;
use smallvec::SmallVec;
use std::ops::ControlFlow;

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
    instances: Vec<Instance>,
    used: &mut Vec<NodeId>,
) -> bool {
    let mut splits = MAX_SPLITS;
    refute(vocabulary, cube.clone(), instances, &mut splits, used)
}

/// Whether a cube contradicts the instances.
fn refute(
    vocabulary: &Vocabulary,
    mut cube: Cube,
    mut instances: Vec<Instance>,
    splits: &mut usize,
    used: &mut Vec<NodeId>,
) -> bool {
    loop {
        if let Some(by) = simplify(vocabulary, &cube, &mut instances) {
            used.push(by);
            return true;
        }
        let is_unit =
            |instance: &Instance| instance.open.len() == 1 && !splits_when_denied(&instance.open[0]);
        let Some(at) = instances.iter().position(is_unit) else { break };
        let unit = instances.remove(at);
        used.push(unit.of);
        match denials(vocabulary, &cube, &unit.open[0]).pop() {
            None => return true,
            Some(rest) => cube = rest,
        }
    }
    let Some(at) = (0..instances.len()).min_by_key(|at| instances[*at].open.len()) else { return false };
    if *splits == 0 {
        return false;
    }
    *splits -= 1;
    let literal = instances[at].open[0].clone();
    let mut cases = denials(vocabulary, &cube, &literal);
    if instances[at].open.len() == 1 {
        used.push(instances.remove(at).of);
    } else {
        let mut with = cube;
        if claim(vocabulary, &mut with, literal).is_ok() {
            cases.push(with);
        }
    }
    cases.into_iter().all(|case| refute(vocabulary, case, instances.clone(), splits, used))
}

/// Drops literals that follow from a cube, and instances that contradict it. Returns one that has nothing left.
fn simplify(vocabulary: &Vocabulary, cube: &Cube, instances: &mut Vec<Instance>) -> Option<NodeId> {
    let facts = vocabulary.facts(numeric_cells(cube, instances), cube.processes);
    let mut empty = None;
    instances.retain_mut(|instance| {
        let mut contradicts = false;
        instance.open.retain(|literal| {
            let status = status(vocabulary, cube, &facts, literal);
            contradicts |= status == Status::Contradicts;
            status != Status::Follows
        });
        if !contradicts && instance.open.is_empty() {
            empty.get_or_insert(instance.of);
        }
        !contradicts
    });
    empty
}

fn numeric_cells<'a>(cube: &'a Cube, instances: &'a [Instance]) -> impl Iterator<Item = Cell> + 'a {
    let open = instances.iter().flat_map(|instance| &instance.open).filter_map(|literal| match literal {
        Literal::Linear(constraint) => Some(constraint.as_ref()),
        _ => None,
    });
    cube.linear.iter().chain(open).flat_map(|constraint| constraint.terms.iter().map(|(cell, _)| *cell))
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
    if cube.relations.is_empty() && cube.linear.is_empty() && cube.order.is_empty() {
        return Ok(());
    }
    cube.settle(vocabulary)
}
