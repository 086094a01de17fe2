//! The declarations of a file by name: types, symbols, constructors, predicates and transitions.

use super::{
    declarations::{check_shape, check_special, foreign_type, range_type},
    messages::{Checked, count, duplicate},
    threads::ThreadTable,
    types::{PREDECLARED, Type},
};
use crate::{
    Queues,
    syntax::ast::{self, AstNode, Item, SymbolClass},
};
use ir::{
    AbstractId, AbstractType, At, EnumId, EnumType, KindId, Lock, LockKind, Origin, RuleId, Sort, Symbol,
    SymbolId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Diagnostics, Span, nearest};
use std::cell::Cell;

/// All declarations of a file.
#[derive(Debug, Default)]
pub(super) struct Environment {
    pub(super) max_processes: Option<u32>,
    pub(super) enums: Vec<EnumType>,
    pub(super) abstract_types: Vec<AbstractType>,
    pub(super) kinds: Vec<String>,
    /// The symbols of the typed form; lowering of threads and kinds adds some.
    pub(super) symbols: Vec<Symbol>,
    pub(super) threads: Option<ThreadTable>,
    /// The array with the kind of each process.
    pub(super) kind_symbol: Option<SymbolId>,
    pub(super) weak: bool,
    /// Whether the file has no syntax error.
    pub(super) well_formed: bool,
    types: FxHashMap<String, TypeInfo>,
    names: FxHashMap<String, NameInfo>,
    pub(super) predicates: FxHashMap<String, PredicateInfo>,
    /// The transitions of each name.
    pub(super) rules: FxHashMap<String, Vec<RuleId>>,
    /// The number of parameters of each transition.
    pub(super) rule_params: Vec<usize>,
    pub(super) number_procs_at: Option<Span>,
}

#[derive(Debug)]
struct TypeInfo {
    ty: Type,
    at: Span,
    used: Cell<bool>,
}

/// The declaration of an upper-case name.
#[derive(Debug)]
struct NameInfo {
    meaning: Meaning,
    at: Span,
    used: Cell<bool>,
}

impl NameInfo {
    /// The enumeration of this name, if it is a constructor that is used.
    fn used_constructor_of(&self) -> Option<EnumId> {
        match self.meaning {
            Meaning::Constructor(of, _) if self.used.get() => Some(of),
            _ => None,
        }
    }
}

/// The meaning of an upper-case name.
#[derive(Debug, Clone)]
pub(super) enum Meaning {
    Constructor(EnumId, u32),
    Symbol(SymbolInfo),
    /// Its declaration has a reported error; its uses are not reported.
    Broken,
}

/// A variable, array or constant as declared.
#[derive(Debug, Clone)]
pub(super) struct SymbolInfo {
    pub(super) id: SymbolId,
    pub(super) ty: Type,
    pub(super) arity: usize,
    pub(super) constant: bool,
    pub(super) weak: bool,
    /// For locks: the position among the locks.
    pub(super) lock: Option<usize>,
    pub(super) at: Span,
}

/// A predicate as declared.
#[derive(Debug)]
pub(super) struct PredicateInfo {
    pub(super) params: Vec<String>,
    pub(super) body: Option<ast::Expr>,
    pub(super) at: Span,
    pub(super) used: Cell<bool>,
    /// Its substitution was given up, which has been reported.
    pub(super) too_large: Cell<bool>,
}

impl Environment {
    /// Collects all declarations. Types first, so that their order in the file does not matter.
    pub(super) fn collect(file: &ast::File, queues: Queues, out: &mut Diagnostics) -> Environment {
        let mut env = Environment::default();
        env.enums.push(EnumType { name: "bool".into(), constructors: vec!["False".into(), "True".into()] });
        for item in file.items() {
            match item {
                Item::NumberProcs(item) => env.number_procs(&item, out),
                Item::TypeDecl(item) => env.type_decl(&item, out),
                _ => {}
            }
        }
        let mut locks = Vec::new();
        for item in file.items() {
            match item {
                Item::SymbolDecl(item) => env.symbol_decl(&item, &mut locks, out),
                Item::PredicateDecl(item) => env.predicate_decl(&item, out),
                _ => {}
            }
        }
        env.add_kind_symbol();
        env.add_threads(locks, queues);
        env
    }

