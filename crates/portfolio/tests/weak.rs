//! Weak models: exploration and proofs with store buffers against an interpreter of the text whose buffers are exact and
//! unbounded.
//!
//! The models are random ones, of which `SEEDS=a..b` chooses some, and those in `tests/models/weak-memory`.

use explore::{DeadlockPolicy, Limits};
use instance::exploration::{Exploration, Incomplete, Options, explore};
use instance::judge::kind_of;
use instance::state_graph::state_graph;
use ir::{Model, PropertyKind};
use modelgen::{Feature, Features, Size, random_model};
use portfolio::{EventsAnswer, ProofOptions, prove, prove_by_events};
use reference::{
    bounded::{self, Bounds, Found},
    instance::Ranges,
    reading::read,
    tree::{Memory, Program},
};
use source::Source;
use std::{
    collections::BTreeSet,
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

/// The entries of exact buffers.
const ENTRIES: usize = 3;
/// The states of an instance.
const STATES: usize = 2_000;

fn seeds(usual: u64) -> Range<u64> {
    let Ok(text) = std::env::var("SEEDS") else { return 0..usual };
    let (from, to) = text.split_once("..").expect("SEEDS is like 0..1000");
    from.parse().expect("a number")..to.parse().expect("a number")
}

/// A random weak model, as text.
fn weak_text(seed: u64) -> String {
    let features = match seed % 3 {
        0 => Features::store_buffers().with(&[Feature::PlainVariables]),
        1 => Features::store_buffers(),
        _ => Features::everything_weak().without(&[Feature::UnboundedIntegers, Feature::AbstractTypes]),
    };
    random_model(&modelgen::Options { seed, size: Size::Small, features })
}

/// Models that were written by hand, for what random ones do too rarely.
fn written_texts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/models/weak-memory");
    let files =
        fs::read_dir(folder).expect("the models are there").map(|entry| entry.expect("readable").path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|extension| extension == "cub")).collect();
    files.sort();
    let named =
        files.iter().map(|path| (path.display().to_string(), fs::read_to_string(path).expect("text")));
    let fine = |text: &str| text.contains("expect: check: ok") && lowered(text).is_weak();
    named.filter(|(_, text)| fine(text)).collect()
}

/// All models, each with what to call it. There are so many random ones unless `SEEDS` says otherwise.
fn texts(usual: u64) -> impl Iterator<Item = (String, String)> {
    let random = seeds(usual).map(|seed| (format!("seed {seed}"), weak_text(seed)));
    written_texts().into_iter().chain(random)
}

fn lowered(text: &str) -> Model {
    let loaded = model::load(&Source::new("random.cub", text.to_owned()));
    let errors = loaded.diagnostics.sorted();
    loaded.model.unwrap_or_else(|| panic!("{errors:?}\n{text}"))
}

/// What the interpreter finds with buffers of this many entries.
fn interpreted(text: &str, processes: usize, entries: usize) -> Option<Found> {
    let program = Program { memory: Memory::Tso, ..read(text) };
    if !program.allows(processes) {
        return None;
    }
    bounded::explore(&program, processes, &Bounds { states: STATES, buffer: entries, ranges: Ranges::new() })
        .ok()
}

/// The violated properties as the interpreter names them.
fn names(found: &Found) -> BTreeSet<(String, String)> {
    found
        .violations
        .keys()
        .filter(|(kind, _)| *kind != "deadlock")
        .map(|(kind, name)| ((*kind).to_owned(), name.clone()))
        .collect()
}

/// The same for the engine.
fn violated(model: &Model, exploration: &Exploration) -> BTreeSet<(String, String)> {
    let named = |at: usize| {
        let property = &model.properties[at];
        let name = match property.kind {
            PropertyKind::Unsafe | PropertyKind::Invariant => property.name.clone(),
            _ => String::new(),
        };
        (kind_of(property.kind).word().to_owned(), name)
    };
    exploration.findings.iter().filter_map(|finding| finding.property).map(named).collect()
}

