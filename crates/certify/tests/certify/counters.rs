//! Counters: the checker follows them by itself, and refuses whatever claims more than a model does.

use crate::support::{cubes, load};
use certify::{
    About, Cause, Certificate, Counter, Obligation, Opinion, Rejection, SolverOptions, Start, check, write,
};
use explore::{Entry, Subject, Value};
use instance::exploration::Options;
use instance::state_graph::state_graph;
use ir::{Formula, Model, SymbolId, Term, Var};
use source::Source;
use std::num::NonZero;
use std::ops::Range;
use std::time::Duration;

/// A room for two, whose places a number counts.
const ROOM: &str = "
type location = Outside | Inside | Leaving
var Free : int
array Loc[proc] : location
init (i) { Loc[i] = Outside && Free = 2 }
unsafe (i j k) { Loc[i] = Inside && Loc[j] = Inside && Loc[k] = Inside }
transition enter (i) requires { Loc[i] = Outside && Free > 0 } { Loc[i] := Inside; Free := Free - 1 }
transition swap (i j) requires { Loc[i] = Inside && Loc[j] = Outside } { Loc[k] := case | k = i : Outside | k = j : Inside | _ : Loc[k] }
transition leave (i) requires { Loc[i] = Inside } { Loc[i] := Leaving }
transition gone (i) requires { Loc[i] = Leaving } { Loc[i] := Outside; Free := Free + 1 }
";

/// What is never so, with a counter `Count` beside the numbers of the model.
const NEVER: &str = "
var Count : int
unsafe () { Free < 0 }
unsafe () { Free + Count < 2 }
unsafe () { Free + Count > 2 }
";

/// Those in the places that a formula lists.
fn counter(model: &Model, values: &[u32], start: Start) -> Counter {
    let at = model.symbols.iter().position(|symbol| symbol.name == "Loc").expect("there is one");
    let ir::Sort::Enum(of) = model.symbols[at].sort else { panic!("it is an enumeration") };
    let cell = Term::read(SymbolId::from_index(at), vec![Term::Var(Var(0))]);
    let is = |value: &u32| Formula::eq(cell.clone(), Term::Constructor(of, *value));
    let formula = Formula::or(values.iter().map(is));
    Counter { name: "Count".into(), variables: vec!["k".into()], formula, start }
}

/// The certificate of a room whose cubes may mention the counter.
fn certified(text: &str, values: &[u32], start: Start) -> (Model, Certificate) {
    let model = load(text);
    // The counter comes after all symbols of the model, as it does in the extended one.
    let cubes = cubes(&load(&format!("{text}{NEVER}")));
    let counters = vec![counter(&model, values, start)];
    (model, Certificate { cubes, counters, ..Certificate::default() })
}

fn rejected(text: &str, values: &[u32], start: Start) -> Rejection {
    let (model, certificate) = certified(text, values, start);
    check(&model, &certificate).expect_err("it is wrong")
}

#[test]
fn a_room_for_two_is_never_full_of_three() {
    let (model, certificate) = certified(ROOM, &[1, 2], Start::Nobody);
    check(&model, &certificate).expect("it is right");
    // The others are as good.
    let (model, mut certificate) = certified(ROOM, &[0], Start::Everybody);
    let opposite = load(&format!(
        "{ROOM}var Count : int\nunsafe () {{ Free < 0 }} unsafe () {{ Free - Count + SYS_PROCS < 2 }} unsafe () {{ Free - Count + SYS_PROCS > 2 }}"
    ));
    certificate.cubes = cubes(&opposite);
    check(&model, &certificate).expect("it is right");
}

#[test]
fn without_a_counter_there_is_no_such_proof() {
    let model = load(ROOM);
    let certificate = Certificate { cubes: cubes(&model), ..Certificate::default() };
    check(&model, &certificate).expect_err("the step into the room is not excluded");
}

