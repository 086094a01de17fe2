//! Models for a fixed number of processes, as systems that a session can inspect.

mod explain;
mod judging;
mod questions;
mod status;
mod text;

use crate::{Call, Excerpt, Finding, Gap, Inspect, Location, Reach, Reason, Refusal, Status, Value};
use explore::{DeadlockPolicy, Fault, Footprint, Label, Steered, System, Valuation};
use instance::{Action, Instance, Machine, reach::Effort};
use ir::{LoneExpression, Model, Origin as SymbolOrigin, Rule};
use model::Queues;
use source::Source;
use std::{collections::BTreeMap, rc::Rc};

/// What a session about a model needs to know beside its instances.
#[derive(Debug, Clone)]
pub struct Origin<'m> {
    /// The model that is stepped through.
    pub model: &'m Model,
    /// Its text, whose words expressions may use.
    pub source: &'m Source,
    /// The order of queues with which the model was read.
    pub queues: Queues,
    /// When a deadlock is a violation.
    pub deadlock: DeadlockPolicy,
    /// The limits and threads of `goto`.
    pub effort: Effort,
}

/// A model to step through, with states of `W` words: see [`for_width`](instance::for_width).
pub struct ModelSystem<'m, 'i, const W: usize> {
    origin: Origin<'m>,
    machine: Machine<'m, 'i, W>,
    /// The actions that are enabled here. Listing them notes what could not be evaluated, so that is done once, on arrival.
    enabled: Vec<Action>,
    /// Expressions that were evaluated before, so that each is parsed once.
    expressions: BTreeMap<String, Rc<LoneExpression>>,
}

impl<'m, 'i, const W: usize> ModelSystem<'m, 'i, W> {
    /// The instances of a model, which differ by the kinds of processes.
    pub fn new(origin: Origin<'m>, instances: &'i [Instance<'m>]) -> Self {
        let machine = Machine::new(instances);
        ModelSystem { origin, machine, enabled: vec![], expressions: BTreeMap::new() }
    }

    fn arrive(&mut self) {
        self.machine.forget_obstacles();
        self.enabled.clear();
        self.machine.enabled(&mut self.enabled);
    }

    fn model(&self) -> &'m Model {
        self.origin.model
    }

    fn rule(&self, action: Action) -> &'m Rule {
        let (transition, _) = self.machine.step_of(&action);
        &self.model().rules[self.model().transitions[transition].rule.index()]
    }
}

impl<const W: usize> Steered for ModelSystem<'_, '_, W> {
    type Action = Action;
    type Identity = [u64; W];

    fn initials(&mut self) -> Result<usize, Fault> {
        self.machine.initials()
    }

    fn start(&mut self, initial: usize) -> Result<(), Fault> {
        self.machine.start(initial)?;
        self.arrive();
        Ok(())
    }

    fn enabled(&self, actions: &mut Vec<Action>) {
        actions.extend_from_slice(&self.enabled);
    }

    fn take(&mut self, action: &Action) -> Result<(), Fault> {
        self.machine.take(action)?;
        self.arrive();
        Ok(())
    }

    fn identity(&self) -> [u64; W] {
        self.machine.identity()
    }

    fn ended(&self) -> bool {
        self.machine.ended()
    }

    fn footprint(&self, action: &Action, footprint: &mut Footprint) {
        self.machine.footprint(action, footprint);
    }

    fn process(&self, action: &Action) -> Option<usize> {
        self.machine.process(action)
    }

    fn actors(&self) -> Vec<String> {
        self.machine.actors()
    }

    fn label(&self, action: &Action) -> Label {
        self.machine.label(action)
    }

    fn describe(&self) -> Valuation {
        self.machine.describe()
    }
}

impl<const W: usize> System for ModelSystem<'_, '_, W> {
    type Checkpoint = [u64; W];

    fn checkpoint(&mut self) -> [u64; W] {
        self.machine.checkpoint()
    }

    fn restore(&mut self, checkpoint: &[u64; W]) -> Result<(), Fault> {
        self.machine.restore(checkpoint)?;
        self.arrive();
        Ok(())
    }
}

impl<const W: usize> Inspect for ModelSystem<'_, '_, W> {
    fn processes(&self) -> usize {
        self.machine.kinds().len()
    }

    fn call(&self, action: &Action) -> Call {
        self.machine.call(action)
    }

    fn evaluate(&mut self, expression: &str) -> Result<Value, Refusal> {
        self.value_of(expression)
    }

    fn explain(&self, call: &Call) -> Result<Vec<Reason>, Refusal> {
        self.reasons(call)
    }

    fn status(&self) -> Status {
        self.status_here()
    }

    fn findings(&self) -> Vec<Finding> {
        self.judge()
    }

    fn gap(&self) -> Option<Gap> {
        match self.machine.obstacle() {
            Some(obstacle) => Some(Gap::Obstacle { reason: obstacle.explain(self.model()) }),
            None => (self.enabled.is_empty() && self.machine.has_steps_here()).then_some(Gap::Ranges),
        }
    }

    fn location(&self, action: &Action) -> Option<Location> {
        Some(self.location_of(self.rule(*action).at))
    }

    fn calls(&self, name: &str) -> Vec<Call> {
        self.calls_of(name)
    }

    fn text_of(&self, name: &str) -> Result<Vec<Excerpt>, Refusal> {
        self.excerpts(name)
    }

    fn reach(&mut self, goal: &str) -> Option<Result<Reach<Action>, Refusal>> {
        Some(self.search(goal))
    }

    fn transitions(&self) -> Vec<String> {
        self.model().rules.iter().map(|rule| rule.name.clone()).collect()
    }

    fn words(&self) -> Vec<String> {
        let model = self.model();
        let declared = model.symbols.iter().filter(|symbol| symbol.origin == SymbolOrigin::Declared);
        let symbols = declared.map(|symbol| &symbol.name);
        let values = model.enums.iter().flat_map(|of| &of.constructors);
        let properties = model.properties.iter().map(|property| &property.name);
        // Names that lowering makes, such as `waiting(L)`, are not words of the language.
        let is_word = |word: &&String| word.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        let mut words: Vec<String> =
            symbols.chain(values).chain(properties).filter(is_word).cloned().collect();
        words.extend(["deadlock", "exists", "forall"].map(str::to_owned));
        words.sort();
        words.dedup();
        words
    }
}
