//! Judging states of a model, and confirming violations by replay; shared by exploration, fuzzing, replay and
//! debugger.

use crate::{Action, Machine, Setting};
use explore::{DeadlockPolicy, Fault, FindingKind, Property, Schedule, Severity, Steered, Trace, record};
use ir::{Model, PropertyKind};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A violation or remark with a run that leads to it, in an instance of a model.
pub type Finding = explore::Finding<Setting>;

/// A violation by a state of a model. Equal violations are reported once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Violation {
    /// A property, by its position in the model.
    Property(usize),
    /// The state has no enabled action, and that is at least worth a remark.
    End {
        /// Whether it decides the verdict.
        severity: Severity,
        /// Tells deadlocks apart by which processes wait for what, if the [`Judge`] does; otherwise 0.
        pattern: u64,
    },
}

impl Violation {
    /// The position of the property in the model; `None` for a state without an enabled action.
    pub fn property(self) -> Option<usize> {
        match self {
            Violation::Property(at) => Some(at),
            Violation::End { .. } => None,
        }
    }

    /// Whether it decides the verdict. A violated property always does.
    pub fn severity(self) -> Severity {
        match self {
            Violation::Property(_) => Severity::Violation,
            Violation::End { severity, .. } => severity,
        }
    }
}

/// The kind of finding that a violated property makes.
pub fn kind_of(property: PropertyKind) -> FindingKind {
    match property {
        PropertyKind::Unsafe => FindingKind::Unsafe,
        PropertyKind::Invariant => FindingKind::Invariant,
        PropertyKind::Misuse => FindingKind::Misuse,
        PropertyKind::Range => FindingKind::Range,
        PropertyKind::Overflow => FindingKind::Overflow,
        PropertyKind::Assumption => FindingKind::Assumption,
    }
}

/// Judges states by the properties of a model, and states without an enabled action by a policy.
#[derive(Debug, Clone, Copy)]
pub struct Judge<'m> {
    /// The model whose properties decide.
    pub model: &'m Model,
    /// How to judge states without an enabled action.
    pub deadlock: DeadlockPolicy,
    /// Whether deadlocks count as different if they differ in what processes wait for. If not, at most one per
    /// severity is reported.
    pub tell_deadlocks_apart: bool,
}