#[test]
fn a_wrong_start_is_refused() {
    for (values, start) in [(&[0, 1][..], Start::Nobody), (&[1, 2], Start::Everybody)] {
        let rejection = rejected(ROOM, values, start);
        assert!(matches!(rejection.obligation, Obligation::Lift { .. }), "{rejection}");
        assert!(rejection.statement.contains("at the start"), "{rejection}");
        assert!(matches!(rejection.cause, Cause::Counterexample(_)), "{rejection}");
    }
    // If nothing is said about the start, it follows that nobody is counted: somebody would be inside.
    let (model, certificate) = certified(ROOM, &[1, 2], Start::Unknown);
    check(&model, &certificate).expect("it is right");
}

#[test]
fn a_forgotten_place_is_refused() {
    // Whoever leaves is not counted any more, though the number says otherwise.
    let rejection = rejected(ROOM, &[1], Start::Nobody);
    assert!(matches!(rejection.obligation, Obligation::Step { .. }), "{rejection}");
}

#[test]
fn a_step_that_moves_others_is_refused() {
    let everybody = "transition alarm (i) requires { Loc[i] = Outside } { Loc[k] := case | Loc[k] = Inside : Outside | _ : Loc[k] }";
    let rejection = rejected(&format!("{ROOM}{everybody}"), &[1, 2], Start::Nobody);
    assert!(matches!(rejection.obligation, Obligation::Lift { .. }), "{rejection}");
    assert!(rejection.statement.contains("of its own processes only"), "{rejection}");
    // Those who are counted all the same may move.
    let hurry = "transition hurry (i) requires { Loc[i] = Outside } { Loc[k] := case | Loc[k] = Inside : Leaving | _ : Loc[k] }";
    let (model, certificate) = certified(&format!("{ROOM}{hurry}"), &[1, 2], Start::Nobody);
    check(&model, &certificate).expect("it is right");
}

#[test]
fn a_step_with_another_effect_is_refused() {
    for wrong in [
        "transition squeeze (i) requires { Loc[i] = Outside } { Loc[i] := Inside }",
        "transition vanish (i) requires { Loc[i] = Inside } { Loc[i] := Outside }",
        "transition both (i j) requires { Loc[i] = Outside && Loc[j] = Outside && Free > 0 } { Loc[k] := case | k = i : Inside | k = j : Inside | _ : Loc[k]; Free := Free - 1 }",
        "transition grow (i) requires { Loc[i] = Outside } { Free := Free + 1 }",
    ] {
        let rejection = rejected(&format!("{ROOM}{wrong}"), &[1, 2], Start::Nobody);
        assert!(matches!(rejection.obligation, Obligation::Step { .. }), "{wrong}: {rejection}");
    }
}

#[test]
fn predicates_that_overlap_do_not_add_up() {
    // Two counters that both count who is leaving: their sum is not the number of places that are taken.
    let (model, mut certificate) = certified(ROOM, &[1, 2], Start::Nobody);
    certificate.counters.push(Counter { name: "Other".into(), ..counter(&model, &[2], Start::Nobody) });
    let text = "var Count : int\nvar Other : int\nunsafe () { Free < 0 } unsafe () { Free + Count + Other < 2 } unsafe () { Free + Count + Other > 2 }";
    certificate.cubes = cubes(&load(&format!("{ROOM}{text}")));
    let rejection = check(&model, &certificate).expect_err("it is wrong");
    assert!(matches!(rejection.obligation, Obligation::Step { .. }), "{rejection}");
    certificate.counters[0] = counter(&model, &[1], Start::Nobody);
    check(&model, &certificate).expect("those who are inside and those who leave are different ones");
}

#[test]
fn a_counter_is_about_one_process_alone() {
    let (model, mut certificate) = certified(ROOM, &[1, 2], Start::Nobody);
    let everybody = Formula::forall(vec![Var(1)], Formula::True);
    certificate.counters[0].formula = everybody;
    certificate.counters[0].variables.push("l".into());
    let rejection = check(&model, &certificate).expect_err("it has a quantifier");
    assert_eq!(rejection.obligation, Obligation::Form, "{rejection}");
}

