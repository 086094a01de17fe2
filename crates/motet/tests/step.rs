//! Drives `motet step` on a pipe: transcripts of sessions, exit codes, JSON, traces that other commands write and read.

mod folder;
mod transcript;

use folder::Folder;
use serde_json::Value;
use std::{
    fs,
    io::Write,
    process::{Command, Output, Stdio},
};
use transcript::{hold_again, root};

fn example(name: &str) -> String {
    root().join("examples").join(name).to_string_lossy().into_owned()
}

fn motet(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_motet"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A session that does not begin reads nothing.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The exit code and the output.
fn step(arguments: &[&str], input: &str) -> (i32, String) {
    let output = motet(&[&["step"], arguments].concat(), input);
    (output.status.code().expect("it is not killed"), text(&output))
}

/// Every session in `tests/step` comes out as it is written there. `MOTET_BLESS=1` writes them anew.
#[test]
fn sessions_come_out_as_they_are_written() {
    let kept = root().join("crates/motet/tests/step");
    let folder = Folder::new("sessions");
    fs::create_dir_all(folder.0.join("examples")).unwrap();
    let examples = fs::read_dir(root().join("examples")).unwrap().map(|entry| entry.unwrap().path());
    for entry in examples.filter(|path| path.is_file()) {
        fs::copy(&entry, folder.0.join("examples").join(entry.file_name().unwrap())).unwrap();
    }
    let mut all = String::new();
    for path in fs::read_dir(&kept).unwrap().map(|entry| entry.unwrap().path()) {
        let before = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
        let (after, _) = hold_again(&before, &folder.0);
        if std::env::var_os("MOTET_BLESS").is_some() {
            fs::write(&path, &after).unwrap();
        } else {
            assert_eq!(after, before, "{}", path.display());
        }
        all += &after;
    }
    for topic in step::TOPICS {
        let used = |name: &str| {
            all.lines().any(|line| {
                line.split_once("> ").is_some_and(|(_, rest)| rest.split(' ').next() == Some(name))
            })
        };
        assert!(used(topic.name), "no session uses `{}`", topic.name);
    }
}

/// Types lines into a session, and does something between them.
fn edited(folder: &Folder, file: &str, before: &str, edit: impl FnOnce(), after: &str) -> (i32, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_motet"))
        .args(["step", file, "-n", "2"])
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let signal = folder.path("signal");
    // Once the file exists, the lines before it were read.
    input.write_all(format!("{before}save {signal}\n").as_bytes()).unwrap();
    while fs::metadata(&signal).is_err() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    edit();
    input.write_all(after.as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    (output.status.code().expect("it is not killed"), text(&output))
}

#[test]
fn an_edited_file_is_read_again_and_the_run_followed() {
    let folder = Folder::new("edited");
    let broken = fs::read_to_string(example("mutex-broken.cub")).unwrap();
    let file = folder.file("model.cub", &broken);
    let bad = "goto unsafe1\nwatch Taken\n";
    // Mended: a process that looks raises the flag at once.
    let mended = broken.replace("{ Loc[i] := Cleared }", "{ Loc[i] := Cleared; Taken := True }");
    assert_ne!(mended, broken);
    let (code, said) =
        edited(&folder, &file, bad, || fs::write(&file, &mended).unwrap(), "reload\nwatch\nstatus\n");
    assert!(said.contains("3 steps of 6 followed: look(#2) is not possible here"), "{said}");
    assert!(said.contains("1  Taken is True") && code == 0, "{said}");
}

#[test]
fn a_file_with_errors_does_not_end_the_session() {
    let folder = Folder::new("errors");
    let broken = fs::read_to_string(example("mutex-broken.cub")).unwrap();
    let file = folder.file("model.cub", &broken);
    let (code, said) = edited(
        &folder,
        &file,
        "ask(#1)\n",
        || fs::write(&file, "transition").unwrap(),
        "reload\nprint Loc[#1]\n",
    );
    assert!(said.contains("the session goes on with the file as it was"), "{said}");
    assert!(said.contains("Trying") && code == 2, "{said}");
}

#[test]
fn the_exit_code_tells_how_a_script_went() {
    let mutex = example("mutex-broken.cub");
    let at = |input: &str| step(&[&mutex, "-n", "2"], input).0;
    assert_eq!(at(""), 0);
    assert_eq!(at("// a comment\n\nask(#1)\n"), 0);
    assert_eq!(at("goto unsafe1\n"), 1);
    assert_eq!(at("goto unsafe1\nreset\n"), 0);
    assert_eq!(at("goto unsafe1\nnonsense\n"), 2);
    assert_eq!(at("quit\nnonsense\n"), 0);
    assert_eq!(step(&[&mutex, "-n", "2", "--limit-states", "3"], "goto unsafe1\n").0, 3);
    assert_eq!(step(&["nowhere.cub"], "").0, 2);
    assert_eq!(step(&[&mutex, "-n", "0"], "").0, 2);
    assert_eq!(step(&[], "").0, 2);
}

#[test]
fn lines_that_end_in_nothing_and_strange_bytes_are_survived() {
    let mutex = example("mutex-broken.cub");
    let (code, said) = step(&[&mutex, "-n", "2"], "ask(#1)\r\nstatus");
    assert!(code == 0 && said.contains("Loc = Trying"), "{said}");
    for line in [
        "\u{0}",
        "é",
        "goto \u{1f600}",
        "why é(#1)",
        ";",
        "transition ;;",
        "watch )",
        "#1",
        "t t t t",
        "execute 1 99999999999",
    ] {
        let (code, said) = step(&[&mutex, "-n", "2"], &format!("{line}\nall\n"));
        assert!(!said.contains("panicked"), "{line}: {said}");
        assert!(code == 2 || line == "transition ;;", "{line}: {code} {said}");
    }
    let child = motet(&["step", &mutex], "");
    assert_eq!(child.status.code(), Some(0));
}

#[test]
fn traces_go_from_command_to_command() {
    let folder = Folder::new("traces");
    let (model, file) = (example("philosophers.cub"), folder.path("run.itf.json"));
    let explored = motet(&["explore", &model, "-n", "2", "--trace", &file], "");
    assert_eq!(explored.status.code(), Some(1));
    // The trace says which model it is about, and how many processes there are.
    let (code, said) = step(
        &["--load", &file],
        "trace\nbacktrack 2\nsave SAVED\n".replace("SAVED", &folder.path("two")).as_str(),
    );
    assert!(code == 0 && said.contains("deadlock: nobody can go on"), "{said}");
    let replayed = motet(&["replay", &folder.path("two")], "");
    assert_eq!(replayed.status.code(), Some(0), "{}", text(&replayed));
    assert!(text(&replayed).contains("it claims no violation"));
    let again = folder.path("again");
    let (code, said) = step(&[&model, "-n", "2"], &format!("load {file}\nsave {again}\n"));
    assert_eq!(code, 1, "{said}");
    assert_eq!(motet(&["replay", &again], "").status.code(), Some(1));
    assert_eq!(step(&[&model, "-n", "3"], &format!("load {file}\n")).0, 2);
    assert_eq!(step(&["--load", &folder.path("nothing")], "").0, 2);
    assert_eq!(step(&["--load", &folder.file("text", "hello")], "").0, 2);
    let other =
        folder.file("other.cub", fs::read_to_string(&model).unwrap().replace("Thinking", "Pondering"));
    let (code, said) = step(&[&other, "--load", &file], "");
    assert!(code == 3 && said.contains("cannot be followed"), "{code} {said}");
}

#[test]
fn fuzzed_traces_are_opened_too() {
    let folder = Folder::new("fuzzed");
    let (model, file) = (example("philosophers.cub"), folder.path("run.itf.json"));
    let fuzzed = motet(&["fuzz", &model, "-n", "3", "--limit-steps", "20000", "--trace", &file], "");
    assert_eq!(fuzzed.status.code(), Some(1), "{}", text(&fuzzed));
    assert_eq!(step(&["--load", &file], "unsafe\n").0, 1);
}

#[test]
fn what_init_leaves_open_is_numbered() {
    let (code, said) = step(&[&example("peterson.cub"), "-n", "2"], "reset 2\nstatus\nreset 3\n");
    assert!(said.contains("at the start, initial state 2 of 2") && code == 2, "{said}");
}

#[test]
fn flags_mean_what_they_mean_elsewhere() {
    let weak = example("spinlock-tso.cub");
    let (code, said) =
        step(&[&weak, "-n", "2"], "transition raise(#1)\nstatus\ntransition flush(#1)\nstatus\n");
    assert!(code == 0 && said.contains("Flag[#1] := True"), "{said}");
    assert_eq!(step(&[&weak, "--memory", "sc"], "status\n").0, 0);
    let folder = Folder::new("ranges");
    let open = folder.file("open.cub", "var X : int\nvar On : bool\ninit { On = False && X < 3 && 0 < X }\ntransition go () requires { On = False } { On := True; X := X + 1 }\n");
    let (code, said) = step(&[&open, "-n", "1"], "");
    assert!(code == 3 && said.contains("--range X=-8..8") || code == 0, "{said}");
    let (code, said) = step(&[&open, "-n", "1", "--range", "X=0..2"], "reset 2\nall\nunsafe\n");
    assert!(code == 0 && said.contains("leaves the given ranges"), "{code} {said}");
    assert_eq!(step(&[&open, "--range", "Y=0..2"], "").0, 2);
    let mutex = example("mutex.cub");
    let run = |seed: &str| step(&[&mutex, "-n", "3", "--seed", seed], "random 20\n").1;
    assert_eq!(run("5"), run("5"));
    assert_ne!(run("5"), run("6"));
}

/// The document that is printed with `--format json`.
fn document(arguments: &[&str], input: &str) -> Value {
    let output = motet(&[&["step", "--format", "json"], arguments].concat(), input);
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

/// The answers in it.
fn answers(arguments: &[&str], input: &str) -> Vec<Value> {
    document(arguments, input)["answers"].as_array().expect("answers").clone()
}

#[test]
fn the_document_is_about_the_whole_session() {
    let document = document(&[&example("mutex-broken.cub"), "-n", "2"], "goto unsafe1\nstatus\n");
    assert_eq!((&document["command"], &document["verdict"]), (&"step".into(), &"violated".into()));
    assert_eq!(document["trace"]["states"].as_array().map(Vec::len), Some(7));
    assert_eq!(document["trace"]["#meta"]["processes"], 2);
    assert_eq!(motet(&["step", &example("mutex.cub"), "-q"], "status\n").stdout, b"");
}

#[test]
fn every_answer_is_in_the_document() {
    let input = "// a comment\nask(#1)\nwhy enter(#1)\nstauts\ngoto deadlock\nquit\n";
    let answers = answers(&[&example("mutex-broken.cub"), "-n", "2"], input);
    let field = |name: &str| answers.iter().map(|document| document[name].clone()).collect::<Vec<_>>();
    let commands = ["", "ask(#1)", "why enter(#1)", "stauts", "goto deadlock", "quit"];
    assert_eq!(field("command")[1..], commands[1..]);
    assert_eq!(answers[0]["command"], Value::Null);
    assert_eq!(field("answer")[..6], ["arrived", "moved", "why", "refused", "unreachable", "quit"]);
    assert_eq!(field("outcome")[..6], ["done", "done", "done", "refused", "done", "quit"]);
    assert_eq!(field("step")[..6], [0, 0, 1, 1, 1, 1]);
    let reason = &answers[2]["explanation"]["reasons"][0];
    assert_eq!(reason["condition"], "Loc[#1] = Cleared");
    assert_eq!(reason["location"]["start"]["line"], 28);
    assert_eq!(answers[3]["refusal"]["suggestion"], "status");
}

#[test]
fn answers_of_every_kind_can_be_serialised() {
    let transcript = fs::read_to_string(root().join("crates/motet/tests/step/every-command.txt")).unwrap();
    let typed = transcript.lines().filter_map(|line| line.split_once("> ")).map(|(_, line)| line);
    // What would write files has a transcript of its own.
    let input: Vec<&str> =
        typed.filter(|line| !line.starts_with("save") && !line.starts_with("load")).collect();
    let answers = answers(&[&example("mutex-broken.cub"), "-n", "2"], &(input.join("\n") + "\n"));
    assert_eq!(answers.len(), input.len() + 1);
    assert!(answers.iter().all(|document| document["answer"].is_string()));
}
