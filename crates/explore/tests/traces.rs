//! Traces on all three systems: found, replayed, recorded, resolved, minimised.

mod common;

use std::sync::atomic::{AtomicI64, Ordering};

use common::jugs::{Jugs, Pour};
use common::mailboxes::Mailboxes;
use common::process::{Port, Process, increment};
use explore::{
    BadState, BreadthFirst, Deadlock, DepthFirst, End, Entry, Fault, Found, Label, Named, RandomWalk, Replay,
    Replayed, Rng, Schedule, Search, Seen, System, Value, minimise, record, replay, resolve,
};

fn lost_update() -> Replayed<Process> {
    Replayed::new(Process::new(&[increment, increment]))
}

fn lost(system: &Replayed<Process>) -> bool {
    system.inner().finished() && system.inner().variables[0] == 1
}

fn crowded(mail: &Mailboxes) -> bool {
    mail.inbox[0].len() == 2 && mail.inbox[1].len() == 1
}

fn four_litres(jugs: &Jugs) -> bool {
    jugs.litres[1] == 4
}

fn search<S: System>(system: &mut S, seed: u64, is_bad: impl Fn(&S) -> bool) -> Found<S::Action, Named> {
    let property = BadState::new("bad", is_bad);
    let outcome = Search::new(system, RandomWalk::new(seed, 1000, 200), property).run().unwrap();
    outcome.found.into_iter().next().expect("a violation")
}

/// A violation found is confirmed; a prefix of its run is refuted; its trace resolves to the same schedule.
fn replays<S: System>(system: &mut S, is_bad: impl Fn(&S) -> bool) {
    let found = search(system, 1, &is_bad);
    let confirmed = replay(system, &found.schedule, BadState::new("bad", &is_bad));
    assert_eq!(confirmed, Replay::Confirmed(found.clone()));
    let mut prefix = found.schedule.clone();
    prefix.actions.pop();
    assert_eq!(replay(system, &prefix, BadState::new("bad", &is_bad)), Replay::Refuted);

    let trace = record(system, &found.schedule).unwrap();
    assert_eq!(trace.steps.len(), found.schedule.actions.len());
    assert_eq!(resolve(system, &trace).unwrap(), found.schedule);
    let mut wrong = trace.clone();
    wrong.steps[0].state[0].value = Value::word("?");
    assert!(matches!(resolve(system, &wrong), Err(Fault::Deviation { step: 1, .. })));
    let mut wrong = trace;
    wrong.steps[1].label = Label::Text(format!("{}?", wrong.steps[1].label));
    assert!(matches!(resolve(system, &wrong), Err(Fault::Deviation { step: 1, .. })));
}

#[test]
fn traces_replay_on_every_system() {
    replays(&mut Jugs::new(), four_litres);
    replays(&mut Mailboxes::new(2), crowded);
    replays(&mut lost_update(), lost);
}

/// The minimised trace still fails, is a part of the original, and loses its violation with any one step.
fn minimises<S: System>(system: &mut S, seed: u64, is_bad: impl Fn(&S) -> bool) -> usize {
    let found = search(system, seed, &is_bad);
    let least = minimise(system, &found, BadState::new("bad", &is_bad)).unwrap();
    let again = replay(system, &least.schedule, BadState::new("bad", &is_bad));
    assert_eq!(again, Replay::Confirmed(least.clone()));
    let mut original = found.schedule.actions.iter();
    assert!(least.schedule.actions.iter().all(|action| original.any(|other| other == action)), "not a part");
    for dropped in 0..least.schedule.actions.len() {
        let mut shorter = least.schedule.clone();
        shorter.actions.remove(dropped);
        let verdict = replay(system, &shorter, BadState::new("bad", &is_bad));
        assert!(!matches!(verdict, Replay::Confirmed(_)), "step {dropped} is not needed");
    }
    least.schedule.actions.len()
}

/// At least the shortest runs, as breadth first finds them. Where a letter and its receipt can only be dropped
/// together, both stay.
#[test]
fn minimised_traces_still_fail() {
    for seed in 0..20 {
        assert!(minimises(&mut Jugs::new(), seed, four_litres) >= 6);
        assert!(minimises(&mut Mailboxes::new(4), seed, crowded) >= 3);
        assert_eq!(minimises(&mut lost_update(), seed, lost), 4);
    }
}

