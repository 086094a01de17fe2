//! Sessions of the debugger about protocols.

use super::{About, DEFAULT_STATES, StepArgs, conclude, store::Traces, talk::Talk, welcome};
use crate::{
    Exit,
    protocols::{self, InstanceFlags, NoInstance, stepping::Stepped},
    report::Report,
    telling,
    trace_file::Details,
};
use ::protocol::Style;
use ::step::{Options, Session};

/// Runs a session until its end, or until the file is to be read again.
pub(super) fn hold(
    args: &StepArgs,
    about: &About,
    talk: &mut Talk<'_>,
    report: &mut Report,
) -> Result<Exit, String> {
    report.diagnostics.clear();
    report.files = vec![about.file.clone()];
    let recorded = about.protocol.as_ref();
    let flags = match recorded {
        Some(run) => InstanceFlags { session: Some(run.session.clone()), values: run.values.clone() },
        None => args.instance.clone(),
    };
    let limits = protocols::limits(&args.limits);
    let instance = match protocols::load(&about.file, &flags, &limits, talk.output, report) {
        Ok(instance) => instance,
        Err(NoInstance::Bad) => return Ok(Exit::BadInput),
        Err(NoInstance::Limit(reason)) => return Ok(telling::unknown(talk.output, report, reason)),
    };
    let style = match recorded {
        Some(run) => run.style.parse()?,
        None => args.style.unwrap_or(Style::Liberal),
    };
    let capacity = recorded.and_then(|run| run.capacity);
    let implementation = instance.implementation(style)?.with_capacity(capacity);
    let roles = implementation.vocabulary().roles.len();
    report.processes = u32::try_from(roles).ok();
    let details =
        Details::of_protocol("step", &about.file, roles, instance.details(&implementation, capacity));
    let options = Options {
        seed: about.seed,
        most_states: talk.keys.limits.states.unwrap_or(DEFAULT_STATES),
        cancel: talk.keys.cancel.clone(),
    };
    let traces = Box::new(Traces { details: details.clone() });
    let mut session =
        Session::new(Stepped::new(&implementation)?, traces, options).map_err(|fault| fault.to_string())?;
    if talk.kept.is_none() {
        welcome(talk.output, &about.file, session.initials(), about.seed, false);
    }
    let exit = talk.hold(&mut session);
    report.trace = session.trace().ok().map(|trace| details.document(&trace));
    conclude(&session, exit, report);
    Ok(exit)
}