fn options(processes: usize) -> Options {
    Options {
        all: true,
        deadlock: DeadlockPolicy::Ignore,
        limits: Limits { states: Some(20 * STATES), ..Limits::default() },
        ..Options::new(u32::try_from(processes).expect("few"))
    }
}

/// The number of states with exact buffers that a reader can tell apart: `X := ?` may store what `X := True` does.
fn described(model: &Model, processes: usize) -> usize {
    let options = Options { buffer: Some(ENTRIES), symmetry: false, ..options(processes) };
    let graph = state_graph(model, &options, 20 * STATES).expect("few states");
    graph.states.iter().map(|state| format!("{:?}", state.values)).collect::<BTreeSet<String>>().len()
}

/// Whether a store may turn out to write no cell at all. It then takes an entry, which the interpreter does not give it.
fn may_store_nothing(model: &Model) -> bool {
    let updates = model.transitions.iter().flat_map(|transition| &transition.updates);
    let weak = updates.filter(|update| model.symbol(update.symbol).weak);
    weak.into_iter().any(|update| !update.cell.is_empty() && update.single_cell().is_none())
}

/// Exact buffers have the states that the interpreter has, one by one.
#[test]
fn exact_buffers_have_the_states_of_the_interpreter() {
    let (mut compared, mut nonempty) = (0, 0);
    for (name, text) in texts(150) {
        let model = lowered(&text);
        if may_store_nothing(&model) {
            continue;
        }
        for processes in 1..=3 {
            let Some(found) = interpreted(&text, processes, ENTRIES) else { continue };
            if found.states.len() > STATES {
                continue;
            }
            let exploration =
                explore(&model, &Options { buffer: Some(ENTRIES), symmetry: false, ..options(processes) });
            if let Some(Incomplete::Obstacle(instance::Obstacle::Buffers(_))) = exploration.incomplete {
                continue;
            }
            let at = format!("{name} with {processes} processes\n{text}");
            assert_eq!(described(&model, processes), found.states.len(), "states of {at}");
            assert_eq!(violated(&model, &exploration), names(&found), "violations of {at}");
            compared += 1;
            nonempty += usize::from(found.longest > 0);
        }
    }
    println!("{compared} instances compared, {nonempty} of them with entries in a buffer");
    assert!(compared > 100 && nonempty > 50, "{compared} {nonempty}");
}

/// Merged slots neither lose nor add a violation, however many entries buffers have.
#[test]
fn merged_slots_find_what_the_interpreter_finds() {
    let (mut holds, mut violations, mut unknown) = (0, 0, 0);
    for (name, text) in texts(150) {
        let model = lowered(&text);
        for processes in 1..=3 {
            let Some(found) = interpreted(&text, processes, 2 * ENTRIES) else { continue };
            let exploration = explore(&model, &options(processes));
            let at = format!("{name} with {processes} processes\n{text}");
            let claimed = violated(&model, &exploration);
            if exploration.incomplete.is_none() {
                assert!(names(&found).is_subset(&claimed), "lost {:?}, {claimed:?} in {at}", names(&found));
                holds += usize::from(claimed.is_empty());
            } else {
                unknown += 1;
            }
            if found.exhaustive {
                assert!(
                    claimed.is_subset(&names(&found)),
                    "added {claimed:?} to {:?} in {at}",
                    names(&found)
                );
            }
            violations += usize::from(!claimed.is_empty());
        }
    }
    println!("{holds} hold, {violations} are violated, {unknown} undecided");
    assert!(holds > 30 && violations > 30, "{holds} {violations} {unknown}");
}