    fn number_procs(&mut self, item: &ast::NumberProcs, out: &mut Diagnostics) {
        let Some(token) = item.number() else { return };
        if let Some(first) = self.number_procs_at {
            out.push(
                Diagnostic::error("duplicate-name", item.span(), "`number_procs` is given twice")
                    .also(first, "first given here"),
            );
        }
        self.number_procs_at = Some(item.span());
        match token.text().parse() {
            Ok(count @ 1..=1000) => self.max_processes = Some(count),
            _ => out.push(
                Diagnostic::error(
                    "bad-number",
                    token.text_range(),
                    "`number_procs` needs a number from 1 to 1000",
                )
                .label("out of range"),
            ),
        }
    }

    fn type_decl(&mut self, item: &ast::TypeDecl, out: &mut Diagnostics) {
        let Some(name) = item.name().filter(|name| !name.text().is_empty()) else { return };
        let ty = if let Some(body) = item.constructors() {
            self.enum_type(&name, &body, out)
        } else if let Some(body) = item.kind() {
            self.kind_type(&name, &body, out)
        } else if let Some(body) = item.range() {
            range_type(&body, out)
        } else {
            self.abstract_types.push(AbstractType { name: name.text() });
            Type::Abstract(AbstractId::from_index(self.abstract_types.len() - 1))
        };
        if name.text() == "proc" {
            out.push(
                Diagnostic::error("duplicate-name", name.span(), "`proc` cannot be declared")
                    .label("the type of processes is built in"),
            );
        }
        let info = TypeInfo { ty, at: name.span(), used: Cell::new(false) };
        if let Some(first) = self.types.insert(name.text(), info) {
            out.push(duplicate(&name.text(), "type", name.span(), first.at));
        }
    }

    fn enum_type(&mut self, name: &ast::Name, body: &ast::EnumBody, out: &mut Diagnostics) -> Type {
        let id = EnumId::from_index(self.enums.len());
        let names: Vec<ast::Name> =
            body.constructors().filter_map(|constructor| constructor.name()).collect();
        self.enums
            .push(EnumType { name: name.text(), constructors: names.iter().map(ast::Name::text).collect() });
        for (at, constructor) in (0..).zip(&names) {
            self.declare(constructor, Meaning::Constructor(id, at), out);
        }
        Type::Enum(id)
    }

    fn kind_type(&mut self, name: &ast::Name, body: &ast::KindBody, out: &mut Diagnostics) -> Type {
        if let Some(of) = body.of().filter(|of| of.text() != "proc") {
            out.push(
                Diagnostic::error("kind-of-proc", of.span(), format!("`{}` is not `proc`", of.text()))
                    .label("only `proc` has kinds")
                    .fix(of.span(), "proc", "write"),
            );
        }
        self.kinds.push(name.text());
        Type::Proc(Some(KindId::from_index(self.kinds.len() - 1)))
    }

    fn symbol_decl(&mut self, item: &ast::SymbolDecl, locks: &mut Vec<Lock>, out: &mut Diagnostics) {
        let Some(name) = item.name() else { return };
        let Some(ty) = item.value().and_then(|value| self.resolve_type(&value, out)) else {
            return self.declare(&name, Meaning::Broken, out);
        };
        let arity = self.index_sorts(item, &name, out);
        let constant = item.class() == SymbolClass::Constant;
        let weak = item.weak().is_some() && !constant;
        self.weak |= weak;
        check_special(item, ty, arity, out);
        if !check_shape(item, &name, arity, out) {
            return self.declare(&name, Meaning::Broken, out);
        }
        let id = self.push_symbol(&name, ty, arity, constant, weak);
        let lock = matches!(ty, Type::Lock(_)).then_some(locks.len());
        if let Type::Lock(kind) = ty {
            locks.push(self.lock(&name, kind, arity, id));
        }
        let info = SymbolInfo { id, ty, arity, constant, weak, lock, at: name.span() };
        self.declare(&name, Meaning::Symbol(info), out);
    }

    fn index_sorts(&self, item: &ast::SymbolDecl, name: &ast::Name, out: &mut Diagnostics) -> usize {
        let Some(indices) = item.indices() else { return 0 };
        for sort in indices.sorts() {
            if self.resolve_type(&sort, out).is_some_and(|ty| ty != Type::Proc(None)) {
                out.push(
                    Diagnostic::error(
                        "index-not-proc",
                        sort.span(),
                        format!("`{}` is indexed by processes only", name.text()),
                    )
                    .label(format!("`{}` is not `proc`", sort.text()))
                    .help("arrays are indexed by `proc`, not by a kind or a number")
                    .fix(sort.span(), "proc", "write"),
                );
            }
        }
        indices.sorts().count()
    }

