//! The literals of a cube as formulas of the typed form. Process `k` of the cube is the variable `k`.

use super::certificate::{Cube, Literal, Value, Variable};
use crate::check::{Obstacle, ground::Binding};
use ir::{Formula, Linear, Model, Number, OutsiderId, Relation, Sort, Term, Var};

/// What a cube says, with a term for each of its variables; none if there is one that has no term.
pub(super) fn formula(
    model: &Model,
    cube: &Cube,
    term: &impl Fn(&Variable) -> Option<Term>,
) -> Option<Formula> {
    let literals: Option<Vec<Formula>> =
        cube.literals.iter().map(|literal| literal_formula(model, cube, literal, term)).collect();
    Some(Formula::and(literals?))
}

fn literal_formula(
    model: &Model,
    cube: &Cube,
    literal: &Literal,
    term: &impl Fn(&Variable) -> Option<Term>,
) -> Option<Formula> {
    match literal {
        Literal::OneOf(variable, values) => {
            let sort = model.symbol(variable.location().symbol).sort;
            Some(one_of(model, cube.processes, sort, &term(variable)?, values))
        }
        Literal::Same(left, right) => Some(Formula::eq(term(left)?, term(right)?)),
        Literal::Differ(left, right) => Some(Formula::neq(term(left)?, term(right)?)),
        Literal::AtMost { terms, constant, strict } => {
            let (_, first) = terms.first()?;
            let sort = model.symbol(first.location().symbol).sort;
            let mut sum = Linear::constant(sort, Number::whole(*constant));
            for (factor, variable) in terms {
                sum = sum.plus(Linear::from_term(sort, term(variable)?).times(*factor)?)?;
            }
            let zero = Linear::constant(sort, Number::ZERO).into_term();
            let relation = if *strict { Relation::Lt } else { Relation::Le };
            Some(Formula::compare(relation, sum.into_term(), zero))
        }
    }
}

/// A term has one of some values.
fn one_of(model: &Model, processes: u32, sort: Sort, term: &Term, values: &[Value]) -> Formula {
    if !values.contains(&Value::Elsewhere) {
        return Formula::or(
            values.iter().filter_map(|value| Some(Formula::eq(term.clone(), named(sort, *value)?))),
        );
    }
    // Everything but the processes and outsiders that are not listed.
    let members = (0..processes).map(Value::Process);
    let outsiders = (0..model.outsiders.len()).map(|at| Value::Outsider(OutsiderId::from_index(at)));
    let others = members.chain(outsiders).filter(|value| !values.contains(value));
    Formula::and(others.filter_map(|value| Some(Formula::neq(term.clone(), named(sort, value)?))))
}

fn named(sort: Sort, value: Value) -> Option<Term> {
    match (value, sort) {
        (Value::Constructor(at), Sort::Enum(id)) => Some(Term::Constructor(id, at)),
        (Value::Process(process), Sort::Proc) => Some(Term::Var(Var(process))),
        (Value::Outsider(id), Sort::Proc) => Some(Term::Outsider(id)),
        _ => None,
    }
}

/// The cell of a location.
pub(super) fn cell(location: &super::certificate::Location) -> Term {
    Term::read(location.symbol, location.indices.iter().map(|index| Term::Var(Var(*index))).collect())
}

/// A formula in which the buffer of the actor is empty, or is not.
pub(super) fn with_fence(formula: &Formula, empty: bool) -> Formula {
    let sub = |formula: &Formula| with_fence(formula, empty);
    match formula {
        Formula::Fence => {
            if empty {
                Formula::True
            } else {
                Formula::False
            }
        }
        Formula::True | Formula::False | Formula::Compare(..) => formula.clone(),
        Formula::Not(inner) => sub(inner).not(),
        Formula::And(parts) => Formula::and(parts.iter().map(sub)),
        Formula::Or(parts) => Formula::or(parts.iter().map(sub)),
        Formula::Iff(left, right) => sub(left).iff(sub(right)),
        Formula::If(condition, then, otherwise) => {
            Formula::if_then_else(sub(condition), sub(then), sub(otherwise))
        }
        Formula::Quantified { quantifier, variables, apart_from, body } => {
            Formula::quantified(*quantifier, variables.clone(), apart_from.clone(), sub(body))
        }
    }
}

/// Whether a formula has a fence.
fn has_fence(formula: &Formula) -> bool {
    with_fence(formula, true) != with_fence(formula, false)
}

/// Whether the buffer is empty: both ways, if it makes a difference to a formula.
pub(super) fn fences(formula: &Formula) -> Vec<bool> {
    if has_fence(formula) { vec![true, false] } else { vec![false] }
}

/// Each process of a cube stands for itself.
pub(super) fn identity(cube: &Cube) -> Binding {
    (0..cube.processes as usize).map(Some).collect()
}

/// A number of processes.
pub(super) fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("few")
}

/// A literal cannot be written out.
pub(super) fn too_large() -> Obstacle {
    Obstacle::TooHard("numbers that do not fit".into())
}
