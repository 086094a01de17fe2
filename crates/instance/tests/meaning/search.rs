//! Breadth-first search of all reachable states, layer by layer.

use super::{
    evaluation::Stuck,
    instance::{Instance, Ranges, State},
    value::Value,
};
use ir::{Model, Property, PropertyKind, RuleId};
use std::collections::HashSet;

/// The number of tableau nodes that may be visited for each state within the limit.
const TABLEAU: usize = 4;

/// Limits of a search.
#[derive(Debug, Clone)]
pub(crate) struct Limits {
    pub(crate) ranges: Ranges,
    /// The largest number of states.
    pub(crate) states: usize,
    /// Whether to end with the layer of the first violation. If not, the search continues, but not from bad states.
    pub(crate) stop_at_first: bool,
}

/// A violation, with the number of steps that lead to it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Violation {
    pub(crate) depth: usize,
    pub(crate) kind: &'static str,
    pub(crate) name: String,
}

/// The result of a search.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// The distinct states.
    pub(crate) states: usize,
    pub(crate) initial: usize,
    /// Sorted by depth, each kind and name once.
    pub(crate) violations: Vec<Violation>,
    /// Rules of which some step was taken.
    pub(crate) taken: HashSet<RuleId>,
    /// Whether a range excluded some states.
    pub(crate) cut: bool,
}

/// Why there is no report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// A number that `init` leaves open is read.
    NeedsRange(String),
    /// An outsider is used as an index, or ordered, where the typed form does not guard against that.
    Unguarded,
    /// More states than the limit, or numbers beyond 128 bits.
    TooLarge,
}

/// Explores a model with a number of processes.
pub(crate) fn explore(model: &Model, processes: usize, limits: &Limits) -> Result<Report, Refusal> {
    let instance = Instance::new(model, processes, limits.ranges.clone());
    search(&instance, limits).map_err(|refusal| match refusal {
        Halt::Stuck(Stuck::Open(symbol)) => Refusal::NeedsRange(model.symbol(symbol).name.clone()),
        Halt::Stuck(Stuck::Outside) => Refusal::Unguarded,
        Halt::Stuck(Stuck::Overflow) | Halt::TooLarge => Refusal::TooLarge,
    })
}

/// Why a search ends early.
#[derive(Debug)]
pub(crate) enum Halt {
    Stuck(Stuck),
    TooLarge,
}

impl From<Stuck> for Halt {
    fn from(stuck: Stuck) -> Halt {
        Halt::Stuck(stuck)
    }
}

fn search(instance: &Instance<'_>, limits: &Limits) -> Result<Report, Halt> {
    let initial = instance.initial(TABLEAU * limits.states)?;
    let mut report = Report { initial: initial.states.len(), cut: initial.cut, ..Report::default() };
    let mut seen = initial.states.clone();
    let mut layer: Vec<State> = initial.states.into_iter().collect();
    for depth in 0.. {
        let mut next = Vec::new();
        for state in &layer {
            for successor in visit(instance, state, depth, &mut report)? {
                if seen.insert(successor.clone()) {
                    next.push(successor);
                }
            }
            if seen.len() > limits.states {
                return Err(Halt::TooLarge);
            }
        }
        if next.is_empty() || limits.stop_at_first && !report.violations.is_empty() {
            break;
        }
        layer = next;
    }
    report.states = seen.len();
    Ok(report)
}

/// Checks one state, and returns its successors.
fn visit(
    instance: &Instance<'_>,
    state: &State,
    depth: usize,
    report: &mut Report,
) -> Result<Vec<State>, Stuck> {
    let violated = violated(instance, state)?;
    for property in &violated {
        report.violation(depth, word(property.kind), &property.name);
    }
    let is_bad =
        |property: &&Property| matches!(property.kind, PropertyKind::Unsafe | PropertyKind::Invariant);
    if violated.iter().any(is_bad) {
        return Ok(vec![]);
    }
    let steps = instance.steps(state)?;
    // A faulty step counts as enabled.
    let ended = steps.is_empty() && violated.iter().all(|property| property.rule.is_none());
    if ended && somebody_waits(instance, state) {
        report.violation(depth, "deadlock", "");
    }
    report.taken.extend(steps.iter().map(|step| step.rule));
    report.cut |= steps.iter().any(|step| step.cut);
    Ok(steps.into_iter().flat_map(|step| step.states).collect())
}

/// The properties with a match in a state.
///
/// A property whose formula misuses an outsider does not match, but then a misuse property must.
fn violated<'m>(instance: &Instance<'m>, state: &State) -> Result<Vec<&'m Property>, Stuck> {
    let mut found = Vec::new();
    let mut outside = false;
    for property in &instance.model.properties {
        let mut holds = false;
        for binding in instance.matches_of(property) {
            match instance.formula(&property.formula, &binding, state) {
                Err(Stuck::Outside) => outside = true,
                truth => holds |= truth?,
            }
        }
        if holds {
            found.push(property);
        }
    }
    let misuse = found.iter().any(|property| property.kind == PropertyKind::Misuse);
    if outside && !misuse { Err(Stuck::Outside) } else { Ok(found) }
}

fn somebody_waits(instance: &Instance<'_>, state: &State) -> bool {
    let Some(threads) = &instance.model.threads else { return false };
    instance.cells_of(threads.blocked).any(|cell| state[cell] != Value::Constructor(0))
}

/// The word for a kind of property in expectations.
fn word(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Unsafe => "unsafe",
        PropertyKind::Invariant => "invariant",
        PropertyKind::Assumption => "assumption",
        PropertyKind::Misuse => "misuse",
        PropertyKind::Range => "range",
        PropertyKind::Overflow => "overflow",
    }
}

impl Report {
    fn violation(&mut self, depth: usize, kind: &'static str, name: &str) {
        if !self.violations.iter().any(|known| known.kind == kind && known.name == name) {
            self.violations.push(Violation { depth, kind, name: name.to_owned() });
        }
    }
}
