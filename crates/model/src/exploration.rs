//! All reachable states of a model for a fixed number of processes, and what is wrong with them.

use crate::{
    instance::{Instance, Machine, Obstacle, Setup},
    ir::{Model, PropertyKind, SymbolId},
};
use explore::{
    BreadthFirst, End, Found, Limit, Limits, Property, Replay, Search, Seen, Stats, Symmetric, Trace,
    Violation, record, replay,
};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// What to explore, and how far.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many processes.
    pub processes: u32,
    /// Ranges for numbers: a step that leaves one is cut.
    pub ranges: Vec<(SymbolId, i64, i64)>,
    /// Go on after the first violation.
    pub all: bool,
    /// Count states that differ by a permutation of processes once, where the model allows it.
    pub symmetry: bool,
    /// What a deadlock counts for.
    pub deadlock: DeadlockPolicy,
    /// When to give up.
    pub limits: Limits,
}

/// What a deadlock counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeadlockPolicy {
    /// A violation if some process is suspended or asleep, else a remark.
    Waiting,
    /// A violation.
    Error,
    /// A remark.
    Report,
    /// Nothing.
    Ignore,
}

/// What kind of thing was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FindingKind {
    /// A property of the model.
    Property(PropertyKind),
    /// A state without a next step.
    Deadlock,
}

/// Something that was found, with a run that leads there.
#[derive(Debug, Clone)]
pub struct Finding {
    /// What kind of thing.
    pub kind: FindingKind,
    /// The name of the property.
    pub name: String,
    /// Whether it is a violation, rather than a remark.
    pub violation: bool,
    /// What is the matter, in a sentence; may be empty.
    pub message: String,
    /// The run, replayed from its start.
    pub trace: Trace,
}

/// Why a run says less than everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Incomplete {
    /// The instance could not be run, or not to the end.
    Obstacle(Obstacle),
    /// A limit was hit.
    Limit(Limit),
    /// A number would have left the range that the user gave.
    Range,
    /// A violation ended the run.
    Stopped,
    /// Something that must not happen did: the run contradicts itself.
    Contradiction(String),
}

/// What came out.
#[derive(Debug)]
pub struct Exploration {
    /// Violations and remarks, in the order in which they were found.
    pub findings: Vec<Finding>,
    /// Why not everything is known; none if all states were seen.
    pub incomplete: Option<Incomplete>,
    /// How much was done.
    pub stats: Stats,
}

/// Explores a model.
pub fn explore(model: &Model, options: &Options) -> Exploration {
    // Numbers without a range begin small; if one outgrows its field, everything starts again with larger ones.
    for number_bits in [8, 16, 32, 60] {
        let setup =
            Setup { processes: options.processes as usize, ranges: options.ranges.clone(), number_bits };
        let exploration = match Instance::all(model, &setup) {
            Ok(instances) => by_width(model, &instances, options),
            Err(obstacle) => failed(Incomplete::Obstacle(obstacle)),
        };
        let too_small =
            matches!(exploration.incomplete, Some(Incomplete::Obstacle(Obstacle::NumberTooLarge(_))));
        if !too_small || !exploration.findings.is_empty() || number_bits == 60 {
            return exploration;
        }
    }
    unreachable!("the last round returns")
}

fn failed(reason: Incomplete) -> Exploration {
    Exploration { findings: vec![], incomplete: Some(reason), stats: Stats::default() }
}

