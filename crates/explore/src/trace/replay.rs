//! Replay: runs a schedule again to confirm or refute a violation.

use crate::{End, Fault, FoundBy, Property, Recorded, Schedule, Search, Strategy, System};

/// The result of running a recorded schedule or trace again. `C` describes a confirmed violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay<C> {
    /// The violation occurred again.
    Confirmed(C),
    /// The run could be followed to its end, without the violation.
    Refuted,
    /// The run could not be followed: the system is not the one that was recorded.
    Deviated(Fault),
}

/// Follows a schedule from the start, judging every state and step. Confirms the first violation on the way, with the
/// prefix of the schedule that leads to it.
pub fn replay<S, P>(system: &mut S, schedule: &Schedule<S::Action>, property: P) -> Replay<FoundBy<S, P>>
where
    S: System,
    P: Property<S>,
{
    match follow(system, Recorded::new(schedule.clone()), property) {
        Ok(found) => found.into_iter().next().map_or(Replay::Refuted, Replay::Confirmed),
        Err(fault) => Replay::Deviated(fault),
    }
}

/// All violations that a strategy meets, or why the run could not be followed.
pub(super) fn follow<S, T, P>(system: &mut S, strategy: T, property: P) -> Result<Vec<FoundBy<S, P>>, Fault>
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
