//! The grammar of terms and formulas: one grammar for both, precedence climbing.
//!
//! Whether a phrase is a term or a formula is decided when names and types are known: that gives
//! better messages than a syntax error, and a predicate may take either.

use super::{
    SyntaxKind,
    SyntaxKind::*,
    items::name,
    parser::Parser,
    slips::{LEFTOVERS, leftover, wrong_case},
    statements,
};
use source::Diagnostic;

/// How tightly an operator binds; a quantifier's body and an expression as a whole are parsed at `IMPLIES`.
mod level {
    pub(super) const IMPLIES: u8 = 1;
    pub(super) const OR: u8 = 2;
    pub(super) const AND: u8 = 3;
    pub(super) const COMPARE: u8 = 4;
    pub(super) const SUM: u8 = 5;
    pub(super) const PRODUCT: u8 = 6;
    pub(super) const TIGHTEST: u8 = 7;
}

/// The level of the next operator, and the kind of its node. Operators of other languages are treated as ours.
fn operator_here(p: &Parser<'_>) -> Option<(u8, SyntaxKind)> {
    let kind = foreign(p).map_or(p.current(), |(ours, _)| ours);
    Some(match kind {
        Implies => (level::IMPLIES, ImpliesExpr),
        Iff => (level::IMPLIES, IffExpr),
        Or => (level::OR, OrExpr),
        And => (level::AND, AndExpr),
        Eq | Neq | Lt | Le | Gt | Ge => (level::COMPARE, CompareExpr),
        Plus | Minus => (level::SUM, SumExpr),
        Star | Slash => (level::PRODUCT, ProductExpr),
        _ => return None,
    })
}

/// A formula or a term alone.
pub(super) fn lone_expression(p: &mut Parser<'_>) {
    p.start_root(LoneExpression);
    expression(p);
    if !p.at(EndOfFile) {
        p.error_expected("the end of the formula");
    }
    p.finish_root();
}

/// Any formula or term.
pub(super) fn expression(p: &mut Parser<'_>) {
    climb(p, level::IMPLIES);
}

/// A comparison, a term or a predicate: a formula without connectives.
pub(super) fn comparison_or_term(p: &mut Parser<'_>) {
    climb(p, level::COMPARE);
}

/// A term, as to the right of `:` in an arm.
pub(super) fn term(p: &mut Parser<'_>) {
    climb(p, level::SUM);
}

fn climb(p: &mut Parser<'_>, lowest: u8) {
    p.nested(|p| {
        let start = p.checkpoint();
        if !prefix(p) {
            return;
        }
        while let Some((level, node)) = operator_here(p) {
            if level < lowest {
                break;
            }
            p.start_at(start, node);
            match level {
                level::IMPLIES => right_operand(p, level),
                level::COMPARE => comparison(p),
                _ => operands(p, level),
            }
            p.finish();
        }
    });
}

/// `=>` and `<=>` group to the right.
fn right_operand(p: &mut Parser<'_>, level: u8) {
    bump_operator(p);
    climb(p, level);
}

/// All operands of one level are in one node, so that long conjunctions do not nest deeply.
fn operands(p: &mut Parser<'_>, level: u8) {
    while operator_here(p).is_some_and(|(found, _)| found == level) {
        bump_operator(p);
        climb(p, level + 1);
    }
}

fn comparison(p: &mut Parser<'_>) {
    bump_operator(p);
    if p.at(CaseKw) {
        statements::case(p);
    } else {
        climb(p, level::SUM);
    }
    if let Some((level::COMPARE, _)) = operator_here(p) {
        let span = p.current_span();
        p.error(
            Diagnostic::error("syntax", span, "comparisons do not chain")
                .label("a second comparison")
                .help("write `a < b && b < c`"),
        );
        operands(p, level::COMPARE);
    }
}

fn bump_operator(p: &mut Parser<'_>) {
    foreign_operator(p);
    p.bump();
}

/// If the next token is an operator of another language, or a word for one: our operator and its spelling.
fn foreign(p: &Parser<'_>) -> Option<(SyntaxKind, &'static str)> {
    match (p.current(), p.current_text()) {
        (LowerName, "and") => Some((And, "&&")),
        (LowerName, "or") => Some((Or, "||")),
        // The `:=` of statements is parsed elsewhere: here it can only be a mistake for `=`.
        (Assign, _) => Some((Eq, "=")),
        (kind, _) => kind.ours(),
    }
}

/// Reports an operator of another language, with our spelling.
fn foreign_operator(p: &mut Parser<'_>) {
    if let Some((_, ours)) = foreign(p) {
        let (span, text) = (p.current_span(), p.current_text().to_owned());
        let message = match p.current() {
            Assign => "`:=` assigns, and a formula assigns nothing".to_owned(),
            _ => format!("`{text}` is not an operator of this language"),
        };
        p.error(Diagnostic::error("foreign-operator", span, message).fix(
            span,
            ours,
            format!("write `{ours}`"),
        ));
    }
}

