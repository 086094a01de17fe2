//! Sums, multiples and negation of terms.

use super::{
    comparisons::fraction_alone,
    elaborate::{Elaborator, Phrase, number_too_large},
    types::Type,
};
use crate::syntax::ast::{self, AstNode, Expr};
use ir::{Linear, Number, Sort};
use source::Diagnostic;

/// A sum with its type.
type Sum = (Linear, Sort);

impl Elaborator<'_> {
    pub(super) fn arithmetic(&mut self, expr: &Expr) -> Phrase {
        let Some((linear, sort)) = self.sum(expr) else { return Phrase::Unknown };
        let ty = if sort == Sort::Real { Type::Real } else { Type::Int };
        Phrase::Term(linear.into_term(), ty)
    }

    fn sum(&mut self, expr: &Expr) -> Option<Sum> {
        match expr {
            Expr::ParenExpr(paren) => self.sum(&paren.inner()?),
            Expr::NegExpr(neg) => {
                let operand = self.sum(&neg.operand()?)?;
                self.scaled(operand, -1, expr)
            }
            Expr::SumExpr(sum) => self.summands(sum),
            Expr::ProductExpr(product) => self.product(product),
            _ => self.number_term(expr),
        }
    }

    fn number_term(&mut self, expr: &Expr) -> Option<Sum> {
        let (term, ty) = self.term(expr)?;
        if ty.is_numeric() {
            return Some((Linear::from_term(ty.sort(), term), ty.sort()));
        }
        let found = ty.describe(self.env);
        self.out.push(
            Diagnostic::error("expected-number", expr.span(), format!("expected a number, found {found}"))
                .label("cannot be added or multiplied"),
        );
        None
    }

    fn summands(&mut self, sum: &ast::SumExpr) -> Option<Sum> {
        let summands = sum.summands();
        // Every summand is elaborated, even after an error in one of them.
        let sums: Vec<Option<Sum>> = summands.iter().map(|(_, operand)| self.sum(operand)).collect();
        let mut total: Option<Sum> = None;
        for ((negative, operand), part) in summands.iter().zip(sums) {
            let part = self.scaled(part?, if *negative { -1 } else { 1 }, operand)?;
            total = Some(match total {
                None => part,
                Some(total) => self.added(total, part, operand)?,
            });
        }
        total
    }

    fn added(&mut self, total: Sum, part: Sum, at: &Expr) -> Option<Sum> {
        if total.1 != part.1 {
            self.out.push(
                Diagnostic::error("type-mismatch", at.span(), "`int` and `real` do not mix")
                    .label(if part.1 == Sort::Int {
                        "an `int` in a sum of `real`"
                    } else {
                        "a `real` in a sum of `int`"
                    })
                    .help("numbers of type `real` are written with a point: `1.0`"),
            );
            return None;
        }
        let sum = total.0.plus(part.0);
        if sum.is_none() {
            self.out.push(number_too_large(at.span()));
        }
        Some((sum?, total.1))
    }

    fn scaled(&mut self, (linear, sort): Sum, factor: i64, at: &Expr) -> Option<Sum> {
        let scaled = linear.times(factor);
        if scaled.is_none() {
            self.out.push(number_too_large(at.span()));
        }
        Some((scaled?, sort))
    }

    /// `2 * t`, `t * 2`; a quotient can only be a share, and shares are handled in comparisons.
    fn product(&mut self, product: &ast::ProductExpr) -> Option<Sum> {
        let factors = product.factors();
        if factors.iter().any(|(divides, _)| *divides) {
            self.out.push(fraction_alone(product.span()));
            return None;
        }
        let sums: Vec<Option<Sum>> = factors.iter().map(|(_, factor)| self.sum(factor)).collect();
        let mut total: Option<Sum> = None;
        for ((_, expr), factor) in factors.iter().zip(sums) {
            total = Some(match total {
                None => factor?,
                Some(total) => self.multiplied(total, factor?, expr)?,
            });
        }
        total
    }

    fn multiplied(&mut self, left: Sum, right: Sum, at: &Expr) -> Option<Sum> {
        let whole =
            |(linear, sort): &Sum| linear.as_number().filter(|_| *sort == Sort::Int).map(Number::numerator);
        match (whole(&left), whole(&right)) {
            (Some(factor), _) => self.scaled(right, factor, at),
            (_, Some(factor)) => self.scaled(left, factor, at),
            _ => {
                self.out.push(
                    Diagnostic::error(
                        "not-linear",
                        at.span(),
                        "one factor of a product must be a whole number",
                    )
                    .help("terms are linear: `2 * X + Y` is fine, `X * Y` is not"),
                );
                None
            }
        }
    }
}
