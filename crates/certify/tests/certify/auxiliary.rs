//! Auxiliary variables: adding them loses no runs, and with them certificates can express what cubes alone cannot.

use crate::support::{cubes, load};
use certify::{AuxiliaryVariable, Cause, Certificate, Cube, Rejection, check, extended};
use explore::{Entry, Subject, Valuation};
use instance::exploration::Options;
use instance::state_graph::{StateGraph, state_graph};
use ir::{EnumId, Formula, Model, Sort, SymbolId, Term, Var};
use source::Source;
use std::collections::BTreeSet;
use std::ops::Range;

const MOST_STATES: usize = 3000;

/// Some process always has the token, though nothing says which one, and there is a step for when no process has it.
const TOKEN: &str = "
var Lost : bool
array Token[proc] : bool
init (i) { Token[i] = True && Lost = False }
unsafe () { Lost = True }
transition pass (i j) requires { Token[i] = True } { Token[k] := case | k = i : False | k = j : True | _ : Token[k] }
transition lose () requires { forall k. Token[k] = False } { Lost := True }
";

fn auxiliary(formula: Formula) -> AuxiliaryVariable {
    AuxiliaryVariable { name: "Witness".into(), variables: vec!["k".into()], formula }
}

/// An auxiliary variable for every simple formula about the cells of one process.
fn questions(model: &Model) -> Vec<AuxiliaryVariable> {
    let cells = model.symbols.iter().enumerate().filter(|(_, symbol)| symbol.arity == 1 && !symbol.weak);
    let mut all = Vec::new();
    for (at, symbol) in cells {
        let cell = Term::read(SymbolId::from_index(at), vec![Term::Var(Var(0))]);
        match symbol.sort {
            Sort::Enum(id) => {
                let value = |at| Formula::eq(cell.clone(), Term::Constructor(id, at));
                all.extend([auxiliary(value(0)), auxiliary(value(0).not())]);
            }
            Sort::Proc => all.push(auxiliary(Formula::eq(cell, Term::Var(Var(0))))),
            _ => {}
        }
    }
    let pointers = model.symbols.iter().enumerate().filter(|(_, symbol)| symbol.arity == 0);
    for (at, _) in pointers.filter(|(_, symbol)| symbol.sort == Sort::Proc && !symbol.weak) {
        all.push(auxiliary(Formula::neq(Term::read(SymbolId::from_index(at), vec![]), Term::Var(Var(0)))));
    }
    all
}

fn graph(model: &Model, processes: u32) -> Option<StateGraph> {
    state_graph(model, &Options { symmetry: false, ..Options::new(processes) }, MOST_STATES).ok()
}

type Seen = BTreeSet<(Valuation, BTreeSet<String>, bool)>;

fn is_witness(entry: &Entry) -> bool {
    matches!(&entry.subject, Subject::Variable(variable) if variable.name == "Witness")
}

/// The states without the auxiliary variable, and what is violated in them.
fn seen(graph: &StateGraph) -> Seen {
    let states = graph.states.iter().map(|state| {
        let values = state.values.iter().filter(|entry| !is_witness(entry)).cloned().collect();
        (values, state.violated.iter().cloned().collect(), state.initial)
    });
    states.collect()
}

/// `SEEDS=a..b` tries others.
fn seeds() -> Range<u64> {
    let Ok(text) = std::env::var("SEEDS") else { return 0..60 };
    let (from, to) = text.split_once("..").expect("SEEDS is like 0..1000");
    from.parse().expect("a number")..to.parse().expect("a number")
}

#[test]
fn random_models_do_the_same_with_an_auxiliary_variable() {
    let mut compared = 0;
    for seed in seeds() {
        let features = modelgen::Features::any(seed);
        let size = modelgen::Size::Small;
        let text = modelgen::random_model(&modelgen::Options { seed, size, features });
        let Some(model) = model::load(&Source::new("random.cub", text.as_str())).model else { continue };
        if model.is_weak() {
            continue;
        }
        for auxiliary in questions(&model) {
            let Ok(with) = extended(&model, std::slice::from_ref(&auxiliary)) else { continue };
            assert!(
                is_lifted(&model, &auxiliary),
                "seed {seed}, {}:\n{text}",
                auxiliary.display(&with.model)
            );
            for processes in model.min_processes()..=3.min(model.max_processes.unwrap_or(3)) {
                let graphs = graph(&model, processes).zip(graph(&with.model, processes));
                if let Some((before, after)) = graphs {
                    compared += 1;
                    assert_eq!(
                        seen(&before),
                        seen(&after),
                        "seed {seed}, {processes} processes, {}:\n{text}",
                        auxiliary.display(&with.model)
                    );
                }
            }
        }
    }
    println!("{compared} instances were compared");
    assert!(compared > 100, "only {compared} were compared");
}

/// Whether the checker shows that no run is lost.
fn is_lifted(model: &Model, auxiliary: &AuxiliaryVariable) -> bool {
    let properties = vec![];
    let model = Model { properties, ..model.clone() };
    let certificate = Certificate { auxiliaries: vec![auxiliary.clone()], ..Certificate::default() };
    match check(&model, &certificate) {
        Ok(_) | Err(Rejection { cause: Cause::Undecided(_) | Cause::Unsupported(_), .. }) => true,
        Err(rejection) => {
            println!("{rejection}");
            false
        }
    }
}

fn has_token() -> AuxiliaryVariable {
    let cell = Term::read(SymbolId(1), vec![Term::Var(Var(0))]);
    auxiliary(Formula::eq(cell, Term::Constructor(EnumId(0), 1)))
}

#[test]
fn somebody_always_has_the_token() {
    let model = load(TOKEN);
    let mut certificate = Certificate { cubes: cubes(&model), ..Certificate::default() };
    assert!(check(&model, &certificate).is_err());
    certificate.auxiliaries.push(has_token());
    // The process in the variable has the token: nothing else is needed.
    let is_witness = Formula::eq(Term::read(SymbolId(2), vec![]), Term::Var(Var(0)));
    let formula = Formula::and([is_witness, has_token().formula.not()]);
    certificate.cubes.push(Cube { params: vec![Var(0)], variables: vec!["i".into()], formula });
    check(&model, &certificate).unwrap_or_else(|rejection| panic!("{rejection}"));
    // For the opposite formula it is not true.
    let nobody = AuxiliaryVariable { formula: has_token().formula.not(), ..has_token() };
    certificate.auxiliaries = vec![nobody];
    assert!(check(&model, &certificate).is_err());
}
