//! Lock operations: `acquire`, `release`, `wait`, `notify`, `notify_all`.

use super::{
    locks,
    threads::{LockRef, Operation},
    transitions::Body,
    types::lock_word,
};
use crate::syntax::{
    LEFTOVERS,
    ast::{self, AstNode, Expr},
};
use ir::{LockKind, Term};
use source::{Diagnostic, Span, nearest};

impl Body<'_> {
    /// `acquire(L, i)` and the like.
    pub(super) fn primitive(&mut self, item: &ast::Primitive) {
        let Some(name) = item.name() else { return };
        let arguments: Vec<Expr> = item.arguments().into_iter().flat_map(|list| list.arguments()).collect();
        let Some((_, operation)) = Operation::ALL.iter().find(|(word, _)| *word == name.text()) else {
            // The parser has already rejected undocumented words of CFL.
            if LEFTOVERS.contains(&name.text().as_str()) {
                return;
            }
            let words = Operation::ALL.iter().map(|(word, _)| *word);
            let candidate = synonym(&name.text()).or_else(|| nearest(&name.text(), words));
            self.elaborator.out.push(
                Diagnostic::error(
                    "unknown-primitive",
                    name.span(),
                    format!("unknown statement `{}`", name.text()),
                )
                .label("not `acquire`, `release`, `wait`, `notify` or `notify_all`")
                .did_you_mean(candidate),
            );
            return;
        };
        let [lock, process] = arguments.as_slice() else {
            self.elaborator.out.push(
                Diagnostic::error(
                    "wrong-arguments",
                    item.span(),
                    format!("`{}` is written `{0}(L, i)`", name.text()),
                )
                .label("needs a lock and the process that acts"),
            );
            return;
        };
        self.check_single_primitive(item.span());
        let reference = locks::location(&mut self.elaborator, lock);
        let acts = self.check_actor(&name, process, item.span());
        let Some(reference) = reference else { return };
        if self.check_condition(*operation, &name, &reference, lock.span()) && acts {
            self.primitive.get_or_insert((*operation, reference, item.span()));
        }
    }

    fn check_single_primitive(&mut self, at: Span) {
        if let Some(first) = self.primitive_at {
            self.elaborator.out.push(
                Diagnostic::error("several-primitives", at, "a transition has at most one lock operation")
                    .label("a second one")
                    .also(first, "the first")
                    .help("a process that must wait half way through a step would break the step in two: use two transitions"),
            );
        }
        self.primitive_at.get_or_insert(at);
    }

    fn check_actor(&mut self, name: &ast::Name, process: &Expr, at: Span) -> bool {
        let found = self.elaborator.process(process);
        let Some(actor) = self.elaborator.actor.var else {
            self.elaborator.out.push(
                Diagnostic::error(
                    "primitive-without-actor",
                    at,
                    format!("`{}` needs a transition with an actor", name.text()),
                )
                .label("who would wait?")
                .help("put the process that acts in brackets: `transition t ([i])`"),
            );
            return false;
        };
        let own = found == Some(Term::Var(actor));
        if !own && found.is_some() {
            let actor = self.elaborator.scope.variables.name(actor).to_owned();
            self.elaborator.out.push(
                Diagnostic::error(
                    "primitive-of-another",
                    process.span(),
                    format!("only the actor can `{}`", name.text()),
                )
                .label("not the process in brackets")
                .fix(process.span(), actor.clone(), format!("the actor is `{actor}`")),
            );
        }
        own
    }

    fn check_condition(&mut self, operation: Operation, name: &ast::Name, lock: &LockRef, at: Span) -> bool {
        let Some(threads) = &self.elaborator.env.threads else { return false };
        let kind = threads.locks[lock.lock].kind;
        if operation.needs_condition() && kind != LockKind::Condition {
            self.elaborator.out.push(
                Diagnostic::error(
                    "expected-condition",
                    at,
                    format!("`{}` works on a `condition` only", name.text()),
                )
                .label(format!("this is a `{}`", lock_word(kind))),
            );
            return false;
        }
        true
    }
}

/// Our name for a lock operation of other libraries.
fn synonym(word: &str) -> Option<&'static str> {
    Some(match word {
        "lock" | "down" | "enter" => "acquire",
        "unlock" | "up" | "leave" => "release",
        "signal" => "notify",
        "broadcast" | "notifyAll" => "notify_all",
        "sleep" | "await" => "wait",
        _ => return None,
    })
}
