//! Sessions over small models: what commands do, what they refuse, and that nothing else happens then.

use explore::DeadlockPolicy;
use explore::{Cancel, Limits, Trace};
use instance::{Instance, MOST_NUMBER_BITS, Setup, reach::Effort};
use model::Queues;
use serde_json::{Value, json};
use source::Source;
use std::{
    cell::RefCell,
    collections::BTreeMap,
    rc::Rc,
    sync::{Arc, atomic::AtomicBool},
};
use step::{
    Answer, Divergence, Finding, Inconclusive, Inspect, Options, Outcome, Session, Store,
    models::{ModelSystem, Origin},
};

/// A run with the name of what it violates at its end.
type Saved = (Trace, Option<String>);

/// Files that exist in memory only.
#[derive(Clone, Default)]
struct Shelf(Rc<RefCell<BTreeMap<String, Saved>>>);

impl Store for Shelf {
    fn save(&self, file: &str, trace: &Trace, violation: Option<&Finding>) -> Result<(), String> {
        let named = violation.map(|finding| finding.name.clone());
        self.0.borrow_mut().insert(file.to_owned(), (trace.clone(), named));
        Ok(())
    }

    fn load(&self, file: &str) -> Result<(Trace, Vec<String>), String> {
        let trace = self.0.borrow().get(file).map(|(trace, _)| trace.clone());
        trace.map(|trace| (trace, vec![])).ok_or_else(|| format!("there is no `{file}`"))
    }
}

/// A session about a small model: its states have at most four words.
type Small<'s, 'm, 'i> = Session<'s, ModelSystem<'m, 'i, 4>>;

