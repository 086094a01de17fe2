//! What a certificate is: a list of cubes that no reachable state matches.

use crate::auxiliary::{AuxiliaryVariable, Extended, extended};
use ir::{Formula, Model, Var};
use std::fmt;

/// An inductive invariant: no reachable state matches any of these cubes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Certificate {
    /// The cubes, over the model with the auxiliary variables.
    pub cubes: Vec<Cube>,
    /// Variables that the cubes mention and the model does not have.
    pub auxiliaries: Vec<AuxiliaryVariable>,
}

impl Certificate {
    /// The model that the cubes are about.
    pub fn extended<'m>(&self, model: &'m Model) -> Result<Extended<'m>, String> {
        extended(model, &self.auxiliaries)
    }
}

/// States in which *some* pairwise distinct processes satisfy a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cube {
    /// The variables that stand for the processes.
    pub params: Vec<Var>,
    /// The names of all variables that occur, by number.
    pub variables: Vec<String>,
    /// Usually a conjunction of literals, but any formula is accepted.
    pub formula: Formula,
}

impl Cube {
    /// The cube as it would stand in a model: `(i j) { A[i] = X && A[j] = X }`.
    pub fn display<'a>(&'a self, model: &'a Model) -> impl fmt::Display + 'a {
        Shown { cube: self, model }
    }

    /// The names of the parameters.
    pub(crate) fn param_names(&self) -> Vec<&str> {
        let name = |var: &Var| self.variables.get(var.index()).map_or("?", String::as_str);
        self.params.iter().map(name).collect()
    }
}

struct Shown<'a> {
    cube: &'a Cube,
    model: &'a Model,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.cube.params.is_empty() {
            write!(f, "({}) ", self.cube.param_names().join(" "))?;
        }
        write!(f, "{{ {} }}", self.cube.formula.display(self.model, &self.cube.variables))
    }
}
