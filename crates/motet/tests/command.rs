//! Drives the real executable with good, bad and hostile input.

mod folder;

use folder::Folder;
use serde_json::Value;
use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

const FINE: &str = "var On : bool\ninit { On = False }\nunsafe { On = True }\n";

fn motet(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_motet")).args(arguments).env_remove("NO_COLOR").output().unwrap()
}

fn with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_motet"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The reader may stop early, when the input is too large.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The file is refused with exit code 2 and a message that contains `part`.
fn refused(file: &str, part: &str) {
    let output = motet(&["check", file]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains(part), "`{part}` is not in: {}", stderr(&output));
    assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
}

#[test]
fn bad_files_get_a_clear_message() {
    let folder = Folder::new("bad");
    refused(&folder.path("none.cub"), "there is no file");
    refused(&folder.0.to_string_lossy(), "is a directory");
    refused(&folder.file("elf.cub", b"\x7fELF\x02\x01\0\0"), "binary");
    refused(&folder.file("utf16.cub", b"\xff\xfev\0a\0r\0"), "UTF-16");
    refused(&folder.file("latin1.cub", b"var X : bool (* caf\xe9 *)"), "not UTF-8");
    refused(&folder.file("empty.cub", ""), "no `init`");
    refused(&folder.file("blank.cub", "\n\n  \n"), "no `init`");
    refused(&folder.file("comment.cub", "(* nothing *)"), "no `init`");
    refused(&folder.file("last-line.cub", format!("{FINE}transition t (")), "expected");
}

#[test]
fn hostile_files_are_refused_quickly() {
    let folder = Folder::new("hostile");
    let line = "transition t (i) requires { On = True } { On := False }\n";
    refused(&folder.file("huge.cub", format!("{FINE}{}", line.repeat(50 * (1 << 20) / line.len()))), "limit");
    for (name, open, middle, close) in [
        ("parentheses", "(", "On = True", ")"),
        ("not", "not ", "On = True", ""),
        ("minus", "- ", "On", ""),
        ("if", "if ", "On = True", " then true else false"),
        ("implies", "On = True => ", "On = True", ""),
        ("forall", "forall j. ", "On = True", ""),
        ("index", "A[", "i", "]"),
        ("call", "p(", "i", ")"),
    ] {
        let formula = format!("{}{middle}{}", open.repeat(100_000), close.repeat(100_000));
        refused(&folder.file(name, format!("{FINE}unsafe (i) {{ {formula} }}")), "nested too deep");
    }
    let deep_comment = format!("{}{}{FINE}", "(*".repeat(100_000), "*)".repeat(100_000));
    assert_eq!(motet(&["check", &folder.file("comment", deep_comment)]).status.code(), Some(0));
}

/// Small files that would grow without bound once they are expanded.
#[test]
fn growing_formulas_end_in_a_message() {
    let folder = Folder::new("growing");
    let deep_body = (0..45).fold("a".to_owned(), |body, k| format!("(X = {k} || (X = {k} && {body}))"));
    let calls = |count: usize| format!("{}X = 1{}", "p(".repeat(count), ")".repeat(count));
    let chain: String = (1..30_000).map(|k| format!("let x{k} = N[x{}] in ", k - 1)).collect();
    for (name, items) in [
        ("deep", format!("predicate p(a) {{ {deep_body} }} unsafe {{ {} }}", calls(180))),
        ("double", format!("predicate p(a) {{ a || a }} unsafe {{ {} }}", calls(60))),
        ("let", format!("array N[proc] : proc var P : proc transition t (x0) {{ {chain} P := x29999 }}")),
        ("compare", format!("unsafe {{ X {} }}", "< 1 ".repeat(100_000))),
    ] {
        let text = format!("var X : int init {{ X = 0 }} {items}");
        let output = motet(&["check", &folder.file(name, text)]);
        assert_eq!(output.status.code(), Some(2), "{name}: {}", stderr(&output));
    }
    for guard in [
        format!("{} B", "B <=>".repeat(150)),
        format!("{} B {}", "if ".repeat(150), "then B else B ".repeat(150)),
    ] {
        let text = format!(
            "var B : bool init {{ B = True }} transition t () requires {{ {guard} }} {{ B := False }}"
        );
        assert_eq!(motet(&["check", &folder.file("guard", text)]).status.code(), Some(0));
    }
}

