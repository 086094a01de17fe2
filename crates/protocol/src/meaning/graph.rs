//! The state graph of a protocol without channels: its residuals, and the steps between them.

use super::{action::Vocabulary, action::number, build::Obstacle, semantics::Semantics, term::TermId};
use explore::{Limit, Limits};
use rustc_hash::FxHashMap;
use source::Diagnostic;
use std::time::Instant;

/// More loops and sessions with different data than this mean that data grow without bound.
const MOST_INSTANCES: usize = 200_000;

/// A step: the number of an action, and the state after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The action.
    pub action: u32,
    /// The state after it.
    pub to: u32,
}

/// A transition system. State 0 is the first.
#[derive(Debug, Clone)]
pub struct StateGraph {
    /// Roles, types and actions.
    pub vocabulary: Vocabulary,
    /// For each state its steps.
    pub steps: Vec<Vec<Edge>>,
    /// For each state whether the protocol may stop there.
    pub done: Vec<bool>,
    /// What is remarkable about the protocol.
    pub warnings: Vec<Diagnostic>,
}

/// Why there is no state graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoGraph {
    /// The protocol has none.
    Obstacle(Obstacle),
    /// A limit was reached.
    Limit(Limit),
}

impl From<Obstacle> for NoGraph {
    fn from(obstacle: Obstacle) -> NoGraph {
        NoGraph::Obstacle(obstacle)
    }
}

impl StateGraph {
    /// The number of steps.
    pub fn edges(&self) -> usize {
        self.steps.iter().map(Vec::len).sum()
    }

    /// Explores all residuals from the first one.
    pub(crate) fn explore(
        semantics: &mut Semantics,
        start: TermId,
        limits: &Limits,
    ) -> Result<StateGraph, NoGraph> {
        let begun = Instant::now();
        let mut numbers: FxHashMap<TermId, u32> = FxHashMap::from_iter([(start, 0)]);
        let mut terms = vec![start];
        let (mut steps, mut done) = (Vec::new(), Vec::new());
        while steps.len() < terms.len() {
            let term = terms[steps.len()];
            let mut here = Vec::new();
            for (action, after) in semantics.steps(term)?.iter() {
                let next = number(terms.len());
                let to = *numbers.entry(*after).or_insert(next);
                if to == next {
                    terms.push(*after);
                }
                here.push(Edge { action: *action, to });
            }
            steps.push(here);
            done.push(semantics.done(term)?);
            check(semantics, &terms, limits, begun)?;
        }
        let warnings = semantics.observations(&terms)?;
        Ok(StateGraph { vocabulary: semantics.vocabulary.clone(), steps, done, warnings })
    }
}

fn check(semantics: &Semantics, terms: &[TermId], limits: &Limits, begun: Instant) -> Result<(), NoGraph> {
    if limits.states.is_some_and(|most| terms.len() > most) {
        return Err(NoGraph::Limit(Limit::States));
    }
    if semantics.instances() > MOST_INSTANCES {
        let grown = terms.iter().rev().find_map(|term| semantics.recursive_part(*term));
        let (name, span) = semantics.definition(grown.unwrap_or(terms[0]));
        let message = format!(
            "there are more than {MOST_INSTANCES} instances of loops and sessions: data of {name} may grow for ever"
        );
        let mut obstacle = Obstacle::new("unbounded-data", span, message);
        obstacle.0 =
            Box::new(obstacle.0.help("let its values come back to earlier ones, for instance with `mod`"));
        return Err(obstacle.into());
    }
    if terms.len().is_multiple_of(256)
        && let Some(limit) = limits.ended_since(begun)
    {
        return Err(NoGraph::Limit(limit));
    }
    Ok(())
}
