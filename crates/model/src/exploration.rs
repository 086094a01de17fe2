//! All reachable states of a model for a fixed number of processes, and what is wrong with them.

use crate::{
    instance::{Action, Instance, Machine, Obstacle, Setup},
    ir::{Model, PropertyKind, RuleId, SymbolId},
};
use explore::{
    BreadthFirst, End, Found, Limit, Limits, Property, Search, Seen, Stats, Steered, Symmetric, Trace,
    Violation, record, resolve,
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

/// How many bits numbers get that have no range: a few first.
const NUMBER_BITS: [u32; 4] = [8, 16, 32, LARGEST_NUMBER_BITS];
const LARGEST_NUMBER_BITS: u32 = 60;

impl Options {
    fn setup(&self, number_bits: u32) -> Setup {
        Setup { processes: self.processes as usize, ranges: self.ranges.clone(), number_bits }
    }
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
    /// If all states were seen: the rules of which no step was ever taken.
    pub never_taken: Vec<RuleId>,
    /// How much was done.
    pub stats: Stats,
}

fn failed(reason: Incomplete) -> Exploration {
    Exploration { findings: vec![], incomplete: Some(reason), never_taken: vec![], stats: Stats::default() }
}

/// The machine is compiled for some widths of states; calls the function for the smallest that fits.
macro_rules! for_width {
    ($instances:expr, $function:ident ( $($argument:expr),* ), $otherwise:expr) => {
        match $instances.iter().map(Instance::words).max().unwrap_or(0) {
            0..=1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            3 => $function::<3>($($argument),*),
            4 => $function::<4>($($argument),*),
            5..=6 => $function::<6>($($argument),*),
            7..=8 => $function::<8>($($argument),*),
            9..=12 => $function::<12>($($argument),*),
            13..=16 => $function::<16>($($argument),*),
            17..=32 => $function::<32>($($argument),*),
            33..=64 => $function::<64>($($argument),*),
            _ => $otherwise,
        }
    };
}

pub(crate) use for_width;

/// Explores a model.
pub fn explore(model: &Model, options: &Options) -> Exploration {
    // Numbers without a range begin small; if one outgrows its field, everything starts again with larger ones.
    for number_bits in NUMBER_BITS {
        let exploration = match Instance::all(model, &options.setup(number_bits)) {
            Ok(instances) => for_width!(
                instances,
                run(model, &instances, options),
                failed(Incomplete::Obstacle(Obstacle::TooWide))
            ),
            Err(obstacle) => failed(Incomplete::Obstacle(obstacle)),
        };
        let too_small =
            matches!(exploration.incomplete, Some(Incomplete::Obstacle(Obstacle::NumberTooLarge(_))));
        if !too_small || !exploration.findings.is_empty() || number_bits == LARGEST_NUMBER_BITS {
            return exploration;
        }
    }
    unreachable!("the last round returns")
}

/// Follows a recorded trace from its start, and tells whether the violation shows again.
pub fn replay_trace(model: &Model, options: &Options, trace: &Trace, name: &str) -> Replayed {
    let setup = options.setup(LARGEST_NUMBER_BITS);
    match Instance::all(model, &setup) {
        Ok(instances) => for_width!(
            instances,
            follow(model, &instances, options, trace, name),
            Replayed::Deviates("the states of this instance are too large".into())
        ),
        Err(obstacle) => Replayed::Deviates(format!("the instance cannot be made: {obstacle:?}")),
    }
}

/// What a replay has shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replayed {
    /// The violation shows again.
    Confirmed,
    /// The run can be followed, but there is no such violation at its end.
    Refuted,
    /// The run cannot be followed.
    Deviates(String),
}

