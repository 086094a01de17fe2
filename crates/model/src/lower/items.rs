//! Items other than transitions: `init`, `unsafe`, `invariant`, `assume`, predicates and temporal properties.

use super::{
    elaborate::{Binding, Context, Elaborator, Entry, Phrase},
    environment::{Environment, duplicate},
    types::Type,
};
use crate::{
    ir::{At, Formula, Property, PropertyKind, Temporal, TemporalAtom, Term, Var},
    syntax::{
        self,
        ast::{self, AstNode, Expr},
    },
};
use source::{Diagnostic, Diagnostics, Span, TextSize, nearest};

/// An `init` before outsiders are told apart.
pub(super) struct RawInit {
    pub(super) params: Vec<Var>,
    pub(super) variables: Vec<String>,
    pub(super) formula: Formula,
    pub(super) at: Span,
}

impl Elaborator<'_> {
    /// Brings the parameters of an item into scope. Returns what their kinds demand.
    pub(super) fn bind_params(&mut self, params: Option<ast::Params>) -> Vec<Formula> {
        let mut kinds = Vec::new();
        for role in params.into_iter().flat_map(|params| params.iter()) {
            let Some(name) = role.param.name() else { continue };
            if let Some(first) = self.scope.iter().find(|entry| entry.name == name.text()) {
                self.out.push(duplicate(&name.text(), "parameter", name.span(), first.at));
                continue;
            }
            let ty = role.param.kind().and_then(|kind| self.kind(&kind)).unwrap_or(Type::Proc(None));
            let var = self.bind(&name, ty);
            self.params.push(var);
            kinds.extend(self.kind_literal(var, ty));
            if role.actor {
                self.set_actor(var, &name);
            }
        }
        kinds
    }

    fn kind(&mut self, kind: &ast::TypeRef) -> Option<Type> {
        let ty = self.env.resolve_type(kind, self.out)?;
        if !matches!(ty, Type::Proc(_)) {
            self.out.push(
                Diagnostic::error(
                    "not-a-kind",
                    kind.span(),
                    format!("`{}` is not a kind of process", kind.text()),
                )
                .label("a parameter is a process")
                .help("kinds are declared `type producer < proc`"),
            );
            return None;
        }
        Some(ty)
    }

    fn kind_literal(&self, var: Var, ty: Type) -> Option<Formula> {
        let (Type::Proc(Some(kind)), Some(symbol)) = (ty, self.env.kind_symbol) else { return None };
        let crate::ir::Sort::Enum(kinds) = self.env.symbols[symbol.index()].sort else { return None };
        Some(Formula::eq(Term::read(symbol, vec![Term::Var(var)]), Term::Constructor(kinds, kind.0)))
    }

    fn set_actor(&mut self, var: Var, name: &ast::Name) {
        if !matches!(self.context, Context::Guard | Context::Body) {
            self.out.push(
                Diagnostic::error("misplaced-actor", name.span(), "only a transition has an actor")
                    .label("brackets mean: the process whose step this is"),
            );
        } else if self.actor.is_some() {
            self.out.push(
                Diagnostic::error("several-actors", name.span(), "a transition has at most one actor")
                    .label("a second process in brackets"),
            );
        } else {
            self.actor = Some(var);
        }
    }
}

fn formula_of(block: Option<ast::Block>) -> Option<Expr> {
    block.and_then(|block| block.formula())
}

/// `init (i j) { f }`
pub(super) fn init(env: &Environment, item: &ast::Init, out: &mut Diagnostics, named: &mut u32) -> RawInit {
    let mut elaborator = Elaborator::new(env, out, Context::Init);
    let kinds = elaborator.bind_params(item.params());
    let formula = formula_of(item.block()).map_or(Formula::True, |formula| elaborator.formula(&formula));
    elaborator.leave_scope(0);
    *named = elaborator.named_processes.max(*named);
    let formula = Formula::and(kinds).implies(formula);
    RawInit { params: elaborator.params, variables: elaborator.variables, formula, at: item.span() }
}

/// The parts that `unsafe`, `invariant` and `assume` have in common.
pub(super) struct PropertyItem {
    pub(super) kind: PropertyKind,
    pub(super) name: Option<ast::Name>,
    pub(super) params: Option<ast::Params>,
    pub(super) block: Option<ast::Block>,
    pub(super) at: Span,
}

/// `unsafe name (i j) { f }` and its like.
pub(super) fn property(
    env: &Environment,
    item: PropertyItem,
    number: usize,
    out: &mut Diagnostics,
    named: &mut u32,
) -> Property {
    let (context, word) = match item.kind {
        PropertyKind::Assumption => (Context::Assume, "assume"),
        PropertyKind::Invariant => (Context::Property, "invariant"),
        _ => (Context::Property, "unsafe"),
    };
    let mut elaborator = Elaborator::new(env, out, context);
    let kinds = elaborator.bind_params(item.params);
    let formula = formula_of(item.block).map_or(Formula::True, |formula| elaborator.formula(&formula));
    elaborator.leave_scope(0);
    *named = elaborator.named_processes.max(*named);
    Property {
        kind: item.kind,
        name: item.name.map_or_else(|| format!("{word}{number}"), |name| name.text()),
        params: elaborator.params,
        variables: elaborator.variables,
        formula: Formula::and(kinds.into_iter().chain([formula])),
        rule: None,
        at: At(item.at),
    }
}

