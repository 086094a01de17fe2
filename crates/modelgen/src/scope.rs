//! The scope of a term or formula: the part of the model that it belongs to, and the visible variables and names.

use crate::names::{self, LET_NAMES, PROCESS_VARIABLES};
use crate::rng::Rng;
use crate::symbols::Type;

/// The part of the model that is being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Init,
    /// `requires`
    Guard,
    /// Conditions and right-hand sides of a transition.
    Body,
    /// `unsafe` and `invariant`
    Property,
    /// `assume`, and invariants that are assumptions.
    Assumption,
    /// The body of a predicate.
    Predicate,
    /// A quoted atom of `ltl`, and `final`: no parameters.
    Temporal,
}

/// Which accesses to weak symbols a transition may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instruction {
    /// Reads and writes: usually an atomic read-modify-write.
    Any,
    Load,
    Store,
}

/// A process variable in scope.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) kind: Option<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub(crate) place: Place,
    pub(crate) variables: Vec<Variable>,
    /// The actor of the transition, by name.
    pub(crate) actor: Option<String>,
    pub(crate) instruction: Instruction,
    /// Names that stand for a term: those of `let`, and the parameters of a predicate.
    pub(crate) terms: Vec<(String, Type)>,
    /// Parameters of a predicate that stand for a formula.
    pub(crate) formulas: Vec<String>,
    /// The number of quantifiers around the current point.
    pub(crate) quantifiers: usize,
}

impl Scope {
    pub(crate) fn new(place: Place) -> Self {
        Self {
            place,
            variables: Vec::new(),
            actor: None,
            instruction: Instruction::Any,
            terms: Vec::new(),
            formulas: Vec::new(),
            quantifiers: 0,
        }
    }

    /// The same scope in another part of the item, such as the body of a transition instead of its guard.
    pub(crate) fn at(&self, place: Place) -> Self {
        Self { place, ..self.clone() }
    }

    pub(crate) fn in_transition(&self) -> bool {
        matches!(self.place, Place::Guard | Place::Body)
    }

    /// Binds a new process variable and returns its name.
    pub(crate) fn bind(&mut self, kind: Option<usize>, rng: &mut Rng) -> String {
        let name = names::local(rng, PROCESS_VARIABLES, self.variables.iter().map(|v| v.name.as_str()));
        self.variables.push(Variable { name: name.clone(), kind });
        name
    }

    /// Binds a name of `let` and returns it.
    pub(crate) fn bind_let(&mut self, ty: Type, rng: &mut Rng) -> String {
        let name = names::local(rng, LET_NAMES, self.terms.iter().map(|(name, _)| name.as_str()));
        self.terms.push((name.clone(), ty));
        name
    }
}
