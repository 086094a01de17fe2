//! Random models and random damage: no input causes a panic, and well-formed models are accepted.

use modelgen::{Feature, Features, Options, Size, mutate, random_model};
use source::{Severity, Source, Style, render};

fn random(seed: u64, features: Features) -> Source {
    let size = [Size::Small, Size::Medium, Size::Large][usize::try_from(seed % 3).unwrap()];
    Source::new(format!("seed{seed}.cub"), random_model(&Options { seed, size, features }))
}

/// Loads a text, renders every message, and checks that the tree is the text.
fn exercise(source: &Source) -> Vec<source::Diagnostic> {
    let parse = model::syntax::parse_file(source.text());
    assert_eq!(parse.tree.text().to_string(), source.text(), "the tree holds every byte");
    let loaded = model::load(source);
    let diagnostics = loaded.diagnostics.sorted();
    for diagnostic in &diagnostics {
        assert!(!render(source, diagnostic, Style::Plain).is_empty());
    }
    diagnostics
}

#[test]
fn random_models_are_accepted() {
    let presets = [
        Features::plain(),
        Features::threads(),
        Features::weak(),
        Features::everything(),
        Features::store_buffers(),
    ];
    for seed in 0..1500 {
        let features =
            presets.get(usize::try_from(seed % 7).unwrap()).copied().unwrap_or_else(|| Features::any(seed));
        let source = random(seed, features);
        let errors: Vec<_> =
            exercise(&source).into_iter().filter(|d| d.severity == Severity::Error).collect();
        if let Some(error) = errors.first() {
            panic!("seed {seed} is refused:\n{}\n{}", render(&source, error, Style::Plain), source.text());
        }
    }
}

/// Variables in no memory beside weak symbols may be refused, but nothing else about such models.
#[test]
fn plain_variables_beside_weak_symbols_are_the_only_objection() {
    let features = Features::store_buffers().with(&[Feature::PlainVariables]);
    for seed in 0..300 {
        let source = random(seed, features);
        let mut errors = exercise(&source).into_iter().filter(|found| found.severity == Severity::Error);
        if let Some(error) = errors.find(|error| error.code != "plain-variable-in-weak-model") {
            panic!("seed {seed} is refused:\n{}\n{}", render(&source, &error, Style::Plain), source.text());
        }
    }
}

#[test]
fn damaged_models_never_panic() {
    for seed in 0..3000 {
        let mut text = random(seed, Features::any(seed)).text().to_owned();
        for round in 0..=seed % 3 {
            text = mutate(&text, seed * 7 + round);
        }
        exercise(&Source::new("damaged.cub", text));
    }
}