/// An operand with its prefix operators; false if there is none.
fn prefix(p: &mut Parser<'_>) -> bool {
    match p.current() {
        NotKw | Bang => {
            p.start(NotExpr);
            bump_operator(p);
            climb(p, level::COMPARE);
            p.finish();
        }
        Minus => {
            p.start(NegExpr);
            p.bump();
            climb(p, level::TIGHTEST);
            p.finish();
        }
        IfKw => if_expression(p),
        ForallKw | ExistsKw | ForallOtherKw | ExistsOtherKw => quantified(p),
        _ => return primary(p),
    }
    true
}

/// `if f then f else f`; the else branch is one tight operand.
fn if_expression(p: &mut Parser<'_>) {
    p.start(IfExpr);
    p.bump();
    expression(p);
    p.expect(ThenKw);
    expression(p);
    p.expect(ElseKw);
    climb(p, level::COMPARE);
    p.finish();
}

/// `forall i <> j. f`; the body extends as far to the right as possible.
fn quantified(p: &mut Parser<'_>) {
    p.start(QuantifiedExpr);
    p.bump();
    p.start(BoundVars);
    bound_variable(p);
    while p.at(Neq) {
        p.bump();
        bound_variable(p);
    }
    if p.at(LowerName) {
        p.error_expected("`.`, or `<>` and another variable");
        while p.at(LowerName) {
            bound_variable(p);
        }
    }
    p.finish();
    quantifier_dot(p);
    expression(p);
    p.finish();
}

/// The `.` before the body. A colon or a kind instead is reported, and the body is parsed nevertheless.
fn quantifier_dot(p: &mut Parser<'_>) {
    if !matches!(p.current(), Colon | Comma) {
        p.expect(Dot);
        return;
    }
    let (span, found) = (p.current_span(), p.current().describe());
    p.error(Diagnostic::error("syntax", span, format!("expected `.`, found {found}")).help(
        "a quantifier is written `forall k. f`, or `forall k <> l. f` for two variables; they have no kind",
    ));
    p.skip();
    if p.at(LowerName) && p.nth(1) == Dot {
        p.skip();
        p.bump();
    }
}

fn bound_variable(p: &mut Parser<'_>) {
    name(p, LowerName, "a process variable begins with a lower-case letter");
}

fn primary(p: &mut Parser<'_>) -> bool {
    match p.current() {
        Integer | Real | TrueKw | FalseKw => {
            p.start(Literal);
            p.bump();
            p.finish();
        }
        LowerName if p.nth(1) == LParen => call(p),
        LowerName | ProcessConstant if p.nth(1) == At => {
            p.start(AtExpr);
            name_expr(p);
            p.bump();
            location(p);
            p.finish();
        }
        UpperName => location(p),
        LowerName if p.nth(1) == LBracket => location(p),
        LowerName | ProcessConstant => name_expr(p),
        Underscore => {
            p.start(Wildcard);
            p.bump();
            p.finish();
        }
        LParen => {
            p.start(ParenExpr);
            p.bump();
            expression(p);
            p.expect(RParen);
            p.finish();
        }
        CaseKw => {
            let span = p.current_span();
            p.error(Diagnostic::error("syntax", span, "`case` has no meaning here").help(
                "`case` may follow `:=` in a transition, or `=` in a formula: `X = case | f : t | _ : u`",
            ));
            statements::case(p);
        }
        _ => {
            p.error_expected("a formula or a term");
            return false;
        }
    }
    true
}

fn name_expr(p: &mut Parser<'_>) {
    p.start(NameExpr);
    p.bump();
    p.finish();
}

/// `X`, `A[t, …]`
pub(super) fn location(p: &mut Parser<'_>) {
    let start = p.checkpoint();
    if p.at(LowerName) {
        let (span, text) = (p.current_span(), p.current_text().to_owned());
        p.error(wrong_case(span, &text, "variables and arrays begin with an upper-case letter"));
    }
    if matches!(p.current(), UpperName | LowerName) {
        name_expr(p);
    } else {
        p.error_expected("a variable or an array");
    }
    if p.at(LBracket) {
        p.start_at(start, IndexExpr);
        index_list(p);
        p.finish();
    }
}

/// `[t, …]`
fn index_list(p: &mut Parser<'_>) {
    let opening = p.current_span();
    p.start(IndexList);
    p.bump();
    term(p);
    while p.eat(Comma) {
        term(p);
    }
    if !p.eat(RBracket) {
        let message = format!("expected `]`, found {}", p.describe_current());
        p.error(
            Diagnostic::error("syntax", p.current_span(), message)
                .also(opening, "this bracket is never closed")
                .fix(p.behind(), "]", "close it"),
        );
    }
    p.finish();
}

/// `p(t, f)`
fn call(p: &mut Parser<'_>) {
    if LEFTOVERS.contains(&p.current_text()) {
        let (span, word) = (p.current_span(), p.current_text().to_owned());
        p.error(leftover(&word, span));
    }
    p.start(CallExpr);
    p.start(Name);
    p.bump();
    p.finish();
    arguments(p);
    p.finish();
}

/// `(a, b)`
pub(super) fn arguments(p: &mut Parser<'_>) {
    p.start(ArgList);
    p.bump();
    if !p.at(RParen) {
        expression(p);
        while p.eat(Comma) {
            expression(p);
        }
    }
    p.expect(RParen);
    p.finish();
}
