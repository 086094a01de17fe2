//! From specifications with variables to terms without: data are evaluated, loops and sessions wait until they are needed.

use super::{
    action::Action,
    semantics::Semantics,
    term::{LoopInstance, Term, TermId},
};
use crate::{
    data::{EvaluationError, Evaluator, Scope, Value},
    syntax::tree::{Arrow, Communication, Expr, Name, Operator, RoleExpr, Spec, SpecKind, Verb},
};
use source::{Diagnostic, Span};
use std::rc::Rc;

/// Why a protocol has no transition system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obstacle(pub Box<Diagnostic>);

impl From<EvaluationError> for Obstacle {
    fn from(error: EvaluationError) -> Obstacle {
        Obstacle(Box::new(error.diagnostic()))
    }
}

impl Obstacle {
    pub(crate) fn new(code: &'static str, span: Span, message: impl Into<String>) -> Obstacle {
        Obstacle(Box::new(Diagnostic::error(code, span, message)))
    }
}

/// The most parts of one specification, with all its ranges.
const MOST_PARTS: usize = 200_000;

impl Semantics {
    /// The term of a specification.
    pub(super) fn build(
        &mut self,
        spec: &Spec,
        scope: &Scope,
        around: &[LoopInstance],
    ) -> Result<TermId, Obstacle> {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return Err(Obstacle::new("unbounded-data", spec.span, "this has too many parts to be built"));
        }
        match &spec.kind {
            SpecKind::End => Ok(self.terms.make(Term::End)),
            SpecKind::Action(communication) => self.communication(communication, spec.span, scope),
            SpecKind::Any(roles) => self.any(roles, scope),
            SpecKind::Join(operator, parts) => {
                let parts: Result<Vec<TermId>, Obstacle> =
                    parts.iter().map(|part| self.build(part, scope, around)).collect();
                Ok(self.join(*operator, parts?, spec.span))
            }
            SpecKind::Every(operator, bindings, body) => {
                let mut parts = Vec::new();
                self.every(bindings, body, scope, around, &mut parts)?;
                if parts.is_empty() && *operator == Operator::Alt {
                    self.empty_choices.insert(spec.span);
                }
                Ok(self.join(*operator, parts, spec.span))
            }
            SpecKind::If(test, then, otherwise) => {
                let chosen = if self.value(test, scope)?.is_true() { then } else { otherwise };
                self.build(chosen, scope, around)
            }
            SpecKind::Let(bindings, body) => {
                let scope = self.bound(bindings, scope)?;
                self.build(body, &scope, around)
            }
            SpecKind::Loop(number) => self.enter(*number, scope, around),
            SpecKind::Recur(name, values) => self.recur(name, values, scope, around, spec.span),
            SpecKind::Call(name, values) => {
                let values: Result<Rc<[Value]>, Obstacle> =
                    values.iter().map(|value| self.value(value, scope)).collect();
                self.call(name, values?)
            }
            SpecKind::Graph(number) => {
                let start = self.file.graphs[*number].start;
                Ok(self.terms.make(Term::Vertex(*number, start)))
            }
        }
    }

    fn value(&mut self, expr: &Expr, scope: &Scope) -> Result<Value, Obstacle> {
        let file = self.file.clone();
        Ok(Evaluator::new(&file.functions).value_in(expr, scope)?)
    }

    fn bound(&mut self, bindings: &[(Name, Expr)], scope: &Scope) -> Result<Scope, Obstacle> {
        let mut scope = scope.clone();
        for (name, value) in bindings {
            let value = self.value(value, &scope)?;
            scope = scope.with(name.text.clone(), value);
        }
        Ok(scope)
    }

    fn join(&mut self, operator: Operator, parts: Vec<TermId>, span: Span) -> TermId {
        let end = self.terms.make(Term::End);
        match operator {
            Operator::Cat => parts.into_iter().rev().fold(end, |then, first| self.terms.cat(first, then)),
            Operator::Async => parts.into_iter().rev().fold(end, |then, first| self.terms.weak(first, then)),
            Operator::Par => self.terms.par(parts),
            Operator::Alt => {
                let choice = self.terms.alt(parts);
                self.terms.remember(choice, span);
                choice
            }
        }
    }

    fn every(
        &mut self,
        bindings: &[(Name, Expr)],
        body: &Spec,
        scope: &Scope,
        around: &[LoopInstance],
        parts: &mut Vec<TermId>,
    ) -> Result<(), Obstacle> {
        let Some(((name, range), others)) = bindings.split_first() else {
            parts.push(self.build(body, scope, around)?);
            return Ok(());
        };
        let range_value = self.value(range, scope)?;
        let Some(items) = range_value.elements() else {
            let message =
                format!("`{}` ranges over a collection, not over {}", name.text, range_value.kind());
            return Err(Obstacle::new("no-value", range.span, message));
        };
        for item in items {
            self.every(others, body, &scope.with(name.text.clone(), item), around, parts)?;
        }
        Ok(())
    }

    fn enter(&mut self, number: usize, scope: &Scope, around: &[LoopInstance]) -> Result<TermId, Obstacle> {
        let definition = self.file.loops[number].clone();
        let inner = self.bound(&definition.bindings, scope)?;
        let values = definition.bindings.iter().filter_map(|(name, _)| inner.get(&name.text).cloned());
        let outer = definition.free.iter().filter_map(|name| Some((name.clone(), scope.get(name)?.clone())));
        let instance =
            LoopInstance { number, values: values.collect(), outer: outer.collect(), around: around.into() };
        Ok(self.terms.make(Term::Loop(instance)))
    }

    fn recur(
        &mut self,
        name: &Name,
        values: &[Expr],
        scope: &Scope,
        around: &[LoopInstance],
        span: Span,
    ) -> Result<TermId, Obstacle> {
        let file = self.file.clone();
        let is_it = |known: &&LoopInstance| file.loops[known.number].name.text == name.text;
        let Some(known) = around.iter().rev().find(is_it) else {
            return Err(Obstacle::new(
                "unknown-loop",
                span,
                format!("there is no loop `{}` here", name.text),
            ));
        };
        // Variables without a value keep theirs.
        let mut new: Vec<Value> = known.values.to_vec();
        for (place, value) in new.iter_mut().zip(values) {
            *place = self.value(value, scope)?;
        }
        Ok(self.terms.make(Term::Loop(LoopInstance { values: new.into(), ..known.clone() })))
    }

    pub(super) fn call(&mut self, name: &Name, values: Rc<[Value]>) -> Result<TermId, Obstacle> {
        let is_it = |session: &crate::syntax::tree::Session| {
            session.key.text == name.text && session.params.len() == values.len()
        };
        let Some(at) = self.file.sessions.iter().position(is_it) else {
            let message = format!("there is no session `{}` with {} parameters", name.text, values.len());
            return Err(Obstacle::new("unknown-session", name.span, message));
        };
        Ok(self.terms.make(Term::Call(at, values)))
    }

    /// What a loop or a session does, and where it is defined.
    pub(super) fn unfold(&mut self, id: TermId) -> Result<TermId, Obstacle> {
        if let Some(known) = self.unfolded.get(&id) {
            return Ok(*known);
        }
        let file = self.file.clone();
        let body = match self.terms.get(id).clone() {
            Term::Loop(instance) => {
                let definition = &file.loops[instance.number];
                let mut scope = Scope::default();
                for (name, value) in instance.outer.iter() {
                    scope = scope.with(name.clone(), value.clone());
                }
                for ((name, _), value) in definition.bindings.iter().zip(instance.values.iter()) {
                    scope = scope.with(name.text.clone(), value.clone());
                }
                let mut around: Vec<LoopInstance> = instance.around.to_vec();
                around.push(instance.clone());
                self.parts = 0;
                self.build(&definition.body, &scope, &around)?
            }
            Term::Call(at, values) => {
                let session = &file.sessions[at];
                let bind = |scope: Scope, (name, value): (&Name, &Value)| {
                    scope.with(name.text.clone(), value.clone())
                };
                let scope = session.params.iter().zip(values.iter()).fold(Scope::default(), bind);
                self.parts = 0;
                self.build(&session.body, &scope, &[])?
            }
            _ => id,
        };
        self.unfolded.insert(id, body);
        Ok(body)
    }

    fn communication(
        &mut self,
        communication: &Communication,
        span: Span,
        scope: &Scope,
    ) -> Result<TermId, Obstacle> {
        let from = self.role(&communication.from, scope)?;
        let mut to =
            communication.to.iter().map(|role| self.role(role, scope)).collect::<Result<Vec<u32>, _>>()?;
        if to.contains(&from) {
            let name = &self.vocabulary.roles[from as usize].name;
            let message = format!("`{name}` communicates with itself here");
            return Err(Obstacle::new("self-send", span, message));
        }
        to.sort_unstable();
        to.dedup();
        let message = communication.message.as_ref().map(|name| self.vocabulary.message(&name.text));
        let to: Rc<[u32]> = to.into();
        Ok(match communication.arrow {
            Arrow::Handshake => self.action(Verb::Handshake, from, to, message),
            Arrow::Close => self.action(Verb::Close, from, to, None),
            Arrow::Message => {
                let send = self.action(Verb::Send, from, to.clone(), message);
                let receives =
                    to.iter().map(|role| self.action(Verb::Receive, from, [*role].into(), None)).collect();
                let receives = self.terms.par(receives);
                self.terms.cat(send, receives)
            }
        })
    }

    pub(super) fn action(&mut self, verb: Verb, from: u32, to: Rc<[u32]>, message: Option<u32>) -> TermId {
        let action = self.vocabulary.action(Action { verb, from, to, message });
        self.terms.make(Term::Action(action))
    }

    /// One action of any kind and type between two different roles.
    fn any(&mut self, roles: &[RoleExpr], scope: &Scope) -> Result<TermId, Obstacle> {
        let roles = roles.iter().map(|role| self.role(role, scope)).collect::<Result<Vec<u32>, _>>()?;
        let types: Vec<Rc<str>> = self.file.types.clone();
        let mut messages: Vec<Option<u32>> =
            types.iter().map(|name| Some(self.vocabulary.message(name))).collect();
        if messages.is_empty() {
            messages.push(None);
        }
        let mut branches = Vec::new();
        for from in &roles {
            for to in roles.iter().filter(|to| *to != from) {
                for verb in [Verb::Send, Verb::Handshake] {
                    let of = |message: &Option<u32>| (verb, *message);
                    for (verb, message) in messages.iter().map(of).collect::<Vec<_>>() {
                        branches.push(self.action(verb, *from, [*to].into(), message));
                    }
                }
                branches.push(self.action(Verb::Receive, *from, [*to].into(), None));
                branches.push(self.action(Verb::Close, *from, [*to].into(), None));
            }
        }
        Ok(self.terms.alt(branches))
    }

    fn role(&mut self, role: &RoleExpr, scope: &Scope) -> Result<u32, Obstacle> {
        let key: Rc<str> = if role.variable {
            match scope.get(&role.name.text) {
                Some(Value::Keyword(key)) => key.clone(),
                Some(other) => {
                    let message = format!("`{}` is {}, not a role", role.name.text, other.kind());
                    return Err(Obstacle::new("no-value", role.span, message));
                }
                None => {
                    let message = format!("there is no `{}` here", role.name.text);
                    return Err(Obstacle::new("unknown-variable", role.span, message));
                }
            }
        } else {
            role.name.text.clone()
        };
        let title = self.file.roles.iter().find(|known| known.key.text == key);
        let mut name = title.and_then(|known| known.title.clone()).unwrap_or_else(|| key.to_string());
        for index in &role.indices {
            let index = self.value(index, scope)?;
            name += &format!("[{}]", index.plain());
        }
        Ok(self.vocabulary.role(&name, &key))
    }
}
