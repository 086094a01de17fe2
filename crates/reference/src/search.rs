//! Breadth-first search of all reachable states, and their violations.

use crate::{
    evaluation::Stuck,
    instance::{Instance, Ranges, bound_params},
    state::State,
    steps::{Fault, Step},
    tree::{Claim, Program, Property, Quoted},
};
use std::collections::{HashMap, HashSet};

/// The number of partial initial states that may be visited for each state within the limit.
const PARTIAL: usize = 4;

/// How far a search goes, and with which numbers.
#[derive(Debug, Clone)]
pub struct Limits {
    pub ranges: Ranges,
    /// The largest number of states.
    pub states: usize,
    /// Whether to end with the layer of the first violation, deadlocks with waiting processes included.
    pub stop_at_first: bool,
}

/// A violation, and the smallest number of steps that leads to it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    pub depth: usize,
    /// `unsafe`, `invariant`, `misuse` or `range`
    pub kind: &'static str,
    /// The name of the property, or of the transition with a faulty step.
    pub name: String,
}

/// A state without an enabled transition.
#[derive(Debug, Clone)]
pub struct Deadlock {
    pub depth: usize,
    /// The processes that wait or sleep, from 0, each with its lock.
    pub waits: Vec<(usize, String)>,
}

/// The result of a search.
#[derive(Debug, Default)]
pub struct Report {
    /// The distinct states. States that are unsafe or break an invariant have no successors here.
    pub states: usize,
    pub initial: usize,
    /// The distinct triples of a state, a rule with its processes, and a state that this step may lead to.
    pub transitions: usize,
    /// The distinct triples of a state, a rule, and a state: processes left out.
    pub moves: usize,
    /// Sorted by depth, each kind and name once.
    pub violations: Vec<Violation>,
    pub deadlocks: Vec<Deadlock>,
    /// Whether a range excluded some states.
    pub cut: bool,
}

/// Why there is no report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// A number that `init` leaves open is read (section 6).
    NeedsRange(String),
    /// `init` or an assumption uses an outsider where it must not.
    Outside,
    /// More states than the limit, or numbers that do not fit.
    TooLarge,
}

/// A step between two states: source, rule, processes, target.
type Edge = (usize, Option<usize>, Vec<usize>, usize);

/// Explores a model with a number of processes.
pub fn explore(program: &Program, processes: usize, limits: &Limits) -> Result<Report, Refusal> {
    let instance = Instance::new(program, processes, limits.ranges.clone());
    let initial = instance.initial(PARTIAL * limits.states)?;
    let mut report = Report { initial: initial.states.len(), cut: initial.cut, ..Report::default() };
    let mut numbers: HashMap<State, usize> = HashMap::new();
    let mut edges: HashSet<Edge> = HashSet::new();
    let mut layer: Vec<State> = initial.states.into_iter().collect();
    layer.iter().for_each(|state| number(&mut numbers, state));
    for depth in 0.. {
        let mut next = Vec::new();
        for state in &layer {
            for step in instance.visit(state, depth, &mut report)? {
                for successor in step.states {
                    if !numbers.contains_key(&successor) {
                        number(&mut numbers, &successor);
                        next.push(successor.clone());
                    }
                    edges.insert((numbers[state], step.rule, step.processes.clone(), numbers[&successor]));
                }
            }
            if numbers.len() > limits.states {
                return Err(Refusal::TooLarge);
            }
        }
        if next.is_empty() || limits.stop_at_first && report.is_bad() {
            break;
        }
        layer = next;
    }
    (report.states, report.transitions) = (numbers.len(), edges.len());
    let moves: HashSet<_> = edges.iter().map(|(from, rule, _, to)| (from, rule, to)).collect();
    report.moves = moves.len();
    report.violations.sort();
    Ok(report)
}

fn number(numbers: &mut HashMap<State, usize>, state: &State) {
    let next = numbers.len();
    numbers.entry(state.clone()).or_insert(next);
}

