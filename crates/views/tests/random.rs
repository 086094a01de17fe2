//! Views against exploration, on random models over the whole language.
//!
//! Where a search of views comes to an end, every view of every state that can be reached must be in the set: this is what
//! soundness means, and says more than that no false proof was found. For runs that take longer than a test should,
//! `SEEDS=a..b` chooses the seeds and `SIZE=medium` larger models.

use explore::Limits;
use instance::states::{Walk, reachable};
use ir::Model;
use modelgen::Feature;
use rayon::prelude::*;
use source::Source;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use views::{AbstractionLevel, Found, Options};

/// What views do not follow.
const NOT_FOLLOWED: [Feature; 6] = [
    Feature::Reals,
    Feature::SysProcs,
    Feature::Counts,
    Feature::Shares,
    Feature::ProcessConstants,
    Feature::Weak,
];

/// Seeds that have found a mistake.
const ONCE_WRONG: [u64; 3] = [20_448, 21_545, 21_722];

const MOST_VIEWS: usize = 2_000;
const MOST_STATES: usize = 2_000;
/// What a search or an exploration may take.
const TIME: Duration = Duration::from_millis(300);

fn seeds() -> (Range<u64>, bool) {
    let Ok(text) = std::env::var("SEEDS") else { return (0..150, false) };
    let (from, to) = text.split_once("..").expect("SEEDS is like 0..1000");
    (from.parse().expect("a number")..to.parse().expect("a number"), true)
}

fn random_model(seed: u64) -> (String, Option<Model>) {
    let size = match std::env::var("SIZE").as_deref() {
        Ok("medium") => modelgen::Size::Medium,
        _ => modelgen::Size::Small,
    };
    let features = modelgen::Features::any(seed).without(&NOT_FOLLOWED).legal();
    let text = modelgen::random_model(&modelgen::Options { seed, size, features });
    let model = model::load(&Source::new("random.cub", text.as_str())).model;
    (text, model)
}

/// What came out for a seed.
///
/// In a thread of its own: listing the initial states of an instance has no limit.
fn attempt(seed: u64, size: usize, level: AbstractionLevel) -> &'static str {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(compare(seed, size, level)));
    match receiver.recv_timeout(TIME * 20) {
        Ok(word) => word,
        Err(RecvTimeoutError::Timeout) => "given up",
        Err(RecvTimeoutError::Disconnected) => panic!("seed {seed}, size {size}, {level:?}"),
    }
}

fn compare(seed: u64, size: usize, level: AbstractionLevel) -> &'static str {
    let (text, model) = random_model(seed);
    let Some(model) = model.filter(|model| !model.is_weak()) else { return "no model" };
    // Properties end a search that finds them violated: without them, there is more to compare.
    let model = Model { properties: vec![], ..model };
    let limits = Limits { states: Some(MOST_VIEWS), time: Some(TIME), ..Limits::default() };
    let options = Options { size, level, limits, threads: 1.into(), progress: None };
    let mut views = match views::search(&model, &options) {
        Err(_) => return "unsupported",
        Ok((Found::Limit(_), _)) => return "limit",
        Ok((Found::Coarse { .. }, _)) => return "coarse",
        Ok((Found::Closed(views), _)) => views,
    };
    let least = model.min_processes().max(u32::try_from(size).expect("small"));
    let most = if seeds().1 || ONCE_WRONG.contains(&seed) { 4 } else { 3 };
    for processes in least..=model.max_processes.unwrap_or(most).min(most) {
        let limits = Limits { states: Some(MOST_STATES), time: Some(TIME), ..Limits::default() };
        let Some(table) = reachable(&model, processes, Walk::Breadth, &limits) else { continue };
        let missing = views.missing(&table, processes as usize);
        assert_eq!(
            missing, None,
            "seed {seed}, size {size}, {level:?}: a state with {processes} processes has a view that is missing:\n{text}"
        );
    }
    "closed"
}

#[test]
fn every_view_of_every_state_is_there() {
    let (seeds, is_long) = seeds();
    let seeds: Vec<u64> = ONCE_WRONG.into_iter().chain(seeds).collect();
    let words = seeds.into_par_iter().flat_map_iter(|seed| {
        // Views of three members are many: they are tried for some.
        let sizes = if seed.is_multiple_of(5) { 2..=3 } else { 2..=2 };
        sizes.flat_map(move |size| {
            let levels =
                [AbstractionLevel::Everything, AbstractionLevel::LiveValues, AbstractionLevel::Context(0)];
            levels.map(|level| attempt(seed, size, level))
        })
    });
    let mut counts = BTreeMap::new();
    for word in words.collect::<Vec<_>>() {
        *counts.entry(word).or_insert(0) += 1;
    }
    println!("{counts:?}");
    assert!(is_long || counts.get("closed").copied().unwrap_or(0) >= 100, "{counts:?}");
}
