//! Transitions: parameters, guard and body of a step.

use crate::features::Feature;
use crate::generator::{Generator, Items};
use crate::layout::Item;
use crate::names::Class;
use crate::piece::Piece;
use crate::scope::{Instruction, Place, Scope, Variable};
use crate::symbols::{Step, Type};

/// A transition while it is generated.
pub(crate) struct Draft {
    /// The scope of the guard: the parameters and the actor.
    pub(crate) scope: Scope,
    pub(crate) guard: Vec<Piece>,
    pub(crate) statements: Vec<String>,
    /// Symbols that already have an update; each may have only one.
    pub(crate) assigned: Vec<String>,
}

impl Generator {
    pub(crate) fn transitions(&mut self, items: &mut Items) {
        let mut drafts = self.thread_transitions();
        let number = self.rng.between(1, self.limits.transitions).saturating_sub(drafts.len());
        if self.has(Feature::Weak) {
            drafts.extend(self.weak_transitions(number.max(4)));
        } else {
            for _ in 0..number {
                drafts.push(self.draft());
            }
        }
        for draft in drafts {
            let item = self.transition(draft);
            items.push(Item::new(item));
        }
    }

    /// A transition outside of all programs, with random parameters and conditions.
    fn draft(&mut self) -> Draft {
        let parameters = self.rng.one_of(&[0, 1, 1, 1, 2, 2, 3]);
        let actor = parameters > 0 && self.sometimes(Feature::Actors, 1, 2);
        let mut draft = self.empty_draft(parameters, actor);
        for name in draft.scope.variables.clone().into_iter().map(|v| v.name) {
            if self.rng.chance(1, 2) {
                draft.guard.push(self.atom_about(&draft.scope, &name));
            }
        }
        draft
    }

    /// A draft with parameters only. The actor is usually the first parameter.
    pub(crate) fn empty_draft(&mut self, parameters: usize, actor: bool) -> Draft {
        let mut scope = Scope::new(Place::Guard);
        for _ in 0..parameters {
            let kind = self.kind();
            scope.bind(kind, &mut self.rng);
        }
        if actor {
            let position = if self.rng.chance(1, 6) { self.rng.below(parameters) } else { 0 };
            scope.actor = Some(scope.variables[position].name.clone());
        }
        Draft { scope, guard: Vec::new(), statements: Vec::new(), assigned: Vec::new() }
    }

    fn transition(&mut self, mut draft: Draft) -> String {
        self.complete_guard(&mut draft);
        let mut body = draft.scope.at(Place::Body);
        let lets = self.lets(&mut body);
        let number = if self.rng.chance(1, 12) { 0 } else { self.rng.between(1, self.limits.updates) };
        self.updates(&mut draft, &body, number);
        self.rng.shuffle(&mut draft.statements);
        let head = format!("transition {} ({})", self.step_name(&draft.scope), self.actor_list(&draft.scope));
        format!("{head}\n{}{}", self.requires(draft.guard), self.block(&lets, &draft.statements))
    }

    /// Sometimes adds a condition or a quantified conjunct.
    fn complete_guard(&mut self, draft: &mut Draft) {
        if draft.scope.instruction == Instruction::Store && self.rng.chance(3, 4) {
            return;
        }
        if self.rng.chance(1, 3) {
            let condition = self.formula(&draft.scope, self.limits.depth);
            draft.guard.push(condition);
        }
        if self.may_quantify(&draft.scope, true) && self.rng.chance(1, 4) {
            draft.guard.extend(self.quantified(&draft.scope, 1));
        }
    }

    fn requires(&mut self, guard: Vec<Piece>) -> String {
        if guard.is_empty() && self.has(Feature::NoRequires) {
            return String::new();
        }
        format!("requires {{ {} }}\n", Piece::and(guard).text)
    }

    fn block(&mut self, lets: &str, statements: &[String]) -> String {
        let end = if !statements.is_empty() && self.rng.chance(1, 4) { ";" } else { "" };
        let text = format!("{lets}{}{end}", statements.join(";\n  "));
        if text.is_empty() { "{ }".to_string() } else { format!("{{ {text} }}") }
    }

    /// `let x = t in …`. The terms are plain, so that a number is as bounded as the symbol that it comes from.
    fn lets(&mut self, body: &mut Scope) -> String {
        let mut text = String::new();
        while self.sometimes(Feature::Lets, 1, 4) && body.terms.len() < 2 {
            let types: Vec<Type> = self.readable(body).iter().map(|symbol| symbol.ty).collect();
            let Some(&ty) = self.rng.pick(&types) else { break };
            let ty = if ty.serves_as(Type::Int) { Type::Int } else { ty };
            let Some(term) = self.symbol_of(ty, body) else { break };
            let name = body.bind_let(ty, &mut self.rng);
            text = format!("{text}let {name} = {term} in ");
        }
        text
    }

    fn step_name(&mut self, scope: &Scope) -> String {
        let known: Vec<String> = self.signature.steps.iter().map(|step| step.name.clone()).collect();
        let name = match self.rng.pick(&known).cloned() {
            Some(name) if self.sometimes(Feature::RepeatedNames, 1, 6) => name,
            _ => self.name(Class::Transition),
        };
        self.signature.steps.push(Step { name: name.clone(), arity: scope.variables.len() });
        name
    }

    fn actor_list(&self, scope: &Scope) -> String {
        let one = |variable: &Variable| {
            let text = self.parameter_text(variable);
            if scope.actor.as_ref() == Some(&variable.name) { format!("[{text}]") } else { text }
        };
        scope.variables.iter().map(one).collect::<Vec<String>>().join(" ")
    }

    /// `i` or `i : kind`
    pub(crate) fn parameter_text(&self, variable: &Variable) -> String {
        match variable.kind {
            Some(kind) => format!("{} : {}", variable.name, self.signature.kinds[kind]),
            None => variable.name.clone(),
        }
    }
}
