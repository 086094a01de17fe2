//! When a guess is looked for must not matter: several threads look for many in advance, one thread for each when it is needed.

use super::*;
use crate::search::Search;
use crate::system::System;
use crate::{Approximation, Options};
use explore::Limits;
use instance::states::{self, Table, Walk};
use source::Source;

/// Looks for a guess before and after each part of a cube that lacks one literal has turned out to be wrong.
/// How many guesses were wrong then, and how many were not.
fn before_and_after(vocabulary: &Vocabulary, table: &Table, cube: &Cube) -> (usize, usize) {
    let fresh =
        || Approximator::new(Explored { reached: vec![Oracle::new(table.clone(), 2)], coarse: vec![] }, None);
    let Some(before) = fresh().dropped((vocabulary, &Watch::default()), cube, false) else { return (0, 0) };
    let (mut wrong, mut not) = (0, 0);
    for without in 0..cube.literals() {
        let mut knowing = fresh();
        knowing.refute(vocabulary, &part(vocabulary, cube, |at| at != without));
        if knowing.is_wrong(vocabulary, &before) {
            wrong += 1;
        } else {
            assert_eq!(
                knowing.dropped((vocabulary, &Watch::default()), cube, false).as_ref(),
                Some(&before),
                "for {cube:?}"
            );
            not += 1;
        }
    }
    (wrong, not)
}

fn guesses(seed: u64) -> (usize, usize) {
    let (size, features) = (modelgen::Size::Small, modelgen::Features::any(seed));
    let text = modelgen::random_model(&modelgen::Options { seed, size, features });
    let Some(model) = model::load(&Source::new("model.cub", text)).model else { return (0, 0) };
    let Ok(system) = System::new(&model, false) else { return (0, 0) };
    let limits = |states| Limits { states: Some(states), ..Limits::default() };
    let options = Options { limits: limits(30), approximation: Approximation::Off, ..Options::default() };
    let mut search = Search::new(&system, None, &options);
    search.run();
    let Some(table) = states::reachable(&model, 2, Walk::Breadth, &limits(200)) else { return (0, 0) };
    let found =
        search.nodes.all().iter().map(|node| before_and_after(&system.vocabulary, &table, &node.cube));
    found.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
}

#[test]
fn a_guess_that_is_not_wrong_afterwards_is_the_one_that_is_found_afterwards() {
    let (mut wrong, mut not) = (0, 0);
    for (wrong_here, not_here) in (0..80).map(guesses) {
        wrong += wrong_here;
        not += not_here;
    }
    assert!(wrong > 200 && not > 200, "{wrong} are wrong, {not} are not");
}
