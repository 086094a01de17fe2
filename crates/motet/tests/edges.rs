//! What must not happen at the edges: a file that nobody looked at, a property that nobody judged, a model without a state.

mod folder;

use folder::Folder;
use serde_json::Value;
use std::{
    fs,
    process::{Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

const HOLDS: &str =
    "var On : bool\ninit { On = False }\nunsafe { On = True }\ntransition t () { On := False }\n";
const VIOLATED: &str =
    "var On : bool\ninit { On = False }\nunsafe { On = True }\ntransition t () { On := True }\n";
/// A run of it ends after one step; nobody waits.
const ENDS: &str = "type loc = Idle | Busy\narray L[proc] : loc\ninit (i) { L[i] = Idle }\n\
    unsafe (i j) { L[i] = Busy && L[j] = Busy }\n\
    transition go (i) requires { L[i] = Idle && forall_other k. L[k] = Idle } { L[i] := Busy }\n";
/// No state satisfies what it starts with, which is not plain from the text.
const EMPTY: &str = "var X : proc\nvar Y : proc\nvar Z : proc\nvar On : bool\nnumber_procs 2\n\
    init { On = False && X <> Y && Y <> Z && X <> Z }\nunsafe { On }\ntransition t () { On := True }\n";

fn motet(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_motet")).args(arguments).env_remove("NO_COLOR").output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn document(arguments: &[&str]) -> Value {
    let output = motet(&[arguments, &["--format", "json"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)))
}

fn codes(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().filter_map(|one| one["code"].as_str()).collect()
}

#[test]
fn every_file_is_looked_at() {
    let folder = Folder::new("several");
    let (holds, violated) = (folder.file("holds.cub", HOLDS), folder.file("violated.cub", VIOLATED));
    let missing = folder.path("missing.cub");
    for command in [&[][..], &["explore"], &["prove"], &["fuzz", "--limit-steps", "1000"]] {
        let run = |files: &[&str]| motet(&[command, files].concat()).status.code();
        assert_eq!(run(&[&holds, &violated]), Some(1), "{command:?}");
        assert_eq!(run(&[&holds, &missing]), Some(2), "{command:?}");
        assert_eq!(run(&[&violated, &missing]), Some(2), "{command:?}");
        let output = motet(&[command, &[&holds, &violated, &missing]].concat());
        let told = text(&output.stdout);
        for file in [&holds, &violated, &missing] {
            assert!(told.contains(&format!("{file}:")), "{command:?}: {told}");
        }
        assert!(text(&output.stderr).contains("there is no file"), "{}", text(&output.stderr));
    }
    assert_eq!(motet(&["prove", &holds, &holds]).status.code(), Some(0));
}

#[test]
fn several_files_make_one_document_with_an_entry_for_each() {
    let folder = Folder::new("entries");
    let (holds, violated) = (folder.file("holds.cub", HOLDS), folder.file("violated.cub", VIOLATED));
    let all = document(&["prove", &holds, &violated]);
    assert_eq!((&all["verdict"], &all["files"][1]), (&"violated".into(), &Value::from(violated.clone())));
    let verdicts: Vec<&Value> =
        all["results"].as_array().unwrap().iter().map(|one| &one["verdict"]).collect();
    assert_eq!(verdicts, ["holds", "violated"]);
    assert!(all["trace"].is_object());
    // What could not be read is not known.
    let some = document(&["explore", &holds, &folder.path("missing.cub")]);
    assert_eq!((&some["verdict"], &some["results"][1]["verdict"]), (&"unknown".into(), &Value::Null));
    assert!(document(&["explore", &holds])["results"].is_null(), "one file needs no list");
    // A file that is written is about one model.
    for flag in ["--trace", "--certificate"] {
        let output = motet(&["prove", &holds, &violated, flag, &folder.path("written")]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("is for one model"), "{}", text(&output.stderr));
    }
}

#[test]
fn a_property_that_nobody_judges_is_not_said_to_hold() {
    let folder = Folder::new("temporal");
    let model = folder.file("m.cub", format!("{HOLDS}ltl never {{ G \"On = True\" }}\n"));
    for command in [&[][..], &["fuzz", "--limit-steps", "2000"], &["prove"], &["prove", "--method", "views"]]
    {
        let output = motet(&[command, &[&model]].concat());
        assert_eq!(output.status.code(), Some(3), "{command:?}: {}", text(&output.stdout));
        if command.first() == Some(&"fuzz") {
            continue;
        }
        assert!(text(&output.stdout).contains("`never` was not checked"), "{}", text(&output.stdout));
        let document = document(&[command, &[&model]].concat());
        let judged = document["properties"].as_array().unwrap();
        let verdict = |name: &str| judged.iter().find(|one| one["name"] == name).map(|one| &one["verdict"]);
        assert_eq!(verdict("never"), Some(&"unknown".into()), "{command:?}");
        assert_eq!(verdict("unsafe1"), Some(&"holds".into()), "{command:?}");
    }
}

#[test]
fn a_run_that_ends_is_told_and_no_command_denies_it() {
    let folder = Folder::new("ends");
    let model = folder.file("m.cub", ENDS);
    for command in
        [&[][..], &["explore"], &["prove", "--deadlock", "report"], &["fuzz", "--limit-steps", "5000"]]
    {
        let output = motet(&[command, &[&model]].concat());
        let told = format!("{}{}", text(&output.stdout), text(&output.stderr));
        assert!(
            told.contains("nobody can go on, though nobody waits, 1 step from the start"),
            "{command:?}: {told}"
        );
        assert!(!told.contains("no deadlock"), "{command:?}: {told}");
        assert_ne!(output.status.code(), Some(1), "{command:?}");
        let document = document(&[command, &[&model]].concat());
        let remarks = document["remarks"].as_array().unwrap();
        let end = remarks.iter().find(|one| one["code"] == "stuck").expect("it is in the document");
        assert!(end["trace"]["states"].is_array(), "{end}");
        assert!(document["properties"].as_array().unwrap().iter().all(|one| one["name"] != "deadlock"));
    }
    for command in [&[][..], &["explore"], &["prove"], &["fuzz", "--limit-steps", "5000"]] {
        let error = motet(&[command, &[&model, "--deadlock", "error"]].concat());
        assert_eq!(error.status.code(), Some(1), "{command:?}: {}", text(&error.stdout));
        assert!(text(&error.stdout).contains("deadlock, 1 step from the start"), "{}", text(&error.stdout));
        let ignored = document(&[command, &[&model, "--deadlock", "ignore"]].concat());
        assert!(!ignored["remarks"].to_string().contains("no-deadlock"), "nobody looked: {ignored}");
    }
    // The run can be replayed, and is not a violation.
    let trace = folder.path("t.json");
    let document = document(&["explore", &model]);
    fs::write(&trace, document["remarks"][0]["trace"].to_string()).unwrap();
    assert_eq!(motet(&["replay", &trace]).status.code(), Some(0));
}

#[test]
fn a_model_says_where_runs_may_end() {
    let folder = Folder::new("final");
    let right = folder.file("right.cub", format!("{ENDS}final {{ exists i. L[i] = Busy }}\n"));
    let wrong = folder.file("wrong.cub", format!("{ENDS}final {{ forall i. L[i] = Busy }}\n"));
    for command in [&[][..], &["explore", "-n", "2"], &["prove"], &["fuzz", "--limit-steps", "5000"]] {
        let fine = motet(&[command, &[&right]].concat());
        assert_ne!(fine.status.code(), Some(1), "{command:?}: {}", text(&fine.stdout));
        assert!(!text(&fine.stdout).contains("nobody can go on"), "{}", text(&fine.stdout));
        let bad = motet(&[command, &[&wrong]].concat());
        assert_eq!(bad.status.code(), Some(1), "{command:?}: {}", text(&bad.stdout));
        assert!(text(&bad.stdout).contains("deadlock"), "{}", text(&bad.stdout));
    }
    assert_eq!(motet(&["explore", "-n", "2", "--deadlock", "report", &wrong]).status.code(), Some(0));
    assert_eq!(motet(&["explore", "-n", "2", "--deadlock", "error", &right]).status.code(), Some(0));
}

/// Without store buffers, everybody sees what there is, in `final` as elsewhere.
#[test]
fn weak_models_say_where_runs_may_end_too() {
    let folder = Folder::new("weak-final");
    let model = "type loc = A | B\nweak var L : bool\narray P[proc] : loc\ninit (i) { L = False && P[i] = A }\n\
        unsafe (i j) { P[i] = B && i@L = False }\ntransition go ([i]) requires { P[i] = A } { L := True; P[i] := B }\n";
    let right = folder.file("right.cub", format!("{model}final {{ forall i. i@L = True }}\n"));
    let wrong = folder.file("wrong.cub", format!("{model}final {{ exists i. i@L = False }}\n"));
    assert_eq!(motet(&["explore", "-n", "2", "--memory", "sc", &right]).status.code(), Some(0));
    assert_eq!(motet(&["explore", "-n", "2", "--memory", "sc", &wrong]).status.code(), Some(1));
}

#[test]
fn what_holds_for_want_of_states_is_warned_about() {
    let folder = Folder::new("vacuous");
    let model = folder.file("m.cub", EMPTY);
    for command in [&[][..], &["explore", "-n", "2"], &["prove"], &["fuzz", "--limit-steps", "1000"]] {
        let document = document(&[command, &[&model]].concat());
        assert!(codes(&document["diagnostics"]).contains(&"vacuous"), "{command:?}: {document}");
        assert_ne!(document["verdict"], "violated");
    }
    let line = text(&motet(&["explore", "-n", "2", &model]).stdout);
    assert!(line.starts_with("holds for 2 processes, but only because there are no states"), "{line}");
}

#[test]
fn flags_without_effect_say_so() {
    let folder = Folder::new("flags");
    let model = folder.file("m.cub", HOLDS);
    for flags in [&["--memory", "tso"][..], &["--queues", "fifo"], &["--trust-invariants"]] {
        let output = motet(&[&["explore", &model], flags].concat());
        assert_eq!(output.status.code(), Some(0), "{flags:?}");
        assert!(text(&output.stderr).contains("has no effect"), "{flags:?}: {}", text(&output.stderr));
        let document = document(&[&["explore", &model], flags].concat());
        assert_eq!(codes(&document["diagnostics"]), ["no-effect"], "{flags:?}");
    }
    for flags in [
        &["--graph-detail", "all"][..],
        &["--brab", "off", "--seed", "1"],
        &["--oracle", "bfs", "--seed", "1"],
    ] {
        let output = motet(&[&["prove", &model], flags].concat());
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
    }
}

#[test]
fn paths_are_tried_before_anything_is_searched() {
    let folder = Folder::new("paths");
    let model = folder.file("m.cub", HOLDS);
    let nowhere = folder.path("nowhere/x.svg");
    for arguments in [
        ["explore", &model, "--trace", &nowhere],
        ["explore", &model, "--diagram", &nowhere],
        ["explore", &model, "--graph", &nowhere],
        ["fuzz", &model, "--trace", &nowhere],
        ["prove", &model, "--trace", &nowhere],
        ["prove", &model, "--certificate", &format!("{model}/folder")],
    ] {
        let output = motet(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}: {}", text(&output.stdout));
        assert!(text(&output.stderr).contains("cannot"), "{}", text(&output.stderr));
    }
    let left: Vec<_> = fs::read_dir(&folder.0).unwrap().collect();
    assert_eq!(left.len(), 1, "nothing is left behind: {left:?}");
}

#[test]
fn a_trace_goes_to_standard_output_and_finds_its_model_again() {
    let folder = Folder::new("traces");
    fs::create_dir(folder.0.join("inner")).unwrap();
    folder.file("m.cub", VIOLATED);
    let here = |arguments: &[&str], place: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_motet"));
        command.args(arguments).current_dir(folder.0.join(place)).output().unwrap()
    };
    let output = here(&["explore", "m.cub", "--trace", "-"], "");
    assert_eq!(output.status.code(), Some(1));
    let trace: Value = serde_json::from_slice(&output.stdout).expect("nothing but the trace");
    assert_eq!(trace["#meta"]["kind"], "unsafe");
    assert!(text(&output.stderr).starts_with("violated with"), "{}", text(&output.stderr));
    assert_eq!(here(&["explore", "m.cub", "--trace", "-", "--format", "json"], "").status.code(), Some(2));
    // Seen from another folder, and moved together with its trace.
    fs::write(folder.path("inner/t.json"), trace.to_string()).unwrap();
    assert_eq!(here(&["replay", "t.json"], "inner").status.code(), Some(1));
    fs::rename(folder.path("m.cub"), folder.path("inner/m.cub")).unwrap();
    assert_eq!(here(&["replay", "inner/t.json"], "").status.code(), Some(1));
    fs::rename(folder.path("inner/m.cub"), folder.path("other.cub")).unwrap();
    let lost = here(&["replay", "inner/t.json"], "");
    assert_eq!(lost.status.code(), Some(2));
    assert!(text(&lost.stderr).contains("--model FILE"), "{}", text(&lost.stderr));
    assert_eq!(here(&["replay", "inner/t.json", "--model", "other.cub"], "").status.code(), Some(1));
}

#[test]
fn a_violation_says_what_is_violated_and_by_whom() {
    let folder = Folder::new("what");
    let model = folder.file(
        "m.cub",
        "array A[proc] : bool\ninit (i) { A[i] = False }\n\ninvariant both (i\n j) {\n  A[i] && // one\n  A[j] }\n\
         transition t (i) { A[i] := True }\n",
    );
    let told = text(&motet(&["explore", "-n", "3", &model]).stdout);
    assert!(told.contains("invariant `both` (line 4), 2 steps from the start"), "{told}");
    assert!(told.contains("must never be true: A[i] && A[j]    with i = #1, j = #2"), "{told}");
    let document = document(&["explore", "-n", "3", &model]);
    let property = &document["properties"][0];
    assert_eq!(property["formula"], "A[i] && A[j]");
    assert_eq!(property["location"]["start"]["line"], 4);
    assert_eq!(property["roles"][1]["parameter"], "j");
    assert_eq!(property["roles"][1]["process"], 2);
    assert_eq!(document["trace"]["#meta"]["roles"], serde_json::json!([1, 2]));
}

#[test]
fn kinds_are_shown_wherever_runs_are() {
    let folder = Folder::new("kinds");
    let model = folder.file(
        "m.cub",
        "type reader < proc\ntype writer < proc\nvar X : int\ninit { X = 0 }\nunsafe { X = 2 }\n\
         transition t ([i : writer]) { X := X + 1 }\n",
    );
    let diagram = folder.path("d.svg");
    let output = motet(&["explore", "-n", "2", &model, "--diagram", &diagram]);
    assert!(text(&output.stdout).contains("#2 : writer"), "{}", text(&output.stdout));
    assert!(fs::read_to_string(&diagram).unwrap().contains("#2 : writer"));
    let trace = &document(&["explore", "-n", "2", &model])["trace"];
    assert_eq!(trace["#meta"]["actors"], serde_json::json!(["#1 : reader", "#2 : writer"]));
    assert_eq!(trace["states"][1]["X"], 1, "numbers are numbers");
}

/// Bugs that need many processes, or small numbers only, are found by proofs too.
#[test]
fn proofs_find_the_bugs_that_exploring_finds() {
    let folder = Folder::new("bugs");
    let many = "array A[proc] : bool\ninit (i) { A[i] = False }\ntransition t (i) { A[i] := True }\n\
        unsafe (a b c d e f) { A[a] && A[b] && A[c] && A[d] && A[e] && A[f] }\n";
    let few = "array A[proc] : bool\ninit (i) { A[i] = False }\nunsafe (i) { A[i] }\n\
        transition t (i) requires { SYS_PROCS >= 4 } { A[i] := True }\n";
    for (name, model, processes) in [("many", many, 6), ("few", few, 4)] {
        let file = folder.file(&format!("{name}.cub"), model);
        for command in [&[][..], &["prove"]] {
            let document = document(&[command, &[&file]].concat());
            assert_eq!(
                (&document["verdict"], &document["processes"]),
                (&"violated".into(), &processes.into())
            );
        }
    }
}

/// Where there is no end in sight, a time limit and Ctrl-C end every command at once, with what is known so far.
#[cfg(unix)]
#[test]
fn commands_end_when_they_are_told_to() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = Folder::new("interrupt");
    let open = folder.file(
        "open.cub",
        "array M[proc,proc] : bool\narray T[proc] : int\ninit (i j) { M[i,j] = False && T[i] = 0 }\n\
         unsafe (i) { T[i] < 0 }\ntransition t (i) { T[i] := T[i] + 1; M[k,l] := case | k <> i : ? | _ : M[k,l] }\n",
    );
    let raft = root.join("examples/protocols/raft-election.cub").display().to_string();
    let paxos = root.join("examples/protocols/paxos.cub").display().to_string();
    let commands: [&[&str]; 7] = [
        &["explore", "-n", "5"],
        &["fuzz", "--limit-time", "100"],
        &["fuzz", "-n", "4", "--limit-time", "100"],
        &["prove"],
        &["prove", "--method", "views"],
        &["prove", "--method", "backward", "--brab", "off"],
        &[],
    ];
    for (at, command) in commands.iter().enumerate() {
        for (file, moment) in [(&open, 150), (&raft, 350), (&paxos, 700)] {
            let arguments = [command, &[file.as_str()][..]].concat();
            let mut child = Command::new(env!("CARGO_BIN_EXE_motet"))
                .args(&arguments)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            sleep(Duration::from_millis(moment + 37 * at as u64));
            let pid = child.id().to_string();
            assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
            let asked = Instant::now();
            child.wait().unwrap();
            // Half a second on an idle machine; tests run beside each other.
            assert!(asked.elapsed() < Duration::from_secs(4), "{arguments:?} took {:?}", asked.elapsed());
        }
    }
}
