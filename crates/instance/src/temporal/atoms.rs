//! The atoms of a temporal property: numbered, and matched with steps.

use super::process_of;
use ir::{Calls, Model, Temporal, TemporalAtom};
use ltl::Formula;

/// The different atoms of a property. The number of an atom is its position.
#[derive(Debug, Clone)]
pub(crate) struct Atoms(pub(crate) Vec<TemporalAtom>);

impl Atoms {
    /// The formula of a property over the numbers of its atoms.
    pub(crate) fn of(temporal: &Temporal) -> (Formula<u32>, Atoms) {
        let mut atoms: Vec<TemporalAtom> = Vec::new();
        let mut number = |atom: TemporalAtom| -> Result<u32, std::convert::Infallible> {
            let at = atoms.iter().position(|known| *known == atom).unwrap_or_else(|| {
                atoms.push(atom);
                atoms.len() - 1
            });
            Ok(u32::try_from(at).expect("formulas are short"))
        };
        let formula = temporal.formula.clone().try_map(&mut number).unwrap_or_else(|never| match never {});
        (formula, Atoms(atoms))
    }

    pub(crate) fn names(&self) -> Vec<String> {
        (0..self.0.len()).map(|at| format!("p{at}")).collect()
    }
}

/// Whether a step, given by its transition and processes, is one of some calls.
pub(crate) fn is_called(
    model: &Model,
    calls: &Calls,
    (temporal, chosen): (&Temporal, &[usize]),
    (transition, processes): (usize, &[usize]),
) -> bool {
    let rule = model.transitions[transition].rule;
    let params = model.rules[rule.index()].params.len();
    let fits = |(wanted, process): (&Option<ir::Term>, &usize)| {
        wanted.as_ref().is_none_or(|term| process_of(term, temporal, chosen) == Some(*process))
    };
    calls.rules.contains(&rule)
        && (calls.processes.is_empty()
            || calls.processes.len() == params && calls.processes.iter().zip(processes).all(fits))
}
