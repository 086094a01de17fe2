//! Names in scope: parameters, bound variables, `let`, and the arguments of predicates.

use super::{
    elaborate::{Binding, Elaborator, Entry, Phrase, count},
    environment::{PredicateInfo, duplicate},
    types::Type,
};
use crate::syntax::{
    SyntaxKind,
    ast::{self, AstNode},
};
use ir::{Formula, Quantifier, Var};
use source::{Diagnostic, Span};

impl Elaborator<'_> {
    /// Brings a variable into scope.
    pub(super) fn bind(&mut self, name: &ast::Name, ty: Type) -> Var {
        let var = self.variables.enter(&name.text());
        self.push(name, Binding::Var(var, ty));
        var
    }

    pub(super) fn push(&mut self, name: &ast::Name, binding: Binding) {
        if name.text().is_empty() {
            return;
        }
        self.warn_if_shadowing(name);
        self.scope.push(Entry::new(name.text(), binding, name.span()));
    }

    fn warn_if_shadowing(&mut self, name: &ast::Name) {
        let text = name.text();
        if let Some(outer) = self.scope.iter().find(|entry| entry.name == text) {
            self.out.push(
                Diagnostic::warning("shadowed-variable", name.span(), format!("this `{text}` hides another"))
                    .also(outer.at, "the one that is hidden"),
            );
        }
    }

    /// Drops names from the scope and warns about those that were never used.
    pub(super) fn leave_scope(&mut self, length: usize) {
        for entry in self.scope.split_off(length) {
            if let Binding::Var(var, _) = entry.binding {
                self.variables.leave(var);
            }
            if !entry.used && self.sound() {
                let what =
                    if matches!(entry.binding, Binding::Var(..)) { "process variable" } else { "name" };
                self.out.push(Diagnostic::warning(
                    "unused-parameter",
                    entry.at,
                    format!("the {what} `{}` is never used", entry.name),
                ));
            }
        }
    }

    pub(super) fn quantified(&mut self, expr: &ast::QuantifiedExpr) -> Formula {
        let Some(word) = expr.quantifier() else { return Formula::True };
        let names: Vec<ast::Name> = expr.variables().into_iter().flat_map(|vars| vars.names()).collect();
        self.report_duplicates(&names);
        let outer = self.scope.len();
        let variables: Vec<Var> = names.iter().map(|name| self.bind(name, Type::Proc(None))).collect();
        let body = expr.body().map_or(Formula::True, |body| self.formula(&body));
        self.leave_scope(outer);
        let (quantifier, other) = match word.kind() {
            SyntaxKind::ForallKw => (Quantifier::Forall, false),
            SyntaxKind::ExistsKw => (Quantifier::Exists, false),
            SyntaxKind::ForallOtherKw => (Quantifier::Forall, true),
            _ => (Quantifier::Exists, true),
        };
        let apart_from = if other { self.use_params() } else { vec![] };
        Formula::quantified(quantifier, variables, apart_from, body)
    }

    /// The parameters, all of which count as used by `_other` quantifiers.
    fn use_params(&mut self) -> Vec<Var> {
        let params = &self.params;
        let is_param = |entry: &Entry| matches!(entry.binding, Binding::Var(var, _) if params.contains(&var));
        self.scope.iter_mut().filter(|entry| is_param(entry)).for_each(|entry| entry.used = true);
        params.clone()
    }

    fn report_duplicates(&mut self, names: &[ast::Name]) {
        for (at, name) in names.iter().enumerate() {
            if let Some(first) = names[..at].iter().find(|first| first.text() == name.text()) {
                self.out.push(duplicate(&name.text(), "variable", name.span(), first.span()));
            }
        }
    }

    /// Substitutes a predicate. The arguments are already elaborated, so none of the caller's variables can be
    /// captured.
    pub(super) fn expand_predicate(&mut self, name: &str, arguments: Vec<Phrase>, at: Span) -> Phrase {
        let Some(predicate) = self.env.predicates.get(name) else { return Phrase::Unknown };
        predicate.used.set(true);
        if predicate.too_large.get() || !self.may_expand(name, predicate, arguments.len(), at) {
            return Phrase::Unknown;
        }
        let Some(body) = predicate.body.clone() else { return Phrase::Unknown };
        let bound = predicate.params.iter().zip(arguments);
        let entry = |(param, argument): (&String, Phrase)| {
            Entry::new(param.clone(), Binding::Phrase(argument), predicate.at).optional()
        };
        let caller = std::mem::replace(&mut self.scope, bound.map(entry).collect());
        self.expansion.predicates.push(name.to_owned());
        let messages = self.out.count();
        let formula = self.formula(&body);
        self.out.also_since(messages, at, &format!("in this use of `{name}`"));
        self.expansion.predicates.pop();
        self.scope = caller;
        Phrase::Formula(formula)
    }

    fn may_expand(&mut self, name: &str, predicate: &PredicateInfo, found: usize, at: Span) -> bool {
        if self.expansion.predicates.iter().any(|outer| outer == name) {
            self.out.push(
                Diagnostic::error("recursive-predicate", at, format!("the predicate `{name}` uses itself"))
                    .label("here it comes round again")
                    .also(predicate.at, "declared here"),
            );
            return false;
        }
        let fits = predicate.params.len() == found;
        if !fits {
            let takes = count(predicate.params.len(), "argument", "arguments");
            let message = format!("the predicate `{name}` takes {takes}, found {found}");
            self.out
                .push(Diagnostic::error("wrong-arguments", at, message).also(predicate.at, "declared here"));
        }
        fits
    }
}
