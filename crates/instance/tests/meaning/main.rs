//! The meaning of the typed form, implemented naively and compared with the expectations in models.
//!
//! An interpreter that does nothing clever: states are plain lists of values, every formula is evaluated as it reads,
//! every choice is enumerated, and the search is breadth first. Any disagreement is a bug, there or here. Memory is
//! sequentially consistent throughout.

mod corners;
mod engine;
mod evaluation;
mod expectation;
mod initial;
mod instance;
mod parallel_bfs;
mod random;
mod search;
mod steps;
mod value;

use expectation::Expectation;
use model::Queues;
use search::{Limits, Refusal, Report};
use source::Source;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Larger instances are left to engines that are meant for them.
const MOST_STATES: usize = 200_000;

/// The number of expectations compared when this was written: the test must not pass by skipping most of them.
const LEAST_COMPARED: usize = 400;

#[test]
fn models_mean_what_they_say() {
    let mut tally = Tally::default();
    for file in models() {
        let text = fs::read_to_string(&file).expect("readable");
        for expected in expectation::find(&text) {
            match expected.and_then(|expected| compare(&file, &text, &expected)) {
                Ok(None) => tally.compared += 1,
                Ok(Some(difference)) => tally.differences.push(difference),
                Err(reason) => *tally.skipped.entry(reason).or_default() += 1,
            }
        }
    }
    println!("{} compared; left out: {:#?}", tally.compared, tally.skipped);
    assert!(tally.differences.is_empty(), "\n{}", tally.differences.join("\n"));
    assert!(tally.compared >= LEAST_COMPARED, "only {} expectations were compared", tally.compared);
}

#[derive(Default)]
struct Tally {
    compared: usize,
    /// The number of expectations left out, by reason.
    skipped: BTreeMap<String, usize>,
    differences: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn models() -> Vec<PathBuf> {
    models_under(vec![root().join("tests/models"), root().join("examples")])
}

fn models_under(mut folders: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder of models") {
            let path = entry.expect("readable").path();
            // The protocols are large: `MOTET_CORPUS` compares the interpreters on them.
            if path.is_dir() && !path.ends_with("examples/protocols") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "cub") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The difference, if there is one; an error says why there was nothing to compare.
fn compare(file: &Path, text: &str, expected: &Expectation) -> Result<Option<String>, String> {
    let queues = if expected.fifo { Queues::Fifo } else { Queues::Any };
    let loaded = model::load_with(&Source::new("model.cub", text.to_owned()), queues);
    let model = loaded.model.ok_or("the model has errors")?;
    // Store buffers only add runs: a property that holds with them holds without them.
    if model.is_weak() && !expected.sequential && expected.verdict != "holds" {
        return Err("a violation under weak memory".into());
    }
    let limits = Limits { ranges: expected.ranges.clone(), states: MOST_STATES, stop_at_first: true };
    let report = search::explore(&model, expected.processes, &limits);
    let found = match report {
        Ok(report) if agrees(&report, expected) => return Ok(None),
        Ok(report) => format!("{} states, violations {:?}", report.states, report.violations),
        Err(Refusal::TooLarge) => return Err("too many states".into()),
        Err(Refusal::NeedsRange(symbol)) => return Err(format!("`{symbol}` needs a range")),
        Err(Refusal::Unguarded) => "an outsider where none may be".to_owned(),
    };
    let file = file.strip_prefix(root()).expect("models are below the root").display();
    Ok(Some(format!("{file}: expected {}; found {found}", expected.text)))
}

fn agrees(report: &Report, expected: &Expectation) -> bool {
    let of_kind = |kind: &str| expected.kind.as_ref().is_none_or(|expected| expected == kind);
    let of_name = |name: &str| expected.name.as_ref().is_none_or(|expected| expected == name);
    match expected.verdict.as_str() {
        "holds" => report.violations.is_empty() && !report.cut,
        "unknown" => report.violations.is_empty() && report.cut,
        "violated" => report.violations.iter().any(|found| of_kind(found.kind) && of_name(&found.name)),
        _ => false,
    }
}
