//! Which parts of an item contradict each other, for warnings that can be acted on.

use super::{consistency::Looker, elaborate::Elaborator};
use crate::syntax::ast::{AstNode, Expr};
use ir::{Domain, Formula, SymbolId, Var};
use source::{Diagnostic, Span};

/// A conjunct of an item as it was written.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) formula: Formula,
    pub(super) at: Span,
    /// The text, if it is short enough to be repeated in a message.
    text: Option<String>,
}

/// Longer texts are pointed at only.
const LONGEST_QUOTE: usize = 40;
/// Of more parts than this no few are singled out: that would take a look at all of them for each.
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

impl Elaborator<'_> {
    /// A formula as the list of its conjuncts.
    pub(super) fn parts(&mut self, expr: &Expr) -> Vec<Part> {
        match expr {
            Expr::AndExpr(and) => and.operands().flat_map(|operand| self.parts(&operand)).collect(),
            Expr::ParenExpr(paren) => match paren.inner() {
                Some(inner @ Expr::AndExpr(_)) => self.parts(&inner),
                _ => vec![Part::new(self.formula(expr), expr)],
            },
            _ => vec![Part::new(self.formula(expr), expr)],
        }
    }
}

/// The conjunction of parts.
pub(super) fn all<'p>(parts: impl IntoIterator<Item = &'p Part>) -> Formula {
    Formula::and(parts.into_iter().map(|part| part.formula.clone()))
}

/// Parts that have no common solution, none of which can be left out. None if all of them may have one.
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

/// An item whose variables stand for some processes: `unsafe` and its like, and guards.
pub(super) struct Existential<'a> {
    pub(super) looker: Looker<'a>,
    pub(super) parts: &'a [Part],
    /// What is known besides: the kinds of parameters.
    pub(super) given: Formula,
    /// The parameters: they stand for different processes.
    pub(super) params: &'a [Var],
}

impl Existential<'_> {
    fn holds_together(&self, looker: Looker<'_>, params: &[Var], parts: &[&Part]) -> bool {
        let formula = Formula::and([self.given.clone(), all(parts.iter().copied())]);
        looker.satisfiable(&formula, params)
    }

    /// A warning that shows what contradicts what, and what follows from that; none if nothing does for certain.
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

/// Says which values the variables have that occur in a contradiction.
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
