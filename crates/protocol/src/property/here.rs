//! Whether a formula without temporal operators holds in a state.

use super::{atoms::Atom, atoms::Property, graph::Letters};
use crate::machine::{Behaviour, State};
use explore::Fault;
use ltl::{Formula, Unary, Word};

/// Why a formula has no value in a state: it speaks of steps, not of the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotHere;

/// Whether a formula about channels, enabled actions, `END` (the run may end) and `DEAD` (it is stuck) holds in a state.
pub fn holds_here(
    property: &Property,
    behaviour: &dyn Behaviour,
    state: &State,
) -> Result<Result<bool, NotHere>, Fault> {
    if !is_about_states(&property.formula) || property.atoms.iter().any(|atom| matches!(atom, Atom::Taken(_)))
    {
        return Ok(Err(NotHere));
    }
    let letters = Letters::new(property, behaviour);
    let moves = behaviour.moves(state)?;
    let enabled = moves.iter().fold(0, |all, step| all | letters.enabled(&step.action));
    let may_end = behaviour.may_end(state)?;
    let end = if may_end || moves.is_empty() { letters.end(!may_end) } else { 0 };
    let word = Word { letters: vec![letters.state(state) | enabled | end], back: 0 };
    Ok(Ok(word.satisfies(&property.formula)))
}

fn is_about_states(formula: &Formula<u32>) -> bool {
    match formula {
        Formula::True | Formula::False | Formula::Atom(_) => true,
        Formula::Unary(operator, inner) => *operator == Unary::Not && is_about_states(inner),
        Formula::Binary(operator, left, right) => {
            let is_boolean = !matches!(
                operator,
                ltl::Binary::Until
                    | ltl::Binary::WeakUntil
                    | ltl::Binary::Release
                    | ltl::Binary::StrongRelease
            );
            is_boolean && is_about_states(left) && is_about_states(right)
        }
    }
}
