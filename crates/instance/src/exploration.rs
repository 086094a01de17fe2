//! All reachable states of a model for a fixed number of processes, and what is wrong with them.

use crate::{
    fuzzing,
    machine::{Action, Instance, Machine, Obstacle, Sample, Setup},
    states,
};
use explore::{
    Deadline, End, Found, Limit, Limits, Outcome, Progress, Property as Judgement, Stats, Steered, Sweep,
    Trace, Violation, record, resolve,
};
use ir::{Model, Property, PropertyKind, RuleId, SymbolId};
use std::{sync::Arc, time::Instant};

/// What to explore, and how far.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "flags that have nothing to do with each other")]
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
    /// More initial states than this are too many, for runs that are only worth a moment.
    pub most_starts: Option<usize>,
    /// How many threads. The answer does not depend on it, unless a limit ends the run.
    pub workers: usize,
    /// Recognise states by 64-bit hashes.
    pub compact: bool,
    /// Drop states that break an invariant instead of reporting them.
    pub trust_invariants: bool,
    /// For replaying a run that fuzzing has found: the seed by which initial states were drawn.
    pub seed: Option<u64>,
    /// Told how far the run is.
    pub progress: Arc<Progress>,
}

/// How many bits numbers get that have no range: a few first.
const NUMBER_BITS: [u32; 4] = [8, 16, 32, LARGEST_NUMBER_BITS];
/// How many bits numbers get at most.
pub const LARGEST_NUMBER_BITS: u32 = 60;

impl Options {
    /// Everything up to symmetry, exactly, until the first violation, on one thread.
    pub fn new(processes: u32) -> Options {
        Options {
            processes,
            ranges: vec![],
            all: false,
            symmetry: true,
            deadlock: DeadlockPolicy::Waiting,
            limits: Limits::default(),
            most_starts: None,
            workers: 1,
            compact: false,
            trust_invariants: false,
            seed: None,
            progress: Arc::default(),
        }
    }

    fn setting(&self) -> Setting {
        Setting { processes: self.processes, ranges: self.ranges.clone(), seed: self.seed }
    }

    fn setup(&self, number_bits: u32) -> Setup {
        let deadline = Deadline::of(&self.limits);
        let usual = Setup::new(self.processes as usize, number_bits);
        let most_starts = self.most_starts.unwrap_or(usual.most_starts);
        Setup { ranges: self.ranges.clone(), most_starts, deadline, ..usual }
    }
}

/// What a deadlock counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeadlockPolicy {
    /// If the model says where runs may end, a violation anywhere else. If it does not, a violation if some process is
    /// suspended or asleep, else a remark.
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
    /// A state without a next step, in which some process waits or where runs must not end.
    Deadlock,
    /// A state without a next step in which nobody waits, of a model that does not say where runs may end.
    Stuck,
}

impl FindingKind {
    /// The kind in a word, the same in every report.
    pub fn word(self) -> &'static str {
        match self {
            FindingKind::Deadlock => "deadlock",
            FindingKind::Stuck => "stuck",
            FindingKind::Property(PropertyKind::Unsafe) => "unsafe",
            FindingKind::Property(PropertyKind::Invariant) => "invariant",
            FindingKind::Property(PropertyKind::Misuse) => "misuse",
            FindingKind::Property(PropertyKind::Range) => "range",
            FindingKind::Property(PropertyKind::Assumption) => "assumption",
        }
    }
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
    /// The position of the property in the model; none for a deadlock.
    pub property: Option<usize>,
    /// The processes that play the parameters of the property in the last state, from 0.
    pub roles: Vec<usize>,
    /// The run, replayed from its start.
    pub trace: Trace,
    /// The instance of which it is a run.
    pub setting: Setting,
}

