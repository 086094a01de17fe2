//! Comparisons of terms, with `case`, and of counts with shares.

use super::{
    elaborate::Elaborator,
    environment::Environment,
    messages::{Checked, Messages, lock_as_value, number_too_large},
    types::Type,
};
use crate::syntax::{
    SyntaxKind, SyntaxToken,
    ast::{self, AstNode, Expr},
};
use ir::{Formula, Linear, Number, Relation, Sort, Term};
use source::{Diagnostic, Span};

/// The largest number of arms of a `case`.
const MAX_ARMS: usize = 200;

/// `t = u`, `t < u`, `t = case …`, and shares.
pub(super) fn compare(elaborator: &mut Elaborator<'_>, compare: &ast::CompareExpr) -> Formula {
    let Some(operator) = compare.operator() else { return Formula::True };
    let comparison = Comparison { operator };
    let operands: Vec<Expr> = compare.operands().collect();
    match (operands.as_slice(), compare.case()) {
        ([left], Some(case)) => comparison.with_case(elaborator, left, &case),
        ([left, right], None) => match (Share::of(left), Share::of(right)) {
            (None, None) => comparison.of_terms(elaborator, left, right),
            (None, Some(share)) => comparison.with_share(elaborator, left, &share, false),
            (Some(share), None) => comparison.with_share(elaborator, right, &share, true),
            (Some(share), Some(_)) => {
                elaborator.out.push(fraction_alone(share.at));
                Formula::True
            }
        },
        _ => Formula::True,
    }
}

/// One side of a comparison.
#[derive(Clone)]
struct Side {
    term: Term,
    ty: Type,
    at: Span,
}

impl Side {
    fn of(elaborator: &mut Elaborator<'_>, expr: &Expr) -> Option<Side> {
        let (term, ty) = elaborator.term(expr)?;
        Some(Side { term, ty, at: expr.span() })
    }
}

/// A comparison by this operator, whatever its sides are.
struct Comparison {
    operator: SyntaxToken,
}

impl Comparison {
    fn of_terms(&self, elaborator: &mut Elaborator<'_>, left: &Expr, right: &Expr) -> Formula {
        let (left, right) = (Side::of(elaborator, left), Side::of(elaborator, right));
        let (Some(left), Some(right)) = (left, right) else { return Formula::True };
        let compared = self.relate(left, right, elaborator.env);
        elaborator.out.accept(compared).unwrap_or(Formula::True)
    }

    /// The comparison of two terms, if their types allow it.
    fn relate(&self, left: Side, right: Side, env: &Environment) -> Checked<Formula> {
        for side in [&left, &right] {
            if let Type::Lock(kind) = side.ty {
                return Err(lock_as_value(kind, side.at).into());
            }
        }
        if !left.ty.fits(right.ty) {
            return Err(self.mismatch(&left, &right, env).into());
        }
        let (relation, swapped) = relation(self.operator.kind());
        let ordered = left.ty.is_numeric() || left.ty.sort() == Sort::Proc;
        if matches!(relation, Relation::Lt | Relation::Le) && !ordered {
            let message = format!("values of type {} have no order", left.ty.describe(env));
            let error = Diagnostic::error("no-order", self.operator.text_range(), message);
            return Err(error
                .help("only numbers and processes are ordered; compare with `=` or `<>`")
                .into());
        }
        let (left, right) = if swapped { (right.term, left.term) } else { (left.term, right.term) };
        Ok(Formula::compare(relation, left, right))
    }

    fn mismatch(&self, left: &Side, right: &Side, env: &Environment) -> Diagnostic {
        let (l, r) = (left.ty.describe(env), right.ty.describe(env));
        let message = format!("{l} cannot be compared with {r}");
        let error = Diagnostic::error("type-mismatch", self.operator.text_range(), message)
            .also(left.at, format!("of type {l}"))
            .also(right.at, format!("of type {r}"));
        if left.ty.is_numeric() && right.ty.is_numeric() {
            return error.help("numbers of type `real` are written with a point: `0.0`");
        }
        error
    }

