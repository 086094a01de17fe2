//! Which models the search can handle.

use crate::refusal::Refusal;
use crate::variable::{MOST_INDICES, MOST_PROCESSES};
use crate::vocabulary::{MOST_OUTSIDERS, Values};
use ir::{At, Formula, Model, Relation, Sort, Symbol, Term, Value};

/// Fails with the first construct that cannot be handled.
pub(crate) fn check(model: &Model) -> Result<(), Refusal> {
    model.symbols.iter().try_for_each(|symbol| check_symbol(model, symbol))?;
    if model.threads.is_some() {
        return Err(Refusal::new("locks and memory events cannot be handled together", None));
    }
    if model.named_processes > MOST_PROCESSES.into() {
        let what = format!("more than {MOST_PROCESSES} processes have names");
        return Err(Refusal::new(what, None));
    }
    if model.outsiders.len() > MOST_OUTSIDERS || model.symbols.len() > usize::from(u16::MAX) {
        return Err(Refusal::new("there are too many symbols", None));
    }
    formulas(model).try_for_each(|(formula, at)| check_formula(model, formula, at))?;
    check_values(model)
}

fn check_symbol(model: &Model, symbol: &Symbol) -> Result<(), Refusal> {
    let refuse = |what: String| Refusal::new(what, Some(symbol.at));
    let name = &symbol.name;
    if symbol.arity == 0 && !symbol.weak && !symbol.constant {
        let what = format!("the variable `{name}` is shared, but not in memory");
        return Err(refuse(what).help(format!(
            "events are ordered by memory alone, which is complete only when processes communicate through weak symbols: \
             declare `{name}` as `weak`"
        )));
    }
    if symbol.arity > MOST_INDICES {
        return Err(refuse(format!("the array `{name}` has more than {MOST_INDICES} indices")));
    }
    match symbol.sort {
        Sort::Enum(id) if model.enums[id.index()].constructors.len() > Values::BITS as usize => {
            Err(refuse(format!("the type of `{name}` has more than {} values", Values::BITS)))
        }
        _ => Ok(()),
    }
}

/// All formulas of a model, with the places of the items that they belong to.
fn formulas(model: &Model) -> impl Iterator<Item = (&Formula, At)> {
    let init = model.init.iter().map(|init| (&init.formula, init.at));
    let properties = model.properties.iter().chain(&model.assumptions);
    let properties = properties.map(|property| (&property.formula, property.at));
    let steps = model.transitions.iter().flat_map(|transition| {
        let at = model.rules[transition.rule.index()].at;
        let arms = transition.updates.iter().flat_map(|update| &update.arms);
        std::iter::once((&transition.guard, at)).chain(arms.map(move |arm| (&arm.condition, at)))
    });
    init.chain(properties).chain(steps)
}

fn check_formula(model: &Model, formula: &Formula, at: At) -> Result<(), Refusal> {
    let mut found = None;
    formula.each_term(&mut |term| found = found.take().or_else(|| unsupported_term(term)));
    let compared = compares_processes(model, formula).then_some("processes are compared by `<`");
    match found.or(compared) {
        Some(what) => Err(Refusal::new(what, Some(at))),
        None => Ok(()),
    }
}

fn unsupported_term(term: &Term) -> Option<&'static str> {
    match term {
        Term::Count { .. } => Some("cells are counted"),
        Term::ProcessCount => Some("`SYS_PROCS` is used"),
        _ => None,
    }
}

fn compares_processes(model: &Model, formula: &Formula) -> bool {
    let is_process = |term: &Term| match term {
        Term::Var(_) | Term::Process(_) | Term::Outsider(_) => true,
        Term::Read { symbol, .. } => model.symbol(*symbol).sort == Sort::Proc,
        _ => false,
    };
    match formula {
        Formula::Compare(Relation::Lt | Relation::Le, left, right) => is_process(left) || is_process(right),
        Formula::Not(inner) | Formula::Quantified { body: inner, .. } => compares_processes(model, inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|part| compares_processes(model, part)),
        Formula::Iff(left, right) => [left, right].into_iter().any(|part| compares_processes(model, part)),
        Formula::If(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().any(|part| compares_processes(model, part))
        }
        Formula::True | Formula::False | Formula::Compare(..) | Formula::Fence => false,
    }
}

/// The first value of an update that cannot be handled.
fn check_values(model: &Model) -> Result<(), Refusal> {
    for transition in &model.transitions {
        let arms = transition.updates.iter().flat_map(|update| &update.arms);
        for arm in arms {
            let Value::Term(value) = &arm.value else { continue };
            let mut found = None;
            value.each_term(&mut |term| found = found.take().or_else(|| unsupported_term(term)));
            if let Some(what) = found {
                return Err(Refusal::new(what, Some(model.rules[transition.rule.index()].at)));
            }
        }
    }
    Ok(())
}
