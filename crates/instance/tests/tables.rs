//! Tables of reachable states: the same states as a search finds, each once, with the right values.

use explore::Limits;
use explore::{DeadlockPolicy, FindingKind};
use instance::exploration;
use instance::{
    Column, Instance, Setup,
    states::{SAMPLE, Table, Walk, reachable},
};
use ir::Model;
use source::Source;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

fn load(text: &str) -> Option<Model> {
    // States are tabulated as they are: a weak model is one without store buffers here.
    let loaded = model::load(&Source::new("model.cub", text)).model;
    loaded.map(|model| model.sequentially_consistent())
}

fn limits() -> Limits {
    Limits { states: Some(3_000), ..Limits::default() }
}

/// The states of a table, each with its values in order.
fn rows(table: &Table) -> Vec<Vec<Option<i64>>> {
    let value = |column: &Column, state: usize| match column {
        Column::Codes(codes) => Some(codes[state].into()),
        Column::Numbers(numbers) => numbers[state],
    };
    assert_eq!(table.places.len(), table.columns.len());
    (0..table.states).map(|state| table.columns.iter().map(|column| value(column, state)).collect()).collect()
}

fn set(table: &Table) -> BTreeSet<Vec<Option<i64>>> {
    rows(table).into_iter().collect()
}

/// Compares the tables of one instance with each other and with a search; false if it is too large for that.
fn compare(name: &str, model: &Model, processes: u32) -> bool {
    let options = exploration::Options {
        all: true,
        deadlock: DeadlockPolicy::Ignore,
        limits: limits(),
        ..exploration::Options::new(processes)
    };
    let explored = exploration::explore(model, &options);
    let walks = [Walk::Breadth, Walk::Depth, Walk::Random { seed: 1 }, Walk::Fuzz { seed: 1 }];
    let [near, deep, random, fuzzed] = walks.map(|walk| reachable(model, processes, walk, &limits()));
    let (Some(near), Some(deep), Some(random)) = (near, deep, random) else { return false };
    let fuzzed = fuzzed.expect("an instance that can be explored can be fuzzed");
    let starts = |sample_start| {
        let setup = Setup { sample_start, ..Setup::new(processes as usize, 32) };
        let instances = Instance::all(model, &setup).ok()?;
        Some(instances.iter().map(Instance::initial_states).sum::<usize>())
    };
    if explored.incomplete.is_some() || starts(Some(SAMPLE)) != starts(None) {
        return false;
    }
    let is_property = |kind: FindingKind| !kind.is_end();
    let lengths = explored.findings.iter().filter(|found| is_property(found.kind));
    let nearest = lengths.map(|found| found.trace.steps.len()).min();
    assert_eq!(near.violation.as_ref().map(|(_, trace)| trace.steps.len()), nearest, "{name}");
    assert_eq!(deep.violation.is_some(), nearest.is_some(), "{name}");
    assert_eq!(near.complete, nearest.is_none(), "{name}");
    let [all, others, some, any] = [&near, &deep, &random, &fuzzed].map(set);
    // Depth-first search may find a state again on a shorter path.
    assert_eq!((all.len(), some.len()), (near.states, random.states), "{name}");
    if near.complete {
        assert!(deep.complete || all.len() > 100, "{name}");
        assert_eq!(all.len(), explored.stats.states, "{name}");
        // Depth-first search need not find the representative of a class.
        assert!(others.len() >= all.len() || !deep.complete, "{name}");
    }
    if near.complete && deep.complete && !Instance::is_symmetric(model) {
        assert_eq!(all, others, "{name}");
        assert!(some.is_subset(&all), "{name}");
        assert!(any.is_subset(&all), "{name}");
    }
    assert!(fuzzed.violation.is_none() || nearest.is_some(), "{name}");
    assert!(!fuzzed.complete || (nearest.is_none() && any.len() >= all.len()), "{name}");
    true
}

#[test]
fn the_tables_of_all_models_are_what_a_search_sees() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut compared = 0;
    let mut folders = vec![root.join("tests/models"), root.join("examples")];
    while let Some(folder) = folders.pop() {
        for file in fs::read_dir(folder).expect("the folder of models") {
            let path = file.expect("readable").path();
            if path.is_dir() {
                // The protocols are too large for this test.
                folders.extend((!path.ends_with("examples/protocols")).then_some(path));
                continue;
            }
            let text = fs::read_to_string(&path).expect("readable");
            let Some(model) = load(&text) else { continue };
            for processes in 1..=2 {
                let name = format!("{} with {processes}", path.display());
                compared += usize::from(compare(&name, &model, processes));
            }
        }
    }
    assert!(compared > 300, "only {compared} instances were compared");
}

