//! What surrounds a test of a C program: formats for servers, replays by hand and in gdb, watching, bad input.

mod folder;

use folder::Folder;
use serde_json::Value;
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
};

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// Whether programs can be tested here.
fn is_possible() -> bool {
    let supported = cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"));
    let possible = supported && has("gcc");
    if !possible {
        eprintln!("skipped: no compiler, or not Linux on x86-64");
    }
    possible
}

fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_motet"));
    command.args(arguments).current_dir(&folder.0).stdin(Stdio::null());
    command
}

/// The exit code, standard output and standard error.
fn told(mut command: Command) -> (i32, String, String) {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().expect("it is not killed"), text(&output.stdout), text(&output.stderr))
}

fn motet(folder: &Folder, arguments: &[&str]) -> (i32, String, String) {
    told(command(folder, arguments))
}

const COUNTER: &str = "#include <pthread.h>
#include <stdlib.h>
int counter;
void *add(void *unused) { counter++; return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    counter++;
    pthread_join(thread, 0);
    if (counter != 2) abort();
}
";

#[test]
fn servers_get_what_they_read() {
    if !is_possible() {
        return;
    }
    let folder = Folder::new("program-formats");
    folder.file("counter.c", COUNTER);
    let (code, out, _) = motet(&folder, &["test", "counter.c", "--format", "junit"]);
    assert!(code == 1 && out.contains("<failure type=\"abort\""), "{out}");
    let (_, out, _) = motet(&folder, &["test", "counter.c", "--format", "sarif"]);
    let document: Value = serde_json::from_str(&out).unwrap();
    let results = document["runs"][0]["results"].as_array().unwrap();
    let abort = results.iter().find(|result| result["ruleId"] == "abort").unwrap();
    let place = &abort["locations"][0]["physicalLocation"];
    assert_eq!(
        (&place["artifactLocation"]["uri"], &place["region"]["startLine"]),
        (&"counter.c".into(), &10.into())
    );
    let step = &abort["codeFlows"][0]["threadFlows"][0]["locations"][0]["location"];
    assert_eq!(step["physicalLocation"]["artifactLocation"]["uri"], "counter.c", "{step:#}");
    // Nothing was run to the end: red, whatever the reason.
    let endless = "int main(void) { volatile int x = 1; while (x) x = 1; }";
    folder.file("endless.c", endless);
    for format in ["junit", "sarif"] {
        let (code, out, _) = motet(&folder, &["test", "endless.c", "--limit-time", "1", "--format", format]);
        let red = out.contains("<error") || out.contains("\"executionSuccessful\": false") || code == 1;
        assert!(code != 0 && red, "{code} {out}");
    }
}

#[test]
fn a_schedule_by_hand_tells_what_each_step_touches() {
    if !is_possible() {
        return;
    }
    let folder = Folder::new("program-schedule");
    folder.file("counter.c", COUNTER);
    let arguments = ["test", "counter.c", "--visible", "all", "--schedule", "0 0 1 1 0 0"];
    let (code, out, _) = motet(&folder, &arguments);
    assert!(code == 1 || code == 3, "{code} {out}");
    assert!(
        out.contains("read counter at counter.c:4") && out.contains("write counter at counter.c:8"),
        "{out}"
    );
    let (code, out, err) = motet(&folder, &["test", "counter.c", "--schedule", "0 7"]);
    assert!(code == 3 && (out + &err).contains("deviates after"), "{code}");
    let (code, _, err) = motet(&folder, &["test", "counter.c", "--schedule", "0 x"]);
    assert!(code == 2 && err.contains("`x` is not a step of a schedule"), "{code} {err}");
}

/// Writes the trace of the abort.
fn record(folder: &Folder, file: &str) {
    let (code, out, err) = motet(folder, &["test", file, "--ignore", "race", "--trace", "run.json"]);
    assert!(code == 1, "{out} {err}");
}

