//! Warnings about variables that `init` does not mention: they start with any value, which is rarely intended.
//!
//! A symbol that is never assigned is a parameter of the instance, and meant to be open. So is, as a rule, a process
//! or a value of an abstract type, such as the process whose turn comes first. An open number has no value until it
//! is assigned, and reading it earlier is reported elsewhere. That leaves enumerations, truth values and ranges.

use super::items::RawInit;
use ir::{Domain, Formula, Model, Origin, Sort, Symbol, SymbolId, Term, Update};
use source::{Diagnostic, Diagnostics};

/// Warns about symbols that `init` does not mention although their initial value matters.
pub(super) fn check(model: &Model, inits: &[RawInit], out: &mut Diagnostics) {
    let mentioned = |id: SymbolId| inits.iter().any(|init| init.mentioned.contains(&id));
    for id in (0..model.symbols.len()).map(SymbolId::from_index) {
        let symbol = model.symbol(id);
        let plain =
            symbol.origin == Origin::Declared && !symbol.constant && is_finite(symbol.sort, symbol.domain);
        if plain && !mentioned(id) && is_assigned(model, id) && decides(model, id) {
            out.push(warning(symbol));
        }
    }
}

fn warning(symbol: &Symbol) -> Diagnostic {
    let cell = match symbol.arity {
        0 => symbol.name.clone(),
        arity => {
            let indices: Vec<&str> = ["i", "j", "k", "l", "m"].into_iter().cycle().take(arity).collect();
            format!("{}[{}]", symbol.name, indices.join(","))
        }
    };
    let message = format!("`init` does not say how `{}` starts", symbol.name);
    Diagnostic::warning("open-start", symbol.at.0, message)
        .label("it starts with any value of its type")
        .help(format!("write `{cell} = …` in `init`; `{cell} = {cell}` says that any value will do"))
}

fn is_finite(sort: Sort, domain: Domain) -> bool {
    matches!(sort, Sort::Enum(_)) || matches!(domain, Domain::Range(..))
}

fn updates(model: &Model) -> impl Iterator<Item = &Update> {
    model.transitions.iter().flat_map(|transition| &transition.updates)
}

fn is_assigned(model: &Model, id: SymbolId) -> bool {
    updates(model).any(|update| update.symbol == id)
}

/// Whether a guard or a property reads the symbol.
fn decides(model: &Model, id: SymbolId) -> bool {
    let guards = model.transitions.iter().map(|transition| &transition.guard);
    let properties = model.properties.iter().map(|property| &property.formula);
    guards.chain(properties).any(|formula| reads(formula, id))
}

fn reads(formula: &Formula, id: SymbolId) -> bool {
    let mut found = false;
    formula.each_term(&mut |term: &Term| found |= term.symbol() == Some(id));
    found
}
