//! First-in-first-out queues: what lowering adds for them, and instances whose states are counted by hand.

use explore::DeadlockPolicy;
use explore::{Steered, Subject};
use instance::exploration::{Options, explore};
use instance::{Instance, Machine, Setup};
use ir::{Model, Origin};
use model::Queues;
use source::Source;

/// Every process takes the lock once.
const ONCE: &str = "type pc = Out | In | Done
    var L : lock
    array P[proc] : pc
    init (i) { P[i] = Out }
    transition enter ([i]) requires { P[i] = Out } { acquire(L, i); P[i] := In }
    transition leave ([i]) requires { P[i] = In } { release(L, i); P[i] := Done }";

fn load(text: &str, queues: Queues) -> Model {
    let loaded = model::load_with(&Source::new("queues.cub", text), queues);
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.sorted()))
}

fn states(queues: Queues, processes: u32, symmetry: bool) -> usize {
    let options =
        Options { all: true, symmetry, deadlock: DeadlockPolicy::Ignore, ..Options::new(processes) };
    let explored = explore(&load(ONCE, queues), &options);
    assert_eq!(explored.incomplete, None);
    explored.stats.states
}

#[test]
fn the_order_is_one_more_array_and_only_where_it_is_asked_for() {
    let arrays = |model: &Model| {
        let of_order = |origin| origin == Origin::Before;
        model.symbols.iter().filter(|symbol| of_order(symbol.origin)).map(|symbol| symbol.arity).collect()
    };
    let none: Vec<usize> = arrays(&load(ONCE, Queues::Any));
    assert_eq!((none, arrays(&load(ONCE, Queues::Fifo))), (vec![], vec![2]));
    let without_locks = load("var X : bool init { X = True }", Queues::Fifo);
    assert_eq!(arrays(&without_locks), Vec::<usize>::new());
}

/// With d processes done, o out and k inside, the first of those k owns the lock and the others queue. If the order
/// of the queue matters there are k! ways, otherwise k. So 3!/(d! o!) states for each d + o + k = 3: 1 + 3 + 3 + 1
/// for k = 0, 3 + 6 + 3 for k = 1, 6 + 6 for k = 2, and 6 (or 3) for k = 3.
#[test]
fn states_are_counted_by_hand() {
    assert_eq!(states(Queues::Fifo, 3, false), 8 + 12 + 12 + 6);
    assert_eq!(states(Queues::Any, 3, false), 8 + 12 + 12 + 3);
    // Up to permutation only d, o and k matter: the ways to write 3 as their sum.
    assert_eq!((states(Queues::Fifo, 3, true), states(Queues::Any, 3, true)), (10, 10));
}

#[test]
fn a_state_tells_places_and_not_who_came_before_whom() {
    let model = load(ONCE, Queues::Fifo);
    let setup = Setup::new(3, 8);
    let instances = Instance::all(&model, &setup).unwrap();
    let mut machine = Machine::<4>::new(&instances);
    machine.start(0).unwrap();
    for wanted in ["enter(#2)", "enter(#3)", "enter(#1)"] {
        take(&mut machine, wanted);
    }
    assert_eq!(places(&machine), ["2", "none", "1"]);
    assert!(machine.describe().iter().all(|entry| !entry.to_string().starts_with("before")));
    // Only the first process of the queue is woken.
    assert!(labels(&machine).contains(&"leave(#2) waking #3".to_owned()), "{:?}", labels(&machine));
    assert_eq!(labels(&machine).len(), 1, "{:?}", labels(&machine));
    take(&mut machine, "leave(#2) waking #3");
    assert_eq!(places(&machine), ["1", "none", "none"]);
}

fn labels(machine: &Machine<'_, '_, 4>) -> Vec<String> {
    let mut enabled = Vec::new();
    machine.enabled(&mut enabled);
    enabled.iter().map(|action| machine.label(action).to_string()).collect()
}

fn take(machine: &mut Machine<'_, '_, 4>, label: &str) {
    let mut enabled = Vec::new();
    machine.enabled(&mut enabled);
    let action = enabled.into_iter().find(|action| machine.label(action).to_string() == label).expect(label);
    machine.take(&action).unwrap();
}

fn places(machine: &Machine<'_, '_, 4>) -> Vec<String> {
    let entries = machine.describe().into_iter();
    let places = entries.filter(|entry| matches!(entry.subject, Subject::Place(_)));
    places.map(|entry| entry.value.to_string()).collect()
}
