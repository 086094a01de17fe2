//! The search against a machine with exact store buffers, on random models.
//!
//! What is proved must hold in all instances that can be explored. What is found to be violated must replay, step by step
//! and flush by flush, unless a guard speaks about all processes. `SEEDS=a..b` chooses other models.

use crate::generator::random_model;
use crate::judging::{assert_safe, load, replays};
use events::{CandidateRun, Options, Reason, Verdict, prove};
use explore::Limits;
use ir::Model;
use modelgen::{Feature, Features, Size};
use std::collections::BTreeMap;
use std::ops::Range;

/// Enough for the verdict on nearly all models.
const MOST_CUBES: usize = 150;

fn seeds(usual: u64) -> Range<u64> {
    let Ok(text) = std::env::var("SEEDS") else { return 0..usual };
    let (from, to) = text.split_once("..").expect("SEEDS is like 0..1000");
    from.parse().expect("a number")..to.parse().expect("a number")
}

/// How many models had which outcome.
type Counts = BTreeMap<&'static str, usize>;

fn judge(model: &Model, seed: u64, text: &str, counts: &mut Counts) {
    let limits = Limits { states: Some(MOST_CUBES), ..Limits::default() };
    let outcome = match prove(model, &Options { limits }).verdict {
        Verdict::Safe(_) => {
            assert_safe(model, &format!("seed {seed}"), text);
            "safe"
        }
        Verdict::Unsafe(run) => judge_run(model, &run, seed, text),
        Verdict::Unknown(Reason::Rejected(rejection)) => panic!("seed {seed}: {rejection}\n{text}"),
        Verdict::Unknown(Reason::Limit(_)) => "limit",
        Verdict::Unknown(Reason::Unsupported(_)) => "unsupported",
    };
    *counts.entry(outcome).or_default() += 1;
}

fn judge_run(model: &Model, run: &CandidateRun, seed: u64, text: &str) -> &'static str {
    match replays(model, run) {
        Some(true) => "unsafe",
        // Neither guards nor assumptions about all processes are seen in full.
        Some(false) if text.contains("forall") || !model.assumptions.is_empty() => "not confirmed",
        Some(false) => panic!("seed {seed}: the run does not replay:\n{text}{run:?}"),
        None => "not replayed",
    }
}

fn assert_many(counts: &Counts, least: usize) {
    println!("{counts:?}");
    if std::env::var("SEEDS").is_err() {
        assert!(counts["safe"] > least && counts["unsafe"] > least, "{counts:?}");
    }
}

#[test]
fn verdicts_agree_with_exact_buffers() {
    let mut counts = Counts::new();
    for seed in seeds(600) {
        let text = random_model(seed);
        judge(&load(&text).expect("a model"), seed, &text, &mut counts);
    }
    assert_many(&counts, 100);
}

#[test]
fn verdicts_agree_over_the_whole_language() {
    let mut counts = Counts::new();
    let needed = [Feature::Weak, Feature::Enumerations, Feature::Arrays, Feature::Actors];
    for seed in seeds(300) {
        let features = match seed % 3 {
            0 => Features::weak(),
            1 => Features::everything_weak().without(&[Feature::ProcessOrder, Feature::SysProcs]),
            _ => Features::any(seed).with(&needed),
        };
        let text = modelgen::random_model(&modelgen::Options { seed, size: Size::Small, features });
        let Some(model) = load(&text).filter(Model::is_weak) else { continue };
        judge(&model, seed, &text, &mut counts);
    }
    assert_many(&counts, 30);
}