/// The values of each place by name, over all states.
fn values(table: &Table, model: &Model) -> BTreeMap<String, BTreeSet<Option<i64>>> {
    let mut values: BTreeMap<String, BTreeSet<Option<i64>>> = BTreeMap::new();
    for row in rows(table) {
        for ((symbol, indices), value) in table.places.iter().zip(row) {
            values.entry(format!("{}{indices:?}", model.symbol(*symbol).name)).or_default().insert(value);
        }
    }
    values
}

fn table(text: &str, processes: u32) -> (Model, Table) {
    let loaded = model::load(&Source::new("model.cub", text));
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.sorted()));
    let table = reachable(&model, processes, Walk::Breadth, &limits()).expect("there is an instance");
    (model, table)
}

/// Numbers that are negative, unset, or larger than a byte, and constructors.
#[test]
fn values_are_what_states_have() {
    let (model, table) = table(
        "type colour = Red | Green | Blue
         type far = [0..300]
         type near = [-2..3]
         var C : colour
         var F : far
         var N : near
         var I : int
         var U : int
         array P[proc] : proc
         init (i) { C = Blue && F = 300 && N = -2 && I = 1000 && P[i] = i }
         transition set () requires { C = Blue } { C := Green; F := 256; N := 3; U := -5; I := -1 }",
        2,
    );
    let expected = [
        ("C[]", [Some(2), Some(1)]),
        ("F[]", [Some(300), Some(256)]),
        ("N[]", [Some(-2), Some(3)]),
        ("I[]", [Some(1000), Some(-1)]),
        ("U[]", [None, Some(-5)]),
        ("P[0]", [Some(0), Some(0)]),
        ("P[1]", [Some(1), Some(1)]),
    ];
    let expected = expected.map(|(name, values)| (name.to_owned(), BTreeSet::from(values)));
    assert_eq!(values(&table, &model), BTreeMap::from(expected));
    assert!(table.complete && table.ranges.is_empty());
}

/// More constructors than a byte can tell apart.
#[test]
fn a_large_enumeration() {
    let names: Vec<String> = (0..300).map(|at| format!("C{at}")).collect();
    let text = format!(
        "type many = {} var X : many init {{ X = C7 }} transition go () {{ X := C299 }}",
        names.join(" | ")
    );
    let (model, table) = table(&text, 1);
    let expected = BTreeMap::from([("X[]".to_owned(), BTreeSet::from([Some(7), Some(299)]))]);
    assert_eq!(values(&table, &model), expected);
}

/// A row has the kinds of its own instance.
#[test]
fn kinds_belong_to_the_state() {
    let (_, table) = table(
        "type reader < proc
         type writer < proc
         array Up[proc] : bool
         init (i) { Up[i] = False }
         transition raise (i : writer) { Up[i] := True }",
        3,
    );
    let mut seen = BTreeSet::new();
    for row in rows(&table) {
        let (up, kinds) = row.split_at(3);
        assert!(up.iter().zip(kinds).all(|(up, kind)| *up == Some(0) || *kind == Some(1)), "{row:?}");
        seen.insert(kinds.to_vec());
    }
    assert_eq!(seen, BTreeSet::from([vec![Some(0), Some(0), Some(1)], vec![Some(0), Some(1), Some(1)]]));
}

/// A table is incomplete if an obstacle or a limit excluded states.
#[test]
fn not_every_table_is_complete() {
    let counter = "var X : int
        init { X = 0 }
        transition count () requires { X < 10 } { X := X + 1 }";
    let (_, all) = table(counter, 1);
    assert!(all.complete && all.states == 11);
    let model = load(counter).expect("it is accepted");
    for walk in [Walk::Breadth, Walk::Depth] {
        let limits = Limits { depth: Some(5), ..Limits::default() };
        let some = reachable(&model, 1, walk, &limits).expect("there is an instance");
        assert_eq!((some.complete, some.states), (false, 6), "{walk:?}");
    }
    let (_, table) = table(
        "var X : int
         var Y : int
         var Z : int
         init { X = 2000000000 && Y = X && Z = X }
         transition large () requires { 2000000000 * X + 2000000000 * Y + 2000000000 * Z < 0 } { X := 1 }",
        1,
    );
    assert!(!table.complete);
}
