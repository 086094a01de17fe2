//! Replay of a recorded trace, to confirm or refute its violation.

use crate::{
    Instance, Machine, Obstacle, Sample, Setup,
    exploration::Options,
    for_width, fuzzing,
    judge::{Description, Judge},
    numbers::MOST_NUMBER_BITS,
    states,
    temporal::{Runs, Witness},
    weak,
};
use explore::{Fault, FindingKind, Replay, Steered, Trace, resolve};
use ir::Model;

/// The processes that play the parameters of a property, counted from 0.
pub type Roles = Vec<usize>;

/// What a trace claims.
#[derive(Debug, Clone, Copy)]
pub enum Claim<'c> {
    /// The property of this name is violated in the last state.
    Named(&'c str),
    /// The run violates a temporal property.
    Temporal {
        /// Its position in the model.
        property: usize,
        /// The processes for its parameters, counted from 0.
        roles: &'c [usize],
        /// The runs that count.
        runs: &'c Runs,
    },
}

/// Follows a recorded trace from its start. Confirms it if what it claims is true, and
/// returns the processes that play the parameters of the property.
pub fn replay_trace(model: &Model, options: &Options, trace: &Trace, claim: Claim<'_>) -> Replay<Roles> {
    let entries = options.buffer.unwrap_or(weak::USUAL_ENTRIES);
    let model = &match weak::with_buffer(model.clone(), entries) {
        Ok(model) => model,
        Err(obstacle) => return Replay::Deviated(Fault::Broken(obstacle.explain(model))),
    };
    let options = &Options { ranges: weak::with_arguments(model, &options.ranges), ..options.clone() };
    let all = options.setup(MOST_NUMBER_BITS);
    // There may be too many initial states to list, but the sample for the seed contains that of the trace.
    let drawn = |sample: Sample| Setup { sample_start: Some(sample), ..all.clone() };
    let replay = |setup: &Setup| replay_in(model, setup, options, trace, claim);
    let first = options.seed.map(|seed| replay(&drawn(fuzzing::sample(seed))));
    if let Some(Ok(confirmed @ Replay::Confirmed(_))) = first {
        return confirmed;
    }
    let replayed = match replay(&all) {
        Err(Obstacle::TooManyInitialStates) => replay(&drawn(states::SAMPLE)),
        replayed => replayed,
    };
    replayed.unwrap_or_else(|obstacle| Replay::Deviated(Fault::Broken(obstacle.explain(model))))
}

fn replay_in(
    model: &Model,
    setup: &Setup,
    options: &Options,
    trace: &Trace,
    claim: Claim<'_>,
) -> Result<Replay<Roles>, Obstacle> {
    let instances = Instance::all(model, setup)?;
    let judge = Judge::new(model, options.deadlock);
    Ok(for_width!(instances, follow(&judge, &instances, trace, claim), return Err(Obstacle::TooWide)))
}

/// Tries all initial states with the values of the trace: their numbers depend on the layout, and several may have
/// the same values, since the kinds of processes are not among these.
fn follow<const W: usize>(
    judge: &Judge<'_>,
    instances: &[Instance<'_>],
    trace: &Trace,
    claim: Claim<'_>,
) -> Replay<Roles> {
    let mut machine = Machine::<W>::new(instances);
    let initials: usize = instances.iter().map(Instance::initial_states).sum();
    let mut replayed = Replay::Deviated(Fault::Deviation {
        step: 0,
        expected: "the initial state of the trace".into(),
        found: "no initial state with these values".into(),
    });
    // If there are many, the number in the trace is the most likely one.
    let likely = Some(trace.initial).filter(|likely| *likely < initials);
    for initial in likely.into_iter().chain(0..initials) {
        if machine.start(initial).is_ok() && machine.describe() == trace.start {
            let from_here = Trace { initial, ..trace.clone() };
            match follow_from(judge, &mut machine, &from_here, claim) {
                confirmed @ Replay::Confirmed(_) => return confirmed,
                // A run that could be followed is stronger evidence than one that could not.
                Replay::Deviated(_) if replayed == Replay::Refuted => {}
                other => replayed = other,
            }
        }
    }
    replayed
}

fn follow_from<const W: usize>(
    judge: &Judge<'_>,
    machine: &mut Machine<'_, '_, W>,
    trace: &Trace,
    claim: Claim<'_>,
) -> Replay<Roles> {
    // Resolving takes every step, and leaves the machine in the last state.
    let schedule = match resolve(machine, trace) {
        Ok(schedule) => schedule,
        Err(fault) => return Replay::Deviated(fault),
    };
    let name = match claim {
        Claim::Named(name) => name,
        Claim::Temporal { property, roles, runs } => {
            let temporal = &judge.model.temporal[property];
            let witness = Witness { model: judge.model, temporal, chosen: roles, runs };
            let exist = |process: &usize| *process < machine.kinds().len();
            let confirmed = roles.len() == temporal.params.len()
                && roles.iter().all(exist)
                && witness.confirm(machine, &schedule, trace.back).is_ok();
            return if confirmed { Replay::Confirmed(roles.to_vec()) } else { Replay::Refuted };
        }
    };
    // Whether the end of a run is a deadlock depends on flags, which need not be those of the recording.
    let names_end = [FindingKind::Deadlock.word(), FindingKind::Stuck.word()].contains(&name);
    let is_it = |found: &Description| found.name == name || (names_end && found.kind.is_end());
    let found = judge.describe_here(machine).into_iter().find(is_it);
    found.map_or(Replay::Refuted, |found| Replay::Confirmed(found.roles))
}
