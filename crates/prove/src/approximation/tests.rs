//! It must not matter when a candidate is looked for: several threads look for many ahead of time, one thread for each when it
//! is needed.

use super::*;
use crate::cell::MAX_PROCESSES;
use crate::search::Search;
use crate::system::System;
use crate::{Approximation, Options};
use explore::Limits;
use instance::states::{self, Table, Walk};
use source::Source;

/// Looks for a candidate before and after each part of a cube that lacks one literal has been refuted.
/// Returns how many candidates were refuted by that, and how many were not.
fn before_and_after(vocabulary: &Vocabulary, table: &Table, cube: &Cube) -> (usize, usize) {
    let fresh =
        || Approximator::new(Explored { reached: vec![Oracle::new(table.clone(), 2)], coarse: vec![] }, None);
    let Some(before) = fresh().dropped((vocabulary, &Watch::default()), cube, false) else { return (0, 0) };
    let (mut refuted, mut not) = (0, 0);
    for without in 0..cube.literals() {
        let mut knowing = fresh();
        knowing.refute(vocabulary, &part(vocabulary, cube, |at| at != without));
        if knowing.is_refuted(vocabulary, &before) {
            refuted += 1;
        } else {
            assert_eq!(
                knowing.dropped((vocabulary, &Watch::default()), cube, false).as_ref(),
                Some(&before),
                "for {cube:?}"
            );
            not += 1;
        }
    }
    (refuted, not)
}

fn candidates(seed: u64) -> (usize, usize) {
    let (size, features) = (modelgen::Size::Small, modelgen::Features::any(seed));
    let text = modelgen::random_model(&modelgen::Options { seed, size, features });
    let Some(model) = model::load(&Source::new("model.cub", text)).model else { return (0, 0) };
    let Ok(system) = System::new(&model, false, None) else { return (0, 0) };
    let limits = |states| Limits { states: Some(states), ..Limits::default() };
    let options = Options { limits: limits(30), approximation: Approximation::Off, ..Options::default() };
    let mut search = Search::new(&system, None, &options, MAX_PROCESSES);
    search.run(1);
    let Some(table) = states::reachable(&model, 2, Walk::Breadth, &limits(200)) else { return (0, 0) };
    let found = search.nodes().iter().map(|node| before_and_after(&system.vocabulary, &table, &node.cube));
    found.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
}

#[test]
fn a_candidate_that_is_not_refuted_is_the_one_that_is_found_afterwards() {
    let (mut refuted, mut not) = (0, 0);
    for (refuted_here, not_here) in (0..80).map(candidates) {
        refuted += refuted_here;
        not += not_here;
    }
    assert!(refuted > 200 && not > 200, "{refuted} are refuted, {not} are not");
}