    fn push_symbol(
        &mut self,
        name: &ast::Name,
        ty: Type,
        arity: usize,
        constant: bool,
        weak: bool,
    ) -> SymbolId {
        let owned = matches!(ty, Type::Lock(kind) if kind != LockKind::Semaphore);
        self.symbols.push(Symbol {
            name: if owned { format!("owner({})", name.text()) } else { name.text() },
            arity,
            sort: ty.sort(),
            domain: ty.domain(),
            constant,
            weak,
            holds_outsiders: owned,
            origin: if owned { Origin::Owner } else { Origin::Declared },
            at: At(name.span()),
        });
        SymbolId::from_index(self.symbols.len() - 1)
    }

    fn lock(&mut self, name: &ast::Name, kind: LockKind, arity: usize, state: SymbolId) -> Lock {
        let depth = (kind == LockKind::Reentrant).then(|| {
            let id = self.push_symbol(name, Type::Int, arity, false, false);
            let symbol = &mut self.symbols[id.index()];
            symbol.name = format!("depth({})", name.text());
            symbol.origin = Origin::Depth;
            id
        });
        Lock { name: name.text(), kind, array: arity > 0, state, depth }
    }

    fn predicate_decl(&mut self, item: &ast::PredicateDecl, out: &mut Diagnostics) {
        let Some(name) = item.name().filter(|name| !name.text().is_empty()) else { return };
        let names: Vec<ast::Name> = item.params().into_iter().flat_map(|params| params.names()).collect();
        for (at, param) in names.iter().enumerate() {
            if let Some(first) = names[..at].iter().find(|first| first.text() == param.text()) {
                out.push(duplicate(&param.text(), "parameter", param.span(), first.span()));
            }
        }
        let info = PredicateInfo {
            params: names.iter().map(ast::Name::text).collect(),
            body: item.block().and_then(|block| block.formula()),
            at: name.span(),
            used: Cell::new(false),
            too_large: Cell::new(false),
        };
        if let Some(first) = self.predicates.insert(name.text(), info) {
            out.push(duplicate(&name.text(), "predicate", name.span(), first.at));
        }
    }

    fn declare(&mut self, name: &ast::Name, meaning: Meaning, out: &mut Diagnostics) {
        let (text, at) = (name.text(), name.span());
        if text.is_empty() {
            return;
        }
        if text == "True" || text == "False" {
            out.push(
                Diagnostic::error("duplicate-name", at, format!("`{text}` cannot be declared"))
                    .label("a constructor of `bool`"),
            );
        }
        let info = NameInfo { meaning, at, used: Cell::new(false) };
        if let Some(first) = self.names.insert(text.clone(), info) {
            out.push(
                duplicate(&text, "name", at, first.at)
                    .help("constructors, variables, arrays and constants share one name space"),
            );
        }
    }

    fn add_kind_symbol(&mut self) {
        if self.kinds.is_empty() {
            return;
        }
        let id = EnumId::from_index(self.enums.len());
        self.enums.push(EnumType { name: "kind".into(), constructors: self.kinds.clone() });
        self.kind_symbol = Some(self.add_array("kind", Sort::Enum(id), Origin::Kind));
        self.symbols.last_mut().expect("just added").constant = true;
    }

    fn add_threads(&mut self, locks: Vec<Lock>, queues: Queues) {
        if locks.is_empty() {
            return;
        }
        let blocked_enum = EnumId::from_index(self.enums.len());
        let (constructors, reasons) = super::threads::reasons(&locks);
        self.enums.push(EnumType { name: "blocked".into(), constructors });
        let blocked = self.add_array("blocked", Sort::Enum(blocked_enum), Origin::Blocked);
        let blocked_at = locks.iter().any(|lock| lock.array).then(|| {
            let id = self.add_array("blocked_at", Sort::Proc, Origin::BlockedAt);
            self.symbols[id.index()].holds_outsiders = true;
            id
        });
        let before = (queues == Queues::Fifo).then(|| {
            let id = self.add_array("before", Sort::BOOL, Origin::Before);
            self.symbols[id.index()].arity = 2;
            id
        });
        self.threads = Some(ThreadTable { locks, blocked_enum, blocked, blocked_at, reasons, before });
    }

