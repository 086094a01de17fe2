//! Counters that a proof may need: for what the model counts, and for processes that a guard or a property excludes by speaking of
//! all.
//!
//! `count(A, X)` may be anything to cubes, and `forall k. A[k] <> X` holds of the processes of a cube only. With a counter of the cells
//! that are `X`, the first is that counter and the second says that it is 0: see [`certify::Counter`].

use certify::{Counter, Start};
use ir::{Formula, Model, Quantifier, Term, Value, Var};

/// More would take long, and rarely help.
const MOST: usize = 8;

/// The counters that are worth a try, together.
pub(crate) fn counters(model: &Model) -> Vec<Counter> {
    let mut found: Vec<Formula> = Vec::new();
    let mut add = |formula: Option<Formula>| {
        if let Some(formula) = formula.filter(|formula| found.len() < MOST && !found.contains(formula)) {
            found.push(formula);
        }
    };
    for formula in formulas(model) {
        formula.each_term(&mut |term| add(counted(model, term)));
    }
    for term in terms(model) {
        term.each_term(&mut |term| add(counted(model, term)));
    }
    for formula in
        model.transitions.iter().map(|one| &one.guard).chain(model.properties.iter().map(|one| &one.formula))
    {
        formula.conjuncts().iter().for_each(|part| add(excluded(part)));
    }
    let counter = |(at, formula): (usize, Formula)| Counter {
        name: unused(model, format!("Number{}", at + 1)),
        variables: vec!["k".into()],
        start: start(model, &formula),
        formula,
    };
    found.into_iter().enumerate().map(counter).collect()
}

fn formulas(model: &Model) -> impl Iterator<Item = &Formula> {
    let arms = model.transitions.iter().flat_map(|one| &one.updates).flat_map(|update| &update.arms);
    let guards = model.transitions.iter().map(|one| &one.guard);
    let properties = model.properties.iter().map(|one| &one.formula);
    guards.chain(properties).chain(arms.map(|arm| &arm.condition))
}

fn terms(model: &Model) -> impl Iterator<Item = &Term> {
    let arms = model.transitions.iter().flat_map(|one| &one.updates).flat_map(|update| &update.arms);
    arms.filter_map(|arm| if let Value::Term(term) = &arm.value { Some(term) } else { None })
}

/// What is counted, about the variable 0: the cells of an array with one index that have a value.
fn counted(model: &Model, term: &Term) -> Option<Formula> {
    let Term::Count { symbol, row, value: Some(value) } = term else { return None };
    let plain =
        model.symbol(*symbol).arity == 1 && row.is_empty() && matches!(**value, Term::Constructor(..));
    plain.then(|| Formula::eq(Term::read(*symbol, vec![Term::Var(Var(0))]), (**value).clone()))
}

/// If a part of a formula says of each process alone that it is not φ: φ, about the variable 0.
fn excluded(part: &Formula) -> Option<Formula> {
    let Formula::Quantified { quantifier: Quantifier::Forall, variables, body, .. } = part else {
        return None;
    };
    let [about] = variables.as_slice() else { return None };
    let mut own = !body.has_quantifier();
    body.each_term(&mut |term| {
        own &= match term {
            Term::Var(var) => var == about,
            Term::Read { indices, .. } => *indices == [Term::Var(*about)],
            Term::Constructor(..) => true,
            _ => false,
        };
    });
    let renamed = body.substitute(&|var| (var == *about).then_some(Term::Var(Var(0))));
    own.then(|| renamed.not())
}

/// What the initial states say about a formula, as far as a look at their equations tells.
fn start(model: &Model, formula: &Formula) -> Start {
    let truths: Vec<Option<bool>> = model.init.iter().map(|init| truth(&init.formula, formula)).collect();
    match truths.as_slice() {
        [Some(first), others @ ..] if others.iter().all(|other| *other == Some(*first)) => {
            if *first {
                Start::Everybody
            } else {
                Start::Nobody
            }
        }
        _ => Start::Unknown,
    }
}

/// Whether a formula holds of every process where `init` does, or of none.
fn truth(init: &Formula, formula: &Formula) -> Option<bool> {
    match formula {
        Formula::True => Some(true),
        Formula::False => Some(false),
        Formula::Compare(relation, Term::Read { symbol, .. }, value @ Term::Constructor(..)) => {
            let start = init.conjuncts().iter().find_map(|part| match part {
                Formula::Compare(ir::Relation::Eq, Term::Read { symbol: other, .. }, start)
                    if other == symbol =>
                {
                    matches!(start, Term::Constructor(..)).then_some(start)
                }
                _ => None,
            })?;
            match relation {
                ir::Relation::Eq => Some(start == value),
                ir::Relation::Neq => Some(start != value),
                _ => None,
            }
        }
        Formula::Not(inner) => truth(init, inner).map(|truth| !truth),
        Formula::And(parts) => junction(init, parts, false),
        Formula::Or(parts) => junction(init, parts, true),
        _ => None,
    }
}

fn junction(init: &Formula, parts: &[Formula], decisive: bool) -> Option<bool> {
    let mut all = Some(!decisive);
    for part in parts {
        match truth(init, part) {
            Some(truth) if truth == decisive => return Some(decisive),
            Some(_) => {}
            None => all = None,
        }
    }
    all
}

fn unused(model: &Model, mut name: String) -> String {
    while model.symbols.iter().any(|symbol| symbol.name == name) {
        name.push('_');
    }
    name
}
