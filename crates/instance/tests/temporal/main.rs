//! Temporal properties of random models: the engine against a graph that is listed by taking every step, and a textbook
//! tableau; with symmetry and without, under every kind of fairness. Runs that are found are replayed.

#[path = "../../../ltl/tests/common/mod.rs"]
mod common;
mod naive;
mod writing;

use common::Random;
use explore::{Limits, Replay, Trace, Verdict};
use instance::exploration::Options;
use instance::replay::{Claim, replay_trace};
use instance::temporal::{Fair, Runs, Unit, check};
use ir::Model;
use source::Source;

/// The most states of an instance. Only small ones are also judged naively.
const STATES: usize = 300;

fn load(text: &str) -> Option<Model> {
    model::load(&Source::new("random.cub", text.to_owned())).model
}

/// A random model with a random property, and the number of processes.
fn drawn(seed: u64) -> Option<(String, Model, u32)> {
    let mut random = Random::new(seed);
    let text = writing::model(seed, &mut random);
    let plain = load(&text)?;
    let text = format!("{text}\n{}", writing::property(&plain, &mut random));
    let model = load(&text).unwrap_or_else(|| panic!("seed {seed}: the property has an error: {text}"));
    let processes = u32::try_from(2 + random.below(2)).unwrap().max(model.min_processes());
    Some((text, model, processes))
}

fn fairness(random: &mut Random) -> Runs {
    let unit = |random: &mut Random| if random.below(2) == 0 { Unit::Process } else { Unit::Transition };
    // Symmetry is only used where there is no fairness.
    let fair = (0..random.below(5).saturating_sub(2))
        .map(|_| Fair { strong: random.below(2) == 0, of: unit(random) })
        .collect();
    Runs { fair, infinite_only: random.below(5) == 0 }
}

fn seeds() -> std::ops::Range<u64> {
    let text = std::env::var("SEEDS").unwrap_or_default();
    let range = text.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    range.unwrap_or(0..500)
}

#[test]
fn random_properties_are_judged_as_the_definition_says() {
    let (mut violated, mut held, mut reduced) = (0, 0, 0);
    for seed in seeds() {
        let Some((text, model, processes)) = drawn(seed) else { continue };
        let runs = fairness(&mut Random::new(seed + 77));
        let limits = Limits { states: Some(STATES), ..Limits::default() };
        let options = Options { limits, ..Options::new(processes) };
        let found = check(&model, &options, &runs, 0);
        let whole = check(&model, &Options { symmetry: false, ..options.clone() }, &runs, 0);
        let told = || format!("seed {seed} with {processes} processes, {runs:?}:\n{text}");
        if found.verdict == Verdict::Unknown || whole.verdict == Verdict::Unknown {
            continue;
        }
        assert_eq!(found.verdict, whole.verdict, "symmetry changes the verdict, {}", told());
        reduced += usize::from(found.stats.states < whole.stats.states);
        let Some(expected) = naive::is_violated(&model, processes, &runs) else { continue };
        assert_eq!(found.verdict == Verdict::Violated, expected, "{}", told());
        if expected {
            violated += 1;
        } else {
            held += 1;
        }
        for finding in [found.finding, whole.finding].into_iter().flatten() {
            let roles = finding.roles.as_slice();
            let claim = Claim::Temporal { property: 0, roles, runs: &runs };
            let again = Trace::from_itf(&finding.trace.to_itf(serde_json::Map::new())).unwrap();
            assert_eq!(again, finding.trace, "{}", told());
            let replayed = replay_trace(&model, &options, &again, claim);
            assert!(matches!(replayed, Replay::Confirmed(_)), "{replayed:?} {}", told());
            // A run that goes on in another way is not confirmed by accident.
            let other = Trace { back: Some(0), ..again };
            if other.back != finding.trace.back && other.state(other.steps.len()) != &other.start {
                let replayed = replay_trace(&model, &options, &other, claim);
                assert!(matches!(replayed, Replay::Refuted), "{replayed:?} {}", told());
            }
        }
    }
    println!("{violated} violated, {held} held, symmetry made {reduced} smaller");
    assert!(
        std::env::var("SEEDS").is_ok() || violated > 30 && held > 30 && reduced > 8,
        "{violated} {held} {reduced}"
    );
}
