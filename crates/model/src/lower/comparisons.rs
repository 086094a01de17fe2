//! Comparisons of terms, with `case`, and of counts with shares.

use super::{
    elaborate::{Elaborator, number_too_large},
    types::{Type, lock_word},
};
use crate::syntax::{
    SyntaxKind, SyntaxToken,
    ast::{self, AstNode, Expr},
};
use ir::{Formula, Linear, LockKind, Number, Relation, Sort, Term};
use source::{Diagnostic, Span};

/// The largest number of arms of a `case`.
const MAX_ARMS: usize = 200;

impl Elaborator<'_> {
    /// `t = u`, `t < u`, `t = case …`, and shares.
    pub(super) fn compare(&mut self, compare: &ast::CompareExpr) -> Formula {
        let Some(operator) = compare.operator() else { return Formula::True };
        let operands: Vec<Expr> = compare.operands().collect();
        match (operands.as_slice(), compare.case()) {
            ([left], Some(case)) => self.compare_case(left, &operator, &case),
            ([left, right], None) => match (fraction(left), fraction(right)) {
                (None, None) => self.compare_terms(left, &operator, right),
                (None, Some(share)) => self.compare_share(left, &operator, &share, right.span(), false),
                (Some(share), None) => self.compare_share(right, &operator, &share, left.span(), true),
                (Some(_), Some(_)) => {
                    self.out.push(fraction_alone(left.span()));
                    Formula::True
                }
            },
            _ => Formula::True,
        }
    }

    fn compare_terms(&mut self, left: &Expr, operator: &SyntaxToken, right: &Expr) -> Formula {
        let (l, r) = (self.term(left), self.term(right));
        let (Some(l), Some(r)) = (l, r) else { return Formula::True };
        self.relate(l, left.span(), operator, r, right.span())
    }

    fn relate(
        &mut self,
        left: (Term, Type),
        left_at: Span,
        operator: &SyntaxToken,
        right: (Term, Type),
        right_at: Span,
    ) -> Formula {
        for ((_, ty), at) in [(&left, left_at), (&right, right_at)] {
            if let Type::Lock(kind) = ty {
                self.lock_as_value(*kind, at);
                return Formula::True;
            }
        }
        if !left.1.fits(right.1) {
            let (l, r) = (left.1.describe(self.env), right.1.describe(self.env));
            let mut diagnostic = Diagnostic::error(
                "type-mismatch",
                operator.text_range(),
                format!("{l} cannot be compared with {r}"),
            )
            .also(left_at, format!("of type {l}"))
            .also(right_at, format!("of type {r}"));
            if left.1.is_numeric() && right.1.is_numeric() {
                diagnostic = diagnostic.help("numbers of type `real` are written with a point: `0.0`");
            }
            self.out.push(diagnostic);
            return Formula::True;
        }
        let (relation, swapped) = relation(operator.kind());
        let ordered = left.1.is_numeric() || left.1.sort() == Sort::Proc;
        if matches!(relation, Relation::Lt | Relation::Le) && !ordered {
            let ty = left.1.describe(self.env);
            self.out.push(
                Diagnostic::error(
                    "no-order",
                    operator.text_range(),
                    format!("values of type {ty} have no order"),
                )
                .help("only numbers and processes are ordered; compare with `=` or `<>`"),
            );
            return Formula::True;
        }
        let (left, right) = if swapped { (right.0, left.0) } else { (left.0, right.0) };
        Formula::compare(relation, left, right)
    }

    pub(super) fn lock_as_value(&mut self, kind: LockKind, at: Span) {
        let word = lock_word(kind);
        self.out.push(
            Diagnostic::error("lock-as-value", at, format!("a `{word}` has no value"))
                .help("its state is written `free(L)`, `owner(L, i)` and `waiting(L, i)`"),
        );
    }

    /// The arms of a `case`, up to the limit: each is nested in the ones before it.
    pub(super) fn few_arms(&mut self, case: &ast::Case) -> Vec<ast::Arm> {
        let arms: Vec<ast::Arm> = case.arms().take(MAX_ARMS + 1).collect();
        if let Some(arm) = arms.get(MAX_ARMS) {
            self.out.push(
                Diagnostic::error(
                    "too-many-arms",
                    arm.span(),
                    format!("a `case` has at most {MAX_ARMS} arms"),
                )
                .label("one too many"),
            );
        }
        arms
    }

    /// `t = case | f : u …`: the equation of the first arm that applies; true if none does.
    fn compare_case(&mut self, left: &Expr, operator: &SyntaxToken, case: &ast::Case) -> Formula {
        if operator.kind() != SyntaxKind::Eq {
            self.out.push(
                Diagnostic::error("misplaced-case", operator.text_range(), "a `case` can only follow `=`")
                    .label("not this comparison"),
            );
        }
        let Some(subject) = self.term(left) else { return Formula::True };
        let mut arms = Vec::new();
        for arm in self.few_arms(case) {
            if let Some(any) = arm.any() {
                self.out.push(Diagnostic::error(
                    "misplaced-case",
                    any.span(),
                    "an arm of this `case` needs a value",
                ));
            }
            let condition = arm.condition().map_or(Formula::True, |condition| self.formula(&condition));
            let Some(value_expr) = arm.value() else { continue };
            let Some(value) = self.term(&value_expr) else { continue };
            let equation = self.relate(subject.clone(), left.span(), operator, value, value_expr.span());
            arms.push((condition, equation));
        }
        let chain = |rest, (condition, equation)| Formula::if_then_else(condition, equation, rest);
        arms.into_iter().rev().fold(Formula::True, chain)
    }

    /// `count(V, Yes) >= 2/3`: holds when `3·count >= 2·SYS_PROCS`.
    fn compare_share(
        &mut self,
        count: &Expr,
        operator: &SyntaxToken,
        share: &(Expr, Expr),
        at: Span,
        share_first: bool,
    ) -> Formula {
        let Some((term, ty)) = self.term(count) else { return Formula::True };
        let is_count = is_count_call(count) && ty == Type::Int;
        let parts = (self.whole_number(&share.0), self.whole_number(&share.1));
        let (Some(numerator), Some(denominator)) = parts else { return Formula::True };
        if !is_count || numerator < 0 || denominator < 1 {
            self.out.push(fraction_alone(at));
            return Formula::True;
        }
        let scaled =
            |factor: i64, term: Term| Some(Linear::from_term(Sort::Int, term).times(factor)?.into_term());
        let (Some(left), Some(right)) = (scaled(denominator, term), scaled(numerator, Term::ProcessCount))
        else {
            self.out.push(number_too_large(at));
            return Formula::True;
        };
        let (relation, swapped) = relation(operator.kind());
        let (left, right) = if swapped == share_first { (left, right) } else { (right, left) };
        Formula::compare(relation, left, right)
    }

    fn whole_number(&mut self, expr: &Expr) -> Option<i64> {
        let (term, ty) = self.term(expr)?;
        let number = term.as_number().filter(|number| ty == Type::Int && number.denominator() == 1);
        if number.is_none() {
            self.out.push(Diagnostic::error(
                "bad-share",
                expr.span(),
                "a share is a fraction of two whole numbers",
            ));
        }
        number.map(Number::numerator)
    }
}

