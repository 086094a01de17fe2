//! Whom a proof might have to name: processes that a guard or a property excludes by speaking of all.
//!
//! Where `forall k. A[k] = Free` is asked, an invariant may have to say "then some process is not free", which no cube does.
//! A variable that holds such a process, if there is one, makes it a statement about a few processes: see
//! [`certify::Witness`].

use certify::Witness;
use ir::{Formula, Model, Quantifier, Term, Var};

/// More would take long, and rarely help.
const MOST: usize = 4;

/// Sets of witnesses that are worth a try: each alone, then all.
pub(crate) fn candidates(model: &Model) -> Vec<Vec<Witness>> {
    let guards = model.transitions.iter().map(|transition| (&transition.guard, &transition.variables));
    let properties = model.properties.iter().map(|property| (&property.formula, &property.variables));
    let mut found: Vec<(String, Formula)> = Vec::new();
    for (formula, variables) in guards.chain(properties) {
        for (name, excluded) in formula.conjuncts().iter().filter_map(|part| excluded(part, variables)) {
            if found.len() < MOST && found.iter().all(|(_, known)| *known != excluded) {
                found.push((name, excluded));
            }
        }
    }
    let alone = found.len() == 1;
    let witness = |(at, (variable, formula)): (usize, (String, Formula))| {
        let name = if alone { "Witness".to_owned() } else { format!("Witness{}", at + 1) };
        Witness { name: unused(model, name), variables: vec![variable], formula }
    };
    let all: Vec<Witness> = found.into_iter().enumerate().map(witness).collect();
    let mut sets: Vec<Vec<Witness>> = all.iter().map(|witness| vec![witness.clone()]).collect();
    if all.len() > 1 {
        sets.push(all);
    }
    sets
}

/// What a part of a formula says that no process is, if it says so of each alone: the name of its variable, and the formula
/// with the variable 0 for it.
fn excluded(part: &Formula, variables: &[String]) -> Option<(String, Formula)> {
    let Formula::Quantified { quantifier: Quantifier::Forall, variables: bound, body, .. } = part else {
        return None;
    };
    let [about] = bound.as_slice() else { return None };
    let mut plain = true;
    body.each_term(&mut |term| plain &= !matches!(term, Term::Var(var) if var != about));
    let name = variables.get(about.index()).cloned()?;
    let renamed = body.substitute(&|var| (var == *about).then_some(Term::Var(Var(0))));
    plain.then(|| (name, renamed.not()))
}

fn unused(model: &Model, mut name: String) -> String {
    while model.symbols.iter().any(|symbol| symbol.name == name) {
        name.push('_');
    }
    name
}
