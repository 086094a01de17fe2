//! What commands write: pictures and traces, whole or not at all, whatever happens on the way.

mod folder;

use folder::Folder;
use serde_json::Value;
use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

/// The names of all files in it.
fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(&folder.0).unwrap();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

fn example(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join(name).to_string_lossy().into_owned()
}

fn broken() -> String {
    example("examples/mutex-broken.cub")
}

fn motet(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_motet")).args(arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The file cannot be written: exit code 2 and a sentence. Where that can be known before the search, there is none; else the
/// verdict is told.
fn cannot_write(file: &str, part: &str, before: bool) {
    for flag in ["--trace", "--diagram", "--graph"] {
        // A device has no ending, and only traces need none.
        if flag != "--trace" && !file.to_ascii_lowercase().ends_with(".svg") {
            continue;
        }
        let output = motet(&["explore", &broken(), "-n", "2", flag, file]);
        assert_eq!(output.status.code(), Some(2), "{flag} {file}");
        let message = stderr(&output);
        assert!(message.contains(&format!("cannot write `{file}`")) && message.contains(part), "{message}");
        let told = stdout(&output);
        assert!(
            if before { told.is_empty() } else { told.starts_with("violated with 2 processes") },
            "{told}"
        );
    }
}

#[test]
fn pictures_are_drawn_by_every_command_that_has_a_trace() {
    let folder = Folder::new("pictures");
    let [diagram, again, hunted, graph, dot, trace] =
        ["d.svg", "again.svg", "hunted.svg", "g.SVG", "g.dot", "t.itf.json"].map(|name| folder.path(name));
    let model = broken();
    let explored =
        motet(&["explore", &model, "-n", "2", "--diagram", &diagram, "--graph", &graph, "--trace", &trace]);
    assert_eq!(explored.status.code(), Some(1), "{}", stderr(&explored));
    assert_eq!(motet(&["explore", &model, "-n", "2", "--graph", &dot]).status.code(), Some(1));
    assert_eq!(motet(&["replay", &trace, "--diagram", &again]).status.code(), Some(1));
    assert_eq!(motet(&[&model, "--diagram", &hunted]).status.code(), Some(1));

    let read = |file: &str| fs::read_to_string(file).unwrap();
    assert!(read(&diagram).contains(">enter(#2)</text>"));
    assert_eq!(read(&diagram), read(&again), "a replay draws the same picture");
    assert!(read(&hunted).contains("<svg"));
    assert!(read(&graph).contains("violates `unsafe1`"));
    assert!(read(&dot).starts_with("digraph {"));
    assert_eq!(names(&folder).len(), 6, "nothing else is left behind: {:?}", names(&folder));
}

#[test]
fn without_a_violation_there_is_no_diagram() {
    let folder = Folder::new("none");
    let output = motet(&["explore", &example("examples/mutex.cub"), "--diagram", &folder.path("d.svg")]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("no violation, hence no diagram"), "{}", stderr(&output));
    assert!(names(&folder).is_empty());
}

#[test]
fn other_endings_are_refused_before_anything_is_done() {
    let folder = Folder::new("endings");
    for (flag, file, part) in [
        ("--graph", "g.png", ".svg or .dot"),
        ("--graph", "graph", ".svg or .dot"),
        ("--diagram", "d.dot", "must end in .svg"),
    ] {
        let output = motet(&["explore", &broken(), flag, &folder.path(file)]);
        assert_eq!(output.status.code(), Some(2), "{flag} {file}");
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
        assert!(stdout(&output).is_empty());
    }
}

#[test]
fn states_are_drawn_in_groups_or_as_far_as_they_are_wanted() {
    let folder = Folder::new("groups");
    let model = example("examples/german.cub");
    let graph = |name: &str, flags: &[&str]| {
        let file = folder.path(name);
        let output = motet(&[&["explore", &model, "-n", "2", "--graph", &file], flags].concat());
        (output.status.code(), stderr(&output), fs::read_to_string(&file).unwrap_or_default())
    };
    // 753 states are too many for a picture, and 7 groups are not.
    let (code, message, _) = graph("all.svg", &[]);
    assert!(code == Some(2) && message.contains("`--graph-group Order` gives 7 groups"), "{message}");
    let (code, _, text) = graph("order.svg", &["--graph-group", "Order"]);
    assert!(code == Some(0) && text.contains("753 states, up to permutation in 7 groups"), "{text}");
    assert!(text.contains("Order = Silence: 2"), "{text}");
    let (code, _, text) = graph("two.dot", &["--graph-group", "Serving,SomeExclusive"]);
    assert!(code == Some(0) && text.contains("Serving = Nothing, SomeExclusive = True"), "{text}");
    let (code, _, text) = graph("some.svg", &["--graph-where", "exists i. Cache[i] = Exclusive"]);
    assert!(code == Some(0) && text.contains("81 states"), "{text}");
    // A name tells processes apart.
    let (code, _, text) = graph("one.svg", &["--graph-where", "Cache[#1] = Exclusive"]);
    assert!(code == Some(0) && text.contains(": 81 states<"), "{text}");
    let (code, message, _) = graph("wrong.svg", &["--graph-group", "Cash"]);
    assert!(code == Some(2) && message.contains("`Cache`"), "{message}");
    let (code, message, _) = graph("wrong.svg", &["--graph-where", "Cash = 1"]);
    assert!(code == Some(2) && message.contains("the formula cannot be read"), "{message}");
}

#[test]
fn a_crowded_graph_is_folded() {
    let folder = Folder::new("crowded");
    let file = folder.path("g.svg");
    motet(&["explore", &example("examples/philosophers.cub"), "-n", "3", "--graph", &file]);
    let text = fs::read_to_string(&file).unwrap();
    let width: f64 = text.split_once("width=\"").unwrap().1.split_once('"').unwrap().0.parse().unwrap();
    assert!(width < 2500.0, "{width}");
    assert!(text.contains("class=\"colour0\"") && text.contains("<title>take_left(#1)</title>"));
}

#[test]
fn a_graph_that_is_too_large_leaves_the_verdict() {
    let folder = Folder::new("large");
    let model = example("examples/german.cub");
    let output = motet(&["explore", &model, "-n", "3", "--graph", &folder.path("g.svg")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).starts_with("holds for 3 processes"), "{}", stdout(&output));
    let message = stderr(&output);
    assert!(message.contains("up to 400 states") && message.contains("`-n 1` gives "), "{message}");

    let output = motet(&["explore", &model, "--format", "json", "--graph", &folder.path("g.dot")]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["verdict"], "holds");
    let message = document["reason"].as_str().unwrap();
    assert!(message.contains("up to 2000 states"), "{message}");
    assert!(names(&folder).is_empty());
}

#[test]
fn a_missing_folder_is_named() {
    let folder = Folder::new("missing");
    cannot_write(&folder.path("nowhere/x.svg"), "there is no folder", true);
    assert!(names(&folder).is_empty());
}

#[test]
fn a_folder_is_no_file() {
    let folder = Folder::new("folder");
    fs::create_dir(folder.0.join("x.svg")).unwrap();
    cannot_write(&folder.path("x.svg"), "directory", true);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::{
        io::Read,
        os::unix::fs::{FileTypeExt, PermissionsExt, symlink},
        process::{Child, Stdio},
        thread::sleep,
        time::{Duration, Instant},
    };

    #[test]
    fn a_full_disk_is_an_error_and_devices_stay_devices() {
        let full = Path::new("/dev/full");
        if !full.exists() {
            return println!("skipped: there is no /dev/full");
        }
        cannot_write("/dev/full", "space", false);
        assert!(fs::metadata(full).unwrap().file_type().is_char_device());
        let output = motet(&["explore", &broken(), "--trace", "/dev/null"]);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }

    #[test]
    fn a_protected_file_is_left_alone() {
        let folder = Folder::new("protected");
        let file = folder.path("x.svg");
        fs::write(&file, "mine").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
        if fs::OpenOptions::new().append(true).open(&file).is_ok() {
            return println!("skipped: this user may write to everything");
        }
        cannot_write(&file, "ermission denied", true);
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
        assert_eq!(names(&folder), ["x.svg"]);
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = Folder::new("link");
        folder.file("real.svg", "old");
        symlink("real.svg", folder.0.join("x.svg")).unwrap();
        assert_eq!(motet(&["explore", &broken(), "--diagram", &folder.path("x.svg")]).status.code(), Some(1));
        assert!(fs::symlink_metadata(folder.0.join("x.svg")).unwrap().is_symlink());
        assert!(fs::read_to_string(folder.0.join("real.svg")).unwrap().contains("<svg"));
    }

    #[test]
    fn a_reader_that_goes_away_hears_no_complaint() {
        let command = format!("{} explore {} | head -1", env!("CARGO_BIN_EXE_motet"), broken());
        let output = Command::new("sh").args(["-c", &command]).output().unwrap();
        assert_eq!(stdout(&output), "violated with 3 processes\n");
        assert_eq!(stderr(&output), "");
    }

    /// A run that goes on for ever.
    fn endless(trace: &str) -> Child {
        let model = example("tests/models/locks/producer-consumer-without-bound.cub");
        Command::new(env!("CARGO_BIN_EXE_motet"))
            .args(["explore", &model, "--limit-memory", "2G", "--trace", trace])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    }

    fn signal(child: &Child, name: &str) {
        let status = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    #[test]
    fn ctrl_c_ends_with_what_is_known() {
        let folder = Folder::new("interrupt");
        let mut child = endless(&folder.path("t.json"));
        sleep(Duration::from_millis(500));
        let started = Instant::now();
        signal(&child, "-INT");
        assert_eq!(child.wait().unwrap().code(), Some(3));
        assert!(started.elapsed() < Duration::from_secs(20));
        let mut told = String::new();
        child.stdout.take().unwrap().read_to_string(&mut told).unwrap();
        assert!(told.starts_with("unknown: ") && told.contains("states"), "{told}");
        assert!(names(&folder).is_empty());
    }

    #[test]
    fn a_run_that_is_killed_leaves_what_was_there() {
        let folder = Folder::new("killed");
        folder.file("t.json", "from before");
        let mut child = endless(&folder.path("t.json"));
        sleep(Duration::from_millis(300));
        signal(&child, "-KILL");
        assert_eq!(child.wait().unwrap().code(), None);
        assert_eq!(fs::read_to_string(folder.0.join("t.json")).unwrap(), "from before");
    }
}