/// A proof by events is about every number of processes as well, and shares no code with one by slots.
#[test]
fn events_agree_with_the_interpreter() {
    let (mut holds, mut violations) = (0, 0);
    for (name, text) in texts(120) {
        let model = lowered(&text);
        let limits = Limits { states: Some(300), ..Limits::default() };
        let found = || (1..=3).filter_map(|processes| interpreted(&text, processes, 2 * ENTRIES));
        match prove_by_events(&model, &limits).answer {
            EventsAnswer::Holds(_) => {
                found().for_each(|found| {
                    assert!(names(&found).is_empty(), "{:?} in {name}\n{text}", names(&found));
                });
                holds += 1;
            }
            EventsAnswer::Violated(violation) => {
                let same = interpreted(&text, violation.processes as usize, 4 * ENTRIES);
                if let Some(found) = same.filter(|found| found.exhaustive) {
                    assert!(!names(&found).is_empty(), "property {} of {name}\n{text}", violation.property);
                }
                violations += 1;
            }
            EventsAnswer::Unknown(_) => {}
        }
    }
    println!("{holds} proved, {violations} violated");
    assert!(holds > 5 && violations > 20, "{holds} {violations}");
}

/// A proof is about every number of processes, and a violation is one.
#[test]
fn proofs_agree_with_the_interpreter() {
    let (mut holds, mut violations) = (0, 0);
    for (name, text) in texts(120) {
        let model = lowered(&text);
        let limits = Limits { time: Some(std::time::Duration::from_secs(1)), ..Limits::default() };
        let backward = prove::Options { limits, ..prove::Options::default() };
        let outcome = prove(&model, &ProofOptions { backward, small: None, ranges: vec![] }, &mut ());
        let found = (1..=3).filter_map(|processes| interpreted(&text, processes, 2 * ENTRIES));
        match &outcome.proof.verdict {
            prove::Verdict::Holds(_) => {
                found.for_each(|found| {
                    assert!(names(&found).is_empty(), "{:?} in {name}\n{text}", names(&found));
                });
                holds += 1;
            }
            prove::Verdict::Violated(violation) => {
                let property = &model.properties[violation.property];
                assert_ne!(property.kind, PropertyKind::Overflow, "{name}");
                let same = interpreted(&text, violation.processes as usize, 4 * ENTRIES);
                if let Some(found) = same.filter(|found| found.exhaustive) {
                    assert!(!names(&found).is_empty(), "{} of {name}\n{text}", property.name);
                }
                violations += 1;
            }
            prove::Verdict::Unknown(_) => {}
        }
    }
    println!("{holds} proved, {violations} violated");
    assert!(holds > 10 && violations > 20, "{holds} {violations}");
}

/// Slots and events share no code, and are about the same runs.
#[test]
fn proofs_by_slots_and_by_events_agree() {
    let (mut hold, mut violated, mut one) = (0, 0, 0);
    for (name, text) in texts(120) {
        let model = lowered(&text);
        let limits = Limits { time: Some(std::time::Duration::from_secs(1)), ..Limits::default() };
        let backward = prove::Options { limits, ..prove::Options::default() };
        let options = ProofOptions { backward, small: None, ranges: vec![] };
        let slots = match prove(&model, &options, &mut ()).proof.verdict {
            prove::Verdict::Holds(_) => Some(true),
            prove::Verdict::Violated(_) => Some(false),
            prove::Verdict::Unknown(_) => None,
        };
        let limits = Limits { states: Some(300), ..Limits::default() };
        let events = match prove_by_events(&model, &limits).answer {
            EventsAnswer::Holds(_) => Some(true),
            EventsAnswer::Violated(_) => Some(false),
            EventsAnswer::Unknown(_) => None,
        };
        match (slots, events) {
            (Some(slots), Some(events)) => {
                assert_eq!(slots, events, "slots and events about {name}\n{text}");
                hold += usize::from(slots);
                violated += usize::from(!slots);
            }
            (None, None) => {}
            _ => one += 1,
        }
    }
    println!("both: {hold} proved, {violated} violated; {one} decided by one of them");
    assert!(hold > 5 && violated > 20, "{hold} {violated}");
}