/// What tells the instances of a model apart in which runs are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// How many processes there are.
    pub processes: u32,
    /// The ranges of numbers that the model leaves open.
    pub ranges: Vec<(SymbolId, i64, i64)>,
    /// The seed by which initial states were drawn, if there are too many to list.
    pub seed: Option<u64>,
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
    /// Nothing was found, but states were recognised by hashes of 64 bits; how many there were.
    Compacted(usize),
    /// Everything that can be reached from some of the initial states was visited.
    Sampled,
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
    /// If all states were seen: the variables and arrays that no step ever changed.
    pub never_changed: Vec<SymbolId>,
    /// If invariants were trusted: how many steps and initial states were dropped because they break one.
    pub dropped: Option<usize>,
    /// How much was done.
    pub stats: Stats,
}

impl Exploration {
    /// What is known when one finding is known and nothing else.
    pub fn of_finding(finding: Finding) -> Exploration {
        Exploration { findings: vec![finding], ..failed(Incomplete::Stopped) }
    }

    /// Whether a property is violated.
    pub fn is_violated(&self) -> bool {
        self.findings.iter().any(|finding| finding.violation)
    }
}

fn failed(reason: Incomplete) -> Exploration {
    Exploration {
        findings: vec![],
        incomplete: Some(reason),
        never_taken: vec![],
        never_changed: vec![],
        dropped: None,
        stats: Stats::default(),
    }
}

/// The machine is compiled for some widths of states; calls the function for the smallest that fits.
///
/// Each width is one more copy of every search. Builds for development have few of them: they are compiled often, and seldom
/// run for long.
#[macro_export]
macro_rules! for_width {
    ($instances:expr, $function:ident ( $($argument:expr),* ), $otherwise:expr) => {{
        let words = $instances.iter().map($crate::machine::Instance::words).max().unwrap_or(0);
        #[cfg(debug_assertions)]
        let called = match words {
            0..=1 => $function::<1>($($argument),*),
            2..=4 => $function::<4>($($argument),*),
            5..=16 => $function::<16>($($argument),*),
            17..=64 => $function::<64>($($argument),*),
            _ => $otherwise,
        };
        #[cfg(not(debug_assertions))]
        let called = match words {
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
        };
        called
    }};
}

pub(crate) use for_width;

/// Explores a model.
pub fn explore(model: &Model, options: &Options) -> Exploration {
    let begun = Instant::now();
    let mut options = options.clone();
    let time = options.limits.time;
    // Numbers without a range begin small; if one outgrows its field, everything starts again with larger ones.
    for number_bits in NUMBER_BITS {
        options.limits.time = time.map(|time| time.saturating_sub(begun.elapsed()));
        let exploration = match Instance::all(model, &options.setup(number_bits)) {
            Ok(instances) => for_width!(
                instances,
                run(model, &instances, &options),
                failed(Incomplete::Obstacle(Obstacle::TooWide))
            ),
            Err(Obstacle::Limit(limit)) => failed(Incomplete::Limit(limit)),
            Err(obstacle) => failed(Incomplete::Obstacle(obstacle)),
        };
        let too_small =
            matches!(exploration.incomplete, Some(Incomplete::Obstacle(Obstacle::NumberTooLarge(_))));
        if !too_small || number_bits == LARGEST_NUMBER_BITS {
            return exploration;
        }
    }
    unreachable!("the last round returns")
}

/// Whether an instance has a state to start from; none if that is not known.
pub fn has_initial_state(model: &Model, processes: u32, limits: &Limits) -> Option<bool> {
    let options = Options { limits: limits.clone(), ..Options::new(processes) };
    let all = options.setup(LARGEST_NUMBER_BITS);
    // One that is drawn is enough; that none is drawn says nothing.
    let one = Setup { sample_start: Some(Sample { seed: 0, draws: 1, enough: 1 }), ..all.clone() };
    let has_states = |setup: &Setup| {
        let instances = Instance::all(model, setup)?;
        Ok(instances.iter().any(|instance| instance.initial_states() > 0))
    };
    match has_states(&one) {
        Ok(true) | Err(Obstacle::TooManyInitialStates) => Some(true),
        Ok(false) => match has_states(&all) {
            Ok(has_states) => Some(has_states),
            Err(Obstacle::TooManyInitialStates) => Some(true),
            Err(_) => None,
        },
        Err(_) => None,
    }
}

