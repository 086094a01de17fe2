//! Finds the parts of an item that contradict each other, for precise warnings.

use super::{consistency::Looker, elaborate::Elaborator};
use crate::syntax::ast::{AstNode, Expr};
use ir::{Domain, Formula, SymbolId, Var};
use source::{Diagnostic, Span};

/// A conjunct of an item as it was written.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) formula: Formula,
    pub(super) at: Span,
    /// The text, if it is short enough to be quoted in a message.
    text: Option<String>,
}

/// The largest length of text to quote; longer texts are only pointed at.
const LONGEST_QUOTE: usize = 40;
/// With more parts than this no minimal conflict is computed, since that takes quadratic time.
const MOST_PARTS: usize = 128;

impl Part {
    fn new(formula: Formula, expr: &Expr) -> Part {
        let text = expr.syntax().text().to_string();
        let quotable = text.len() <= LONGEST_QUOTE && !text.contains('\n');
        Part { formula, at: expr.span(), text: quotable.then_some(text) }
    }
}

impl Part {
    /// An item as a whole.
    pub(super) fn whole(formula: Formula, at: Span) -> Part {
        Part { formula, at, text: None }
    }
}

/// A formula as the list of its conjuncts.
pub(super) fn parts(elaborator: &mut Elaborator<'_>, expr: &Expr) -> Vec<Part> {
    match expr {
        Expr::AndExpr(and) => and.operands().flat_map(|operand| parts(elaborator, &operand)).collect(),
        Expr::ParenExpr(paren) => match paren.inner() {
            Some(inner @ Expr::AndExpr(_)) => parts(elaborator, &inner),
            _ => vec![Part::new(elaborator.formula(expr), expr)],
        },
        _ => vec![Part::new(elaborator.formula(expr), expr)],
    }
}

/// The conjunction of parts.
pub(super) fn all<'p>(parts: impl IntoIterator<Item = &'p Part>) -> Formula {
    Formula::and(parts.into_iter().map(|part| part.formula.clone()))
}

/// A set of parts that contradict each other, minimal unless there are more than [`MOST_PARTS`]. `None` if all parts
/// may hold together.
pub(super) fn core<'p>(
    parts: &'p [Part],
    satisfiable: &dyn Fn(&[&'p Part]) -> bool,
) -> Option<Vec<&'p Part>> {
    let mut kept: Vec<&Part> = parts.iter().collect();
    if satisfiable(&kept) {
        return None;
    }
    let mut at = 0;
    while at < kept.len() && parts.len() <= MOST_PARTS {
        let part = kept.remove(at);
        if satisfiable(&kept) {
            kept.insert(at, part);
            at += 1;
        }
    }
    Some(kept)
}

/// An item whose parameters are existential: guards, `unsafe`, and similar properties.
pub(super) struct Existential<'a> {
    pub(super) looker: Looker<'a>,
    pub(super) parts: &'a [Part],
    /// Additional knowledge: the kinds of parameters.
    pub(super) given: Formula,
    /// The parameters, which are distinct processes.
    pub(super) params: &'a [Var],
}

impl Existential<'_> {
    fn holds_together(&self, looker: Looker<'_>, params: &[Var], parts: &[&Part]) -> bool {
        let formula = Formula::and([self.given.clone(), all(parts.iter().copied())]);
        looker.satisfiable(&formula, params)
    }

    /// A warning that shows the contradiction and its consequence; `None` if there is no certain contradiction.
    pub(super) fn warning(
        &self,
        warn: impl FnOnce(Span) -> Diagnostic,
        consequence: Option<&str>,
    ) -> Option<Diagnostic> {
        let core = core(self.parts, &|parts| self.holds_together(self.looker, self.params, parts))?;
        if core.is_empty() {
            return None;
        }
        let mut diagnostic = point_at(&core, warn);
        if self.holds_together(self.looker, &[], &core) {
            diagnostic = diagnostic.help("its parameters stand for different processes");
        } else if self.holds_together(self.looker.without_ranges(), self.params, &core) {
            diagnostic = explain_ranges(self.looker, diagnostic, &core);
        }
        Some(consequence.into_iter().fold(diagnostic, Diagnostic::help))
    }
}

/// Points at all parts of a contradiction, the last one first.
pub(super) fn point_at(core: &[&Part], warn: impl FnOnce(Span) -> Diagnostic) -> Diagnostic {
    let Some((last, others)) = core.split_last() else { return warn(Span::empty(0.into())) };
    let label = match others {
        [] => "this contradicts itself".to_owned(),
        [Part { text: Some(text), .. }] => format!("this contradicts `{text}`"),
        [_] => "this contradicts the other part that is marked".to_owned(),
        _ => "the parts that are marked contradict each other".to_owned(),
    };
    others.iter().fold(warn(last.at).label(label), |diagnostic, part| diagnostic.also(part.at, ""))
}

/// Adds to a message the ranges of the variables in a contradiction.
pub(super) fn explain_ranges(looker: Looker<'_>, mut diagnostic: Diagnostic, core: &[&Part]) -> Diagnostic {
    if let [_] = core {
        diagnostic = diagnostic.label("no value is like this");
    }
    let mut symbols: Vec<SymbolId> = Vec::new();
    for part in core {
        part.formula.each_term(&mut |term| symbols.extend(term.read_symbol()));
    }
    symbols.sort_unstable();
    symbols.dedup();
    for symbol in symbols.into_iter().map(|id| &looker.env.symbols[id.index()]) {
        if let Domain::Range(low, high) = symbol.domain {
            diagnostic = diagnostic.also(symbol.at.0, format!("its values are {low} to {high}"));
        }
    }
    diagnostic
}
