//! Models with symbols for what processes see of memory.

use super::certificate::{Cube, Literal, Variable};
use super::covering::Open;
use ir::{Formula, Model, Symbol, SymbolId, Term, Var};
use std::collections::BTreeMap;

/// The model with a symbol for each read of a cube.
pub(super) fn with_reads(model: &Model, plain: &Model, cube: &Cube) -> (Model, BTreeMap<Open, SymbolId>) {
    let (mut extended, mut open) = (plain.clone(), BTreeMap::new());
    each_variable(cube, &mut |variable| {
        let Variable::Read { instant, reader, location } = variable else { return };
        open.entry((*instant, *reader, location.clone())).or_insert_with(|| {
            let read = model.symbol(location.symbol);
            let name = format!("#{}@{} at instant {instant}", reader + 1, read.name);
            let symbol = Symbol { name, arity: 0, constant: true, weak: false, ..read.clone() };
            extended.symbols.push(symbol);
            SymbolId::from_index(extended.symbols.len() - 1)
        });
    });
    (extended, open)
}

/// The model with an array for what each process sees of each weak symbol.
pub(super) fn with_readers(model: &Model, plain: &Model) -> (Model, BTreeMap<SymbolId, SymbolId>) {
    let (mut extended, mut seen) = (plain.clone(), BTreeMap::new());
    for (at, symbol) in model.symbols.iter().enumerate().filter(|(_, symbol)| symbol.weak) {
        let view =
            Symbol { name: format!("{} as seen", symbol.name), arity: symbol.arity + 1, ..symbol.clone() };
        seen.insert(SymbolId::from_index(at), SymbolId::from_index(extended.symbols.len()));
        extended.symbols.push(Symbol { weak: false, ..view });
    }
    (extended, seen)
}

/// A property in terms of what processes see. Where the text names no reader, it is the actor of a faulty step.
pub(super) fn with_seen(
    formula: &Formula,
    seen: &BTreeMap<SymbolId, SymbolId>,
    actor: Option<Var>,
) -> Formula {
    let sub = |formula: &Formula| with_seen(formula, seen, actor);
    let term = |term: &Term| seen_term(term, seen, actor);
    match formula {
        Formula::Compare(relation, left, right) => Formula::compare(*relation, term(left), term(right)),
        Formula::True | Formula::False | Formula::Fence => formula.clone(),
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

fn seen_term(term: &Term, seen: &BTreeMap<SymbolId, SymbolId>, actor: Option<Var>) -> Term {
    let sub = |term: &Term| seen_term(term, seen, actor);
    match term {
        Term::Read { symbol, indices, reader } => {
            let indices = indices.iter().map(sub);
            match (seen.get(symbol), reader.as_deref().map(sub).or(actor.map(Term::Var))) {
                (Some(view), Some(reader)) => {
                    Term::read(*view, [reader].into_iter().chain(indices).collect())
                }
                _ => Term::read(*symbol, indices.collect()),
            }
        }
        Term::Linear(linear) => linear.map(sub),
        other => other.clone(),
    }
}

/// Calls `visit` with each variable of a cube.
pub(super) fn each_variable<'c>(cube: &'c Cube, visit: &mut impl FnMut(&'c Variable)) {
    for literal in &cube.literals {
        match literal {
            Literal::OneOf(variable, _) => visit(variable),
            Literal::Same(left, right) | Literal::Differ(left, right) => {
                [left, right].into_iter().for_each(&mut *visit);
            }
            Literal::AtMost { terms, .. } => terms.iter().for_each(|(_, variable)| visit(variable)),
        }
    }
}
