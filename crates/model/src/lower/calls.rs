//! Everything with the syntax of a call: predicates, `fence()`, `count`, and the state of locks.

use super::{
    context::Context,
    counts,
    elaborate::{Elaborator, Phrase},
    environment::Environment,
    locks, predicates,
    threads::Operation,
};
use crate::syntax::{
    LEFTOVERS,
    ast::{self, AstNode, Expr},
};
use ir::Formula;
use source::{Diagnostic, Span, nearest};

const BUILT_IN: &[&str] = &["count", "fence", "free", "owner", "waiting", "sleeping", "active"];

/// A call: its name, its arguments, and where it is.
pub(super) struct Call {
    pub(super) word: String,
    pub(super) arguments: Vec<Expr>,
    pub(super) at: Span,
}

/// The meaning of a call. Predicates take precedence over built-in names.
pub(super) fn call(elaborator: &mut Elaborator<'_>, call: &ast::CallExpr) -> Phrase {
    let Some(name) = call.name() else { return Phrase::Unknown };
    let arguments: Vec<Expr> = call.arguments().into_iter().flat_map(|list| list.arguments()).collect();
    let call = Call { word: name.text(), arguments, at: call.span() };
    if elaborator.env.predicates.contains_key(&call.word) {
        let arguments = call.phrases(elaborator);
        return predicates::expand(elaborator, &call.word, arguments, call.at);
    }
    match call.word.as_str() {
        "count" => counts::count(elaborator, &call),
        "fence" => call.fence(elaborator),
        "active" => locks::active(elaborator, &call),
        "free" | "owner" | "waiting" | "sleeping" => locks::state(elaborator, &call),
        _ => {
            let full = elaborator.out.is_full();
            elaborator.out.extend(call.unknown_predicate(elaborator.env, name.span(), full));
            // Errors in the arguments are reported nevertheless.
            call.phrases(elaborator);
            Phrase::Unknown
        }
    }
}

impl Call {
    fn phrases(&self, elaborator: &mut Elaborator<'_>) -> Vec<Phrase> {
        self.arguments.iter().map(|argument| elaborator.phrase(argument)).collect()
    }

    /// Without the search for a similar name if the list of messages is full.
    fn unknown_predicate(&self, env: &Environment, at: Span, full: bool) -> Option<Diagnostic> {
        let word = self.word.as_str();
        if LEFTOVERS.contains(&word) {
            return None;
        }
        let diagnostic = Diagnostic::error("unknown-predicate", at, format!("unknown predicate `{word}`"));
        if Operation::ALL.iter().any(|(operation, _)| *operation == word) {
            return Some(
                diagnostic.label("a statement, not a formula").help(format!(
                    "`{word}` belongs in the body of the transition, after `requires {{ … }}`"
                )),
            );
        }
        let known = env.predicates.keys().map(String::as_str).chain(BUILT_IN.iter().copied());
        let candidate = if full { None } else { nearest(word, known) };
        Some(diagnostic.label("not declared").did_you_mean(candidate))
    }

    /// The error that the arguments are not those of `usage`.
    pub(super) fn wrong_arguments(&self, usage: &str) -> Diagnostic {
        let message = format!("`{}` is written `{usage}`", self.word);
        Diagnostic::error("wrong-arguments", self.at, message)
    }

    /// `fence()`: waits for the actor's store buffer to be empty.
    fn fence(&self, elaborator: &mut Elaborator<'_>) -> Phrase {
        if !self.arguments.is_empty() {
            elaborator.out.push(self.wrong_arguments("fence()"));
            return Phrase::Unknown;
        }
        let (context, weak) = (elaborator.context, elaborator.env.weak);
        let diagnostic = Diagnostic::error("misplaced-fence", self.at, "`fence()` has no meaning here");
        if !matches!(context, Context::Guard | Context::Predicate) {
            elaborator.out.push(diagnostic.label("only under `requires`"));
        } else if !weak && context == Context::Guard {
            let label = "no symbol of this model is `weak`, so nothing is ever buffered";
            elaborator.out.push(diagnostic.label(label));
        }
        Phrase::Formula(Formula::Fence)
    }
}