/// The machine is compiled for some widths of states; the smallest that fits is taken.
fn by_width(model: &Model, instances: &[Instance<'_>], options: &Options) -> Exploration {
    match instances.iter().map(Instance::words).max().unwrap_or(0) {
        0..=1 => run::<1>(model, instances, options),
        2 => run::<2>(model, instances, options),
        3 => run::<3>(model, instances, options),
        4 => run::<4>(model, instances, options),
        5..=6 => run::<6>(model, instances, options),
        7..=8 => run::<8>(model, instances, options),
        9..=12 => run::<12>(model, instances, options),
        13..=16 => run::<16>(model, instances, options),
        17..=32 => run::<32>(model, instances, options),
        33..=64 => run::<64>(model, instances, options),
        _ => failed(Incomplete::Obstacle(Obstacle::TooWide)),
    }
}

fn run<const W: usize>(model: &Model, instances: &[Instance<'_>], options: &Options) -> Exploration {
    let mut machine = Machine::<W>::new(instances);
    let mut limits = options.limits.clone();
    // Remarks do not end a run, so the search goes on by itself; the judge stops it at the first violation.
    let stop = limits.cancel.get_or_insert_default().clone();
    let judge = Judge { model, deadlock: options.deadlock, stop: (!options.all).then_some(stop) };
    let search = Search::new(&mut machine, BreadthFirst::new(), judge).limit(limits).find_all();
    let outcome = if options.symmetry && Instance::is_symmetric(model) {
        search.remember(Symmetric::new()).run()
    } else {
        search.remember(Seen::new()).run()
    };
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(conflict) => return failed(Incomplete::Contradiction(conflict.to_string())),
    };
    let mut incomplete = match outcome.end {
        End::Exhausted => None,
        End::Found => Some(Incomplete::Stopped),
        End::Limit(limit) => Some(Incomplete::Limit(limit)),
        End::Bounded => Some(Incomplete::Range),
        End::Fault(fault) => Some(Incomplete::Contradiction(fault.to_string())),
    };
    if let Some(obstacle) = machine.obstacle() {
        incomplete = Some(Incomplete::Obstacle(obstacle));
    } else if machine.was_cut() && incomplete.is_none() {
        incomplete = Some(Incomplete::Range);
    }
    let mut findings: Vec<Finding> = Vec::new();
    for found in &outcome.found {
        let violated = findings.iter().any(|finding| finding.violation);
        if violated && !options.all {
            incomplete = Some(Incomplete::Stopped);
            break;
        }
        match confirm(model, &mut machine, found, options) {
            Ok(finding) => findings.push(finding),
            Err(reason) => incomplete = Some(Incomplete::Contradiction(reason)),
        }
    }
    let stopped =
        incomplete == Some(Incomplete::Limit(Limit::Cancelled)) && findings.iter().any(|f| f.violation);
    if stopped && !options.all {
        incomplete = Some(Incomplete::Stopped);
    }
    Exploration { findings, incomplete, stats: outcome.stats }
}

/// Replays a run from its start, and puts it into words.
fn confirm<const W: usize>(
    model: &Model,
    machine: &mut Machine<'_, '_, W>,
    found: &Found<crate::instance::Action>,
    options: &Options,
) -> Result<Finding, String> {
    // With everything judged, what is looked for is the last thing on the way at the latest.
    let judge = Judge { model, deadlock: options.deadlock, stop: None };
    if !matches!(replay(machine, &found.schedule, judge), Replay::Confirmed(_)) {
        return Err(format!("the run to `{}` does not show it again", found.violation.property));
    }
    let trace = record(machine, &found.schedule).map_err(|fault| fault.to_string())?;
    let position = model.properties.iter().position(|property| key(property) == found.violation.property);
    Ok(match position.map(|at| &model.properties[at]) {
        Some(property) => Finding {
            kind: FindingKind::Property(property.kind),
            name: property.name.clone(),
            violation: true,
            message: String::new(),
            trace,
        },
        None => Finding {
            kind: FindingKind::Deadlock,
            name: "deadlock".into(),
            violation: is_violation(options.deadlock, machine.somebody_waits()),
            message: machine.who_waits(),
            trace,
        },
    })
}

/// A name that no other property has, whatever users call theirs.
fn key(property: &crate::ir::Property) -> String {
    format!("{:?} {}", property.kind, property.name)
}

/// Judges states: properties of the model, and deadlocks.
struct Judge<'m> {
    model: &'m Model,
    deadlock: DeadlockPolicy,
    /// Set at the first violation.
    stop: Option<Arc<AtomicBool>>,
}

impl Judge<'_> {
    fn violated(&self) {
        if let Some(stop) = &self.stop {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

impl<const W: usize> Property<Machine<'_, '_, W>> for Judge<'_> {
    fn state(&mut self, machine: &Machine<'_, '_, W>, found: &mut Vec<Violation>) {
        let mut bad = Vec::new();
        machine.violations(&mut bad);
        if !bad.is_empty() {
            self.violated();
        }
        let violation =
            |at: usize| Violation { property: key(&self.model.properties[at]), message: String::new() };
        found.extend(bad.iter().map(|(at, _)| violation(*at)));
    }

    fn stuck(&mut self, machine: &Machine<'_, '_, W>, found: &mut Vec<Violation>) {
        if self.deadlock == DeadlockPolicy::Ignore || machine.ends_in_violation() {
            return;
        }
        if is_violation(self.deadlock, machine.somebody_waits()) {
            self.violated();
            found.push(Violation { property: "deadlock".into(), message: "somebody waits".into() });
        } else {
            found.push(Violation { property: "deadlock".into(), message: String::new() });
        }
    }
}

/// Whether a deadlock is a violation rather than a remark.
fn is_violation(policy: DeadlockPolicy, somebody_waits: bool) -> bool {
    match policy {
        DeadlockPolicy::Waiting => somebody_waits,
        DeadlockPolicy::Error => true,
        DeadlockPolicy::Report | DeadlockPolicy::Ignore => false,
    }
}
