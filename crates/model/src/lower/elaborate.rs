//! Formulas and terms: names resolved, types checked, sugar removed.

use super::{
    environment::{Environment, Meaning, SymbolInfo},
    types::Type,
};
use crate::{
    ir::{Formula, Linear, LockKind, Number, Quantifier, Relation, Sort, Term, Var},
    syntax::{
        SyntaxKind, SyntaxToken,
        ast::{self, AstNode, Expr},
    },
};
use source::{Diagnostic, Diagnostics, Span, nearest};

/// Where a formula stands; decides what may occur in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    Init,
    /// `unsafe`, `invariant`, and the atoms of temporal properties.
    Property,
    Assume,
    Guard,
    /// Conditions, values and indices of a transition's body.
    Body,
    /// The body of a predicate, checked on its own before it is used.
    Predicate,
}

impl Context {
    fn in_transition(self) -> bool {
        matches!(self, Context::Guard | Context::Body)
    }
}

/// What a phrase turned out to be.
#[derive(Debug, Clone)]
pub(super) enum Phrase {
    Term(Term, Type),
    Formula(Formula),
    /// Something wrong that has been reported, or a parameter of a predicate that is checked on its own.
    Unknown,
}

/// What a lower-case name stands for.
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
    pub(super) at: Span,
    pub(super) used: bool,
}

/// The most nodes that substituting predicates may produce in one item; a chain of them can grow exponentially.
const MAX_EXPANSION: usize = 500_000;

/// Elaborates the formulas of one item.
pub(super) struct Elaborator<'a> {
    pub(super) env: &'a Environment,
    pub(super) out: &'a mut Diagnostics,
    pub(super) context: Context,
    /// Names in scope, innermost last.
    pub(super) scope: Vec<Entry>,
    /// The names of all variables of the item; a [`Var`] is a position here.
    pub(super) variables: Vec<String>,
    /// The variables in scope, here or where a predicate is used.
    live: Vec<Var>,
    /// The parameters of the item.
    pub(super) params: Vec<Var>,
    pub(super) actor: Option<Var>,
    /// In arms with a condition such as `k = i`: variables that stand for the actor as well.
    pub(super) actor_aliases: Vec<Var>,
    pub(super) reads_weak: bool,
    /// The largest `k` of a `#k` that occurs.
    pub(super) named_processes: u32,
    /// The predicates that are being substituted, outermost first.
    expanding: Vec<String>,
    /// Nodes produced by substitution so far.
    expanded: usize,
    /// How deep the formula nests at this point, substituted predicates included.
    depth: usize,
}

/// Formulas may nest this deep after substitution.
const MAX_DEPTH: usize = 400;

