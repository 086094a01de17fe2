//! Which processes play the parameters of a violated property, and the kind of each process.

use explore::Steered;
use instance::{Instance, Machine, Setup};
use ir::Model;
use source::Source;

fn load(text: &str) -> Model {
    let loaded = model::load(&Source::new("model.cub", text));
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.sorted()))
}

#[test]
fn the_least_processes_that_match_are_told() {
    let model = load(
        "number_procs 3
        array Up[proc] : bool
        init (i) { Up[#1] = False && Up[#2] = True && Up[#3] = True }
        unsafe two (i j) { Up[j] && Up[i] }
        unsafe none (i) { not Up[i] && Up[#1] }
        unsafe closed { exists i. Up[i] }
        transition t (i) { Up[i] := True }",
    );
    let instances = Instance::all(&model, &Setup::new(3, 8)).expect("an instance");
    let mut machine = Machine::<1>::new(&instances);
    machine.start(0).expect("an initial state");
    assert_eq!(machine.witness(0), Some([1, 2].as_slice()));
    assert_eq!(machine.witness(1), None);
    assert_eq!(machine.witness(2), Some([].as_slice()));
    let mut violated = Vec::new();
    machine.violations(&mut violated);
    assert_eq!(violated, [(0, vec![1, 2]), (2, vec![])], "both ways to ask agree");
    assert_eq!(machine.kind_names(), None);
}

#[test]
fn every_process_has_a_kind_with_a_name() {
    let model = load(
        "type producer < proc
        type consumer < proc
        array Done[proc] : bool
        init (i) { Done[i] = False }
        unsafe (i : consumer) { Done[i] }
        transition t ([i : producer]) { Done[i] := True }",
    );
    let instances = Instance::all(&model, &Setup::new(3, 8)).expect("instances");
    let names: Vec<Vec<&str>> = instances.iter().filter_map(Instance::kind_names).collect();
    assert_eq!(names, [["producer", "producer", "consumer"], ["producer", "consumer", "consumer"]]);
    let mut machine = Machine::<1>::new(&instances);
    machine.start(1).expect("the initial state of the second");
    assert_eq!(machine.kind_names().as_ref(), names.get(1));
}
