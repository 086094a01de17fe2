//! Expressions and searches for states of a model.

use super::{ModelSystem, Origin};
use crate::{Call, Inconclusive, Inspect, Reach, ReachEnd, Refusal, Value};
use explore::Limit;
use instance::{
    Action, Unanswerable,
    reach::{Goal, Reached, reach},
};
use ir::{Expression, LoneExpression, Sort, Symbol};
use std::rc::Rc;

impl<const W: usize> ModelSystem<'_, '_, W> {
    pub(super) fn value_of(&mut self, expression: &str) -> Result<Value, Refusal> {
        let value = match &self.read(expression)?.expression {
            Expression::Formula(formula) => self.machine.holds(formula, &[]).map(Value::Truth),
            Expression::Term(term) => self.machine.value_of(term, &[]).map(Value::Term),
        };
        match value {
            Err(wrong @ (Unanswerable::NoSuchProcess(_) | Unanswerable::TooFine)) => Err(self.refusal(wrong)),
            Err(missing) => Ok(Value::Undefined(self.words_of(missing))),
            Ok(value) => Ok(value),
        }
    }

    /// The number of processes that expressions can name: `#1` up to this one.
    fn named(&self) -> u32 {
        u32::try_from(self.processes()).unwrap_or(u32::MAX)
    }

    fn read(&mut self, text: &str) -> Result<Rc<LoneExpression>, Refusal> {
        if let Some(known) = self.expressions.get(text) {
            return Ok(known.clone());
        }
        let Origin { source, queues, .. } = self.origin;
        let counted = self.counter(text);
        let read = model::expression_about(source, queues, self.named(), counted.as_deref().unwrap_or(text));
        let read = Rc::new(read.map_err(|diagnostics| Refusal::Expression {
            text: text.to_owned(),
            origin: "watch",
            diagnostics: diagnostics.sorted(),
        })?);
        self.expressions.insert(text.to_owned(), read.clone());
        Ok(read)
    }

    /// `#Inside` is short for `count(Loc, Inside)`, if there is only one array that can hold `Inside`.
    fn counter(&self, text: &str) -> Option<String> {
        let name = text.trim().strip_prefix('#')?;
        let model = self.model();
        let holds = |symbol: &&Symbol| match symbol.sort {
            Sort::Enum(of) => {
                symbol.arity == 1 && model.enums[of.index()].constructors.iter().any(|it| it == name)
            }
            _ => false,
        };
        let mut arrays =
            model.symbols.iter().filter(|symbol| symbol.origin == ir::Origin::Declared).filter(holds);
        match (arrays.next(), arrays.next()) {
            (Some(only), None) => Some(format!("count({}, {name})", only.name)),
            _ => None,
        }
    }

    /// What is meant by a goal: `deadlock`, the name of a property, or a formula.
    fn goal(&self, text: &str) -> Result<Goal, Refusal> {
        let named = self.model().properties.iter().find(|property| property.name == text);
        match named {
            _ if text == "deadlock" => Ok(Goal::Deadlock),
            Some(property) => Ok(Goal::violation(property)),
            None => model::formula_about(self.origin.source, self.origin.queues, self.named(), text)
                .map(|formula| Goal::Formula(Box::new(formula)))
                .map_err(|diagnostics| Refusal::Expression {
                    text: text.to_owned(),
                    origin: "goto",
                    diagnostics: diagnostics.sorted(),
                }),
        }
    }

    pub(super) fn search(&self, goal: &str) -> Result<Reach<Action>, Refusal> {
        let goal = self.goal(goal)?;
        let (reached, stats) = reach(self.model(), &self.machine, &goal, &self.origin.effort)
            .map_err(|unanswerable| self.refusal(unanswerable))?;
        let end = match reached {
            Reached::Path(actions) => ReachEnd::Path(actions),
            Reached::Nowhere => ReachEnd::Nowhere,
            Reached::Limit(Limit::Cancelled) => ReachEnd::Unknown(Inconclusive::Interrupted),
            Reached::Limit(limit) => ReachEnd::Unknown(Inconclusive::Limit { limit: limit.to_string() }),
            Reached::Ranges => ReachEnd::Unknown(Inconclusive::Ranges),
            Reached::Obstacle(obstacle) => {
                let reason = obstacle.explain(self.model());
                ReachEnd::Unknown(Inconclusive::Obstacle { reason })
            }
            Reached::Unanswerable => ReachEnd::Unknown(Inconclusive::Undefined),
            Reached::Contradiction(what) => ReachEnd::Unknown(Inconclusive::Contradiction { what }),
        };
        Ok(Reach { states: stats.states, end })
    }

    fn refusal(&self, unanswerable: Unanswerable) -> Refusal {
        Refusal::Unanswerable { why: self.words_of(unanswerable) }
    }

    fn words_of(&self, unanswerable: Unanswerable) -> String {
        match unanswerable {
            Unanswerable::Unset(symbol) => {
                format!("`{}` has no value yet", self.model().symbol(symbol).name)
            }
            other => other.to_string(),
        }
    }

    pub(super) fn calls_of(&self, name: &str) -> Vec<Call> {
        let rules = self.model().rules.iter().filter(|rule| rule.name == name);
        let mut arities: Vec<usize> = rules.map(|rule| rule.params.len()).collect();
        arities.sort_unstable();
        arities.dedup();
        let call =
            |processes| Call { name: name.to_owned(), processes, woken: None, choice: None, variant: None };
        let some = arities.into_iter().filter(|arity| *arity > 0);
        some.flat_map(|arity| arrangements(self.processes(), arity)).map(call).collect()
    }
}

/// All sequences of `length` different processes.
fn arrangements(processes: usize, length: usize) -> Vec<Vec<usize>> {
    (0..length).fold(vec![vec![]], |all, _| {
        let longer = |one: Vec<usize>| {
            let others = (0..processes).filter(|other| !one.contains(other)).collect::<Vec<_>>();
            others.into_iter().map(move |other| [one.as_slice(), &[other]].concat())
        };
        all.into_iter().flat_map(longer).collect()
    })
}