fn follow<const W: usize>(
    model: &Model,
    instances: &[Instance<'_>],
    options: &Options,
    trace: &Trace,
    name: &str,
) -> Replayed {
    let mut machine = Machine::<W>::new(instances);
    // Initial states are numbered anew for each layout, so the one of the trace is found by what it looks like.
    let looks_alike = |initial: &usize| machine.start(*initial).is_ok() && machine.describe() == trace.start;
    let initials: usize = instances.iter().map(Instance::initial_states).sum();
    let Some(initial) = (0..initials).find(looks_alike) else {
        return Replayed::Deviates("there is no such initial state".into());
    };
    // Taking every step leaves the machine in the last state.
    if let Err(fault) = resolve(&mut machine, &Trace { initial, ..trace.clone() }) {
        return Replayed::Deviates(fault.to_string());
    }
    let found = wrong_here(model, &machine, options.deadlock);
    let named = |violation: &Violation| {
        let property = model.properties.iter().find(|property| key(property) == violation.property);
        property.map_or("deadlock", |property| property.name.as_str()) == name
    };
    if found.iter().any(named) { Replayed::Confirmed } else { Replayed::Refuted }
}

fn run<const W: usize>(model: &Model, instances: &[Instance<'_>], options: &Options) -> Exploration {
    let mut machine = Machine::<W>::new(instances);
    let mut limits = options.limits.clone();
    // Remarks do not end a run, so the search goes on by itself; the judge stops it at the first violation.
    let stop = limits.cancel.get_or_insert_default().clone();
    let mut judge = Judge::new(model, options.deadlock, (!options.all).then_some(stop));
    let search = Search::new(&mut machine, BreadthFirst::new(), &mut judge).limit(limits).find_all();
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
    let never_taken = if incomplete.is_none() { judge.never_taken() } else { vec![] };
    Exploration { findings, incomplete, never_taken, stats: outcome.stats }
}

/// Replays a run from its start, and puts it into words.
fn confirm<const W: usize>(
    model: &Model,
    machine: &mut Machine<'_, '_, W>,
    found: &Found<Action>,
    options: &Options,
) -> Result<Finding, String> {
    // Recording runs every step from the start, and leaves the machine in the last state: the very thing must show there.
    let trace = record(machine, &found.schedule).map_err(|fault| fault.to_string())?;
    if !wrong_here(model, machine, options.deadlock).contains(&found.violation) {
        return Err(format!("the run to `{}` does not show it again", found.violation.property));
    }
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

/// Everything that is wrong with the state in which a machine is.
fn wrong_here<const W: usize>(
    model: &Model,
    machine: &Machine<'_, '_, W>,
    deadlock: DeadlockPolicy,
) -> Vec<Violation> {
    let mut judge = Judge::new(model, deadlock, None);
    let mut found = Vec::new();
    judge.state(machine, &mut found);
    let mut enabled = Vec::new();
    machine.enabled(&mut enabled);
    if enabled.is_empty() {
        judge.stuck(machine, &mut found);
    }
    found
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
    /// For each rule whether a step of it was taken.
    taken: Vec<bool>,
}

impl<'m> Judge<'m> {
    fn new(model: &'m Model, deadlock: DeadlockPolicy, stop: Option<Arc<AtomicBool>>) -> Judge<'m> {
        Judge { model, deadlock, stop, taken: vec![false; model.rules.len()] }
    }

    fn never_taken(&self) -> Vec<RuleId> {
        let rules = (0..self.taken.len()).filter(|rule| !self.taken[*rule]);
        rules.map(RuleId::from_index).collect()
    }

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

    fn step(&mut self, machine: &Machine<'_, '_, W>, action: &Action, _found: &mut Vec<Violation>) {
        let (transition, _) = machine.step_of(action);
        self.taken[self.model.transitions[transition].rule.index()] = true;
    }

    fn stuck(&mut self, machine: &Machine<'_, '_, W>, found: &mut Vec<Violation>) {
        // A step that a range cuts is there all the same.
        if self.deadlock == DeadlockPolicy::Ignore || machine.ends_in_violation() || machine.is_cut_here() {
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
