//! Replaying traces of protocols.

use super::{Instance, InstanceFlags, NoInstance, checking, limits, load};
use crate::{
    Exit,
    flags::LimitFlags,
    output::{Output, count},
    report::{PropertyReport, Report, Verdict},
    trace_file::{ProtocolDetails, Recorded},
};
use ::protocol::{Implementation, Runner, Runs, confirm};
use explore::{FindingKind, Schedule, Steered, resolve};

/// A recorded run that can be followed.
pub(crate) struct Followed {
    pub(crate) instance: Instance,
    pub(crate) implementation: Implementation,
    pub(crate) schedule: Schedule<::protocol::Choice>,
}

/// Finds the protocol of a trace and follows the run. An exit code if that fails.
pub(crate) fn follow(
    recorded: &Recorded,
    file: &str,
    protocol: &ProtocolDetails,
    output: &Output,
    report: &mut Report,
) -> Result<Result<Followed, Exit>, String> {
    let flags = InstanceFlags { session: Some(protocol.session.clone()), values: protocol.values.clone() };
    let none = LimitFlags { limit_time: None, limit_memory: None, limit_states: None };
    let instance = match load(file, &flags, &limits(&none), output, report) {
        Ok(instance) => instance,
        Err(NoInstance::Bad) => return Ok(Err(Exit::BadInput)),
        Err(NoInstance::Limit(reason)) => return Err(reason),
    };
    if recorded.is_outdated(file) {
        output.warn(report, "changed-model", format!("`{file}` has changed since the trace was recorded"));
    }
    let implementation = instance.implementation(protocol.style.parse()?)?.with_capacity(protocol.capacity);
    let mut runner = Runner::new(&implementation).map_err(|fault| fault.to_string())?;
    match resolve(&mut runner, &recorded.trace) {
        Ok(schedule) => Ok(Ok(Followed { instance, implementation, schedule })),
        Err(fault) => {
            let reason = fault.to_string();
            output.result(&format!("unknown: {reason}"));
            report.verdict = Some(Verdict::Unknown);
            report.reason = Some(reason);
            Ok(Err(Exit::Unknown))
        }
    }
}

/// Follows a recorded run, and tells whether it still violates what it claims to violate.
pub(crate) fn replay(
    recorded: &Recorded,
    file: &str,
    protocol: &ProtocolDetails,
    output: &Output,
    report: &mut Report,
) -> Result<Exit, String> {
    let followed = match follow(recorded, file, protocol, output, report)? {
        Ok(followed) => followed,
        Err(exit) => return Ok(exit),
    };
    let steps = count(recorded.trace.steps.len(), "step");
    let details = &recorded.details;
    let Some(name) = &details.property else {
        output.result(&format!("the run can be followed, for {steps}; it claims no violation"));
        show(recorded, output);
        return Ok(Exit::Holds);
    };
    if let Err(reason) = claim(recorded, &followed, output) {
        let reason = format!("the run can be followed, but it does not violate `{name}`: {reason}");
        output.result(&format!("unknown: {reason}"));
        report.verdict = Some(Verdict::Unknown);
        report.reason = Some(reason);
        return Ok(Exit::Unknown);
    }
    output.result(&format!("violated: `{name}` is violated again by a run of {steps}"));
    show(recorded, output);
    report.verdict = Some(Verdict::Violated);
    let kind = details.kind.map_or("ltl", FindingKind::word);
    report.properties.push(PropertyReport::undeclared(name, kind, Verdict::Violated));
    Ok(Exit::Violated)
}

fn show(recorded: &Recorded, output: &Output) {
    output.steps(&recorded.trace);
}

/// Whether a run violates what its trace claims; why not, if it does not.
fn claim(recorded: &Recorded, followed: &Followed, output: &Output) -> Result<(), String> {
    let details = &recorded.details;
    let name = details.property.clone().unwrap_or_default();
    let implementation = &followed.implementation;
    let Some(formula) = &details.formula else {
        let mut runner = Runner::new(implementation).map_err(|fault| fault.to_string())?;
        for choice in &followed.schedule.actions {
            runner.take(choice).map_err(|fault| fault.to_string())?;
        }
        let stuck = implementation.moves(runner.state()).is_empty() && !runner.ended();
        return stuck.then_some(()).ok_or_else(|| "it is not stuck at its end".into());
    };
    let vocabulary = implementation.vocabulary();
    let asked = if std::path::Path::new(formula).extension().is_some_and(|it| it == "hoa") {
        checking::automaton(formula, vocabulary)?
    } else {
        checking::parse(name, formula, vocabulary, output)?
    };
    let runs =
        Runs { infinite_only: details.infinite_runs, fair: checking::fair(&details.fair, vocabulary)? };
    let actions = &followed.schedule.actions;
    confirm(implementation, &asked.property, runs, asked.automaton.as_ref(), actions, recorded.trace.back)
}