/// Follows a recorded trace from its start, and tells whether the violation shows again.
pub fn replay_trace(model: &Model, options: &Options, trace: &Trace, name: &str) -> Replayed {
    let all = options.setup(LARGEST_NUMBER_BITS);
    // There may be too many initial states to list, but the one of the trace is among those that were drawn.
    let drawn = |sample: Sample| Setup { sample_start: Some(sample), ..all.clone() };
    let replay = |setup: &Setup| replay_in(model, setup, options, trace, name);
    let first = options.seed.map(|seed| replay(&drawn(fuzzing::sample(seed))));
    if let Some(Ok(confirmed @ Replayed::Confirmed { .. })) = first {
        return confirmed;
    }
    let replayed = match replay(&all) {
        Err(Obstacle::TooManyInitialStates) => replay(&drawn(states::SAMPLE)),
        replayed => replayed,
    };
    replayed.unwrap_or_else(|obstacle| {
        Replayed::Deviates(format!("the instance cannot be made: {}", obstacle.explain(model)))
    })
}

fn replay_in(
    model: &Model,
    setup: &Setup,
    options: &Options,
    trace: &Trace,
    name: &str,
) -> Result<Replayed, Obstacle> {
    let instances = Instance::all(model, setup)?;
    Ok(for_width!(
        instances,
        follow(model, &instances, options, trace, name),
        Replayed::Deviates("the states of this instance are too large".into())
    ))
}

/// What a replay has shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replayed {
    /// The violation shows again.
    Confirmed {
        /// The processes that play the parameters of the property, from 0.
        roles: Vec<usize>,
    },
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
    let initials: usize = instances.iter().map(Instance::initial_states).sum();
    let mut replayed = Replayed::Deviates("there is no such initial state".into());
    // Initial states are numbered anew for each layout, so the one of the trace is found by what it looks like. Several may
    // look alike, as the kinds of processes are not seen.
    // The number in the trace is a good guess where there are many.
    let guess = Some(trace.initial).filter(|guess| *guess < initials);
    for initial in guess.into_iter().chain(0..initials) {
        if machine.start(initial).is_ok() && machine.describe() == trace.start {
            let from_here = Trace { initial, ..trace.clone() };
            match follow_from(model, &mut machine, options, &from_here, name) {
                confirmed @ Replayed::Confirmed { .. } => return confirmed,
                // That the run can be followed from some state says more than that it cannot from another.
                Replayed::Deviates(_) if replayed == Replayed::Refuted => {}
                other => replayed = other,
            }
        }
    }
    replayed
}

fn follow_from<const W: usize>(
    model: &Model,
    machine: &mut Machine<'_, '_, W>,
    options: &Options,
    trace: &Trace,
    name: &str,
) -> Replayed {
    // Taking every step leaves the machine in the last state.
    if let Err(fault) = resolve(machine, trace) {
        return Replayed::Deviates(fault.to_string());
    }
    // Whether the end of a run is a deadlock depends on flags, which need not be those of the recording.
    let is_end = |kind| matches!(kind, FindingKind::Deadlock | FindingKind::Stuck);
    let names_end = [FindingKind::Deadlock.word(), FindingKind::Stuck.word()].contains(&name);
    let is_it = |wrong: &Wrong| wrong.name == name || (names_end && is_end(wrong.kind));
    let found = judge(model, machine, options.deadlock).into_iter().find(is_it);
    found.map_or(Replayed::Refuted, |wrong| Replayed::Confirmed { roles: wrong.processes })
}

