//! Whether a model can be checked at all, and whether a certificate is well formed over it. The rest relies on that.

use super::certificate::{Certificate, Cube, Literal, Location, Value, Variable, Who};
use crate::check::reading::orders_processes;
use ir::{Arm, Formula, Model, Relation, Sort, SymbolId, Term, Transition, Update, Value as Assigned, Var};

/// What is wrong with the model, if anything is.
pub(super) fn unsupported(model: &Model) -> Option<String> {
    if model.threads.is_some() {
        return Some("locks under a weak memory model".into());
    }
    let shared = model.symbols.iter().find(|symbol| symbol.arity == 0 && !symbol.weak && !symbol.constant);
    if let Some(symbol) = shared {
        return Some(format!("the variable `{}`, which is shared, but not in memory", symbol.name));
    }
    if orders_processes(model, &[], &crate::Certificate::default()) {
        return Some("processes that are compared by `<`".into());
    }
    model.transitions.iter().find_map(|transition| foreign(model, transition))
}

/// A use of a register that belongs to another process, or of one that may.
fn foreign(model: &Model, transition: &Transition) -> Option<String> {
    let rule = &model.rules[transition.rule.index()].name;
    let Some(actor) = transition.actor else { return Some(format!("`{rule}`, which has no actor")) };
    let complaint = |symbol: SymbolId| {
        let name = &model.symbol(symbol).name;
        format!("`{rule}`, which uses a cell of `{name}` that may belong to another process")
    };
    let guard = foreign_in_formula(model, &transition.guard, &[actor]);
    let updates = || transition.updates.iter().find_map(|update| foreign_in_update(model, update, actor));
    guard.or_else(updates).map(complaint)
}

fn foreign_in_update(model: &Model, update: &Update, actor: Var) -> Option<SymbolId> {
    let is_register = !model.symbol(update.symbol).weak;
    update.arms.iter().find_map(|arm| {
        let own: Vec<Var> = [actor]
            .into_iter()
            .chain(update.cell.iter().copied().filter(|cell| is_actor(arm, *cell, actor)))
            .collect();
        let writes = is_register && arm.value != Assigned::Keep;
        if writes && !update.cell.first().is_some_and(|owner| own.contains(owner)) {
            return Some(update.symbol);
        }
        let value = match &arm.value {
            Assigned::Term(term) => foreign_in_term(model, term, &own),
            Assigned::Any | Assigned::Keep => None,
        };
        value.or_else(|| foreign_in_formula(model, &arm.condition, &own))
    })
}

/// Whether an arm applies only where a cell variable stands for the actor.
fn is_actor(arm: &Arm, cell: Var, actor: Var) -> bool {
    let (cell, actor) = (Term::Var(cell), Term::Var(actor));
    arm.condition.conjuncts().iter().any(|conjunct| match conjunct {
        Formula::Compare(Relation::Eq, left, right) => {
            (left, right) == (&cell, &actor) || (left, right) == (&actor, &cell)
        }
        _ => false,
    })
}

fn foreign_in_formula(model: &Model, formula: &Formula, own: &[Var]) -> Option<SymbolId> {
    let mut found = None;
    formula.each_term(&mut |term| found = found.or_else(|| foreign_read(model, term, own)));
    found
}

fn foreign_in_term(model: &Model, term: &Term, own: &[Var]) -> Option<SymbolId> {
    let mut found = None;
    term.each_term(&mut |part| found = found.or_else(|| foreign_read(model, part, own)));
    found
}

fn foreign_read(model: &Model, term: &Term, own: &[Var]) -> Option<SymbolId> {
    let symbol = term.symbol()?;
    let declared = model.symbol(symbol);
    let is_own = match term {
        Term::Read { indices, .. } => match indices.first() {
            Some(Term::Var(var)) => own.contains(var),
            _ => false,
        },
        _ => false,
    };
    // Counting looks at the cells of all processes.
    let is_count = matches!(term, Term::Count { .. });
    let is_free = declared.constant || (declared.weak && !is_count);
    (!is_free && !is_own).then_some(symbol)
}

/// What is wrong with the certificate, if anything is.
pub(super) fn complaint(model: &Model, certificate: &Certificate) -> Option<String> {
    certificate.cubes.iter().enumerate().find_map(|(at, cube)| {
        let complaint = cube_complaint(model, cube)?;
        Some(format!("cube {at} is not well formed: {complaint}"))
    })
}

fn cube_complaint(model: &Model, cube: &Cube) -> Option<&'static str> {
    if cube.processes < model.named_processes {
        return Some("it does not have all processes with names");
    }
    if !cube.instants.iter().all(|instant| instant_fits(model, cube, instant)) {
        return Some("an instant mentions something that is not there");
    }
    if !cube.literals.iter().all(|literal| literal_fits(model, cube, literal)) {
        return Some("a literal does not fit the model");
    }
    None
}

fn instant_fits(model: &Model, cube: &Cube, instant: &super::certificate::Instant) -> bool {
    let process = |process: &u32| *process < cube.processes;
    let steps = match &instant.after_steps {
        Who::Everybody => true,
        Who::Only(processes) => processes.iter().all(process),
    };
    let is_weak =
        |location: &Location| location_fits(model, cube, location) && model.symbol(location.symbol).weak;
    steps
        && instant.before.iter().all(|later| *later < cube.instants.len())
        && instant.after_writes.iter().all(process)
        && instant.after_writes_to.iter().all(is_weak)
}

fn location_fits(model: &Model, cube: &Cube, location: &Location) -> bool {
    let declared = model.symbols.get(location.symbol.index());
    declared.is_some_and(|symbol| symbol.arity == location.indices.len())
        && location.indices.iter().all(|index| *index < cube.processes)
}

fn variable_fits(model: &Model, cube: &Cube, variable: &Variable) -> bool {
    location_fits(model, cube, variable.location())
        && match variable {
            Variable::Cell(location) => !model.symbol(location.symbol).weak,
            Variable::Read { instant, reader, location } => {
                *instant < cube.instants.len()
                    && *reader < cube.processes
                    && model.symbol(location.symbol).weak
            }
        }
}

fn literal_fits(model: &Model, cube: &Cube, literal: &Literal) -> bool {
    let fits = |variable: &Variable| variable_fits(model, cube, variable);
    let sort = |variable: &Variable| model.symbol(variable.location().symbol).sort;
    match literal {
        Literal::OneOf(variable, values) => {
            fits(variable) && values.iter().all(|value| value_fits(model, cube, sort(variable), *value))
        }
        Literal::Same(left, right) | Literal::Differ(left, right) => {
            fits(left) && fits(right) && sort(left) == sort(right)
        }
        Literal::AtMost { terms, .. } => {
            let is_number = |variable: &Variable| matches!(sort(variable), Sort::Int | Sort::Real);
            !terms.is_empty()
                && terms.iter().all(|(_, variable)| fits(variable) && is_number(variable))
                && terms.iter().all(|(_, variable)| sort(variable) == sort(&terms[0].1))
        }
    }
}

fn value_fits(model: &Model, cube: &Cube, sort: Sort, value: Value) -> bool {
    match (value, sort) {
        (Value::Constructor(at), Sort::Enum(id)) => {
            (at as usize) < model.enums[id.index()].constructors.len()
        }
        (Value::Process(process), Sort::Proc) => process < cube.processes,
        (Value::Outsider(id), Sort::Proc) => id.index() < model.outsiders.len(),
        (Value::Elsewhere, Sort::Proc) => true,
        _ => false,
    }
}
