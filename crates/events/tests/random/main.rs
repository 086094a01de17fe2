//! The search against a machine with exact store buffers, on random small models.
//!
//! What is proved must hold in all instances that can be explored. What is found to be violated must replay, step by step
//! and flush by flush, unless a guard speaks about all processes. `SEEDS=a..b` chooses other models.

mod generator;
mod machine;

use events::{Action, CandidateRun, Options, Reason, Verdict, prove};
use explore::Limits;
use generator::random_model;
use ir::Model;
use machine::{Happening, Machine};
use source::Source;
use std::collections::BTreeMap;
use std::ops::Range;

/// Enough for the verdict on nearly all models.
const MOST_CUBES: usize = 300;
const MOST_STATES: usize = 6_000;
const MOST_ENTRIES: usize = 3;

fn seeds() -> Range<u64> {
    let Ok(text) = std::env::var("SEEDS") else { return 0..600 };
    let (from, to) = text.split_once("..").expect("SEEDS is like 0..1000");
    from.parse().expect("a number")..to.parse().expect("a number")
}

fn load(text: &str) -> Model {
    let loaded = model::load(&Source::new("random.cub", text));
    loaded.model.unwrap_or_else(|| panic!("not a model:\n{text}"))
}

#[test]
fn verdicts_agree_with_exact_buffers() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in seeds() {
        let text = random_model(seed);
        let model = load(&text);
        let options = Options { limits: Limits { states: Some(MOST_CUBES), ..Limits::default() } };
        let outcome = match prove(&model, &options).verdict {
            Verdict::Safe(_) => {
                assert_safe(&model, seed, &text);
                "safe"
            }
            Verdict::Unsafe(run) => judge_run(&model, &run, seed, &text),
            Verdict::Unknown(Reason::Rejected(rejection)) => panic!("seed {seed}: {rejection}\n{text}"),
            Verdict::Unknown(reason) => {
                println!("seed {seed}: {reason}\n{text}");
                "unknown"
            }
        };
        *counts.entry(outcome).or_default() += 1;
    }
    println!("{counts:?}");
    if std::env::var("SEEDS").is_err() {
        assert!(counts["safe"] > 100 && counts["unsafe"] > 100, "{counts:?}");
    }
}

fn assert_safe(model: &Model, seed: u64, text: &str) {
    let most = model.max_processes.unwrap_or(3).min(3);
    for processes in model.min_processes()..=most {
        let explored = Machine::new(model, processes).explore(MOST_ENTRIES, MOST_STATES);
        assert_eq!(explored.violated, None, "seed {seed} was proved, and is wrong with {processes} processes:\n{text}");
    }
}

fn judge_run(model: &Model, run: &CandidateRun, seed: u64, text: &str) -> &'static str {
    let machine = Machine::new(model, run.processes);
    let happenings: Vec<Happening> = run.actions.iter().map(happening).collect();
    match machine.replays(&happenings, &model.properties[run.property]) {
        Some(true) => "unsafe",
        Some(false) if text.contains("forall") => "not confirmed",
        Some(false) => panic!("seed {seed}: the run does not replay:\n{text}{run:?}"),
        None => "not replayed",
    }
}

fn happening(action: &Action) -> Happening {
    match action {
        Action::Step { transition, processes, .. } => {
            Happening::Step { transition: *transition, processes: processes.iter().map(|process| process - 1).collect() }
        }
        Action::Flush { process } => Happening::Flush { process: process - 1 },
    }
}