/// Long is not deep: a conjunction of many parts, and many items, are fine.
#[test]
fn long_files_are_handled() {
    let folder = Folder::new("long");
    let wide = format!("{FINE}unsafe {{ {} On = True }}\n", "On = True && ".repeat(100_000));
    assert_eq!(motet(&["check", "-q", &folder.file("wide.cub", wide)]).status.code(), Some(0));
    let transition = |k| format!("transition t{k} () requires {{ On = True }} {{ On := False }}\n");
    let many = (0..20_000).map(transition).collect::<Vec<String>>().concat();
    assert_eq!(
        motet(&["check", "-q", &folder.file("many.cub", format!("{FINE}{many}"))]).status.code(),
        Some(0)
    );
    let garbage = "} ] ) := && transition ".repeat(50_000);
    assert_eq!(motet(&["check", "-q", &folder.file("garbage.cub", garbage)]).status.code(), Some(2));
}

#[test]
fn all_errors_of_all_files_come_in_one_run() {
    let folder = Folder::new("all");
    let one = folder.file("one.cub", "var X : stat\ninit { Y = 1 }\nunsafe { Z = 2 }\n");
    let two = folder.file("two.cub", FINE);
    let output = motet(&["check", &one, &two]);
    assert_eq!(output.status.code(), Some(2));
    for part in ["unknown type `stat`", "unknown name `Y`", "unknown name `Z`", "1 of 2 files"] {
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
    }
    assert!(stdout(&output).contains("two.cub: no errors"));
}

#[test]
fn json_is_one_document_with_all_fields() {
    let folder = Folder::new("json");
    let file = folder.file("m.cub", "type state = A\nvar X : stat\ninit { X = A }\n");
    let missing = folder.path("none.cub");
    let output = motet(&["check", "--format", "json", &file, &missing]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stderr.is_empty());
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    for key in [
        "command",
        "files",
        "verdict",
        "reason",
        "processes",
        "properties",
        "diagnostics",
        "stats",
        "trace",
        "certificate",
    ] {
        assert!(document.get(key).is_some(), "{key} is missing");
    }
    assert_eq!(document["verdict"], Value::Null);
    assert!(document["stats"]["seconds"].is_f64());
    let messages = document["diagnostics"].as_array().unwrap();
    assert_eq!(messages[0]["code"], "unknown-type");
    assert_eq!((&messages[0]["start"]["line"], &messages[0]["start"]["column"]), (&2.into(), &9.into()));
    assert_eq!(messages[0]["fix"]["replacement"], "state");
    assert_eq!(messages.last().unwrap()["code"], "unreadable-file");
}

#[test]
fn usage_errors_exit_with_two_and_help_with_zero() {
    for wrong in [
        &["check"][..],
        &["check", "--no-such-flag", "x"],
        &["chekc", "x.cub"],
        &["completions", "noshell"],
        &[],
    ] {
        assert_eq!(motet(wrong).status.code(), Some(2), "{wrong:?}");
    }
    for fine in [
        &["--help"][..],
        &["--version"],
        &["help", "check"],
        &["completions", "bash"],
        &["completions", "fish"],
    ] {
        let output = motet(fine);
        assert_eq!(output.status.code(), Some(0), "{fine:?}");
        assert!(!output.stdout.is_empty(), "{fine:?}");
    }
    assert!(stderr(&motet(&["chekc"])).contains("did you mean `motet check`?"));
}

