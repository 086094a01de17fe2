//! The cubes that are blamed for subsuming another one together must do so without the rest.

use super::*;
use crate::cell::MAX_PROCESSES;
use crate::search::Search;
use crate::subsumption::Globals;
use crate::system::System;
use crate::{Approximation, Options, Techniques};
use explore::Limits;
use source::Source;

/// The cubes that subsume one together, by position, if some of them do. The first few are considered first, the rest later.
fn subsuming(
    vocabulary: &Vocabulary,
    cube: &Cube,
    by: &[(NodeId, &Cube)],
    first: usize,
) -> Option<Vec<NodeId>> {
    let watch = Watch::default();
    let target = Target::for_many(vocabulary, cube, &watch);
    let mut known = Unsubsumed::default();
    let (first, rest) = by.split_at(first.min(by.len()));
    [first, rest].into_iter().find_map(|some| {
        let mut instances = Instances::default();
        for (id, general) in some {
            instances.add(&target, (*id, general, &Pattern::new(vocabulary, general)));
        }
        known.add((vocabulary, &watch), cube, instances)
    })
}

/// Does something with the cubes of a short search.
fn with_cubes<R: Default>(text: &str, work: impl Fn(&Vocabulary, &[(NodeId, &Cube)]) -> R) -> R {
    let Some(model) = model::load(&Source::new("model.cub", text)).model else { return R::default() };
    let Ok(system) = System::new(&model, false, None) else { return R::default() };
    let limits = Limits { states: Some(40), ..Limits::default() };
    let techniques = Techniques { joint_subsumption: false, ..Techniques::default() };
    let options = Options { limits, techniques, approximation: Approximation::Off, ..Options::default() };
    let mut search = Search::new(&system, None, &options, MAX_PROCESSES);
    search.run(1);
    let cubes: Vec<(NodeId, &Cube)> = (0..150).zip(search.nodes().iter().map(|node| &node.cube)).collect();
    work(&system.vocabulary, &cubes)
}

fn random_model(seed: u64) -> String {
    let (size, features) = (modelgen::Size::Small, modelgen::Features::any(seed));
    modelgen::random_model(&modelgen::Options { seed, size, features })
}

/// Asks about each cube whether the others subsume it. Returns how many are subsumed.
fn ask_twice(vocabulary: &Vocabulary, cubes: &[(NodeId, &Cube)]) -> usize {
    let mut subsumed = 0;
    for (id, cube) in cubes {
        let others: Vec<(NodeId, &Cube)> =
            cubes.iter().copied().filter(|(other, general)| other != id && general != cube).collect();
        let Some(used) = subsuming(vocabulary, cube, &others, others.len() / 2) else { continue };
        subsumed += 1;
        let blamed: Vec<(NodeId, &Cube)> =
            others.iter().copied().filter(|(other, _)| used.contains(other)).collect();
        assert!(subsuming(vocabulary, cube, &blamed, blamed.len()).is_some(), "{cube:?} by {blamed:?}");
    }
    subsumed
}

#[test]
fn those_blamed_subsume_a_cube_without_the_others() {
    let subsumed: usize = (0..60).map(|seed| with_cubes(&random_model(seed), ask_twice)).sum();
    assert!(subsumed > 100, "{subsumed} subsumed");
}

/// The number of pairs of cubes that have nothing in common because of globals.
fn told_apart(vocabulary: &Vocabulary, cubes: &[(NodeId, &Cube)]) -> usize {
    let mut count = 0;
    for (_, special) in cubes {
        let watch = Watch::default();
        let target = Target::for_many(vocabulary, special, &watch);
        let excluded = Globals::excluded(special, vocabulary);
        for (id, general) in cubes {
            if !Globals::demanded(general, vocabulary).is_disjoint(excluded) {
                let mut instances = Instances::default();
                instances.add(&target, (*id, general, &Pattern::new(vocabulary, general)));
                assert!(instances.all.is_empty(), "{general:?} says something about {special:?}");
                count += 1;
            }
        }
    }
    count
}

#[test]
fn cubes_that_globals_tell_apart_say_nothing_about_each_other() {
    let random = (0..60).map(random_model);
    let german = include_str!("../../../../examples/german.cub").to_owned();
    let count: usize = random.chain([german]).map(|text| with_cubes(&text, told_apart)).sum();
    assert!(count > 1_000, "{count} pairs");
}

#[test]
fn what_led_to_a_contradiction_step_by_step_is_blamed() {
    let text = "var A : bool
                var B : bool
                var C : bool
                var D : bool
                init { A = False && B = True && C = True && D = True }
                unsafe () { A = True && B = True }
                unsafe () { B = False && C = True }
                unsafe () { C = False && D = True }
                unsafe () { C = False && D = False }
                unsafe () { A = True }
                transition change () { A := True; B := False; C := False; D := False }";
    let model = model::load(&Source::new("model.cub", text)).model.expect("it is well formed");
    let system = System::new(&model, false, None).expect("it is small");
    let mut search = Search::new(&system, None, &Options::default(), MAX_PROCESSES);
    search.run(1);
    let cubes: Vec<&Cube> = search.nodes().iter().take(5).map(|node| &node.cube).collect();
    let others: Vec<(NodeId, &Cube)> = (0..4).zip(cubes.iter().copied()).collect();
    let mut used = subsuming(&system.vocabulary, cubes[4], &others, 4).expect("they subsume it");
    used.sort_unstable();
    assert_eq!(used, [0, 1, 2, 3]);
}
