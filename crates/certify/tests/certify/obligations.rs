//! No obligation is forgotten: for each kind there are certificates for which only that one fails.

use super::{
    models::MODELS,
    solver::{Said, z3},
    support::{certified, cubes, load},
};
use certify::{Cause, Certificate, CheckOptions, Cube, Obligation, Rejection, check, check_with};
use ir::{EnumId, Formula, Model, Outsider, Sort, SymbolId, Term, Var};
use std::num::NonZero;

/// A certificate whose only cubes are the properties of a model.
fn plain(model: &Model) -> Certificate {
    Certificate { cubes: cubes(model), ..Certificate::default() }
}

fn rejection(model: &Model, certificate: &Certificate) -> Rejection {
    check(model, certificate).expect_err("the certificate must be rejected")
}

/// The checker finds a counterexample, and so does the solver, with this statement.
fn assert_refuted(model: &Model, certificate: &Certificate, obligation: Obligation, words: &str) {
    let rejection = rejection(model, certificate);
    assert_eq!(rejection.obligation, obligation, "{rejection}");
    assert!(matches!(rejection.cause, Cause::Counterexample(_)), "{rejection}");
    match z3(model, certificate) {
        Said::Rejected(why) => assert!(why.contains(words), "{why}"),
        Said::Accepted => panic!("the solver accepts, although: {rejection}"),
        Said::Undecided(why) => panic!("the solver is undecided: {why}"),
        Said::Nothing => println!("skipped: z3 is not installed"),
    }
}

fn symbol(model: &Model, name: &str) -> usize {
    model.symbols.iter().position(|symbol| symbol.name == name).expect("a symbol of the model")
}

const COUNTER: &str = "
type small = [0..2]
var X : small
init () { X = 0 }
unsafe () { X = 2 }
transition next () requires { X = 0 } { X := X + 1 }
transition back () requires { X = 1 } { X := X - 1 }
";

#[test]
fn initial_states_are_looked_at() {
    let model = load(&COUNTER.replace("init () { X = 0 }", "init () { X >= 1 }"));
    assert_refuted(&model, &plain(&model), Obligation::Init { init: 0, cube: 0 }, "no initial state matches");
}

#[test]
fn steps_are_looked_at() {
    let model = load(&COUNTER.replace("requires { X = 0 }", "requires { X <= 1 }"));
    let step = Obligation::Step { transition: 0, cube: 0 };
    assert_refuted(&model, &plain(&model), step, "`next` does not lead to");
}

#[test]
fn properties_are_looked_at() {
    let model = load(COUNTER);
    let none = Certificate::default();
    assert_refuted(&model, &none, Obligation::Property { property: 0 }, "matches a cube");
}

/// The typed form without what keeps a variable within its range: as if lowering had forgotten it.
#[test]
fn steps_keep_numbers_within_their_ranges() {
    let model =
        load("var X : int\ninit () { X = 0 }\nunsafe () { X = -1 }\ntransition next () { X := X + 1 }\n");
    let ranged = load(COUNTER);
    assert!(check(&ranged, &plain(&ranged)).is_ok());
    let mut unguarded = ranged.clone();
    unguarded.transitions[0].guard = Formula::True;
    unguarded.transitions[0].updates.clone_from(&model.transitions[0].updates);
    // The cube `X = 2` would be noticed first.
    unguarded.properties.clear();
    let domain = Obligation::Domain { transition: 0, symbol: symbol(&unguarded, "X") };
    assert_refuted(&unguarded, &Certificate::default(), domain, "keeps `X` within its domain");
}

#[test]
fn steps_keep_variables_of_a_kind_within_it() {
    let text = "
type reader < proc
type writer < proc
var Last : writer
var Busy : bool
init () { Busy = False }
unsafe (i : reader) { Last = i }
transition write (i : writer) { Last := i }
";
    let mut model = load(text);
    assert!(check(&model, &plain(&model)).is_ok());
    model.transitions[0].guard = Formula::True;
    let domain = Obligation::Domain { transition: 0, symbol: symbol(&model, "Last") };
    assert_refuted(&model, &Certificate::default(), domain, "keeps `Last` within its domain");
}