/// `2/3` as its two parts.
fn fraction(expr: &Expr) -> Option<(Expr, Expr)> {
    match expr {
        Expr::ParenExpr(paren) => fraction(&paren.inner()?),
        Expr::ProductExpr(product) => match product.factors().as_slice() {
            [(false, numerator), (true, denominator)] => Some((numerator.clone(), denominator.clone())),
            _ => None,
        },
        _ => None,
    }
}

fn is_count_call(expr: &Expr) -> bool {
    match expr {
        Expr::ParenExpr(paren) => paren.inner().is_some_and(|inner| is_count_call(&inner)),
        Expr::CallExpr(call) => call.name().is_some_and(|name| name.text() == "count"),
        _ => false,
    }
}

/// The relation of an operator, and whether its sides are swapped.
fn relation(operator: SyntaxKind) -> (Relation, bool) {
    match operator {
        SyntaxKind::Neq | SyntaxKind::BangEq => (Relation::Neq, false),
        SyntaxKind::Lt => (Relation::Lt, false),
        SyntaxKind::Le => (Relation::Le, false),
        SyntaxKind::Gt => (Relation::Lt, true),
        SyntaxKind::Ge => (Relation::Le, true),
        _ => (Relation::Eq, false),
    }
}

pub(super) fn fraction_alone(at: Span) -> Diagnostic {
    Diagnostic::error(
        "bad-share",
        at,
        "there is no division: a fraction is a share of the processes, beside a `count`",
    )
    .help("`count(V, Yes) >= 2/3` holds when two thirds of the processes have `V = Yes`")
}
