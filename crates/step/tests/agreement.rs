//! What the debugger says about reachable states agrees with exploring, on random models.

use explore::{DeadlockPolicy, FindingKind, Limits, Steered};
use instance::exploration::{Exploration, explore};
use instance::judge::kind_of;
use instance::{Instance, MOST_NUMBER_BITS, Setup, reach::Effort};
use ir::{Model, PropertyKind};
use model::Queues;
use modelgen::{Features, Size, random_model};
use source::Source;
use std::sync::{Arc, atomic::AtomicBool};
use step::{
    Answer, Explanation, Finding, Inspect, Options, Outcome, ReachEnd, Session, Store,
    models::{ModelSystem, Origin},
};

struct Nowhere;

impl Store for Nowhere {
    fn save(&self, _: &str, _: &explore::Trace, _: Option<&Finding>) -> Result<(), String> {
        Err("there are no files".into())
    }

    fn load(&self, _: &str) -> Result<(explore::Trace, Vec<String>), String> {
        Err("there are no files".into())
    }
}

const PROCESSES: usize = 2;
const STATES: usize = 3_000;

fn limits() -> Limits {
    Limits { states: Some(STATES), ..Limits::default() }
}

/// A random model with what exploring says about it; none if that is not everything.
fn explored(seed: u64) -> Option<(Source, Model, Exploration)> {
    let options = modelgen::Options { seed, size: Size::Small, features: Features::everything() };
    let source = Source::new("random.cub", random_model(&options));
    let model = model::load(&source).model?;
    let most = model.max_processes.unwrap_or(u32::MAX);
    let processes = u32::try_from(PROCESSES).ok().filter(|n| (model.min_processes()..=most).contains(n))?;
    let options = instance::exploration::Options {
        all: true,
        limits: limits(),
        deadlock: DeadlockPolicy::Error,
        ..instance::exploration::Options::new(processes)
    };
    if model.is_weak() {
        return None;
    }
    let exploration = explore(&model, &options);
    exploration.incomplete.is_none().then_some((source, model, exploration))
}

/// A random model to step through; its states have at most 16 words.
type Random<'m, 'i> = ModelSystem<'m, 'i, 16>;

fn with_system<T>(source: &Source, model: &Model, talk: impl FnOnce(Random<'_, '_>) -> T) -> T {
    let setup = Setup::new(PROCESSES, MOST_NUMBER_BITS);
    let instances = Instance::all(model, &setup).expect("it was explored");
    let effort = Effort { limits: limits(), workers: 1, progress: Arc::default() };
    let (queues, deadlock) = (Queues::Any, DeadlockPolicy::Error);
    talk(ModelSystem::new(Origin { model, source, queues, deadlock, effort }, &instances))
}

/// The number of steps from the nearest initial state; none if the goal cannot be reached.
fn nearest(system: &mut Random<'_, '_>, goal: &str) -> Option<usize> {
    let mut nearest: Option<usize> = None;
    for initial in 0..system.initials().unwrap() {
        system.start(initial).unwrap();
        match system.reach(goal).expect("models have a search").unwrap().end {
            ReachEnd::Path(actions) => {
                nearest = Some(nearest.unwrap_or(usize::MAX).min(actions.len()));
                for action in actions {
                    system.take(&action).unwrap();
                }
                assert!(system.findings().iter().any(|finding| finding.name == goal), "it is the goal");
            }
            ReachEnd::Nowhere => {}
            ReachEnd::Unknown(why) => panic!("{goal}: {why:?}"),
        }
    }
    nearest
}

#[test]
fn goto_finds_what_exploring_finds_as_near_and_nothing_else() {
    let (mut models, mut reached) = (0, 0);
    for seed in 0..400 {
        let Some((source, model, exploration)) = explored(seed) else { continue };
        if exploration.stats.states == 0 {
            continue;
        }
        models += 1;
        let properties = model.properties.iter().filter(|property| property.kind != PropertyKind::Assumption);
        let names = properties.map(|property| (kind_of(property.kind), property.name.clone()));
        for (kind, name) in names.chain([(FindingKind::Deadlock, "deadlock".to_owned())]) {
            let found =
                exploration.findings.iter().find(|finding| finding.kind == kind && finding.name == name);
            let expected = found.map(|finding| finding.trace.steps.len());
            let got = with_system(&source, &model, |mut system| nearest(&mut system, &name));
            assert_eq!(got, expected, "seed {seed}, {name}:\n{}", source.text());
            reached += usize::from(expected.is_some());
        }
    }
    assert!(models > 50 && reached > 20, "{models} models, {reached} reached");
}

/// Whatever is done, the run of a session is one that exploring confirms, and what is possible has no reason not to be.
#[test]
fn sessions_about_random_models_are_runs_of_them() {
    for seed in 0..150 {
        let Some((source, model, exploration)) = explored(seed) else { continue };
        if exploration.stats.states == 0 {
            continue;
        }
        with_system(&source, &model, |system| {
            let options = Options { seed, most_states: 100, cancel: Arc::new(AtomicBool::new(false)) };
            let mut session = Session::new(system, Box::new(Nowhere), options).unwrap();
            for line in [
                "status",
                "random 3",
                "execute 3 5",
                "undo",
                "execute_weight 2 5",
                "flag 3",
                "execute_max 2 5",
                "trace",
                "execute_proc 2 5",
                "execute_bfs 2",
                "replay",
                "backtrack 0",
                "redo",
                "undo",
                "all",
                "unsafe",
            ] {
                let answer = session.execute(session.read(line).unwrap().unwrap());
                let may_fail = line == "redo" || line == "undo";
                assert!(may_fail || answer.outcome() != Outcome::Refused, "seed {seed}, {line}: {answer:?}");
            }
            let trace = session.trace().unwrap();
            for label in session.vocabulary().enabled {
                let answer = session.execute(session.read(&format!("why {label}")).unwrap().unwrap());
                let enabled = matches!(answer, Answer::Why { explanation: Explanation::Enabled { .. }, .. });
                assert!(enabled, "seed {seed}, {label}: {answer:?}");
            }
            let processes = u32::try_from(PROCESSES).unwrap();
            let options = instance::exploration::Options::new(processes);
            let replayed =
                instance::replay::replay_trace(&model, &options, &trace, instance::replay::Claim::Named(""));
            assert_eq!(replayed, explore::Replay::Refuted, "seed {seed}: it can be followed");
        });
    }
}
