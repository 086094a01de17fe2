//! From a path of the backward search to a concrete run, by the engine for a fixed number of processes.

use crate::Violation;
use explore::Deadline;
use explore::DeadlockPolicy;
use explore::Limits;
use instance::exploration::{self, Options};
use instance::guided;
use instance::states::{self, Table, Walk};
use ir::{Model, RuleId, SymbolId};

/// A path from initial states to a bad one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Path {
    /// The property, by position in the model.
    pub(crate) property: usize,
    /// The rules of the steps, in order.
    pub(crate) rules: Vec<RuleId>,
    /// The number of processes that take part.
    pub(crate) processes: u32,
}

/// How many more processes than those of the path are tried.
const MORE_PROCESSES: u32 = 2;
/// The most states that are considered after each step of the path.
const STATES_PER_STEP: usize = 20_000;
/// The most states that are explored where no run takes the path.
const STATES: usize = 300_000;

/// A run that takes the steps of a path, or a shorter one, on the smallest instance that has one.
pub(crate) fn follow(model: &Model, path: &Path, deadline: &Deadline) -> Option<Violation> {
    let found = instances(model, path).find_map(|processes| {
        let found = guided::follow(model, processes, &path.rules, path.property, STATES_PER_STEP, deadline)?;
        Some(Violation {
            property: path.property,
            processes,
            trace: found.trace,
            ranges: found.ranges,
            buffer: None,
        })
    })?;
    // A breadth-first exploration may find a shorter run.
    let steps = found.trace.steps.len();
    let shorter = if steps == 0 { None } else { explore(model, found.processes, &found.ranges, deadline) };
    Some(shorter.filter(|run| run.trace.steps.len() < steps).unwrap_or(found))
}

/// A run that violates a property, whatever its steps, on an instance of the size of the path: the smallest that has one. If
/// there are very many initial states, from some of them. Each instance is explored by one thread.
pub(crate) fn look_around(
    model: &Model,
    path: &Path,
    deadline: &Deadline,
    threads: usize,
) -> Option<Violation> {
    let limits = Limits { states: Some(STATES), ..deadline.limits() };
    let explore = |processes| {
        let Table { violation, ranges, .. } = states::reachable(model, processes, Walk::Breadth, &limits)?;
        let (property, trace) = violation?;
        Some(Violation { property, processes, trace, ranges, buffer: None })
    };
    threads::consumed_in_order(threads, instances(model, path), explore, |found| found.flatten().next())
}

/// The numbers of processes with which there may be a run like the path.
fn instances(model: &Model, path: &Path) -> impl Iterator<Item = u32> {
    let most = model.max_processes.unwrap_or(u32::MAX);
    let first = path.processes.max(model.min_processes());
    first..=first.saturating_add(MORE_PROCESSES).min(most)
}

/// The first violation of an instance, if it is found with little effort.
fn explore(
    model: &Model,
    processes: u32,
    ranges: &[(SymbolId, i64, i64)],
    deadline: &Deadline,
) -> Option<Violation> {
    let options = Options {
        ranges: ranges.to_vec(),
        deadlock: DeadlockPolicy::Ignore,
        limits: Limits { states: Some(STATES), ..deadline.limits() },
        ..Options::new(processes)
    };
    let findings = exploration::explore(model, &options).findings;
    let finding = findings.into_iter().find(explore::Finding::is_violation)?;
    Some(Violation {
        property: finding.property?,
        processes,
        trace: finding.trace,
        ranges: ranges.to_vec(),
        buffer: None,
    })
}
