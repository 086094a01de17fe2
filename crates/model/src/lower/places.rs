//! Symbols with their indices, such as `X`, `A[i]` and `i@X`, and what reading them means.

use super::{
    elaborate::{Elaborator, Phrase},
    environment::{Meaning, SymbolInfo},
    names,
    types::Type,
};
use crate::syntax::ast::{self, AstNode, Expr};
use ir::{LockKind, Term};
use source::{Diagnostic, Span};

/// A symbol and its indices, which may be too few or too many.
pub(super) struct Place {
    pub(super) info: SymbolInfo,
    pub(super) indices: Vec<Term>,
    pub(super) at: Span,
}

impl Place {
    /// `A[t, …]`
    pub(super) fn of_cell(elaborator: &mut Elaborator<'_>, cell: &ast::IndexExpr) -> Option<Place> {
        let token = cell.array()?.token()?;
        let exprs: Vec<Expr> = cell.list()?.indices().collect();
        let indices: Vec<Option<Term>> = exprs.iter().map(|index| elaborator.process(index)).collect();
        let info = match elaborator.env.lookup(token.text()) {
            Some(Meaning::Symbol(info)) => info.clone(),
            Some(Meaning::Constructor(..)) => {
                let message = format!("`{}` is a constructor, not an array", token.text());
                let error = Diagnostic::error("not-an-array", token.text_range(), message);
                elaborator.out.push(error.label("has no cells"));
                return None;
            }
            Some(Meaning::Broken) => return None,
            None => {
                names::report_unknown(elaborator, &token);
                return None;
            }
        };
        let indices = indices.into_iter().collect::<Option<_>>()?;
        Some(Place { info, indices, at: cell.span() })
    }

    /// `A` or `A[t, …]`; of anything else, `complaint` is reported.
    pub(super) fn of(
        elaborator: &mut Elaborator<'_>,
        expr: &Expr,
        complaint: fn(Span) -> Diagnostic,
    ) -> Option<Place> {
        match expr {
            Expr::IndexExpr(cell) => return Place::of_cell(elaborator, cell),
            Expr::NameExpr(name) => match elaborator.env.lookup(name.token()?.text()) {
                Some(Meaning::Symbol(info)) => {
                    return Some(Place { info: info.clone(), indices: vec![], at: expr.span() });
                }
                Some(Meaning::Broken) => return None,
                _ => {}
            },
            _ => {}
        }
        elaborator.out.push(complaint(expr.span()));
        None
    }

    /// The `X` or `A[t, …]` of `i@X`; constructors cannot have a reader.
    fn of_location(elaborator: &mut Elaborator<'_>, location: &Expr) -> Option<Place> {
        let token = match location {
            Expr::IndexExpr(cell) => return Place::of_cell(elaborator, cell),
            Expr::NameExpr(name) => name.token()?,
            _ => return None,
        };
        match (elaborator.env.lookup(token.text()), token.text()) {
            (Some(Meaning::Symbol(info)), _) => {
                return Some(Place { info: info.clone(), indices: vec![], at: location.span() });
            }
            (Some(Meaning::Constructor(..)), _) | (None, "True" | "False") => {
                let message = format!("`{}` is not a variable", token.text());
                let error = Diagnostic::error("misplaced-at", token.text_range(), message);
                elaborator.out.push(error.label("cannot be read"));
            }
            (Some(Meaning::Broken), _) => {}
            (None, _) => names::report_unknown(elaborator, &token),
        }
        None
    }

    /// The value of a place, after checking all rules about reads.
    pub(super) fn read(self, elaborator: &mut Elaborator<'_>, reader: Option<Term>) -> Phrase {
        let Place { info, indices, at } = self;
        let arity = elaborator.env.check_arity(&info, indices.len(), at);
        if elaborator.out.accept(arity).is_none() {
            return Phrase::Unknown;
        }
        elaborator.mention(&info);
        let misread = elaborator.memory().of_read(&info, &indices, reader.is_some(), at);
        elaborator.out.extend(misread);
        let ty = match info.ty {
            Type::Lock(LockKind::Semaphore) => Type::Int,
            ty => ty,
        };
        Phrase::Term(Term::Read { symbol: info.id, indices, reader: reader.map(Box::new) }, ty)
    }
}

/// `A[t, …]`
pub(super) fn cell(elaborator: &mut Elaborator<'_>, cell: &ast::IndexExpr) -> Phrase {
    let place = Place::of_cell(elaborator, cell);
    place.map_or(Phrase::Unknown, |place| place.read(elaborator, None))
}

/// `i@X`
pub(super) fn by_reader(elaborator: &mut Elaborator<'_>, expr: &ast::AtExpr) -> Phrase {
    let (Some(reader), Some(location)) = (expr.reader(), expr.location()) else { return Phrase::Unknown };
    let reader = elaborator.process(&Expr::NameExpr(reader));
    let place = Place::of_location(elaborator, &location);
    let (Some(reader), Some(place)) = (reader, place) else { return Phrase::Unknown };
    let misplaced = elaborator.memory().of_reader(&place.info, expr.span());
    elaborator.out.extend(misplaced);
    place.read(elaborator, Some(reader))
}
