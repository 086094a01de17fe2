//! The schedule of engines: whatever the number of threads, the answer is the same, and it is that of the engine that decides.

use explore::DeadlockPolicy;
use explore::Limits;
use ir::Model;
use portfolio::{
    Activity, Answer, Engine, Hunt, Hunted, Observer, ProofOptions, Share, SmallInstances, Work,
};
use source::Source;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// For models that are known to take less.
const PLENTY: Duration = Duration::from_secs(60);

fn limits() -> Limits {
    Limits { time: Some(PLENTY), ..Limits::default() }
}

fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)
}

fn load(text: &str) -> Option<Model> {
    model::load(&Source::new("model.cub", text)).model.filter(|model| !model.is_weak())
}

fn model_of_the_project(file: &str) -> Model {
    load(&std::fs::read_to_string(path(file)).expect("readable")).expect("a model")
}

fn prove(threads: usize, model: &Model) -> portfolio::Outcome {
    let backward = prove::Options { threads, limits: limits(), ..prove::Options::default() };
    portfolio::prove(model, &ProofOptions { backward, small: None, ranges: vec![] }, &mut ())
}

#[test]
fn views_decide_where_backward_search_does_not_end() {
    let model = model_of_the_project("tests/models/proofs/directory-that-views-prove.cub");
    let outcome = prove(2, &model);
    assert!(matches!(outcome.proof.verdict, prove::Verdict::Holds(_)), "{:?}", outcome.proof.verdict);
    let views = outcome.views.expect("the answer is that of views");
    assert!(views.statistics.views > 1_000, "{:?}", views.statistics);
}

/// The verdict with its evidence.
fn answer_by(threads: usize, model: &Model) -> String {
    let outcome = prove(threads, model);
    format!("{:?}, by views: {}", outcome.proof.verdict, outcome.views.is_some())
}

#[test]
fn the_number_of_threads_changes_no_answer() {
    let decided =
        |text: &str| text.contains("expect: prove: holds") || text.contains("expect: prove: violated");
    let files_of = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).expect("the folder is there");
        entries.map(|entry| entry.expect("an entry").path()).collect()
    };
    let mut quick: Vec<PathBuf> =
        files_of(&path("tests/models")).iter().flat_map(|topic| files_of(topic)).collect();
    quick.retain(|file| file.extension().is_some_and(|extension| extension == "cub"));
    quick.sort();
    let long = ["mcs-lock", "mcs-lock-broken", "treiber-aba-broken", "dragon"]
        .map(|name| path(&format!("examples/protocols/{name}.cub")));
    let mut compared = 0;
    for file in quick.into_iter().step_by(5).chain(long) {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).expect("readable");
        let Some(model) = load(&text).filter(|_| decided(&text)) else { continue };
        let alone = answer_by(1, &model);
        assert!(!alone.starts_with("Unknown"), "{name}: {alone}");
        for threads in [2, 3] {
            assert!(alone == answer_by(threads, &model), "{name}, {threads} threads");
        }
        compared += 1;
    }
    assert!(compared > 30, "{compared} models were compared");
}

/// Writes down which engines ran.
#[derive(Default)]
struct Log(Vec<&'static str>);

impl Observer for Log {
    fn begins(&mut self, activity: Activity) {
        self.0.push(match activity {
            Activity::Fuzzing(_) => "fuzzing",
            Activity::Exploring(_) => "exploring",
            Activity::Proving { .. } => "proving",
        });
    }

    fn ends(&mut self) {
        self.0.push("end");
    }
}

fn hunt(model: &Model) -> (Hunted, Vec<&'static str>) {
    let hunt =
        Hunt { deadlock: DeadlockPolicy::Ignore, ranges: vec![], limits: limits(), seed: 0, workers: 1 };
    let mut log = Log::default();
    let hunted = portfolio::hunt(model, &hunt, &mut log);
    (hunted, log.0)
}

#[test]
fn a_violation_is_found_before_a_proof_is_tried() {
    let (hunted, log) = hunt(&model_of_the_project("examples/mutex-broken.cub"));
    assert!(matches!(&hunted, Hunted::Explored(exploration) if exploration.is_violated()), "{hunted:?}");
    assert_eq!(log, ["fuzzing", "end", "exploring", "end"]);
}

#[test]
fn what_is_not_violated_is_proved() {
    let (hunted, log) = hunt(&model_of_the_project("examples/mutex.cub"));
    let Hunted::Proof(outcome, small) = hunted else { panic!("{hunted:?}") };
    assert!(matches!(outcome.proof.verdict, prove::Verdict::Holds(_)), "{:?}", outcome.proof.verdict);
    assert!(small.exhausted.is_some() && small.inhabited == Some(true), "{small:?}");
    assert_eq!(log, ["fuzzing", "end", "exploring", "end", "proving", "end"]);
}

#[test]
fn small_instances_decide_a_model_that_allows_no_others() {
    let text = "number_procs 2
                array A[proc] : bool
                init (i) { A[i] = False }
                unsafe (i) { A[i] = True && A[i] = False }
                transition go (i) requires { A[i] = False } { A[i] := True }";
    let model = load(text).expect("a model");
    let share = Share { work: Work::Bounded, limits: limits(), threads: 1.into() };
    let attempt = SmallInstances::bounded(&model, vec![]).run(&model, &share);
    assert_eq!((attempt.answer, attempt.outcome.exhausted), (Answer::Holds, Some(2)));
    let (hunted, _) = hunt(&model);
    assert!(matches!(hunted, Hunted::Exhausted(_)), "{hunted:?}");
}
