//! Prints the model of a seed: `cargo run --example print -- SEED [PRESET [SIZE]]`.

use std::io::Write;

use modelgen::{Feature, Features, Options, Size, random_model};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |index: usize| arguments.get(index).map(String::as_str);
    let seed = argument(0).and_then(|text| text.parse().ok()).unwrap_or(0);
    let features = match argument(1) {
        Some("plain") => Features::plain(),
        Some("cubicle") => Features::cubicle(),
        Some("threads") => Features::threads(),
        Some("cfl") => cfl(),
        Some("weak") => Features::weak(),
        Some("everything-weak") => Features::everything_weak(),
        Some("store-buffers") => Features::store_buffers(),
        Some("plain-variables") => Features::store_buffers().with(&[Feature::PlainVariables]),
        Some("any") => Features::any(seed),
        _ => Features::everything(),
    };
    let size = match argument(2) {
        Some("small") => Size::Small,
        Some("large") => Size::Large,
        _ => Size::Medium,
    };
    let model = random_model(&Options { seed, size, features });
    // The reader may close the pipe early.
    let _ = std::io::stdout().write_all(model.as_bytes());
}

/// The features that the fuzzing extension of Cubicle itself accepts: among other things no disjunctive guards.
fn cfl() -> Features {
    let disjunctive = [
        Feature::Disjunction,
        Feature::Implication,
        Feature::Equivalence,
        Feature::Conditionals,
        Feature::Negation,
    ];
    let beyond = [
        Feature::LockState,
        Feature::KindedProperties,
        Feature::KindedVariables,
        Feature::SemaphoreValues,
        Feature::ExistsOther,
    ];
    Features::threads().without(&disjunctive).without(&beyond)
}
