//! Formulas and terms: names resolved, types checked, sugar removed.

use super::{
    arithmetic, calls, comparisons,
    context::Context,
    environment::{Environment, SymbolInfo},
    expansion::{Expansion, TooLarge},
    memory::MemoryRules,
    messages::{Messages, duplicate, lock_as_value, number_too_large},
    names,
    params::Actor,
    places,
    scope::Scope,
    types::Type,
};
use crate::syntax::{
    SyntaxKind,
    ast::{self, AstNode, Expr},
};
use ir::{Extent, Formula, Linear, Number, Quantifier, Sort, SymbolId, Term, Var};
use source::{Diagnostic, Diagnostics, Span};

/// The result of elaborating an expression.
#[derive(Debug, Clone)]
pub(super) enum Phrase {
    Term(Term, Type),
    Formula(Formula),
    /// An error that has been reported, or a parameter of a predicate that is checked on its own.
    Unknown,
}

impl Phrase {
    /// Its number of terms and formulas, and its nesting depth.
    pub(super) fn extent(&self) -> Extent {
        match self {
            Phrase::Term(term, _) => term.extent(),
            Phrase::Formula(formula) => formula.extent(),
            Phrase::Unknown => Extent::default(),
        }
    }
}

/// What the text of an item mentions, even if simplification removes it.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    pub(super) symbols: Vec<SymbolId>,
    /// The largest `k` of a `#k` that occurs.
    pub(super) named_processes: u32,
    /// Whether a transition reads a weak symbol.
    pub(super) weak: bool,
}

/// Elaborates the formulas of one item: the recursion over expressions, and what it needs to know and collects. What a name, a
/// place, a call, a comparison or a sum means is in the file of that name.
pub(super) struct Elaborator<'a> {
    pub(super) env: &'a Environment,
    pub(super) out: Messages<'a>,
    pub(super) context: Context,
    pub(super) scope: Scope,
    /// The parameters of the item.
    pub(super) params: Vec<Var>,
    pub(super) actor: Actor,
    pub(super) mentions: Mentions,
    pub(super) expansion: Expansion,
}

