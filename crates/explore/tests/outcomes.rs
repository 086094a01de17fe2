//! Outcomes of searches: properties and limits, and that no outcome claims too much.

mod common;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use common::jugs::{Jugs, Pour};
use common::mailboxes::{Act, Mailboxes};
use common::process::{Process, in_order, out_of_order};
use common::{Collect, brute};
use explore::{
    BadState, BadStep, BreadthFirst, Cancel, Deadlock, DepthFirst, End, Fault, Forget, Label, Limit, Limits,
    Monitor, Monitored, Outcome, Property, Replay, Replayed, Search, Seen, Sleep, Steered, System, Valuation,
    replay,
};

fn explore<S: System, P: Property<S>>(
    system: &mut S,
    property: P,
    limits: Limits,
) -> Outcome<S::Action, P::Violation> {
    Search::new(system, BreadthFirst::new(), property).remember(Seen::new()).limit(limits).run().unwrap()
}

/// Two locks taken in different order: a deadlock after 2 steps, in which each thread holds one of them.
#[test]
fn a_deadlock_is_not_an_end() {
    let mut system = Replayed::new(Process::new(&[in_order, out_of_order]));
    let outcome = explore(&mut system, Deadlock, Limits::default());
    assert_eq!(outcome.found[0].violation.0, "deadlock");
    let mut actions = outcome.found[0].schedule.actions.clone();
    actions.sort_unstable();
    assert_eq!(actions, [0, 1]);
    let verdict = replay(&mut system, &outcome.found[0].schedule, Deadlock);
    assert!(matches!(verdict, Replay::Confirmed(_)));

    let mut ends = Replayed::new(Process::new(&[in_order, in_order]));
    assert_eq!(explore(&mut ends, Deadlock, Limits::default()).end, End::Exhausted);
    assert_eq!(explore(&mut Mailboxes::new(2), Deadlock, Limits::default()).end, End::Exhausted);
}

/// A step is judged each time, even if it leads to a known state: filling the large jug from the small one
/// takes 3 steps (0 5, 3 2, back to 0 5), and coming back to the start takes 2.
#[test]
fn a_bad_step_is_found_on_the_way_to_a_known_state() {
    let property = BadStep::new("overflow", |jugs: &Jugs, action: &Pour| {
        *action == Pour::Over(0) && jugs.litres[1] == 5
    });
    let outcome = explore(&mut Jugs::new(), property, Limits::default());
    assert_eq!((outcome.end, outcome.found[0].schedule.actions.len()), (End::Found, 3));
    let back = BadStep::new("back", |jugs: &Jugs, _: &Pour| jugs.litres == [0, 0]);
    let outcome = explore(&mut Jugs::new(), back, Limits::default());
    assert_eq!(outcome.found[0].schedule.actions.len(), 2);
}

/// Remembers which actor sent the first letter, which the state of the mailboxes does not: a property of runs.
#[derive(Clone, Debug)]
struct First;

impl Monitor<Mailboxes> for First {
    type Memory = Option<usize>;

    fn start(&self, _system: &Mailboxes) -> Option<usize> {
        None
    }

    fn step(&self, memory: &Option<usize>, _system: &Mailboxes, action: &Act) -> Option<usize> {
        memory.or(Some(action.actor()))
    }

    fn observes(&self, _system: &Mailboxes, action: &Act) -> bool {
        matches!(action, Act::Send(_))
    }
}

/// One letter each way: 9 states alone (each is unsent, sent or received). With the monitor 13: the first state,
/// 2 * 2 in which only one has sent, and 2 * 4 in which both have. Sends commute, but not for the monitor: sleep
/// sets must see all 13, too.
#[test]
fn a_monitor_judges_runs() {
    let mut system = Monitored::new(Mailboxes::new(1), First);
    let second_came_first = |system: &Monitored<Mailboxes, First>| {
        system.memory() == Some(&Some(1)) && system.system().sent == [1, 1]
    };
    let outcome = explore(&mut system, BadState::new("order", second_came_first), Limits::default());
    assert_eq!(outcome.found[0].schedule.actions, [Act::Send(1), Act::Send(0)]);

    let graph = brute::graph(&mut system);
    assert_eq!(graph.states.len(), 13);
    let mut collect = Collect::default();
    let search = Search::new(&mut system, DepthFirst::new(), &mut collect).remember(Seen::new());
    assert_eq!(search.reduce(Sleep::new()).run().unwrap().end, End::Exhausted);
    assert_eq!(collect.states, graph.states.into_keys().collect());
}