/// A run of 40 random steps and then the 6 that matter shrinks to few enough steps to read.
#[test]
fn minimise_drops_what_does_not_matter() {
    let mut rng = Rng::new(9);
    let mut system = Jugs::new();
    let noise = [Pour::Fill(0), Pour::Empty(0), Pour::Empty(1)];
    let mut actions: Vec<_> = (0..40).map(|_| noise[rng.below(noise.len())]).collect();
    let solution =
        [Pour::Fill(1), Pour::Over(1), Pour::Empty(0), Pour::Over(1), Pour::Fill(1), Pour::Over(1)];
    actions.extend([Pour::Empty(0), Pour::Empty(1)].into_iter().chain(solution));
    let found = Found { violation: explore::Named("bad".into()), schedule: Schedule { initial: 0, actions } };
    let least = minimise(&mut system, &found, BadState::new("bad", four_litres)).unwrap();
    assert_eq!(least.schedule.actions, solution);
}

/// Minimising keeps to the property that was violated, even where another one would fail sooner.
#[test]
fn minimise_keeps_to_the_property() {
    let mut system = Jugs::new();
    let properties =
        || (BadState::new("full", |jugs: &Jugs| jugs.litres[1] == 5), BadState::new("bad", four_litres));
    let search = Search::new(&mut system, DepthFirst::shuffled(3), properties()).remember(Seen::new());
    let found = search.find_all().run().unwrap().found;
    let bad = found.iter().find(|found| found.violation.0 == "bad").unwrap();
    let least = minimise(&mut system, bad, properties()).unwrap();
    assert_eq!(least.violation.0, "bad");
    assert!(least.schedule.actions.len() >= 6);
}

/// A claim that does not hold is not minimised but refuted.
#[test]
fn minimise_refuses_what_does_not_fail() {
    let mut system = Jugs::new();
    let mut found = search(&mut system, 1, four_litres);
    found.schedule.actions.pop();
    let refused = minimise(&mut system, &found, BadState::new("bad", four_litres));
    assert!(matches!(refused, Err(Fault::Deviation { .. })));
}

/// A schedule that the system no longer allows deviates, and the fault says where.
#[test]
fn replay_deviates_when_the_system_changed() {
    let found = search(&mut Jugs::new(), 1, four_litres);
    let mut changed = Jugs { capacity: [0, 5], ..Jugs::new() };
    let verdict = replay(&mut changed, &found.schedule, BadState::new("bad", four_litres));
    let step = found
        .schedule
        .actions
        .iter()
        .position(|action| *action != Pour::Fill(1) && *action != Pour::Empty(1));
    let Replay::Deviated(Fault::Deviation { step: deviates, found: instead, .. }) = verdict else {
        panic!("not a deviation: {verdict:?}");
    };
    assert_eq!(Some(deviates), step);
    assert!(instead.contains('('), "does not say what was enabled: {instead}");
    let trace = record(&mut Jugs::new(), &found.schedule).unwrap();
    assert!(matches!(resolve(&mut changed, &trace), Err(Fault::Deviation { .. })));

    let elsewhere = Schedule { initial: 1, actions: vec![] };
    let verdict = replay(&mut Jugs::new(), &elsewhere, Deadlock);
    assert!(matches!(verdict, Replay::Deviated(Fault::Deviation { step: 0, .. })));
}

/// Reads a clock that is not reset between runs: the same schedule leads to different states.
fn reads_a_clock(port: &Port) -> Option<()> {
    static CLOCK: AtomicI64 = AtomicI64::new(0);
    port.read(0)?;
    port.write(1, CLOCK.fetch_add(1, Ordering::Relaxed))?;
    Some(())
}

/// Non-determinism is noticed when the search backtracks, and ends it without a verdict.
#[test]
fn a_process_that_is_not_deterministic_is_a_fault() {
    let mut system = Replayed::new(Process::new(&[reads_a_clock, increment]));
    for outcome in [
        Search::new(&mut system, DepthFirst::new(), ()).run().unwrap(),
        Search::new(&mut system, BreadthFirst::new(), ()).run().unwrap(),
    ] {
        assert!(matches!(outcome.end, End::Fault(Fault::Deviation { step: 1.., .. })), "{:?}", outcome.end);
    }
}

