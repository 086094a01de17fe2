//! What a cube says about numbers, as far as views can tell it apart.
//!
//! Views keep differences of numbers exactly while they are small, and otherwise only which number is larger. To views, a
//! candidate that says more, such as `X = Y + 17`, is the same as `X > Y`; but there is one for every number, and each leads to
//! the next.

use crate::cell::Cell;
use crate::cube::Cube;
use crate::linear::{Comparison, Constraint, Simplified, entails, simplify};
use crate::vocabulary::Vocabulary;
use rustc_hash::FxHashSet;

/// The cube with its constraints on numbers replaced by what follows from them about differences of two numbers, and of one
/// number and zero: weak ones first, and only those that views whose differences are exact up to `clip` can tell apart.
pub(crate) fn with_regions(vocabulary: &Vocabulary, cube: &Cube, clip: i64) -> Cube {
    let facts = cube.facts(vocabulary);
    let follows = |constraint: &Constraint| entails(&cube.linear, &facts, constraint);
    let mut found: Vec<Constraint> = Vec::new();
    for pair in pairs(cube) {
        for constraint in statements(pair, clip, &follows) {
            if !found.contains(&constraint) {
                found.push(constraint);
            }
        }
    }
    found.sort_by_key(|constraint| (constraint.comparison == Comparison::Zero, !constraint.is_comparison()));
    Cube { linear: found, ..cube.clone() }
}

/// What follows about the difference of two numbers, in both directions: that it is at most 0, that it is below, its least
/// upper bound if that is stronger; and its exact value, if views can tell.
fn statements(
    (a, b): (Cell, Option<Cell>),
    clip: i64,
    follows: &impl Fn(&Constraint) -> bool,
) -> Vec<Constraint> {
    let statement = |most: i64, comparison: Comparison, is_reversed: bool| {
        let sign = if is_reversed { -1 } else { 1 };
        let terms = [Some((a, sign)), b.map(|b| (b, -sign))];
        match simplify(terms.into_iter().flatten(), i128::from(-most), comparison, true) {
            Some(Simplified::Constraint(constraint)) if follows(&constraint) => Some(constraint),
            _ => None,
        }
    };
    let mut found = Vec::new();
    for is_reversed in [false, true] {
        let at_most = |most: i64| statement(most, Comparison::AtMost, is_reversed);
        let tightest = (-clip - 1..=clip).find_map(at_most);
        found.extend([0, -1].into_iter().filter_map(at_most).chain(tightest));
    }
    found.extend((-clip..=clip).find_map(|difference| statement(difference, Comparison::Zero, false)));
    found
}

/// Pairs of whole numbers that constraints relate, directly or by a number that they have in common, and each number with
/// zero.
fn pairs(cube: &Cube) -> Vec<(Cell, Option<Cell>)> {
    let cells = |constraint: &Constraint| -> Vec<Cell> {
        constraint.terms.iter().filter(|_| constraint.whole).map(|(cell, _)| *cell).collect()
    };
    let mut found = Vec::new();
    for one in &cube.linear {
        let own = cells(one);
        found.extend(own.iter().map(|cell| (*cell, None)));
        for other in cube.linear.iter().map(cells).filter(|other| other.iter().any(|cell| own.contains(cell)))
        {
            for a in &own {
                found.extend(other.iter().filter(|b| a < *b).map(|b| (*a, Some(*b))));
                found.extend(other.iter().filter(|b| *b < a).map(|b| (*b, Some(*a))));
            }
        }
    }
    let mut seen = FxHashSet::default();
    found.retain(|pair| seen.insert(*pair));
    // A comparison of two numbers is more likely to be invariant than one with a constant.
    found.sort_by_key(|(_, second)| second.is_none());
    found
}
