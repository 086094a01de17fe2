//! What a certificate is: a list of cubes that no reachable state matches.

use crate::auxiliary::{AuxiliaryVariable, Extended, extended};
use crate::counters::{self, Counter};
use ir::{Formula, Model, SymbolId, Var};
use std::borrow::Cow;
use std::fmt;

/// An inductive invariant: no reachable state matches any of these cubes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Certificate {
    /// The cubes, over the model with the auxiliary variables.
    pub cubes: Vec<Cube>,
    /// Variables that the cubes mention and the model does not have.
    pub auxiliaries: Vec<AuxiliaryVariable>,
    /// Numbers of processes that the cubes mention and the model does not have.
    pub counters: Vec<Counter>,
}

impl Certificate {
    /// The model that the cubes are about.
    pub fn extended<'m>(&self, model: &'m Model) -> Result<Extended<'m>, String> {
        let mut all = extended(model, &self.auxiliaries)?;
        for counter in &self.counters {
            let next = counters::extend(&all.model, counter, &mut all.lifts)?;
            all.model = Cow::Owned(next);
        }
        let counted: Vec<(SymbolId, &Counter)> = self.counted(&all.model).collect();
        all.never = counters::promises(&all.model, &counted);
        Ok(all)
    }

    /// The counters with their symbols in the extended model.
    pub(crate) fn counted<'c>(
        &'c self,
        extended: &Model,
    ) -> impl Iterator<Item = (SymbolId, &'c Counter)> + use<'c> {
        let first = extended.symbols.len() - self.counters.len();
        self.counters.iter().enumerate().map(move |(at, counter)| (SymbolId::from_index(first + at), counter))
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
