//! Predicates, which are substituted where they are used.

use super::{
    elaborate::{Elaborator, Phrase},
    environment::PredicateInfo,
    expansion::Expansion,
    messages::{Checked, count},
    scope::{Binding, Entry},
};
use source::{Diagnostic, Span};

/// Substitutes a predicate. The arguments are already elaborated, so none of the caller's variables can be captured.
pub(super) fn expand(
    elaborator: &mut Elaborator<'_>,
    name: &str,
    arguments: Vec<Phrase>,
    at: Span,
) -> Phrase {
    let Some(predicate) = elaborator.env.predicates.get(name) else { return Phrase::Unknown };
    predicate.used.set(true);
    if predicate.too_large.get() {
        return Phrase::Unknown;
    }
    let use_of = Use { name, predicate, at };
    let expandable = use_of.check(arguments.len(), &elaborator.expansion);
    let (Some(()), Some(body)) = (elaborator.out.accept(expandable), predicate.body.clone()) else {
        return Phrase::Unknown;
    };
    let bound = predicate.params.iter().zip(arguments);
    let entry = |(param, argument): (&String, Phrase)| {
        Entry::new(param.clone(), Binding::Phrase(argument), predicate.at).optional()
    };
    let caller = elaborator.scope.replace(bound.map(entry).collect());
    elaborator.expansion.predicates.push(name.to_owned());
    let mark = elaborator.out.mark();
    let formula = elaborator.formula(&body);
    elaborator.out.also_since(mark, at, &format!("in this use of `{name}`"));
    elaborator.expansion.predicates.pop();
    elaborator.scope.replace(caller);
    Phrase::Formula(formula)
}

/// A use of a predicate.
struct Use<'p> {
    name: &'p str,
    predicate: &'p PredicateInfo,
    at: Span,
}

impl Use<'_> {
    /// Checks that it does not use itself, and has as many arguments as parameters.
    fn check(&self, found: usize, expansion: &Expansion) -> Checked<()> {
        let Use { name, predicate, at } = *self;
        if expansion.predicates.iter().any(|outer| outer == name) {
            let message = format!("the predicate `{name}` uses itself");
            let error = Diagnostic::error("recursive-predicate", at, message);
            return Err(error.label("here it comes round again").also(predicate.at, "declared here").into());
        }
        if predicate.params.len() == found {
            return Ok(());
        }
        let takes = count(predicate.params.len(), "argument", "arguments");
        let message = format!("the predicate `{name}` takes {takes}, found {found}");
        Err(Diagnostic::error("wrong-arguments", at, message).also(predicate.at, "declared here").into())
    }
}