#[test]
fn a_file_without_a_command_gets_the_main_job() {
    let folder = Folder::new("main");
    let bounded = motet(&[&folder.file("bounded.cub", format!("number_procs 2\n{FINE}"))]);
    assert_eq!(bounded.status.code(), Some(0), "{}", stderr(&bounded));
    let broken = motet(&[&folder.file("broken.cub", format!("{FINE}transition t () {{ On := True }}"))]);
    assert_eq!(broken.status.code(), Some(1), "{}", stderr(&broken));
    assert!(stdout(&broken).contains("1 t()"), "{}", stdout(&broken));
    let endless = "var X : int\ninit { X = 0 }\nunsafe { X < 0 }\ntransition t () { X := X + 1 }".to_string();
    assert_eq!(motet(&[&folder.file("endless.cub", endless)]).status.code(), Some(0));
}

#[test]
fn standard_input_is_a_file() {
    assert_eq!(with_input(&["check", "-"], FINE.as_bytes()).status.code(), Some(0));
    assert_eq!(with_input(&["check", "-"], b"\0").status.code(), Some(2));
    let output = with_input(&["fmt", "-"], b"var   On:bool init{On=False}");
    assert_eq!(stdout(&output), "var On : bool\ninit { On = False }\n");
}

#[test]
fn colours_follow_the_flags() {
    let folder = Folder::new("colour");
    let file = folder.file("m.cub", "init { X = 1 }");
    let escapes = |output: &Output| stderr(output).contains('\x1b');
    assert!(!escapes(&motet(&["check", &file])), "a pipe is not a terminal");
    assert!(escapes(&motet(&["check", "--color", "always", &file])));
    assert!(!escapes(&motet(&["check", "--color", "never", &file])));
}

#[test]
fn quiet_keeps_errors_only() {
    let folder = Folder::new("quiet");
    let warned = folder.file("w.cub", format!("var Unused : int\n{FINE}"));
    let output = motet(&["check", "--quiet", &warned]);
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
    assert!(stderr(&motet(&["check", &warned])).contains("unused-symbol"));
}

#[test]
fn fmt_changes_files_in_place_and_check_only_tells() {
    let folder = Folder::new("fmt");
    let file = folder.file("m.cub", "var On:bool (* kept *)\ninit{On=False}");
    let output = motet(&["fmt", "--check", &file]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("would be formatted"));
    assert!(fs::read_to_string(&file).unwrap().contains("On:bool"), "--check changes nothing");
    assert_eq!(motet(&["fmt", &file]).status.code(), Some(0));
    assert_eq!(fs::read_to_string(&file).unwrap(), "var On : bool (* kept *)\ninit { On = False }\n");
    assert_eq!(motet(&["fmt", "--check", &file]).status.code(), Some(0));
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "no file is left beside it");
}

#[test]
fn fmt_leaves_broken_files_alone() {
    let folder = Folder::new("broken");
    let text = "var On:bool\ninit{On=";
    let file = folder.file("m.cub", text);
    assert_eq!(motet(&["fmt", &file]).status.code(), Some(2));
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}

#[test]
fn traces_are_written_replayed_and_found_out() {
    let folder = Folder::new("replay");
    let broken = format!("{FINE}transition t () {{ On := True }}");
    let (model, trace) = (folder.file("m.cub", &broken), folder.0.join("t.itf.json"));
    let trace = trace.to_string_lossy().into_owned();
    assert_eq!(motet(&["explore", &model, "--trace", &trace]).status.code(), Some(1));
    let replayed = motet(&["replay", &trace]);
    assert_eq!(replayed.status.code(), Some(1), "{}", stderr(&replayed));
    assert!(stdout(&replayed).contains("is violated again after 1 step"));
    // The model is mended: the step leads elsewhere.
    folder.file("m.cub", broken.replace(":= True", ":= False"));
    let deviates = motet(&["replay", &trace]);
    assert_eq!(deviates.status.code(), Some(3), "{}", stderr(&deviates));
    assert!(stderr(&deviates).contains("has changed"));
    assert_eq!(motet(&["replay", &model]).status.code(), Some(2), "a model is not a trace");
}

