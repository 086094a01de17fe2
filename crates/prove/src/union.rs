//! When several cubes together cover one: every state that matches it matches one of them.
//!
//! Instances of the visited cubes, each under a mapping of its processes into those of the cube in question, are
//! clauses: not all of its literals hold. Literals that follow from the cube are left out; an instance with one
//! literal left restricts the cube, as in unit propagation. If a contradiction arises, the cube is covered. A
//! few case splits follow. Instances with many literals left are not looked at: missing a cover costs time only.

use crate::cell::Cell;
use crate::cube::{Contradiction, Cube};
use crate::linear::Simplified;
use crate::matching::{Literal, Open, Pattern, Status, Target, status};
use crate::search::NodeId;
use crate::vocabulary::Vocabulary;
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
        let facts = vocabulary.facts(numeric_cells(&cube, &instances), cube.processes);
        let mut unit = None;
        let mut done = false;
        instances.retain_mut(|instance| {
            let mut contradicts = false;
            instance.open.retain(|literal| match status(vocabulary, &cube, &facts, literal) {
                Status::Follows => false,
                Status::Contradicts => {
                    contradicts = true;
                    true
                }
                Status::Open => true,
            });
            if contradicts {
                return false;
            }
            if instance.open.is_empty() && !done {
                used.push(instance.of);
                done = true;
            }
            if instance.open.len() == 1 && unit.is_none() {
                unit = Some(instance.clone());
                return false;
            }
            true
        });
        if done {
            return true;
        }
        let Some(unit) = unit else { break };
        used.push(unit.of);
        if deny(vocabulary, &mut cube, &unit.open[0]).is_err() {
            return true;
        }
    }
    let Some(literal) =
        instances.iter().min_by_key(|instance| instance.open.len()).map(|i| i.open[0].clone())
    else {
        return false;
    };
    if *splits == 0 {
        return false;
    }
    *splits -= 1;
    let mut without = cube.clone();
    if deny(vocabulary, &mut without, &literal).is_ok()
        && !refute(vocabulary, without, instances.clone(), splits, used)
    {
        return false;
    }
    claim(vocabulary, &mut cube, literal).is_err() || refute(vocabulary, cube, instances, splits, used)
}

fn numeric_cells<'a>(cube: &'a Cube, instances: &'a [Instance]) -> impl Iterator<Item = Cell> + 'a {
    let open = instances.iter().flat_map(|instance| &instance.open).filter_map(|literal| match literal {
        Literal::Linear(constraint) => Some(constraint),
        _ => None,
    });
    cube.linear.iter().chain(open).flat_map(|constraint| constraint.terms.iter().map(|(cell, _)| *cell))
}

fn claim(vocabulary: &Vocabulary, cube: &mut Cube, literal: Literal) -> Result<(), Contradiction> {
    match literal {
        Literal::Finite(cell, values) => cube.restrict(vocabulary, cell, values)?,
        Literal::Relation(relation) => cube.relate(relation.left, relation.right, relation.equal)?,
        Literal::Order(first, second) => cube.precede(first, second)?,
        Literal::Linear(constraint) => cube.linear.push(constraint),
    }
    conclude(vocabulary, cube)
}

/// Assumes that a literal does not hold. Where that is no conjunction, nothing is assumed.
fn deny(vocabulary: &Vocabulary, cube: &mut Cube, literal: &Literal) -> Result<(), Contradiction> {
    match literal {
        Literal::Finite(cell, values) => cube.restrict(vocabulary, *cell, !values)?,
        Literal::Relation(relation) => cube.relate(relation.left, relation.right, !relation.equal)?,
        Literal::Order(first, second) => cube.precede(*second, *first)?,
        Literal::Linear(constraint) => match constraint.negations().as_slice() {
            [Simplified::Constraint(negation)] => cube.linear.push(negation.clone()),
            [Simplified::Never] => return Err(Contradiction),
            _ => {}
        },
    }
    conclude(vocabulary, cube)
}

fn conclude(vocabulary: &Vocabulary, cube: &mut Cube) -> Result<(), Contradiction> {
    if cube.relations.is_empty() && cube.linear.is_empty() && cube.order.is_empty() {
        return Ok(());
    }
    cube.settle(vocabulary)
}
