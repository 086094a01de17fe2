//! Weak models under x86-TSO, for a fixed number of processes.
//!
//! Store buffers are represented by a few slots in which equal neighbours are merged
//! ([`ir::store_buffers`]). If a write finds no room, the exploration is repeated with more slots. Merging adds runs that
//! no machine has, so every violation is repeated with exact buffers before it is reported.

use crate::{
    Action, Instance, Machine, Obstacle, Setting,
    exploration::{Exploration, Incomplete, Options, explore_as_it_is, failed},
    for_width,
    judge::{Finding, Judge, Violation},
    numbers::MOST_NUMBER_BITS,
    state_graph::{self, NoGraph, StateGraph},
};
use explore::{Schedule, Steered, Trace};
use ir::store_buffers::{Capacity, Counting};
use ir::{At, Formula, Model, Origin, Property, PropertyKind, RuleId, SymbolId};
use std::{collections::BTreeSet, time::Instant};

/// The most slots that are tried. A process with more different stores in its buffer than this usually can have any
/// number of them.
const MOST_SLOTS: usize = 6;
/// The most entries of a buffer when a run is repeated with exact buffers.
const MOST_ENTRIES: usize = 64;
/// How exactly equal neighbours are counted, as long as a run that was found cannot be repeated.
const COUNTS: [u32; 3] = [1, 2, 4];

/// The number of entries of each buffer where a run is not exhaustive anyway: fuzzing, stepping.
pub const USUAL_ENTRIES: usize = 8;

/// A model under x86-TSO with exact buffers of this many entries. A model that is not weak is unchanged.
pub fn with_buffer(model: Model, entries: usize) -> Result<Model, Obstacle> {
    if !model.is_weak() {
        return Ok(model);
    }
    model.with_store_buffers(Capacity::exact(entries)).map_err(Obstacle::Buffers)
}

/// Visits the reachable states of a weak model, with store buffers as large as they need to be, or as the options say.
pub(crate) fn explore(model: &Model, options: &Options) -> Exploration {
    if let Some(entries) = options.buffer {
        return with_capacity(model, Capacity::exact(entries), options);
    }
    let begun = Instant::now();
    let mut counts = COUNTS.iter().peekable();
    let mut slots = 1;
    loop {
        let counting = Counting::Many(**counts.peek().expect("the last count ends the loop"));
        let remaining = Options { limits: options.limits.remaining_since(begun), ..options.clone() };
        let mut exploration = with_capacity(model, Capacity { slots, counting }, &remaining);
        let is_full = exploration.incomplete == Some(Incomplete::Obstacle(Obstacle::FullBuffer(slots)));
        let claimed = exploration.findings.len();
        let violated = exploration.is_violated();
        let exact = |finding: &Finding| exactly(model, slots, finding, &remaining);
        exploration.findings = exploration.findings.iter().filter_map(exact).collect();
        if exploration.findings.len() == claimed && (violated || !is_full) {
            return exploration;
        }
        if is_full && !judges_anything(model, options.processes) {
            return Exploration { incomplete: None, ends_unjudged: true, ..exploration };
        }
        if exploration.findings.len() < claimed {
            counts.next();
            if counts.peek().is_none() {
                return Exploration { incomplete: Some(unconfirmed()), ..exploration };
            }
        } else if slots == MOST_SLOTS {
            return exploration;
        } else {
            slots += 1;
        }
    }
}

/// Whether a property can match with this number of processes.
fn judges_anything(model: &Model, processes: u32) -> bool {
    model.properties.iter().any(|property| property.params.len() <= processes as usize)
}

fn unconfirmed() -> Incomplete {
    let what = "a violation was found that needs more equal stores in a buffer than the run has made";
    Incomplete::Contradiction(what.into())
}

