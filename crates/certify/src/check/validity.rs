//! Whether cubes are well formed over a model. The rest of the checker relies on that.

use crate::Cube;
use ir::{Formula, Model, Quantifier, Relation, Sort, Term, Var};

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
    if wrong.is_none() && !well_sorted(model, &cube.formula) {
        wrong = Some("it compares values of different sorts".into());
    }
    if !bound(&cube.formula, &cube.params) {
        wrong = Some("it has a variable that nothing binds".into());
    }
    wrong
}

/// Whether everything that a term refers to exists in the model. For sorts see [`well_sorted`].
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

/// Whether only values of the same sort are compared. To the rest of the checker values are plain numbers, and it would
/// compare processes with constructors.
fn well_sorted(model: &Model, formula: &Formula) -> bool {
    let rec = |formula: &Formula| well_sorted(model, formula);
    match formula {
        Formula::True | Formula::False | Formula::Fence => true,
        Formula::Compare(relation, left, right) => match (sort(model, left), sort(model, right)) {
            (Some(Sort::Int | Sort::Real), Some(Sort::Int | Sort::Real)) => true,
            (Some(left), Some(right)) => {
                let ordered = matches!(relation, Relation::Lt | Relation::Le);
                left == right && (left == Sort::Proc || !ordered)
            }
            _ => false,
        },
        Formula::Not(inner) | Formula::Quantified { body: inner, .. } => rec(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().all(rec),
        Formula::Iff(left, right) => rec(left) && rec(right),
        Formula::If(condition, then, otherwise) => rec(condition) && rec(then) && rec(otherwise),
    }
}

/// The sort of a term; none if it is not well sorted.
fn sort(model: &Model, term: &Term) -> Option<Sort> {
    let processes = |terms: &[Term]| terms.iter().all(|term| sort(model, term) == Some(Sort::Proc));
    let number = |term: &Term| matches!(sort(model, term), Some(Sort::Int | Sort::Real));
    match term {
        Term::Var(_) | Term::Process(_) | Term::Outsider(_) => Some(Sort::Proc),
        Term::Constructor(id, _) => Some(Sort::Enum(*id)),
        Term::Read { symbol, indices, .. } => processes(indices).then(|| model.symbol(*symbol).sort),
        Term::Linear(linear) => linear.parts.iter().all(|(_, part)| number(part)).then_some(linear.sort),
        Term::ProcessCount => Some(Sort::Int),
        Term::Count { symbol, row, value } => {
            let counted =
                value.as_ref().is_none_or(|value| sort(model, value) == Some(model.symbol(*symbol).sort));
            (processes(row) && counted).then_some(Sort::Int)
        }
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
