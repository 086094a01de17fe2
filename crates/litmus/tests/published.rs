//! Every test in `examples/litmus` has the outcome that was published for it, which stands in the file.
//!
//! `TSO=` and `SC=` say `Allowed`, `Forbidden` or `Required`, and `Source=` says who says so.

use explore::{Limits, Subject, Value, Verdict};
use litmus::{Memory, Outcome, Quantifier, Test, parse};
use source::{Source, Style, render};
use std::{fs, path::Path};

fn tests() -> Vec<(String, Test)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/litmus");
    let entries = fs::read_dir(folder).expect("the folder of tests");
    let paths = entries.map(|entry| entry.expect("readable").path());
    let litmus = paths.filter(|path| path.extension().is_some_and(|extension| extension == "litmus"));
    let mut tests: Vec<(String, Test)> = litmus
        .map(|path| {
            let source = Source::read(&path.display().to_string()).expect("readable");
            let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (
                stem,
                parse(&source)
                    .unwrap_or_else(|errors| panic!("{}", render(&source, &errors[0], Style::Plain))),
            )
        })
        .collect();
    tests.sort_by(|(a, _), (b, _)| a.cmp(b));
    tests
}

fn agrees(outcome: &Outcome, published: &str) -> bool {
    assert_eq!(outcome.incomplete, None, "{}", outcome.name);
    match published {
        "Allowed" => outcome.positive > 0,
        "Forbidden" => outcome.positive == 0 && outcome.negative > 0,
        "Required" => outcome.positive > 0 && outcome.negative == 0,
        other => panic!("{}: `{other}` is no outcome", outcome.name),
    }
}

#[test]
fn outcomes_are_those_that_were_published() {
    let tests = tests();
    assert!(tests.len() >= 60, "{} tests", tests.len());
    let mut wrong = Vec::new();
    for (file, test) in &tests {
        assert_eq!(*file, test.name, "a file is called as its test");
        assert!(test.doc.is_some() && test.info("Source").is_some_and(|source| source.len() > 20), "{file}");
        for (memory, key) in [(Memory::Tso, "TSO"), (Memory::Sc, "SC")] {
            let outcome = test.run(memory, &Limits::default());
            if !agrees(&outcome, test.info(key).unwrap_or_else(|| panic!("{file} has no {key}="))) {
                wrong.push(format!("{key}\n{outcome}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The verdict of a test says whether its own condition is met: `~exists` and `forall` are written where they hold.
#[test]
fn conditions_that_claim_something_hold_under_tso() {
    let mut claims = 0;
    for (file, test) in tests() {
        let outcome = test.run(Memory::Tso, &Limits::default());
        let expected = match (outcome.quantifier, test.info("TSO")) {
            (Quantifier::Exists, Some("Forbidden")) => Verdict::Violated,
            _ => Verdict::Holds,
        };
        assert_eq!(outcome.verdict(), expected, "{file}");
        claims += usize::from(outcome.quantifier != Quantifier::Exists);
    }
    assert!(claims >= 5, "{claims} claims");
}

/// Some tests are allowed by TSO only: without them the two models would look the same.
#[test]
fn many_tests_tell_the_models_apart() {
    let tests = tests();
    let apart = tests.iter().filter(|(_, test)| test.info("TSO") != test.info("SC")).count();
    assert!(apart >= 20, "{apart} tests");
}

/// Where a test is allowed, there is a run that ends so, and the run is one of the machine.
#[test]
fn what_is_allowed_has_a_witness() {
    for (file, test) in tests() {
        let outcome = test.run(Memory::Tso, &Limits::default());
        let witness = test.witness(Memory::Tso, true, &Limits::default()).expect("no fault");
        assert_eq!(witness.is_some(), outcome.positive > 0, "{file}");
        let Some(trace) = witness else { continue };
        let last = trace.steps.last().map_or(&trace.start, |step| &step.state);
        let shown = |name: &str| {
            last.iter().find(|entry| entry.subject.to_string() == name).map(|entry| entry.value.to_string())
        };
        let text = test.observed.iter().map(|place| {
            let name = test.place_name(*place);
            let value = shown(name.trim_matches(['[', ']'])).expect("it is shown");
            format!("{name}={value};")
        });
        let text = text.collect::<Vec<_>>().join(" ");
        let states = outcome.states.iter().filter(|state| state.positive);
        assert!(states.map(|state| outcome.state_text(state)).any(|state| state == text), "{file}: {text}");
        let buffers = last.iter().filter(|entry| matches!(entry.subject, Subject::Buffer(_)));
        assert!(buffers.into_iter().all(|entry| entry.value == Value::Buffer(vec![])), "{file}");
    }
}
