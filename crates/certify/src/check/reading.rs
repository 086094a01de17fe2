//! What can be read off formulas: which symbols they are about, and whether a step changes these.

use super::ground::{Binding, Step, is_process};
use crate::{Certificate, Cube, auxiliary::Lift};
use ir::{
    Domain, Formula, Model, OutsiderId, Property, Relation, Sort, SymbolId, Term, Transition, Update, Var,
};

/// The cube that matches if some cell of a symbol has a value outside of its domain; none if every value of the sort is in it.
///
/// The parameters are the indices of the cell, and the process that it holds. They need not be distinct.
pub(crate) fn outside_of_domain(model: &Model, symbol: SymbolId) -> Option<Cube> {
    let declared = model.symbol(symbol);
    let var = |at: usize| Term::Var(Var::from_index(at));
    let cell = Term::read(symbol, (0..declared.arity).map(var).collect());
    let mut wrong = Vec::new();
    let mut params = declared.arity;
    if declared.sort == Sort::Proc && !declared.holds_outsiders {
        let outsiders = (0..model.outsiders.len()).map(OutsiderId::from_index);
        wrong.extend(outsiders.map(|id| Formula::eq(cell.clone(), Term::Outsider(id))));
    }
    match (declared.domain, &model.kinds) {
        (Domain::Range(low, high), _) => {
            wrong.push(Formula::compare(Relation::Lt, cell.clone(), Term::int(low)));
            wrong.push(Formula::compare(Relation::Lt, Term::int(high), cell));
        }
        (Domain::Kind(kind), Some(kinds)) => {
            let held = var(params);
            params += 1;
            let of = Term::read(kinds.of_process, vec![held.clone()]);
            let other = Formula::neq(of, Term::Constructor(kinds.kinds, kind.0));
            wrong.push(Formula::and([Formula::eq(cell, held), other]));
        }
        _ => {}
    }
    let variables = (0..params).map(|at| format!("k{at}")).collect();
    let params = (0..params).map(Var::from_index).collect();
    (!wrong.is_empty()).then(|| Cube { params, variables, formula: Formula::or(wrong) })
}

/// The reads and counts of a cube.
pub(crate) fn reads(cube: &Cube) -> Vec<&Term> {
    let mut reads = Vec::new();
    cube.formula.each_term(&mut |term| {
        if term.symbol().is_some() {
            reads.push(term);
        }
    });
    reads
}

/// Whether an update may change what one of these reads.
pub(crate) fn touches(step: &Step<'_>, update: &Update, reads: &[&Term], binding: &Binding) -> bool {
    let process = |term: &Term, binding: &Binding| match term {
        Term::Var(var) => binding.get(var.index()).copied().flatten(),
        Term::Process(k) => Some(*k as usize - 1),
        _ => None,
    };
    let written: Option<Vec<usize>> = update
        .single_cell()
        .and_then(|(indices, _)| indices.into_iter().map(|index| process(index, &step.binding)).collect());
    let Some(written) = written else { return true };
    reads.iter().filter(|read| read.symbol() == Some(update.symbol)).any(|read| match read {
        Term::Read { indices, .. } => {
            let read: Option<Vec<usize>> = indices.iter().map(|index| process(index, binding)).collect();
            read.is_none_or(|read| read == written)
        }
        _ => true,
    })
}

/// Whether no transition assigns what a formula is about.
pub(crate) fn never_assigned(model: &Model, formula: &Formula) -> bool {
    let assigned = |symbol: SymbolId| {
        let updates = model.transitions.iter().flat_map(|transition: &Transition| &transition.updates);
        updates.into_iter().any(|update| update.symbol == symbol)
    };
    let mut never = true;
    formula.each_term(&mut |term| never &= !term.symbol().is_some_and(assigned));
    never
}

/// Whether processes are compared by `<` anywhere.
pub(crate) fn orders_processes(model: &Model, lifts: &[Lift], certificate: &Certificate) -> bool {
    let properties = model.properties.iter().chain(&model.assumptions);
    let properties = properties.chain(lifts.iter().map(|lift| &lift.never));
    let properties = properties.map(|property: &Property| &property.formula);
    let arms =
        model.transitions.iter().flat_map(|transition| &transition.updates).flat_map(|update| &update.arms);
    let formulas = properties
        .chain(model.init.iter().map(|init| &init.formula))
        .chain(model.transitions.iter().map(|transition| &transition.guard))
        .chain(arms.map(|arm| &arm.condition))
        .chain(certificate.cubes.iter().map(|cube| &cube.formula));
    formulas.into_iter().any(|formula| has_order(model, formula))
}

fn has_order(model: &Model, formula: &Formula) -> bool {
    let rec = |formula: &Formula| has_order(model, formula);
    match formula {
        Formula::True | Formula::False | Formula::Fence => false,
        Formula::Compare(relation, left, _) => {
            matches!(relation, Relation::Lt | Relation::Le) && is_process(model, left)
        }
        Formula::Not(inner) | Formula::Quantified { body: inner, .. } => rec(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(rec),
        Formula::Iff(left, right) => rec(left) || rec(right),
        Formula::If(condition, then, otherwise) => rec(condition) || rec(then) || rec(otherwise),
    }
}
