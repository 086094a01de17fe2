//! Runs the C programs that carry their expectation: everything under `tests/programs`.
//!
//! A line such as `// expect: test -D N=2: violated deadlock` names a command, its arguments and the outcome. `holds 6` means that
//! there are six schedules. Every violation is also replayed from its trace. Without a compiler, all of them are skipped.

mod expectation;
mod folder;

use expectation::Outcome;
use folder::Folder;
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::atomic::{AtomicUsize, Ordering},
};

fn main() -> std::process::ExitCode {
    let mut files: Vec<PathBuf> = fs::read_dir(root().join("tests/programs"))
        .expect("a folder")
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.sort();
    assert!(files.len() > 15, "the programs are found");
    let trials = files.iter().flat_map(|file| trials(file)).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Why programs cannot be tested here, if they cannot.
fn missing(file: &Path) -> Option<&'static str> {
    let compiler = if file.extension().is_some_and(|ending| ending == "c") { "gcc" } else { "g++" };
    let is_there = Command::new(compiler).arg("--version").output().is_ok();
    if !cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu")) {
        Some("skipped: not Linux on x86-64")
    } else if is_there {
        None
    } else {
        Some("skipped: no compiler")
    }
}

/// What a program says about itself.
struct Expected {
    arguments: Vec<String>,
    /// Of the program.
    rest: Vec<String>,
    outcome: Outcome,
    /// The number of schedules.
    schedules: Option<u64>,
}

/// `test -D N=2 -- 1: holds 6`
fn parse(line: &str) -> Option<Expected> {
    let (command, outcome) = line.rsplit_once(": ")?;
    let mut words = command.split_whitespace().map(str::to_owned);
    words.next().filter(|command| command == "test")?;
    let mut arguments: Vec<String> = words.collect();
    let rest = arguments.iter().position(|word| word == "--").map(|at| arguments.split_off(at));
    let schedules = outcome.strip_prefix("holds ").and_then(|number| number.trim().parse().ok());
    let outcome = if schedules.is_some() { "holds" } else { outcome.trim() };
    let outcome = expectation::parse_outcome(outcome)?;
    Some(Expected { arguments, rest: rest.unwrap_or_default(), outcome, schedules })
}

fn trials(file: &Path) -> Vec<Trial> {
    let name = file.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned();
    let text = fs::read_to_string(file).expect("readable");
    let lines: Vec<String> =
        text.lines().filter_map(|line| line.strip_prefix("// expect: ")).map(str::to_owned).collect();
    if lines.is_empty() {
        return vec![Trial::test(name, || Err("the file has no `// expect: …`".into()))];
    }
    let skipped = missing(file);
    let trial = |line: String| {
        let name = name.clone();
        let test = Trial::test(format!("{name} {line}"), move || {
            run(&name, &parse(&line).ok_or_else(|| format!("cannot read `expect: {line}`"))?)
        });
        test.with_ignored_flag(skipped.is_some()).with_kind(skipped.unwrap_or_default())
    };
    lines.into_iter().map(trial).collect()
}

fn motet(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_motet"));
    command.args(arguments).current_dir(root()).output().expect("motet runs")
}

fn document(output: &Output) -> Result<Value, Failed> {
    serde_json::from_slice(&output.stdout).map_err(|error| format!("no document: {error}").into())
}

fn run(file: &str, expected: &Expected) -> Result<(), Failed> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let folder = Folder::new(&NUMBER.fetch_add(1, Ordering::Relaxed).to_string());
    let trace = folder.path("trace.json");
    let mut arguments = vec!["test", file, "--format", "json"];
    arguments.extend(expected.arguments.iter().map(String::as_str));
    let violated = matches!(&expected.outcome, Outcome::Verdict { verdict, .. } if verdict == "violated");
    if violated {
        arguments.extend(["--trace", &trace]);
    }
    arguments.extend(expected.rest.iter().map(String::as_str));
    let output = motet(&arguments);
    let document = document(&output)?;
    let compared = expected.outcome.compare(&document, output.status.code());
    compared.map_err(|found| {
        format!(
            "expected {}, found {found}, {}\n  motet {}",
            expected.outcome,
            document["reason"],
            arguments.join(" ")
        )
    })?;
    let schedules = document["stats"]["executions"].as_u64();
    if expected.schedules.is_some() && schedules != expected.schedules {
        return Err(format!("expected {:?} schedules, found {schedules:?}", expected.schedules).into());
    }
    if violated { replay(&trace, &document) } else { Ok(()) }
}

/// What a trace says must show again.
fn replay(trace: &str, found: &Value) -> Result<(), Failed> {
    let output = motet(&["replay", trace, "--format", "json"]);
    let document = document(&output)?;
    let same = |key: &str| document["properties"][0][key] == found["properties"][0][key];
    if output.status.code() == Some(1) && same("kind") && same("name") {
        return Ok(());
    }
    Err(format!(
        "the replay of {} gives {} {}",
        found["properties"][0], document["verdict"], document["reason"]
    )
    .into())
}