#[test]
fn scripts_say_the_same() {
    let folder = std::env::temp_dir().join(format!("motet-counters-{}", std::process::id()));
    let solving = SolverOptions { limit: Duration::from_secs(60), threads: NonZero::<usize>::MIN };
    let about = About { file: "room.cub", text: ROOM, memory: None };
    for (values, start, right) in
        [(&[1, 2][..], Start::Nobody, true), (&[0, 1], Start::Nobody, false), (&[1], Start::Nobody, false)]
    {
        let (model, certificate) = certified(ROOM, values, start);
        write(&model, &certificate, about, &folder).expect("written");
        assert_eq!(certify::read(&folder, &model).expect("read"), certificate);
        for report in certify::run_solvers(&folder, solving).expect("scripts") {
            if report.opinion == Opinion::NotFound {
                continue;
            }
            assert_eq!(report.opinion == Opinion::Accepted, right, "{}: {:?}", report.solver, report.opinion);
        }
    }
    std::fs::remove_dir_all(&folder).expect("it was there");
}

const MOST_STATES: usize = 3000;

fn is_named(entry: &Entry, name: &str) -> bool {
    matches!(&entry.subject, Subject::Variable(variable) if variable.name == name)
}

/// Whether a counter is the number of processes with a value, in every state of an instance. `None` if there are too many.
fn is_right(extended: &Model, array: &str, value: &str, processes: u32) -> Option<bool> {
    let options = Options { symmetry: false, ..Options::new(processes) };
    let graph = state_graph(extended, &options, MOST_STATES).ok()?;
    Some(graph.states.iter().all(|state| {
        let has = |entry: &&Entry| is_named(entry, array) && entry.value == Value::Word(value.to_owned());
        let number = i64::try_from(state.values.iter().filter(has).count()).expect("few");
        let counter = state.values.iter().find(|entry| is_named(entry, "Count"));
        counter.is_some_and(|entry| entry.value == Value::Integer(number))
    }))
}

/// `SEEDS=a..b` tries others.
fn seeds() -> Range<u64> {
    let Ok(text) = std::env::var("SEEDS") else { return 0..150 };
    let (from, to) = text.split_once("..").expect("SEEDS is like 0..1000");
    from.parse().expect("a number")..to.parse().expect("a number")
}

/// Every counter of cells with a value, and what it may start with.
fn all_counters(model: &Model) -> Vec<(Counter, String, String)> {
    let mut all = Vec::new();
    for (at, symbol) in model.symbols.iter().enumerate() {
        let ir::Sort::Enum(of) = symbol.sort else { continue };
        if symbol.arity != 1 || symbol.weak || symbol.origin != ir::Origin::Declared {
            continue;
        }
        for (value, word) in (0..).zip(&model.enums[of.index()].constructors) {
            let cell = Term::read(SymbolId::from_index(at), vec![Term::Var(Var(0))]);
            let formula = Formula::eq(cell, Term::Constructor(of, value));
            for start in [Start::Nobody, Start::Everybody] {
                let (name, formula) = ("Count".into(), formula.clone());
                let counter = Counter { name, variables: vec!["k".into()], formula, start };
                all.push((counter, symbol.name.clone(), word.clone()));
            }
        }
    }
    all
}

#[test]
fn counters_of_random_models_count() {
    let (mut accepted, mut refused, mut compared) = (0, 0, 0);
    for seed in seeds() {
        let features = modelgen::Features::any(seed);
        let text = modelgen::random_model(&modelgen::Options { seed, size: modelgen::Size::Small, features });
        let Some(model) = model::load(&Source::new("random.cub", text.as_str())).model else { continue };
        if model.is_weak() {
            continue;
        }
        let model = Model { properties: vec![], ..model };
        for (counter, array, value) in all_counters(&model) {
            let certificate = Certificate { counters: vec![counter], ..Certificate::default() };
            if check(&model, &certificate).is_err() {
                refused += 1;
                continue;
            }
            accepted += 1;
            let extended = certificate.extended(&model).expect("it was accepted");
            for processes in model.min_processes()..=3.min(model.max_processes.unwrap_or(3)) {
                let Some(is_right) = is_right(&extended.model, &array, &value, processes) else { continue };
                compared += 1;
                assert!(is_right, "seed {seed}, {processes} processes, {array} = {value}:\n{text}");
            }
        }
    }
    println!("{accepted} accepted, {refused} refused, {compared} instances were compared");
    assert!(accepted > 20 && refused > 20 && compared > 40, "{accepted} {refused} {compared}");
}
