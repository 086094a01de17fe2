//! `--format junit` and `--format sarif`: every command writes them, and nothing that is unknown looks like a success.

mod folder;

use folder::Folder;
use quick_xml::{Reader, events::Event};
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    process::Command,
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The exit code and standard output.
fn motet(arguments: &[&str], format: &str) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_motet"));
    let output = command.args(arguments).args(["--format", format]).current_dir(root()).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

/// What a suite says: the numbers of tests, failures and errors, which must be those of its elements.
fn junit(arguments: &[&str]) -> (i32, [usize; 3]) {
    let (code, text) = motet(arguments, "junit");
    let mut reader = Reader::from_str(&text);
    let (mut counted, mut told) = ([0; 3], [usize::MAX; 3]);
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{arguments:?}: {error}\n{text}")) {
            Event::Start(element) | Event::Empty(element) => match element.name().as_ref() {
                b"testsuite" => {
                    told = ["tests", "failures", "errors"].map(|name| {
                        let value = element.try_get_attribute(name).unwrap().expect("an attribute").value;
                        String::from_utf8_lossy(&value).parse().unwrap()
                    });
                }
                b"testcase" => counted[0] += 1,
                b"failure" => counted[1] += 1,
                b"error" => counted[2] += 1,
                _ => {}
            },
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(counted, told, "{text}");
    (code, counted)
}

/// The only run of a SARIF document.
fn sarif(arguments: &[&str]) -> (i32, Value) {
    let (code, text) = motet(arguments, "sarif");
    let document: Value =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
    assert_eq!(document["version"], "2.1.0");
    let run = document["runs"][0].clone();
    assert_eq!(run["tool"]["driver"]["name"], "motet");
    for result in run["results"].as_array().unwrap() {
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]), "{result:#}");
        assert!(!result["message"]["text"].as_str().unwrap().is_empty(), "{result:#}");
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["artifactLocation"]["uri"].is_string(), "{result:#}");
    }
    (code, run)
}

const BROKEN: &str = "examples/mutex-broken.cub";
const FINE: &str = "examples/mutex.cub";

#[test]
fn every_command_tells_the_same_in_each_format() {
    let folder = Folder::new("formats");
    let errors = folder.file("errors.cub", "type state = A\nvar X : stat\ninit { X = A }\n");
    for (arguments, expected) in [
        (vec!["explore", BROKEN, "-n", "2"], 1),
        (vec!["explore", FINE, "-n", "2"], 0),
        (vec!["explore", FINE, "-n", "4", "--limit-states", "5"], 3),
        (vec!["fuzz", BROKEN, "-n", "2"], 1),
        (vec!["prove", BROKEN], 1),
        (vec!["prove", FINE], 0),
        (vec![BROKEN], 1),
        (vec![FINE, BROKEN], 1),
        (vec!["check", FINE], 0),
        (vec!["check", &errors], 2),
        (vec!["explore", &errors], 2),
        (vec!["explore", "there-is-no-such-file.cub"], 2),
    ] {
        let (code, [tests, failures, problems]) = junit(&arguments);
        assert_eq!(code, expected, "{arguments:?}");
        assert!(tests > 0, "{arguments:?}");
        assert_eq!(failures > 0, code == 1, "{arguments:?}");
        assert_eq!(problems > 0, code >= 2, "{arguments:?}");
        let (code, run) = sarif(&arguments);
        assert_eq!(code, expected, "{arguments:?}");
        let failed = |result: &&Value| result["kind"] == "fail" && result["level"] == "error";
        let failed = run["results"].as_array().unwrap().iter().filter(failed).count();
        assert_eq!(failed > 0, [1, 2].contains(&code) && run_has_results(&run), "{arguments:?} {run:#}");
        assert_eq!(run["invocations"][0]["executionSuccessful"] == true, code < 2, "{arguments:?} {run:#}");
    }
}

fn run_has_results(run: &Value) -> bool {
    !run["results"].as_array().unwrap().is_empty()
}

#[test]
fn a_violation_points_into_the_source() {
    let (_, run) = sarif(&["explore", BROKEN, "-n", "2"]);
    let place = &run["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], BROKEN);
    assert!(place["region"]["startLine"].as_u64().unwrap() > 1);
    let steps = &run["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
    assert_eq!(steps.as_array().unwrap().len(), 6);
}
