//! Formulas and terms: names resolved, types checked, sugar removed.

use super::{
    environment::{Environment, Meaning},
    expansion::{Expansion, TooLarge},
    types::Type,
    variables::Variables,
};
use crate::syntax::{
    SyntaxKind, SyntaxToken,
    ast::{self, AstNode, Expr},
};
use ir::{Extent, Formula, Linear, Number, Sort, SymbolId, Term, Var};
use source::{Diagnostic, Diagnostics, Span, nearest};

/// The kind of item that a formula belongs to, which decides what may occur in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    Init,
    /// `unsafe`, `invariant`, `final`, and the atoms of temporal properties.
    Property,
    Assume,
    Guard,
    /// Conditions, values and indices of a transition's body.
    Body,
    /// The body of a predicate, checked on its own before it is used.
    Predicate,
}

/// Whether a word stands for a null value in other languages.
fn is_null(word: &str) -> bool {
    ["null", "nil", "none", "nobody", "undefined", "bottom"].contains(&word.to_ascii_lowercase().as_str())
}

const NO_NULL: &str = "there is no such value: declare `const Nobody : proc` and say `init (p) { Nobody <> p }`, which makes it none of the processes";

impl Context {
    /// Advice on how to bind a process variable in this context.
    fn how_to_bind(self, name: &str) -> Option<String> {
        match self {
            Context::Init => {
                Some(format!("`init ({name}) {{ … }}` says something of every process `{name}`"))
            }
            Context::Property => Some(format!(
                "a parameter stands for some process: `unsafe ({name}) {{ … }}`; `ltl p ({name}) {{ … }}` is about every process; in `final` bind it: `exists {name}. …`"
            )),
            Context::Assume => {
                Some(format!("a parameter stands for some process: `assume ({name}) {{ … }}`"))
            }
            Context::Guard | Context::Body => {
                Some(format!("add it to the parameters of the transition: `transition t ({name})`"))
            }
            Context::Predicate => None,
        }
    }

    pub(super) fn in_transition(self) -> bool {
        matches!(self, Context::Guard | Context::Body)
    }
}

/// The result of elaborating an expression.
#[derive(Debug, Clone)]
pub(super) enum Phrase {
    Term(Term, Type),
    Formula(Formula),
    /// An error that has been reported, or a parameter of a predicate that is checked on its own.
    Unknown,
}

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
    extent: Extent,
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
}

impl Phrase {
    /// Its number of terms and formulas, and its nesting depth.
    fn extent(&self) -> Extent {
        match self {
            Phrase::Term(term, _) => term.extent(),
            Phrase::Formula(formula) => formula.extent(),
            Phrase::Unknown => Extent::default(),
        }
    }
}

/// What the text of an item mentions, even if simplification removes it.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    pub(super) symbols: Vec<SymbolId>,
    /// The largest `k` of a `#k` that occurs.
    pub(super) named_processes: u32,
    /// Whether a transition reads a weak symbol.
    pub(super) weak: bool,
}

/// The process that acts in a transition.
#[derive(Debug, Default)]
pub(super) struct Actor {
    pub(super) var: Option<Var>,
    /// In arms with a condition such as `k = i`: other variables that denote the actor.
    pub(super) aliases: Vec<Var>,
}

impl Actor {
    pub(super) fn is(&self, var: Var) -> bool {
        self.var == Some(var) || self.aliases.contains(&var)
    }
}

/// Elaborates the formulas of one item.
pub(super) struct Elaborator<'a> {
    pub(super) env: &'a Environment,
    pub(super) out: &'a mut Diagnostics,
    /// The number of errors before this item.
    errors_before: usize,
    pub(super) context: Context,
    /// Names in scope, innermost last.
    pub(super) scope: Vec<Entry>,
    pub(super) variables: Variables,
    /// The parameters of the item.
    pub(super) params: Vec<Var>,
    pub(super) actor: Actor,
    pub(super) mentions: Mentions,
    pub(super) expansion: Expansion,
}

