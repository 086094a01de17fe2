//! Views of the models of the project, and of small ones that each show a case which random models hardly ever meet.
//!
//! Every view of every state that can be reached must be in the set, and what is proved must not be violated.

use explore::Deadline;
use explore::DeadlockPolicy;
use explore::Limits;
use instance::exploration;
use instance::states::{Walk, reachable};
use ir::Model;
use source::Source;
use std::path::{Path, PathBuf};
use std::time::Duration;
use views::{AbstractionLevel, Found, Options, ProofOptions, Reason, Verdict, Views};

const TIME: Duration = Duration::from_secs(2);

fn load(name: &str, text: &str) -> Option<Model> {
    model::load(&Source::new(name, text)).model.filter(|model| !model.is_weak())
}

fn limits(states: usize) -> Limits {
    Limits { states: Some(states), time: Some(TIME), ..Limits::default() }
}

/// All views, if the search comes to an end. Without properties, which would end it early.
fn all_views(model: &Model, size: usize, level: AbstractionLevel) -> Option<Views> {
    let model = Model { properties: vec![], ..model.clone() };
    let options = Options { size, level, limits: limits(5_000), threads: 1.into(), progress: None };
    match views::search(&model, &options) {
        Ok((Found::Closed(views), _)) => Some(*views),
        _ => None,
    }
}

/// Looks up all views of all states of small instances. How many searches came to an end.
fn look_up(name: &str, model: &Model) -> usize {
    let mut closed = 0;
    for (size, level) in [
        (2, AbstractionLevel::Everything),
        (2, AbstractionLevel::LiveValues),
        (3, AbstractionLevel::LiveValues),
        (2, AbstractionLevel::Context(0)),
        (3, AbstractionLevel::Context(0)),
    ] {
        let Some(mut views) = all_views(model, size, level) else { continue };
        closed += 1;
        let least = model.min_processes().max(u32::try_from(size).expect("small"));
        for processes in least..=model.max_processes.unwrap_or(4).min(4) {
            let Some(table) = reachable(model, processes, Walk::Breadth, &limits(3_000)) else { continue };
            let missing = views.missing(&table, processes as usize);
            assert_eq!(missing, None, "{name}, size {size}, {level:?}: a state of {processes} processes");
        }
    }
    closed
}

fn violated(model: &Model, processes: u32) -> Option<String> {
    let options = exploration::Options {
        deadlock: DeadlockPolicy::Ignore,
        limits: limits(20_000),
        ..exploration::Options::new(processes)
    };
    let findings = exploration::explore(model, &options).findings;
    findings.into_iter().find(explore::Finding::is_violation).map(|finding| finding.name)
}

fn prove(model: &Model, size: Option<usize>) -> Verdict {
    let options =
        ProofOptions { size, limits: limits(20_000), brief: false, threads: 1.into(), progress: None };
    views::prove(model, &options).verdict
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds(_) => "holds",
        Verdict::Violated(_) => "violated",
        Verdict::Unknown(Reason::Coarse { .. }) => "coarse",
        Verdict::Unknown(Reason::Unsupported(_)) => "unsupported",
        Verdict::Unknown(Reason::NoCertificate(_)) => "no certificate",
        Verdict::Unknown(_) => "unknown",
    }
}

/// The models of a folder and its subfolders, except for the protocols among the examples, which are large.
fn files(folder: &str) -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && !path.ends_with("protocols") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "cub") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[test]
fn the_models_of_the_project() {
    let (mut closed, mut proved) = (0, 0);
    for file in files("tests/models").into_iter().chain(files("examples")) {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).expect("readable");
        let Some(model) = load(&name, &text) else { continue };
        closed += look_up(&name, &model);
        let verdict = prove(&model, None);
        if let Verdict::Holds(_) = verdict {
            proved += 1;
            for processes in model.min_processes()..=model.max_processes.unwrap_or(3).min(3) {
                assert_eq!(violated(&model, processes), None, "{name} with {processes} processes");
            }
        }
    }
    println!("{closed} searches came to an end, {proved} models were proved");
    assert!(closed > 250 && proved > 60, "{closed} searches came to an end, {proved} models were proved");
}

