//! Drives `motet step` over C programs, on a pipe: transcripts of sessions, traces that `motet replay` follows, rebuilding.

mod folder;
mod transcript;

use folder::Folder;
use serde_json::Value;
use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
};
use transcript::{hold_again, root};

/// Whether programs can be tested here.
fn is_possible() -> bool {
    let supported = cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"));
    let possible = supported && Command::new("gcc").arg("--version").output().is_ok();
    if !possible {
        eprintln!("skipped: no compiler, or not Linux on x86-64");
    }
    possible
}

/// The exit code and the output of a command in a folder, with lines as its input.
fn motet(folder: &Folder, arguments: &[&str], input: &str) -> (i32, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_motet"))
        .args(arguments)
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code().expect("it is not killed"), text)
}

/// Every session in `tests/step_programs` comes out as it is written there. `MOTET_BLESS=1` writes them anew.
#[test]
fn sessions_come_out_as_they_are_written() {
    if !is_possible() {
        return;
    }
    let folder = Folder::new("program-sessions");
    for from in ["examples/programs", "crates/motet/tests/step_programs"] {
        for path in fs::read_dir(root().join(from)).unwrap().map(|entry| entry.unwrap().path()) {
            if path.extension().is_some_and(|ending| ending == "c") {
                fs::copy(&path, folder.0.join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    let kept = root().join("crates/motet/tests/step_programs");
    let sessions = fs::read_dir(&kept).unwrap().map(|entry| entry.unwrap().path());
    let sessions: Vec<_> =
        sessions.filter(|path| path.extension().is_some_and(|ending| ending == "txt")).collect();
    assert!(!sessions.is_empty());
    for path in sessions {
        let before = fs::read_to_string(&path).unwrap();
        let (after, _) = hold_again(&before, &folder.0);
        if std::env::var_os("MOTET_BLESS").is_some() {
            fs::write(&path, &after).unwrap();
        } else {
            assert_eq!(after, before, "{}", path.display());
        }
    }
}

const COUNTER: &str = "#include <assert.h>
#include <pthread.h>
int counter;
void *add(void *unused) { counter++; return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    counter++;
    pthread_join(thread, 0);
    assert(counter == 2);
}
";

#[test]
fn a_run_that_is_saved_is_replayed_and_loaded() {
    if !is_possible() {
        return;
    }
    let folder = Folder::new("program-saved");
    folder.file("counter.c", COUNTER);
    // Both read before either writes.
    let lines = "main\nT1\nmain\nT1\nmain\nmain\nsave lost.json\n";
    let (code, said) = motet(&folder, &["step", "counter.c"], lines);
    assert!(code == 1 && said.contains("assertion"), "{code} {said}");
    let (code, said) = motet(&folder, &["replay", "lost.json"], "");
    assert!(code == 1 && said.contains("the assertion shows again"), "{code} {said}");
    let (code, said) = motet(&folder, &["step", "--load", "lost.json"], "print counter\n");
    assert!(
        code == 1 && said.contains("6 steps from `lost.json`") && said.contains("\n1\n"),
        "{code} {said}"
    );
    // A run that claims nothing is followed as well.
    motet(&folder, &["step", "counter.c"], "main\nsave begun.json\n");
    let (code, said) = motet(&folder, &["replay", "begun.json"], "");
    assert!(code == 0 && said.contains("it claims no violation"), "{code} {said}");
}

#[test]
fn an_edited_program_is_built_again_and_the_run_followed() {
    if !is_possible() {
        return;
    }
    let folder = Folder::new("program-edited");
    folder.file("counter.c", COUNTER);
    let mut child = Command::new(env!("CARGO_BIN_EXE_motet"))
        .args(["step", "counter.c"])
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"main\nmain\nsave signal\n").unwrap();
    while fs::metadata(folder.path("signal")).is_err() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    // One line more: the same steps, elsewhere.
    folder.file("counter.c", COUNTER.replace("int counter;", "\nint counter = 5;"));
    input.write_all(b"reload\nprint counter\n").unwrap();
    drop(input);
    let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(said.contains("all of 2 steps followed") && said.contains("\n6\n"), "{said}");
}

#[test]
fn answers_are_in_the_document() {
    if !is_possible() {
        return;
    }
    let folder = Folder::new("program-document");
    folder.file("counter.c", COUNTER);
    let (_, said) = motet(&folder, &["step", "counter.c", "--format", "json"], "T1\nstatus\n");
    let document: Value = serde_json::from_str(&said).unwrap();
    let thread = &document["answers"][2]["status"]["processes"][1];
    assert_eq!(thread["name"], "T1", "{document:#}");
}

#[test]
fn flags_that_a_model_does_not_take_are_refused() {
    let folder = Folder::new("program-flags");
    folder.file("m.cub", "var X : bool\ninit { X = False }\ntransition t () { X := True }\n");
    let (code, said) = motet(&folder, &["step", "m.cub", "-D", "N=1"], "");
    assert!(code == 2 && said.contains("a model takes no `-D`"), "{code} {said}");
}
