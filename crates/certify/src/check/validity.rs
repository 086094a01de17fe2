//! Whether cubes belong to a model at all. What does not could make the rest of the checker stumble.

use crate::Cube;
use model::ir::{Formula, Model, Quantifier, Term, Var};

/// What is wrong with a cube, if anything is.
pub(crate) fn complaint(model: &Model, cube: &Cube) -> Option<String> {
    let within = |var: &Var| var.index() < cube.variables.len();
    let twice = |at: usize| cube.params[..at].contains(&cube.params[at]);
    if !cube.params.iter().all(within) || (0..cube.params.len()).any(twice) {
        return Some("its parameters are not distinct variables".into());
    }
    let mut wrong = None;
    cube.formula.each_term(&mut |term| {
        if !fits(model, cube, term) {
            wrong = Some("a term does not fit the model".to_owned());
        }
    });
    if !bound(&cube.formula, &cube.params) {
        wrong = Some("it has a variable that nothing binds".into());
    }
    wrong
}

fn fits(model: &Model, cube: &Cube, term: &Term) -> bool {
    match term {
        Term::Var(var) => var.index() < cube.variables.len(),
        Term::Process(k) => *k >= 1 && *k <= model.named_processes,
        Term::Outsider(id) => id.index() < model.outsiders.len(),
        Term::Constructor(id, at) => {
            model.enums.get(id.index()).is_some_and(|declared| (*at as usize) < declared.constructors.len())
        }
        Term::Read { symbol, indices, reader } => {
            let declared = model.symbols.get(symbol.index());
            reader.is_none() && declared.is_some_and(|declared| declared.arity == indices.len())
        }
        Term::Count { symbol, .. } => symbol.index() < model.symbols.len(),
        Term::Linear(_) | Term::ProcessCount => true,
    }
}

/// Whether every variable is a parameter or bound by a quantifier, and by one only.
fn bound(formula: &Formula, known: &[Var]) -> bool {
    match formula {
        Formula::True | Formula::False => true,
        Formula::Fence => false,
        Formula::Compare(_, left, right) => [left, right].into_iter().all(|term| {
            let mut all = true;
            term.each_term(&mut |part| all &= !matches!(part, Term::Var(var) if !known.contains(var)));
            all
        }),
        Formula::Not(inner) => bound(inner, known),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().all(|part| bound(part, known)),
        Formula::Iff(left, right) => bound(left, known) && bound(right, known),
        Formula::If(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().all(|part| bound(part, known))
        }
        Formula::Quantified {
            quantifier: Quantifier::Forall | Quantifier::Exists,
            variables,
            apart_from,
            body,
        } => {
            let fresh = variables.iter().all(|var| !known.contains(var));
            let inner: Vec<Var> = known.iter().chain(variables).copied().collect();
            fresh && apart_from.iter().all(|var| known.contains(var)) && bound(body, &inner)
        }
    }
}