fn run<const W: usize>(model: &Model, instances: &[Instance<'_>], options: &Options) -> Exploration {
    let begun = Instant::now();
    let mut machine = Machine::<W>::new(instances).trust_invariants(options.trust_invariants);
    let judge = Judge { model, deadlock: options.deadlock };
    let outcome = Sweep::new(&mut machine, judge)
        .limit(options.limits.clone())
        .up_to_symmetry(options.symmetry && Instance::is_symmetric(model))
        .compact(options.compact)
        .share(options.workers, None)
        .end_at(if options.all { |_| false } else { |violation| !is_remark(violation) })
        .tell(options.progress.clone())
        .run();
    let mut incomplete = incomplete(&outcome, &machine);
    let (never_taken, never_changed) = match incomplete {
        None => (machine.never_taken(), machine.never_changed()),
        Some(_) => (vec![], vec![]),
    };
    let dropped = options.trust_invariants.then(|| machine.dropped());
    let mut findings: Vec<Finding> = Vec::new();
    for found in in_order(model, outcome.found) {
        match confirm(model, &mut machine, &found, options) {
            Ok(finding) => findings.push(finding),
            Err(reason) => {
                let limit = options.limits.ended_since(begun).map(Incomplete::Limit);
                incomplete = Some(limit.unwrap_or(Incomplete::Contradiction(reason)));
            }
        }
        if !options.all && !is_remark(&found.violation) {
            break;
        }
    }
    Exploration { findings, incomplete, never_taken, never_changed, dropped, stats: outcome.stats }
}

/// Why a run does not say everything, if it does not.
fn incomplete<const W: usize>(outcome: &Outcome<Action>, machine: &Machine<'_, '_, W>) -> Option<Incomplete> {
    match machine.obstacle() {
        Some(Obstacle::Limit(limit)) => return Some(Incomplete::Limit(limit)),
        Some(obstacle) => return Some(Incomplete::Obstacle(obstacle)),
        None => {}
    }
    match &outcome.end {
        End::Found => Some(Incomplete::Stopped),
        End::Limit(limit) => Some(Incomplete::Limit(*limit)),
        End::Fault(fault) => Some(Incomplete::Contradiction(fault.to_string())),
        End::Bounded => Some(Incomplete::Range),
        End::Exhausted if machine.was_cut() => Some(Incomplete::Range),
        End::Exhausted => outcome.fingerprint_bits.map(|_| Incomplete::Compacted(outcome.stats.states)),
    }
}

/// What was found, nearest first; what is equally near in the order of the model, deadlocks last.
fn in_order(model: &Model, mut found: Vec<Found<Action>>) -> Vec<Found<Action>> {
    let position = |violation: &Violation| {
        model.properties.iter().position(|property| key(property) == violation.property)
    };
    found.sort_by_key(|found| {
        (found.schedule.actions.len(), position(&found.violation).unwrap_or(model.properties.len()))
    });
    found
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
    Ok(finding(model, machine, position, !is_remark(&found.violation), trace, options.setting()))
}

/// What is wrong with the state in which a machine is at the end of a run, in words.
pub(crate) fn finding<const W: usize>(
    model: &Model,
    machine: &Machine<'_, '_, W>,
    property: Option<usize>,
    violation: bool,
    trace: Trace,
    setting: Setting,
) -> Finding {
    let Some(at) = property else {
        let kind = stuck_kind(machine, violation);
        let (name, message) = (kind.word().to_owned(), machine.who_waits());
        return Finding { kind, name, violation, message, property, roles: vec![], trace, setting };
    };
    let Property { kind, name, .. } = &model.properties[at];
    let (kind, name) = (FindingKind::Property(*kind), name.clone());
    let roles = machine.witness(at).map_or(vec![], <[usize]>::to_vec);
    Finding { kind, name, violation, message: String::new(), property, roles, trace, setting }
}

/// What a state without a next step is.
fn stuck_kind<const W: usize>(machine: &Machine<'_, '_, W>, violation: bool) -> FindingKind {
    if violation || machine.somebody_waits() { FindingKind::Deadlock } else { FindingKind::Stuck }
}

/// Something that is wrong with a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// What kind of thing.
    pub kind: FindingKind,
    /// The name of the property.
    pub name: String,
    /// Whether it is a violation, rather than a remark.
    pub violation: bool,
    /// The processes that match the property first, from 0.
    pub processes: Vec<usize>,
}

