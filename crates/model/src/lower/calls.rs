//! Everything with the syntax of a call: predicates, `count`, `fence()` and the state of locks.

use super::{
    elaborate::{Context, Elaborator, Phrase, count},
    environment::SymbolInfo,
    threads::Operation,
    types::Type,
};
use crate::syntax::{
    LEFTOVERS,
    ast::{self, AstNode, Expr},
};
use ir::{Formula, LockKind, Term};
use source::{Diagnostic, Span, nearest};

const BUILT_IN: &[&str] = &["count", "fence", "free", "owner", "waiting", "sleeping", "active"];

impl Elaborator<'_> {
    /// Predicates take precedence over built-in names.
    pub(super) fn call(&mut self, call: &ast::CallExpr) -> Phrase {
        let Some(name) = call.name() else { return Phrase::Unknown };
        let arguments: Vec<Expr> = call.arguments().into_iter().flat_map(|list| list.arguments()).collect();
        let word = name.text();
        if self.env.predicates.contains_key(&word) {
            let arguments = arguments.iter().map(|argument| self.argument(argument)).collect();
            return self.expand_predicate(&word, arguments, call.span());
        }
        match word.as_str() {
            "count" => self.count(&arguments, call.span()),
            "fence" => self.fence(&arguments, call.span()),
            "active" => self.active(&arguments, call.span()),
            "free" | "owner" | "waiting" | "sleeping" => self.lock_state(&word, &arguments, call.span()),
            _ => {
                self.unknown_predicate(&word, name.span());
                // Errors in the arguments are reported nevertheless.
                arguments.iter().for_each(|argument| drop(self.argument(argument)));
                Phrase::Unknown
            }
        }
    }

    fn unknown_predicate(&mut self, word: &str, at: Span) {
        if LEFTOVERS.contains(&word) {
            return;
        }
        let diagnostic = Diagnostic::error("unknown-predicate", at, format!("unknown predicate `{word}`"));
        if Operation::ALL.iter().any(|(operation, _)| *operation == word) {
            self.out.push(
                diagnostic.label("a statement, not a formula").help(format!(
                    "`{word}` belongs in the body of the transition, after `requires {{ … }}`"
                )),
            );
            return;
        }
        let known = self.env.predicates.keys().map(String::as_str).chain(BUILT_IN.iter().copied());
        let candidate = if self.out.is_full() { None } else { nearest(word, known) };
        self.out.push(diagnostic.label("not declared").did_you_mean(candidate));
    }

    fn wrong_arguments(&mut self, word: &str, usage: &str, at: Span) -> Phrase {
        self.out.push(Diagnostic::error("wrong-arguments", at, format!("`{word}` is written `{usage}`")));
        Phrase::Unknown
    }

    /// `fence()`: waits for the actor's store buffer to be empty.
    fn fence(&mut self, arguments: &[Expr], at: Span) -> Phrase {
        if !arguments.is_empty() {
            return self.wrong_arguments("fence", "fence()", at);
        }
        let diagnostic = Diagnostic::error("misplaced-fence", at, "`fence()` has no meaning here");
        if !matches!(self.context, Context::Guard | Context::Predicate) {
            self.out.push(diagnostic.label("only under `requires`"));
        } else if !self.env.weak && self.context == Context::Guard {
            self.out.push(diagnostic.label("no symbol of this model is `weak`, so nothing is ever buffered"));
        }
        Phrase::Formula(Formula::Fence)
    }

    /// `count(A, v)`, `count(A[i], v)`, `count(A, _)`, `count(A[i], _)`
    fn count(&mut self, arguments: &[Expr], at: Span) -> Phrase {
        let [array, value] = arguments else {
            return self.wrong_arguments("count", "count(A, v)", at);
        };
        let row = self.row(array);
        let value = match value {
            Expr::Wildcard(_) => None,
            value => Some((self.term(value), value.span())),
        };
        let Some((info, row)) = row else { return Phrase::Unknown };
        if row.len() >= info.arity {
            let name = self.declared_name(&info);
            let message = if info.arity == 0 {
                format!("`{name}` is not an array: there is nothing to count")
            } else {
                format!(
                    "`{name}` with {} is one cell: there is nothing to count",
                    count(row.len(), "index", "indices")
                )
            };
            self.out.push(
                Diagnostic::error("wrong-indices", array.span(), message).also(info.at, "declared here"),
            );
            return Phrase::Unknown;
        }
        match value {
            None if info.arity - row.len() == 1 => Phrase::Term(Term::ProcessCount, Type::Int),
            None => Phrase::Term(Term::Count { symbol: info.id, row, value: None }, Type::Int),
            Some((None, _)) => Phrase::Unknown,
            Some((Some((value, ty)), value_at)) => {
                if !self.check_counted(&info, ty, value_at) {
                    return Phrase::Unknown;
                }
                Phrase::Term(Term::Count { symbol: info.id, row, value: Some(Box::new(value)) }, Type::Int)
            }
        }
    }

    /// The array of a `count` and the indices that are fixed.
    fn row(&mut self, array: &Expr) -> Option<(SymbolInfo, Vec<Term>)> {
        let found = self.place(array, Self::not_countable)?;
        if let Type::Lock(kind) = found.0.ty
            && kind != LockKind::Semaphore
        {
            self.lock_as_value(kind, array.span());
            return None;
        }
        self.mentions.symbols.push(found.0.id);
        self.check_counted_memory(&found.0, array.span());
        Some(found)
    }

    fn not_countable(&mut self, at: Span) {
        self.out.push(Diagnostic::error(
            "wrong-arguments",
            at,
            "the first argument of `count` is an array, or a row of one",
        ));
    }

    /// Checks the rules of weak memory for a count, which reads cells of all processes.
    fn check_counted_memory(&mut self, info: &SymbolInfo, at: Span) {
        let in_transition = matches!(self.context, Context::Guard | Context::Body);
        if info.weak {
            self.mentions.weak |= in_transition;
            if self.context == Context::Property {
                self.out.push(
                    Diagnostic::error("weak-read-without-reader", at, "a weak array cannot be counted here")
                        .label("processes may see different values"),
                );
            }
        } else if self.env.weak && in_transition && !info.constant {
            self.foreign_register(info, at, "count");
        }
    }

    fn check_counted(&mut self, info: &SymbolInfo, ty: Type, at: Span) -> bool {
        let fits = info.ty.fits(ty);
        if !fits {
            let (cell, found) = (info.ty.describe(self.env), ty.describe(self.env));
            self.out.push(
                Diagnostic::error("type-mismatch", at, format!("the cells have type {cell}, found {found}"))
                    .also(info.at, "declared here"),
            );
        }
        fits
    }

    /// `active(i)`
    fn active(&mut self, arguments: &[Expr], at: Span) -> Phrase {
        let [process] = arguments else {
            return self.wrong_arguments("active", "active(i)", at);
        };
        let process = self.process(process);
        self.check_lock_context(at);
        let Some(process) = process else { return Phrase::Unknown };
        let active = self.env.threads.as_ref().map_or(Formula::True, |threads| threads.active(process));
        Phrase::Formula(active)
    }

    fn check_lock_context(&mut self, at: Span) {
        if matches!(self.context, Context::Init | Context::Assume) {
            self.out.push(
                Diagnostic::error("lock-state-at-start", at, "the state of locks has no place here")
                    .label("at the start every lock is free and nobody waits"),
            );
        }
    }

    /// `free(L)`, `owner(L, i)`, `waiting(L, i)`, `sleeping(C, i)`
    fn lock_state(&mut self, word: &str, arguments: &[Expr], at: Span) -> Phrase {
        let needs_process = word != "free";
        let (lock_expr, process_expr) = match arguments {
            [lock] if !needs_process => (lock, None),
            [lock, process] if needs_process => (lock, Some(process)),
            _ => {
                let usage = if needs_process { format!("{word}(L, i)") } else { "free(L)".to_owned() };
                return self.wrong_arguments(word, &usage, at);
            }
        };
        let lock = self.lock_location(lock_expr);
        let process = process_expr.map(|process| self.process(process));
        self.check_lock_context(at);
        let Some(lock) = lock else { return Phrase::Unknown };
        let process = match process {
            Some(None) => return Phrase::Unknown,
            Some(found) => found,
            None => None,
        };
        let Some(threads) = &self.env.threads else { return Phrase::Unknown };
        let kind = threads.locks[lock.lock].kind;
        let formula = match (word, kind, process) {
            ("free" | "owner", LockKind::Semaphore, _) => {
                self.out.push(
                    Diagnostic::error(
                        "semaphore-has-no-owner",
                        lock_expr.span(),
                        format!("`{word}` of a semaphore has no meaning"),
                    )
                    .label("a semaphore has no owner")
                    .help("its value reads as an `int`: `S > 0`"),
                );
                return Phrase::Unknown;
            }
            ("free", _, _) => threads.free(&lock),
            ("owner", _, Some(process)) => threads.owner(&lock, process),
            ("waiting", _, Some(process)) => threads.waiting(&lock, process),
            ("sleeping", LockKind::Condition, Some(process)) => threads.sleeping(&lock, process),
            _ => {
                self.out.push(
                    Diagnostic::error(
                        "expected-condition",
                        lock_expr.span(),
                        "one can only sleep on a `condition`",
                    )
                    .label(format!("this is a `{}`", super::types::lock_word(kind))),
                );
                return Phrase::Unknown;
            }
        };
        Phrase::Formula(formula)
    }
}