/// Explores with a fixed capacity.
fn with_capacity(model: &Model, capacity: Capacity, options: &Options) -> Exploration {
    match model.with_store_buffers(capacity) {
        Ok(lowered) => {
            let ranges = with_arguments(&lowered, &options.ranges);
            let mut exploration = explore_as_it_is(&lowered, &Options { ranges, ..options.clone() });
            exploration.never_taken.retain(|rule| rule.index() < model.rules.len());
            for finding in &mut exploration.findings {
                finding.setting.ranges.clone_from(&options.ranges);
            }
            exploration
        }
        Err(unsupported) => failed(Incomplete::Obstacle(Obstacle::Buffers(unsupported))),
    }
}

/// The graph of a weak model, with as many slots as it takes, or with exact buffers as the options say.
pub(crate) fn state_graph_where(
    model: &Model,
    options: &Options,
    most: usize,
    wanted: &Formula,
) -> Result<StateGraph, NoGraph> {
    // As a property, the formula is lowered with everything else.
    let mut marked = model.clone();
    marked.properties.push(Property {
        kind: PropertyKind::Unsafe,
        name: String::new(),
        params: vec![],
        variables: vec![],
        formula: wanted.clone(),
        rule: None,
        at: At::nowhere(),
    });
    let capacities = match options.buffer {
        Some(entries) => vec![Capacity::exact(entries)],
        None => (1..=MOST_SLOTS).map(Capacity::merging).collect(),
    };
    let mut graph = Err(NoGraph::TooLarge);
    for capacity in capacities {
        let lowered = marked.with_store_buffers(capacity);
        let mut lowered = lowered.map_err(|unsupported| NoGraph::Obstacle(Obstacle::Buffers(unsupported)))?;
        let wanted = lowered.properties.remove(model.properties.len()).formula;
        let ranges = with_arguments(&lowered, &options.ranges);
        graph =
            state_graph::state_graph_where(&lowered, &Options { ranges, ..options.clone() }, most, &wanted);
        if !graph.as_ref().is_ok_and(|graph| graph.full) {
            break;
        }
    }
    graph
}

/// The ranges of symbols, also for what represents their values in a buffer.
pub fn with_arguments(lowered: &Model, ranges: &[(SymbolId, i64, i64)]) -> Vec<(SymbolId, i64, i64)> {
    let stands_for = |symbol| lowered.buffers.as_ref().and_then(|buffers| buffers.stands_for(symbol));
    let symbols = (0..lowered.symbols.len()).map(SymbolId::from_index);
    let added = symbols.filter_map(|symbol| {
        let (_, low, high) = ranges.iter().find(|(ranged, ..)| Some(*ranged) == stands_for(symbol))?;
        Some((symbol, *low, *high))
    });
    ranges.iter().copied().chain(added).collect()
}

/// The ranges without those of what represents values in a buffer.
pub fn of_user(lowered: &Model, ranges: &[(SymbolId, i64, i64)]) -> Vec<(SymbolId, i64, i64)> {
    let is_user = |(symbol, ..): &&(SymbolId, i64, i64)| lowered.symbol(*symbol).origin != Origin::Buffer;
    ranges.iter().filter(is_user).copied().collect()
}

/// Repeats the run of a finding with exact buffers; `None` if it cannot be repeated.
pub fn exactly(model: &Model, slots: usize, finding: &Finding, options: &Options) -> Option<Finding> {
    let mut entries = slots;
    while entries <= MOST_ENTRIES {
        let lowered = model.with_store_buffers(Capacity::exact(entries)).ok()?;
        let ranges = with_arguments(&lowered, &finding.setting.ranges);
        let options = Options { ranges, seed: finding.setting.seed, ..options.clone() };
        match repeat(&lowered, &options, finding, entries)? {
            Repeated::Confirmed(confirmed) => return Some(*confirmed),
            Repeated::Full => entries *= 2,
        }
    }
    None
}

