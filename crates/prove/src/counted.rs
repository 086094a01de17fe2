//! Counters that a proof may need: for what the model counts, and for processes that a guard or a property excludes by speaking of
//! all.
//!
//! `count(A, X)` may be anything to cubes, and `forall k. A[k] <> X` holds of the processes of a cube only. With a counter of the cells
//! that are `X`, the first is that counter and the second says that it is 0: see [`certify::Counter`].

use certify::{Counter, Start};
use ir::{
    At, Formula, Linear, Model, Number, Property, PropertyKind, Quantifier, Relation, Sort, SymbolId, Term,
    Value, Var,
};

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

/// What counters, which are the last symbols of a model, promise: if one is not 0, there is a process that it counts, and if two
/// are together more than all processes, there is one that both count; and if there are even more, one that a third does not count,
/// of those that never change. The contrary is never the case.
pub(crate) fn promises(model: &Model, counters: &[Counter]) -> Vec<Property> {
    let first = model.symbols.len() - counters.len();
    let symbol = |at: usize| SymbolId::from_index(first + at);
    let read = |at: usize| Linear::from_term(Sort::Int, Term::read(symbol(at), vec![]));
    let changes = |at: &usize| {
        let mut updates = model.transitions.iter().flat_map(|transition| &transition.updates);
        updates.any(|update| update.symbol == symbol(*at))
    };
    let constant: Vec<usize> = (0..counters.len()).filter(|at| !changes(at)).collect();
    let processes = || Linear::from_term(Sort::Int, Term::ProcessCount);
    let nothing = || Linear::constant(Sort::Int, Number::ZERO);
    let mut all = Vec::new();
    for (at, counter) in counters.iter().enumerate() {
        let mut groups = vec![(vec![at], nothing(), counter.formula.clone())];
        for (other, also) in counters[..at].iter().enumerate() {
            let both = Formula::and([counter.formula.clone(), also.formula.clone()]);
            groups.push((vec![at, other], processes(), both));
        }
        for (members, less, formula) in groups {
            let more = members.iter().try_fold(nothing(), |sum, member| sum.plus(read(*member)));
            let Some(more) = more.map(Linear::into_term) else { continue };
            all.push(never(less.clone().into_term(), more.clone(), formula.clone()));
            for third in constant.iter().filter(|third| !members.contains(third)) {
                let without = Formula::and([formula.clone(), counters[*third].formula.clone().not()]);
                let less = less.clone().plus(read(*third)).map(Linear::into_term);
                all.extend(less.map(|less| never(less, more.clone(), without)));
            }
        }
    }
    all
}

/// That one number is less than another, though no process satisfies a formula about the variable 0.
fn never(less: Term, more: Term, formula: Formula) -> Property {
    let nobody = Formula::forall(vec![Var(0)], formula.not());
    Property {
        kind: PropertyKind::Assumption,
        name: String::new(),
        params: vec![],
        variables: vec!["k".into()],
        formula: Formula::and([Formula::compare(Relation::Lt, less, more), nobody]),
        rule: None,
        at: At::nowhere(),
    }
}

fn formulas(model: &Model) -> impl Iterator<Item = &Formula> {
    let arms = model.transitions.iter().flat_map(|one| &one.updates).flat_map(|update| &update.arms);
    let guards = model.transitions.iter().map(|one| &one.guard);
    let properties = model.properties.iter().chain(&model.assumptions).map(|one| &one.formula);
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
                Formula::Compare(Relation::Eq, Term::Read { symbol: other, .. }, start)
                    if other == symbol =>
                {
                    matches!(start, Term::Constructor(..)).then_some(start)
                }
                _ => None,
            })?;
            match relation {
                Relation::Eq => Some(start == value),
                Relation::Neq => Some(start != value),
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