#[test]
fn a_trace_says_how_processes_queue() {
    let folder = Folder::new("queues");
    let model = "var L : lock\ntype pc = Out | In | Done\narray P[proc] : pc\ninit (i) { P[i] = Out }
        unsafe (i j) { P[i] = Done && P[j] = Done }
        transition enter ([i]) requires { P[i] = Out } { P[i] := In; acquire(L, i) }
        transition leave ([i]) requires { P[i] = In } { P[i] := Done; release(L, i) }";
    let (model, trace) = (folder.file("m.cub", model), folder.0.join("t.itf.json"));
    let path = trace.to_string_lossy().into_owned();
    for order in ["any", "fifo"] {
        let explored = motet(&["explore", &model, "--queues", order, "--trace", &path]);
        assert_eq!(explored.status.code(), Some(1), "{}", stderr(&explored));
        let document: Value = serde_json::from_slice(&fs::read(&trace).unwrap()).unwrap();
        assert_eq!(document["#meta"]["queues"], order);
        let replayed = motet(&["replay", &path]);
        assert_eq!(replayed.status.code(), Some(1), "{}", stderr(&replayed));
    }
    // Its states tell places in queues, which the other order does not have.
    let text = fs::read_to_string(&trace).unwrap();
    let other = folder.file("other.json", text.replace("\"queues\": \"fifo\"", "\"queues\": \"any\""));
    assert_eq!(motet(&["replay", &other]).status.code(), Some(3));
    let unknown = folder.file("unknown.json", text.replace("\"queues\": \"fifo\"", "\"queues\": \"lifo\""));
    assert!(stderr(&motet(&["replay", &unknown])).contains("unknown variant `lifo`"));
}

#[test]
fn transitions_that_are_never_taken_are_named() {
    let folder = Folder::new("never");
    let guarded = "var Off : bool\ntransition dead () requires { Off = True } { On := True }\n";
    let model = folder
        .file("m.cub", format!("{guarded}{}", FINE.replace("On = False }", "On = False && Off = False }")));
    let output = motet(&["explore", &model]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("`dead` is never taken with 3 processes"), "{}", stderr(&output));
}

