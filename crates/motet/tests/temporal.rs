//! Temporal properties on the command line: verdicts, documents, traces that are replayed, and errors.

mod folder;

use folder::Folder;
use serde_json::Value;
use std::{
    fs,
    process::{Command, Output},
};

const LOCK: &str = "type loc = Idle | Trying | Critical\nvar Taken : bool\narray Loc[proc] : loc\n\
    init (i) { Taken = False && Loc[i] = Idle }\n\
    ltl served (i) { G (Loc[i] = Trying -> F Loc[i] = Critical) }\n\
    transition ask (i) requires { Loc[i] = Idle } { Loc[i] := Trying }\n\
    transition enter (i) requires { Loc[i] = Trying && Taken = False } { Taken := True; Loc[i] := Critical }\n\
    transition leave (i) requires { Loc[i] = Critical } { Taken := False; Loc[i] := Idle }\n";

fn motet(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_motet")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_violation_is_a_lasso_in_the_document_and_in_the_file() {
    let folder = Folder::new("lasso");
    let (model, trace) = (folder.file("lock.cub", LOCK), folder.path("lock.itf.json"));
    let picture = folder.path("lock.svg");
    let output =
        motet(&["explore", &model, "-n", "2", "--trace", &trace, "--diagram", &picture, "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let judged =
        document["properties"].as_array().unwrap().iter().find(|one| one["name"] == "served").unwrap();
    assert_eq!((&judged["kind"], &judged["verdict"]), (&"ltl".into(), &"violated".into()));
    assert_eq!(judged["roles"][0]["parameter"], "i");
    assert_eq!((&judged["trace"]["loop"], &document["trace"]["loop"]), (&2.into(), &2.into()));
    assert!(document["stats"]["product_states"].as_u64().unwrap() > 0);
    assert!(fs::read_to_string(&picture).unwrap().contains("class=\"cycle\""));
    let replayed = motet(&["replay", &trace]);
    assert_eq!(replayed.status.code(), Some(1), "{}", text(&replayed.stderr));
    assert!(
        text(&replayed.stdout).contains("the last 3 steps are repeated for ever"),
        "{}",
        text(&replayed.stdout)
    );
    // Another cycle does not close.
    let mut other: Value = serde_json::from_str(&fs::read_to_string(&trace).unwrap()).unwrap();
    other["loop"] = 1.into();
    fs::write(&trace, other.to_string()).unwrap();
    assert_eq!(motet(&["replay", &trace]).status.code(), Some(3));
    other["loop"] = 99.into();
    fs::write(&trace, other.to_string()).unwrap();
    assert_eq!(motet(&["replay", &trace]).status.code(), Some(2));
}

#[test]
fn fairness_and_formulas_of_the_command_line_are_part_of_a_trace() {
    let folder = Folder::new("fairness");
    let (model, trace) = (folder.file("lock.cub", LOCK), folder.path("run.json"));
    let formula = "F TAKE leave(#2)";
    let arguments = ["explore", &model, "-n", "2", "--fair", "strong", "--ltl", formula, "--trace", &trace];
    let holds = motet(&arguments);
    assert_eq!(holds.status.code(), Some(0), "{}", text(&holds.stdout));
    assert!(text(&holds.stdout).contains("strong fairness of each process"), "{}", text(&holds.stdout));
    let weak: Vec<&str> =
        arguments.iter().map(|one| if *one == "strong" { "weak:transition" } else { one }).collect();
    let violated = motet(&[&weak[..], &["--all"]].concat());
    assert_eq!(violated.status.code(), Some(1), "{}", text(&violated.stdout));
    let written: Value = serde_json::from_str(&fs::read_to_string(&trace).unwrap()).unwrap();
    assert_eq!(written["#meta"]["fair"][0], "weak:transition");
    assert_eq!(motet(&["replay", &trace]).status.code(), Some(1));
    // Under a stronger demand the same run does not count.
    let stronger = fs::read_to_string(&trace).unwrap().replace("weak:transition", "strong:transition");
    fs::write(&trace, stronger).unwrap();
    let replayed = motet(&["replay", &trace]);
    assert_eq!(replayed.status.code(), Some(3), "{}", text(&replayed.stdout));
    let own = motet(&[
        "explore",
        &model,
        "-n",
        "2",
        "--ltl",
        "G !(TAKE enter(#2))",
        "--all",
        "--trace",
        &trace,
        "--fair",
        "strong",
    ]);
    assert!(text(&own.stdout).contains("violated however the run goes on"), "{}", text(&own.stdout));
    let replayed = motet(&["replay", &trace]);
    assert_eq!(replayed.status.code(), Some(1), "{}", text(&replayed.stdout));
}

#[test]
fn a_formula_that_makes_no_sense_is_refused_with_its_place() {
    let folder = Folder::new("refused");
    let model = folder.file("lock.cub", LOCK);
    for (flag, value, wanted) in [
        ("--ltl", "G (Lok[#1] = Idle)", "did you mean `Loc`"),
        ("--ltl", "F TAKE entr(#1)", "did you mean `enter`"),
        ("--ltl", "F TAKE enter(#1, #2)", "`enter` has 1 parameter, found 2"),
        ("--ltl", "G (Taken", "to close this"),
        ("--ltl", "G Taken)", "--ltl:1:8"),
        ("--ltl", "", "expected a temporal formula"),
        ("--ltl", "F ENABLED leave(#9)", "there is no process `#9`"),
        ("--ltl", "F forall i. Loc[i] = Idle", "in quotes"),
        ("--fair", "week", "`weak` or `strong`"),
        ("--fair", "weak:entr", "did you mean `enter`"),
    ] {
        let output = motet(&["explore", &model, "-n", "2", flag, value]);
        assert_eq!(output.status.code(), Some(2), "{value}: {}", text(&output.stdout));
        assert!(text(&output.stderr).contains(wanted), "{value}: {}", text(&output.stderr));
    }
}

#[test]
fn what_is_not_decided_is_unknown() {
    let folder = Folder::new("undecided");
    let counter = folder.file(
        "counter.cub",
        "var X : int\ninit { X = 0 }\nltl small { F X = 5 }\ntransition up () { X := X + 1 }\n",
    );
    let limited = motet(&["explore", &counter, "-n", "1", "--limit-states", "100"]);
    assert_eq!(limited.status.code(), Some(3), "{}", text(&limited.stdout));
    let ranged = motet(&["explore", &counter, "-n", "1", "--range", "X=0..9"]);
    assert_eq!(ranged.status.code(), Some(3), "{}", text(&ranged.stdout));
    let model = folder.file("lock.cub", LOCK);
    let many: Vec<String> = (0..40).map(|_| "(G F Taken -> G F Loc[#1] = Idle)".to_owned()).collect();
    let output = motet(&["explore", &model, "-n", "2", "--fair", "strong", "--ltl", &many.join(" & ")]);
    assert_eq!(output.status.code(), Some(0), "what is said twice is said once: {}", text(&output.stdout));
}
