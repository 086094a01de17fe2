//! Replay: run a schedule again and see whether the violation shows again.

use crate::{End, Fault, Found, Property, Recorded, Schedule, Search, Strategy, System};

/// What running a recorded schedule or trace again has shown. `C` is what is known of a violation that shows again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay<C> {
    /// The violation shows again.
    Confirmed(C),
    /// The run could be followed to its end, without the violation.
    Refuted,
    /// The run could not be followed: the system is not the one that was recorded.
    Deviated(Fault),
}

/// Follows a schedule from the start, judging every state and step. What is confirmed is the first violation on the way,
/// with the part of the schedule that it took.
pub fn replay<S, P>(
    system: &mut S,
    schedule: &Schedule<S::Action>,
    property: P,
) -> Replay<Found<S::Action, P::Violation>>
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
) -> Result<Vec<Found<S::Action, P::Violation>>, Fault>
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
