//! Every document is of the form that `docs/report.schema.json` describes.

mod folder;

use folder::Folder;
use serde_json::Value;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The document of a command. What is read from standard input are commands of the debugger.
fn document(arguments: &[&str]) -> Value {
    let mut child = Command::new(env!("CARGO_BIN_EXE_motet"))
        .args(arguments)
        .args(["--format", "json"])
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(b"random\nstatus\n");
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
}

fn schema() -> jsonschema::Validator {
    let text = fs::read_to_string(root().join("docs/report.schema.json")).unwrap();
    jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).expect("it is a schema")
}

#[test]
fn every_document_is_valid() {
    let folder = Folder::new("schema");
    let ends = folder.file(
        "ends.cub",
        "var X : int\ninit { X = 0 }\nunsafe { X = 9 }\ntransition t () requires { X < 3 } { X := X + 1 }\n",
    );
    let large = folder.file(
        "large.cub",
        "var X : int\ninit { X = 0 }\nunsafe { X > 0 }\ntransition t () { X := 900719925474099 + X + X + 9007199254740993 }\n",
    );
    let temporal = folder.file(
        "temporal.cub",
        "var X : bool\ninit { X = False }\nltl a { G \"X = False\" }\ntransition t () { X := False }\n",
    );
    let broken = folder.file("broken.cub", "type state = A\nvar X : stat\ninit { X = A }\n");
    let (run, lasso) = (folder.path("run.json"), folder.path("lasso.json"));
    let (trace, certificate) = (folder.path("t.json"), folder.path("certificate"));
    let examples = "examples/mutex-broken.cub";
    let schema = schema();
    for arguments in [
        &["check", "examples/mutex.cub", &broken, "nothing.cub"][..],
        &["fmt", "--check", "examples/mutex.cub", &broken],
        &["explore", "-n", "2", examples, "--trace", &trace],
        &["replay", &trace],
        &["test", "tests/programs/two-locks.c"],
        &["test", "tests/programs/lost-update.c", "--trace", &run],
        &["replay", &run],
        &["test", "tests/programs/counter.c"],
        &["test", "tests/programs/does-not-compile.c"],
        &["tests/programs/two-locks.c"],
        &["examples/sessions/turn-game.dcj"],
        &[
            "protocol",
            "check",
            "examples/sessions/three-party-choice.dcj",
            "--property",
            "F END",
            "--trace",
            &lasso,
        ],
        &["replay", &lasso],
        &["protocol", "check", "nothing.dcj"],
        &["protocol", "graph", "examples/sessions/turn-game.dcj"],
        &["step", examples],
        &["step", "tests/programs/two-locks.c"],
        &["explore", "-n", "2", "examples/producer-consumer-broken.cub", "--queues", "fifo"],
        &["explore", "--all", &ends, &large],
        &["explore", &temporal],
        &["explore", "-n", "9", "examples/peterson.cub"],
        &["explore", "-n", "2", "examples/spinlock-tso.cub"],
        &["fuzz", "--limit-steps", "20000", "--seed", "1", examples],
        &["prove", "examples/german.cub", "--certificate", &certificate],
        &["certify", &certificate, "examples/german.cub"],
        &["certify", &certificate],
        &["prove", "--method", "views", "examples/mutex.cub", "--deadlock", "report"],
        &["prove", "examples/mutex.cub", examples, &ends],
        &["prove", "examples/protocols/paxos.cub", "--limit-time", "0.2"],
        &[examples, "examples/mutex.cub", "nothing.cub"],
    ] {
        let document = document(arguments);
        let wrong: Vec<String> = schema.iter_errors(&document).map(|error| error.to_string()).collect();
        assert!(wrong.is_empty(), "{arguments:?}: {wrong:?}\n{document:#}");
    }
}

/// The schema is strict enough to notice what is not in it.
#[test]
fn what_the_schema_does_not_know_is_refused() {
    let schema = schema();
    let mut document = document(&["explore", "-n", "2", "examples/mutex-broken.cub"]);
    assert!(schema.is_valid(&document));
    document["trace"]["states"][0]["Taken"] = Value::from(0.5);
    assert!(!schema.is_valid(&document), "a number that ITF does not have");
    document["trace"] = Value::Null;
    assert!(schema.is_valid(&document));
    document["verdict"] = "safe".into();
    assert!(!schema.is_valid(&document), "a verdict that there is not");
}
