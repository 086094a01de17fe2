//! Every edit that a message proposes fixes the reported problem, and breaks nothing else.

use source::{Diagnostic, Source};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/models");
    let entries = |folder: &Path| fs::read_dir(folder).expect("a folder");
    let topics = entries(&root).map(|topic| topic.expect("readable").path());
    let files = topics.flat_map(|topic| entries(&topic)).map(|entry| entry.expect("readable").path());
    files.filter(|path| path.extension().is_some_and(|ending| ending == "cub")).collect()
}

fn messages(text: &str) -> Vec<Diagnostic> {
    model::load(&Source::new("model.cub", text)).diagnostics.sorted()
}

fn like(diagnostic: &Diagnostic, all: &[Diagnostic]) -> usize {
    let same = |other: &&Diagnostic| (other.code, &other.message) == (diagnostic.code, &diagnostic.message);
    all.iter().filter(same).count()
}

/// The number of syntax errors.
fn unreadable(all: &[Diagnostic]) -> usize {
    all.iter()
        .filter(|diagnostic| ["syntax", "unknown-character", "foreign-operator"].contains(&diagnostic.code))
        .count()
}

#[test]
fn an_edit_mends_what_it_was_proposed_for() {
    let mut applied = 0;
    for file in models() {
        let text = String::from_utf8_lossy(&fs::read(&file).expect("readable")).into_owned();
        let before = messages(&text);
        for diagnostic in &before {
            let Some(fix) = &diagnostic.fix else { continue };
            let mut edited = text.clone();
            edited.replace_range(std::ops::Range::<usize>::from(fix.span), &fix.replacement);
            let after = messages(&edited);
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            assert!(
                like(diagnostic, &after) < like(diagnostic, &before),
                "{name}: `{}` is still there after {fix:?}",
                diagnostic.message
            );
            assert!(unreadable(&after) <= unreadable(&before), "{name}: {fix:?} does not parse: {after:?}");
            applied += 1;
        }
    }
    assert!(applied > 90, "only {applied} edits");
}
