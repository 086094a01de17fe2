//! All states of an instance with everything the engine reports about them: the oracle of the compiled engine.
//!
//! Unlike [`explore`](crate::search::explore) this continues beyond states that are unsafe or violate an invariant,
//! as an engine does that looks for all violations, and keeps all states.

use crate::{
    evaluation::Stuck,
    instance::{Env, Instance, bound_params},
    search::Refusal,
    state::{Entry, State, Value},
    steps::{Fault, Step},
    tree::{Assigned, Claim, Program, Type},
};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    time::Instant,
};

/// Limits of a graph.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    pub states: usize,
    pub until: Option<Instant>,
}

/// The violations by a state: `unsafe` and `invariant` with the name of the property, `misuse` and `range` without.
pub type Wrong = BTreeSet<(&'static str, String)>;

/// A state of the graph.
#[derive(Debug)]
pub struct Node {
    pub state: State,
    pub depth: usize,
    pub wrong: Wrong,
    /// The number of steps, counted once for each transition, processes, and choice among values and waiters.
    pub edges: usize,
    /// Whether no step is enabled; faulty and excluded steps count as enabled.
    pub stuck: bool,
    /// Whether some process waits or sleeps.
    pub waits: bool,
    /// For a state without a step: whether a run may end there, if the model says where runs may end.
    pub may_end: Option<bool>,
}

/// All reachable states.
#[derive(Debug, Default)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub numbers: HashMap<State, usize>,
    pub initial: usize,
    /// Whether a range excluded some states.
    pub cut: bool,
    /// The number of steps and initial states dropped because they violate a trusted invariant.
    pub dropped: usize,
    /// The numbers of the rules of which a step was taken.
    pub taken: BTreeSet<usize>,
    /// The symbols that a step changed.
    pub changed: BTreeSet<usize>,
}

impl Graph {
    /// Explores an instance; `trusting` drops states that violate an invariant.
    pub fn new(instance: &Instance<'_>, budget: Budget, trusting: bool) -> Result<Graph, Refusal> {
        let initial = instance.initial(4 * budget.states)?;
        let mut graph = Graph { cut: initial.cut, initial: initial.states.len(), ..Graph::default() };
        for state in initial.states {
            graph.reach(instance, state, 0, trusting)?;
        }
        let mut at = 0;
        while at < graph.nodes.len() {
            let late = budget.until.is_some_and(|until| Instant::now() > until);
            if late || graph.nodes.len() > budget.states {
                return Err(Refusal::TooLarge);
            }
            graph.expand(instance, at, trusting)?;
            at += 1;
        }
        Ok(graph)
    }

    /// Adds a state if it is new. False if it is dropped.
    fn reach(
        &mut self,
        instance: &Instance<'_>,
        state: State,
        depth: usize,
        trusting: bool,
    ) -> Result<bool, Refusal> {
        if self.numbers.contains_key(&state) {
            return Ok(true);
        }
        let wrong = instance.wrong(&state)?;
        if trusting && wrong.iter().any(|(kind, _)| *kind == "invariant") {
            self.dropped += 1;
            return Ok(false);
        }
        let waits = (0..instance.processes).any(|process| !state.is_active(process));
        self.numbers.insert(state.clone(), self.nodes.len());
        self.nodes.push(Node { state, depth, wrong, edges: 0, stuck: false, waits, may_end: None });
        Ok(true)
    }

    fn expand(&mut self, instance: &Instance<'_>, at: usize, trusting: bool) -> Result<(), Refusal> {
        let (state, depth) = (self.nodes[at].state.clone(), self.nodes[at].depth);
        let steps: Result<Vec<Step>, Stuck> = instance.steps(&state).into_iter().collect();
        let steps = steps.map_err(|stuck| instance.refusal(stuck))?;
        self.nodes[at].stuck = steps.is_empty();
        self.nodes[at].may_end = if steps.is_empty() { instance.may_end(&state)? } else { None };
        for step in steps {
            self.cut |= step.cut;
            let kind = |fault: &Fault| if *fault == Fault::Misuse { "misuse" } else { "range" };
            self.nodes[at].wrong.extend(step.faults.iter().map(|fault| (kind(fault), String::new())));
            for next in step.states {
                let changed = instance.differences(&state, &next);
                if self.reach(instance, next, depth + 1, trusting)? {
                    self.nodes[at].edges += 1;
                    self.taken.extend(step.rule);
                    self.changed.extend(changed);
                }
            }
        }
        Ok(())
    }

    /// The smallest depth of each kind of violation, deadlocks and stuck states included. If the model says where
    /// runs may end, all other ends are deadlocks.
    pub fn nearest(&self) -> BTreeMap<(&'static str, String), usize> {
        let mut nearest = BTreeMap::new();
        for node in &self.nodes {
            let stuck = match (node.stuck, node.may_end) {
                (true, None) => Some((if node.waits { "deadlock" } else { "end" }, String::new())),
                (true, Some(false)) => Some(("deadlock", String::new())),
                _ => None,
            };
            for wrong in node.wrong.iter().cloned().chain(stuck) {
                let known = nearest.entry(wrong).or_insert(node.depth);
                *known = (*known).min(node.depth);
            }
        }
        nearest
    }

