//! Replay: run a schedule again and see whether the violation shows again.

use crate::{End, Fault, Found, Property, Recorded, Schedule, Search, Strategy, System};

/// What a replay has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay<A> {
    /// A violation, the first on the way, and the part of the schedule that it took.
    Confirmed(Found<A>),
    /// The schedule could be followed to its end, without a violation.
    Refuted,
    /// The schedule could not be followed.
    Deviated(Fault),
}

/// Follows a schedule from the start, judging every state and step.
pub fn replay<S, P>(system: &mut S, schedule: &Schedule<S::Action>, property: P) -> Replay<S::Action>
where
    S: System,
    P: Property<S>,
{
    match follow(system, Recorded::new(schedule.clone()), property) {
        Ok(found) => found.into_iter().next().map_or(Replay::Refuted, Replay::Confirmed),
        Err(fault) => Replay::Deviated(fault),
    }
}

/// All violations on the way of a strategy, to its end.
pub(super) fn follow<S, T, P>(
    system: &mut S,
    strategy: T,
    property: P,
) -> Result<Vec<Found<S::Action>>, Fault>
where
    S: System,
    T: Strategy<S>,
    P: Property<S>,
{
    let search = Search::new(system, strategy, property).find_all();
    let outcome = search.run().map_err(|conflict| Fault::Broken(conflict.to_string()))?;
    match outcome.end {
        End::Fault(fault) => Err(fault),
        _ => Ok(outcome.found),
    }
}
