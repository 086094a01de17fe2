//! Verdicts against the machine with exact store buffers.

use crate::machine::{Happening, Machine};
use events::{Action, CandidateRun};
use ir::Model;
use source::Source;

const MOST_STATES: usize = 6_000;
const MOST_ENTRIES: usize = 3;

/// The model of a text, if it is one.
pub(crate) fn load(text: &str) -> Option<Model> {
    model::load(&Source::new("test.cub", text)).model
}

/// Fails if an instance with up to three processes violates a property.
pub(crate) fn assert_safe(model: &Model, name: &str, text: &str) {
    if !Machine::supports(model) {
        return;
    }
    let most = model.max_processes.unwrap_or(3).min(3);
    for processes in model.min_processes()..=most {
        let explored = Machine::new(model, processes).explore(MOST_ENTRIES, MOST_STATES);
        let violated = explored.violated;
        assert_eq!(violated, None, "{name} was proved, and is wrong with {processes} processes:\n{text}");
    }
}

/// Whether a run leads to a bad state, step by step and flush by flush; `None` if the machine cannot tell.
pub(crate) fn replays(model: &Model, run: &CandidateRun) -> Option<bool> {
    if !Machine::supports(model) {
        return None;
    }
    let happenings: Vec<Happening> = run.actions.iter().map(happening).collect();
    Machine::new(model, run.processes).replays(&happenings, &model.properties[run.property])
}

fn happening(action: &Action) -> Happening {
    match action {
        Action::Step { transition, processes, .. } => {
            let processes = processes.iter().map(|process| process - 1).collect();
            Happening::Step { transition: *transition, processes }
        }
        Action::Flush { process } => Happening::Flush { process: process - 1 },
    }
}
