//! Normal forms: negations pushed inward, disjunctions pulled outward.

use super::{Formula, Quantifier, Relation};

/// A formula has more disjuncts than the caller's limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManyDisjuncts {
    /// The most disjuncts that the caller would take.
    pub limit: usize,
}

/// The negation, with `not` pushed inward until it disappears. Never larger than the formula.
pub fn negate(formula: &Formula) -> Formula {
    push(formula, false)
}

/// The disjuncts of a formula, each a list of conjuncts: comparisons, quantified formulas and fences.
/// Bodies of quantifiers have their negations pushed inward but keep their disjunctions.
pub fn disjuncts(formula: &Formula, limit: usize) -> Result<Vec<Vec<Formula>>, TooManyDisjuncts> {
    expand(formula, true, limit)
}

/// The formula or its negation, with negations pushed inward. `<=>` and `if` are kept, so that nothing is duplicated.
fn push(formula: &Formula, positive: bool) -> Formula {
    match formula {
        Formula::True | Formula::False | Formula::Fence if positive => formula.clone(),
        Formula::True => Formula::False,
        Formula::False => Formula::True,
        Formula::Fence => Formula::Not(Box::new(Formula::Fence)),
        Formula::Compare(..) => comparison(formula, positive),
        Formula::Not(inner) => push(inner, !positive),
        Formula::And(parts) => junction(parts, positive, positive),
        Formula::Or(parts) => junction(parts, positive, !positive),
        Formula::Iff(left, right) => push(left, true).iff(push(right, positive)),
        Formula::If(condition, then, otherwise) => {
            Formula::if_then_else(push(condition, true), push(then, positive), push(otherwise, positive))
        }
        Formula::Quantified { quantifier, variables, apart_from, body } => {
            let dual = match (quantifier, positive) {
                (Quantifier::Forall, true) | (Quantifier::Exists, false) => Quantifier::Forall,
                _ => Quantifier::Exists,
            };
            Formula::quantified(dual, variables.clone(), apart_from.clone(), push(body, positive))
        }
    }
}

fn comparison(formula: &Formula, positive: bool) -> Formula {
    let Formula::Compare(relation, left, right) = formula else {
        unreachable!("only called for comparisons")
    };
    if positive {
        return formula.clone();
    }
    let (left, right) = (left.clone(), right.clone());
    match relation {
        Relation::Eq => Formula::Compare(Relation::Neq, left, right),
        Relation::Neq => Formula::Compare(Relation::Eq, left, right),
        Relation::Lt => Formula::Compare(Relation::Le, right, left),
        Relation::Le => Formula::Compare(Relation::Lt, right, left),
    }
}

fn junction(parts: &[Formula], positive: bool, conjunction: bool) -> Formula {
    let parts = parts.iter().map(|part| push(part, positive));
    if conjunction { Formula::and(parts) } else { Formula::or(parts) }
}

/// The disjuncts of the formula, or of its negation.
fn expand(formula: &Formula, positive: bool, limit: usize) -> Result<Vec<Vec<Formula>>, TooManyDisjuncts> {
    match formula {
        Formula::True | Formula::False => {
            Ok(if (*formula == Formula::True) == positive { vec![vec![]] } else { vec![] })
        }
        Formula::Not(inner) => expand(inner, !positive, limit),
        Formula::And(parts) if positive => conjunction(parts, positive, limit),
        Formula::Or(parts) if !positive => conjunction(parts, positive, limit),
        Formula::And(parts) | Formula::Or(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(expand(part, positive, limit)?);
                within(all.len(), limit)?;
            }
            Ok(all)
        }
        Formula::Iff(left, right) => either(
            product(expand(left, true, limit)?, &expand(right, positive, limit)?, limit)?,
            product(expand(left, false, limit)?, &expand(right, !positive, limit)?, limit)?,
            limit,
        ),
        Formula::If(condition, then, otherwise) => either(
            product(expand(condition, true, limit)?, &expand(then, positive, limit)?, limit)?,
            product(expand(condition, false, limit)?, &expand(otherwise, positive, limit)?, limit)?,
            limit,
        ),
        Formula::Compare(..) | Formula::Quantified { .. } | Formula::Fence => {
            Ok(vec![vec![push(formula, positive)]])
        }
    }
}

