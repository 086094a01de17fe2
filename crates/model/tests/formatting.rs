//! Formatting preserves the meaning and is idempotent, on all available models.
//!
//! `MOTET_CORPUS` may name one more folder of models to try.

use modelgen::{Feature, Features, Options, Size, random_model};
use source::Source;
use std::path::{Path, PathBuf};

fn models_under(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            models_under(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "cub") {
            found.push(path);
        }
    }
}

/// Formats a text and compares the typed form before and after. False if the text has syntax errors.
fn check(name: &str, text: &str) -> bool {
    let Ok(formatted) = model::fmt::format(text) else { return false };
    let again = model::fmt::format(&formatted).expect("formatted text has no syntax error");
    assert_eq!(again, formatted, "{name}: formatting is idempotent");
    let before = model::load(&Source::new(name, text));
    let after = model::load(&Source::new(name, &*formatted));
    assert_eq!(before.model, after.model, "{name}: the meaning is preserved");
    let codes =
        |loaded: model::Loaded| -> Vec<&str> { loaded.diagnostics.sorted().iter().map(|d| d.code).collect() };
    assert_eq!(codes(before), codes(after), "{name}: the messages are preserved");
    true
}

#[test]
fn models_of_the_project_and_the_corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    models_under(&root.join("examples"), &mut files);
    models_under(&root.join("tests"), &mut files);
    let own = files.len();
    assert!(own > 200, "the models of the project are found");
    if let Ok(corpus) = std::env::var("MOTET_CORPUS") {
        models_under(Path::new(&corpus), &mut files);
        assert!(files.len() > own, "MOTET_CORPUS names a folder without models");
    }
    let mut formatted = 0;
    for file in &files {
        let Ok(source) = Source::read(&file.to_string_lossy()) else { continue };
        formatted += usize::from(check(&file.to_string_lossy(), source.text()));
    }
    println!("{formatted} of {} models formatted", files.len());
    assert!(formatted * 10 > files.len() * 7, "most of them have no syntax error");
}

#[test]
fn random_models() {
    for seed in 0..600 {
        let size = [Size::Small, Size::Medium, Size::Large][usize::try_from(seed % 3).unwrap()];
        let features = Features::any(seed).with(&[Feature::Comments, Feature::Layout]).legal();
        let text = random_model(&Options { seed, size, features });
        assert!(check(&format!("seed {seed}"), &text), "seed {seed} has syntax errors:\n{text}");
    }
}

#[test]
fn long_lines_are_broken_and_comments_stay() {
    let conjuncts: Vec<String> = (0..12).map(|k| format!("Variable{k} = Constructor{k}")).collect();
    let text = format!("// first\ninit {{ {} // inside\n }} (* last *)", conjuncts.join(" && "));
    let formatted = model::fmt::format(&text).unwrap();
    assert!(formatted.lines().all(|line| line.len() <= model::fmt::WIDTH), "{formatted}");
    for comment in ["// first", "// inside", "(* last *)"] {
        assert!(formatted.contains(comment), "{formatted}");
    }
}
