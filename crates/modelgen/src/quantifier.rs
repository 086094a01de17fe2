//! Quantifiers: over all processes, over the others, over pairs.

use crate::features::Feature;
use crate::generator::Generator;
use crate::piece::Piece;
use crate::scope::{Place, Scope};

impl Generator {
    /// Whether a quantifier may occur here: always as a top-level conjunct of a guard, deeper on request.
    pub(crate) fn may_quantify(&self, scope: &Scope, top: bool) -> bool {
        let some =
            [Feature::ForallOther, Feature::ExistsOther, Feature::Quantifiers].iter().any(|&f| self.has(f));
        // There are finitely many names for process variables, and three nested quantifiers are enough.
        let room = scope.quantifiers < 3 && scope.variables.len() < 8;
        let place = top && scope.place == Place::Guard || scope.place == Place::Temporal;
        some && room
            && (place || self.has(Feature::NestedQuantifiers))
            && !matches!(scope.place, Place::Init | Place::Assumption)
    }

    /// A quantified formula, if the switches allow one here.
    pub(crate) fn quantified(&mut self, scope: &Scope, depth: usize) -> Option<Piece> {
        let mut inner = scope.clone();
        inner.quantifiers += 1;
        let (head, body);
        if self.sometimes(Feature::PairQuantifiers, 1, 4) {
            let word = self.rng.one_of(&["forall", "exists"]);
            let first = inner.bind(None, &mut self.rng);
            let second = inner.bind(None, &mut self.rng);
            head = format!("{word} {first} <> {second}");
            body = self.about_pair(&inner, [&first, &second], depth);
        } else {
            let word = self.quantifier_word(scope)?;
            let variable = inner.bind(None, &mut self.rng);
            head = format!("{word} {variable}");
            body = self.about(&inner, &variable, depth);
        }
        Some(Piece::quantified(&head, &body))
    }

    fn quantifier_word(&mut self, scope: &Scope) -> Option<&'static str> {
        // In a predicate or a temporal atom, the processes that `_other` excludes depend on the context.
        let has_parameters = !matches!(scope.place, Place::Predicate | Place::Temporal);
        let words = [
            (has_parameters && self.has(Feature::ForallOther), "forall_other"),
            (has_parameters && self.has(Feature::ExistsOther), "exists_other"),
            (self.has(Feature::Quantifiers), "forall"),
            (self.has(Feature::Quantifiers), "exists"),
        ];
        self.rng.weighted(&words.map(|(on, word)| (usize::from(on), word)))
    }

    /// A body that mentions the bound variable if possible.
    fn about(&mut self, scope: &Scope, variable: &str, depth: usize) -> Piece {
        let mut parts = vec![self.atom_about(scope, variable)];
        if depth > 0 && self.rng.chance(1, 2) {
            parts.push(self.formula(scope, depth - 1));
        }
        if self.sometimes(Feature::Disjunction, 1, 2) { Piece::or(parts) } else { Piece::and(parts) }
    }

    fn about_pair(&mut self, scope: &Scope, pair: [&str; 2], depth: usize) -> Piece {
        let parts = pair.map(|variable| self.atom_about(scope, variable)).to_vec();
        if depth > 0 && self.has(Feature::NestedQuantifiers) && self.rng.chance(1, 4) {
            return Piece::and(vec![Piece::and(parts), self.formula(scope, depth - 1)]);
        }
        if self.sometimes(Feature::Disjunction, 1, 2) { Piece::or(parts) } else { Piece::and(parts) }
    }

    /// An atom in which the variable occurs, found by trial; a disequation with another process if no cell can be
    /// read.
    pub(crate) fn atom_about(&mut self, scope: &Scope, variable: &str) -> Piece {
        for _ in 0..6 {
            let atom = self.atom(scope);
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if atom.text.split(|c| !is_name(c)).any(|word| word == variable) {
                return atom;
            }
        }
        let others: Vec<String> =
            scope.variables.iter().map(|v| v.name.clone()).filter(|name| name != variable).collect();
        match self.rng.pick(&others) {
            Some(other) => Piece::atom(format!("{variable} <> {other}")),
            None => Piece::atom("true"),
        }
    }
}
