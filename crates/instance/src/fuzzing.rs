//! Fuzzing a model: the loop of the crate `fuzz` over compiled instances.
//!
//! A violation is minimised and replayed from the start before it is reported. The absence of a finding proves
//! nothing.

mod guide;
mod size;

pub use size::{Tried, fewest};

use crate::{
    Action, Instance, Machine, Obstacle, Sample, Setting, Setup,
    exploration::{Exploration, Incomplete},
    for_width,
    judge::{Finding, Judge, Violation},
    numbers::FUZZING,
    weak,
};
use explore::{Deadline, DeadlockPolicy, Fault, Found, Limits, Outcome, Packed, Severity, Stats, minimise};
use fuzz::{End, Fuzzer};
use guide::ModelGuide;
use ir::{LoneFormula, Model, RuleId, Sort, SymbolId};
use std::cmp::Reverse;

/// Options of [`fuzz()`].
#[derive(Debug, Clone)]
pub struct Options {
    /// The number of processes; `None` to try several, smallest first.
    pub processes: Option<u32>,
    /// Ranges for unbounded numbers, bounds included. Steps that leave a range are not taken.
    pub ranges: Vec<(SymbolId, i64, i64)>,
    /// Which deadlocks are violations, and which are remarks.
    pub deadlock: DeadlockPolicy,
    /// The most entries of a store buffer, for a weak model.
    pub buffer: usize,
    /// States that satisfy this formula get priority.
    pub interesting: Option<LoneFormula>,
    /// Rules whose steps get priority.
    pub preferred: Vec<RuleId>,
    /// Options of the fuzzing loop.
    pub fuzz: fuzz::Options,
}

impl Options {
    /// All techniques, one thread, no limit.
    pub fn new(processes: Option<u32>) -> Options {
        Options {
            processes,
            ranges: vec![],
            deadlock: DeadlockPolicy::Waiting,
            buffer: weak::USUAL_ENTRIES,
            interesting: None,
            preferred: vec![],
            fuzz: fuzz::Options::default(),
        }
    }
}

/// The result of fuzzing a model.
#[derive(Debug)]
pub struct Fuzzing {
    /// The findings. Never claims to be exhaustive.
    pub exploration: Exploration,
    /// The number of processes. If several were tried: that of the first finding, or the largest if there is no
    /// finding.
    pub processes: u32,
    /// The seed of the run; with it and the same options, the run can be repeated.
    pub seed: u64,
    /// If no number of processes was given: what was done with each number.
    pub tried: Vec<Tried>,
    /// The ranges of numbers, including those chosen for numbers that are read before they are set.
    pub ranges: Vec<(SymbolId, i64, i64)>,
    /// The rules that were taken at least once.
    pub rules: Vec<RuleId>,
    /// Pairs of rules where the second directly followed the first; `None` if the instance could not be run.
    pub pairs: Option<Vec<(RuleId, RuleId)>>,
    /// The number of steps executed until the first violation was found.
    pub first_violation: Option<usize>,
}

impl Fuzzing {
    /// Whether a violation was found and confirmed.
    pub fn is_violated(&self) -> bool {
        self.exploration.is_violated()
    }

    fn failed(processes: u32, obstacle: Obstacle) -> Fuzzing {
        Fuzzing::of(processes, 0, vec![], exploration(Incomplete::Obstacle(obstacle), Stats::default()))
    }

    /// The same without the rules that were added to the first ones.
    fn about_rules(mut self, rules: usize) -> Fuzzing {
        self.rules.retain(|rule| rule.index() < rules);
        if let Some(pairs) = &mut self.pairs {
            pairs.retain(|(first, second)| first.index() < rules && second.index() < rules);
        }
        self
    }

    fn of(processes: u32, seed: u64, ranges: Vec<(SymbolId, i64, i64)>, exploration: Exploration) -> Fuzzing {
        Fuzzing {
            exploration,
            processes,
            seed,
            tried: vec![],
            ranges,
            rules: vec![],
            pairs: None,
            first_violation: None,
        }
    }
}

fn exploration(incomplete: Incomplete, stats: Stats) -> Exploration {
    Exploration {
        findings: vec![],
        incomplete: Some(incomplete),
        never_taken: vec![],
        never_changed: vec![],
        dropped: None,
        ends_unjudged: false,
        temporal: vec![],
        stats,
    }
}

/// The number of samples taken of the values that `init` leaves open.
const DRAWS: u64 = 256;
/// The search for initial states ends when this many are known.
const ENOUGH_STARTS: usize = 20_000;
/// The length, in steps, of the probe that finds out which numbers need a range, or more bits.
const PROBE: usize = 5_000;

