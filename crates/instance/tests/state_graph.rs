//! The graph of an instance has the states and steps that the search counts, correctly marked.

use explore::DeadlockPolicy;
use explore::Limits;
use instance::exploration::{Exploration, Options, explore};
use instance::state_graph::{NoGraph, StateGraph, state_graph};
use ir::Model;
use source::Source;
use std::{collections::BTreeSet, fs, path::Path};

fn load(file: &Path) -> Option<Model> {
    model::load(&Source::new(file.to_string_lossy(), fs::read_to_string(file).unwrap())).model
}

fn example(name: &str) -> Model {
    load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)).unwrap()
}

fn options(processes: u32, symmetry: bool) -> Options {
    let limits = Limits { states: Some(3000), ..Limits::default() };
    Options { all: true, symmetry, deadlock: DeadlockPolicy::Error, limits, ..Options::new(processes) }
}

/// What the search and the graph both report: states, steps, and the names of findings.
fn of_search(exploration: &Exploration) -> (usize, usize, BTreeSet<&str>) {
    let names = exploration.findings.iter().map(|finding| finding.name.as_str()).collect();
    (exploration.stats.states, exploration.stats.transitions, names)
}

fn of_graph(graph: &StateGraph) -> (usize, usize, BTreeSet<&str>) {
    let violated = graph.states.iter().flat_map(|state| state.violated.iter().map(String::as_str));
    let stuck = graph.states.iter().any(|state| state.stuck).then_some("deadlock");
    (graph.states.len(), graph.steps.len(), violated.chain(stuck).collect())
}

#[test]
fn graphs_are_what_the_search_sees() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut compared = 0;
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    for file in files.filter(|path| path.is_file()) {
        let Some(model) = load(&file) else { continue };
        for symmetry in [true, false] {
            let options = options(model.min_processes().max(2), symmetry);
            let explored = explore(&model, &options);
            if explored.incomplete.is_some() {
                continue;
            }
            let graph = state_graph(&model, &options, 3000).unwrap();
            assert_eq!(of_graph(&graph), of_search(&explored), "{}", file.display());
            compared += 1;
        }
    }
    assert!(compared >= 20, "only {compared} were compared");
}

#[test]
fn the_limit_is_kept_exactly() {
    let model = example("mutex-broken.cub");
    let states = state_graph(&model, &options(2, false), 1000).unwrap().states.len();
    assert!(state_graph(&model, &options(2, false), states).is_ok());
    assert_eq!(state_graph(&model, &options(2, false), states - 1), Err(NoGraph::TooLarge));
}

#[test]
fn symmetric_states_are_one() {
    let model = example("mutex-broken.cub");
    let (all, classes) = (
        state_graph(&model, &options(2, false), 1000).unwrap(),
        state_graph(&model, &options(2, true), 1000).unwrap(),
    );
    // None inside: 3 × 3 pairs of places, flag down. One inside: 3 × 2 pairs, flag up, or down after another has
    // left. Both inside: flag up. So 9 + 6 + 6 + 1; without order 6 + 3 + 3 + 1.
    assert!(classes.symmetric && !all.symmetric);
    assert_eq!((all.states.len(), classes.states.len()), (22, 13));
    assert!(all.states[0].initial && all.states.iter().filter(|state| state.initial).count() == 1);
}

#[test]
fn kinds_are_told() {
    let graph = state_graph(&example("producer-consumer.cub"), &options(2, true), 1000).unwrap();
    assert_eq!(graph.states[0].kinds, ["producer", "consumer"]);
}
