//! Runs the models that carry their expectation: everything under `tests/models` and `examples`.
//!
//! A comment such as `(* expect: explore -n 3: violated deadlock *)` names a command, its arguments and
//! the outcome; a file may have any number of them. Those of commands that do not exist yet are listed
//! as pending (ignored). A file with messages has them beside it, in full, in a file ending in
//! `.stderr`; `MOTET_BLESS=1 cargo test --test models` writes these anew.

mod expectation;

use expectation::{Expectation, Outcome};
use libtest_mimic::{Arguments, Failed, Trial};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn main() -> std::process::ExitCode {
    let mut files = Vec::new();
    for folder in ["tests/models", "examples"] {
        files_under(&root().join(folder), "cub", &mut files);
    }
    files.sort();
    assert!(files.len() > 200, "the models are found");
    let mut commands = Commands::default();
    let mut trials: Vec<Trial> = files.iter().flat_map(|file| trials(file, &mut commands)).collect();
    trials.push(Trial::test("every kind of message has a model that provokes it", every_code_is_tested));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files_under(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path()) {
        if path.is_dir() {
            files_under(&path, ending, found);
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
}

/// Looks for the codes of messages in the sources of the front end, and for models that expect them.
fn every_code_is_tested() -> Result<(), Failed> {
    let mut sources = Vec::new();
    for folder in ["crates/model/src", "crates/ltl/src"] {
        files_under(&root().join(folder), "rs", &mut sources);
    }
    let mut models = Vec::new();
    files_under(&root().join("tests/models"), "cub", &mut models);
    let expected: Vec<String> = models
        .iter()
        .flat_map(|file| expectation::find(&String::from_utf8_lossy(&fs::read(file).expect("readable"))))
        .filter_map(Result::ok)
        .flat_map(|expected| match expected.outcome {
            Outcome::Messages { codes, .. } => codes,
            _ => vec![],
        })
        .collect();
    let mut untested = Vec::new();
    for file in &sources {
        let text = fs::read_to_string(file)?;
        for word in ["error", "warning", "note"] {
            let call = format!("Diagnostic::{word}(");
            let calls = text.split(&call).skip(1);
            let codes = calls.filter_map(|call| call.trim_start().strip_prefix('"')?.split('"').next());
            untested
                .extend(codes.filter(|code| !expected.iter().any(|known| known == code)).map(str::to_owned));
        }
    }
    if untested.is_empty() {
        Ok(())
    } else {
        Err(format!("no model expects: {}", untested.join(", ")).into())
    }
}

fn motet(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_motet"))
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("motet runs")
}

/// Which commands exist: asked once for each.
#[derive(Default)]
struct Commands(std::collections::HashMap<String, bool>);

impl Commands {
    fn exists(&mut self, command: &str) -> bool {
        *self.0.entry(command.to_owned()).or_insert_with(|| motet(&["help", command]).status.success())
    }
}

fn trials(file: &Path, commands: &mut Commands) -> Vec<Trial> {
    let name = file.strip_prefix(root()).expect("models are below the root").to_string_lossy().into_owned();
    let text = String::from_utf8_lossy(&fs::read(file).expect("readable")).into_owned();
    let mut found = expectation::find(&text);
    found.extend(by_each_method(&found).into_iter().map(Ok));
    if found.is_empty() {
        return vec![Trial::test(name, || Err("the file has no `(* expect: … *)`".into()))];
    }
    let mut trials = Vec::new();
    for expected in found {
        let title = match &expected {
            Ok(expected) => format!("{name} {}", expected.text),
            Err(text) => format!("{name} {text}"),
        };
        let pending = expected.as_ref().is_ok_and(|expected| !commands.exists(&expected.command));
        let file = name.clone();
        let kind = if pending { "pending" } else { "" };
        trials.push(
            Trial::test(title, move || {
                run(&file, &expected.map_err(|text| format!("cannot read `expect: {text}`"))?)
            })
            .with_ignored_flag(pending)
            .with_kind(kind),
        );
    }
    trials
}

/// By default a portfolio of two methods runs, so that one may hide mistakes of the other. What is expected of
/// both is expected of backward search alone, too, unless the file says something else about that.
fn by_each_method(found: &[Result<Expectation, String>]) -> Vec<Expectation> {
    let chooses = |expected: &Expectation| expected.arguments.iter().any(|argument| argument == "--method");
    let proofs: Vec<&Expectation> =
        found.iter().flatten().filter(|expected| expected.command == "prove").collect();
    if proofs.iter().any(|expected| chooses(expected)) {
        return vec![];
    }
    let backward = |expected: &&Expectation| {
        let mut backward = (*expected).clone();
        backward.arguments.extend(["--method", "backward"].map(str::to_owned));
        backward.text = format!("{} (backward)", backward.text);
        backward
    };
    proofs.iter().map(backward).collect()
}

fn run(file: &str, expected: &Expectation) -> Result<(), Failed> {
    let mut arguments = vec![expected.command.as_str()];
    arguments.extend(expected.arguments.iter().map(String::as_str));
    arguments.push(file);
    let output = motet(&[arguments.as_slice(), &["--format", "json"]].concat());
    let document: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("motet {} printed no document: {error}", arguments.join(" ")))?;
    let found = expected.outcome.compare(&document, output.status.code());
    found.map_err(|found| {
        format!("expected {}, found {found}\n  motet {}", expected.outcome, arguments.join(" "))
    })?;
    if matches!(expected.outcome, Outcome::Messages { .. }) {
        compare_messages(file, &arguments)
    } else {
        Ok(())
    }
}

/// Compares what people see with the text beside the file.
fn compare_messages(file: &str, arguments: &[&str]) -> Result<(), Failed> {
    let shown =
        String::from_utf8_lossy(&motet(&[arguments, &["--color", "never"]].concat()).stderr).into_owned();
    let beside = root().join(file).with_extension("stderr");
    if std::env::var_os("MOTET_BLESS").is_some() {
        fs::write(&beside, &shown)?;
    }
    let expected = fs::read_to_string(&beside).unwrap_or_default();
    if expected == shown {
        return Ok(());
    }
    Err(format!("the messages differ from {}; found\n{shown}", beside.display()).into())
}