/// Holds a session about a text.
fn hold<T>(
    text: &str,
    queues: Queues,
    processes: usize,
    talk: impl FnOnce(&mut Small<'_, '_, '_>, &Shelf) -> T,
) -> T {
    hold_with(text, queues, processes, false, talk)
}

/// The same; if `stopped`, every long command is interrupted at once.
fn hold_with<T>(
    text: &str,
    queues: Queues,
    processes: usize,
    stopped: bool,
    talk: impl FnOnce(&mut Small<'_, '_, '_>, &Shelf) -> T,
) -> T {
    let source = Source::new("test.cub", text.to_owned());
    let model = model::load_with(&source, queues).model.expect("the model is fine");
    let setup = Setup::new(processes, MOST_NUMBER_BITS);
    let instances = Instance::all(&model, &setup).expect("the instance is fine");
    let cancel = Arc::new(AtomicBool::new(stopped));
    let limits = Limits { cancel: Cancel::by(cancel.clone()), ..Limits::default() };
    let effort = Effort { limits, workers: 1, progress: Arc::default() };
    let deadlock = DeadlockPolicy::Waiting;
    let origin = Origin { model: &model, source: &source, queues, deadlock, effort };
    let shelf = Shelf::default();
    let options = Options { seed: 7, most_states: 10_000, cancel };
    let system = ModelSystem::<4>::new(origin, &instances);
    let mut session = Session::new(system, Box::new(shelf.clone()), options).expect("it begins");
    talk(&mut session, &shelf)
}

fn session<T>(text: &str, processes: usize, talk: impl FnOnce(&mut Small<'_, '_, '_>) -> T) -> T {
    hold(text, Queues::Any, processes, |session, _| talk(session))
}

/// The answer to a line.
fn ask<S: Inspect>(session: &mut Session<'_, S>, line: &str) -> Answer {
    match session.read(line) {
        Ok(command) => session.execute(command.expect("there is a command in the line")),
        Err(refusal) => Answer::Refused { refusal },
    }
}

/// The answer to a line that can be executed, as JSON.
fn done<S: Inspect>(session: &mut Session<'_, S>, line: &str) -> Value {
    let answer = ask(session, line);
    assert_eq!(answer.outcome(), Outcome::Done, "{line}: {answer:?}");
    serde_json::to_value(&answer).expect("answers can be serialised")
}

/// The answer to a line that cannot be executed, as JSON. Nothing has changed then.
fn refused<S: Inspect>(session: &mut Session<'_, S>, line: &str) -> Value {
    let before = (session.trace().unwrap(), session.step());
    let _ = done(session, "status");
    let answer = ask(session, line);
    assert_eq!(answer.outcome(), Outcome::Refused, "{line}: {answer:?}");
    assert_eq!((session.trace().unwrap(), session.step()), before, "{line} has changed something");
    serde_json::to_value(&answer).expect("answers can be serialised")["refusal"].take()
}

fn array(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is not an array"))
}

/// The labels of the steps that were taken.
fn labels(moved: &Value) -> Vec<&str> {
    array(&moved["steps"]).iter().map(|step| step["label"].as_str().expect("a label")).collect()
}

/// The names of what is wrong.
fn wrong(judgement: &Value) -> Vec<&str> {
    array(&judgement["findings"]).iter().map(|finding| finding["name"].as_str().expect("a name")).collect()
}

/// The reasons why a transition is not enabled.
fn reasons(why: &Value) -> &[Value] {
    assert_eq!(why["explanation"]["enabled"], "no", "{why}");
    array(&why["explanation"]["reasons"])
}

const MUTEX: &str = "
type location = Idle | Trying | Cleared | Critical
var Taken : bool
array Loc[proc] : location
init (i) { Taken = False && Loc[i] = Idle }
unsafe (i j) { Loc[i] = Critical && Loc[j] = Critical }
transition ask (i) requires { Loc[i] = Idle } { Loc[i] := Trying }
transition look (i) requires { Loc[i] = Trying && Taken = False } { Loc[i] := Cleared }
transition enter (i) requires { Loc[i] = Cleared } { Taken := True; Loc[i] := Critical }
transition leave (i) requires { Loc[i] = Critical } { Taken := False; Loc[i] := Idle }
";

const KITCHEN: &str = "
type cook < proc
type guest < proc
type place = Out | AtDoor | In
var Door : lock
var Bell : condition
var Seats : semaphore
array Loc[proc] : place
init (i) { Loc[i] = Out && Seats = 1 }
transition knock ([i : guest]) requires { Loc[i] = Out } { Loc[i] := AtDoor; acquire(Door, i) }
transition sit ([i : guest]) requires { Loc[i] = AtDoor } { Loc[i] := In; acquire(Seats, i) }
transition hold ([i : cook]) requires { Loc[i] = Out } { Loc[i] := AtDoor; acquire(Bell, i) }
transition doze ([i : cook]) requires { Loc[i] = AtDoor } { Loc[i] := In; wait(Bell, i) }
transition drop ([i : guest]) requires { Loc[i] = Out } { release(Door, i) }
";

#[test]
fn several_transitions_are_taken_all_or_not_at_all() {
    session(MUTEX, 2, |session| {
        let refusal = refused(session, "transition ask(#1); look(#1); look(#1)");
        assert_eq!((&refusal["error"], &refusal["number"]), (&json!("none_taken"), &json!(3)));
        let reason = &refusal["cause"]["reasons"][0];
        assert_eq!(reason["evidence"]["values"][0], json!({ "term": "Loc[#1]", "value": "Cleared" }));
        assert_eq!(session.step(), 0);
        let moved = done(session, "ask(#1); look(#1)");
        assert_eq!(labels(&moved), ["ask(#1)", "look(#1)"]);
        assert_eq!(moved["steps"][1]["changed"], json!(["Loc[#1]"]));
        assert_eq!(session.step(), 2);
    });
}

#[test]
fn moves_can_be_undone_and_made_again() {
    session(MUTEX, 2, |session| {
        done(session, "ask(#1); ask(#2)");
        done(session, "random 3");
        let far = session.trace().unwrap();
        done(session, "backtrack 1");
        assert_eq!(session.step(), 1);
        done(session, "undo");
        assert_eq!(session.trace().unwrap(), far);
        done(session, "undo 2");
        assert_eq!(session.step(), 0);
        done(session, "redo 2");
        assert_eq!(session.trace().unwrap(), far);
        done(session, "reset");
        assert_eq!(refused(session, "redo"), json!({ "error": "no_such_redo", "moves": 0 }));
        assert_eq!(refused(session, "undo 5"), json!({ "error": "no_such_undo", "moves": 3 }));
        assert_eq!(
            refused(session, "backtrack 1"),
            json!({ "error": "no_such_step", "step": 1, "steps": 0 })
        );
    });
}

#[test]
fn states_that_are_not_remembered_are_computed_again() {
    let states = |flag: &str| {
        session(MUTEX, 2, |session| {
            done(session, flag);
            done(session, "execute_proc 1 10");
            let shown = done(session, "rerun 0 10");
            done(session, "backtrack 7");
            (shown, done(session, "status"), done(session, "trace"))
        })
    };
    let (all, some) = (states("flag 1"), states("flag 4"));
    assert_eq!((&all.0, &all.1), (&some.0, &some.1));
    let remembered =
        |run: &Value| array(&run["steps"]).iter().filter(|step| step["remembered"] == true).count();
    assert_eq!((remembered(&all.2), remembered(&some.2)), (7, 1));
}

#[test]
fn replay_shows_the_remembered_states_only() {
    session(MUTEX, 2, |session| {
        assert_eq!(done(session, "flag 2")["every"], 2);
        done(session, "ask(#1); look(#1); enter(#1); leave(#1)");
        assert_eq!(array(&done(session, "replay")["states"]).len(), 3);
        assert_eq!(array(&done(session, "rerun 1 4")["states"]).len(), 4);
        assert_eq!(session.step(), 4);
        assert_eq!(refused(session, "flag 0")["error"], "no_interval");
    });
}

#[test]
fn executing_stops_at_a_violation_and_tells_what_it_saw() {
    for way in ["execute", "execute_weight", "execute_max"] {
        session(MUTEX, 2, |session| {
            let moved = done(session, &format!("{way} 200 50"));
            let report = &moved["report"];
            assert_eq!((&report["by"], &report["end"]), (&json!("execute"), &json!("violation")), "{way}");
            assert!(report["seen"].as_u64() >= report["distinct"].as_u64(), "{report}");
            assert!(report["most_seen"]["times"].as_u64() > Some(0), "{report}");
            let finding = &moved["here"]["judgement"]["findings"][0];
            assert_eq!((&finding["name"], &finding["processes"]), (&json!("unsafe1"), &json!([1, 2])));
            assert!(session.is_violated());
        });
    }
    session(MUTEX, 2, |session| {
        let moved = done(session, "execute_proc 20 10");
        assert_eq!(moved["report"]["runs"], 20);
        assert!(!session.is_violated(), "one process alone does no harm");
        done(session, "reset");
        assert_eq!(done(session, "execute_bfs 6")["report"]["steps"], 6);
        assert!(session.is_violated());
        done(session, "reset");
        let none = done(session, "execute_bfs 5");
        assert_eq!((&none["answer"], &none["complete"]), (&json!("none_wrong"), &json!(true)));
        assert_eq!(session.step(), 0);
    });
}

#[test]
fn the_same_seed_gives_the_same_steps() {
    let run = || {
        session(MUTEX, 3, |session| {
            done(session, "execute_max 3 20");
            done(session, "random 5");
            session.trace().unwrap()
        })
    };
    assert_eq!(run(), run());
}

#[test]
fn goto_finds_a_shortest_way_or_says_that_there_is_none() {
    session(MUTEX, 2, |session| {
        let moved = done(session, "goto Loc[#2] = Critical && Loc[#1] = Critical");
        assert_eq!((&moved["report"]["by"], &moved["report"]["steps"]), (&json!("goto"), &json!(6)));
        assert_eq!(done(session, "goto unsafe1")["answer"], "already_there");
        done(session, "reset");
        let none = done(session, "goto (forall i. Loc[i] = Critical) && Taken = False && Loc[#1] = Idle");
        assert_eq!((&none["answer"], &none["processes"]), (&json!("unreachable"), &json!(2)));
        assert_eq!(done(session, "goto deadlock")["answer"], "unreachable");
        for wrong in
            ["goto Loc[#3] = Idle", "goto Loc[i] = Idle", "goto Locc[#1] = Idle", "goto Loc[#1]", "goto ("]
        {
            let refusal = refused(session, wrong);
            assert_eq!(refusal["error"], "expression", "{wrong}");
            assert!(refusal["diagnostics"][0]["message"].is_string(), "{refusal}");
        }
    });
}

#[test]
fn a_process_that_is_named_is_not_any_process() {
    // Up to symmetry the two are alike: the formula tells them apart.
    session(MUTEX, 2, |session| {
        for (goal, last) in [("Loc[#1] = Trying", "ask(#1)"), ("Loc[#2] = Trying", "ask(#2)")] {
            assert_eq!(labels(&done(session, &format!("goto {goal}"))), [last]);
            done(session, "reset");
        }
    });
}

#[test]
fn why_tells_every_reason() {
    session(KITCHEN, 3, |session| {
        // One cook and two guests, rather than the other way round.
        done(session, "reset 2");
        assert_eq!(done(session, "why knock(#2)")["explanation"]["actions"], json!(["knock(#2)"]));
        let kind = json!({ "reason": "kind", "process": 1, "expected": "guest", "actual": "cook" });
        assert_eq!(reasons(&done(session, "why knock(#1)"))[0], kind);
        let both = done(session, "why sit(#1)");
        assert_eq!(reasons(&both)[0], kind);
        let location = json!({ "line": 11, "column": 12 });
        assert_eq!(reasons(&both)[1]["condition"], "Loc[#1] = AtDoor");
        assert_eq!(reasons(&both)[1]["location"]["start"], location);
        assert_eq!(reasons(&both)[1]["evidence"]["values"], json!([{ "term": "Loc[#1]", "value": "Out" }]));
        done(session, "knock(#2); knock(#3)");
        let waits = reasons(&done(session, "why sit(#3)"))[0]["activity"].clone();
        assert_eq!(waits, json!({ "state": "suspended", "on": "Door", "ahead": null }));
        done(session, "hold(#1); doze(#1)");
        assert_eq!(reasons(&done(session, "why hold(#1)"))[0]["activity"]["state"], "asleep");
        assert_eq!(refused(session, "why knok(#1)")["suggestion"], "knock");
        assert_eq!(refused(session, "why knock(#1, #2)")["parameters"], json!(["i"]));
        assert_eq!(refused(session, "why knock(#4)")["error"], "no_such_process");
    });
}

#[test]
fn why_names_the_processes_that_stand_in_the_way() {
    let model = "
array On[proc] : bool
array Near[proc,proc] : bool
init (i j) { On[i] = False && Near[i,j] = True }
transition switch (i) requires { forall_other j. On[j] = False } { On[i] := True }
transition meet (i j) requires { Near[i,j] = False } { }
";
    session(model, 3, |session| {
        done(session, "switch(#2)");
        let evidence = reasons(&done(session, "why switch(#1)"))[0]["evidence"].clone();
        assert_eq!(evidence["roles"], json!([{ "variable": "j", "process": 2 }]));
        assert_eq!(evidence["values"], json!([{ "term": "On[#2]", "value": "True" }]));
        let evidence = reasons(&done(session, "why meet(#1, #3)"))[0]["evidence"].clone();
        assert_eq!(evidence["values"], json!([{ "term": "Near[#1,#3]", "value": "True" }]));
        let twice = json!({ "reason": "repeated", "process": 1 });
        assert_eq!(reasons(&done(session, "why meet(#1, #1)")), [twice]);
    });
}

#[test]
fn the_state_shows_who_has_what_and_who_waits() {
    session(KITCHEN, 3, |session| {
        done(session, "reset 2");
        done(session, "knock(#2); knock(#3); hold(#1); doze(#1)");
        let view = done(session, "status");
        let status = &view["status"];
        let process =
            |at: usize| (&status["processes"][at]["kind"], &status["processes"][at]["activity"]["state"]);
        assert_eq!(process(0), (&json!("cook"), &json!("asleep")));
        assert_eq!(process(1), (&json!("guest"), &json!("active")));
        assert_eq!(process(2), (&json!("guest"), &json!("suspended")));
        assert_eq!(view["before"]["processes"][0]["activity"]["state"], "active");
        assert_eq!(
            (&status["variables"]["Loc[#1]"], &view["before"]["variables"]["Loc[#1]"]),
            (&json!("In"), &json!("AtDoor"))
        );
        let resources = array(&status["resources"]);
        let names: Vec<&Value> = resources.iter().map(|resource| &resource["name"]).collect();
        assert_eq!(names, ["Door", "Bell", "Seats"]);
        assert_eq!((&resources[0]["owner"], &resources[0]["waiting"]), (&json!(2), &json!([3])));
        assert_eq!((&resources[1]["owner"], &resources[1]["asleep"]), (&Value::Null, &json!([1])));
        assert_eq!((&resources[2]["kind"], &resources[2]["count"]), (&json!("semaphore"), &json!("1")));
    });
}

#[test]
fn misuse_is_told_and_the_step_is_not_taken() {
    session(KITCHEN, 2, |session| {
        let judged = done(session, "unsafe");
        let finding = &judged["findings"][0];
        assert_eq!((&finding["kind"], &finding["matter"]), (&json!("misuse"), &json!("forbidden_step")));
        assert_eq!((&finding["step"], &finding["offence"]), (&json!("drop(#2)"), &json!("misuse")));
        assert!(session.is_violated());
        let refusal = refused(session, "drop(#2)");
        assert_eq!(refusal["reasons"][1]["reason"], "forbidden", "{refusal}");
    });
}

#[test]
fn the_woken_process_must_be_given_where_it_matters() {
    let model = "
var Door : lock
array Loc[proc] : bool
init (i) { Loc[i] = False }
transition take ([i]) requires { Loc[i] = False } { Loc[i] := True; acquire(Door, i) }
transition give ([i]) requires { Loc[i] = True } { Loc[i] := False; release(Door, i) }
";
    session(model, 3, |session| {
        done(session, "take(#1); take(#2); take(#3)");
        let refusal = refused(session, "give(#1)");
        assert_eq!(refusal["actions"], json!(["give(#1) waking #2", "give(#1) waking #3"]), "{refusal}");
        done(session, "give(#1) waking #3");
        assert_eq!(reasons(&done(session, "why give(#3) waking #1"))[0]["reason"], "cases");
        // Where only one can be woken, it need not be given.
        done(session, "give(#3)");
    });
    hold(model, Queues::Fifo, 3, |session, _| {
        done(session, "take(#1); take(#3); take(#2)");
        let view = done(session, "status");
        let lock = &view["status"]["resources"][0];
        assert_eq!((&lock["owner"], &lock["waiting"]), (&json!(1), &json!([3, 2])));
        assert_eq!(view["status"]["processes"][1]["activity"]["ahead"], 1);
        assert_eq!(labels(&done(session, "give(#1)")), ["give(#1) waking #3"]);
    });
}

#[test]
fn values_that_are_left_open_are_chosen() {
    let model = "
type colour = Red | Green | Blue
array Hat[proc] : colour
init (i) { Hat[i] = Red }
transition dress (i) { Hat[i] := . }
";
    session(model, 1, |session| {
        assert_eq!(array(&done(session, "all")["actions"]).len(), 3);
        done(session, "dress(#1) choice 3");
        assert_eq!(done(session, "watch Hat[#1]")["value"], json!({ "type": "term", "value": "Blue" }));
        done(session, "dress(#1) choice 1");
        let change = done(session, "2")["here"]["watches"][0].clone();
        assert_eq!((&change["value"]["value"], &change["before"]["value"]), (&json!("Green"), &json!("Red")));
        assert_eq!(refused(session, "4"), json!({ "error": "no_such_action", "enabled": 3 }));
        refused(session, "0");
        let refusal = refused(session, "dress(#1) choice 4");
        assert_eq!(refusal["reasons"][0], json!({ "reason": "no_such_choice", "choice": 4 }));
    });
}

#[test]
fn initial_states_are_chosen_by_number() {
    let model = "
var X : bool
array Y[proc] : bool
init (i) { Y[i] = False }
transition flip () { X := case | X = True : False | _ : True }
";
    session(model, 1, |session| {
        let here = session.here().position;
        assert_eq!((here.step, here.label, here.initial, here.initials), (0, None, 1, 2));
        assert_eq!(done(session, "reset 2")["position"]["initial"], 2);
        let two = done(session, "status");
        done(session, "flip()");
        assert_eq!(done(session, "reset")["position"]["initial"], 2);
        assert_eq!(done(session, "status"), two);
        let refusal = json!({ "error": "no_such_initial_state", "initials": 2 });
        assert_eq!(refused(session, "reset 3"), refusal);
        assert_eq!(refused(session, "reset 0"), refusal);
    });
}

#[test]
fn expressions_are_watched() {
    session(MUTEX, 2, |session| {
        assert_eq!(done(session, "watch")["watches"], json!([]));
        done(session, "watch Loc[#2]");
        done(session, "watch exists i. Loc[i] = Trying");
        let moved = done(session, "ask(#1)");
        let changes = array(&moved["here"]["watches"]);
        assert_eq!(changes.len(), 1);
        assert_eq!(changes[0]["expression"], "exists i. Loc[i] = Trying");
        assert_eq!(
            (&changes[0]["value"]["value"], &changes[0]["before"]["value"]),
            (&json!(true), &json!(false))
        );
        assert_eq!(done(session, "watch")["watches"][0]["expression"], "Loc[#2]");
        done(session, "unwatch 1");
        assert_eq!(refused(session, "unwatch 2"), json!({ "error": "no_such_watch", "watches": 1 }));
        assert_eq!(refused(session, "watch Loc")["error"], "expression");
        done(session, "unwatch");
        assert_eq!(done(session, "ask(#2)")["here"]["watches"], json!([]));
    });
}

#[test]
fn runs_are_saved_and_followed_again() {
    hold(MUTEX, Queues::Any, 2, |session, shelf| {
        done(session, "goto unsafe1");
        done(session, "save wrong");
        assert_eq!(shelf.0.borrow()["wrong"].1.as_deref(), Some("unsafe1"));
        let trace = session.trace().unwrap();
        done(session, "backtrack 2");
        done(session, "save fine");
        assert_eq!(shelf.0.borrow()["fine"].1, None);
        done(session, "load wrong");
        assert_eq!(session.trace().unwrap(), trace);
        assert_eq!(refused(session, "load nothing")["why"], "there is no `nothing`");
        // A run that does not exist changes nothing.
        shelf.0.borrow_mut().get_mut("wrong").unwrap().0.steps[3].state[0].value =
            explore::Value::word("Elsewhere");
        let answer = ask(session, "load wrong");
        assert_eq!(answer.outcome(), Outcome::Unknown);
        let divergence = Divergence::OtherState { step: 4, label: "look(#2)".into() };
        assert!(
            matches!(&answer, Answer::NotFollowed { divergence: at, .. } if *at == divergence),
            "{answer:?}"
        );
        assert_eq!(session.trace().unwrap(), trace);
    });
}

#[test]
fn a_command_that_is_interrupted_stops() {
    hold_with(MUTEX, Queues::Any, 2, true, |session, _| {
        let report = done(session, "execute 1000000000 1000")["report"].clone();
        assert_eq!((&report["end"], &report["steps"]), (&json!("interrupted"), &json!(0)));
        assert_eq!(ask(session, "execute_bfs 100").outcome(), Outcome::Unknown);
        let answer = ask(session, "goto Taken = True && Loc[#1] = Idle && Loc[#2] = Idle");
        assert!(matches!(answer, Answer::Inconclusive { why: Inconclusive::Interrupted, .. }), "{answer:?}");
        assert_eq!(session.step(), 0);
    });
}

#[test]
fn numbers_that_have_no_value_are_no_deadlock() {
    let model = "
var X : int
var Y : int
array On[proc] : bool
init (i) { On[i] = False }
transition go (i) requires { X < Y } { On[i] := True }
";
    session(model, 1, |session| {
        let stuck = done(session, "all");
        assert_eq!((&stuck["answer"], &stuck["gap"]["gap"]), (&json!("stuck"), &json!("obstacle")));
        assert!(!wrong(&stuck).contains(&"deadlock") && !session.is_violated(), "{stuck}");
        assert_eq!(reasons(&done(session, "why go(#1)"))[0]["reason"], "undefined");
        assert_eq!(done(session, "watch X + 1")["value"]["type"], "undefined");
        assert_eq!(ask(session, "goto On[#1] = True").outcome(), Outcome::Unknown);
    });
}

#[test]
fn help_knows_every_command() {
    session(MUTEX, 2, |session| {
        assert_eq!(ask(session, "help"), Answer::Commands { commands: step::TOPICS });
        for topic in step::TOPICS {
            assert_eq!(ask(session, &format!("help {}", topic.name)), Answer::Command(topic));
        }
        assert_eq!(refused(session, "help stauts")["suggestion"], "status");
        assert_eq!(ask(session, "quit"), Answer::Quit);
    });
}

#[test]
fn expressions_are_printed() {
    session(MUTEX, 2, |session| {
        done(session, "ask(#1)");
        assert_eq!(done(session, "print Loc[#1]")["value"]["value"], "Trying");
        assert_eq!(done(session, "p exists i. Loc[i] = Trying")["value"]["value"], true);
        assert_eq!(refused(session, "print Lock[#1]")["error"], "expression");
        assert_eq!(refused(session, "print")["arguments"], "EXPR");
    });
}

#[test]
fn continue_stops_where_a_formula_holds() {
    session(MUTEX, 2, |session| {
        let formula = "exists i. Loc[i] = Critical";
        assert_eq!(done(session, &format!("break {formula}"))["value"]["value"], false);
        let report = done(session, "continue")["report"].clone();
        assert_eq!(report["stop"], json!({ "at": "breakpoint", "formula": formula }));
        assert_eq!(done(session, &format!("print {formula}"))["value"]["value"], true);
        // It goes on from where it stopped, and is undone as one move.
        let far = session.step();
        done(session, "continue");
        assert!(session.step() > far);
        done(session, "undo");
        assert_eq!(session.step(), far);
    });
}

#[test]
fn continue_stops_at_a_violation_and_after_enough_steps() {
    session(MUTEX, 2, |session| {
        let report = done(session, "continue 1")["report"].clone();
        assert_eq!((&report["steps"], &report["stop"]["at"]), (&json!(1), &json!("length")));
        for _ in 0..200 {
            if session.is_violated() {
                return;
            }
            done(session, "continue");
        }
        panic!("no violation was found");
    });
}

#[test]
fn breakpoints_are_listed_and_removed() {
    session(MUTEX, 2, |session| {
        assert_eq!(done(session, "break")["formulas"], json!([]));
        done(session, "break Taken = True");
        done(session, "br Taken = True");
        done(session, "break Loc[#1] = Idle");
        assert_eq!(done(session, "break")["formulas"], json!(["Taken = True", "Loc[#1] = Idle"]));
        assert_eq!(refused(session, "unbreak 3"), json!({ "error": "no_such_breakpoint", "breakpoints": 2 }));
        assert_eq!(done(session, "unbreak 1")["formulas"], json!(["Taken = True"]));
        assert_eq!(done(session, "break")["formulas"], json!(["Loc[#1] = Idle"]));
        done(session, "unbreak");
        assert_eq!(refused(session, "break Loc[#1]")["error"], "not_a_formula");
        assert_eq!(refused(session, "break Nothing = 1")["error"], "expression");
        assert_eq!(refused(session, "continue 0")["arguments"], "[D]");
    });
}

#[test]
fn why_without_processes_explains_each_choice() {
    session(MUTEX, 3, |session| {
        done(session, "ask(#1); look(#1); ask(#2)");
        let why = done(session, "why enter");
        let choices = array(&why["choices"]);
        let enabled: Vec<&Value> = choices.iter().map(|choice| &choice["explanation"]["enabled"]).collect();
        assert_eq!(enabled, ["yes", "no", "no"]);
        assert_eq!(
            (&choices[1]["call"], &reasons(&choices[1])[0]["condition"]),
            (&json!("enter(#2)"), &json!("Loc[#2] = Cleared"))
        );
        assert_eq!(refused(session, "why entre")["suggestion"], "enter");
    });
}

#[test]
fn the_text_of_an_item_is_listed() {
    session(MUTEX, 2, |session| {
        assert_eq!(refused(session, "list")["error"], "no_step_yet");
        let excerpt = done(session, "list enter")["excerpts"][0].clone();
        let text = "transition enter (i) requires { Loc[i] = Cleared } { Taken := True; Loc[i] := Critical }";
        assert_eq!(excerpt, json!({ "file": "test.cub", "line": 9, "lines": [text] }));
        done(session, "ask(#2)");
        assert_eq!(done(session, "l")["excerpts"][0]["line"], 7);
        assert_eq!(done(session, "list unsafe1")["excerpts"][0]["line"], 6);
        assert_eq!(refused(session, "list entre")["suggestion"], "enter");
    });
}

#[test]
fn a_session_is_resumed_by_one_about_an_edited_file() {
    let kept = session(MUTEX, 2, |session| {
        done(session, "ask(#1); look(#1); ask(#2); look(#2); enter(#1); enter(#2)");
        done(session, "watch Loc[#1]");
        done(session, "break Taken = True");
        assert_eq!(ask(session, "reload"), Answer::Reload);
        session.keep().expect("a run")
    });
    let resumed = |text: &str| {
        session(text, 2, |session| {
            let Answer::Resumed(resumed) = session.resume(&kept) else { panic!("it is not followed") };
            (resumed, session.step(), done(session, "watch"), done(session, "break"))
        })
    };
    let (same, step, ..) = resumed(MUTEX);
    assert_eq!((step, same.followed, same.steps, same.stopped_at), (6, 6, 6, None));
    assert_eq!(same.judgement.findings[0].name, "unsafe1");
    // Mended: `look` raises the flag, so that the second process cannot pass it.
    let mended = MUTEX.replace("{ Loc[i] := Cleared }", "{ Taken := True; Loc[i] := Cleared }");
    let (mended, step, watches, breakpoints) = resumed(&mended);
    assert_eq!((step, mended.followed, mended.stopped_at.as_deref()), (3, 3, Some("look(#2)")));
    assert_eq!(watches["watches"][0]["value"]["value"], "Cleared");
    assert_eq!(breakpoints["formulas"], json!(["Taken = True"]));
    let (renamed, _, watches, breakpoints) = resumed(&MUTEX.replace("Taken", "Raised"));
    assert!(!renamed.same_start);
    assert_eq!((renamed.lost_breakpoints, renamed.lost_watches), (vec!["Taken = True".to_owned()], vec![]));
    assert_eq!(watches["watches"][0]["expression"], "Loc[#1]");
    assert_eq!(breakpoints["formulas"], json!([]));
}
