//! Proofs against exploration, on random models over the whole language.
//!
//! Whatever is proved must hold in every instance that can be explored; whatever is violated must replay. `SEEDS=a..b`
//! chooses the seeds, for runs that take longer than a test should.

use explore::Limits;
use model::exploration::{self, DeadlockPolicy, Replayed, replay_trace};
use model::ir::Model;
use prove::{Approximation, Options, Outcome, Techniques, Verdict};
use source::Source;
use std::ops::Range;

/// Small enough for a test, large enough for most models to be decided.
const MOST_CUBES: usize = 150;
const MOST_STATES: usize = 20_000;

fn seeds() -> Range<u64> {
    let given = std::env::var("SEEDS").ok();
    let range = given.as_deref().and_then(|text| text.split_once(".."));
    let parsed = range.and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    parsed.unwrap_or(0..400)
}

fn random_model(seed: u64) -> (String, Option<Model>) {
    let features = modelgen::Features::any(seed);
    let text = modelgen::random_model(&modelgen::Options { seed, size: modelgen::Size::Small, features });
    let model = model::load(&Source::new("random.cub", text.as_str())).model;
    (text, model)
}

/// Different seeds try different ways to prove.
fn options(seed: u64) -> Options {
    let approximation = match seed % 4 {
        0 => Approximation::Off,
        1 => Approximation::Processes(1),
        2 => Approximation::Processes(2),
        _ => Approximation::Auto,
    };
    let switch = |bit: u32| seed >> bit & 1 == 0 || !seed.is_multiple_of(3);
    Options {
        approximation,
        oracle_states: 500,
        techniques: Techniques {
            union: switch(2),
            deletion: switch(3),
            values: switch(4),
            postpone: switch(5),
        },
        limits: Limits { states: Some(MOST_CUBES), ..Limits::default() },
        ..Options::default()
    }
}

/// The name of a property that an instance violates.
fn violated(model: &Model, processes: u32) -> Option<String> {
    let options = exploration::Options {
        deadlock: DeadlockPolicy::Ignore,
        limits: Limits { states: Some(MOST_STATES), ..Limits::default() },
        ..exploration::Options::new(processes)
    };
    let explored = exploration::explore(model, &options);
    explored.findings.into_iter().find(|finding| finding.violation).map(|finding| finding.name)
}

fn check(seed: u64, text: &str, model: &Model, outcome: Outcome) -> &'static str {
    match outcome.verdict {
        Verdict::Holds(_) => {
            for processes in model.min_processes()..=3.min(model.max_processes.unwrap_or(3)) {
                let found = violated(model, processes);
                assert_eq!(
                    found, None,
                    "seed {seed} was proved, but not so with {processes} processes:\n{text}"
                );
            }
            "holds"
        }
        Verdict::Violated(violation) => {
            let options = exploration::Options {
                ranges: violation.ranges,
                deadlock: DeadlockPolicy::Ignore,
                ..exploration::Options::new(violation.processes)
            };
            let name = &model.properties[violation.property].name;
            let replayed = replay_trace(model, &options, &violation.trace, name);
            assert_eq!(replayed, Replayed::Confirmed, "seed {seed}, `{name}`:\n{text}");
            "violated"
        }
        Verdict::Unknown(prove::Reason::NotCertified(why)) => {
            println!("seed {seed}: {why}");
            "not certified"
        }
        Verdict::Unknown(_) => "unknown",
    }
}

#[test]
fn proofs_agree_with_exploration() {
    let mut counts = std::collections::BTreeMap::new();
    for seed in seeds() {
        let (text, Some(model)) = random_model(seed) else { continue };
        if model.is_weak() || model.properties.is_empty() {
            continue;
        }
        let outcome = prove::prove(&model, &options(seed));
        *counts.entry(check(seed, &text, &model, outcome)).or_insert(0) += 1;
    }
    println!("{counts:?}");
    if std::env::var("SEEDS").is_err() {
        let at_least = |word: &str, count: usize| counts.get(word).copied().unwrap_or(0) >= count;
        assert!(at_least("holds", 40) && at_least("violated", 60), "{counts:?}");
    }
}
