//! Sessions over small models: what commands do, what they refuse, and that nothing else happens then.

use explore::DeadlockPolicy;
use explore::{Cancel, Limits, Trace};
use instance::{Instance, MOST_NUMBER_BITS, Setup, reach::Effort};
use model::Queues;
use source::Source;
use std::{
    cell::RefCell,
    collections::BTreeMap,
    rc::Rc,
    sync::{Arc, atomic::AtomicBool},
};
use step::{Options, Origin, Outcome, Session, Store, Wrong, subject};

/// A run with the name of what is wrong at its end.
type Saved = (Trace, Option<String>);

/// Files that exist in memory only.
#[derive(Clone, Default)]
struct Shelf(Rc<RefCell<BTreeMap<String, Saved>>>);

impl Store for Shelf {
    fn save(&self, file: &str, trace: &Trace, wrong: Option<&Wrong>) -> Result<(), String> {
        let named = wrong.map(|wrong| wrong.name.clone());
        self.0.borrow_mut().insert(file.to_owned(), (trace.clone(), named));
        Ok(())
    }

    fn load(&self, file: &str) -> Result<(Trace, Vec<String>), String> {
        let trace = self.0.borrow().get(file).map(|(trace, _)| trace.clone());
        trace.map(|trace| (trace, vec![])).ok_or_else(|| format!("there is no `{file}`"))
    }
}