/// The rules of a run whose steps were taken while the store buffer of their process held something: with a fence in any one
/// of them, the run would not be possible. `None` if the run cannot be followed.
pub fn overtaking(
    model: &Model,
    processes: u32,
    ranges: &[(SymbolId, i64, i64)],
    buffer: usize,
    trace: &Trace,
) -> Option<BTreeSet<RuleId>> {
    let lowered = model.with_store_buffers(Capacity::exact(buffer)).ok()?;
    let options = Options { ranges: with_arguments(&lowered, ranges), ..Options::new(processes) };
    let instances = Instance::all(&lowered, &options.setup(MOST_NUMBER_BITS)).ok()?;
    for_width!(instances, overtaking_in(&lowered, &instances, trace), None)
}

fn overtaking_in<const W: usize>(
    lowered: &Model,
    instances: &[Instance<'_>],
    trace: &Trace,
) -> Option<BTreeSet<RuleId>> {
    let mut machine = Machine::<W>::new(instances);
    let initials: usize = instances.iter().map(Instance::initial_states).sum();
    (0..initials).find_map(|initial| {
        machine.start(initial).ok()?;
        if machine.describe() != trace.start {
            return None;
        }
        let actions = follow(&mut machine, trace)?;
        machine.start(initial).ok()?;
        let mut rules = BTreeSet::new();
        for action in actions {
            let holds_something = machine
                .process(&action)
                .and_then(|process| machine.store_buffer(process))
                .is_some_and(|all| !all.is_empty());
            if holds_something && !machine.is_flush(&action) {
                rules.insert(lowered.transitions[machine.step_of(&action).0].rule);
            }
            machine.take(&action).ok()?;
        }
        Some(rules)
    })
}

/// What came of repeating a run.
enum Repeated {
    Confirmed(Box<Finding>),
    /// A buffer had no room.
    Full,
}

fn repeat(lowered: &Model, options: &Options, finding: &Finding, entries: usize) -> Option<Repeated> {
    let instances = Instance::all(lowered, &options.setup(MOST_NUMBER_BITS)).ok()?;
    let judge = Judge::new(lowered, options.deadlock);
    let setting = Setting { buffer: Some(entries), ..finding.setting.clone() };
    for_width!(instances, repeat_in(&judge, &instances, finding, &setting), None)
}

fn repeat_in<const W: usize>(
    judge: &Judge<'_>,
    instances: &[Instance<'_>],
    finding: &Finding,
    setting: &Setting,
) -> Option<Repeated> {
    let mut machine = Machine::<W>::new(instances);
    let initials: usize = instances.iter().map(Instance::initial_states).sum();
    let mut full = false;
    for initial in 0..initials {
        if machine.start(initial).is_err() || machine.describe() != finding.trace.start {
            continue;
        }
        let Some(actions) = follow(&mut machine, &finding.trace) else {
            full |= machine.overflowed();
            continue;
        };
        let same = |violation: &Violation| violation.property() == finding.property;
        let Some(violation) = judge.here(&machine).into_iter().find(same) else { continue };
        let schedule = Schedule { initial, actions };
        if let Ok(confirmed) = judge.confirm(&mut machine, &schedule, violation, setting.clone()) {
            return Some(Repeated::Confirmed(Box::new(confirmed)));
        }
    }
    full.then_some(Repeated::Full)
}

/// Takes the steps of a trace. Where one is not enabled, entries of the process are flushed first: merged entries may
/// have left the buffer at once.
fn follow<const W: usize>(machine: &mut Machine<'_, '_, W>, trace: &Trace) -> Option<Vec<Action>> {
    let mut taken = Vec::new();
    let mut enabled = Vec::new();
    for step in &trace.steps {
        loop {
            enabled.clear();
            machine.enabled(&mut enabled);
            let of_process = |action: &&Action| machine.process(action) == step.process;
            let labelled = |action: &&Action| machine.label(action) == step.label;
            let wanted = enabled.iter().filter(of_process).find(labelled);
            let flush = enabled.iter().filter(of_process).find(|action| machine.is_flush(action));
            let action = *wanted.or(flush)?;
            let is_wanted = wanted.is_some();
            // Notices full buffers.
            machine.each_violated(|_| {});
            machine.take(&action).ok()?;
            taken.push(action);
            if is_wanted {
                break;
            }
        }
    }
    Some(taken)
}
