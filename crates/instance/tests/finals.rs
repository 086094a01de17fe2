//! Where runs may end: states that satisfy `final`, and models without it.

use explore::Steered;
use instance::{Instance, Machine, Obstacle, Setup};
use ir::Model;
use source::Source;

fn load(text: &str) -> Model {
    let loaded = model::load(&Source::new("model.cub", text));
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.sorted()))
}

/// Whether a run may end in each state of the run that always takes the first step.
fn ends(text: &str, processes: usize) -> (Vec<Option<bool>>, Option<Obstacle>) {
    let model = load(text);
    let instances = Instance::all(&model, &Setup::new(processes, 8)).expect("an instance");
    let mut machine = Machine::<1>::new(&instances);
    machine.start(0).expect("an initial state");
    let mut found = vec![machine.is_final()];
    loop {
        let mut actions = Vec::new();
        machine.enabled(&mut actions);
        let Some(action) = actions.first().copied() else { return (found, machine.obstacle()) };
        machine.take(&action).expect("an enabled step");
        found.push(machine.is_final());
    }
}

const FINISH: &str = "array Done[proc] : bool
    init (i) { Done[i] = False }
    transition finish (i) requires { Done[i] = False } { Done[i] := True }\n";

#[test]
fn a_model_that_does_not_say_where_runs_end_has_no_answer() {
    assert_eq!(ends(FINISH, 2), (vec![None; 3], None));
}

#[test]
fn a_quantifier_is_about_all_processes() {
    let all = format!("{FINISH} final {{ forall i. Done[i] }}");
    assert_eq!(ends(&all, 2).0, [false, false, true].map(Some));
    let some = format!("{FINISH} final {{ exists i. Done[i] }}");
    assert_eq!(ends(&some, 2).0, [false, true, true].map(Some));
}

#[test]
fn several_are_a_union() {
    let text = format!("{FINISH} final {{ forall i. Done[i] }} final {{ forall i. not Done[i] }}");
    assert_eq!(ends(&text, 2).0, [true, false, true].map(Some));
}

#[test]
fn processes_may_be_named_and_compared() {
    let named = format!("number_procs 2 {FINISH} final {{ Done[#1] }}");
    assert_eq!(load(&named).named_processes, 1);
    assert!(!Instance::is_symmetric(&load(&named)));
    let ordered = format!("{FINISH} final {{ exists i <> j. i < j && Done[i] && not Done[j] }}");
    assert!(!Instance::is_symmetric(&load(&ordered)), "the order of processes matters");
    assert_eq!(ends(&ordered, 2).0, [false, true, false].map(Some));
}

#[test]
fn a_number_without_a_value_is_an_obstacle() {
    let text =
        format!("var X : int {FINISH} transition set () requires {{ X > 0 }} {{ X := 1 }} final {{ X = 0 }}");
    let (found, obstacle) = ends(&text, 1);
    assert_eq!(found, [Some(false); 2]);
    assert!(matches!(obstacle, Some(Obstacle::NeedsRange(_))));
}

#[test]
fn an_outsider_as_an_index_makes_a_state_no_end_and_is_no_misuse() {
    let text = "var Last : proc
        array Done[proc] : bool
        init (i) { Last <> i && Done[i] = False }
        transition finish (i) requires { Done[i] = False } { Done[i] := True; Last := i }
        final { Done[Last] }";
    assert_eq!(ends(text, 1).0, [false, true].map(Some));
    assert!(load(text).properties.is_empty());
}
