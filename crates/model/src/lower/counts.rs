//! `count`: how many cells of an array, or of a row of one, have a value.

use super::{
    calls::Call,
    elaborate::{Elaborator, Phrase},
    environment::Environment,
    messages::{self, Checked, lock_as_value},
    places::Place,
    types::Type,
};
use crate::syntax::ast::{AstNode, Expr};
use ir::{LockKind, Term};
use source::{Diagnostic, Span};

/// `count(A, v)`, `count(A[i], v)`, `count(A, _)`, `count(A[i], _)`
pub(super) fn count(elaborator: &mut Elaborator<'_>, call: &Call) -> Phrase {
    let [array, value] = call.arguments.as_slice() else {
        elaborator.out.push(call.wrong_arguments("count(A, v)"));
        return Phrase::Unknown;
    };
    let row = row(elaborator, array);
    let value = match value {
        Expr::Wildcard(_) => None,
        value => Some((elaborator.term(value), value.span())),
    };
    let Some(row) = row else { return Phrase::Unknown };
    let counted = counted(&row, value, elaborator.env);
    elaborator.out.accept(counted).flatten().map_or(Phrase::Unknown, |term| Phrase::Term(term, Type::Int))
}

/// The array, or the row of one, whose cells are counted.
fn row(elaborator: &mut Elaborator<'_>, array: &Expr) -> Option<Place> {
    let place = Place::of(elaborator, array, not_countable)?;
    if let Type::Lock(kind) = place.info.ty
        && kind != LockKind::Semaphore
    {
        elaborator.out.push(lock_as_value(kind, array.span()));
        return None;
    }
    elaborator.mention(&place.info);
    let misread = elaborator.memory().of_count(&place.info, array.span());
    elaborator.out.extend(misread);
    Some(place)
}

fn not_countable(at: Span) -> Diagnostic {
    Diagnostic::error("wrong-arguments", at, "the first argument of `count` is an array, or a row of one")
}

/// The value that is counted, `None` if it has an error, and its location.
type Counted = (Option<(Term, Type)>, Span);

/// The number of cells of a row with a value, or of all of them; `None` if the value has an error.
fn counted(row: &Place, value: Option<Counted>, env: &Environment) -> Checked<Option<Term>> {
    let info = &row.info;
    if row.indices.len() >= info.arity {
        return Err(nothing_to_count(row, env).into());
    }
    let count = |value| Term::Count { symbol: info.id, row: row.indices.clone(), value };
    Ok(match value {
        None if info.arity - row.indices.len() == 1 => Some(Term::ProcessCount),
        None => Some(count(None)),
        Some((None, _)) => None,
        Some((Some((value, ty)), at)) => {
            if !info.ty.fits(ty) {
                let (cell, found) = (info.ty.describe(env), ty.describe(env));
                let message = format!("the cells have type {cell}, found {found}");
                let error = Diagnostic::error("type-mismatch", at, message);
                return Err(error.also(info.at, "declared here").into());
            }
            Some(count(Some(Box::new(value))))
        }
    })
}

fn nothing_to_count(row: &Place, env: &Environment) -> Diagnostic {
    let name = env.declared_name(&row.info);
    let message = if row.info.arity == 0 {
        format!("`{name}` is not an array: there is nothing to count")
    } else {
        let indices = messages::count(row.indices.len(), "index", "indices");
        format!("`{name}` with {indices} is one cell: there is nothing to count")
    };
    Diagnostic::error("wrong-indices", row.at, message).also(row.info.at, "declared here")
}