/// Each limit ends the search and is reported; a search that needs exactly the limit is exhaustive.
fn limits_are_reported<S: System>(system: &mut S, states: usize, steps: usize, depth: usize) {
    let mut end = |limits: Limits| explore(system, (), limits).end;
    let states_at = |states| Limits { states: Some(states), ..Limits::default() };
    assert_eq!(end(states_at(states - 1)), End::Limit(Limit::States));
    assert_eq!(end(states_at(states)), End::Exhausted);
    let steps_at = |steps| Limits { steps: Some(steps), ..Limits::default() };
    assert_eq!(end(steps_at(steps - 1)), End::Limit(Limit::Steps));
    assert_eq!(end(steps_at(steps)), End::Exhausted);
    let depth_at = |depth| Limits { depth: Some(depth), ..Limits::default() };
    assert_eq!(end(depth_at(depth - 1)), End::Limit(Limit::Depth));
    assert_eq!(end(depth_at(depth)), End::Exhausted);
    let time = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    assert_eq!(end(time), End::Limit(Limit::Time));
    let cancel = Limits { cancel: Cancel::by(Arc::new(AtomicBool::new(true))), ..Limits::default() };
    assert_eq!(end(cancel), End::Limit(Limit::Cancelled));
    let memory = Limits { memory: Some(0), ..Limits::default() };
    assert_eq!(end(memory), End::Limit(Limit::Memory));
    let generous =
        Limits { memory: Some(1 << 30), time: Some(Duration::from_secs(600)), ..Limits::default() };
    assert_eq!(end(generous), End::Exhausted);
}

/// The counts are those of `strategies.rs`.
#[test]
fn limits_end_a_search_and_are_named() {
    limits_are_reported(&mut Jugs::new(), 16, 58, 7);
    limits_are_reported(&mut Mailboxes::new(2), 36, 72, 8);
}

/// A limit stops a search of an infinite tree of runs, after exactly the steps that it allows.
#[test]
fn limits_stop_what_would_not_end() {
    let limits = Limits { steps: Some(1000), ..Limits::default() };
    let mut system = Jugs::new();
    let outcome =
        Search::new(&mut system, DepthFirst::new(), ()).remember(Forget).limit(limits).run().unwrap();
    assert_eq!((outcome.end, outcome.stats.transitions), (End::Limit(Limit::Steps), 1000));
}

/// Jugs whose identity is a single bit of their state.
struct Blurred(Jugs);

impl Steered for Blurred {
    type Action = Pour;
    type Identity = bool;

    fn initials(&mut self) -> Result<usize, Fault> {
        self.0.initials()
    }

    fn start(&mut self, initial: usize) -> Result<(), Fault> {
        self.0.start(initial)
    }

    fn enabled(&self, actions: &mut Vec<Pour>) {
        self.0.enabled(actions);
    }

    fn take(&mut self, action: &Pour) -> Result<(), Fault> {
        self.0.take(action)
    }

    fn identity(&self) -> bool {
        self.0.litres[0] > 0
    }

    fn ended(&self) -> bool {
        false
    }

    fn fingerprint_bits(&self) -> Option<u32> {
        Some(1)
    }

    fn label(&self, action: &Pour) -> Label {
        self.0.label(action)
    }

    fn describe(&self) -> Valuation {
        self.0.describe()
    }
}

impl System for Blurred {
    type Checkpoint = [u8; 2];

    fn checkpoint(&mut self) -> [u8; 2] {
        self.0.checkpoint()
    }

    fn restore(&mut self, checkpoint: &[u8; 2]) -> Result<(), Fault> {
        self.0.restore(checkpoint)
    }
}

/// A search that recognises states by a hash reports its width; one that does not remember states reports none.
#[test]
fn a_hash_is_named() {
    let outcome = explore(&mut Blurred(Jugs::new()), (), Limits::default());
    assert_eq!((outcome.stats.states, outcome.fingerprint_bits), (2, Some(1)));
    let limits = Limits { steps: Some(10), ..Limits::default() };
    let outcome = Search::new(&mut Blurred(Jugs::new()), DepthFirst::new(), ()).limit(limits).run().unwrap();
    assert_eq!(outcome.fingerprint_bits, None);
}

/// A limit of 0 states excludes even the initial one.
#[test]
fn a_limit_of_nothing_allows_nothing() {
    let limits = Limits { states: Some(0), ..Limits::default() };
    let outcome = explore(&mut Jugs::new(), (), limits);
    assert_eq!((outcome.end, outcome.stats.states), (End::Limit(Limit::States), 0));
}