/// How to sample initial states for a seed.
pub fn sample(seed: u64) -> Sample {
    Sample { seed, draws: DRAWS, enough: ENOUGH_STARTS }
}

/// Fuzzes a model with the number of processes that the options give, or with several, smallest first.
pub fn fuzz(model: &Model, options: &Options) -> Fuzzing {
    match options.processes {
        Some(processes) => fuzz_instance(model, options, processes),
        None => size::fuzz_sizes(model, options),
    }
}

/// Fuzzes a model with a given number of processes.
fn fuzz_instance(model: &Model, options: &Options, processes: u32) -> Fuzzing {
    let model = with_interest(model, options.interesting.as_ref());
    let rules = model.rules.len();
    let model = match weak::with_buffer(model, options.buffer) {
        Ok(model) => model,
        Err(obstacle) => return Fuzzing::failed(processes, obstacle),
    };
    let mut setup = Setup {
        ranges: weak::with_arguments(&model, &options.ranges),
        sample_start: Some(sample(options.fuzz.seed)),
        deadline: Deadline::of(&options.fuzz.limits),
        ..Setup::new(processes as usize, FUZZING.first_bits())
    };
    loop {
        let fuzzing = match Instance::all(&model, &setup) {
            Ok(instances) => for_width!(
                instances,
                probe_and_run(&model, &instances, options, &setup),
                Err(Obstacle::TooWide)
            ),
            Err(obstacle) => Err(obstacle),
        };
        match fuzzing {
            Ok(fuzzing) => return fuzzing.about_rules(rules),
            Err(obstacle) if FUZZING.overcome(&obstacle, &mut setup) => {}
            Err(obstacle) => return Fuzzing::failed(processes, obstacle),
        }
    }
}

/// Fuzzes the instances of a setup, unless a short probe meets an obstacle that another setup may avoid.
fn probe_and_run<const W: usize>(
    model: &Model,
    instances: &[Instance<'_>],
    options: &Options,
    setup: &Setup,
) -> Result<Fuzzing, Obstacle> {
    let processes = u32::try_from(setup.processes).unwrap_or(u32::MAX);
    // The time that earlier setups took counts as well.
    let remaining = || with_remaining_time(options, &setup.deadline);
    let obstacle = probe::<W>(model, instances, &remaining(), processes);
    match obstacle {
        Some(obstacle) if FUZZING.overcome(&obstacle, &mut setup.clone()) => Err(obstacle),
        _ => Ok(run::<W>(model, instances, &remaining(), setup)),
    }
}

fn with_remaining_time(options: &Options, deadline: &Deadline) -> Options {
    let mut options = options.clone();
    options.fuzz.limits.time = deadline.limits().time;
    options
}

/// Adds a pseudo-property that matches interesting states, so that they are compiled and tested like bad states.
fn with_interest(model: &Model, interesting: Option<&LoneFormula>) -> Model {
    let mut model = model.clone();
    model.properties.extend(interesting.map(|formula| formula.property.clone()));
    model
}

fn guide<'m>(model: &'m Model, options: &Options, processes: u32) -> ModelGuide<'m> {
    let preferred = (0..model.rules.len()).map(|at| options.preferred.contains(&RuleId::from_index(at)));
    let judge = Judge { tell_deadlocks_apart: true, ..Judge::new(model, options.deadlock) };
    ModelGuide {
        judge,
        processes: processes as usize,
        interesting: options.interesting.as_ref().map(|_| model.first_overflow() - 1),
        preferred: preferred.collect(),
    }
}

/// Takes a few steps, and returns the obstacle that they meet, if any.
fn probe<const W: usize>(
    model: &Model,
    instances: &[Instance<'_>],
    options: &Options,
    processes: u32,
) -> Option<Obstacle> {
    let machine = Machine::<W>::new(instances);
    let limits = Limits { steps: Some(PROBE), ..options.fuzz.limits.clone() };
    let options_of_probe = fuzz::Options {
        limits,
        workers: 1,
        stop_at_first: false,
        progress: std::sync::Arc::default(),
        ..options.fuzz.clone()
    };
    // Only numbers can meet an obstacle.
    if !has_numbers(model) {
        return None;
    }
    let mut fuzzer = Fuzzer::new(&machine, guide(model, options, processes), options_of_probe);
    fuzzer.run();
    obstacle(&fuzzer)
}

fn has_numbers(model: &Model) -> bool {
    model.symbols.iter().any(|symbol| matches!(symbol.sort, Sort::Int | Sort::Real))
}

fn obstacle<'m, const W: usize>(fuzzer: &Fuzzer<Machine<'m, '_, W>, ModelGuide<'m>>) -> Option<Obstacle> {
    fuzzer.systems().find_map(Machine::obstacle)
}