/// A step of a trace has its process, its label, and the state after it.
#[test]
fn a_trace_says_who_did_what() {
    let schedule = Schedule { initial: 0, actions: vec![1, 1] };
    let trace = record(&mut lost_update(), &schedule).unwrap();
    let zero = |name: &str| Entry::variable(name, Value::Integer(0));
    assert_eq!(trace.start, [zero("v0"), zero("v1")]);
    let last = &trace.steps[1];
    assert_eq!((last.label.to_string().as_str(), last.process), ("1: Some(Write(0, 1))", Some(1)));
    assert_eq!(last.state[0], Entry::variable("v0", Value::Integer(1)));
}

#[cfg(feature = "json")]
mod json {
    use super::*;
    use explore::Trace;
    use serde_json::{Map, json};

    /// The document has the shape that ITF requires, and can be read back.
    #[test]
    fn itf_round_trip() {
        let schedule = Schedule { initial: 0, actions: vec![Pour::Fill(1), Pour::Over(1)] };
        let trace = record(&mut Jugs::new(), &schedule).unwrap();
        let mut details = Map::new();
        details.insert("seed".into(), 7.into());
        let document = trace.to_itf(details);
        assert_eq!(
            document,
            json!({
                "#meta": { "format": "ITF", "initial": 0, "seed": 7 },
                "vars": ["small", "large"],
                "states": [
                    { "#meta": { "index": 0 }, "small": 0, "large": 0 },
                    { "#meta": { "index": 1, "action": "Fill(1)", "process": null }, "small": 0, "large": 5 },
                    { "#meta": { "index": 2, "action": "Over(1)", "process": null }, "small": 3, "large": 2 },
                ],
            })
        );
        assert_eq!(Trace::from_itf(&document), Ok(trace));
    }

    /// Large integers are strings in an object; texts that only look like integers stay strings.
    #[test]
    fn itf_values() {
        for (shown, written) in [
            (Value::Integer(-7), json!(-7)),
            (Value::Integer(9_007_199_254_740_991), json!(9_007_199_254_740_991_i64)),
            (Value::Integer(9_007_199_254_740_992), json!({ "#bigint": "9007199254740992" })),
            (Value::Integer(-9_007_199_254_740_992), json!({ "#bigint": "-9007199254740992" })),
            (Value::Integer(i64::MIN), json!({ "#bigint": "-9223372036854775808" })),
            (Value::word("007"), json!("007")),
            (Value::word("1/2"), json!("1/2")),
            (Value::Decimal("0.5".into()), json!("0.5")),
            (Value::Process(0), json!("#1")),
            (Value::word("Idle"), json!("Idle")),
        ] {
            let start = vec![Entry::variable("X", shown)];
            let trace =
                Trace { initial: 0, actors: vec!["#1 : reader".into()], start, steps: vec![], back: None };
            let document = trace.to_itf(Map::new());
            assert_eq!(document["states"][0]["X"], written);
            assert_eq!(document["#meta"]["actors"], json!(["#1 : reader"]));
            assert_eq!(Trace::from_itf(&document), Ok(trace));
        }
    }

    /// A document of another kind is reported as an error, never by a panic.
    #[test]
    fn other_documents_are_refused() {
        let state = json!({ "#meta": { "index": 0 }, "x": "0" });
        for document in [
            json!(null),
            json!({ "vars": ["x"] }),
            json!({ "vars": ["x"], "states": [] }),
            json!({ "vars": [1], "states": [state] }),
            json!({ "vars": ["x"], "states": [state] }),
            json!({ "#meta": { "initial": 0 }, "vars": ["x"], "states": [state, state] }),
            json!({ "#meta": { "initial": -1 }, "vars": ["x"], "states": [state] }),
        ] {
            let error = Trace::from_itf(&document).unwrap_err().to_string();
            assert!(error.starts_with("not a trace that can be replayed: "), "{error}");
        }
    }
}
