//! Places for `fence()` in the text of a model: where one can be added, and where one can be left out.

use crate::syntax::{
    ast::{self, AstNode, Expr, Item},
    parse_file,
};
use ir::{Formula, Model, RuleId};
use source::{Source, Span};

/// A transition whose guard can get or lose a fence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FencePlace {
    /// The transition, by its position in the model.
    pub rule: RuleId,
    /// The name of the transition.
    pub name: String,
    /// Its name in the text.
    pub at: Span,
    /// The changes of the text, which do not overlap.
    edits: Vec<(Span, String)>,
}

/// The transitions whose guard does not wait for the store buffer yet.
pub fn without_fence(source: &Source, model: &Model) -> Vec<FencePlace> {
    places(source, model, |transition, rule| {
        let fenced = is_fenced(model, rule);
        (!fenced).then(|| added(transition)).flatten()
    })
}

/// The transitions whose guard waits for the store buffer.
pub fn with_fence(source: &Source, model: &Model) -> Vec<FencePlace> {
    places(source, model, |transition, rule| {
        let fenced = is_fenced(model, rule);
        fenced.then(|| removed(transition)).flatten()
    })
}

/// The text with the changes of some places.
pub fn changed<'p>(source: &Source, places: impl IntoIterator<Item = &'p FencePlace>) -> String {
    let mut edits: Vec<&(Span, String)> = places.into_iter().flat_map(|place| &place.edits).collect();
    edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start()));
    let mut text = source.text().to_owned();
    for (span, new) in edits {
        text.replace_range(usize::from(span.start())..usize::from(span.end()), new);
    }
    text
}

fn places(
    source: &Source,
    model: &Model,
    edits: impl Fn(&ast::Transition, RuleId) -> Option<Vec<(Span, String)>>,
) -> Vec<FencePlace> {
    let file = parse_file(source.text()).file();
    let mut found = Vec::new();
    for item in file.items() {
        let Item::Transition(transition) = item else { continue };
        let Some(name) = transition.name() else { continue };
        let at = name.span();
        let Some(rule) = model.rules.iter().position(|rule| rule.at.0 == at) else { continue };
        let rule = RuleId::from_index(rule);
        if let Some(edits) = edits(&transition, rule) {
            found.push(FencePlace { rule, name: name.text(), at, edits });
        }
    }
    found
}

fn is_fenced(model: &Model, rule: RuleId) -> bool {
    let mut of_rule = model.transitions.iter().filter(|transition| transition.rule == rule);
    of_rule.all(|transition| transition.guard.conjuncts().contains(&Formula::Fence))
}

/// A fence as the first conjunct of the guard: at its end, it could be under a quantifier.
fn added(transition: &ast::Transition) -> Option<Vec<(Span, String)>> {
    let Some(guard) = guard(transition) else {
        let end = transition.params()?.syntax().text_range().end();
        return Some(vec![(Span::empty(end), "\nrequires { fence() }".into())]);
    };
    let span = guard.span();
    let before = (Span::empty(span.start()), "fence() && ");
    Some(match guard {
        Expr::OrExpr(_) | Expr::ImpliesExpr(_) | Expr::IffExpr(_) | Expr::IfExpr(_) => {
            vec![(before.0, "fence() && (".into()), (Span::empty(span.end()), ")".into())]
        }
        _ => vec![(before.0, before.1.into())],
    })
}

/// Removes the fences among the conjuncts of the guard.
fn removed(transition: &ast::Transition) -> Option<Vec<(Span, String)>> {
    let guard = guard(transition)?;
    if is_fence(&guard) {
        return Some(vec![(guard.span(), "True = True".into())]);
    }
    let Expr::AndExpr(conjunction) = &guard else { return None };
    let operands: Vec<Expr> = conjunction.operands().collect();
    let mut edits = Vec::new();
    for (at, operand) in operands.iter().enumerate().filter(|(_, operand)| is_fence(operand)) {
        // With the operator before it; the first one with the operator after it.
        let (start, end) = if at == 0 {
            (operand.span().start(), operands.get(1)?.span().start())
        } else {
            (operands[at - 1].span().end(), operand.span().end())
        };
        edits.push((Span::new(start, end), String::new()));
    }
    (!edits.is_empty()).then_some(edits)
}

fn guard(transition: &ast::Transition) -> Option<Expr> {
    transition.requires()?.block()?.formula()
}

fn is_fence(expression: &Expr) -> bool {
    matches!(expression, Expr::CallExpr(call) if call.name().is_some_and(|name| name.text() == "fence"))
}
