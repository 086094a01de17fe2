//! The rules that a declaration has to keep by itself: ranges, shapes, and what may be `weak` or a lock.

use super::types::Type;
use crate::syntax::ast::{self, AstNode, SymbolClass};
use source::{Diagnostic, Diagnostics, Span};

/// Our name for a type of another language.
pub(super) fn foreign_type(name: &str) -> Option<&'static str> {
    match name {
        "integer" | "nat" | "natural" | "number" | "long" => Some("int"),
        "boolean" => Some("bool"),
        "float" | "double" | "rational" => Some("real"),
        "process" | "pid" | "thread" | "node" => Some("proc"),
        "mutex" => Some("lock"),
        _ => None,
    }
}

/// The type of a range; reports an error if it is empty or too large.
pub(super) fn range_type(body: &ast::RangeBody, out: &mut Diagnostics) -> Type {
    let bounds: Vec<Option<i64>> = body
        .bounds()
        .iter()
        .map(|(negative, digits)| {
            let value: i64 = digits.text().parse().ok()?;
            Some(if *negative { -value } else { value })
        })
        .collect();
    match bounds.as_slice() {
        [Some(low), Some(high)] if low <= high => Type::Range(*low, *high),
        [Some(low), Some(high)] => {
            out.push(
                Diagnostic::error("empty-range", body.span(), format!("the range [{low}..{high}] is empty"))
                    .label("the first number must not be larger than the second"),
            );
            Type::Int
        }
        _ => {
            if bounds.iter().any(Option::is_none) {
                out.push(Diagnostic::error(
                    "bad-number",
                    body.span(),
                    "a bound of this range does not fit into 64 bits",
                ));
            }
            Type::Int
        }
    }
}

/// An array has indices, a variable has none, a constant may have either.
pub(super) fn check_shape(
    item: &ast::SymbolDecl,
    name: &ast::Name,
    arity: usize,
    out: &mut Diagnostics,
) -> bool {
    let text = name.text();
    let errors = out.errors();
    match item.class() {
        SymbolClass::Array if arity == 0 => out.push(
            Diagnostic::error("array-without-index", name.span(), format!("the array `{text}` has no index"))
                .fix(Span::empty(name.span().end()), "[proc]", "one cell per process is written"),
        ),
        SymbolClass::Variable if arity > 0 => out.push(
            Diagnostic::error(
                "variable-with-index",
                name.span(),
                format!("the variable `{text}` has an index"),
            )
            .help(format!("an array is declared `array {text}[proc] : …`")),
        ),
        _ => {}
    }
    out.errors() == errors
}

/// Checks the restrictions on declarations of locks and weak symbols.
pub(super) fn check_special(item: &ast::SymbolDecl, ty: Type, arity: usize, out: &mut Diagnostics) {
    let constant = item.class() == SymbolClass::Constant;
    let (Some(name), Some(value)) = (item.name(), item.value()) else { return };
    if let Type::Lock(_) = ty {
        if constant || arity > 1 {
            out.push(
                Diagnostic::error(
                    "lock-shape",
                    value.span(),
                    format!("a `{}` cannot have this shape", value.text()),
                )
                .label("only variables and arrays with one index can be locks"),
            );
        }
        if let Some(weak) = item.weak() {
            out.push(
                Diagnostic::error("weak-lock", weak.text_range(), "a lock cannot be `weak`")
                    .label("locks are always consistent"),
            );
        }
    } else if let Some(weak) = item.weak().filter(|_| constant) {
        out.push(
            Diagnostic::error(
                "weak-constant",
                weak.text_range(),
                format!("the constant `{}` cannot be `weak`", name.text()),
            )
            .label("a constant is never written, so it needs no memory model"),
        );
    }
}
