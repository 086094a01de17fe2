//! Those that are blamed for covering a cube together must do so without the others.

use super::*;
use crate::search::Search;
use crate::system::System;
use crate::{Approximation, Options, Techniques};
use explore::Limits;
use source::Source;

/// The cubes that cover one, by position, if some of them do. Some are looked at first, and the rest later.
fn covering(
    vocabulary: &Vocabulary,
    cube: &Cube,
    by: &[(NodeId, &Cube)],
    first: usize,
) -> Option<Vec<NodeId>> {
    let target = Target::for_many(vocabulary, cube);
    let mut known = Uncovered::default();
    let (first, rest) = by.split_at(first.min(by.len()));
    [first, rest].into_iter().find_map(|some| {
        let mut instances = Instances::default();
        for (id, general) in some {
            instances.add(&target, (*id, general, &Pattern::new(vocabulary, general)));
        }
        known.add(vocabulary, cube, instances)
    })
}

/// Asks about all cubes of a short search whether the others cover them. How many they do cover.
fn ask_twice(text: &str) -> usize {
    let Some(model) = model::load(&Source::new("model.cub", text)).model else { return 0 };
    let Ok(system) = System::new(&model, false) else { return 0 };
    let limits = Limits { states: Some(40), ..Limits::default() };
    let techniques = Techniques { union: false, ..Techniques::default() };
    let options = Options { limits, techniques, approximation: Approximation::Off, ..Options::default() };
    let mut search = Search::new(&system, None, &options);
    search.run();
    let vocabulary = &system.vocabulary;
    let cubes: Vec<(NodeId, &Cube)> =
        (0..150).zip(search.nodes.all().iter().map(|node| &node.cube)).collect();
    let mut covered = 0;
    for (id, cube) in &cubes {
        let others: Vec<(NodeId, &Cube)> =
            cubes.iter().copied().filter(|(other, general)| other != id && general != cube).collect();
        let Some(used) = covering(vocabulary, cube, &others, others.len() / 2) else { continue };
        covered += 1;
        let blamed: Vec<(NodeId, &Cube)> =
            others.iter().copied().filter(|(other, _)| used.contains(other)).collect();
        assert!(
            covering(vocabulary, cube, &blamed, blamed.len()).is_some(),
            "{cube:?} by {blamed:?} in\n{text}"
        );
    }
    covered
}

#[test]
fn those_blamed_cover_a_cube_without_the_others() {
    let covered: usize = (0..60)
        .map(|seed| {
            let options = modelgen::Options {
                seed,
                size: modelgen::Size::Small,
                features: modelgen::Features::any(seed),
            };
            ask_twice(&modelgen::random_model(&options))
        })
        .sum();
    assert!(covered > 100, "{covered} covered");
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
    let system = System::new(&model, false).expect("it is small");
    let mut search = Search::new(&system, None, &Options::default());
    search.run();
    let cubes: Vec<&Cube> = search.nodes.all().iter().take(5).map(|node| &node.cube).collect();
    let others: Vec<(NodeId, &Cube)> = (0..4).zip(cubes.iter().copied()).collect();
    let mut used = covering(&system.vocabulary, cubes[4], &others, 4).expect("they cover it");
    used.sort_unstable();
    assert_eq!(used, [0, 1, 2, 3]);
}