fn model_of_the_project(file: &str) -> Model {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    let text = std::fs::read_to_string(&file).expect("readable");
    load("model.cub", &text).expect("a model")
}

const DIRECTORY: &str = "tests/models/proofs/directory-that-views-prove.cub";

/// All views in the order in which they were found, and what was counted.
fn found_by(threads: usize, model: &Model, level: AbstractionLevel, steps: Option<usize>) -> String {
    let limits = Limits { steps, ..Limits::default() };
    let options = Options { size: 2, level, limits, threads: threads.into(), progress: None };
    let (found, mut statistics) = views::search(model, &options).expect("supported");
    statistics.time = Duration::ZERO;
    match found {
        Found::Closed(views) => format!("{:?} {statistics:?}", views.table(&Deadline::default())),
        found => format!("{found:?} {statistics:?}"),
    }
}

#[test]
fn threads_make_no_difference() {
    let coarse = (AbstractionLevel::Visible(2), None);
    let limited = (AbstractionLevel::LiveValues, Some(20_000));
    for file in [DIRECTORY, "examples/german.cub", "examples/mutex-broken.cub"] {
        let model = model_of_the_project(file);
        for (level, steps) in [
            coarse,
            limited,
            (AbstractionLevel::LiveValues, None),
            (AbstractionLevel::Context(0), Some(50_000)),
        ] {
            let alone = found_by(1, &model, level, steps);
            for threads in [2, 5] {
                assert!(
                    alone == found_by(threads, &model, level, steps),
                    "{file}, {level:?}, {threads} threads"
                );
            }
        }
    }
}