impl<'a> Elaborator<'a> {
    pub(super) fn new(env: &'a Environment, out: &'a mut Diagnostics, context: Context) -> Elaborator<'a> {
        Elaborator {
            env,
            errors_before: out.errors(),
            out,
            context,
            scope: vec![],
            variables: Variables::default(),
            params: vec![],
            actor: Actor::default(),
            mentions: Mentions::default(),
            expansion: Expansion::default(),
        }
    }

    /// Whether the item has no error so far and the file could be parsed; otherwise a warning may be a consequence of
    /// an error.
    pub(super) fn sound(&self) -> bool {
        self.env.well_formed && self.out.errors() == self.errors_before
    }

    /// A formula.
    pub(super) fn formula(&mut self, expr: &Expr) -> Formula {
        match self.phrase(expr) {
            Phrase::Formula(formula) => formula,
            Phrase::Term(term, Type::BOOL) => Formula::eq(term, Term::boolean(true)),
            Phrase::Term(_, Type::Lock(kind)) => {
                self.lock_as_value(kind, expr.span());
                Formula::True
            }
            Phrase::Term(_, ty) => {
                let found = ty.describe(self.env);
                self.out.push(
                    Diagnostic::error("expected-formula", expr.span(), "expected a formula, found a term")
                        .label(format!("a term of type {found}"))
                        .help("compare it with something, as in `X = A` or `X < 3`"),
                );
                Formula::True
            }
            Phrase::Unknown => Formula::True,
        }
    }

    /// A term with its type; `None` if it has an error.
    pub(super) fn term(&mut self, expr: &Expr) -> Option<(Term, Type)> {
        match self.phrase(expr) {
            Phrase::Term(term, ty) => Some((term, ty)),
            Phrase::Formula(formula) => {
                let diagnostic =
                    Diagnostic::error("expected-term", expr.span(), "expected a term, found a formula")
                        .label("true or false, but no value");
                let literal = matches!(expr, Expr::Literal(_));
                self.out.push(match formula {
                    Formula::True if literal => diagnostic.fix(expr.span(), "True", "the value of type `bool` is written"),
                    Formula::False if literal => diagnostic.fix(expr.span(), "False", "the value of type `bool` is written"),
                    _ => diagnostic.help("a value that depends on a condition is written `case | condition : True | _ : False`"),
                });
                None
            }
            Phrase::Unknown => None,
        }
    }

    /// A term of sort `proc`.
    pub(super) fn process(&mut self, expr: &Expr) -> Option<Term> {
        let (term, ty) = self.term(expr)?;
        if ty.sort() == Sort::Proc && !matches!(ty, Type::Lock(_)) {
            return Some(term);
        }
        let found = ty.describe(self.env);
        self.out.push(
            Diagnostic::error("expected-process", expr.span(), format!("expected a process, found {found}"))
                .label("not a process"),
        );
        None
    }

    /// A term or a formula, whichever it is.
    pub(super) fn phrase(&mut self, expr: &Expr) -> Phrase {
        if self.expansion.gave_up {
            return Phrase::Unknown;
        }
        if let Err(TooLarge) = self.expansion.enter() {
            self.too_large(expr.span());
            return Phrase::Unknown;
        }
        let phrase = self.phrase_inner(expr);
        self.expansion.leave();
        phrase
    }

    fn too_large(&mut self, at: Span) {
        self.expansion.gave_up = true;
        for predicate in self.expansion.predicates.iter().filter_map(|name| self.env.predicates.get(name)) {
            predicate.too_large.set(true);
        }
        let message = match self.expansion.predicates.first() {
            Some(name) => format!("the formula is too large once `{name}` is substituted"),
            None => "this is too large once all names are substituted".to_owned(),
        };
        self.out.push(
            Diagnostic::error("predicate-too-large", at, message)
                .help("predicates and `let` that use each other more than once grow exponentially"),
        );
    }

    fn phrase_inner(&mut self, expr: &Expr) -> Phrase {
        match expr {
            Expr::Literal(literal) => self.literal(literal),
            Expr::NameExpr(name) => self.name(name),
            Expr::IndexExpr(cell) => {
                self.cell(cell, None).map_or(Phrase::Unknown, |(term, ty)| Phrase::Term(term, ty))
            }
            Expr::AtExpr(at) => self.at(at),
            Expr::CallExpr(call) => self.call(call),
            Expr::Wildcard(wildcard) => {
                self.out.push(
                    Diagnostic::error("misplaced-wildcard", wildcard.span(), "`_` has no meaning here")
                        .help("`_` is the last arm of a `case`, or what `count(A, _)` counts"),
                );
                Phrase::Unknown
            }
            Expr::ParenExpr(paren) => paren.inner().map_or(Phrase::Unknown, |inner| self.phrase(&inner)),
            Expr::NotExpr(not) => self.connective(not.operand(), |[f]| f.not()),
            Expr::AndExpr(and) => self.junction(and.operands(), Formula::and),
            Expr::OrExpr(or) => self.junction(or.operands(), Formula::or),
            Expr::ImpliesExpr(implies) => self.connective(implies.operands(), |[f, g]| f.implies(g)),
            Expr::IffExpr(iff) => self.connective(iff.operands(), |[f, g]| f.iff(g)),
            Expr::IfExpr(ite) => self.connective(ite.parts(), |[c, f, g]| Formula::if_then_else(c, f, g)),
            Expr::CompareExpr(compare) => Phrase::Formula(self.compare(compare)),
            Expr::QuantifiedExpr(quantified) => Phrase::Formula(self.quantified(quantified)),
            Expr::NegExpr(_) | Expr::SumExpr(_) | Expr::ProductExpr(_) => self.arithmetic(expr),
        }
    }

    /// A connective with a fixed number of operands, some of which may be missing after a syntax error.
    fn connective<const N: usize>(
        &mut self,
        operands: impl IntoIterator<Item = Expr>,
        build: impl FnOnce([Formula; N]) -> Formula,
    ) -> Phrase {
        let operands: Vec<Formula> = operands.into_iter().map(|operand| self.formula(&operand)).collect();
        operands.try_into().map_or(Phrase::Unknown, |operands| Phrase::Formula(build(operands)))
    }

    fn junction(
        &mut self,
        operands: impl IntoIterator<Item = Expr>,
        build: impl FnOnce(Vec<Formula>) -> Formula,
    ) -> Phrase {
        Phrase::Formula(build(operands.into_iter().map(|operand| self.formula(&operand)).collect()))
    }

    fn literal(&mut self, literal: &ast::Literal) -> Phrase {
        let Some(token) = literal.token() else { return Phrase::Unknown };
        let (sort, ty) = match token.kind() {
            SyntaxKind::TrueKw => return Phrase::Formula(Formula::True),
            SyntaxKind::FalseKw => return Phrase::Formula(Formula::False),
            SyntaxKind::Real => (Sort::Real, Type::Real),
            _ => (Sort::Int, Type::Int),
        };
        if let Some(number) = Number::parse(token.text()) {
            Phrase::Term(Term::Linear(Linear::constant(sort, number)), ty)
        } else {
            self.out.push(number_too_large(token.text_range()));
            Phrase::Unknown
        }
    }

    fn name(&mut self, name: &ast::NameExpr) -> Phrase {
        let Some(token) = name.token() else { return Phrase::Unknown };
        match token.kind() {
            SyntaxKind::ProcessConstant => self.process_constant(&token),
            SyntaxKind::LowerName => self.lower_name(&token),
            _ => self.upper_name(&token),
        }
    }

    fn process_constant(&mut self, token: &SyntaxToken) -> Phrase {
        let number = token.text()[1..].parse().unwrap_or(u32::MAX);
        self.mentions.named_processes = self.mentions.named_processes.max(number);
        let limit = self.env.max_processes;
        if limit.is_none_or(|limit| number > limit) {
            let diagnostic = Diagnostic::error(
                "unknown-process",
                token.text_range(),
                format!("there is no process `{}`", token.text()),
            );
            self.out.push(match limit {
                Some(limit) => diagnostic.label(format!("the last one is `#{limit}`")),
                None => diagnostic.help(format!(
                    "`number_procs {number}` at the top of the file declares the processes up to `#{number}`"
                )),
            });
            return Phrase::Unknown;
        }
        Phrase::Term(Term::Process(number), Type::Proc(None))
    }

    fn lower_name(&mut self, token: &SyntaxToken) -> Phrase {
        if let Some(phrase) = self.in_scope(token) {
            return phrase;
        }
        if self.env.lookup(token.text()).is_some() {
            // Declared in the wrong case, which has been reported.
            return self.upper_name(token);
        }
        let known = self.scope.iter().map(|entry| entry.name.as_str());
        let candidate = nearest(token.text(), known).or_else(|| {
            // The lower-case spelling of a declared symbol.
            let upper = self.env.nearest_name(token.text())?;
            upper.eq_ignore_ascii_case(token.text()).then_some(upper)
        });
        let mut diagnostic = Diagnostic::error(
            "unknown-name",
            token.text_range(),
            format!("unknown process variable `{}`", token.text()),
        )
        .label("not a parameter and not bound here")
        .did_you_mean(candidate);
        if self.env.predicates.contains_key(token.text()) {
            diagnostic =
                diagnostic.help(format!("a predicate is used with its arguments: `{}(…)`", token.text()));
        } else if is_null(token.text()) {
            diagnostic = diagnostic.help(NO_NULL);
        } else if candidate.is_none() {
            diagnostic =
                self.context.how_to_bind(token.text()).into_iter().fold(diagnostic, Diagnostic::help);
        }
        self.out.push(diagnostic);
        Phrase::Unknown
    }

    /// What a name in scope stands for.
    fn in_scope(&mut self, token: &SyntaxToken) -> Option<Phrase> {
        let entry = self.scope.iter_mut().rev().find(|entry| entry.name == token.text())?;
        entry.used = true;
        if let Err(TooLarge) = self.expansion.substitute(entry.extent) {
            self.too_large(token.text_range());
            return Some(Phrase::Unknown);
        }
        Some(match &entry.binding {
            Binding::Var(var, ty) => Phrase::Term(Term::Var(*var), *ty),
            Binding::Phrase(phrase) => phrase.clone(),
        })
    }

    fn upper_name(&mut self, token: &SyntaxToken) -> Phrase {
        // Bound in the wrong case, which has been reported.
        if let Some(phrase) = self.in_scope(token) {
            return phrase;
        }
        match (self.env.lookup(token.text()), token.text()) {
            (Some(Meaning::Constructor(id, at)), _) => {
                Phrase::Term(Term::Constructor(*id, *at), Type::Enum(*id))
            }
            (Some(Meaning::Symbol(info)), _) => {
                let info = info.clone();
                let read = self.read(&info, vec![], None, token.text_range());
                read.map_or(Phrase::Unknown, |(term, ty)| Phrase::Term(term, ty))
            }
            (Some(Meaning::Broken), _) => Phrase::Unknown,
            (None, "True") => Phrase::Term(Term::boolean(true), Type::BOOL),
            (None, "False") => Phrase::Term(Term::boolean(false), Type::BOOL),
            (None, "SYS_PROCS") => Phrase::Term(Term::ProcessCount, Type::Int),
            (None, _) => {
                self.unknown_name(token);
                Phrase::Unknown
            }
        }
    }

    pub(super) fn unknown_name(&mut self, token: &SyntaxToken) {
        // The wrong case of a lower-case name instead of a variable has been reported.
        if token.kind() == SyntaxKind::LowerName {
            return;
        }
        // Searching for a similar name takes time, and is pointless if the message would be dropped.
        let candidate = if self.out.is_full() { None } else { self.env.nearest_name(token.text()) };
        let message = format!("unknown name `{}`", token.text());
        let diagnostic = Diagnostic::error("unknown-name", token.text_range(), message).label("not declared");
        self.out.push(match candidate {
            None if is_null(token.text()) => diagnostic.help(NO_NULL),
            candidate => diagnostic.did_you_mean(candidate),
        });
    }

    /// An argument of a predicate: a term or a formula.
    pub(super) fn argument(&mut self, expr: &Expr) -> Phrase {
        self.phrase(expr)
    }
}

pub(super) fn number_too_large(at: Span) -> Diagnostic {
    Diagnostic::error("number-too-large", at, "this number does not fit into 64 bits")
}

/// "1 index", "2 indices".
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