#[test]
fn numbers_of_processes_and_ranges_are_checked() {
    let folder = Folder::new("numbers");
    let model = folder.file("m.cub", "number_procs 2\nvar X : int\ninit { X >= 0 }\nunsafe { X > 7 }\n");
    assert!(stderr(&motet(&["explore", &model, "-n", "3"])).contains("at most 2"));
    assert!(stdout(&motet(&["explore", &model])).contains("--range X=-8..8"));
    // Larger values of a number that may be any are left out, so that nothing is known of them.
    let output = motet(&["explore", &model, "--range", "X=0..5"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stdout(&output).contains("they leave out some steps or values"), "{}", stdout(&output));
    let trace = folder.path("t.json");
    assert_eq!(motet(&["explore", &model, "--range", "X=0..9", "--trace", &trace]).status.code(), Some(1));
    assert_eq!(motet(&["replay", &trace]).status.code(), Some(1), "the ranges are part of the trace");
    for wrong in ["Y=0..5", "X=5..0", "X=a..b", "X"] {
        assert_eq!(motet(&["explore", &model, "--range", wrong]).status.code(), Some(2), "{wrong}");
    }
    let typed = folder.file("t.cub", "type small = [0..3]\nvar X : small\ninit { X = 0 }\n");
    let refused = stderr(&motet(&["explore", &typed, "--range", "X=0..1"]));
    assert!(refused.contains("`X` has a range already: its type goes from 0 to 3"), "{refused}");
}

/// However many processes are asked for, there is an answer, and soon.
#[test]
fn instances_that_are_too_large_are_refused() {
    let folder = Folder::new("large");
    let explore = |text: &str, processes: &str| {
        let output = motet(&["explore", &folder.file("m.cub", text), "-n", processes]);
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        stdout(&output)
    };
    let cells = "array A[proc] : bool\ninit (i) { A[i] = True }\ntransition t (i) { A[i] := False }\n";
    let steps = "var X : bool\ninit { X = True }\ntransition t (i j k) { X := False }\n";
    let quantifiers = "var X : bool\ninit { X = True }\nunsafe { forall i. forall j. forall k. X = False && i = j && j = k }\n";
    let kinds = "number_procs 60\ntype a < proc\ntype b < proc\nvar X : a\ninit { X = #1 }\n";
    assert!(explore(cells, "4294967295").contains("the states of this instance are too large"));
    for (text, processes) in [(steps, "1000"), (steps, "4294967295"), (quantifiers, "1000"), (kinds, "60")] {
        assert!(explore(text, processes).contains("too many steps to list"), "{text}");
    }
}

/// Threads are no reason to run out of memory.
#[test]
fn threads_are_limited() {
    let folder = Folder::new("threads");
    let model = folder.file("fine.cub", FINE);
    assert_eq!(motet(&["explore", &model, "-j", "1024"]).status.code(), Some(0));
    for wrong in ["0", "1025", "4294967295"] {
        let output = motet(&["explore", &model, "-j", wrong]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(stderr(&output).contains("is not in 1..=1024"), "{}", stderr(&output));
    }
}

/// One of a thing is not several.
#[test]
fn numbers_agree_with_their_nouns() {
    let folder = Folder::new("nouns");
    let model = folder.file("m.cub", FINE.replace("False", "True"));
    let output = motet(&["explore", &model, "-n", "1"]);
    assert!(stdout(&output).starts_with("violated with 1 process\n"), "{}", stdout(&output));
    assert!(stdout(&output).contains("\n1 state, 0 transitions, depth 0"), "{}", stdout(&output));
    let fine = folder.file("fine.cub", FINE);
    let output = motet(&["explore", &fine, "-n", "1"]);
    assert!(stdout(&output).starts_with("holds for 1 process: all"), "{}", stdout(&output));
    assert!(stderr(&output).contains("`On` never changes with 1 process\n"), "{}", stderr(&output));
    let few = folder.file("few.cub", format!("number_procs 1\n{FINE}"));
    let refused = stderr(&motet(&["explore", &few, "-n", "2"]));
    assert!(refused.contains("this model has at most 1 process (`number_procs`)"), "{refused}");
    let hunted = stdout(&motet(&[&few]));
    assert!(hunted.starts_with("holds for up to 1 process, which"), "{hunted}");
}

/// Results that nobody can read are no results, whatever they are; a reader that goes away is another matter.
#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_an_error() {
    let folder = Folder::new("full");
    let (fine, text) = (folder.file("fine.cub", FINE), folder.file("other.cub", FINE));
    for arguments in [
        &["explore", &fine, "-n", "1"][..],
        &["explore", &fine, "-n", "1", "--format", "json"],
        &["check", &text],
        &["--help"],
        &["--version"],
        &["completions", "bash"],
        &[&fine],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_motet")).args(arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains("cannot write to standard output"), "{}", stderr(&output));
    }
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_crash() {
    let folder = Folder::new("pipe");
    let file = folder.file("m.cub", "init { X = 1 && Y = 2 }");
    let shell = format!("{} check --format json {file} | true", env!("CARGO_BIN_EXE_motet"));
    let output = Command::new("sh").args(["-c", &shell]).output().unwrap();
    assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
    assert!(Path::new(&file).exists());
}

/// A counter that two processes raise: it breaks its invariant, and what lies behind that is unsafe.
const COUNTER: &str = "\
number_procs 2
type level = [0..9]
var X : level
var Idle : bool
array Seen[proc] : bool
init (i) { X = 0 && Idle = True && Seen[i] = False }
invariant small { X = 4 }
unsafe { X = 6 }
transition up (i) requires { X < 9 } { X := X + 1; Seen[i] := True }
transition never () requires { Idle = False } { X := 0 }
";

#[test]
fn invariants_can_be_trusted() {
    let folder = Folder::new("trust");
    let model = folder.file("counter.cub", COUNTER);
    let output = motet(&["explore", &model]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("invariant `small` (line 7), 4 steps"), "{}", stdout(&output));
    let output = motet(&["explore", &model, "--trust-invariants"]);
    assert_eq!(output.status.code(), Some(3), "trust that is not deserved proves nothing");
    let line = "unknown: invariant `small` was trusted, but is wrong: 4 steps that break it were left out";
    assert!(stdout(&output).starts_with(line), "{}", stdout(&output));
    // Where nothing but dropped steps is left, a run does not end.
    assert!(!stdout(&output).contains("nobody can go on"), "{}", stdout(&output));
    let right = folder.file("right.cub", COUNTER.replace("X = 4", "X = 10").replace("X = 6", "X = 11"));
    let output = motet(&["explore", &right, "--trust-invariants", "--format", "json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["verdict"], "holds");
    assert_eq!(document["properties"][0]["verdict"], "unknown", "it was not checked: {document}");
}

#[test]
fn all_violations_or_the_first() {
    let folder = Folder::new("all");
    let model = folder.file("counter.cub", COUNTER);
    let violated = |arguments: &[&str]| {
        let output = motet(&[&["explore", &model, "--format", "json"], arguments].concat());
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        let properties = document["properties"].as_array().unwrap().clone();
        properties.iter().filter(|property| property["verdict"] == "violated").count()
    };
    assert_eq!((violated(&[]), violated(&["--stop-at-first"]), violated(&["--all"])), (1, 1, 2));
    assert_eq!(motet(&["explore", &model, "--all", "--stop-at-first"]).status.code(), Some(2));
}

#[test]
fn hashes_for_states_leave_the_verdict_open() {
    let folder = Folder::new("compact");
    let model = folder.file("fine.cub", FINE);
    let output = motet(&["explore", &model, "--compact"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stdout(&output).contains("unknown: no violation found, but states were recognised by 64-bit hashes")
    );
    let broken = folder.file("counter.cub", COUNTER);
    let output = motet(&["explore", &broken, "--compact"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("invariant `small` (line 7), 4 steps"), "{}", stdout(&output));
}

/// The whole document but for time and memory.
#[test]
fn threads_change_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (model, processes) in [("benches/peers/german.cub", "4"), ("examples/mutex-broken.cub", "4")] {
        let model = root.join(model).to_string_lossy().into_owned();
        let document = |workers: &str| {
            let output = motet(&[
                "explore",
                &model,
                "-n",
                processes,
                "--no-symmetry",
                "--all",
                "-j",
                workers,
                "--format",
                "json",
            ]);
            let mut document: Value = serde_json::from_slice(&output.stdout).unwrap();
            let stats = document["stats"].as_object_mut().unwrap();
            assert!(stats.remove("seconds").is_some() && stats.remove("bytes_per_state").is_some());
            document
        };
        let alone = document("1");
        assert!(alone["stats"]["states"].as_u64().unwrap() > 100, "{alone}");
        assert!(["2", "3", "7"].iter().all(|workers| document(workers) == alone), "{model}");
    }
}

/// What is there for nothing: a transition that is never taken, a variable that never changes.
#[test]
fn what_never_happens_is_remarked() {
    let folder = Folder::new("never");
    let model =
        folder.file("counter.cub", COUNTER.replace("invariant small { X = 4 }\nunsafe { X = 6 }\n", ""));
    let remarks = stderr(&motet(&["explore", &model]));
    assert!(remarks.contains("remark: `never` is never taken with 2 processes"), "{remarks}");
    assert!(remarks.contains("remark: `Idle` never changes with 2 processes"), "{remarks}");
    assert_eq!(remarks.matches("never").count(), 3, "nothing else does: {remarks}");
    let output = motet(&["explore", &model, "--format", "json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let codes: Vec<&str> =
        document["remarks"].as_array().unwrap().iter().filter_map(|note| note["code"].as_str()).collect();
    assert_eq!(codes, ["stuck", "never-taken", "never-changes"]);
    // A token that only goes round among alike processes does change.
    let token = folder.file(
        "token.cub",
        "var On : bool\nvar Owner : proc\ninit { On = False }\ntransition pass (i j) requires { Owner = i } { Owner := j; On := True }\n",
    );
    let output = motet(&["explore", &token, "-n", "3"]);
    assert!(!stderr(&output).contains("never"), "{}", stderr(&output));
}
