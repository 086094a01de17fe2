//! `motet prove`: what its flags do.

mod folder;

use folder::Folder;
use serde_json::Value;
use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

/// No invariant in the language says that X stays even.
const ENDLESS: &str = "
var X : int
init { X = 0 }
unsafe { X = 7 }
transition up () { X := X + 2 }
transition down () { X := X - 2 }
";

fn motet(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_motet")).args(arguments).output().expect("the command runs")
}

fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).display().to_string()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The document without what differs from run to run.
fn document(arguments: &[&str]) -> Value {
    let output = motet(&[arguments, &["--format", "json"]].concat());
    let mut document: Value = serde_json::from_slice(&output.stdout).expect("a document");
    document["stats"]["seconds"] = Value::Null;
    document
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = Folder::new("threads");
    for (name, flags) in [
        ("german.cub", &[][..]),
        ("german.cub", &["--brab", "off", "--limit-states", "300"]),
        ("mutex-broken.cub", &["--brab", "off"]),
        ("mesi.cub", &["--brab", "2", "--search", "dfs"]),
        ("german.cub", &["--method", "views"]),
    ] {
        let file = example(name);
        let certified = |threads: &str| {
            let certificate = folder.path(&format!("{name}-{threads}"));
            let arguments = [&["prove", &file, "-j", threads, "--certificate", &certificate], flags].concat();
            let mut document = document(&arguments);
            document["certificate"] = Value::Null;
            let obligations = fs::read_dir(&certificate).into_iter().flatten().map(|entry| {
                let path = entry.expect("listed").path();
                (path.file_name().map(std::ffi::OsStr::to_owned), fs::read_to_string(path).expect("read"))
            });
            let mut obligations: Vec<_> = obligations.collect();
            obligations.sort();
            (document, obligations)
        };
        let alone = certified("1");
        assert_eq!(alone, certified("2"), "{name} {flags:?}");
        assert_eq!(alone, certified("5"), "{name} {flags:?}");
    }
}

