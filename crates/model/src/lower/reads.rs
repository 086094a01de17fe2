//! Reading symbols: indices, and the restrictions on reads under a weak memory model.

use super::{
    elaborate::{Context, Elaborator, Phrase, count},
    environment::{Meaning, SymbolInfo},
    types::Type,
};
use crate::syntax::ast::{self, AstNode, Expr};
use ir::{LockKind, Term, Var};
use source::{Diagnostic, Span};

impl Elaborator<'_> {
    /// `A[t, …]`, optionally read by a given process.
    pub(super) fn cell(&mut self, cell: &ast::IndexExpr, reader: Option<Term>) -> Option<(Term, Type)> {
        let (info, indices) = self.location(cell)?;
        self.read(&info, indices, reader, cell.span())
    }

    /// The array and the indices of `A[t, …]`.
    pub(super) fn location(&mut self, cell: &ast::IndexExpr) -> Option<(SymbolInfo, Vec<Term>)> {
        let token = cell.array()?.token()?;
        let exprs: Vec<Expr> = cell.list()?.indices().collect();
        let indices: Vec<Option<Term>> = exprs.iter().map(|index| self.process(index)).collect();
        let info = match self.env.lookup(token.text()) {
            Some(Meaning::Symbol(info)) => info.clone(),
            Some(Meaning::Constructor(..)) => {
                self.out.push(
                    Diagnostic::error(
                        "not-an-array",
                        token.text_range(),
                        format!("`{}` is a constructor, not an array", token.text()),
                    )
                    .label("has no cells"),
                );
                return None;
            }
            Some(Meaning::Broken) => return None,
            None => {
                self.unknown_name(&token);
                return None;
            }
        };
        Some((info, indices.into_iter().collect::<Option<_>>()?))
    }

    /// The symbol and the indices of `A` or `A[t, …]`; anything else is reported by `complain`.
    pub(super) fn place(
        &mut self,
        expr: &Expr,
        complain: fn(&mut Self, Span),
    ) -> Option<(SymbolInfo, Vec<Term>)> {
        match expr {
            Expr::IndexExpr(cell) => return self.location(cell),
            Expr::NameExpr(name) => match self.env.lookup(name.token()?.text()) {
                Some(Meaning::Symbol(info)) => return Some((info.clone(), vec![])),
                Some(Meaning::Broken) => return None,
                _ => {}
            },
            _ => {}
        }
        complain(self, expr.span());
        None
    }

    /// The value of a symbol, after checking all rules about reads.
    pub(super) fn read(
        &mut self,
        info: &SymbolInfo,
        indices: Vec<Term>,
        reader: Option<Term>,
        at: Span,
    ) -> Option<(Term, Type)> {
        if !self.check_arity(info, indices.len(), at) {
            return None;
        }
        self.mentions.symbols.push(info.id);
        self.check_memory(info, &indices, reader.is_some(), at);
        let ty = match info.ty {
            Type::Lock(LockKind::Semaphore) => Type::Int,
            ty => ty,
        };
        Some((Term::Read { symbol: info.id, indices, reader: reader.map(Box::new) }, ty))
    }

    pub(super) fn check_arity(&mut self, info: &SymbolInfo, found: usize, at: Span) -> bool {
        if info.arity == found {
            return true;
        }
        let name = self.declared_name(info);
        let message = match (info.arity, found) {
            (0, _) => format!("`{name}` is not an array"),
            (arity, 0) => format!("`{name}` is an array: it needs {}", count(arity, "index", "indices")),
            (arity, _) => format!("`{name}` has {}, found {found}", count(arity, "index", "indices")),
        };
        self.out.push(Diagnostic::error("wrong-indices", at, message).also(info.at, "declared here"));
        false
    }

    /// The name of a symbol as the user declared it.
    pub(super) fn declared_name(&self, info: &SymbolInfo) -> String {
        match (info.lock, &self.env.threads) {
            (Some(lock), Some(threads)) => threads.locks[lock].name.clone(),
            _ => self.env.symbols[info.id.index()].name.clone(),
        }
    }

    /// Checks the restrictions on reads under a weak memory model.
    fn check_memory(&mut self, info: &SymbolInfo, indices: &[Term], has_reader: bool, at: Span) {
        if info.weak {
            self.mentions.weak |= self.context.in_transition();
            if self.context == Context::Property && !has_reader {
                let name = self.declared_name(info);
                self.out.push(
                    Diagnostic::error(
                        "weak-read-without-reader",
                        at,
                        format!("`{name}` is weak: who reads it?"),
                    )
                    .label("processes may see different values")
                    .help(format!("write `i@{name}` for what process `i` would read now")),
                );
            }
        } else if self.env.weak && self.context.in_transition() && !info.constant && info.arity > 0 {
            let own = matches!(&indices[0], Term::Var(var) if self.is_actor(*var));
            if !own {
                self.foreign_register(info, at, "read");
            }
        }
    }

    pub(super) fn is_actor(&self, var: Var) -> bool {
        self.actor.is(var)
    }

    pub(super) fn foreign_register(&mut self, info: &SymbolInfo, at: Span, verb: &str) {
        // A missing actor has been reported already.
        let Some(actor) = self.actor.var else { return };
        let (name, actor) = (self.declared_name(info), self.variables.name(actor).to_owned());
        self.out.push(
            Diagnostic::error(
                "foreign-register",
                at,
                format!("`{actor}` cannot {verb} this cell of `{name}`"),
            )
            .label("a register of another process")
            .also(info.at, "not `weak`: each process has its own cell, which nobody else sees")
            .help(format!("declare `{name}` as `weak` if processes communicate through it")),
        );
    }

    /// `i@X`
    pub(super) fn at(&mut self, at: &ast::AtExpr) -> Phrase {
        let (Some(reader), Some(location)) = (at.reader(), at.location()) else { return Phrase::Unknown };
        let reader = self.process(&Expr::NameExpr(reader));
        let found = match &location {
            Expr::IndexExpr(cell) => self.location(cell),
            Expr::NameExpr(name) => self.variable(name).map(|info| (info, vec![])),
            _ => None,
        };
        let (Some(reader), Some((info, indices))) = (reader, found) else { return Phrase::Unknown };
        self.check_at(&info, at.span());
        let read = self.read(&info, indices, Some(reader), location.span());
        read.map_or(Phrase::Unknown, |(term, ty)| Phrase::Term(term, ty))
    }

    /// The variable of a name; constructors cannot have a reader.
    fn variable(&mut self, name: &ast::NameExpr) -> Option<SymbolInfo> {
        let token = name.token()?;
        match (self.env.lookup(token.text()), token.text()) {
            (Some(Meaning::Symbol(info)), _) => return Some(info.clone()),
            (Some(Meaning::Constructor(..)), _) | (None, "True" | "False") => {
                let message = format!("`{}` is not a variable", token.text());
                self.out.push(
                    Diagnostic::error("misplaced-at", token.text_range(), message).label("cannot be read"),
                );
            }
            (Some(Meaning::Broken), _) => {}
            (None, _) => self.unknown_name(&token),
        }
        None
    }

    fn check_at(&mut self, info: &SymbolInfo, at: Span) {
        let diagnostic = Diagnostic::error("misplaced-at", at, "`@` has no meaning here");
        if !matches!(self.context, Context::Property | Context::Predicate) {
            self.out.push(
                diagnostic.label("only in `unsafe`, `invariant`, `final` and temporal properties").help(
                    "in a transition every read is by the process in brackets; `init` describes memory",
                ),
            );
        } else if !info.weak {
            let name = self.declared_name(info);
            self.out.push(diagnostic.label(format!("`{name}` is not weak: everybody sees the same value")));
        }
    }
}
