//! What an exploration says of itself: nothing is complete that leaves something out.

use model::{
    exploration::{Exploration, Incomplete, Options, explore},
    ir::{Model, SymbolId},
};
use source::Source;

fn load(text: &str) -> Model {
    let loaded = model::load(&Source::new("model.cub", text));
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.sorted()))
}

const COUNTER: &str = "var X : int
    init { X = 1000 }
    transition count () requires { X < 1010 } { X := X + 1 }";

/// With a range for the only number.
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
