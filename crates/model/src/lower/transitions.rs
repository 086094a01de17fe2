//! Transitions: parameters, guard, statements.

use super::{
    conflict::{self, Existential},
    consistency::Looker,
    context::Context,
    elaborate::{Elaborator, Phrase},
    environment::Environment,
    params,
    scope::Binding,
    threads::{LockRef, Lowering, Operation},
};
use crate::syntax::ast::{self, AstNode, Statement};
use ir::{At, Formula, Property, PropertyKind, Rule, RuleId, SymbolId, Term, Transition, Update};
use source::{Diagnostic, Diagnostics, Span};

/// The result of lowering a transition of the source.
pub(super) struct Lowered {
    pub(super) rule: Rule,
    pub(super) transitions: Vec<Transition>,
    /// Steps that would break a rule of the language: misuse of locks, values outside of a range.
    pub(super) violations: Vec<Property>,
}

/// Lowers one transition.
pub(super) fn transition(
    env: &Environment,
    item: &ast::Transition,
    id: RuleId,
    out: &mut Diagnostics,
    named: &mut u32,
) -> Lowered {
    let mut elaborator = Elaborator::new(env, out, Context::Guard);
    let kinds = params::bind(&mut elaborator, item.params());
    check_weak_actor(&mut elaborator, item);
    let rule = rule(&elaborator, item);
    let actor_active = match (&env.threads, elaborator.actor.var) {
        (Some(threads), Some(actor)) => Some(threads.active(Term::Var(actor))),
        _ => None,
    };
    let guard_expr = item.requires().and_then(|requires| requires.block()).and_then(|block| block.formula());
    let parts = guard_expr.map_or(vec![], |formula| conflict::parts(&mut elaborator, &formula));
    let given = Formula::and(kinds.into_iter().chain(actor_active));
    if elaborator.out.sound() {
        let looker = Looker { env, ranges: true };
        let item = Existential { looker, parts: &parts, given: given.clone(), params: &elaborator.params };
        let message = format!("`{}` can never be taken", rule.name);
        let warn = |at| Diagnostic::warning("unsatisfiable-guard", at, message);
        elaborator.out.extend(item.warning(warn, None));
    }
    let guard = Formula::and([given, conflict::all(&parts)]);
    let mut body = Body::new(elaborator, guard, id);
    body.statements(item.body());
    body.elaborator.scope.leave(0, &mut body.elaborator.out);
    *named = body.elaborator.mentions.named_processes.max(*named);
    let (transitions, violations) = body.finish();
    Lowered { rule, transitions, violations }
}

fn rule(elaborator: &Elaborator<'_>, item: &ast::Transition) -> Rule {
    let name = item.name();
    Rule {
        name: name.as_ref().map_or(String::new(), ast::Name::text),
        params: elaborator
            .params
            .iter()
            .map(|param| elaborator.scope.variables.name(*param).to_owned())
            .collect(),
        actor: elaborator.params.iter().position(|param| Some(*param) == elaborator.actor.var),
        at: At(name.map_or(item.span(), |name| name.span())),
    }
}

fn check_weak_actor(elaborator: &mut Elaborator<'_>, item: &ast::Transition) {
    if elaborator.env.weak && elaborator.actor.var.is_none() {
        let at = item.name().map_or(item.span(), |name| name.span());
        elaborator.out.push(
            Diagnostic::error("weak-without-actor", at, "this transition has no actor")
                .label("whose reads and writes are these?")
                .help("in a model with weak symbols every step is one of a process, in brackets: `([i] j)`"),
        );
    }
}

/// The body of a transition while it is lowered.
pub(super) struct Body<'e> {
    pub(super) elaborator: Elaborator<'e>,
    pub(super) guard: Formula,
    pub(super) rule: RuleId,
    pub(super) updates: Vec<Update>,
    /// Values outside of their domain: the formula and the statement.
    pub(super) out_of_range: Vec<(Formula, Span)>,
    pub(super) primitive: Option<(Operation, LockRef, Span)>,
    /// The location of the first primitive, even if it has an error.
    pub(super) primitive_at: Option<Span>,
    pub(super) assigned: Vec<(SymbolId, Span)>,
}

impl<'e> Body<'e> {
    fn new(mut elaborator: Elaborator<'e>, guard: Formula, rule: RuleId) -> Body<'e> {
        elaborator.context = Context::Body;
        Body {
            elaborator,
            guard,
            rule,
            updates: vec![],
            out_of_range: vec![],
            primitive: None,
            primitive_at: None,
            assigned: vec![],
        }
    }

    fn statements(&mut self, body: Option<ast::Body>) {
        let Some(body) = body else { return };
        for binding in body.lets() {
            if let (Some(name), Some(value)) = (binding.name(), binding.value()) {
                let phrase =
                    self.elaborator.term(&value).map_or(Phrase::Unknown, |(term, ty)| Phrase::Term(term, ty));
                self.elaborator.scope.define(&name, Binding::Phrase(phrase), &mut self.elaborator.out);
            }
        }
        for statement in body.statements() {
            match statement {
                Statement::Assignment(assignment) => self.assignment(&assignment),
                Statement::Primitive(primitive) => self.primitive(&primitive),
            }
        }
    }

    /// The transitions, and the properties that detect steps of this rule that break a rule of the language.
    fn finish(mut self) -> (Vec<Transition>, Vec<Property>) {
        let mut violations = Vec::new();
        let mut guard = self.guard.clone();
        for (bad, at) in std::mem::take(&mut self.out_of_range) {
            let step = Formula::and([self.guard.clone(), bad.clone()]);
            violations.push(self.violation(PropertyKind::Range, step, at));
            guard = Formula::and([guard, bad.not()]);
        }
        let mut transition = Transition {
            rule: self.rule,
            params: self.elaborator.params.clone(),
            variables: vec![],
            actor: self.elaborator.actor.var,
            woken: None,
            guard,
            updates: std::mem::take(&mut self.updates),
            reads_weak: self.elaborator.mentions.weak,
        };
        let (Some((operation, lock, at)), Some(threads), Some(actor)) =
            (self.primitive.take(), &self.elaborator.env.threads, self.elaborator.actor.var)
        else {
            transition.variables = self.elaborator.scope.variables.into_names();
            return (vec![transition], violations);
        };
        let lowering = Lowering::new(
            threads,
            lock,
            actor,
            &self.elaborator.params,
            &mut self.elaborator.scope.variables,
        );
        if let Some(misuse) = lowering.misuse(operation) {
            let step = Formula::and([self.guard.clone(), misuse]);
            violations.push(self.violation(PropertyKind::Misuse, step, at));
        }
        transition.variables = self.elaborator.scope.variables.names().to_vec();
        (lowering.lower(operation, &transition, At(at)), violations)
    }

    fn violation(&self, kind: PropertyKind, formula: Formula, at: Span) -> Property {
        Property {
            kind,
            // Numbered once all of them are known.
            name: String::new(),
            params: self.elaborator.params.clone(),
            variables: self.elaborator.scope.variables.names().to_vec(),
            formula,
            rule: Some(self.rule),
            at: At(at),
        }
    }
}