#[test]
fn steps_keep_outsiders_where_they_are() {
    let text = "
var Home : proc
var Copy : proc
var Done : bool
init () { Done = False }
unsafe () { Done = True && Copy <> Home }
transition copy () { Copy := Home; Done := True }
";
    let mut model = load(text);
    let (home, copy) = (symbol(&model, "Home"), symbol(&model, "Copy"));
    assert!(check(&model, &plain(&model)).is_ok());
    // As if `Home` could be outside of the run, and lowering had not seen that `Copy` then can be as well.
    model.outsiders.push(Outsider { name: "elsewhere".into() });
    model.symbols[home].holds_outsiders = true;
    model.symbols[copy].holds_outsiders = false;
    let domain = Obligation::Domain { transition: 0, symbol: copy };
    assert_refuted(&model, &plain(&model), domain, "keeps `Copy` within its domain");
}

fn cube(params: usize, variables: usize, formula: Formula) -> Certificate {
    let params = (0..params).map(Var::from_index).collect();
    let variables = (0..variables).map(|at| format!("i{at}")).collect();
    Certificate { cubes: vec![Cube { params, variables, formula }], ..Certificate::default() }
}

#[test]
fn what_does_not_belong_to_the_model_is_not_understood() {
    let (model, _) = certified("owner");
    let process =
        (0..model.symbols.len()).find(|at| model.symbols[*at].sort == Sort::Proc).expect("a pointer");
    let read = |at: usize, indices: Vec<Term>| Term::read(SymbolId::from_index(at), indices);
    let var = |at: usize| Term::Var(Var::from_index(at));
    let wrong = [
        (
            "another sort",
            cube(0, 0, Formula::eq(read(process, vec![]), Term::Constructor(EnumId::from_index(0), 0))),
        ),
        ("a number", cube(0, 0, Formula::eq(read(process, vec![]), Term::int(0)))),
        ("no such symbol", cube(0, 0, Formula::eq(read(99, vec![]), Term::int(0)))),
        ("an index too many", cube(1, 1, Formula::eq(read(process, vec![var(0)]), var(0)))),
        ("no parameter", cube(0, 1, Formula::eq(read(process, vec![]), var(0)))),
        ("no such process", cube(0, 0, Formula::eq(read(process, vec![]), Term::Process(99)))),
        ("no such variable", cube(2, 1, Formula::True)),
        ("a fence", cube(0, 0, Formula::Fence)),
    ];
    for (what, certificate) in wrong {
        let rejection = rejection(&model, &certificate);
        assert_eq!(rejection.obligation, Obligation::Form, "{what}: {rejection}");
        assert!(matches!(rejection.cause, Cause::Unsupported(_)), "{what}: {rejection}");
    }
}

#[test]
fn weak_memory_is_refused() {
    let model = load("weak var X : bool\ninit () { X = False }\nunsafe (i) { i@X = True }\n");
    assert_eq!(rejection(&model, &plain(&model)).obligation, Obligation::Form);
}

#[test]
fn too_many_processes_are_undecided() {
    let (model, _) = certified("flag");
    let everybody = cube(12, 12, Formula::True);
    let rejection = rejection(&model, &everybody);
    assert!(matches!(rejection.cause, Cause::Undecided(_)), "{rejection}");
}

#[test]
fn threads_change_nothing() {
    for name in MODELS {
        let (model, mut certificate) = certified(name);
        for _ in 0..3 {
            let with = |threads: usize| {
                let threads = NonZero::new(threads).expect("some");
                check_with(&model, &certificate, CheckOptions { threads, ..CheckOptions::default() })
            };
            let one = with(1);
            for threads in [2, 5] {
                let several = with(threads);
                assert_eq!(several, one, "{name} with {threads} threads");
            }
            certificate.cubes.pop();
        }
    }
}
