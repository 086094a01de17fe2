//! The parameters of an item: their kinds, and the one that acts.

use super::{
    context::Context, elaborate::Elaborator, environment::Environment, messages::duplicate, types::Type,
};
use crate::syntax::ast::{self, AstNode};
use ir::{Formula, Sort, Term, Var};
use source::Diagnostic;

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

/// Brings the parameters of an item into scope. Returns the conditions that they have their kinds.
pub(super) fn bind(elaborator: &mut Elaborator<'_>, params: Option<ast::Params>) -> Vec<Formula> {
    let mut kinds = Vec::new();
    for role in params.into_iter().flat_map(|params| params.iter()) {
        let Some(name) = role.param.name() else { continue };
        if let Some(first) = elaborator.scope.find(&name.text()) {
            elaborator.out.push(duplicate(&name.text(), "parameter", name.span(), first.at));
            continue;
        }
        let ty = role.param.kind().and_then(|of| kind(elaborator, &of)).unwrap_or(Type::Proc(None));
        let var = elaborator.scope.bind(&name, ty, &mut elaborator.out);
        elaborator.params.push(var);
        kinds.extend(kind_literal(elaborator.env, var, ty));
        if role.actor {
            set_actor(elaborator, var, &name);
        }
    }
    kinds
}

/// The kind of a parameter; reports an error if it is not one.
fn kind(elaborator: &mut Elaborator<'_>, kind: &ast::TypeRef) -> Option<Type> {
    let ty = elaborator.env.resolve_type(kind, elaborator.out.all())?;
    if !matches!(ty, Type::Proc(_)) {
        let message = format!("`{}` is not a kind of process", kind.text());
        elaborator.out.push(
            Diagnostic::error("not-a-kind", kind.span(), message)
                .label("a parameter is a process")
                .help("kinds are declared `type producer < proc`"),
        );
        return None;
    }
    Some(ty)
}

/// The condition that a parameter has its kind, if it has one.
fn kind_literal(env: &Environment, var: Var, ty: Type) -> Option<Formula> {
    let (Type::Proc(Some(kind)), Some(symbol)) = (ty, env.kind_symbol) else { return None };
    let Sort::Enum(kinds) = env.symbols[symbol.index()].sort else { return None };
    Some(Formula::eq(Term::read(symbol, vec![Term::Var(var)]), Term::Constructor(kinds, kind.0)))
}

/// Makes the parameter in brackets the actor.
fn set_actor(elaborator: &mut Elaborator<'_>, var: Var, name: &ast::Name) {
    if !matches!(elaborator.context, Context::Guard | Context::Body) {
        elaborator.out.push(
            Diagnostic::error("misplaced-actor", name.span(), "only a transition has an actor")
                .label("brackets mean: the process whose step this is"),
        );
    } else if elaborator.actor.var.is_some() {
        elaborator.out.push(
            Diagnostic::error("several-actors", name.span(), "a transition has at most one actor")
                .label("a second process in brackets"),
        );
    } else {
        elaborator.actor.var = Some(var);
        // The actor counts as used, even if nothing else mentions it.
        elaborator.scope.mark_used(&[var]);
    }
}
