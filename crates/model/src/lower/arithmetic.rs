//! Sums, multiples and negation of terms.

use super::{
    comparisons::fraction_alone,
    elaborate::{Elaborator, Phrase},
    messages::{Checked, number_too_large},
    types::Type,
};
use crate::syntax::ast::{self, AstNode, Expr};
use ir::{Linear, Number, Sort};
use source::{Diagnostic, Span};

/// A linear sum with its sort, `int` or `real`.
struct Sum {
    linear: Linear,
    sort: Sort,
}

impl Sum {
    fn plus(self, part: Sum, at: Span) -> Checked<Sum> {
        if self.sort != part.sort {
            let error = Diagnostic::error("type-mismatch", at, "`int` and `real` do not mix")
                .label(if part.sort == Sort::Int {
                    "an `int` in a sum of `real`"
                } else {
                    "a `real` in a sum of `int`"
                })
                .help("numbers of type `real` are written with a point: `1.0`");
            return Err(error.into());
        }
        let linear = self.linear.plus(part.linear).ok_or_else(|| number_too_large(at))?;
        Ok(Sum { linear, sort: self.sort })
    }

    fn times(self, factor: i64, at: Span) -> Checked<Sum> {
        let linear = self.linear.times(factor).ok_or_else(|| number_too_large(at))?;
        Ok(Sum { linear, sort: self.sort })
    }

    /// The product of two sums, one of which must be a whole number.
    fn multiplied(self, right: Sum, at: Span) -> Checked<Sum> {
        match (self.as_whole_number(), right.as_whole_number()) {
            (Some(factor), _) => right.times(factor, at),
            (_, Some(factor)) => self.times(factor, at),
            _ => {
                let message = "one factor of a product must be a whole number";
                let error = Diagnostic::error("not-linear", at, message);
                Err(error.help("terms are linear: `2 * X + Y` is fine, `X * Y` is not").into())
            }
        }
    }

    fn as_whole_number(&self) -> Option<i64> {
        self.linear.as_number().filter(|_| self.sort == Sort::Int).map(Number::numerator)
    }
}

/// `t + u`, `2 * t`, `-t`
pub(super) fn arithmetic(elaborator: &mut Elaborator<'_>, expr: &Expr) -> Phrase {
    let Some(Sum { linear, sort }) = sum(elaborator, expr) else { return Phrase::Unknown };
    let ty = if sort == Sort::Real { Type::Real } else { Type::Int };
    Phrase::Term(linear.into_term(), ty)
}

fn sum(elaborator: &mut Elaborator<'_>, expr: &Expr) -> Option<Sum> {
    match expr {
        Expr::ParenExpr(paren) => sum(elaborator, &paren.inner()?),
        Expr::NegExpr(neg) => {
            let operand = sum(elaborator, &neg.operand()?)?;
            elaborator.out.accept(operand.times(-1, expr.span()))
        }
        Expr::SumExpr(sum) => summands(elaborator, sum),
        Expr::ProductExpr(of) => product(elaborator, of),
        _ => number_term(elaborator, expr),
    }
}

fn number_term(elaborator: &mut Elaborator<'_>, expr: &Expr) -> Option<Sum> {
    let (term, ty) = elaborator.term(expr)?;
    if ty.is_numeric() {
        return Some(Sum { linear: Linear::from_term(ty.sort(), term), sort: ty.sort() });
    }
    let found = ty.describe(elaborator.env);
    elaborator.out.push(
        Diagnostic::error("expected-number", expr.span(), format!("expected a number, found {found}"))
            .label("cannot be added or multiplied"),
    );
    None
}

fn summands(elaborator: &mut Elaborator<'_>, of: &ast::SumExpr) -> Option<Sum> {
    let summands = of.summands();
    // Every summand is elaborated, even after an error in one of them.
    let sums: Vec<Option<Sum>> = summands.iter().map(|(_, operand)| sum(elaborator, operand)).collect();
    let mut total: Option<Sum> = None;
    for ((negative, operand), part) in summands.iter().zip(sums) {
        let at = operand.span();
        let part = part?.times(if *negative { -1 } else { 1 }, at);
        let next = part.and_then(|part| match total.take() {
            None => Ok(part),
            Some(total) => total.plus(part, at),
        });
        total = Some(elaborator.out.accept(next)?);
    }
    total
}

/// `2 * t`, `t * 2`; a quotient can only be a share, and shares are handled in comparisons.
fn product(elaborator: &mut Elaborator<'_>, of: &ast::ProductExpr) -> Option<Sum> {
    let factors = of.factors();
    if factors.iter().any(|(divides, _)| *divides) {
        elaborator.out.push(fraction_alone(of.span()));
        return None;
    }
    let sums: Vec<Option<Sum>> = factors.iter().map(|(_, factor)| sum(elaborator, factor)).collect();
    let mut total: Option<Sum> = None;
    for ((_, expr), factor) in factors.iter().zip(sums) {
        total = Some(match total {
            None => factor?,
            Some(total) => elaborator.out.accept(total.multiplied(factor?, expr.span()))?,
        });
    }
    total
}
