//! Traces: runs as data that outlives the system, for people and other tools, that can be replayed.

#[cfg(feature = "json")]
mod itf;
mod minimise;
#[cfg(feature = "json")]
mod reading;
mod replay;

#[cfg(feature = "json")]
pub use itf::ItfError;
pub use minimise::minimise;
pub use replay::{Replay, replay};

use crate::{Entry, Fault, Label, Schedule, Steered, Valuation};

/// A run in words. Holds nothing of the system's own types, so that it outlives the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The number of the initial state, from 0.
    pub initial: usize,
    /// The names of the processes, in order; empty if they are `#1`, `#2`, ….
    pub actors: Vec<String>,
    /// The initial state.
    pub start: Valuation,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// For a run that goes on for ever: the number of steps after which the part begins that is repeated. The last step leads
    /// back to the state there; if that is the last state, the run stays in it. `None` for a run that is just cut off.
    pub back: Option<usize>,
}

impl Trace {
    /// The state after a number of steps.
    pub fn state(&self, steps: usize) -> &Valuation {
        steps.checked_sub(1).map_or(&self.start, |last| &self.steps[last].state)
    }

    /// The name of a process, counted from 0.
    pub fn actor(&self, process: usize) -> String {
        self.actors.get(process).cloned().unwrap_or_else(|| format!("#{}", process + 1))
    }
}

/// One step of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The action as the system writes it.
    pub label: Label,
    /// The process that acted, counted from 0; `None` if the action belongs to none.
    pub process: Option<usize>,
    /// The state after it.
    pub state: Valuation,
}

/// Converts a schedule into a trace, by running it from the start.
pub fn record<S: Steered>(system: &mut S, schedule: &Schedule<S::Action>) -> Result<Trace, Fault> {
    begin(system, schedule.initial)?;
    let (start, actors) = (system.describe(), system.actors());
    let mut steps = Vec::with_capacity(schedule.actions.len());
    let mut enabled = Vec::new();
    for (step, action) in schedule.actions.iter().enumerate() {
        enabled.clear();
        system.enabled(&mut enabled);
        if !enabled.contains(action) {
            return Err(not_enabled(system, step, format!("{action:?}"), &enabled));
        }
        let (label, process) = (system.label(action), system.process(action));
        system.take(action)?;
        steps.push(Step { label, process, state: system.describe() });
    }
    Ok(Trace { initial: schedule.initial, actors, start, steps, back: None })
}

/// Finds the schedule of a trace, by running it from the start. Each step must be enabled, by its label and
/// process, and lead to the state that the trace has there.
pub fn resolve<S: Steered>(system: &mut S, trace: &Trace) -> Result<Schedule<S::Action>, Fault> {
    begin(system, trace.initial)?;
    compare(0, &trace.start, &system.describe())?;
    let mut actions = Vec::with_capacity(trace.steps.len());
    let mut enabled = Vec::new();
    for (step, wanted) in trace.steps.iter().enumerate() {
        enabled.clear();
        system.enabled(&mut enabled);
        let fits = |action: &&S::Action| {
            system.process(action) == wanted.process && system.label(action) == wanted.label
        };
        let Some(action) = enabled.iter().find(fits) else {
            return Err(not_enabled(system, step, wanted.label.to_string(), &enabled));
        };
        system.take(action)?;
        actions.push(action.clone());
        compare(step + 1, &wanted.state, &system.describe())?;
    }
    Ok(Schedule { initial: trace.initial, actions })
}

/// Starts at the initial state of a recording; a deviation if the system does not have it.
fn begin<S: Steered>(system: &mut S, initial: usize) -> Result<(), Fault> {
    let initials = system.initials()?;
    if initial >= initials {
        return Err(no_such_initial(initial, initials));
    }
    system.start(initial)
}

pub(crate) fn no_such_initial(initial: usize, initials: usize) -> Fault {
    let expected = format!("an initial state number {initial}");
    Fault::Deviation { step: 0, expected, found: format!("{initials} initial states") }
}

/// The deviation that an action is not enabled. The system is not asked for the label of the expected action, which
/// may be undefined here.
pub(crate) fn not_enabled<S: Steered>(
    system: &S,
    step: usize,
    wanted: String,
    enabled: &[S::Action],
) -> Fault {
    let labels: Vec<_> = enabled.iter().map(|action| system.label(action).to_string()).collect();
    let found = if labels.is_empty() { "nothing enabled".into() } else { labels.join(", ") };
    Fault::Deviation { step, expected: wanted, found }
}

fn compare(step: usize, wanted: &Valuation, got: &Valuation) -> Result<(), Fault> {
    if wanted == got {
        return Ok(());
    }
    let write = |state: &Valuation| {
        let entries: Vec<_> = state.iter().map(Entry::to_string).collect();
        entries.join(", ")
    };
    Err(Fault::Deviation { step, expected: write(wanted), found: write(got) })
}
