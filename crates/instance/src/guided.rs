//! Finding a concrete run from a sequence of rules: how a violation that a prover claims becomes a trace.

use crate::{
    for_width,
    machine::{Action, Instance, Machine, Obstacle, Setup},
    numbers::FOLLOWING,
    states::{SAMPLE, violates},
};
use explore::{Deadline, Schedule, Steered, Symmetry, System, Trace, record};
use ir::{Model, RuleId, SymbolId};
use rustc_hash::FxHashSet;

/// A run, with the ranges chosen for numbers that the model leaves open.
#[derive(Debug)]
pub struct Followed {
    /// The run, from an initial state to a violation.
    pub trace: Trace,
    /// The numbers that were bounded to find it: symbol, least and greatest value.
    pub ranges: Vec<(SymbolId, i64, i64)>,
}

/// Looks for a run that takes steps of the given rules, in this order and by any processes, and ends in a state that
/// violates a property of the model, given by its position. After each step at most `most_states` states are kept.
/// Gives up at the deadline.
pub fn follow(
    model: &Model,
    processes: u32,
    rules: &[RuleId],
    property: usize,
    most_states: usize,
    deadline: &Deadline,
) -> Option<Followed> {
    let all = Setup {
        deadline: deadline.clone(),
        most_starts: most_states,
        ..Setup::new(processes as usize, FOLLOWING.first_bits())
    };
    // If there are too many initial states, a sample of them.
    let some = Setup {
        sample_start: Some(SAMPLE),
        deadline: deadline.clone(),
        ..Setup::new(processes as usize, FOLLOWING.first_bits())
    };
    let claim = Claim { rules, property, most_states, deadline };
    let (trace, ranges) = FOLLOWING.retry(all, |setup| {
        let instances = match Instance::all(model, setup) {
            Err(Obstacle::TooManyInitialStates) => {
                let some = Setup { ranges: setup.ranges.clone(), ..some.clone() };
                Instance::all(model, &some)
            }
            all => all,
        };
        let instances = match instances {
            Ok(instances) => instances,
            Err(obstacle) => return (None, Some(obstacle)),
        };
        for_width!(instances, search(model, &instances, &claim), (None, None))
    });
    trace.map(|trace| Followed { trace, ranges })
}

/// What is claimed about a run, and how much effort to spend on finding it.
struct Claim<'a> {
    rules: &'a [RuleId],
    property: usize,
    most_states: usize,
    deadline: &'a Deadline,
}

/// A state on the way: its checkpoint, its predecessor, and the action between them.
struct Reached<C> {
    checkpoint: C,
    before: usize,
    action: Option<Action>,
    initial: usize,
}

fn search<const W: usize>(
    model: &Model,
    instances: &[Instance<'_>],
    claim: &Claim<'_>,
) -> (Option<Trace>, Option<Obstacle>) {
    let mut machine = Machine::<W>::new(instances);
    let trace = search_with(model, &mut machine, claim);
    let obstacle = if trace.is_none() { machine.obstacle() } else { None };
    (trace, obstacle)
}

fn search_with<const W: usize>(
    model: &Model,
    machine: &mut Machine<'_, '_, W>,
    claim: &Claim<'_>,
) -> Option<Trace> {
    let mut reached = Vec::new();
    for initial in 0..machine.initials().ok()?.min(claim.most_states) {
        machine.start(initial).ok()?;
        reached.push(Reached { checkpoint: machine.checkpoint(), before: 0, action: None, initial });
    }
    let mut level = 0..reached.len();
    let mut actions = Vec::new();
    for rule in claim.rules {
        let mut seen = FxHashSet::default();
        let begin = reached.len();
        for before in level {
            if claim.deadline.ended().is_some() {
                return None;
            }
            machine.restore(&reached[before].checkpoint).ok()?;
            actions.clear();
            machine.enabled(&mut actions);
            actions.retain(|action| model.transitions[machine.step_of(action).0].rule == *rule);
            for action in &actions {
                machine.restore(&reached[before].checkpoint).ok()?;
                machine.take(action).ok()?;
                let identity =
                    if Instance::is_symmetric(model) { machine.canonical() } else { machine.identity() };
                if seen.len() < claim.most_states && seen.insert(identity) {
                    let (checkpoint, initial) = (machine.checkpoint(), reached[before].initial);
                    reached.push(Reached { checkpoint, before, action: Some(*action), initial });
                }
            }
        }
        level = begin..reached.len();
    }
    for last in level {
        machine.restore(&reached[last].checkpoint).ok()?;
        if violates(machine, claim.property) {
            let trace = record(machine, &schedule(&reached, last)).ok()?;
            // Recording has replayed the run, so the machine is at its end.
            return violates(machine, claim.property).then_some(trace);
        }
    }
    None
}

fn schedule<C>(reached: &[Reached<C>], last: usize) -> Schedule<Action> {
    let mut actions = Vec::new();
    let mut at = last;
    while let Some(action) = reached[at].action {
        actions.push(action);
        at = reached[at].before;
    }
    actions.reverse();
    Schedule { initial: reached[last].initial, actions }
}