fn conjunction(
    parts: &[Formula],
    positive: bool,
    limit: usize,
) -> Result<Vec<Vec<Formula>>, TooManyDisjuncts> {
    let mut all = vec![vec![]];
    for part in parts {
        all = product(all, &expand(part, positive, limit)?, limit)?;
    }
    Ok(all)
}

fn either(
    mut left: Vec<Vec<Formula>>,
    right: Vec<Vec<Formula>>,
    limit: usize,
) -> Result<Vec<Vec<Formula>>, TooManyDisjuncts> {
    left.extend(right);
    within(left.len(), limit)?;
    Ok(left)
}

/// Combines each disjunct of one with each of the other.
fn product(
    mut left: Vec<Vec<Formula>>,
    right: &[Vec<Formula>],
    limit: usize,
) -> Result<Vec<Vec<Formula>>, TooManyDisjuncts> {
    // The usual case, in place: a conjunction of many literals must not take quadratic time.
    if let [single] = right {
        left.iter_mut().for_each(|conjuncts| conjuncts.extend_from_slice(single));
        return Ok(left);
    }
    within(left.len().saturating_mul(right.len()), limit)?;
    let pairs = left.iter().flat_map(|l| right.iter().map(move |r| [l.as_slice(), r.as_slice()].concat()));
    Ok(pairs.collect())
}

fn within(count: usize, limit: usize) -> Result<(), TooManyDisjuncts> {
    if count > limit { Err(TooManyDisjuncts { limit }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SymbolId, Term};

    fn atom(index: u32) -> Formula {
        Formula::eq(Term::read(SymbolId(index), vec![]), Term::boolean(true))
    }

    /// The truth value when symbol k is bit k of `state`.
    fn holds(formula: &Formula, state: u32) -> bool {
        match formula {
            Formula::True => true,
            Formula::False => false,
            Formula::Compare(relation, Term::Read { symbol, .. }, _) => {
                (state >> symbol.0 & 1 == 1) == (*relation == Relation::Eq)
            }
            Formula::Not(inner) => !holds(inner, state),
            Formula::And(parts) => parts.iter().all(|part| holds(part, state)),
            Formula::Or(parts) => parts.iter().any(|part| holds(part, state)),
            Formula::Iff(left, right) => holds(left, state) == holds(right, state),
            Formula::If(condition, then, otherwise) => {
                if holds(condition, state) {
                    holds(then, state)
                } else {
                    holds(otherwise, state)
                }
            }
            _ => unreachable!("not generated"),
        }
    }

    fn random(seed: &mut u64, depth: u32) -> Formula {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let choice = (*seed >> 33) % 8;
        let mut sub = || Box::new(random(seed, depth - 1));
        match choice {
            _ if depth == 0 => atom(u32::try_from(choice % 4).unwrap()),
            0 | 1 => Formula::And(vec![*sub(), *sub()]),
            2 | 3 => Formula::Or(vec![*sub(), *sub()]),
            4 => Formula::Not(sub()),
            5 => Formula::Iff(sub(), sub()),
            6 => Formula::If(sub(), sub(), sub()),
            _ => atom(3),
        }
    }

    #[test]
    fn negation_and_disjuncts_keep_the_meaning() {
        let mut seed = 1;
        for _ in 0..500 {
            let formula = random(&mut seed, 4);
            let negated = negate(&formula);
            let disjuncts = disjuncts(&formula, 1_000_000).unwrap();
            for state in 0..16 {
                let expected = holds(&formula, state);
                assert_eq!(holds(&negated, state), !expected);
                let some = disjuncts.iter().any(|conjuncts| conjuncts.iter().all(|part| holds(part, state)));
                assert_eq!(some, expected, "{formula:?} in state {state:04b}");
            }
        }
    }

    #[test]
    fn an_explosion_is_an_error() {
        let pair = |k| Formula::or([atom(k), atom(k + 1)]);
        let formula = Formula::and((0..40).map(|k| pair(2 * k)));
        assert_eq!(disjuncts(&formula, 1000), Err(TooManyDisjuncts { limit: 1000 }));
        let chain = (0..100).fold(atom(0), |chain, k| atom(k % 4).iff(chain));
        assert_eq!(disjuncts(&chain, 1000), Err(TooManyDisjuncts { limit: 1000 }));
        assert!(matches!(negate(&chain), Formula::Iff(..)));
    }
}