    /// The class of each state under permutations of processes of the same kind, and the number of classes.
    pub fn classes(&self, instance: &Instance<'_>) -> (Vec<usize>, usize) {
        let mut classes = vec![usize::MAX; self.nodes.len()];
        let mut count = 0;
        for at in 0..self.nodes.len() {
            if classes[at] != usize::MAX {
                continue;
            }
            for permuted in instance.permuted(&self.nodes[at].state) {
                let number = self.numbers.get(&permuted);
                let number = *number.expect("a permutation of a reachable state is reachable");
                assert_eq!(self.nodes[number].depth, self.nodes[at].depth, "and at the same depth");
                classes[number] = count;
            }
            count += 1;
        }
        (classes, count)
    }
}

impl Instance<'_> {
    /// The violations by a state itself, rather than by a step from it.
    pub(crate) fn wrong(&self, state: &State) -> Result<Wrong, Refusal> {
        let mut wrong = Wrong::new();
        for property in &self.program.properties {
            let kind = match property.claim {
                Claim::Unsafe => "unsafe",
                Claim::Invariant => "invariant",
                Claim::Assumption => continue,
            };
            for chosen in self.choices(&property.params, &state.kinds) {
                match self.truth(&property.formula, &bound_params(&property.params, &chosen), state) {
                    Ok(false) => {}
                    Ok(true) => _ = wrong.insert((kind, property.name.clone())),
                    Err(Stuck::Outside) => _ = wrong.insert(("misuse", String::new())),
                    Err(stuck) => return Err(self.refusal(stuck)),
                }
            }
        }
        let misused = self.program.quoted.iter().any(|atom| self.misuses(atom, state));
        wrong.extend(misused.then(|| ("misuse", String::new())));
        Ok(wrong)
    }

    /// Whether a run may end in a state, because some `final` holds. `None` if the model has no `final`.
    pub(crate) fn may_end(&self, state: &State) -> Result<Option<bool>, Refusal> {
        let mut ends = false;
        for end in &self.program.finals {
            // A formula that uses an outsider as a process does not hold.
            ends |= match self.truth(end, &Env::new(), state) {
                Err(Stuck::Outside) => false,
                holds => holds.map_err(|stuck| self.refusal(stuck))?,
            };
        }
        Ok(Some(ends).filter(|_| !self.program.finals.is_empty()))
    }

    /// The symbols whose cells differ.
    fn differences(&self, before: &State, after: &State) -> BTreeSet<usize> {
        let cells = self.all_cells().into_iter();
        cells
            .filter(|(_, cell)| before.cells[*cell] != after.cells[*cell])
            .map(|(symbol, _)| symbol)
            .collect()
    }

    /// The state under every permutation of processes of the same kind.
    fn permuted(&self, state: &State) -> Vec<State> {
        let orders = crate::instance::distinct(self.processes, self.processes, &[]);
        let keeps_kinds = |order: &&Vec<usize>| {
            state.kinds.iter().enumerate().all(|(process, kind)| state.kinds[order[process]] == *kind)
        };
        orders.iter().filter(keeps_kinds).map(|order| self.renamed(state, order)).collect()
    }

    fn renamed_entry(&self, entry: &Entry, order: &[usize]) -> Entry {
        let write = |(cell, value): &(usize, Value)| {
            let symbol = self.symbol_at(*cell);
            let all = crate::instance::tuples(self.processes, self.program.symbols[symbol].arity);
            let indices = all.iter().find(|indices| self.cell(symbol, indices) == *cell).expect("a cell");
            let to: Vec<usize> = indices.iter().map(|index| order[*index]).collect();
            (self.cell(symbol, &to), renamed_value(*value, order))
        };
        let mut renamed: Entry = entry.iter().map(write).collect();
        renamed.sort_by_key(|(cell, _)| *cell);
        renamed
    }

    /// The state with `order[p]` in the place of each process p.
    fn renamed(&self, state: &State, order: &[usize]) -> State {
        let mut new = state.clone();
        for (at, symbol) in self.program.symbols.iter().enumerate() {
            for indices in crate::instance::tuples(self.processes, symbol.arity) {
                let to: Vec<usize> = indices.iter().map(|index| order[*index]).collect();
                if !self.cells_of(at).is_empty() {
                    new.cells[self.cell(at, &to)] =
                        renamed_value(state.cells[self.cell(at, &indices)], order);
                }
                if matches!(symbol.of, Type::Lock(_)) {
                    let mut queues = state.locks[self.lock(at, &indices)].clone();
                    queues.owner = queues.owner.map(|owner| order[owner]);
                    for queue in [&mut queues.waiters, &mut queues.sleepers] {
                        queue.iter_mut().for_each(|process| *process = order[*process]);
                        if !self.program.fifo {
                            queue.sort_unstable();
                        }
                    }
                    new.locks[self.lock(at, &to)] = queues;
                }
            }
        }
        for (process, buffer) in state.buffers.iter().enumerate() {
            new.buffers[order[process]] =
                buffer.iter().map(|entry| self.renamed_entry(entry, order)).collect();
        }
        self.canonical(&mut new);
        new
    }
}

fn renamed_value(value: Value, order: &[usize]) -> Value {
    match value {
        Value::Process(process) => Value::Process(order[process]),
        value => value,
    }
}

/// Whether a step may choose among values of an abstract type. Then steps cannot be compared, since it is not defined
/// which values count as one choice.
pub fn chooses_abstract_values(program: &Program) -> bool {
    let updates = program.rules.iter().flat_map(|rule| &rule.updates);
    let abstracts = |symbol: usize| matches!(program.symbols[symbol].of, Type::Abstract(_));
    updates
        .filter(|update| abstracts(update.symbol))
        .any(|update| update.arms.iter().any(|(_, assigned)| matches!(assigned, Assigned::Any)))
}
