//! Obligations and states in words.

use super::{outcome::Obligation, tree::Mask, universe::Universe};
use crate::Certificate;
use ir::{Model, Sort};

/// An obligation in words.
pub(crate) fn statement(model: &Model, certificate: &Certificate, obligation: Obligation) -> String {
    let cube = |at: usize| certificate.cubes[at].display(model).to_string();
    match obligation {
        Obligation::Form => "the certificate is understood".into(),
        Obligation::Init { cube: at, .. } => format!("no initial state matches {}", cube(at)),
        Obligation::Step { transition, cube: at } => {
            let rule = model.transitions[transition].rule;
            format!("`{}` does not lead to {}", model.rules[rule.index()].name, cube(at))
        }
        Obligation::Domain { transition, symbol } => {
            let rule = model.transitions[transition].rule;
            let (rule, symbol) = (&model.rules[rule.index()].name, &model.symbols[symbol].name);
            format!("`{rule}` keeps `{symbol}` within its domain")
        }
        Obligation::Property { property } => {
            format!("no state of the invariant matches `{}`", model.properties[property].name)
        }
        Obligation::Lift { .. } => "every run remains possible with the auxiliary variables".into(),
    }
}

/// A state in words, as far as it is known.
pub(crate) fn describe(universe: &Universe<'_>, state: &[Mask]) -> Vec<String> {
    let model = universe.model;
    let process = |at: usize| format!("#{}", at + 1);
    let mut lines = Vec::new();
    for (cell, values) in state.iter().enumerate() {
        let everything = universe.table.values.get(cell).is_none_or(|all| all == values);
        let described = universe.describe(u32::try_from(cell).expect("few"));
        let Some((symbol, indices)) = described.filter(|_| !everything) else { continue };
        let declared = model.symbol(symbol);
        let value = |bit: u32| match declared.sort {
            Sort::Enum(id) => model.enums[id.index()].constructors[bit as usize].clone(),
            Sort::Proc if (bit as usize) < universe.processes => process(bit as usize),
            Sort::Proc => {
                let outsider = model.outsiders.get(bit as usize - universe.processes);
                outsider.map_or("another process".into(), |outsider| outsider.name.clone())
            }
            _ => format!("value {bit}"),
        };
        let names: Vec<String> = (0..128).filter(|bit| values >> bit & 1 == 1).map(value).collect();
        let indices: Vec<String> = indices.into_iter().map(process).collect();
        let indices = if indices.is_empty() { String::new() } else { format!("[{}]", indices.join(",")) };
        lines.push(format!("{}{indices} = {}", declared.name, names.join(" or ")));
    }
    lines
}
