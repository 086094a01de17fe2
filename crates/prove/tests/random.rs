//! Proofs against exploration, on random models over the whole language.
//!
//! Whatever is proved must hold in every instance that can be explored; whatever is violated must replay. Several threads
//! must come to the same certificate, the same trace and the same number of cubes as one. For runs
//! that take longer than a test should, `SEEDS=a..b` chooses the seeds, `SIZE=medium` larger models, and `SECONDS_EACH` the
//! time limit of a search. Such a run continues after a failure, and reports all failures at the end.

use explore::{DeadlockPolicy, Replay};
use explore::{Limit, Limits};
use instance::exploration;
use instance::replay::replay_trace;
use ir::Model;
use prove::{
    Approximation, Cause, Options, OracleOptions, Order, Outcome, Reason, Rejection, Statistics, Techniques,
    Verdict,
};
use rayon::prelude::*;
use source::Source;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Small enough for a test, large enough for most models to be decided.
const MOST_CUBES: usize = 150;
const MOST_STATES: usize = 20_000;
/// Seeds that take longer are named in long runs.
const SLOW: Duration = Duration::from_secs(2);
/// After this many times the time limit of a search, a long run gives up a seed: listing initial states has no limit.
const GRACE: u32 = 4;

const ORDERS: [Order; 6] = [Order::Bfs, Order::Dfs, Order::Bfsh, Order::Dfsh, Order::Bfsa, Order::Dfsa];

/// Seeds that once failed, or that notice a mistake of `scripts/mistakes/prove.txt` which none of the first ones does.
const TELLING: [u64; 6] = [552, 582, 603, 840, 1836, 98631];

/// Which models to try, and how hard.
#[derive(Clone)]
struct Plan {
    seeds: Vec<u64>,
    size: modelgen::Size,
    /// The most processes of the instances that are explored.
    processes: u32,
    /// The time limit of a search.
    time: Option<Duration>,
    /// Whether this is more than the usual test.
    is_long: bool,
}

impl Plan {
    fn from_environment() -> Plan {
        let variable = |name: &str| std::env::var(name).ok();
        let seeds = variable("SEEDS");
        let range = seeds.as_deref().map(|text| parse_range(text).expect("SEEDS is like 0..1000"));
        let time = variable("SECONDS_EACH").map(|text| text.parse().expect("SECONDS_EACH is a number"));
        Plan {
            is_long: range.is_some(),
            processes: if range.is_some() { 4 } else { 3 },
            seeds: range.map_or_else(|| (0..400).chain(TELLING).collect(), Iterator::collect),
            size: match variable("SIZE").as_deref() {
                Some("medium") => modelgen::Size::Medium,
                None | Some("small") => modelgen::Size::Small,
                Some(other) => panic!("SIZE is small or medium, not {other}"),
            },
            time: time.map(Duration::from_secs),
        }
    }
}

fn parse_range(text: &str) -> Option<Range<u64>> {
    let (from, to) = text.split_once("..")?;
    Some(from.parse().ok()?..to.parse().ok()?)
}

fn random_model(seed: u64, size: modelgen::Size) -> (String, Option<Model>) {
    let features = modelgen::Features::any(seed);
    let text = modelgen::random_model(&modelgen::Options { seed, size, features });
    let model = model::load(&Source::new("random.cub", text.as_str())).model;
    (text, model)
}

/// Different seeds try different techniques.
fn options(seed: u64, time: Option<Duration>) -> Options {
    let approximation = match seed % 4 {
        0 => Approximation::Off,
        1 => Approximation::Processes(1),
        2 => Approximation::Processes(2),
        _ => Approximation::Auto,
    };
    let switch = |bit: u32| seed >> bit & 1 == 0 || !seed.is_multiple_of(3);
    // Half of the seeds have the default order.
    let order = if seed & 2 == 0 { Order::Bfs } else { ORDERS[usize::try_from(seed / 4 % 6).unwrap_or(0)] };
    Options {
        approximation,
        oracle: OracleOptions { states: 500, ..OracleOptions::default() },
        order,
        techniques: Techniques {
            joint_subsumption: switch(2),
            deletion: switch(3),
            values: switch(4),
            postpone: switch(5),
            inference: switch(6),
            auxiliary_variables: switch(7),
            sums: switch(8),
            places: switch(9) || switch(1),
        },
        limits: Limits { states: Some(MOST_CUBES), time, ..Limits::default() },
        ..Options::default()
    }
}

/// The name of a property that an instance violates.
fn violated(model: &Model, processes: u32, time: Option<Duration>) -> Option<String> {
    let options = exploration::Options {
        deadlock: DeadlockPolicy::Ignore,
        limits: Limits { states: Some(MOST_STATES), time, ..Limits::default() },
        ..exploration::Options::new(processes)
    };
    let explored = exploration::explore(model, &options);
    explored.findings.into_iter().find(explore::Finding::is_violation).map(|finding| finding.name)
}

