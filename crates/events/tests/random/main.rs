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
use modelgen::{Feature, Features, Size};
use source::Source;
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

/// Enough for the verdict on nearly all models.
const MOST_CUBES: usize = 300;
const MOST_STATES: usize = 6_000;
const MOST_ENTRIES: usize = 3;
const MOST_TIME: Duration = Duration::from_secs(5);

fn seeds(usual: u64) -> Range<u64> {
    let Ok(text) = std::env::var("SEEDS") else { return 0..usual };
    let (from, to) = text.split_once("..").expect("SEEDS is like 0..1000");
    from.parse().expect("a number")..to.parse().expect("a number")
}

fn load(text: &str) -> Option<Model> {
    model::load(&Source::new("random.cub", text)).model
}

/// How many models had which outcome.
type Counts = BTreeMap<&'static str, usize>;

fn judge(model: &Model, seed: u64, text: &str, counts: &mut Counts) {
    let limits = Limits { states: Some(MOST_CUBES), time: Some(MOST_TIME), ..Limits::default() };
    let outcome = match prove(model, &Options { limits }).verdict {
        Verdict::Safe(_) => {
            assert_safe(model, seed, text);
            "safe"
        }
        Verdict::Unsafe(run) => judge_run(model, &run, seed, text),
        Verdict::Unknown(Reason::Rejected(rejection)) => panic!("seed {seed}: {rejection}\n{text}"),
        Verdict::Unknown(Reason::Limit(_)) => "limit",
        Verdict::Unknown(Reason::Unsupported(_)) => "unsupported",
    };
    *counts.entry(outcome).or_default() += 1;
}

#[test]
fn verdicts_agree_with_exact_buffers() {
    let mut counts = Counts::new();
    for seed in seeds(600) {
        let text = random_model(seed);
        judge(&load(&text).expect("a model"), seed, &text, &mut counts);
    }
    println!("{counts:?}");
    if std::env::var("SEEDS").is_err() {
        assert!(counts["safe"] > 100 && counts["unsafe"] > 100, "{counts:?}");
    }
}

#[test]
fn verdicts_agree_over_the_whole_language() {
    let mut counts = Counts::new();
    for seed in seeds(600) {
        let features = match seed % 3 {
            0 => Features::weak(),
            1 => Features::everything_weak(),
            _ => Features::any(seed).with(&[Feature::Weak, Feature::Enumerations, Feature::Arrays, Feature::Actors]),
        };
        let text = modelgen::random_model(&modelgen::Options { seed, size: Size::Small, features });
        let Some(model) = load(&text).filter(Model::is_weak) else { continue };
        judge(&model, seed, &text, &mut counts);
    }
    println!("{counts:?}");
    if std::env::var("SEEDS").is_err() {
        assert!(counts["safe"] > 30 && counts["unsafe"] > 30, "{counts:?}");
    }
}

fn assert_safe(model: &Model, seed: u64, text: &str) {
    if !Machine::supports(model) {
        return;
    }
    let most = model.max_processes.unwrap_or(3).min(3);
    for processes in model.min_processes()..=most {
        let explored = Machine::new(model, processes).explore(MOST_ENTRIES, MOST_STATES);
        assert_eq!(explored.violated, None, "seed {seed} was proved, and is wrong with {processes} processes:\n{text}");
    }
}

fn judge_run(model: &Model, run: &CandidateRun, seed: u64, text: &str) -> &'static str {
    if !Machine::supports(model) {
        return "not replayed";
    }
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