#[test]
fn traces_survive_recompilation_unless_the_code_has_changed() {
    if !is_possible() {
        return;
    }
    let folder = Folder::new("program-recompiled");
    folder.file("counter.c", COUNTER);
    record(&folder, "counter.c");
    let warning = "has changed since the trace was recorded";
    let (code, _, err) = motet(&folder, &["replay", "run.json"]);
    assert!(code == 1 && !err.contains(warning), "{err}");
    // Comments move lines, and change nothing.
    folder.file("counter.c", &format!("// A comment.\n\n{COUNTER}"));
    let (code, out, err) = motet(&folder, &["replay", "run.json"]);
    assert!(code == 1 && !err.contains(warning) && out.contains("counter.c:12"), "{code} {out} {err}");
    // The same program elsewhere.
    let elsewhere = Folder::new("program-recompiled-elsewhere");
    elsewhere.file("counter.c", COUNTER);
    fs::copy(folder.path("run.json"), elsewhere.path("run.json")).unwrap();
    assert_eq!(motet(&elsewhere, &["replay", "run.json"]).0, 1);
    // Mended: the run is not there any more, and the change is told.
    folder.file(
        "counter.c",
        &COUNTER.replace("counter++; return", "__sync_fetch_and_add(&counter, 1); return"),
    );
    let (code, _, err) = motet(&folder, &["replay", "run.json"]);
    assert!(code == 3 && err.contains(warning), "{code} {err}");
    // Another program altogether.
    folder.file("other.c", "int main(void) { return 0; }");
    let (code, out, err) = motet(&folder, &["replay", "run.json", "--model", "other.c"]);
    assert!(code == 3 && err.contains(warning), "{code} {out} {err}");
}