impl<'m> Judge<'m> {
    /// A judge that does not tell deadlocks apart.
    pub fn new(model: &'m Model, deadlock: DeadlockPolicy) -> Judge<'m> {
        Judge { model, deadlock, tell_deadlocks_apart: false }
    }

    /// The violation by a state without an enabled action, if it is one.
    pub(crate) fn end<const W: usize>(&self, machine: &Machine<'_, '_, W>) -> Option<Violation> {
        let severity = severity_of_end(machine, self.deadlock)?;
        let pattern = if self.tell_deadlocks_apart { waiting_pattern(machine) } else { 0 };
        Some(Violation::End { severity, pattern })
    }

    /// All violations by the current state of a machine, as exploration would report them.
    pub fn here<const W: usize>(&self, machine: &Machine<'_, '_, W>) -> Vec<Violation> {
        let (mut enabled, mut found) = (Vec::new(), Vec::new());
        machine.each_violated(|property| found.push(Violation::Property(property)));
        machine.enabled(&mut enabled);
        if enabled.is_empty() {
            found.extend(self.end(machine));
        }
        found
    }

    /// The same, as texts for reports.
    pub fn describe_here<const W: usize>(&self, machine: &Machine<'_, '_, W>) -> Vec<Description> {
        self.here(machine).into_iter().map(|violation| self.describe(machine, violation)).collect()
    }

    /// Replays a run from its start and records it as a trace, provided that it ends in this very violation. Every
    /// finding is made here.
    pub(crate) fn confirm<const W: usize>(
        &self,
        machine: &mut Machine<'_, '_, W>,
        schedule: &Schedule<Action>,
        violation: Violation,
        setting: Setting,
    ) -> Result<Finding, Fault> {
        let trace = record(machine, schedule)?;
        // Recording has replayed the run, so the machine is at its end.
        if !self.here(machine).contains(&violation) {
            let expected = format!("a violation of `{}`", self.describe(machine, violation).name);
            return Err(Fault::Deviation { step: schedule.actions.len(), expected, found: "none".into() });
        }
        Ok(self.describe(machine, violation).finding(trace, setting))
    }

    /// Describes a violation by the current state of a machine, for reports.
    pub fn describe<const W: usize>(
        &self,
        machine: &Machine<'_, '_, W>,
        violation: Violation,
    ) -> Description {
        let severity = violation.severity();
        match violation {
            Violation::Property(at) => {
                let property = &self.model.properties[at];
                Description {
                    kind: kind_of(property.kind),
                    name: property.name.clone(),
                    severity,
                    message: String::new(),
                    property: Some(at),
                    roles: machine.witness(at).map_or(vec![], <[usize]>::to_vec),
                }
            }
            Violation::End { .. } => {
                let is_deadlock = severity == Severity::Violation || machine.somebody_waits();
                let kind = if is_deadlock { FindingKind::Deadlock } else { FindingKind::Stuck };
                let (name, message) = (kind.word().to_owned(), machine.who_waits());
                Description { kind, name, severity, message, property: None, roles: vec![] }
            }
        }
    }
}

/// The texts about a violation in reports: a [`Finding`] without its run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// What is violated: a property, a rule of the language, or that runs go on.
    pub kind: FindingKind,
    /// The name of the property, or a word for what is wrong where none is declared.
    pub name: String,
    /// Whether it decides the verdict.
    pub severity: Severity,
    /// An explanation in a sentence; may be empty.
    pub message: String,
    /// The position of the property in the model; `None` for a state without an enabled action.
    pub property: Option<usize>,
    /// The processes that play the parameters of the property, counted from 0.
    pub roles: Vec<usize>,
}

impl Description {
    fn finding(self, trace: Trace, setting: Setting) -> Finding {
        let Description { kind, name, severity, message, property, roles } = self;
        Finding { kind, name, severity, message, property, roles, trace, setting }
    }
}

/// How a state without an enabled action is judged; `None` if there is nothing wrong with it.
fn severity_of_end<const W: usize>(machine: &Machine<'_, '_, W>, policy: DeadlockPolicy) -> Option<Severity> {
    // Steps that are not taken because of a range or a trusted invariant count as enabled.
    if policy == DeadlockPolicy::Ignore || machine.ends_in_violation() || machine.has_steps_here() {
        return None;
    }
    let may_end = machine.is_final();
    let is_violation = match policy {
        _ if may_end == Some(true) => return None,
        DeadlockPolicy::Waiting => may_end.is_some() || machine.somebody_waits(),
        DeadlockPolicy::Error => true,
        DeadlockPolicy::Report | DeadlockPolicy::Ignore => false,
    };
    Some(if is_violation { Severity::Violation } else { Severity::Remark })
}

/// A hash of what processes wait for, whichever they are; 0 if none waits.
fn waiting_pattern<const W: usize>(machine: &Machine<'_, '_, W>) -> u64 {
    let pattern = machine.waiting_pattern();
    if pattern.is_empty() {
        return 0;
    }
    let mut hasher = FxHasher::default();
    pattern.iter().for_each(|code| hasher.write_u64(*code));
    hasher.finish()
}

impl<const W: usize> Property<Machine<'_, '_, W>> for Judge<'_> {
    type Violation = Violation;

    fn state(&mut self, machine: &Machine<'_, '_, W>, found: &mut Vec<Violation>) {
        machine.each_violated(|property| found.push(Violation::Property(property)));
    }

    fn stuck(&mut self, machine: &Machine<'_, '_, W>, found: &mut Vec<Violation>) {
        found.extend(self.end(machine));
    }
}