fn check(seed: u64, text: &str, model: &Model, outcome: Outcome, plan: &Plan) -> &'static str {
    match outcome.verdict {
        Verdict::Holds(_) => {
            let most = plan.processes.min(model.max_processes.unwrap_or(plan.processes));
            for processes in model.min_processes()..=most {
                let found = violated(model, processes, plan.time);
                assert_eq!(
                    found, None,
                    "seed {seed} was proved, but fails with {processes} processes:\n{text}"
                );
            }
            "holds"
        }
        Verdict::Violated(violation) => {
            let options = exploration::Options {
                ranges: violation.ranges,
                deadlock: DeadlockPolicy::Ignore,
                ..exploration::Options::new(violation.processes)
            };
            let name = &model.properties[violation.property].name;
            let replayed =
                replay_trace(model, &options, &violation.trace, instance::replay::Claim::Named(name));
            assert!(matches!(replayed, Replay::Confirmed(_)), "{replayed:?}, seed {seed}, `{name}`:\n{text}");
            "violated"
        }
        Verdict::Unknown(Reason::NotCertified(Rejection { cause: Cause::Undecided(why), .. })) => {
            println!("undecided: seed {seed}, {why}");
            "undecided"
        }
        Verdict::Unknown(Reason::NotCertified(why)) => {
            panic!("seed {seed} has an invariant that is rejected: {why}\n{text}");
        }
        Verdict::Unknown(Reason::Spurious { .. }) => "spurious",
        Verdict::Unknown(Reason::Limit(_)) => "limit",
        Verdict::Unknown(_) => "unknown",
    }
}

/// Several threads must do exactly what one does, unless time is up.
fn check_with_threads(seed: u64, text: &str, model: &Model, outcome: &Outcome, plan: &Plan) {
    let threads = 2 + usize::from(seed.is_multiple_of(2));
    let together = prove::prove(model, &Options { threads, ..options(seed, plan.time) });
    if [outcome, &together].iter().all(|one| is_in_time(one)) {
        assert_eq!(summary(outcome), summary(&together), "seed {seed} with {threads} threads:\n{text}");
    }
}

fn is_in_time(outcome: &Outcome) -> bool {
    !matches!(outcome.verdict, Verdict::Unknown(Reason::Limit(Limit::Time)))
}

/// Everything about an outcome except the time.
fn summary(outcome: &Outcome) -> String {
    let statistics = Statistics { time: Duration::ZERO, ..outcome.statistics };
    format!("{statistics:?}, {:?}", outcome.verdict)
}

/// The outcome for a seed in a word, unless there is nothing to prove.
fn attempt(seed: u64, plan: &Plan) -> Option<&'static str> {
    let begun = Instant::now();
    let (text, model) = random_model(seed, plan.size);
    let model = model.filter(|model| !model.is_weak() && !model.properties.is_empty())?;
    let outcome = prove::prove(&model, &options(seed, plan.time));
    let proving = begun.elapsed();
    check_with_threads(seed, &text, &model, &outcome, plan);
    let nodes = outcome.statistics.nodes;
    let word = check(seed, &text, &model, outcome, plan);
    let all = begun.elapsed();
    if plan.is_long && all > SLOW {
        println!(
            "slow: seed {seed}, {word}, {nodes} cubes: {proving:.1?}, exploring {:.1?}",
            all.saturating_sub(proving)
        );
    }
    Some(word)
}

/// Like `attempt`, in a thread of its own: a seed that fails or takes too long does not end the run.
fn attempt_apart(seed: u64, plan: &Plan) -> Result<Option<&'static str>, ()> {
    let (sender, receiver) = mpsc::channel();
    let (time, plan) = (plan.time, plan.clone());
    std::thread::spawn(move || sender.send(attempt(seed, &plan)));
    let came = match time {
        Some(time) => receiver.recv_timeout(time * GRACE),
        None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
    };
    match came {
        Ok(word) => Ok(word),
        Err(RecvTimeoutError::Disconnected) => Err(()),
        Err(RecvTimeoutError::Timeout) => {
            println!("slow: seed {seed}, no answer");
            Ok(Some("given up"))
        }
    }
}

#[test]
fn proofs_agree_with_exploration() {
    let plan = Plan::from_environment();
    let mut counts = BTreeMap::new();
    let mut failed = Vec::new();
    // People start several long runs at a time.
    let came: Vec<_> = if plan.is_long {
        plan.seeds.iter().map(|seed| attempt_apart(*seed, &plan)).collect()
    } else {
        plan.seeds.par_iter().map(|seed| Ok(attempt(*seed, &plan))).collect()
    };
    for (seed, came) in plan.seeds.iter().zip(came) {
        match came {
            Ok(word) => word.into_iter().for_each(|word| *counts.entry(word).or_insert(0) += 1),
            Err(()) => failed.push(*seed),
        }
    }
    println!("{counts:?}");
    assert!(failed.is_empty(), "seeds that failed: {failed:?}");
    if !plan.is_long {
        let at_least = |word: &str, count: usize| counts.get(word).copied().unwrap_or(0) >= count;
        assert!(at_least("holds", 58) && at_least("violated", 231), "{counts:?}");
    }
}
