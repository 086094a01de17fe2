//! Checks explanations before they are shown, by visiting all states of small instances.

use super::ProveArgs;
use ::explore::DeadlockPolicy;
use ::explore::Limits;
use instance::exploration::{self, Options};
use ir::Model;
use std::time::Duration;

/// The limits of the exploration of one instance.
const STATES: usize = 300_000;
const TIME: Duration = Duration::from_secs(3);

/// What the exploration of an instance has shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// All states were visited, and none violates a property.
    Safe,
    /// A run leads to a state that violates one.
    Violated,
    /// Not all states were visited.
    Unknown,
}

/// The limits of one exploration, given the time that was spent before.
pub(super) fn limits(args: &ProveArgs, spent: Duration) -> Limits {
    let limits = args.limits.limits().remaining_after(spent);
    let time = limits.time.map_or(TIME, |left| left.min(TIME));
    Limits { states: Some(STATES), time: Some(time), ..limits }
}

/// Visits the states of an instance.
pub(super) fn explored(model: &Model, processes: u32, limits: &Limits) -> Known {
    if limits.time.is_some_and(|time| time.is_zero()) {
        return Known::Unknown;
    }
    let deadlock = DeadlockPolicy::Ignore;
    let options = Options { deadlock, limits: limits.clone(), ..Options::new(processes) };
    let exploration = exploration::explore(model, &options);
    match exploration.incomplete {
        _ if exploration.findings.iter().any(explore::Finding::is_violation) => Known::Violated,
        None => Known::Safe,
        Some(_) => Known::Unknown,
    }
}
