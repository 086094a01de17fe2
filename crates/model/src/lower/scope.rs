//! The names in scope: parameters, bound variables, `let`, and the arguments of predicates.

use super::{elaborate::Phrase, messages::Messages, types::Type, variables::Variables};
use crate::syntax::ast::{self, AstNode, Expr};
use ir::{Extent, Var};
use source::{Diagnostic, Span};

/// The meaning of a lower-case name.
#[derive(Debug, Clone)]
pub(super) enum Binding {
    Var(Var, Type),
    /// A `let` or an argument of a predicate.
    Phrase(Phrase),
}

/// A name in scope.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) binding: Binding,
    /// The size of what is substituted for the name.
    pub(super) extent: Extent,
    pub(super) at: Span,
    pub(super) used: bool,
}

impl Entry {
    pub(super) fn new(name: String, binding: Binding, at: Span) -> Entry {
        let extent = match &binding {
            Binding::Var(..) => Extent::default(),
            Binding::Phrase(phrase) => phrase.extent(),
        };
        Entry { name, binding, extent, at, used: false }
    }

    /// An entry that causes no warning if it is not used.
    pub(super) fn optional(self) -> Entry {
        Entry { used: true, ..self }
    }

    fn is_of(&self, var: Var) -> bool {
        matches!(self.binding, Binding::Var(own, _) if own == var)
    }

    /// The warning that it is never used.
    fn unused(&self) -> Diagnostic {
        let what = if matches!(self.binding, Binding::Var(..)) { "process variable" } else { "name" };
        let message = format!("the {what} `{}` is never used", self.name);
        Diagnostic::warning("unused-parameter", self.at, message)
    }
}

/// What the names of an item stand for at some place in it, and all its variables.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// Innermost last.
    entries: Vec<Entry>,
    pub(super) variables: Variables,
}

impl Scope {
    /// Brings a variable into scope, and warns if it hides another name.
    pub(super) fn bind(&mut self, name: &ast::Name, ty: Type, out: &mut Messages<'_>) -> Var {
        let var = self.variables.enter(&name.text());
        self.define(name, Binding::Var(var, ty), out);
        var
    }

    /// Brings a name into scope, and warns if it hides another.
    pub(super) fn define(&mut self, name: &ast::Name, binding: Binding, out: &mut Messages<'_>) {
        let text = name.text();
        if text.is_empty() {
            return;
        }
        if let Some(outer) = self.entries.iter().find(|entry| entry.name == text) {
            let message = format!("this `{text}` hides another");
            let warning = Diagnostic::warning("shadowed-variable", name.span(), message);
            out.push(warning.also(outer.at, "the one that is hidden"));
        }
        self.push(Entry::new(text, binding, name.span()));
    }

    pub(super) fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// A place to [leave](Self::leave) the scope to.
    pub(super) fn depth(&self) -> usize {
        self.entries.len()
    }

    /// Drops the names beyond this depth, and warns about those that were never used.
    pub(super) fn leave(&mut self, depth: usize, out: &mut Messages<'_>) {
        for entry in self.entries.split_off(depth) {
            if let Binding::Var(var, _) = entry.binding {
                self.variables.leave(var);
            }
            if !entry.used && out.sound() {
                out.push(entry.unused());
            }
        }
    }

    /// Replaces all names, and returns the old ones: nothing of the caller is in scope in a predicate.
    pub(super) fn replace(&mut self, entries: Vec<Entry>) -> Vec<Entry> {
        std::mem::replace(&mut self.entries, entries)
    }

    /// The innermost entry of a name.
    pub(super) fn find(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().rev().find(|entry| entry.name == name)
    }

    /// The innermost entry of a name, which counts as used from now on.
    pub(super) fn used(&mut self, name: &str) -> Option<&Entry> {
        let entry = self.entries.iter_mut().rev().find(|entry| entry.name == name)?;
        entry.used = true;
        Some(entry)
    }

    /// Variables that count as used, whether something mentions them or not.
    pub(super) fn mark_used(&mut self, variables: &[Var]) {
        let is_one = |entry: &Entry| variables.iter().any(|var| entry.is_of(*var));
        self.entries.iter_mut().filter(|entry| is_one(entry)).for_each(|entry| entry.used = true);
    }

    /// All names, innermost last.
    pub(super) fn names(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    /// Whether an expression is nothing but the name of a variable.
    pub(super) fn is_name_of(&self, expr: &Expr, var: Var) -> bool {
        let Expr::NameExpr(name) = expr else { return false };
        let Some(token) = name.token() else { return false };
        self.find(token.text()).is_some_and(|entry| entry.is_of(var))
    }
}
