//! Proofs of random models that count, against their exploration with one to five processes. `SEEDS=a..b` tries others.

use explore::{DeadlockPolicy, Limits, Replay};
use instance::exploration;
use instance::replay::{Claim, replay_trace};
use ir::Model;
use prove::{Cause, Options, Reason, Rejection, Verdict};
use rayon::prelude::*;
use source::Source;
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

const MOST_STATES: usize = 20_000;
const MOST_CUBES: usize = 300;
const MOST_PROCESSES: u32 = 5;

fn seeds() -> Range<u64> {
    let Ok(text) = std::env::var("SEEDS") else { return 0..60 };
    let (from, to) = text.split_once("..").expect("SEEDS is like 0..1000");
    from.parse().expect("a number")..to.parse().expect("a number")
}

fn violated(model: &Model, processes: u32) -> Option<String> {
    let options = exploration::Options {
        deadlock: DeadlockPolicy::Ignore,
        limits: Limits { states: Some(MOST_STATES), ..Limits::default() },
        ..exploration::Options::new(processes)
    };
    let explored = exploration::explore(model, &options);
    explored.findings.into_iter().find(explore::Finding::is_violation).map(|finding| finding.name)
}

/// The verdict on a model, which exploration confirms. Nothing that is found may be refused by the checker.
fn verdict(seed: u64) -> &'static str {
    let text = modelgen::counting_model(seed);
    let loaded = model::load(&Source::new("counting.cub", text.as_str()));
    let model =
        loaded.model.unwrap_or_else(|| panic!("seed {seed} has errors: {:?}\n{text}", loaded.diagnostics));
    let time = Some(Duration::from_secs(20));
    let limits = Limits { states: Some(MOST_CUBES), time, ..Limits::default() };
    match prove::prove(&model, &Options { limits, ..Options::default() }).verdict {
        Verdict::Holds(proof) => {
            for processes in model.min_processes()..=MOST_PROCESSES {
                let found = violated(&model, processes);
                assert_eq!(found, None, "seed {seed} was proved, {processes} processes violate it:\n{text}");
            }
            if proof.certificate.counters.is_empty() { "holds" } else { "holds by counting" }
        }
        Verdict::Violated(violation) => {
            let options = exploration::Options {
                ranges: violation.ranges,
                deadlock: DeadlockPolicy::Ignore,
                ..exploration::Options::new(violation.processes)
            };
            let name = &model.properties[violation.property].name;
            let replayed = replay_trace(&model, &options, &violation.trace, Claim::Named(name));
            assert!(matches!(replayed, Replay::Confirmed(_)), "{replayed:?}, seed {seed}:\n{text}");
            "violated"
        }
        Verdict::Unknown(Reason::NotCertified(Rejection { cause: Cause::Undecided(_), .. })) => "undecided",
        Verdict::Unknown(Reason::NotCertified(why)) => {
            panic!("seed {seed} has an invariant that is rejected: {why}\n{text}");
        }
        Verdict::Unknown(_) => "unknown",
    }
}

#[test]
fn proofs_by_counting_agree_with_exploration() {
    let verdicts: Vec<&str> = seeds().into_par_iter().map(verdict).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    verdicts.into_iter().for_each(|word| *counts.entry(word).or_default() += 1);
    println!("{counts:?}");
    if std::env::var("SEEDS").is_err() {
        let at_least = |word: &str, number: usize| counts.get(word).copied().unwrap_or(0) >= number;
        assert!(at_least("holds by counting", 15) && at_least("violated", 25), "{counts:?}");
    }
}