fn run<const W: usize>(
    model: &Model,
    instances: &[Instance<'_>],
    options: &Options,
    setup: &Setup,
) -> Fuzzing {
    let processes = u32::try_from(setup.processes).unwrap_or(u32::MAX);
    let mut machine = Machine::<W>::new(instances);
    let guide = guide(model, options, processes);
    let mut fuzzer = Fuzzer::new(&machine, guide.clone(), options.fuzz.clone());
    let end = fuzzer.run();
    let incomplete = match (end, obstacle(&fuzzer)) {
        (End::Fault(fault), _) => Incomplete::Contradiction(fault.to_string()),
        (_, Some(Obstacle::Limit(limit))) | (End::Limit(limit), None) => Incomplete::Limit(limit),
        (_, Some(obstacle)) => Incomplete::Obstacle(obstacle),
        (End::Exhausted, None) => Incomplete::Sampled,
        (End::Found, None) => Incomplete::Stopped,
    };
    let mut fuzzing = Fuzzing::of(
        processes,
        options.fuzz.seed,
        weak::of_user(model, &setup.ranges),
        exploration(incomplete, fuzzer.stats()),
    );
    let setting = Setting {
        processes,
        ranges: fuzzing.ranges.clone(),
        seed: Some(options.fuzz.seed),
        buffer: model.buffers.as_ref().map(|buffers| buffers.slots.len()),
    };
    let id = RuleId::from_index;
    let rules = (0..model.rules.len()).filter(|rule| fuzzer.coverage().count(*rule) > 0);
    fuzzing.rules = rules.map(id).collect();
    fuzzing.pairs = Some(fuzzer.coverage().all_pairs().map(|(t, u)| (id(t), id(u))).collect());
    for found in fuzzer.findings() {
        let known = Found { violation: found.violation, schedule: fuzzer.schedule(found) };
        match confirm(&guide, &mut machine, &known, setting.clone()) {
            Ok(finding) => {
                if finding.is_violation() {
                    fuzzing.first_violation = fuzzing.first_violation.or(Some(found.after));
                }
                fuzzing.exploration.findings.push(finding);
            }
            Err(fault) => {
                fuzzing.exploration.incomplete = Some(Incomplete::Contradiction(fault.to_string()));
            }
        }
    }
    // Violations come first, near ones before far ones.
    fuzzing.exploration.findings.sort_by_key(near_violations_first);
    fuzzing
}

/// Fuzzes an instance up to the first violation of a property. Returns an outcome like those of a search, and the
/// states reached. Deadlocks are ignored.
pub(crate) fn reach<'m, const W: usize>(
    model: &'m Model,
    machine: &mut Machine<'m, '_, W>,
    processes: u32,
    seed: u64,
    limits: &Limits,
) -> (Outcome<Action, usize>, Vec<[u64; W]>) {
    let options = Options { deadlock: DeadlockPolicy::Ignore, ..Options::new(Some(processes)) };
    let options_of_run =
        fuzz::Options { seed, stop_at_first: true, limits: limits.clone(), ..fuzz::Options::default() };
    let mut fuzzer = Fuzzer::new(machine, guide(model, &options, processes), options_of_run);
    let end = match fuzzer.run() {
        End::Exhausted => explore::End::Exhausted,
        End::Found => explore::End::Found,
        End::Limit(limit) => explore::End::Limit(limit),
        End::Fault(fault) => explore::End::Fault(fault),
    };
    let of_property = |found: &fuzz::Finding<Violation>| {
        let violation = found.violation.property()?;
        Some(Found { violation, schedule: fuzzer.schedule(found) })
    };
    let found = fuzzer.findings().iter().filter_map(of_property).collect();
    let is_near = |steps: u32| limits.depth.is_none_or(|most| steps as usize <= most);
    let states = fuzzer.states().filter(|(_, steps)| is_near(*steps)).map(|(state, _)| *state).collect();
    let outcome = Outcome { end, found, cuts: vec![], fingerprint_bits: None, stats: fuzzer.stats() };
    let copies: Vec<_> = fuzzer.systems().cloned().collect();
    copies.into_iter().for_each(|copy| machine.absorb(copy));
    (outcome, states)
}

/// Minimises a run, and replays it from its start.
fn confirm<'m, const W: usize>(
    guide: &ModelGuide<'m>,
    machine: &mut Machine<'m, '_, W>,
    known: &Found<Action, Violation>,
    setting: Setting,
) -> Result<Finding, Fault> {
    let short = minimise(machine, known, guide.clone())?;
    guide.judge.confirm(machine, &short.schedule, short.violation, setting)
}

/// The order in which findings are reported.
fn near_violations_first(finding: &Finding) -> (Reverse<Severity>, usize) {
    (Reverse(finding.severity), finding.trace.steps.len())
}
