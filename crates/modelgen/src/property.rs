//! Properties of states: `unsafe`, `invariant`, `final`, and assumptions about the instance.

use crate::features::Feature;
use crate::generator::{Generator, Items};
use crate::layout::Item;
use crate::names::Class;
use crate::piece::Piece;
use crate::scope::{Place, Scope};
use crate::symbols::Fate;

impl Generator {
    pub(crate) fn properties(&mut self, items: &mut Items) {
        let unsafes = if self.has(Feature::SeveralProperties) { self.rng.between(1, 3) } else { 1 };
        let invariants = if self.has(Feature::Invariants) { self.rng.below(3) } else { 0 };
        for (word, number) in [("unsafe", unsafes), ("invariant", invariants)] {
            for _ in 0..number {
                let item = self.property(word);
                items.push(Item::new(item));
            }
        }
    }

    fn property(&mut self, word: &str) -> String {
        let mut scope = Scope::new(Place::Property);
        for _ in 0..self.rng.one_of(&[0, 1, 1, 2, 2, 2, 3]) {
            let kind = if self.has(Feature::KindedProperties) { self.kind() } else { None };
            scope.bind(kind, &mut self.rng);
        }
        let variables: Vec<String> = scope.variables.iter().map(|v| v.name.clone()).collect();
        let mut parts: Vec<Piece> = variables.iter().map(|name| self.atom_about(&scope, name)).collect();
        if parts.is_empty() || self.rng.chance(1, 3) {
            parts.push(self.formula(&scope, self.limits.depth));
        }
        let name = self.property_name();
        format!("{word}{name}{} {{ {} }}", self.parameters(&scope), Piece::and(parts).text)
    }

    /// `final` items.
    pub(crate) fn finals(&mut self, items: &mut Items) {
        if self.sometimes(Feature::Finals, 2, 3) {
            for _ in 0..self.rng.between(1, 2) {
                // In a weak model every read needs a reader, as in other properties.
                let place = if self.has(Feature::Weak) { Place::Property } else { Place::Temporal };
                let formula = self.closed_formula(place).text;
                items.push(Item::new(format!("final {{ {formula} }}")));
            }
        }
    }

    fn property_name(&mut self) -> String {
        if self.sometimes(Feature::NamedProperties, 1, 2) {
            return format!(" {}", self.name(Class::Property));
        }
        String::new()
    }

    /// A kind for a parameter, if the model has kinds.
    pub(crate) fn kind(&mut self) -> Option<usize> {
        let kinds = self.signature.kinds.len();
        (kinds > 0 && self.rng.chance(1, 2)).then(|| self.rng.below(kinds))
    }

    /// The parameters of a property; empty if there are none.
    fn parameters(&self, scope: &Scope) -> String {
        let parameters: Vec<String> = scope.variables.iter().map(|v| self.parameter_text(v)).collect();
        if parameters.is_empty() { String::new() } else { format!(" ({})", parameters.join(" ")) }
    }

    /// Assumptions, which mention only symbols that are neither assigned nor named in `init`.
    pub(crate) fn assumptions(&mut self, items: &mut Items) {
        let given = self.signature.symbols.iter().find(|symbol| symbol.fate == Fate::Given);
        let Some(arity) = given.map(|symbol| symbol.arity) else { return };
        for (feature, word) in [(Feature::Assumes, "assume"), (Feature::Assumptions, "invariant")] {
            if self.sometimes(feature, 2, 3) {
                let item = self.assumption(word, arity);
                items.push(Item::new(item));
            }
        }
    }

    fn assumption(&mut self, word: &str, arity: usize) -> String {
        let mut scope = Scope::new(Place::Assumption);
        for _ in 0..self.rng.between(arity, 2) {
            scope.bind(None, &mut self.rng);
        }
        let parts = (0..self.rng.between(1, 2)).map(|_| self.atom(&scope)).collect();
        let name = self.property_name();
        format!("{word}{name}{} {{ {} }}", self.parameters(&scope), Piece::and(parts).text)
    }
}
