//! Minimisation: drops steps from a failing run while it still fails.

use super::replay::follow;
use crate::{Fault, FoundBy, Next, Property, Recorded, Schedule, Steered, Strategy, System};
use std::fmt;

/// Delta debugging (Zeller, Hildebrandt: Simplifying and isolating failure-inducing input, TSE 2002) on the actions
/// of a schedule. If dropping steps disables later ones, these are dropped, too.
///
/// The result ends in the same violation, is confirmed by a replay, and none of its steps can be dropped alone. It
/// need not be a shortest run: only [`BreadthFirst`](crate::BreadthFirst) promises that.
pub fn minimise<S, P>(system: &mut S, found: &FoundBy<S, P>, mut property: P) -> Result<FoundBy<S, P>, Fault>
where
    S: System,
    P: Property<S>,
{
    let violation = &found.violation;
    let mut best = found.clone();
    let mut chunk = best.schedule.actions.len().div_ceil(2);
    while chunk > 0 {
        let mut from = 0;
        let mut shrunk = false;
        while from < best.schedule.actions.len() {
            let candidate = without(&best.schedule, from, chunk);
            match attempt(system, Lenient::new(candidate), violation, &mut property)? {
                Some(shorter) => (best, shrunk) = (shorter, true),
                None => from += chunk,
            }
        }
        // Single steps are tried until a whole round drops nothing.
        chunk = if chunk == 1 { usize::from(shrunk) } else { chunk / 2 };
    }
    let confirmed = attempt(system, Recorded::new(best.schedule.clone()), violation, &mut property)?;
    confirmed.ok_or_else(|| refuted(&best.schedule, violation))
}

fn without<A: Clone>(schedule: &Schedule<A>, from: usize, count: usize) -> Schedule<A> {
    let Schedule { initial, actions } = schedule;
    let rest = actions.iter().skip(from + count);
    Schedule { initial: *initial, actions: actions[..from].iter().chain(rest).cloned().collect() }
}

/// The run that `strategy` makes, up to the violation in question; `None` if it does not show.
fn attempt<S, T, P>(
    system: &mut S,
    strategy: T,
    violation: &P::Violation,
    property: &mut P,
) -> Result<Option<FoundBy<S, P>>, Fault>
where
    S: System,
    T: Strategy<S>,
    P: Property<S>,
{
    let found = follow(system, strategy, property)?;
    Ok(found.into_iter().find(|found| found.violation == *violation))
}

fn refuted<A>(schedule: &Schedule<A>, violation: &impl fmt::Debug) -> Fault {
    let expected = format!("{violation:?}");
    Fault::Deviation { step: schedule.actions.len(), expected, found: "none".into() }
}

/// Follows a schedule as far as possible, skipping actions that are not enabled.
struct Lenient<A> {
    schedule: Schedule<A>,
    started: bool,
    /// The first action that was neither taken nor skipped.
    next: usize,
}

impl<A> Lenient<A> {
    fn new(schedule: Schedule<A>) -> Self {
        Lenient { schedule, started: false, next: 0 }
    }
}

impl<S: Steered> Strategy<S> for Lenient<S::Action> {
    fn next(&mut self, _initials: usize) -> Next {
        if self.started {
            return Next::Done;
        }
        self.started = true;
        Next::Initial(self.schedule.initial)
    }

    fn choose(&mut self, _system: &S, actions: &mut Vec<S::Action>) -> Result<(), Fault> {
        let rest = &self.schedule.actions[self.next..];
        let Some(skipped) = rest.iter().position(|action| actions.contains(action)) else {
            self.next = self.schedule.actions.len();
            actions.clear();
            return Ok(());
        };
        actions.clear();
        actions.push(rest[skipped].clone());
        self.next += skipped + 1;
        Ok(())
    }
}
