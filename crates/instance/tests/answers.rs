//! What an exploration reports about its completeness: it is never complete if something was left out.

use explore::{Cancel, Limit, Limits};
use explore::{DeadlockPolicy, FindingKind};
use instance::Obstacle;
use instance::exploration::{Exploration, Incomplete, Options, explore};
use ir::{Model, SymbolId};
use source::Source;
use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

fn load(text: &str) -> Model {
    let loaded = model::load(&Source::new("model.cub", text));
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.sorted()))
}

const COUNTER: &str = "var X : int
    init { X = 1000 }
    transition count () requires { X < 1010 } { X := X + 1 }";

/// Explores a counter, with a range for its only number.
fn ranged(range: Option<(i64, i64)>) -> Exploration {
    let ranges = range.map(|(low, high)| (SymbolId::from_index(0), low, high)).into_iter().collect();
    explore(&load(COUNTER), &Options { ranges, ..Options::new(1) })
}

#[test]
fn numbers_get_the_bits_that_they_need_from_the_start() {
    let answer = ranged(None);
    assert_eq!((answer.incomplete, answer.stats.states), (None, 11));
}

#[test]
fn a_range_may_leave_out_a_start_or_a_step() {
    for (range, states) in [((0, 2), 0), ((1000, 1005), 6), ((-5, 999), 0)] {
        let answer = ranged(Some(range));
        assert_eq!((answer.incomplete, answer.stats.states), (Some(Incomplete::Range), states), "{range:?}");
    }
    let answer = ranged(Some((1000, 1010)));
    assert_eq!((answer.incomplete, answer.stats.states), (None, 11));
}

#[test]
fn hashes_for_states_may_hide_some() {
    let answer = explore(&load(COUNTER), &Options { compact: true, ..Options::new(1) });
    assert_eq!(answer.incomplete, Some(Incomplete::Compacted(11)));
}

/// Why the exploration is incomplete, and the number of states.
fn essence(text: &str) -> (Option<Incomplete>, usize) {
    let answer = explore(&load(text), &Options { all: true, ..Options::new(2) });
    (answer.incomplete, answer.stats.states)
}

/// A number that is not set does not matter if another part of a condition decides; otherwise it does.
#[test]
fn a_part_without_a_value() {
    let step = |guard: &str| {
        let text = "var X : int
            var Y : int
            init { Y = 0 }
            transition step () requires { GUARD } { Y := 1; X := 9 }";
        essence(&text.replace("GUARD", guard))
    };
    let missing = Some(Incomplete::Obstacle(Obstacle::NeedsRange(SymbolId::from_index(0))));
    for guard in ["X < 3 && Y < 0", "Y < 0 && X < 3", "Y < 0 && X < 3 && X + Y < 4"] {
        assert_eq!(step(guard), (None, 1), "{guard}");
    }
    for guard in ["X < 3 || Y < 1", "Y < 1 || X < 3", "Y < 1 && (X < 3 || Y < 1)"] {
        assert_eq!(step(guard), (None, 2), "{guard}");
    }
    for guard in ["X < 3", "X < 3 && Y < 1", "Y < 1 && X < 3", "X < 3 || Y < 0", "Y < 0 || X < 3"] {
        assert_eq!(step(guard).0, missing, "{guard}");
    }
}

/// A constant that a variable never equals.
#[test]
fn a_constant_that_is_no_value_of_the_type() {
    let step = |guard: &str| {
        let text = "type digit = [1..8]
            var X : digit
            var Home : proc
            var Guest : proc
            init (p) { X = 1 && Home <> p }
            transition step () requires { GUARD } { X := 2 }";
        essence(&text.replace("GUARD", guard))
    };
    for guard in ["X <> 20", "X <> 0", "X = 20 || X = 1", "Guest <> Home", "X = 2 || Guest <> Home"] {
        assert_eq!(step(guard), (None, 2), "{guard}");
    }
    for guard in ["X = 20", "X = 0", "X = 20 || X = -1000", "Guest = Home", "X = 2 || Guest = Home"] {
        assert_eq!(step(guard), (None, 1), "{guard}");
    }
}

/// An outsider as an index does not matter after a part that decides; conditions are evaluated from left to right.
#[test]
fn an_index_that_is_no_process() {
    for (guard, states) in [("In[Home] = True || Up = True", 1), ("Up = True || In[Home] = True", 2)] {
        let text = "var Home : proc
            var Up : bool
            array In[proc] : bool
            init (p) { Home <> p && Up = True && In[p] = False }
            transition step () requires { GUARD } { Up := False }";
        let answer = explore(&load(&text.replace("GUARD", guard)), &Options { all: true, ..Options::new(2) });
        let kinds: Vec<FindingKind> = answer.findings.iter().map(|finding| finding.kind).collect();
        assert_eq!((answer.stats.states, kinds), (states, vec![FindingKind::Misuse]), "{guard}");
    }
}

/// The initial states of a model without transitions: why they are incomplete, and their number.
fn starts(declarations: &str, init: &str) -> (Option<Incomplete>, usize) {
    let text = format!("{declarations} init {{ {init} }}");
    let answer = explore(&load(&text), &Options { deadlock: DeadlockPolicy::Ignore, ..Options::new(1) });
    (answer.incomplete, answer.stats.states)
}

#[test]
fn initial_states_of_equivalences() {
    let truths = "var A : bool var B : bool var C : bool";
    let either = "(B = True || C = True)";
    assert_eq!(starts(truths, &format!("A = True <=> {either}")), (None, 4));
    assert_eq!(starts(truths, &format!("not (A = True <=> {either})")), (None, 4));
    assert_eq!(starts(truths, &format!("not ({either} <=> A = True) && C = True")), (None, 2));
}

/// Equal variables have a value that belongs to both types.
#[test]
fn initial_states_of_variables_with_different_ranges() {
    let numbers = "type low = [1..8] type high = [5..20] var X : low var Y : high";
    assert_eq!(starts(numbers, "X = Y"), (None, 4));
    assert_eq!(starts(numbers, "Y = X && X <> 6"), (None, 3));
    assert_eq!(starts(numbers, "X = Y && X = 2"), (None, 0));
    assert_eq!(starts(numbers, "Y = 7"), (None, 8));
}

/// Limits count from the start, including the time to list initial states.
#[test]
fn listing_initial_states_ends_at_a_limit() {
    let open = "type t = A | B | C | D
        array X[proc] : t
        array Y[proc] : t
        init (z) { X[z] <> Y[z] }
        transition go (i) requires { X[i] = A } { X[i] := B }";
    let answer = |processes, limits| explore(&load(open), &Options { limits, ..Options::new(processes) });
    let cancel = Cancel::by(Arc::new(AtomicBool::new(true)));
    for processes in 3..6 {
        let cancelled = answer(processes, Limits { cancel: cancel.clone(), ..Limits::default() });
        assert_eq!(cancelled.incomplete, Some(Incomplete::Limit(Limit::Cancelled)));
        assert_eq!(cancelled.stats.states, 0);
        let late = answer(processes, Limits { time: Some(Duration::ZERO), ..Limits::default() });
        assert_eq!(late.incomplete, Some(Incomplete::Limit(Limit::Time)));
    }
    assert_eq!(answer(3, Limits::default()).incomplete, None);
}
