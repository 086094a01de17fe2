//! Predicates: macros over terms and formulas, and calls of those declared before.

use crate::features::Feature;
use crate::generator::{Generator, Items};
use crate::layout::{Item, tokens};
use crate::names::{self, Class, PREDICATE_PARAMETERS};
use crate::piece::Piece;
use crate::scope::{Place, Scope};
use crate::symbols::{Parameter, Predicate, Type};

impl Generator {
    pub(crate) fn predicates(&mut self, items: &mut Items) {
        if !self.has(Feature::Predicates) {
            return;
        }
        for _ in 0..self.rng.between(0, 2) {
            self.predicate(items);
        }
    }

    /// Declares a predicate. Its body may call earlier predicates, but not itself.
    fn predicate(&mut self, items: &mut Items) {
        let parameters: Vec<Parameter> = (0..self.rng.between(0, 3)).map(|_| self.parameter()).collect();
        let mut scope = Scope::new(Place::Predicate);
        let mut names: Vec<String> = Vec::new();
        for parameter in &parameters {
            let name = names::local(&mut self.rng, PREDICATE_PARAMETERS, names.iter().map(String::as_str));
            match parameter {
                Parameter::Term(ty) => scope.terms.push((name.clone(), *ty)),
                Parameter::Formula => scope.formulas.push(name.clone()),
            }
            names.push(name);
        }
        let body = self.formula(&scope, self.limits.depth);
        let fit_for_init = self.is_fit_for_init(&body.text);
        let name = self.name(Class::Predicate);
        items.push(Item::new(format!("predicate {name}({}) {{ {} }}", names.join(", "), body.text)));
        self.signature.predicates.push(Predicate { name, parameters, fit_for_init });
    }

    fn is_fit_for_init(&self, body: &str) -> bool {
        let symbols = self.signature.symbols.iter().filter(|symbol| symbol.ty == Type::Process);
        let predicates = self.signature.predicates.iter().filter(|predicate| !predicate.fit_for_init);
        let unfit: Vec<&str> =
            symbols.map(|s| s.name.as_str()).chain(predicates.map(|p| p.name.as_str())).collect();
        !tokens(body).iter().any(|(_, token)| unfit.contains(token))
    }

    fn parameter(&mut self) -> Parameter {
        if self.sometimes(Feature::FormulaArguments, 1, 3) {
            return Parameter::Formula;
        }
        let types: Vec<Type> = self.signature.symbols.iter().map(|symbol| symbol.ty).collect();
        let term = |ty: &&Type| !matches!(ty, Type::Primitive(_) | Type::Party | Type::Kind(_));
        let types: Vec<&Type> = types.iter().filter(term).collect();
        match self.rng.pick(&types) {
            Some(ty) if self.rng.chance(1, 2) => Parameter::Term(**ty),
            _ => Parameter::Term(Type::Process),
        }
    }

    /// A call with fitting arguments, if there are such for some predicate.
    pub(crate) fn call(&mut self, scope: &Scope) -> Option<String> {
        let fits = |predicate: &&Predicate| scope.place != Place::Init || predicate.fit_for_init;
        let predicates: Vec<&Predicate> = self.signature.predicates.iter().filter(fits).collect();
        let predicate = (*self.rng.pick(&predicates)?).clone();
        let mut arguments = Vec::new();
        for parameter in predicate.parameters {
            arguments.push(match parameter {
                // Parameters of sort `proc` are used as indices, so their arguments must be valid indices.
                Parameter::Term(Type::Process) => self.index(scope)?,
                Parameter::Term(ty) => self.term(ty, scope, 0)?,
                Parameter::Formula => self.formula_argument(scope).delimited(),
            });
        }
        Some(format!("{}({})", predicate.name, arguments.join(", ")))
    }

    /// A comparison, because a bare name could be a term or a formula, depending on the type of the parameter.
    fn formula_argument(&mut self, scope: &Scope) -> Piece {
        let left = self.comparison(scope).map_or_else(|| Piece::atom("true"), Piece::atom);
        if self.sometimes(Feature::Disjunction, 1, 3)
            && let Some(right) = self.comparison(scope).map(Piece::atom)
        {
            return Piece::or(vec![left, right]);
        }
        left
    }
}
