//! Which lock an expression names, and formulas about the state of locks.

use super::{
    calls::Call,
    context::Context,
    elaborate::{Elaborator, Phrase},
    messages::Checked,
    places::Place,
    threads::{LockRef, ThreadTable},
    types::{Type, lock_word},
};
use crate::syntax::ast::{AstNode, Expr};
use ir::{Formula, LockKind, Term};
use source::{Diagnostic, Span};

/// A lock or a cell of an array of locks.
pub(super) fn location(elaborator: &mut Elaborator<'_>, expr: &Expr) -> Option<LockRef> {
    if let Expr::NameExpr(name) = expr
        && name.token().is_some_and(|token| elaborator.scope.find(token.text()).is_some())
    {
        return argument(elaborator, expr);
    }
    let Place { info, indices, at } = Place::of(elaborator, expr, not_a_lock)?;
    let Some(lock) = info.lock else {
        elaborator.out.push(not_a_lock(at));
        return None;
    };
    let arity = elaborator.env.check_arity(&info, indices.len(), at);
    elaborator.out.accept(arity)?;
    Some(LockRef { lock, index: indices.into_iter().next() })
}

/// A parameter of a predicate that stands for a lock.
fn argument(elaborator: &mut Elaborator<'_>, expr: &Expr) -> Option<LockRef> {
    let Phrase::Term(Term::Read { symbol, indices, .. }, Type::Lock(_)) = elaborator.phrase(expr) else {
        if elaborator.context != Context::Predicate {
            elaborator.out.push(not_a_lock(expr.span()));
        }
        return None;
    };
    let locks = &elaborator.env.threads.as_ref()?.locks;
    let lock = locks.iter().position(|lock| lock.state == symbol)?;
    Some(LockRef { lock, index: indices.into_iter().next() })
}

fn not_a_lock(at: Span) -> Diagnostic {
    Diagnostic::error("expected-lock", at, "expected a lock, a condition or a semaphore")
        .help("locks are variables or cells of type `lock`, `rlock`, `condition` or `semaphore`")
}

/// `active(i)`
pub(super) fn active(elaborator: &mut Elaborator<'_>, call: &Call) -> Phrase {
    let [process] = call.arguments.as_slice() else {
        elaborator.out.push(call.wrong_arguments("active(i)"));
        return Phrase::Unknown;
    };
    let process = elaborator.process(process);
    elaborator.out.extend(misplaced(elaborator.context, call.at));
    let Some(process) = process else { return Phrase::Unknown };
    let threads = elaborator.env.threads.as_ref();
    Phrase::Formula(threads.map_or(Formula::True, |threads| threads.active(process)))
}

/// The state of locks is known at the start.
fn misplaced(context: Context, at: Span) -> Option<Diagnostic> {
    matches!(context, Context::Init | Context::Assume).then(|| {
        Diagnostic::error("lock-state-at-start", at, "the state of locks has no place here")
            .label("at the start every lock is free and nobody waits")
    })
}

/// `free(L)`, `owner(L, i)`, `waiting(L, i)`, `sleeping(C, i)`
pub(super) fn state(elaborator: &mut Elaborator<'_>, call: &Call) -> Phrase {
    let needs_process = call.word != "free";
    let (lock_expr, process) = match call.arguments.as_slice() {
        [lock] if !needs_process => (lock, None),
        [lock, process] if needs_process => (lock, Some(process)),
        _ => {
            let usage = if needs_process { format!("{}(L, i)", call.word) } else { "free(L)".to_owned() };
            elaborator.out.push(call.wrong_arguments(&usage));
            return Phrase::Unknown;
        }
    };
    let lock = location(elaborator, lock_expr);
    let process = process.map(|process| elaborator.process(process));
    elaborator.out.extend(misplaced(elaborator.context, call.at));
    let (Some(lock), Some(threads)) = (lock, &elaborator.env.threads) else { return Phrase::Unknown };
    let process = match process {
        Some(None) => return Phrase::Unknown,
        Some(found) => found,
        None => None,
    };
    let formula = formula(threads, &call.word, &lock, process, lock_expr.span());
    elaborator.out.accept(formula).map_or(Phrase::Unknown, Phrase::Formula)
}

/// What one of the words says of a lock, if it has a meaning for a lock of this kind.
fn formula(
    threads: &ThreadTable,
    word: &str,
    lock: &LockRef,
    process: Option<Term>,
    at: Span,
) -> Checked<Formula> {
    let kind = threads.locks[lock.lock].kind;
    Ok(match (word, kind, process) {
        ("free" | "owner", LockKind::Semaphore, _) => {
            let message = format!("`{word}` of a semaphore has no meaning");
            let error = Diagnostic::error("semaphore-has-no-owner", at, message)
                .label("a semaphore has no owner")
                .help("its value reads as an `int`: `S > 0`");
            return Err(error.into());
        }
        ("free", _, _) => threads.free(lock),
        ("owner", _, Some(process)) => threads.owner(lock, process),
        ("waiting", _, Some(process)) => threads.waiting(lock, process),
        ("sleeping", LockKind::Condition, Some(process)) => threads.sleeping(lock, process),
        _ => {
            let error = Diagnostic::error("expected-condition", at, "one can only sleep on a `condition`");
            return Err(error.label(format!("this is a `{}`", lock_word(kind))).into());
        }
    })
}
