//! Breadth-first search within bounds, for models whose store buffers may grow for ever.

use crate::{
    evaluation::Stuck,
    graph::Wrong,
    instance::{Instance, Ranges},
    search::Refusal,
    state::State,
    steps::{Fault, Step},
    tree::Program,
};
use std::collections::{BTreeMap, HashMap};

/// How far a search with store buffers goes.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// No state is expanded once there are more than this.
    pub states: usize,
    /// The largest number of entries in the buffer of a process.
    pub buffer: usize,
    pub ranges: Ranges,
}

/// What was found within bounds.
#[derive(Debug, Default)]
pub struct Found {
    /// Each violation with the smallest number of steps that leads to it, flushes included: `unsafe` and `invariant`
    /// with the name of the property, `misuse` and `range` without, and `deadlock` for a state without a step
    /// where the model says that no run may end.
    pub violations: BTreeMap<(&'static str, String), usize>,
    /// Whether no bound and no range stood in the way: these are all states of unbounded buffers.
    pub exhaustive: bool,
    /// Every state, and the number of steps to it. States that violate something are expanded like others.
    pub states: HashMap<State, usize>,
    /// The largest number of entries that any buffer had.
    pub longest: usize,
}

/// Explores a model with a number of processes. Fails only if the initial states cannot be computed, or a number
/// that nothing decides is read.
pub fn explore(program: &Program, processes: usize, bounds: &Bounds) -> Result<Found, Refusal> {
    let instance = Instance::new(program, processes, bounds.ranges.clone());
    let initial = instance.initial(4 * bounds.states)?;
    let mut found = Found { exhaustive: !initial.cut, ..Found::default() };
    let mut layer: Vec<State> = initial.states.into_iter().collect();
    layer.iter().for_each(|state| _ = found.states.insert(state.clone(), 0));
    for depth in 0.. {
        let mut next = Vec::new();
        for state in &layer {
            found.judge(instance.wrong(state)?, depth);
            if found.states.len() > bounds.states {
                found.exhaustive = false;
            } else {
                found.expand(&instance, state, depth, bounds, &mut next)?;
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    Ok(found)
}

impl Found {
    fn judge(&mut self, wrong: Wrong, depth: usize) {
        for violation in wrong {
            self.violations.entry(violation).or_insert(depth);
        }
    }

    fn expand(
        &mut self,
        instance: &Instance<'_>,
        state: &State,
        depth: usize,
        bounds: &Bounds,
        next: &mut Vec<State>,
    ) -> Result<(), Refusal> {
        let steps: Result<Vec<Step>, Stuck> = instance.steps(state).into_iter().collect();
        let steps = steps.map_err(|stuck| instance.refusal(stuck))?;
        if steps.is_empty() && instance.may_end(state)? == Some(false) {
            self.judge(Wrong::from([("deadlock", String::new())]), depth);
        }
        for step in steps {
            let kind = |fault: &Fault| if *fault == Fault::Misuse { "misuse" } else { "range" };
            self.judge(step.faults.iter().map(|fault| (kind(fault), String::new())).collect(), depth);
            self.exhaustive &= !step.cut;
            step.states.into_iter().for_each(|after| self.reach(after, depth + 1, bounds, next));
        }
        Ok(())
    }

    fn reach(&mut self, state: State, depth: usize, bounds: &Bounds, next: &mut Vec<State>) {
        let longest = state.buffers.iter().map(Vec::len).max().unwrap_or(0);
        if longest > bounds.buffer {
            self.exhaustive = false;
        } else if !self.states.contains_key(&state) {
            self.longest = self.longest.max(longest);
            self.states.insert(state.clone(), depth);
            next.push(state);
        }
    }

    /// Whether a property is violated: an `unsafe` formula holds somewhere, or an invariant is broken.
    pub fn violates_a_property(&self) -> bool {
        self.violations.keys().any(|(kind, _)| matches!(*kind, "unsafe" | "invariant"))
    }
}