impl Instance<'_> {
    /// Checks one state, and returns the steps from it.
    fn visit(&self, state: &State, depth: usize, report: &mut Report) -> Result<Vec<Step>, Refusal> {
        let mut bad = false;
        for property in &self.program.properties {
            bad |= self.check(property, state, depth, report).map_err(|stuck| self.refusal(stuck))?;
        }
        for atom in &self.program.quoted {
            if self.misuses(atom, state) {
                report.violation(depth, "misuse", &atom.name);
            }
        }
        let steps = self.steps(state);
        // All violations are reported, not only the first.
        for step in steps.iter().flatten() {
            self.blame(step, depth, report);
        }
        if bad {
            return Ok(vec![]);
        }
        let steps = steps.into_iter().collect::<Result<Vec<_>, _>>().map_err(|stuck| self.refusal(stuck))?;
        report.cut |= steps.iter().any(|step| step.cut);
        if steps.is_empty() {
            report.deadlocks.push(Deadlock { depth, waits: self.waits(state) });
        }
        Ok(steps)
    }

    /// Whether an atom of a temporal property uses an outsider as a process, for some choice of its parameters.
    pub(crate) fn misuses(&self, atom: &Quoted, state: &State) -> bool {
        self.choices(&atom.params, &state.kinds).iter().any(|chosen| {
            self.truth(&atom.formula, &bound_params(&atom.params, chosen), state) == Err(Stuck::Outside)
        })
    }

    /// Reports a faulty step as a violation by the state before it.
    fn blame(&self, step: &Step, depth: usize, report: &mut Report) {
        for fault in &step.faults {
            let kind = if *fault == Fault::Misuse { "misuse" } else { "range" };
            let rule = step.rule.expect("a flush has no faults");
            report.violation(depth, kind, &self.program.rules[rule].name);
        }
    }

    /// Whether a state violates a property. A formula that uses an outsider where it must not is a misuse, but no
    /// step is faulty, so the run continues.
    fn check(
        &self,
        property: &Property,
        state: &State,
        depth: usize,
        report: &mut Report,
    ) -> Result<bool, Stuck> {
        let kind = match property.claim {
            Claim::Unsafe => "unsafe",
            Claim::Invariant => "invariant",
            Claim::Assumption => return Ok(false),
        };
        let mut bad = false;
        for chosen in self.choices(&property.params, &state.kinds) {
            match self.truth(&property.formula, &bound_params(&property.params, &chosen), state) {
                Ok(holds) => bad |= holds,
                Err(Stuck::Outside) => report.violation(depth, "misuse", &property.name),
                Err(stuck) => return Err(stuck),
            }
        }
        if bad {
            report.violation(depth, kind, &property.name);
        }
        Ok(bad)
    }

    fn waits(&self, state: &State) -> Vec<(usize, String)> {
        let locks = self.lock_names().into_iter().zip(&state.locks);
        let waits = locks.flat_map(|(name, queues)| {
            let suspended = queues.waiters.iter().chain(&queues.sleepers);
            suspended.map(move |process| (*process, name.clone()))
        });
        waits.collect()
    }

    pub fn refusal(&self, stuck: Stuck) -> Refusal {
        match stuck {
            Stuck::Unset(symbol) => Refusal::NeedsRange(self.program.symbols[symbol].name.clone()),
            Stuck::Outside => Refusal::Outside,
            Stuck::Overflow => Refusal::TooLarge,
        }
    }
}

impl Report {
    fn violation(&mut self, depth: usize, kind: &'static str, name: &str) {
        if !self.violations.iter().any(|known| known.kind == kind && known.name == name) {
            self.violations.push(Violation { depth, kind, name: name.to_owned() });
        }
    }

    /// The depth of the first deadlock in which some process waits.
    pub fn first_stuck(&self) -> Option<usize> {
        self.deadlocks
            .iter()
            .filter(|deadlock| !deadlock.waits.is_empty())
            .map(|deadlock| deadlock.depth)
            .min()
    }

    /// Whether there is a violation, or a deadlock with a waiting process.
    pub fn is_bad(&self) -> bool {
        !self.violations.is_empty() || self.first_stuck().is_some()
    }
}