    /// `t = case | f : u …`: the equation of the first arm that applies; true if none does.
    fn with_case(&self, elaborator: &mut Elaborator<'_>, left: &Expr, case: &ast::Case) -> Formula {
        if self.operator.kind() != SyntaxKind::Eq {
            let at = self.operator.text_range();
            let error = Diagnostic::error("misplaced-case", at, "a `case` can only follow `=`");
            elaborator.out.push(error.label("not this comparison"));
        }
        let Some(subject) = Side::of(elaborator, left) else { return Formula::True };
        let mut arms = Vec::new();
        for arm in few_arms(case, &mut elaborator.out) {
            if let Some(any) = arm.any() {
                let message = "an arm of this `case` needs a value";
                elaborator.out.push(Diagnostic::error("misplaced-case", any.span(), message));
            }
            let condition = arm.condition().map_or(Formula::True, |condition| elaborator.formula(&condition));
            let Some(value) = arm.value().and_then(|value| Side::of(elaborator, &value)) else { continue };
            let equation = self.relate(subject.clone(), value, elaborator.env);
            arms.push((condition, elaborator.out.accept(equation).unwrap_or(Formula::True)));
        }
        let chain = |rest, (condition, equation)| Formula::if_then_else(condition, equation, rest);
        arms.into_iter().rev().fold(Formula::True, chain)
    }

    /// `count(V, Yes) >= 2/3`: holds when `3·count >= 2·SYS_PROCS`.
    fn with_share(
        &self,
        elaborator: &mut Elaborator<'_>,
        count: &Expr,
        share: &Share,
        share_first: bool,
    ) -> Formula {
        let Some((term, ty)) = elaborator.term(count) else { return Formula::True };
        let is_count = is_count_call(count) && ty == Type::Int;
        let parts =
            (whole_number(elaborator, &share.numerator), whole_number(elaborator, &share.denominator));
        let (Some(numerator), Some(denominator)) = parts else { return Formula::True };
        if !is_count || numerator < 0 || denominator < 1 {
            elaborator.out.push(fraction_alone(share.at));
            return Formula::True;
        }
        let scaled =
            |factor: i64, term: Term| Some(Linear::from_term(Sort::Int, term).times(factor)?.into_term());
        let (Some(left), Some(right)) = (scaled(denominator, term), scaled(numerator, Term::ProcessCount))
        else {
            elaborator.out.push(number_too_large(share.at));
            return Formula::True;
        };
        let (relation, swapped) = relation(self.operator.kind());
        let (left, right) = if swapped == share_first { (left, right) } else { (right, left) };
        Formula::compare(relation, left, right)
    }
}

/// The arms of a `case`, up to the limit: each is nested in the ones before it.
pub(super) fn few_arms(case: &ast::Case, out: &mut Messages<'_>) -> Vec<ast::Arm> {
    let arms: Vec<ast::Arm> = case.arms().take(MAX_ARMS + 1).collect();
    if let Some(arm) = arms.get(MAX_ARMS) {
        let message = format!("a `case` has at most {MAX_ARMS} arms");
        out.push(Diagnostic::error("too-many-arms", arm.span(), message).label("one too many"));
    }
    arms
}

fn whole_number(elaborator: &mut Elaborator<'_>, expr: &Expr) -> Option<i64> {
    let (term, ty) = elaborator.term(expr)?;
    let number = term.as_number().filter(|number| ty == Type::Int && number.denominator() == 1);
    if number.is_none() {
        let message = "a share is a fraction of two whole numbers";
        elaborator.out.push(Diagnostic::error("bad-share", expr.span(), message));
    }
    number.map(Number::numerator)
}

/// A fraction such as `2/3`, a share of the processes.
struct Share {
    numerator: Expr,
    denominator: Expr,
    /// Together with parentheses around it.
    at: Span,
}

impl Share {
    fn of(expr: &Expr) -> Option<Share> {
        let (numerator, denominator) = fraction(expr)?;
        Some(Share { numerator, denominator, at: expr.span() })
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