/// Everything that is wrong with the state in which a machine is, as exploring would find it there.
pub fn judge<const W: usize>(
    model: &Model,
    machine: &Machine<'_, '_, W>,
    deadlock: DeadlockPolicy,
) -> Vec<Wrong> {
    let mut matched = Vec::new();
    machine.violations(&mut matched);
    let named = |violation: &Violation| {
        let position = model.properties.iter().position(|property| key(property) == violation.property);
        let property = position.map(|at| &model.properties[at]);
        let processes = matched.iter().find(|(at, _)| Some(*at) == position);
        let kind = property.map_or_else(
            || stuck_kind(machine, !is_remark(violation)),
            |property| FindingKind::Property(property.kind),
        );
        Wrong {
            kind,
            name: property.map_or(kind.word(), |property| property.name.as_str()).to_owned(),
            violation: !is_remark(violation),
            processes: processes.map_or(vec![], |(_, processes)| processes.clone()),
        }
    };
    wrong_here(model, machine, deadlock).iter().map(named).collect()
}

/// Everything that is wrong with the state in which a machine is.
fn wrong_here<const W: usize>(
    model: &Model,
    machine: &Machine<'_, '_, W>,
    deadlock: DeadlockPolicy,
) -> Vec<Violation> {
    let mut judge = Judge { model, deadlock };
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
fn key(property: &Property) -> String {
    format!("{:?} {}", property.kind, property.name)
}

/// Judges states: properties of the model, and deadlocks.
#[derive(Clone)]
struct Judge<'m> {
    model: &'m Model,
    deadlock: DeadlockPolicy,
}

impl<const W: usize> Judgement<Machine<'_, '_, W>> for Judge<'_> {
    fn state(&mut self, machine: &Machine<'_, '_, W>, found: &mut Vec<Violation>) {
        let mut bad = Vec::new();
        machine.violations(&mut bad);
        let violation =
            |at: usize| Violation { property: key(&self.model.properties[at]), message: String::new() };
        found.extend(bad.iter().map(|(at, _)| violation(*at)));
    }

    fn stuck(&mut self, machine: &Machine<'_, '_, W>, found: &mut Vec<Violation>) {
        let message = match judge_stuck(machine, self.deadlock) {
            None => return,
            Some(true) => "nobody can go on",
            Some(false) => REMARK,
        };
        found.push(Violation { property: DEADLOCK.into(), message: message.into() });
    }
}

/// Whether a state without a next step is a violation rather than a remark; none if it is neither.
pub(crate) fn judge_stuck<const W: usize>(
    machine: &Machine<'_, '_, W>,
    policy: DeadlockPolicy,
) -> Option<bool> {
    // A step that a range or a trusted invariant cuts is there all the same.
    if policy == DeadlockPolicy::Ignore || machine.ends_in_violation() || machine.has_steps_here() {
        return None;
    }
    let may_end = machine.is_final();
    match policy {
        _ if may_end == Some(true) => None,
        DeadlockPolicy::Waiting => Some(may_end.is_some() || machine.somebody_waits()),
        DeadlockPolicy::Error => Some(true),
        DeadlockPolicy::Report | DeadlockPolicy::Ignore => Some(false),
    }
}

/// How violations are named that are no property of the model, and what they say if they are no violation at all.
const DEADLOCK: &str = "deadlock";
const REMARK: &str = "";

/// Whether this is worth a remark only.
fn is_remark(violation: &Violation) -> bool {
    violation.property == DEADLOCK && violation.message == REMARK
}
