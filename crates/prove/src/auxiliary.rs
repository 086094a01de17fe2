//! Auxiliary variables that a proof may need: for processes that a guard or a property excludes by speaking of all.
//!
//! Where `forall k. A[k] = Free` is required, an invariant may have to say "then some process is not free", which no cube does.
//! A variable that holds such a process, if there is one, turns it into a statement about a few processes: see
//! [`certify::AuxiliaryVariable`].

use certify::AuxiliaryVariable;
use ir::{Formula, Model, Quantifier, Term, Var};

/// More would take long, and rarely help.
const MOST: usize = 4;

/// Sets of auxiliary variables that are worth a try: each alone, then all.
pub(crate) fn choices(model: &Model) -> Vec<Vec<AuxiliaryVariable>> {
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
    let auxiliary = |(at, (variable, formula)): (usize, (String, Formula))| {
        let name = if alone { "Witness".to_owned() } else { format!("Witness{}", at + 1) };
        AuxiliaryVariable { name: unused(model, name), variables: vec![variable], formula }
    };
    let all: Vec<AuxiliaryVariable> = found.into_iter().enumerate().map(auxiliary).collect();
    let mut sets: Vec<Vec<AuxiliaryVariable>> = all.iter().map(|one| vec![one.clone()]).collect();
    if all.len() > 1 {
        sets.push(all);
    }
    sets
}

/// If a part of a formula says of each process alone that it is not ψ: the name of its variable, and ψ with the variable 0 for
/// the process.
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
