//! Holds the table of `docs/weak-memory-examples.md` to the expectations of the models, which other tests check, and to
//! what `motet fences` finds.

use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// What marks a cell that takes longer to check than a test may.
const UNCHECKED: &str = "ᵃ";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The cells of the rows, by the name of the model.
fn rows() -> BTreeMap<String, Vec<String>> {
    let page = fs::read_to_string(root().join("docs/weak-memory-examples.md")).expect("the page is there");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| [")?.split_once(']'));
    rows.map(|(name, rest)| (name.to_owned(), rest.split('|').map(|cell| cell.trim().to_owned()).collect()))
        .collect()
}

/// The texts of the models, by their names.
fn models() -> BTreeMap<String, String> {
    let folder = fs::read_dir(root().join("examples/weak")).expect("the models are there");
    let files = folder.map(|entry| entry.expect("readable").path());
    let name = |path: &PathBuf| path.file_stem().expect("a name").to_string_lossy().into_owned();
    files.map(|path| (name(&path), fs::read_to_string(&path).expect("text"))).collect()
}

/// The expectations of a model, as command and outcome.
fn expectations(text: &str) -> Vec<(&str, &str)> {
    let bodies = text.split("(* expect:").skip(1).filter_map(|rest| rest.split_once("*)"));
    let parts = bodies.filter_map(|(body, _)| body.rsplit_once(':'));
    parts.map(|(command, outcome)| (command.trim(), outcome.trim())).collect()
}

/// What goes wrong, by the expectations.
fn wrong(all: &[(&str, &str)]) -> Option<String> {
    let violated = |word: &str| all.iter().any(|(_, outcome)| outcome.starts_with(word));
    let deadlock = violated("violated deadlock").then(|| "deadlock".to_owned());
    deadlock.or_else(|| violated("violated").then(|| "violated".to_owned()))
}

/// The verdicts under TSO and under SC. Every run under SC is one under TSO, so that what holds there holds here.
fn verdicts(text: &str) -> (String, String) {
    let (sc, tso): (Vec<_>, Vec<_>) =
        expectations(text).into_iter().partition(|(command, _)| command.contains("--memory sc"));
    let held =
        |word: &str| tso.iter().filter(|(_, o)| *o == "holds").filter(|(c, _)| c.starts_with(word)).count();
    let number =
        |(command, _): &(&str, &str)| command.split_once("-n ")?.1.split(' ').next()?.parse::<u32>().ok();
    let most = tso.iter().filter(|(_, outcome)| *outcome == "holds").filter_map(number).max().unwrap_or(0);
    let holds = || if held("prove") > 0 { "proved".into() } else { format!("explored, n ≤ {most}") };
    (wrong(&tso).unwrap_or_else(holds), wrong(&sc).unwrap_or_else(|| "holds".into()))
}

/// What `motet fences` finds, as the page writes it.
fn fences(name: &str, text: &str) -> String {
    let file = root().join(format!("examples/weak/{name}.cub"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_motet"));
    let output = command.arg("fences").arg(file).args(["--format", "json"]).output().expect("motet runs");
    let document: Value = serde_json::from_slice(&output.stdout).expect("a document");
    let set = |set: &Value| {
        let names = set["fences"].as_array().expect("names").iter().filter_map(Value::as_str);
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(" + ") }
    };
    let sets: Vec<String> = document["fences"].as_array().into_iter().flatten().map(set).collect();
    match document["verdict"].as_str() {
        Some("violated") => "no fence helps".into(),
        Some("holds") if !sets.is_empty() => sets.join(" or "),
        Some("holds") if text.contains("fence()") => "as in the model".into(),
        Some("holds") => "none needed".into(),
        _ => "undecided".into(),
    }
}

#[test]
fn every_example_is_in_the_table_with_its_verdicts() {
    let (rows, models) = (rows(), models());
    assert!(rows.keys().eq(models.keys()), "{:?}\n{:?}", rows.keys(), models.keys());
    for (name, text) in &models {
        let (tso, sc) = verdicts(text);
        for (cell, verdict) in [(&rows[name][2], tso), (&rows[name][3], sc)] {
            assert!(cell.contains(UNCHECKED) || *cell == verdict, "{name}: `{cell}`, expected `{verdict}`");
        }
    }
}

#[test]
fn fences_are_those_in_the_table() {
    let models = models();
    let mut checked = 0;
    for (name, cells) in rows() {
        let cell = &cells[4];
        if !cell.contains(UNCHECKED) {
            assert_eq!(fences(&name, &models[&name]), *cell, "{name}");
            checked += 1;
        }
    }
    assert!(checked > 20, "only {checked} models are checked");
}