#[test]
fn flags_that_a_method_does_not_look_at_are_refused() {
    let file = example("german.cub");
    for flags in [
        "--method views --brab 2",
        "--method views --oracle fuzz",
        "--method views --seed 1",
        "--method views --search dfs",
        "--method views --without union",
        "--method views --graph g.svg",
        "--view-size 3",
        "--method backward --view-size 3",
    ] {
        let output = motet(&[&["prove", &file], &flags.split(' ').collect::<Vec<_>>()[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{flags}");
        assert!(text(&output.stderr).contains("has no effect with `--method"), "{flags}");
    }
}

#[test]
fn views_prove_find_runs_and_say_what_they_cannot_follow() {
    let proved = document(&["prove", "--method", "views", "--view-size", "2", &example("german.cub")]);
    assert_eq!(proved["verdict"], "holds", "{proved}");
    assert!(proved["stats"]["views"].as_u64() > Some(50) && proved["stats"]["view_size"] == 2, "{proved}");
    let refuted = document(&["prove", "--method", "views", &example("mutex-broken.cub")]);
    assert_eq!(refuted["verdict"], "violated", "{refuted}");
    assert!(refuted["trace"].is_object(), "{refuted}");
    let folder = Folder::new("views");
    let real = "var X : real\ninit { X = 0. }\nunsafe { X = 7. }\ntransition up () { X := X + 2. }\n";
    let declined = motet(&["prove", "--method", "views", &folder.file("real.cub", real)]);
    assert_eq!(declined.status.code(), Some(3));
    assert!(text(&declined.stdout).contains("views do not support real numbers"), "{declined:?}");
    let coarse = motet(&["prove", "--method", "views", "--explain", &example("peterson.cub")]);
    assert_eq!(coarse.status.code(), Some(3));
    assert!(text(&coarse.stdout).contains("too coarse"), "{coarse:?}");
    assert!(
        text(&coarse.stdout).contains("\nwhy: ") && text(&coarse.stdout).contains("\ntry: "),
        "{coarse:?}"
    );
}

/// Where views leave what can be reached, and that what is said about it is of use.
#[test]
fn what_views_miss_is_an_invariant_to_try() {
    let file = example("protocols/clh-lock.cub");
    let output = motet(&["prove", "--method", "views", "--explain", &file]);
    let told = text(&output.stdout);
    assert!(told.contains("leads to a view that no state with 4 processes has:"), "{told}");
    let invariant = told.split("add `").nth(1).and_then(|rest| rest.split('`').next()).expect("one to try");
    let folder = Folder::new("gap");
    let model = fs::read_to_string(&file).unwrap();
    let model = folder.file("more.cub", format!("{model}\n{invariant}\n"));
    let explored = motet(&["explore", "-n", "4", &model]);
    assert_eq!(explored.status.code(), Some(0), "{invariant}: {}", text(&explored.stdout));
}

/// Nobody can write an invariant about the kinds of processes.
#[test]
fn what_cannot_be_written_is_not_advised() {
    let output = motet(&["prove", "--method", "views", "--explain", &example("readers-writers.cub")]);
    let told = text(&output.stdout);
    assert!(told.contains("processes has:") && told.contains("kind[k] = reader"), "{told}");
    assert!(!told.contains("add `"), "{told}");
}

#[test]
fn other_states_lead_to_other_candidates_and_the_same_verdict() {
    let file = example("german.cub");
    for oracle in [
        &["--oracle", "bfs"][..],
        &["--oracle", "dfs"],
        &["--oracle", "random", "--seed", "3"],
        &["--oracle", "bfs", "--oracle-depth", "12"],
        &["--oracle", "random", "--oracle-depth", "40", "--oracle-states", "3000", "--oracle-time", "5"],
        &["--oracle", "fuzz", "--seed", "3"],
    ] {
        let proved = document(&[&["prove", &file, "--brab", "2"], oracle].concat());
        assert_eq!(proved["verdict"], "holds", "{oracle:?}: {proved}");
    }
    let states = |flags: &[&str]| {
        // Candidates from a few states lead astray, and here only their number matters.
        let proved = document(&[&["prove", &file, "--brab", "2", "--limit-states", "100"], flags].concat());
        proved["stats"]["oracle_states"].as_u64().expect("counted")
    };
    let all = states(&[]);
    assert!(states(&["--oracle-depth", "5"]) < all && states(&["--oracle-states", "20"]) <= 40);
    assert_eq!(
        states(&["--oracle", "random", "--seed", "1"]),
        states(&["--oracle", "random", "--seed", "1"])
    );
    // Up to permutation, but not always the same one of a class.
    assert!(states(&["--oracle", "dfs"]) >= all);
}

#[test]
fn the_search_is_drawn() {
    let folder = Folder::new("graph");
    let [svg, dot, path] = ["g.svg", "g.dot", "p.dot"].map(|name| folder.path(name));
    assert_eq!(motet(&["prove", &example("german.cub"), "--graph", &svg]).status.code(), Some(0));
    let drawn = fs::read_to_string(&svg).expect("drawn");
    assert!(drawn.contains("<svg") && drawn.contains("violates `unsafe"), "{drawn}");
    let count = |detail: &str| {
        let arguments = ["prove", &example("german.cub"), "--graph", &dot, "--graph-detail", detail];
        assert_eq!(motet(&arguments).status.code(), Some(0), "{detail}");
        let drawn = fs::read_to_string(&dot).expect("drawn");
        (drawn.matches("tooltip=").count(), drawn.matches("subsumed by").count())
    };
    let (few, none) = count("path");
    let (kept, still_none) = count("invariant");
    let (more, reasons) = count("subsumed");
    assert!(few < kept && kept < more && none + still_none == 0 && reasons > 0);
    assert!(count("all").0 >= more);
    // The way to a violation stands out, from where it begins to what must not be.
    let broken = motet(&["prove", &example("mutex-broken.cub"), "--brab", "off", "--graph", &path]);
    assert_eq!(broken.status.code(), Some(1));
    let drawn = fs::read_to_string(&path).expect("drawn");
    assert!(drawn.contains("class=\"start\"") && drawn.contains("badedge"), "{drawn}");
}

#[test]
fn what_keeps_growing_is_explained() {
    let folder = Folder::new("explain");
    let output = motet(&[
        "prove",
        &folder.file("endless.cub", ENDLESS),
        "--limit-states",
        "60",
        "--brab",
        "off",
        "--explain",
    ]);
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(told.contains("why: constraints on the number `X` keep growing"), "{told}");
    assert!(told.contains("try: an `invariant` that compares `X`"), "{told}");
    let silent =
        motet(&["prove", &folder.file("endless.cub", ENDLESS), "--limit-states", "60", "--brab", "off"]);
    assert!(!text(&silent.stdout).contains("why:"));
}

#[test]
fn a_file_without_a_command_is_proved_in_the_end() {
    let folder = Folder::new("hunt");
    let proved = motet(&[&example("mutex.cub")]);
    let told = text(&proved.stdout);
    assert!(told.contains("holds for every number of processes"), "{told}");
    assert_eq!(proved.status.code(), Some(0));
    let endless = motet(&[&folder.file("endless.cub", ENDLESS), "--limit-time", "3"]);
    let told = text(&endless.stdout);
    assert_eq!(endless.status.code(), Some(3), "{told}");
    assert!(told.contains("no proof: the time is up"), "{told}");
}

#[test]
fn every_technique_can_be_left_out() {
    let file = example("german.cub");
    for technique in [
        "joint-subsumption",
        "deletion",
        "values",
        "postpone",
        "inference",
        "auxiliary-variables",
        "union",
        "witnesses",
    ] {
        let proved = document(&["prove", &file, "--without", technique]);
        assert_eq!(proved["verdict"], "holds", "{technique}");
    }
    let nodes = |flags: &[&str]| {
        document(&[&["prove", &file, "--brab", "off", "--limit-states", "4000"], flags].concat())["stats"]["nodes"]
            .as_u64()
    };
    assert!(nodes(&[]) < nodes(&["--without", "inference"]), "what it is for");
}

/// A number that `init` leaves open: one step leads to the bad state, with a value that is not among the few that are tried.
const FAR_AWAY: &str = "\
type where = Here | There
array At[proc] : where
var Far : int
init (p) { At[p] = Here }
unsafe (p) { At[p] = There && Far = 1000 }
transition go (p) requires { At[p] = Here && Far > 7 } { At[p] := There; Far := Far + 1 }
";

/// Two kinds of processes, of which one cannot do what a guard asks of all.
const KINDS: &str = "\
type mover < proc
type other < proc
array Moved[proc] : bool
var Done : bool
init (p) { Moved[p] = False && Done = False }
unsafe { Done }
transition move (p : mover) { Moved[p] := True }
transition finish () requires { forall p. Moved[p] } { Done := True }
";

#[test]
fn nothing_is_explained_that_is_not_so() {
    let folder = Folder::new("truth");
    let output = motet(&["prove", "--explain", &folder.file("far.cub", FAR_AWAY)]);
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{told}");
    assert!(!told.contains("but is not"), "a step leads there: {told}");
    assert!(told.contains("--range Far="), "{told}");
    let file = folder.file("kinds.cub", KINDS);
    for method in [&["--method", "views"][..], &[]] {
        let told = motet(&[&["prove", "--explain", &file], method].concat());
        let told = text(&told.stdout);
        assert!(!told.contains("kind["), "nobody can write that: {told}");
        for invariant in told.split("add `").skip(1).filter_map(|rest| rest.split('`').next()) {
            let more = folder.file("more.cub", format!("{KINDS}\n{invariant}\n"));
            let explored = motet(&["explore", "-n", "4", &more]);
            assert_eq!(explored.status.code(), Some(0), "{invariant}: {}", text(&explored.stdout));
        }
    }
}

#[test]
fn a_weak_model_is_certified_as_it_was_read() {
    let folder = Folder::new("sc");
    let certificate = folder.path("certificate");
    let certificate = certificate.as_str();
    let proved = document(&[
        "prove",
        "--memory",
        "sc",
        &example("spinlock-exchange.cub"),
        "--certificate",
        certificate,
    ]);
    assert_eq!(proved["verdict"], "holds", "{proved}");
    let manifest = fs::read_to_string(Path::new(certificate).join("manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    assert_eq!(manifest["model"]["memory"], "sc", "{manifest}");
    // With store buffers it is another certificate, which says how many slots it is about.
    let buffered = motet(&["prove", &example("spinlock-exchange.cub"), "--certificate", certificate]);
    assert_eq!(buffered.status.code(), Some(0), "{}", text(&buffered.stdout));
    let invariant = fs::read_to_string(Path::new(certificate).join("invariant.json")).expect("an invariant");
    assert!(invariant.contains("store_buffers"), "{invariant}");
    let certified = motet(&["certify", certificate, &example("spinlock-exchange.cub")]);
    assert_eq!(certified.status.code(), Some(0), "{}", text(&certified.stdout));
    let sequential = motet(&["certify", certificate, &example("spinlock-exchange.cub"), "--memory", "sc"]);
    // It is about another reading of the model, as the one before would be with buffers.
    assert_eq!(sequential.status.code(), Some(2), "{}", text(&sequential.stdout));
    assert!(text(&sequential.stderr).contains("about store buffers"), "{}", text(&sequential.stderr));
}