/// Holds a session about a text.
fn hold<T>(
    text: &str,
    queues: Queues,
    processes: usize,
    talk: impl FnOnce(&mut Session<'_>, &Shelf) -> T,
) -> T {
    hold_with(text, queues, processes, false, talk)
}

/// The same, perhaps with somebody who stops every long command at once.
fn hold_with<T>(
    text: &str,
    queues: Queues,
    processes: usize,
    stopped: bool,
    talk: impl FnOnce(&mut Session<'_>, &Shelf) -> T,
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
    let subject = subject(origin, &instances).expect("states are small");
    let mut session = Session::new(subject, Box::new(shelf.clone()), options).expect("it begins");
    talk(&mut session, &shelf)
}

fn session<T>(text: &str, processes: usize, talk: impl FnOnce(&mut Session<'_>) -> T) -> T {
    hold(text, Queues::Any, processes, |session, _| talk(session))
}

/// What a session says to a line, without colours, and how it went.
fn ask(session: &mut Session<'_>, line: &str) -> (String, Outcome) {
    let answer = match session.read(line) {
        Ok(command) => session.answer(command.expect("the line says something")),
        Err(answer) => answer,
    };
    let mut text = answer.pages.join("\n");
    while let Some(from) = text.find('\x1b') {
        let to = from + text[from..].find('m').expect("a colour");
        text.replace_range(from..=to, "");
    }
    (text, answer.outcome)
}

fn done(session: &mut Session<'_>, line: &str) -> String {
    let (text, outcome) = ask(session, line);
    assert_eq!(outcome, Outcome::Done, "{line}: {text}");
    text
}

fn refused(session: &mut Session<'_>, line: &str) -> String {
    let (before, step) = (session.trace().unwrap(), session.step());
    let _ = done(session, "status");
    let (text, outcome) = ask(session, line);
    assert_eq!(outcome, Outcome::Refused, "{line}: {text}");
    assert_eq!((session.trace().unwrap(), session.step()), (before, step), "{line} has changed something");
    text
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
        let text = refused(session, "transition ask(#1); look(#1); look(#1)");
        assert!(text.contains("transition 3 of 3") && text.contains("Loc[#1] is Cleared"), "{text}");
        assert_eq!(session.step(), 0);
        done(session, "ask(#1); look(#1)");
        assert_eq!(session.step(), 2);
    });
}

#[test]
fn moves_can_be_taken_back_and_made_again() {
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
        refused(session, "redo");
        refused(session, "undo 5");
        refused(session, "backtrack 1");
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
    assert_eq!(some.2.lines().filter(|line| line.starts_with(" *")).count(), 2, "{}", some.2);
    assert_eq!(all.2.lines().filter(|line| line.starts_with(" *")).count(), 8, "{}", all.2);
}

#[test]
fn replay_shows_the_remembered_states_only() {
    session(MUTEX, 2, |session| {
        done(session, "flag 2");
        done(session, "ask(#1); look(#1); enter(#1); leave(#1)");
        let titles = |text: &str| text.lines().filter(|line| line.contains("exits")).count();
        assert_eq!(titles(&done(session, "replay")), 3);
        assert_eq!(titles(&done(session, "rerun 1 4")), 4);
        assert_eq!(session.step(), 4);
    });
}

#[test]
fn executing_stops_where_something_is_wrong_and_tells_what_it_saw() {
    for way in ["execute", "execute_weight", "execute_max"] {
        session(MUTEX, 2, |session| {
            let text = done(session, &format!("{way} 200 50"));
            assert!(text.contains("states seen") && text.contains("seen most"), "{text}");
            assert!(text.contains("unsafe `unsafe1` is violated with #1 and #2"), "{way}: {text}");
            assert!(session.is_violated());
        });
    }
    session(MUTEX, 2, |session| {
        let text = done(session, "execute_proc 20 10");
        assert!(text.contains("20 runs") && !session.is_violated(), "one process alone does no harm: {text}");
        done(session, "reset");
        let text = done(session, "execute_bfs 6");
        assert!(text.contains("6 steps away") && session.is_violated(), "{text}");
        done(session, "reset");
        assert!(done(session, "execute_bfs 5").contains("none is wrong"));
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
        let text = done(session, "goto Loc[#2] = Critical && Loc[#1] = Critical");
        assert!(text.contains("6 steps away"), "{text}");
        assert!(done(session, "goto unsafe1").contains("already"));
        done(session, "reset");
        let text = done(session, "goto (forall i. Loc[i] = Critical) && Taken = False && Loc[#1] = Idle");
        assert!(text.contains("no such state can be reached from here with 2 processes: all"), "{text}");
        assert!(done(session, "goto deadlock").contains("no such state"));
        for wrong in
            ["goto Loc[#3] = Idle", "goto Loc[i] = Idle", "goto Locc[#1] = Idle", "goto Loc[#1]", "goto ("]
        {
            assert!(refused(session, wrong).contains("has no meaning here"), "{wrong}");
        }
    });
}

#[test]
fn a_process_that_is_named_is_not_any_process() {
    // Up to symmetry the two are alike: the formula tells them apart.
    session(MUTEX, 2, |session| {
        for (goal, last) in [("Loc[#1] = Trying", "ask(#1)"), ("Loc[#2] = Trying", "ask(#2)")] {
            assert!(done(session, &format!("goto {goal}")).contains(last));
            done(session, "reset");
        }
    });
}

#[test]
fn why_tells_every_reason() {
    session(KITCHEN, 3, |session| {
        // One cook and two guests, rather than the other way round.
        done(session, "reset 2");
        assert!(done(session, "why knock(#2)").contains("is possible here"));
        assert!(done(session, "why knock(#1)").contains("#1 is no guest, but a cook"));
        let both = done(session, "why sit(#1)");
        assert!(both.contains("#1 is no guest") && both.contains("Loc[#1] is Out"), "{both}");
        done(session, "knock(#2); knock(#3)");
        assert!(done(session, "why sit(#3)").contains("#3 is suspended: it waits for Door"));
        done(session, "hold(#1); doze(#1)");
        assert!(done(session, "why hold(#1)").contains("#1 is asleep on Bell"));
        assert!(refused(session, "why knok(#1)").contains("did you mean `knock`?"));
        assert!(refused(session, "why knock(#1, #2)").contains("takes 1 process"));
        assert!(refused(session, "why knock(#4)").contains("there is no process #4"));
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
        let text = done(session, "why switch(#1)");
        assert!(text.contains("is false for j = #2: On[#2] is True"), "{text}");
        assert!(done(session, "why meet(#1, #3)").contains("Near[#1,#3] is True"));
        assert!(done(session, "why meet(#1, #1)").contains("#1 is given twice"));
    });
}

#[test]
fn the_state_shows_who_has_what_and_who_waits() {
    session(KITCHEN, 3, |session| {
        done(session, "reset 2");
        done(session, "knock(#2); knock(#3); hold(#1); doze(#1)");
        let text = done(session, "status");
        for line in [
            "  #1  cook   asleep on Bell (was: active); Loc = In (was AtDoor)",
            "  #2  guest  active; Loc = AtDoor",
            "  #3  guest  suspended, waits for Door; Loc = AtDoor",
            "  Door   owner #2; #3 waits",
            "  Bell   free; #1 sleeps (was: owner #1)",
            "  Seats  value 1",
        ] {
            assert!(text.lines().any(|known| known == line), "{line}\n{text}");
        }
    });
}

#[test]
fn misuse_is_told_and_the_step_is_not_taken() {
    session(KITCHEN, 2, |session| {
        let text = done(session, "unsafe");
        assert!(
            text.contains("misuse `misuse2`: `drop(#2)`") || text.contains("misuse `misuse1`: `drop(#2)`"),
            "{text}"
        );
        assert!(session.is_violated());
        assert!(refused(session, "drop(#2)").contains("would be a misuse"));
    });
}

#[test]
fn whom_a_step_wakes_must_be_said_where_it_matters() {
    let model = "
var Door : lock
array Loc[proc] : bool
init (i) { Loc[i] = False }
transition take ([i]) requires { Loc[i] = False } { Loc[i] := True; acquire(Door, i) }
transition give ([i]) requires { Loc[i] = True } { Loc[i] := False; release(Door, i) }
";
    session(model, 3, |session| {
        done(session, "take(#1); take(#2); take(#3)");
        let text = refused(session, "give(#1)");
        assert!(text.contains("`give(#1) waking #2`, `give(#1) waking #3`"), "{text}");
        done(session, "give(#1) waking #3");
        assert!(done(session, "why give(#3) waking #1").contains("is false"));
        // Where only one can be woken, it need not be said.
        done(session, "give(#3)");
    });
    hold(model, Queues::Fifo, 3, |session, _| {
        done(session, "take(#1); take(#3); take(#2)");
        let text = done(session, "status");
        assert!(text.contains("owner #1; #3 and #2 wait") && text.contains("at place 2"), "{text}");
        done(session, "give(#1)");
        assert!(done(session, "trace").contains("waking #3"));
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
        assert_eq!(done(session, "all").lines().count(), 3);
        done(session, "dress(#1) choice 3");
        assert_eq!(done(session, "watch Hat[#1]"), "watch: Hat[#1] is Blue");
        done(session, "dress(#1) choice 1");
        assert!(done(session, "2").contains("watch: Hat[#1] is Green (was Red)"));
        refused(session, "4");
        refused(session, "0");
        assert!(refused(session, "dress(#1) choice 4").contains("there is no choice 4"));
    });
}

#[test]
fn what_init_leaves_open_is_chosen_by_number() {
    let model = "
var X : bool
array Y[proc] : bool
init (i) { Y[i] = False }
transition flip () { X := case | X = True : False | _ : True }
";
    session(model, 1, |session| {
        assert_eq!(session.greeting(), ["at the start, initial state 1 of 2"]);
        assert!(done(session, "reset 2").contains("initial state 2 of 2"));
        let two = done(session, "status");
        done(session, "flip()");
        assert!(done(session, "reset").contains("initial state 2 of 2"));
        assert_eq!(done(session, "status"), two);
        assert!(refused(session, "reset 3").contains("there are 2 initial states"));
        assert!(refused(session, "reset 0").contains("there are 2 initial states"));
    });
}

#[test]
fn expressions_are_watched() {
    session(MUTEX, 2, |session| {
        assert_eq!(done(session, "watch"), "nothing is watched");
        done(session, "watch Loc[#2]");
        done(session, "watch exists i. Loc[i] = Trying");
        let text = done(session, "ask(#1)");
        assert!(text.ends_with("watch: exists i. Loc[i] = Trying is true (was false)"), "{text}");
        assert!(done(session, "watch").starts_with("1  Loc[#2] is Idle"));
        done(session, "unwatch 1");
        refused(session, "unwatch 2");
        assert!(refused(session, "watch Loc").contains("has no meaning"));
        done(session, "unwatch");
        assert_eq!(done(session, "ask(#2)").lines().count(), 1);
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
        assert!(refused(session, "load nothing").contains("there is no"));
        // A run that is not there changes nothing.
        shelf.0.borrow_mut().get_mut("wrong").unwrap().0.steps[3].state[0].1 = "Elsewhere".into();
        let (text, outcome) = ask(session, "load wrong");
        assert_eq!(outcome, Outcome::Unknown);
        assert!(text.contains("step 4, look(#2), leads to another state"), "{text}");
        assert_eq!(session.trace().unwrap(), trace);
    });
}

#[test]
fn a_command_that_is_told_to_stop_stops() {
    hold_with(MUTEX, Queues::Any, 2, true, |session, _| {
        assert!(done(session, "execute 1000000000 1000").contains("interrupted after 0 steps"));
        assert_eq!(ask(session, "execute_bfs 100").1, Outcome::Unknown);
        let (text, outcome) = ask(session, "goto Taken = True && Loc[#1] = Idle && Loc[#2] = Idle");
        assert_eq!(outcome, Outcome::Unknown, "{text}");
        assert!(text.contains("interrupted"), "{text}");
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
        let text = done(session, "all");
        assert!(text.contains("has no value yet where it is read") && !text.contains("deadlock"), "{text}");
        assert!(done(session, "why go(#1)").contains("cannot be told"));
        assert!(done(session, "watch X + 1").contains("? (`X` has no value yet)"));
        assert_eq!(ask(session, "goto On[#1] = True").1, Outcome::Unknown);
    });
}

#[test]
fn help_knows_every_command() {
    session(MUTEX, 2, |session| {
        let all = done(session, "help");
        for topic in step::TOPICS {
            assert!(all.lines().any(|line| line.starts_with(topic.name)), "{}", topic.name);
            assert!(done(session, &format!("help {}", topic.name)).contains(topic.details));
        }
        assert!(refused(session, "help stauts").contains("did you mean `status`?"));
        assert_eq!(ask(session, "quit").1, Outcome::Quit);
    });
}

#[test]
fn expressions_are_printed() {
    session(MUTEX, 2, |session| {
        done(session, "ask(#1)");
        assert_eq!(done(session, "print Loc[#1]"), "Trying");
        assert_eq!(done(session, "p exists i. Loc[i] = Trying"), "true");
        assert!(refused(session, "print Lock[#1]").contains("has no meaning here"));
        assert!(refused(session, "print").contains("print EXPR"));
    });
}

#[test]
fn continue_stops_where_a_formula_holds() {
    session(MUTEX, 2, |session| {
        assert!(done(session, "break exists i. Loc[i] = Critical").contains("here it is false"));
        let told = done(session, "continue");
        assert!(told.contains("stopped after") && told.contains("exists i. Loc[i] = Critical"), "{told}");
        assert_eq!(done(session, "print exists i. Loc[i] = Critical"), "true");
        // It goes on from where it stopped, and one move is taken back at once.
        let far = session.step();
        done(session, "continue");
        assert!(session.step() > far);
        done(session, "undo");
        assert_eq!(session.step(), far);
    });
}

#[test]
fn continue_stops_where_something_is_wrong_and_after_enough_steps() {
    session(MUTEX, 2, |session| {
        let told = done(session, "continue 1");
        assert!(told.contains("1 step, and no reason to stop"), "{told}");
        for _ in 0..200 {
            if session.is_violated() {
                return;
            }
            done(session, "continue");
        }
        panic!("nothing wrong was found");
    });
}

#[test]
fn formulas_to_stop_at_are_listed_and_forgotten() {
    session(MUTEX, 2, |session| {
        assert_eq!(done(session, "break"), "`continue` stops at no formula");
        done(session, "break Taken = True");
        done(session, "br Taken = True");
        done(session, "break Loc[#1] = Idle");
        assert_eq!(done(session, "break"), "1  Taken = True\n2  Loc[#1] = Idle");
        assert!(refused(session, "unbreak 3").contains("2 formulas"));
        done(session, "unbreak 1");
        assert_eq!(done(session, "break"), "1  Loc[#1] = Idle");
        done(session, "unbreak");
        assert!(refused(session, "break Loc[#1]").contains("neither true nor false"));
        assert!(refused(session, "break Nothing = 1").contains("has no meaning"));
        assert!(refused(session, "continue 0").contains("continue [D]"));
    });
}

#[test]
fn why_without_processes_tells_of_each_choice() {
    session(MUTEX, 3, |session| {
        done(session, "ask(#1); look(#1); ask(#2)");
        let told = done(session, "why enter");
        assert!(told.starts_with("possible for 1 of 3 choices\n  enter(#1): possible"), "{told}");
        assert!(told.contains("enter(#2): `Loc[#2] = Cleared` is false: Loc[#2] is Trying"), "{told}");
        assert!(refused(session, "why entre").contains("did you mean `enter`?"));
    });
}

#[test]
fn the_text_of_an_item_is_listed() {
    session(MUTEX, 2, |session| {
        assert!(refused(session, "list").contains("no step was taken yet"));
        let text = done(session, "list enter");
        assert_eq!(
            text,
            "9  transition enter (i) requires { Loc[i] = Cleared } { Taken := True; Loc[i] := Critical }"
        );
        done(session, "ask(#2)");
        assert!(done(session, "l").contains("7  transition ask (i)"));
        assert!(done(session, "list unsafe1").contains("6  unsafe (i j)"));
        assert!(refused(session, "list entre").contains("did you mean `enter`?"));
    });
}

#[test]
fn a_session_is_taken_up_by_one_about_an_edited_file() {
    let kept = session(MUTEX, 2, |session| {
        done(session, "ask(#1); look(#1); ask(#2); look(#2); enter(#1); enter(#2)");
        done(session, "watch Loc[#1]");
        done(session, "break Taken = True");
        assert_eq!(ask(session, "reload").1, Outcome::Reload);
        session.keep().expect("a run")
    });
    let taken_up = |text: &str| {
        session(text, 2, |session| {
            let answer = session.take_up(&kept).expect("it is followed");
            (answer.pages.join("\n"), session.step(), done(session, "watch"), done(session, "break"))
        })
    };
    let (told, step, ..) = taken_up(MUTEX);
    assert!(step == 6 && told.contains("all of 6 steps followed") && told.contains("unsafe1"), "{told}");
    // Mended: `look` raises the flag, so that the second process cannot pass it.
    let mended = MUTEX.replace("{ Loc[i] := Cleared }", "{ Taken := True; Loc[i] := Cleared }");
    let (told, step, watches, breaks) = taken_up(&mended);
    assert!(step == 3 && told.contains("3 steps of 6 followed: look(#2) is not possible here"), "{told}");
    assert_eq!((watches.as_str(), breaks.as_str()), ("1  Loc[#1] is Cleared", "1  Taken = True"));
    let (told, _, watches, breaks) = taken_up(&MUTEX.replace("Taken", "Raised"));
    assert!(told.contains("`Taken = True` has no meaning any more"), "{told}");
    assert!(told.contains("the initial state of the run is not there any more"), "{told}");
    assert!(watches.starts_with('1') && breaks.contains("no formula"), "{watches} {breaks}");
}
