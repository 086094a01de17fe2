//! What a model shows of its states and actions survives being written to a file and read back.
//!
//! Replays compare states and labels as data, so a value that a file does not tell apart from another would make a
//! good trace deviate.

use explore::{Rng, Schedule, Steered, Subject, Trace, record, resolve};
use instance::{Instance, Machine, Setup};
use ir::{Model, store_buffers::Capacity};
use model::Queues;
use modelgen::{Features, Options, Size, random_model};
use serde_json::Map;
use source::Source;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The number of steps of each run.
const STEPS: usize = 30;

/// A random run.
fn walk<const W: usize>(machine: &mut Machine<'_, '_, W>, seed: u64) -> Option<Trace> {
    let mut rng = Rng::new(seed);
    let initials = machine.initials().ok().filter(|initials| *initials > 0)?;
    let initial = rng.below(initials);
    machine.start(initial).ok()?;
    let mut actions = Vec::new();
    while actions.len() < STEPS {
        let mut enabled = Vec::new();
        machine.enabled(&mut enabled);
        let Some(action) = enabled.get(rng.below(enabled.len().max(1))).copied() else { break };
        machine.take(&action).expect("it is enabled");
        actions.push(action);
    }
    Some(record(machine, &Schedule { initial, actions }).expect("it was just taken"))
}

/// Whether there was a run to compare.
fn survives(name: &str, model: &Model, processes: usize, seed: u64) -> bool {
    let setup = Setup::new(processes, 8);
    let Ok(instances) = Instance::all(model, &setup) else { return false };
    if instances.iter().any(|instance| instance.words() > 64) {
        return false;
    }
    let mut machine = Machine::<64>::new(&instances);
    let Some(trace) = walk(&mut machine, seed) else { return false };
    let read = Trace::from_itf(&trace.to_itf(Map::new())).expect("a trace");
    assert_eq!(read, trace, "{name} with {processes} processes");
    assert!(resolve(&mut machine, &read).is_ok(), "{name} with {processes} processes");
    let subjects: HashSet<String> = trace.start.iter().map(|entry| entry.subject.to_string()).collect();
    assert_eq!(subjects.len(), trace.start.len(), "{name}: two entries have the same name");
    names_are_those_of_the_typed_form(model, &trace);
    true
}

/// Messages and proofs use the names in the typed form, traces those of entries: they must not differ.
fn names_are_those_of_the_typed_form(model: &Model, trace: &Trace) {
    for entry in &trace.start {
        let computed = matches!(entry.subject, Subject::Place(_) | Subject::Buffer(_));
        let name = entry.subject.name();
        assert!(computed || model.symbols.iter().any(|symbol| symbol.name == name), "{name}");
    }
    let states = trace.steps.iter().map(|step| &step.state).chain([&trace.start]);
    for entry in states.flatten().filter(|entry| matches!(entry.subject, Subject::Blocked(_))) {
        let value = entry.value.to_string();
        assert!(model.enums.iter().any(|of| of.constructors.contains(&value)), "{value}");
    }
}

fn with_buffers(model: Model) -> Option<Model> {
    if model.is_weak() { model.with_store_buffers(Capacity::exact(2)).ok() } else { Some(model) }
}

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "cub") {
            found.push(path);
        }
    }
}

#[test]
fn traces_of_models_survive_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![];
    ["examples", "tests/models"].iter().for_each(|folder| models(&root.join(folder), &mut files));
    let (mut compared, mut weak) = (0, 0);
    for file in files {
        let source = Source::new(file.to_string_lossy(), fs::read_to_string(&file).expect("readable"));
        for queues in [Queues::Any, Queues::Fifo] {
            let Some(model) = model::load_with(&source, queues).model.and_then(with_buffers) else {
                continue;
            };
            for processes in model.min_processes()..=3 {
                let done = survives(source.name(), &model, processes as usize, compared);
                compared += u64::from(done);
                weak += usize::from(done && model.buffers.is_some());
            }
        }
    }
    assert!(compared > 1000, "only {compared} runs were compared");
    assert!(weak > 50, "only {weak} runs with store buffers were compared");
}

#[test]
fn traces_of_random_models_survive_files() {
    let mut compared = 0;
    for seed in 0..600 {
        let features = [Features::threads(), Features::everything(), Features::any(seed)]
            [usize::try_from(seed % 3).expect("small")];
        let text = random_model(&Options { seed, size: Size::Small, features });
        let source = Source::new(format!("seed {seed}"), text);
        let queues = if seed % 2 == 0 { Queues::Any } else { Queues::Fifo };
        let model = model::load_with(&source, queues).model.and_then(with_buffers);
        compared += usize::from(model.is_some_and(|model| survives(source.name(), &model, 2, seed)));
    }
    assert!(compared > 300, "only {compared} runs were compared");
}