#[test]
fn gdb_stops_at_a_step() {
    if !is_possible() {
        return;
    }
    let folder = Folder::new("program-gdb");
    folder.file("counter.c", COUNTER);
    record(&folder, "counter.c");
    let without = command(&folder, &["replay", "run.json", "--gdb"]);
    if !has("gdb") {
        let (code, _, err) = told(without);
        assert!(code == 2 && err.contains("gdb is not installed"), "{err}");
        return;
    }
    let (code, _, err) = motet(&folder, &["replay", "run.json", "--gdb", "--at", "99"]);
    assert!(code == 2 && err.contains("and no step 99"), "{code} {err}");
    let mut child = command(&folder, &["replay", "run.json", "--gdb", "--at", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"bt\nprint counter\nkill\nquit\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    // Containers may forbid to trace processes.
    if String::from_utf8_lossy(&output.stderr).contains("ptrace") {
        eprintln!("skipped: processes cannot be traced here");
        return;
    }
    assert!(out.contains("counter.c:") && out.contains("$1 = "), "{out}");
}

#[test]
fn a_test_is_repeated_when_a_header_changes() {
    if !is_possible() {
        return;
    }
    let folder = Folder::new("program-watch");
    folder.file("limit.h", "#define LIMIT 1\n");
    folder
        .file("main.c", "#include <assert.h>\n#include \"limit.h\"\nint main(void) { assert(LIMIT > 1); }\n");
    let mut child = command(&folder, &["test", "main.c", "--watch"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line == "violated"));
    // The statistics come last.
    assert!(lines.any(|line| line.contains("schedule")));
    folder.file("limit.h", "#define LIMIT 2 // enough\n");
    assert!(lines.any(|line| line.starts_with("holds")));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    if !is_possible() {
        return;
    }
    let folder = Folder::new("program-bad");
    folder.file("wrong.c", "int main(void) { return undeclared; }\n");
    folder.file("no-main.c", "int f(void) { return 0; }\n");
    folder.file("fine.c", "int main(void) { return 0; }\n");
    folder.file("notes.txt", "no program\n");
    folder.file("fork.c", "#include <unistd.h>\nint main(void) { return fork() < 0; }\n");
    let cases: [(&[&str], i32, &str); 8] = [
        (&["test", "wrong.c"], 2, "undeclared"),
        (&["test", "no-main.c"], 2, "main"),
        (&["test", "missing.c"], 2, "cannot read `missing.c`"),
        (&["test", "notes.txt"], 2, "neither a source"),
        (&["test", "fork.c"], 3, "`fork` is not supported"),
        (&["test", "fine.c", "--invariant", "nobody"], 2, "there is no function `nobody`"),
        (&["test", "fine.c", "--trace", "/no/such/folder/t"], 2, "there is no folder"),
        (&["replay", "notes.txt"], 2, "is not a trace"),
    ];
    for (arguments, expected, reason) in cases {
        let (code, out, err) = motet(&folder, arguments);
        assert_eq!(code, expected, "{arguments:?} {out} {err}");
        assert!((out + &err).contains(reason), "{arguments:?} {err}");
    }
    for (variable, value) in [("MOTET_CC", "no-such-compiler"), ("PATH", "/no/such/folder")] {
        let mut missing = command(&folder, &["test", "fine.c"]);
        missing.env(variable, value);
        let (code, _, err) = told(missing);
        assert!(code == 2 && err.contains("compiler"), "{variable}: {code} {err}");
    }
}

/// Whatever cannot be written is told, and nothing half written is left.
#[test]
fn a_full_disk_is_told() {
    if !is_possible() || fs::metadata("/dev/full").is_err() {
        return;
    }
    let folder = Folder::new("program-full");
    folder.file("counter.c", COUNTER);
    let (code, _, err) = motet(&folder, &["test", "counter.c", "--trace", "/dev/full"]);
    assert!(code == 2 && err.contains("cannot write `/dev/full`"), "{code} {err}");
    let mut full = command(&folder, &["test", "counter.c"]);
    full.stdout(fs::File::options().write(true).open("/dev/full").unwrap());
    let (code, _, err) = told(full);
    assert!(code == 2 && err.contains("cannot write to standard output"), "{code} {err}");
    // No place for temporary files, nor for the runtime.
    for variable in ["TMPDIR", "XDG_CACHE_HOME"] {
        let mut nowhere = command(&folder, &["test", "counter.c"]);
        nowhere.env("TMPDIR", "/dev/full").env("HOME", "/dev/full").env(variable, "/dev/full");
        let (code, _, err) = told(nowhere);
        assert!(code == 2 && err.contains("cannot"), "{code} {err}");
    }
}

#[test]
fn invariants_may_be_a_file() {
    if !is_possible() {
        return;
    }
    let folder = Folder::new("program-invariants");
    folder.file(
        "pair.c",
        "#include <motet.h>\n#include <pthread.h>\nint x, y;\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
         static void *both(void *p) { pthread_mutex_lock(&m); x++; motet_point(); y++; pthread_mutex_unlock(&m); return p; }\n\
         int main(void) { pthread_t t; pthread_create(&t, 0, both, 0); if (motet_choose(2)) both(0); pthread_join(t, 0); }\n",
    );
    folder.file(
        "rules.c",
        "extern int x, y;\nstatic int least(int a) { return x >= a; }\nint equal(void) { return x == y; }\nint positive(void) { return least(0); }\n",
    );
    folder.file("weak.c", "extern int x, y;\nint close(void) { return x - y <= 1; }\n");
    let (code, out, err) = motet(&folder, &["test", "pair.c", "--invariant", "rules.c", "--trace", "t.json"]);
    assert!(code == 1 && out.contains("`equal` is not true") && !out.contains("positive"), "{out} {err}");
    let (code, out, err) = motet(&folder, &["replay", "t.json"]);
    assert!(code == 1 && out.contains("the invariant shows again"), "{out} {err}");
    let (code, out, err) = motet(&folder, &["test", "pair.c", "--invariant", "weak.c"]);
    assert!(code == 0, "{out} {err}");
    let (code, _, err) = motet(&folder, &["test", "pair.c", "--invariant", "both"]);
    assert!(code == 2 && err.contains("has parameters"), "{err}");
}

/// As in `make CC="motet cc"`: objects in one call, the executable in another.
#[test]
fn the_example_for_continuous_integration_works() {
    if !is_possible() || !has("make") {
        return;
    }
    let folder = Folder::new("program-make");
    let from = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/continuous-integration");
    for path in fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
        fs::copy(&path, folder.0.join(path.file_name().unwrap())).unwrap();
    }
    let motet = format!("MOTET={}", env!("CARGO_BIN_EXE_motet"));
    let run =
        |target: &str| Command::new("make").args([target, &motet]).current_dir(&folder.0).output().unwrap();
    let output = run("report.xml");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("holds: all 24 schedules"));
    assert!(fs::read_to_string(folder.path("report.xml")).unwrap().contains("failures=\"0\" errors=\"0\""));
    // A mistake makes it fail.
    let queue = fs::read_to_string(folder.path("queue.c")).unwrap();
    folder.file("queue.c", &queue.replace("while (queue->length == 0)", "if (queue->length == 1)"));
    assert!(!run("check").status.success());
}

/// What `configure` does: it runs what it has compiled.
#[test]
fn executables_run_by_hand() {
    if !is_possible() {
        return;
    }
    let folder = Folder::new("program-by-hand");
    folder.file(
        "file.c",
        "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"out\", \"w\"); return !f || fputs(\"x\", f) < 0 || fclose(f); }\n",
    );
    let (code, _, err) = motet(&folder, &["cc", "file.c", "-o", "file"]);
    assert!(code == 0, "{err}");
    assert!(Command::new(folder.path("file")).current_dir(&folder.0).status().unwrap().success());
    assert_eq!(fs::read_to_string(folder.path("out")).unwrap(), "x");
}