/// Checks the body of a predicate by itself: what does not depend on its arguments is reported even if it is never used.
pub(super) fn predicate(env: &Environment, item: &ast::PredicateDecl, out: &mut Diagnostics) {
    let Some(body) = formula_of(item.block()) else { return };
    let mut elaborator = Elaborator::new(env, out, Context::Predicate);
    let params = item.params().into_iter().flat_map(|params| params.names());
    elaborator.scope = params
        .map(|name| Entry {
            name: name.text(),
            binding: Binding::Phrase(Phrase::Unknown),
            at: name.span(),
            used: false,
        })
        .collect();
    elaborator.formula(&body);
    elaborator.leave_scope(0);
}

/// `ltl name { … }`
pub(super) fn temporal(
    env: &Environment,
    item: &ast::Ltl,
    out: &mut Diagnostics,
    named: &mut u32,
) -> Option<Temporal> {
    let body = item.body()?;
    let text = body.syntax().text().to_string();
    let formula = match ltl::parse(&text, body.span().start()) {
        Ok(formula) => formula,
        Err(diagnostic) => {
            out.push(*diagnostic);
            return None;
        }
    };
    let mut change =
        |atom: ltl::Atom| -> Result<TemporalAtom, ()> { Ok(temporal_atom(env, &atom, out, named)) };
    let formula = formula.try_map(&mut change).ok()?;
    let name = item.name()?.text();
    Some(Temporal { name, formula, at: At(item.span()) })
}

fn temporal_atom(
    env: &Environment,
    atom: &ltl::Atom,
    out: &mut Diagnostics,
    named: &mut u32,
) -> TemporalAtom {
    match atom.text.trim() {
        "END" => return TemporalAtom::End,
        "DEAD" => return TemporalAtom::Dead,
        _ => {}
    }
    if let Some(step) = atom.text.trim_start().strip_prefix("TAKE ") {
        return take(env, step.trim(), atom.span, out, named);
    }
    state_atom(env, atom, out, named)
}

fn state_atom(env: &Environment, atom: &ltl::Atom, out: &mut Diagnostics, named: &mut u32) -> TemporalAtom {
    let parse = syntax::parse_expression(&atom.text);
    let mut inner = Diagnostics::default();
    inner.extend(parse.errors);
    let mut elaborator = Elaborator::new(env, &mut inner, Context::Property);
    let expression = ast::LoneExpression::cast(parse.tree).and_then(|lone| lone.expression());
    let formula = expression.map_or(Formula::True, |expression| elaborator.formula(&expression));
    *named = elaborator.named_processes.max(*named);
    let variables = elaborator.variables;
    // The atom was parsed on its own: its messages must point into the file.
    out.extend(inner.sorted().into_iter().map(|diagnostic| shifted(diagnostic, atom.span.start())));
    TemporalAtom::State { variables, formula }
}

fn shifted(mut diagnostic: Diagnostic, by: TextSize) -> Diagnostic {
    diagnostic.primary.span += by;
    diagnostic.fix.iter_mut().for_each(|fix| fix.span += by);
    // Other labels are declarations of the file, which lie outside of the atom: they stay.
    diagnostic
}

/// `TAKE t(#1, i)`: a process constant, or a name for any process.
fn take(env: &Environment, step: &str, at: Span, out: &mut Diagnostics, named: &mut u32) -> TemporalAtom {
    let (name, arguments) = match step.split_once('(') {
        Some((name, rest)) => (name.trim(), rest.trim_end().strip_suffix(')').unwrap_or(rest)),
        None => (step, ""),
    };
    let Some(rules) = env.rules.get(name) else {
        let diagnostic = Diagnostic::error("unknown-transition", at, format!("unknown transition `{name}`"));
        out.push(match nearest(name, env.rules.keys().map(String::as_str)) {
            Some(candidate) => diagnostic.help(format!("did you mean `{candidate}`?")),
            None => diagnostic,
        });
        return TemporalAtom::Take { rules: vec![], processes: vec![] };
    };
    let mut processes = Vec::new();
    for argument in arguments.split([',', ' ']).map(str::trim).filter(|argument| !argument.is_empty()) {
        let process = argument.strip_prefix('#').map(|digits| digits.parse::<u32>().unwrap_or(0));
        if process.is_some_and(|k| k == 0 || env.max_processes.is_none_or(|most| k > most)) {
            out.push(Diagnostic::error("unknown-process", at, format!("there is no process `{argument}`")));
        }
        *named = process.unwrap_or(0).max(*named);
        processes.push(process);
    }
    TemporalAtom::Take { rules: rules.clone(), processes }
}