impl<'a> Elaborator<'a> {
    pub(super) fn new(env: &'a Environment, out: &'a mut Diagnostics, context: Context) -> Elaborator<'a> {
        Elaborator {
            env,
            out,
            context,
            scope: vec![],
            variables: vec![],
            live: vec![],
            params: vec![],
            actor: None,
            actor_aliases: vec![],
            reads_weak: false,
            named_processes: 0,
            expanding: vec![],
            expanded: 0,
            depth: 0,
        }
    }

    /// A new variable whose name is not among `taken`, so that printed formulas capture nothing.
    fn new_variable(variables: &mut Vec<String>, name: &str, taken: impl Fn(&[String], &str) -> bool) -> Var {
        let candidates = (1..).map(|suffix: u32| format!("{name}{suffix}"));
        let unique = std::iter::once(name.to_owned()).chain(candidates).find(|candidate| !taken(variables, candidate));
        variables.push(unique.unwrap_or_default());
        Var::from_index(variables.len() - 1)
    }

    /// A new variable that lowering needs; its name is unique in the whole item.
    pub(super) fn fresh(&mut self, name: &str) -> Var {
        Self::new_variable(&mut self.variables, name, |all, candidate| all.iter().any(|known| known == candidate))
    }

    /// Brings a variable into scope.
    pub(super) fn bind(&mut self, name: &ast::Name, ty: Type) -> Var {
        let live = &self.live;
        let var = Self::new_variable(&mut self.variables, &name.text(), |all, candidate| {
            live.iter().any(|var| all[var.index()] == candidate)
        });
        self.live.push(var);
        self.push(name, Binding::Var(var, ty));
        var
    }

    pub(super) fn push(&mut self, name: &ast::Name, binding: Binding) {
        self.warn_if_shadowing(name);
        self.scope.push(Entry { name: name.text(), binding, at: name.span(), used: false });
    }

    fn warn_if_shadowing(&mut self, name: &ast::Name) {
        let text = name.text();
        if let Some(outer) = self.scope.iter().find(|entry| entry.name == text) {
            self.out.push(
                Diagnostic::warning("shadowed-variable", name.span(), format!("this `{text}` hides another"))
                    .also(outer.at, "the one that is hidden"),
            );
        }
    }

    /// A formula.
    pub(super) fn formula(&mut self, expr: &Expr) -> Formula {
        match self.phrase(expr) {
            Phrase::Formula(formula) => formula,
            Phrase::Term(term, Type::BOOL) => Formula::eq(term, Term::boolean(true)),
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

    /// A term with its type; none if something is wrong with it.
    pub(super) fn term(&mut self, expr: &Expr) -> Option<(Term, Type)> {
        match self.phrase(expr) {
            Phrase::Term(term, ty) => Some((term, ty)),
            Phrase::Formula(_) => {
                self.out.push(
                    Diagnostic::error("expected-term", expr.span(), "expected a term, found a formula")
                        .label("true or false, but no value")
                        .help("the values of type `bool` are written `True` and `False`"),
                );
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

    fn phrase(&mut self, expr: &Expr) -> Phrase {
        self.expanded += usize::from(!self.expanding.is_empty());
        if self.depth == MAX_DEPTH || self.expanded > MAX_EXPANSION {
            self.too_large(expr.span());
            return Phrase::Unknown;
        }
        self.depth += 1;
        let phrase = self.phrase_inner(expr);
        self.depth -= 1;
        phrase
    }

    fn too_large(&mut self, at: Span) {
        let name = self.expanding.first().cloned().unwrap_or_default();
        for predicate in self.expanding.iter().filter_map(|name| self.env.predicates.get(name)) {
            predicate.too_large.set(true);
        }
        self.out.push(
            Diagnostic::error("predicate-too-large", at, format!("the formula is too large once `{name}` is substituted"))
                .help("predicates that use each other more than once grow exponentially"),
        );
    }

    fn phrase_inner(&mut self, expr: &Expr) -> Phrase {
        match expr {
            Expr::Literal(literal) => self.literal(literal),
            Expr::NameExpr(name) => self.name(name),
            Expr::IndexExpr(cell) => self.cell(cell, None).map_or(Phrase::Unknown, |(term, ty)| Phrase::Term(term, ty)),
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

    /// A connective with a fixed number of operands; a broken tree may lack some.
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
        match Number::parse(token.text()) {
            Some(number) => Phrase::Term(Term::Linear(Linear::constant(sort, number)), ty),
            None => {
                self.out.push(number_too_large(token.text_range()));
                Phrase::Unknown
            }
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
        self.named_processes = self.named_processes.max(number);
        let limit = self.env.max_processes;
        if limit.is_none_or(|limit| number > limit) {
            let diagnostic = Diagnostic::error("unknown-process", token.text_range(), format!("there is no process `{}`", token.text()));
            self.out.push(match limit {
                Some(limit) => diagnostic.label(format!("`number_procs {limit}` ends at `#{limit}`")),
                None => diagnostic.help(format!("`number_procs {number}` at the top of the file declares `#1` to `#{number}`")),
            });
            return Phrase::Unknown;
        }
        Phrase::Term(Term::Process(number), Type::Proc(None))
    }

    fn lower_name(&mut self, token: &SyntaxToken) -> Phrase {
        if let Some(entry) = self.scope.iter_mut().rev().find(|entry| entry.name == token.text()) {
            entry.used = true;
            return match &entry.binding {
                Binding::Var(var, ty) => Phrase::Term(Term::Var(*var), *ty),
                Binding::Phrase(phrase) => phrase.clone(),
            };
        }
        let known = self.scope.iter().map(|entry| entry.name.as_str());
        let candidate = nearest(token.text(), known).or_else(|| {
            // A lower-case slip for a declared symbol.
            let upper = self.env.nearest_name(token.text())?;
            upper.eq_ignore_ascii_case(token.text()).then_some(upper)
        });
        let mut diagnostic =
            Diagnostic::error("unknown-name", token.text_range(), format!("unknown process variable `{}`", token.text()))
                .label("not a parameter and not bound here")
                .did_you_mean(candidate);
        if self.env.predicates.contains_key(token.text()) {
            diagnostic = diagnostic.help(format!("a predicate is used with its arguments: `{}(…)`", token.text()));
        }
        self.out.push(diagnostic);
        Phrase::Unknown
    }

    fn upper_name(&mut self, token: &SyntaxToken) -> Phrase {
        match (self.env.lookup(token.text()), token.text()) {
            (Some(Meaning::Constructor(id, at)), _) => Phrase::Term(Term::Constructor(*id, *at), Type::Enum(*id)),
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
        // Looking for the name that was meant takes time; nobody would see it.
        let candidate = if self.out.is_full() { None } else { self.env.nearest_name(token.text()) };
        self.out.push(
            Diagnostic::error("unknown-name", token.text_range(), format!("unknown name `{}`", token.text()))
                .label("not declared")
                .did_you_mean(candidate),
        );
    }

    /// `A[t, …]`, perhaps read by a given process.
    fn cell(&mut self, cell: &ast::IndexExpr, reader: Option<Term>) -> Option<(Term, Type)> {
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
                    Diagnostic::error("not-an-array", token.text_range(), format!("`{}` is a constructor, not an array", token.text()))
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

    /// The value of a symbol, with every rule about reading.
    fn read(&mut self, info: &SymbolInfo, indices: Vec<Term>, reader: Option<Term>, at: Span) -> Option<(Term, Type)> {
        if !self.check_arity(info, indices.len(), at) {
            return None;
        }
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

    /// Who may read what under a weak memory model.
    fn check_memory(&mut self, info: &SymbolInfo, indices: &[Term], has_reader: bool, at: Span) {
        if info.weak {
            self.reads_weak |= self.context.in_transition();
            if self.context == Context::Property && !has_reader {
                let name = self.declared_name(info);
                self.out.push(
                    Diagnostic::error("weak-read-without-reader", at, format!("`{name}` is weak: who reads it?"))
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
        self.actor == Some(var) || self.actor_aliases.contains(&var)
    }

    pub(super) fn foreign_register(&mut self, info: &SymbolInfo, at: Span, verb: &str) {
        // Without an actor there is a message about that already.
        let Some(actor) = self.actor else { return };
        let (name, actor) = (self.declared_name(info), self.variables[actor.index()].clone());
        self.out.push(
            Diagnostic::error("foreign-register", at, format!("`{actor}` cannot {verb} this cell of `{name}`"))
                .label("a register of another process")
                .also(info.at, "not `weak`: each process has its own cell, which nobody else sees")
                .help(format!("declare `{name}` as `weak` if processes communicate through it")),
        );
    }

    /// `i@X`
    fn at(&mut self, at: &ast::AtExpr) -> Phrase {
        let (Some(reader), Some(location)) = (at.reader(), at.location()) else { return Phrase::Unknown };
        let reader = self.process(&Expr::NameExpr(reader));
        let found = match &location {
            Expr::IndexExpr(cell) => self.location(cell),
            Expr::NameExpr(name) => name.token().and_then(|token| match self.env.lookup(token.text()) {
                Some(Meaning::Symbol(info)) => Some((info.clone(), vec![])),
                _ => {
                    self.unknown_name(&token);
                    None
                }
            }),
            _ => None,
        };
        let (Some(reader), Some((info, indices))) = (reader, found) else { return Phrase::Unknown };
        self.check_at(&info, at.span());
        let read = self.read(&info, indices, Some(reader), location.span());
        read.map_or(Phrase::Unknown, |(term, ty)| Phrase::Term(term, ty))
    }

    fn check_at(&mut self, info: &SymbolInfo, at: Span) {
        let diagnostic = Diagnostic::error("misplaced-at", at, "`@` has no meaning here");
        if !matches!(self.context, Context::Property | Context::Predicate) {
            self.out.push(
                diagnostic
                    .label("only in `unsafe`, `invariant` and temporal properties")
                    .help("in a transition every read is by the process in brackets; `init` describes memory"),
            );
        } else if !info.weak {
            let name = self.declared_name(info);
            self.out.push(diagnostic.label(format!("`{name}` is not weak: everybody sees the same value")));
        }
    }

    fn quantified(&mut self, quantified: &ast::QuantifiedExpr) -> Formula {
        let Some(word) = quantified.quantifier() else { return Formula::True };
        let names: Vec<ast::Name> = quantified.variables().into_iter().flat_map(|vars| vars.names()).collect();
        self.report_duplicates(&names);
        let outer = self.scope.len();
        let variables: Vec<Var> = names.iter().map(|name| self.bind(name, Type::Proc(None))).collect();
        let body = quantified.body().map_or(Formula::True, |body| self.formula(&body));
        self.leave_scope(outer);
        let (quantifier, other) = match word.kind() {
            SyntaxKind::ForallKw => (Quantifier::Forall, false),
            SyntaxKind::ExistsKw => (Quantifier::Exists, false),
            SyntaxKind::ForallOtherKw => (Quantifier::Forall, true),
            _ => (Quantifier::Exists, true),
        };
        let apart_from = if other { self.params.clone() } else { vec![] };
        Formula::quantified(quantifier, variables, apart_from, body)
    }

    fn report_duplicates(&mut self, names: &[ast::Name]) {
        for (at, name) in names.iter().enumerate() {
            if let Some(first) = names[..at].iter().find(|first| first.text() == name.text()) {
                self.out.push(super::environment::duplicate(&name.text(), "variable", name.span(), first.span()));
            }
        }
    }

    /// Drops names from the scope and warns about those that were never used.
    pub(super) fn leave_scope(&mut self, length: usize) {
        for entry in self.scope.split_off(length) {
            if let Binding::Var(var, _) = entry.binding {
                self.live.retain(|live| *live != var);
            }
            if !entry.used && !entry.name.is_empty() {
                let what = if matches!(entry.binding, Binding::Var(..)) { "process variable" } else { "name" };
                self.out.push(Diagnostic::warning(
                    "unused-parameter",
                    entry.at,
                    format!("the {what} `{}` is never used", entry.name),
                ));
            }
        }
    }

    /// Substitutes a predicate. The arguments are elaborated already, so nothing of the caller's can be captured.
    pub(super) fn expand_predicate(&mut self, name: &str, arguments: Vec<Phrase>, at: Span) -> Phrase {
        let Some(predicate) = self.env.predicates.get(name) else { return Phrase::Unknown };
        predicate.used.set(true);
        if predicate.too_large.get() {
            return Phrase::Unknown;
        }
        if self.expanding.iter().any(|outer| outer == name) {
            self.out.push(
                Diagnostic::error("recursive-predicate", at, format!("the predicate `{name}` uses itself"))
                    .label("here it comes round again")
                    .also(predicate.at, "declared here"),
            );
            return Phrase::Unknown;
        }
        if predicate.params.len() != arguments.len() {
            let message = format!(
                "the predicate `{name}` takes {}, found {}",
                count(predicate.params.len(), "argument", "arguments"),
                arguments.len()
            );
            self.out.push(Diagnostic::error("wrong-arguments", at, message).also(predicate.at, "declared here"));
            return Phrase::Unknown;
        }
        let Some(body) = predicate.body.clone() else { return Phrase::Unknown };
        let entries = predicate.params.iter().zip(arguments).map(|(param, argument)| Entry {
            name: param.clone(),
            binding: Binding::Phrase(argument),
            at: predicate.at,
            used: true,
        });
        let caller = std::mem::replace(&mut self.scope, entries.collect());
        self.expanding.push(name.to_owned());
        let formula = self.formula(&body);
        self.expanding.pop();
        self.scope = caller;
        Phrase::Formula(formula)
    }

    /// An argument of a predicate: a term or a formula.
    pub(super) fn argument(&mut self, expr: &Expr) -> Phrase {
        self.phrase(expr)
    }

    /// `t = u`, `t < u`, `t = case …`, and shares.
    fn compare(&mut self, compare: &ast::CompareExpr) -> Formula {
        let Some(operator) = compare.operator() else { return Formula::True };
        let operands: Vec<Expr> = compare.operands().collect();
        match (operands.as_slice(), compare.case()) {
            ([left], Some(case)) => self.compare_case(left, &operator, &case),
            ([left, right], None) => match (fraction(left), fraction(right)) {
                (None, None) => self.compare_terms(left, &operator, right),
                (None, Some(share)) => self.compare_share(left, &operator, share, right.span(), false),
                (Some(share), None) => self.compare_share(right, &operator, share, left.span(), true),
                (Some(_), Some(_)) => {
                    self.out.push(fraction_alone(left.span()));
                    Formula::True
                }
            },
            _ => Formula::True,
        }
    }

    fn compare_terms(&mut self, left: &Expr, operator: &SyntaxToken, right: &Expr) -> Formula {
        let (l, r) = (self.term(left), self.term(right));
        let (Some(l), Some(r)) = (l, r) else { return Formula::True };
        self.relate(l, left.span(), operator, r, right.span())
    }

    fn relate(&mut self, left: (Term, Type), left_at: Span, operator: &SyntaxToken, right: (Term, Type), right_at: Span) -> Formula {
        for ((_, ty), at) in [(&left, left_at), (&right, right_at)] {
            if let Type::Lock(kind) = ty {
                self.lock_as_value(*kind, at);
                return Formula::True;
            }
        }
        if !left.1.fits(right.1) {
            let (l, r) = (left.1.describe(self.env), right.1.describe(self.env));
            let mut diagnostic = Diagnostic::error("type-mismatch", operator.text_range(), format!("{l} cannot be compared with {r}"))
                .also(left_at, format!("of type {l}"))
                .also(right_at, format!("of type {r}"));
            if left.1.is_numeric() && right.1.is_numeric() {
                diagnostic = diagnostic.help("numbers of type `real` are written with a point: `0.0`");
            }
            self.out.push(diagnostic);
            return Formula::True;
        }
        let (relation, swapped) = relation(operator.kind());
        let ordered = left.1.is_numeric() || left.1.sort() == Sort::Proc;
        if matches!(relation, Relation::Lt | Relation::Le) && !ordered {
            let ty = left.1.describe(self.env);
            self.out.push(
                Diagnostic::error("no-order", operator.text_range(), format!("values of type {ty} have no order"))
                    .help("only numbers and processes are ordered; compare with `=` or `<>`"),
            );
            return Formula::True;
        }
        let (left, right) = if swapped { (right.0, left.0) } else { (left.0, right.0) };
        Formula::compare(relation, left, right)
    }

    pub(super) fn lock_as_value(&mut self, kind: LockKind, at: Span) {
        let word = super::types::lock_word(kind);
        self.out.push(
            Diagnostic::error("lock-as-value", at, format!("a `{word}` has no value"))
                .help("its state is written `free(L)`, `owner(L, i)` and `waiting(L, i)`"),
        );
    }

    /// `t = case | f : u …`: the equation of the first arm that applies; true if none does.
    fn compare_case(&mut self, left: &Expr, operator: &SyntaxToken, case: &ast::Case) -> Formula {
        if operator.kind() != SyntaxKind::Eq {
            self.out.push(
                Diagnostic::error("misplaced-case", operator.text_range(), "a `case` can only follow `=`")
                    .label("not this comparison"),
            );
        }
        let Some(subject) = self.term(left) else { return Formula::True };
        let mut arms = Vec::new();
        for arm in case.arms() {
            if let Some(any) = arm.any() {
                self.out.push(Diagnostic::error("misplaced-case", any.span(), "an arm of this `case` needs a value"));
            }
            let condition = arm.condition().map_or(Formula::True, |condition| self.formula(&condition));
            let Some(value_expr) = arm.value() else { continue };
            let Some(value) = self.term(&value_expr) else { continue };
            let equation = self.relate(subject.clone(), left.span(), operator, value, value_expr.span());
            arms.push((condition, equation));
        }
        let chain = |rest, (condition, equation)| Formula::if_then_else(condition, equation, rest);
        arms.into_iter().rev().fold(Formula::True, chain)
    }

    /// `count(V, Yes) >= 2/3`: holds when 3·count >= 2·SYS_PROCS.
    fn compare_share(&mut self, count: &Expr, operator: &SyntaxToken, share: (Expr, Expr), at: Span, share_first: bool) -> Formula {
        let Some((term, ty)) = self.term(count) else { return Formula::True };
        let is_count = is_count_call(count) && ty == Type::Int;
        let parts = (self.whole_number(&share.0), self.whole_number(&share.1));
        let (Some(numerator), Some(denominator)) = parts else { return Formula::True };
        if !is_count || denominator == 0 {
            self.out.push(fraction_alone(at));
            return Formula::True;
        }
        let scaled = |factor: i64, term: Term| Some(Linear::from_term(Sort::Int, term).times(factor)?.into_term());
        let (Some(left), Some(right)) = (scaled(denominator, term), scaled(numerator, Term::ProcessCount)) else {
            self.out.push(number_too_large(at));
            return Formula::True;
        };
        let (relation, swapped) = relation(operator.kind());
        let (left, right) = if swapped == share_first { (left, right) } else { (right, left) };
        Formula::compare(relation, left, right)
    }

    fn whole_number(&mut self, expr: &Expr) -> Option<i64> {
        let (term, ty) = self.term(expr)?;
        let number = term.as_number().filter(|number| ty == Type::Int && number.denominator() == 1);
        if number.is_none() {
            self.out.push(Diagnostic::error("bad-share", expr.span(), "a share is a fraction of two whole numbers"));
        }
        number.map(Number::numerator)
    }
}

/// `2/3` as its two parts.
fn fraction(expr: &Expr) -> Option<(Expr, Expr)> {
    match expr {
        Expr::ParenExpr(paren) => fraction(&paren.inner()?),
        Expr::ProductExpr(product) => match product.factors().as_slice() {
            [(false, numerator), (true, denominator)] => Some((numerator.clone(), denominator.clone())),
            _ => None,
        },
        _ => None,
    }
}

fn is_count_call(expr: &Expr) -> bool {
    match expr {
        Expr::ParenExpr(paren) => paren.inner().is_some_and(|inner| is_count_call(&inner)),
        Expr::CallExpr(call) => call.name().is_some_and(|name| name.text() == "count"),
        _ => false,
    }
}

/// The relation of an operator, and whether its sides change places.
fn relation(operator: SyntaxKind) -> (Relation, bool) {
    match operator {
        SyntaxKind::Neq | SyntaxKind::BangEq => (Relation::Neq, false),
        SyntaxKind::Lt => (Relation::Lt, false),
        SyntaxKind::Le => (Relation::Le, false),
        SyntaxKind::Gt => (Relation::Lt, true),
        SyntaxKind::Ge => (Relation::Le, true),
        _ => (Relation::Eq, false),
    }
}

pub(super) fn fraction_alone(at: Span) -> Diagnostic {
    Diagnostic::error("bad-share", at, "a fraction is a share of the processes and stands beside a `count`")
        .help("`count(V, Yes) >= 2/3` holds when two thirds of the processes have `V = Yes`")
}

pub(super) fn number_too_large(at: Span) -> Diagnostic {
    Diagnostic::error("number-too-large", at, "this number does not fit into 64 bits")
}

/// "1 index", "2 indices".
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
