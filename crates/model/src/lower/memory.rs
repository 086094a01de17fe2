//! The rules of weak memory: who may read or write which cell, and where one has to say who reads.

use super::{
    context::Context,
    environment::{Environment, SymbolInfo},
    params::Actor,
    variables::Variables,
};
use ir::{Term, Var};
use source::{Diagnostic, Span};

/// What the rules depend on: the kind of item, and whose step it is.
pub(super) struct MemoryRules<'r> {
    pub(super) env: &'r Environment,
    pub(super) context: Context,
    pub(super) actor: &'r Actor,
    pub(super) variables: &'r Variables,
}

impl MemoryRules<'_> {
    /// What is wrong with a read, by a given process or by the actor.
    pub(super) fn of_read(
        &self,
        info: &SymbolInfo,
        indices: &[Term],
        has_reader: bool,
        at: Span,
    ) -> Option<Diagnostic> {
        if info.weak {
            return (self.context == Context::Property && !has_reader).then(|| {
                let name = self.env.declared_name(info);
                let message = format!("`{name}` is weak: who reads it?");
                Diagnostic::error("weak-read-without-reader", at, message)
                    .label("processes may see different values")
                    .help(format!("write `i@{name}` for what process `i` would read now"))
            });
        }
        let own = || matches!(&indices[0], Term::Var(var) if self.actor.is(*var));
        if self.has_registers(info) && info.arity > 0 && !own() {
            return self.foreign_register(info, at, "read");
        }
        None
    }

    /// What is wrong with a count, which reads cells of all processes.
    pub(super) fn of_count(&self, info: &SymbolInfo, at: Span) -> Option<Diagnostic> {
        if info.weak {
            return (self.context == Context::Property).then(|| {
                Diagnostic::error("weak-read-without-reader", at, "a weak array cannot be counted here")
                    .label("processes may see different values")
            });
        }
        if self.has_registers(info) { self.foreign_register(info, at, "count") } else { None }
    }

    /// What is wrong with writing to a cell with this first index, `None` if it is not a variable.
    pub(super) fn of_write(&self, info: &SymbolInfo, owner: Option<Var>, at: Span) -> Option<Diagnostic> {
        let own = owner.is_some_and(|owner| self.actor.is(owner));
        if self.env.weak && !info.weak && !own { self.foreign_register(info, at, "write") } else { None }
    }

    /// What is wrong with `i@X`.
    pub(super) fn of_reader(&self, info: &SymbolInfo, at: Span) -> Option<Diagnostic> {
        let diagnostic = Diagnostic::error("misplaced-at", at, "`@` has no meaning here");
        if !matches!(self.context, Context::Property | Context::Predicate) {
            return Some(
                diagnostic.label("only in `unsafe`, `invariant`, `final` and temporal properties").help(
                    "in a transition every read is by the process in brackets; `init` describes memory",
                ),
            );
        }
        let name = self.env.declared_name(info);
        (!info.weak).then(|| diagnostic.label(format!("`{name}` is not weak: everybody sees the same value")))
    }

    /// Whether the cells of a symbol that is not weak are registers of processes, in this place.
    fn has_registers(&self, info: &SymbolInfo) -> bool {
        self.env.weak && self.context.in_transition() && !info.constant
    }

    fn foreign_register(&self, info: &SymbolInfo, at: Span, verb: &str) -> Option<Diagnostic> {
        // A missing actor has been reported already.
        let actor = self.variables.name(self.actor.var?);
        let name = self.env.declared_name(info);
        Some(
            Diagnostic::error(
                "foreign-register",
                at,
                format!("`{actor}` cannot {verb} this cell of `{name}`"),
            )
            .label("a register of another process")
            .also(info.at, "not `weak`: each process has its own cell, which nobody else sees")
            .help(format!("declare `{name}` as `weak` if processes communicate through it")),
        )
    }
}