impl<'a> Elaborator<'a> {
    pub(super) fn new(env: &'a Environment, out: &'a mut Diagnostics, context: Context) -> Elaborator<'a> {
        Elaborator {
            env,
            out: Messages::new(out, env.well_formed),
            context,
            scope: Scope::default(),
            params: vec![],
            actor: Actor::default(),
            mentions: Mentions::default(),
            expansion: Expansion::default(),
        }
    }

    /// A formula.
    pub(super) fn formula(&mut self, expr: &Expr) -> Formula {
        match self.phrase(expr) {
            Phrase::Formula(formula) => formula,
            Phrase::Term(term, Type::BOOL) => Formula::eq(term, Term::boolean(true)),
            Phrase::Term(_, Type::Lock(kind)) => {
                self.out.push(lock_as_value(kind, expr.span()));
                Formula::True
            }
            Phrase::Term(_, ty) => {
                let found = ty.describe(self.env);
                self.out.push(
                    Diagnostic::error("expected-formula", expr.span(), "expected a formula, found a term")
                        .label(format!("a term of type {found}"))
                        .help("compare it with something, as in `X = A` or `X < 3`"),
                );
                Formula::True
            }
            Phrase::Unknown => Formula::True,
        }
    }

    /// A term with its type; `None` if it has an error.
    pub(super) fn term(&mut self, expr: &Expr) -> Option<(Term, Type)> {
        match self.phrase(expr) {
            Phrase::Term(term, ty) => Some((term, ty)),
            Phrase::Formula(formula) => {
                let diagnostic =
                    Diagnostic::error("expected-term", expr.span(), "expected a term, found a formula")
                        .label("true or false, but no value");
                let literal = matches!(expr, Expr::Literal(_));
                self.out.push(match formula {
                    Formula::True if literal => diagnostic.fix(expr.span(), "True", "the value of type `bool` is written"),
                    Formula::False if literal => diagnostic.fix(expr.span(), "False", "the value of type `bool` is written"),
                    _ => diagnostic.help("a value that depends on a condition is written `case | condition : True | _ : False`"),
                });
                None
            }
            Phrase::Unknown => None,
        }
    }

    /// A term of sort `proc`.
    pub(super) fn process(&mut self, expr: &Expr) -> Option<Term> {
        let (term, ty) = self.term(expr)?;
        if ty.sort() == Sort::Proc && !matches!(ty, Type::Lock(_)) {
            return Some(term);
        }
        let found = ty.describe(self.env);
        self.out.push(
            Diagnostic::error("expected-process", expr.span(), format!("expected a process, found {found}"))
                .label("not a process"),
        );
        None
    }

    /// A term or a formula, whichever it is.
    pub(super) fn phrase(&mut self, expr: &Expr) -> Phrase {
        if self.expansion.gave_up {
            return Phrase::Unknown;
        }
        if let Err(TooLarge) = self.expansion.enter() {
            self.give_up(expr.span());
            return Phrase::Unknown;
        }
        let phrase = self.phrase_inner(expr);
        self.expansion.leave();
        phrase
    }

    /// Reports that the item has grown too large; the rest of it is skipped.
    pub(super) fn give_up(&mut self, at: Span) {
        self.expansion.gave_up = true;
        for predicate in self.expansion.predicates.iter().filter_map(|name| self.env.predicates.get(name)) {
            predicate.too_large.set(true);
        }
        let message = match self.expansion.predicates.first() {
            Some(name) => format!("the formula is too large once `{name}` is substituted"),
            None => "this is too large once all names are substituted".to_owned(),
        };
        self.out.push(
            Diagnostic::error("predicate-too-large", at, message)
                .help("predicates and `let` that use each other more than once grow exponentially"),
        );
    }

    fn phrase_inner(&mut self, expr: &Expr) -> Phrase {
        match expr {
            Expr::Literal(literal) => self.literal(literal),
            Expr::NameExpr(name) => names::name(self, name),
            Expr::IndexExpr(cell) => places::cell(self, cell),
            Expr::AtExpr(at) => places::by_reader(self, at),
            Expr::CallExpr(call) => calls::call(self, call),
            Expr::Wildcard(wildcard) => {
                self.out.push(
                    Diagnostic::error("misplaced-wildcard", wildcard.span(), "`_` has no meaning here")
                        .help("`_` is the last arm of a `case`, or what `count(A, _)` counts"),
                );
                Phrase::Unknown
            }
            Expr::ParenExpr(paren) => paren.inner().map_or(Phrase::Unknown, |inner| self.phrase(&inner)),
            Expr::NotExpr(not) => self.connective(not.operand(), |[f]| f.not()),
            Expr::AndExpr(and) => self.junction(and.operands(), Formula::and),
            Expr::OrExpr(or) => self.junction(or.operands(), Formula::or),
            Expr::ImpliesExpr(implies) => self.connective(implies.operands(), |[f, g]| f.implies(g)),
            Expr::IffExpr(iff) => self.connective(iff.operands(), |[f, g]| f.iff(g)),
            Expr::IfExpr(ite) => self.connective(ite.parts(), |[c, f, g]| Formula::if_then_else(c, f, g)),
            Expr::CompareExpr(compare) => Phrase::Formula(comparisons::compare(self, compare)),
            Expr::QuantifiedExpr(quantified) => Phrase::Formula(self.quantified(quantified)),
            Expr::NegExpr(_) | Expr::SumExpr(_) | Expr::ProductExpr(_) => arithmetic::arithmetic(self, expr),
        }
    }

    /// A connective with a fixed number of operands, some of which may be missing after a syntax error.
    fn connective<const N: usize>(
        &mut self,
        operands: impl IntoIterator<Item = Expr>,
        build: impl FnOnce([Formula; N]) -> Formula,
    ) -> Phrase {
        let operands: Vec<Formula> = operands.into_iter().map(|operand| self.formula(&operand)).collect();
        operands.try_into().map_or(Phrase::Unknown, |operands| Phrase::Formula(build(operands)))
    }

    fn junction(
        &mut self,
        operands: impl IntoIterator<Item = Expr>,
        build: impl FnOnce(Vec<Formula>) -> Formula,
    ) -> Phrase {
        Phrase::Formula(build(operands.into_iter().map(|operand| self.formula(&operand)).collect()))
    }

    fn literal(&mut self, literal: &ast::Literal) -> Phrase {
        let Some(token) = literal.token() else { return Phrase::Unknown };
        let (sort, ty) = match token.kind() {
            SyntaxKind::TrueKw => return Phrase::Formula(Formula::True),
            SyntaxKind::FalseKw => return Phrase::Formula(Formula::False),
            SyntaxKind::Real => (Sort::Real, Type::Real),
            _ => (Sort::Int, Type::Int),
        };
        if let Some(number) = Number::parse(token.text()) {
            Phrase::Term(Term::Linear(Linear::constant(sort, number)), ty)
        } else {
            self.out.push(number_too_large(token.text_range()));
            Phrase::Unknown
        }
    }

    fn quantified(&mut self, expr: &ast::QuantifiedExpr) -> Formula {
        let Some(word) = expr.quantifier() else { return Formula::True };
        let names: Vec<ast::Name> = expr.variables().into_iter().flat_map(|vars| vars.names()).collect();
        self.report_duplicates(&names);
        let outer = self.scope.depth();
        let variables: Vec<Var> =
            names.iter().map(|name| self.scope.bind(name, Type::Proc(None), &mut self.out)).collect();
        let body = expr.body().map_or(Formula::True, |body| self.formula(&body));
        self.scope.leave(outer, &mut self.out);
        let (quantifier, other) = match word.kind() {
            SyntaxKind::ForallKw => (Quantifier::Forall, false),
            SyntaxKind::ExistsKw => (Quantifier::Exists, false),
            SyntaxKind::ForallOtherKw => (Quantifier::Forall, true),
            _ => (Quantifier::Exists, true),
        };
        let apart_from = if other { self.params.clone() } else { vec![] };
        self.scope.mark_used(&apart_from);
        Formula::quantified(quantifier, variables, apart_from, body)
    }

    fn report_duplicates(&mut self, names: &[ast::Name]) {
        for (at, name) in names.iter().enumerate() {
            if let Some(first) = names[..at].iter().find(|first| first.text() == name.text()) {
                self.out.push(duplicate(&name.text(), "variable", name.span(), first.span()));
            }
        }
    }

    /// Notes that the text mentions a symbol.
    pub(super) fn mention(&mut self, info: &SymbolInfo) {
        self.mentions.symbols.push(info.id);
        self.mentions.weak |= info.weak && self.context.in_transition();
    }

    /// The rules of weak memory that apply here.
    pub(super) fn memory(&self) -> MemoryRules<'_> {
        let variables = &self.scope.variables;
        MemoryRules { env: self.env, context: self.context, actor: &self.actor, variables }
    }
}
