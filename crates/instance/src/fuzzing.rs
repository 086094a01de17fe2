//! Fuzzing a model: the loop of the crate `fuzz` over compiled instances.
//!
//! What it finds is shortened, replayed from the start by the engine of `explore`, and only then told. What it does not find may
//! be there all the same.

mod guide;
mod size;

pub use size::{Tried, fewest};

use crate::{
    Action, Instance, Machine, Obstacle, Sample, Setting, Setup,
    exploration::{Exploration, Incomplete},
    for_width,
    judge::{Finding, Judge, Violation},
    numbers::FUZZING,
};
use explore::{Deadline, DeadlockPolicy, Fault, Found, Limits, Outcome, Packed, Severity, Stats, minimise};
use fuzz::{End, Fuzzer};
use guide::ModelGuide;
use ir::{LoneFormula, Model, RuleId, Sort, SymbolId};
use std::cmp::Reverse;

/// What to fuzz, and how.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many processes; if none is given, as many as it takes.
    pub processes: Option<u32>,
    /// Ranges for numbers: a step that leaves one is cut.
    pub ranges: Vec<(SymbolId, i64, i64)>,
    /// What a deadlock counts for.
    pub deadlock: DeadlockPolicy,
    /// States that satisfy this get priority.
    pub interesting: Option<LoneFormula>,
    /// These rules get priority.
    pub preferred: Vec<RuleId>,
    /// How the loop is run.
    pub fuzz: fuzz::Options,
}

impl Options {
    /// All techniques, one thread, no limit.
    pub fn new(processes: Option<u32>) -> Options {
        Options {
            processes,
            ranges: vec![],
            deadlock: DeadlockPolicy::Waiting,
            interesting: None,
            preferred: vec![],
            fuzz: fuzz::Options::default(),
        }
    }
}

/// What came out.
#[derive(Debug)]
pub struct Fuzzing {
    /// What was found. It never says that everything is known.
    pub exploration: Exploration,
    /// The number of processes that this is about: if several were tried, the one of the first finding, else the largest.
    pub processes: u32,
    /// The seed of the run.
    pub seed: u64,
    /// If no number was given: what was tried.
    pub tried: Vec<Tried>,
    /// The ranges of numbers, with those that were chosen because a number is read before it is set.
    pub ranges: Vec<(SymbolId, i64, i64)>,
    /// Rules that were taken.
    pub rules: Vec<RuleId>,
    /// Pairs of rules where the second directly followed the first; none if the instance could not be run.
    pub pairs: Option<Vec<(RuleId, RuleId)>>,
    /// How many steps were executed when the first violation was found.
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
        stats,
    }
}

/// How many initial states are drawn that differ in what `init` does not mention.
const DRAWS: u64 = 256;
/// More initial states than this are not looked for.
const ENOUGH_STARTS: usize = 20_000;
/// The steps that find out which numbers need a range, or more bits.
const PROBE: usize = 5_000;

/// The initial states that a seed stands for.
pub fn sample(seed: u64) -> Sample {
    Sample { seed, draws: DRAWS, enough: ENOUGH_STARTS }
}

/// Fuzzes a model.
pub fn fuzz(model: &Model, options: &Options) -> Fuzzing {
    match options.processes {
        Some(processes) => fuzz_instance(model, options, processes),
        None => size::fuzz_sizes(model, options),
    }
}

/// Fuzzes a model with a given number of processes.
fn fuzz_instance(model: &Model, options: &Options, processes: u32) -> Fuzzing {
    let model = with_interest(model, options.interesting.as_ref());
    let mut setup = Setup {
        ranges: options.ranges.clone(),
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
            Ok(fuzzing) => return fuzzing,
            Err(obstacle) if FUZZING.overcome(&obstacle, &mut setup) => {}
            Err(obstacle) => return Fuzzing::failed(processes, obstacle),
        }
    }
}

/// Fuzzes the instances of a setup, unless a few steps run into an obstacle that another setup may not have.
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

/// The model with one more property that is none: what is interesting is compiled, and tested, like what is bad.
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
        interesting: options.interesting.as_ref().map(|_| model.properties.len() - 1),
        preferred: preferred.collect(),
    }
}

/// A few steps, for what they run into.
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
    // Only numbers run into anything.
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
        setup.ranges.clone(),
        exploration(incomplete, fuzzer.stats()),
    );
    let setting = Setting { processes, ranges: setup.ranges.clone(), seed: Some(options.fuzz.seed) };
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
    // Violations first, near ones before far ones.
    fuzzing.exploration.findings.sort_by_key(near_violations_first);
    fuzzing
}

/// What fuzzing an instance reaches up to the first violation of a property: an outcome like those of a search, and the
/// states. Deadlocks do not matter.
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

/// Shortens a run, and repeats it from its start.
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