/// Small models, each with what must come out of it with views of two members, and of three if that differs.
const CASES: [(&str, &str, &str, &str); 15] = [
    (
        "who takes a step may itself be the one that must exist",
        "array Has[proc] : bool
         array Done[proc] : bool
         init (i) { Has[i] = False && Done[i] = False }
         unsafe (i) { Has[i] = True && Done[i] = True }
         transition take (i) requires { Has[i] = False && Done[i] = False && forall_other j. Has[j] = False } { Has[i] := True }
         transition act (i) requires { exists j. Has[j] = True } { Done[i] := True }",
        "violated",
        "violated",
    ),
    (
        "an outside pointer turns out to be the new member",
        "type t = A | B
         var X : proc
         array S[proc] : t
         init (i) { S[i] = A }
         unsafe (i j) { S[i] = B && S[j] = B }
         transition go (i) requires { X = i } { S[i] := B }",
        "holds",
        "holds",
    ),
    (
        "the process that a pointer holds may act while two others are watched",
        "type t = A | B
         var X : proc
         var Y : proc
         var Done : bool
         array S[proc] : t
         init (i) { S[i] = A && Done = False }
         unsafe (i j) { Done = True && X <> i && X <> j }
         transition go (i) requires { X = i && S[i] = A } { Done := True; S[i] := B }",
        "violated",
        "violated",
    ),
    (
        "two cells may point to the same process, and a global is made to point there",
        "var X : proc
         var Set : bool
         array Next[proc] : proc
         init { Set = False }
         unsafe (i j) { Set = True && Next[i] = X && Next[j] = X }
         transition copy (i) requires { Set = False && Next[i] <> i } { X := Next[i]; Set := True }",
        "violated",
        "violated",
    ),
    (
        "an unknown value is learnt through another view",
        "type t = A | B
         var G : t
         var Stage : bool
         array S[proc] : t
         init { Stage = False }
         unsafe (i j) { Stage = True && G = A && S[i] = B && S[j] = A }
         transition learn (i) requires { Stage = False } { G := S[i]; Stage := True }",
        "violated",
        "violated",
    ),
    (
        "a chain of pointers is followed through a process that is not watched",
        "type t = A | B
         var X : proc
         array Next[proc] : proc
         array S[proc] : t
         init (i) { S[i] = A }
         unsafe (i) { S[i] = B && X <> i }
         transition go () requires { S[Next[X]] = A } { S[Next[X]] := B }",
        "violated",
        "violated",
    ),
    (
        "processes are in an order that has no cycles",
        "type t = A | B
         array S[proc] : t
         init (i) { S[i] = A }
         unsafe (i j) { i < j && S[i] = B && S[j] = A }
         transition go (i) requires { S[i] = A && forall_other j. (i < j => S[j] = B) } { S[i] := B }",
        "holds",
        "holds",
    ),
    (
        "abstract values that are equal in every two views are equal",
        "type data
         var M : data
         array D[proc] : data
         init (i) { D[i] = M }
         unsafe (i j) { D[i] <> D[j] }
         transition write (i) { M := ?; D[k] := case | _ : M }",
        "holds",
        "holds",
    ),
    (
        "any value may be one that a process has which is not watched",
        "type data
         var M : data
         var N : data
         array D[proc] : data
         init { M <> N }
         unsafe (i) { M = N && D[i] = M }
         transition any (i) requires { M <> N } { M := D[i]; N := ? }",
        "violated",
        "violated",
    ),
    (
        "a lock lets one process in at a time",
        "type t = Out | Try | In
         var L : lock
         array S[proc] : t
         init (i) { S[i] = Out }
         unsafe (i j) { S[i] = In && S[j] = In }
         transition take ([i]) requires { S[i] = Out } { acquire(L, i); S[i] := Try }
         transition enter ([i]) requires { S[i] = Try } { S[i] := In }
         transition leave ([i]) requires { S[i] = In } { release(L, i); S[i] := Out }",
        "holds",
        "holds",
    ),
    (
        "kinds are known before anything that depends on them",
        "type reader < proc
         type writer < proc
         array Next[proc] : proc
         var On : bool
         init { On = False }
         unsafe (i j) { On = True && Next[i] = j && Next[j] = i }
         transition send ([i : writer]) requires { Next[Next[i]] = i && On = False } { Next[i] := i }",
        "holds",
        "holds",
    ),
    (
        "two cells point to the same process, and a global that was outside of the run does so next",
        "var X : proc
         var Set : bool
         array Next[proc] : proc
         init (i) { X <> i && Set = False }
         unsafe (i j) { Set = True && Next[i] = X && Next[j] = X }
         transition copy (i) requires { Set = False && Next[i] <> i } { X := Next[i]; Set := True }",
        "violated",
        "violated",
    ),
    (
        "an arm that depends on processes outside may apply or not",
        "type t = A | B
         var Done : bool
         var Some : bool
         array S[proc] : t
         init { Done = False && Some = False }
         unsafe { Done = True && Some = False }
         transition look () requires { Done = False }
         { Some := case | exists j. S[j] = B : True | _ : False; Done := True }",
        "violated",
        "violated",
    ),
    (
        "a process that is not watched becomes one that violates a guard about all",
        "type t = A | B
         array S[proc] : t
         array In[proc] : bool
         init (i) { S[i] = A && In[i] = True }
         unsafe (i j) { S[i] = B && S[j] = B }
         transition leave (i) requires { S[i] = A && forall j. In[j] = True } { S[i] := B; In[i] := False }",
        "holds",
        "holds",
    ),
    (
        "three processes at once",
        "type t = A | B
         array S[proc] : t
         init (i) { S[i] = A }
         unsafe (i j k) { S[i] = B && S[j] = B && S[k] = B }
         transition first (i) requires { forall_other j. S[j] = A } { S[i] := B }",
        "holds",
        "holds",
    ),
];

#[test]
fn small_cases() {
    let mut wrong = Vec::new();
    for (name, text, two, three) in CASES {
        let Some(model) = load(name, text) else {
            wrong.push(format!("{name}: no model"));
            continue;
        };
        look_up(name, &model);
        for (size, expected) in [(2, two), (3, three)] {
            let got = word(&prove(&model, Some(size)));
            if got != expected {
                wrong.push(format!("{name}, size {size}: {got}, expected {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