    /// An array that lowering adds; it has no location of its own in the source.
    fn add_array(&mut self, name: &str, sort: Sort, origin: Origin) -> SymbolId {
        self.symbols.push(Symbol {
            name: name.into(),
            arity: 1,
            sort,
            domain: ir::Domain::Full,
            constant: false,
            weak: false,
            holds_outsiders: false,
            origin,
            at: At(Span::empty(0.into())),
        });
        SymbolId::from_index(self.symbols.len() - 1)
    }

    /// The type of a name; reports an error if there is none.
    pub(super) fn resolve_type(&self, reference: &ast::TypeRef, out: &mut Diagnostics) -> Option<Type> {
        let name = reference.text();
        if name.is_empty() {
            return None;
        }
        if let Some(info) = self.types.get(&name) {
            info.used.set(true);
            return Some(info.ty);
        }
        let predeclared = PREDECLARED.iter().find(|(word, _)| *word == name);
        if predeclared.is_none() {
            let known =
                self.types.keys().map(String::as_str).chain(PREDECLARED.iter().map(|(word, _)| *word));
            out.push(
                Diagnostic::error("unknown-type", reference.span(), format!("unknown type `{name}`"))
                    .label("no such type")
                    .did_you_mean(foreign_type(&name).or_else(|| nearest(&name, known))),
            );
        }
        predeclared.map(|(_, ty)| *ty)
    }

    /// The meaning of an upper-case name.
    pub(super) fn lookup(&self, name: &str) -> Option<&Meaning> {
        let info = self.names.get(name).or_else(|| self.in_wrong_case(name))?;
        info.used.set(true);
        Some(&info.meaning)
    }

    /// The declaration with this name up to the case of the first letter, which was reported there.
    fn in_wrong_case(&self, name: &str) -> Option<&NameInfo> {
        let mut letters = name.chars();
        let first = letters.next().filter(char::is_ascii_uppercase)?;
        self.names.get(&format!("{}{}", first.to_ascii_lowercase(), letters.as_str()))
    }

    /// The declared name nearest to one that is unknown.
    pub(super) fn nearest_name(&self, name: &str) -> Option<&str> {
        let well_written =
            self.names.keys().filter(|known| known.starts_with(|c: char| c.is_ascii_uppercase()));
        nearest(name, well_written.map(String::as_str).chain(["True", "False", "SYS_PROCS"]))
    }

    /// The name of a symbol as the user declared it.
    pub(super) fn declared_name(&self, info: &SymbolInfo) -> &str {
        match (info.lock, &self.threads) {
            (Some(lock), Some(threads)) => &threads.locks[lock].name,
            _ => &self.symbols[info.id.index()].name,
        }
    }

    /// Checks that a symbol has this number of indices.
    pub(super) fn check_arity(&self, info: &SymbolInfo, found: usize, at: Span) -> Checked<()> {
        if info.arity == found {
            return Ok(());
        }
        let name = self.declared_name(info);
        let message = match (info.arity, found) {
            (0, _) => format!("`{name}` is not an array"),
            (arity, 0) => format!("`{name}` is an array: it needs {}", count(arity, "index", "indices")),
            (arity, _) => format!("`{name}` has {}, found {found}", count(arity, "index", "indices")),
        };
        Err(Diagnostic::error("wrong-indices", at, message).also(info.at, "declared here").into())
    }

    /// Warns about unused declarations, except constructors.
    pub(super) fn report_unused(&self, out: &mut Diagnostics) {
        let unused = |what: &str, name: &str, at: Span| {
            Diagnostic::warning("unused-symbol", at, format!("{what} `{name}` is never used"))
        };
        for (name, info) in &self.names {
            if matches!(info.meaning, Meaning::Symbol(_)) && !info.used.get() {
                out.push(unused("symbol", name, info.at));
            }
        }
        let mentioned: FxHashSet<EnumId> =
            self.names.values().filter_map(NameInfo::used_constructor_of).collect();
        for (name, info) in &self.types {
            let mentioned = matches!(info.ty, Type::Enum(id) if mentioned.contains(&id));
            // Every process has a kind, so a kind matters even if it is never mentioned.
            let kind = matches!(info.ty, Type::Proc(Some(_)));
            if !info.used.get() && !mentioned && !kind {
                out.push(unused("type", name, info.at));
            }
        }
        for (name, info) in &self.predicates {
            if !info.used.get() {
                out.push(unused("predicate", name, info.at));
            }
        }
    }
}
