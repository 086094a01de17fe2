//! Tests of each technique, step by step.

use super::Technique;
use crate::{
    Coverage,
    common::{Counters, Judge, Move, State, Wrong},
    log::{Log, Place},
    pool::{Arrival, Pool, Way},
    walk::{Shared, Walk, Worker},
};
use explore::{Rng, Steered, System};
use std::collections::BTreeSet;

/// A pool with one node, some of whose enabled actions were taken before.
fn pool(system: &Counters, state: State, taken: &[usize]) -> Pool<Counters> {
    let mut system = system.clone();
    system.restore(&state).unwrap();
    let mut enabled = Vec::new();
    system.enabled(&mut enabled);
    let mut pool = Pool::new();
    let hash = Pool::<Counters>::hash(&state);
    let enabled = u32::try_from(enabled.len()).unwrap();
    let way = Way::Start(0);
    pool.insert(&Arrival { checkpoint: &state, hash, way, transition: None, depth: 0, enabled });
    for choice in taken {
        pool.take(0, u32::try_from(*choice).unwrap());
    }
    pool
}

/// The steps of one walk from the only node of a pool.
fn walk(technique: Technique, pool: &Pool<Counters>, accept_less: f64, seed: u64) -> Log<Counters, Wrong> {
    walk_within(technique, pool, accept_less, seed, 10_000)
}

fn walk_within(
    technique: Technique,
    pool: &Pool<Counters>,
    accept_less: f64,
    seed: u64,
    budget: usize,
) -> Log<Counters, Wrong> {
    let coverage = Coverage::new(3);
    let shared = Shared { pool, coverage: &coverage, accept_less, prefers: false, is_late: &|| false };
    let mut worker = Worker::new(Counters::new(4), Judge::default());
    let (mut log, mut rng) = (Log::new(), Rng::new(seed));
    let mut walk = Walk::begin(&mut worker, shared, &mut log, &mut rng, 0, budget).unwrap();
    technique.walk(&mut walk).unwrap();
    log
}

/// Whether each step begins where the one before has led.
fn is_path(log: &Log<Counters, Wrong>) -> bool {
    log.steps.windows(2).all(|pair| pair[1].from == pair[0].to)
}

#[test]
fn uniform_draws_every_exit_equally() {
    let pool = pool(&Counters::new(4), [1, 2, 3], &[]);
    let mut drawn = [0_i32; 6];
    for seed in 0..3000 {
        let log = walk(Technique::Uniform, &pool, 0.1, seed);
        assert!(is_path(&log) && (1..100).contains(&log.steps.len()));
        drawn[log.steps[0].choice as usize] += 1;
    }
    // Five standard deviations.
    assert!(drawn.iter().all(|count| (count - 500).abs() < 103), "{drawn:?}");
}

#[test]
fn one_process_lets_no_other_act() {
    let pool = pool(&Counters::new(4), [1, 2, 3], &[]);
    let mut actors = BTreeSet::new();
    for seed in 0..50 {
        let log = walk(Technique::OneProcess, &pool, 0.1, seed);
        assert!(is_path(&log));
        let of_walk: BTreeSet<usize> = log.steps.iter().map(|step| step.action.0).collect();
        assert_eq!(of_walk.len(), 1);
        actors.extend(of_walk);
    }
    assert_eq!(actors.len(), 3, "every process has its turn");
}

#[test]
fn novelty_goes_to_unseen_states_first() {
    for last in 0..6 {
        let taken: Vec<usize> = (0..6).filter(|choice| *choice != last).collect();
        let pool = pool(&Counters::new(4), [1, 2, 3], &taken);
        let log = walk(Technique::Novelty, &pool, 0.1, last as u64);
        assert_eq!(log.steps[0].choice as usize, last, "the others were taken");
    }
    // While there are unseen successors, every accepted step leads to one.
    let pool = pool(&Counters::new(4), [0, 0, 0], &[]);
    for seed in 0..20 {
        let log = walk_within(Technique::Novelty, &pool, 0.1, seed, 20);
        let new = log.steps.iter().filter(|step| step.new.is_some()).count();
        assert!(new * 2 > log.steps.len(), "{new} of {} are new", log.steps.len());
    }
}

#[test]
fn more_enabled_accepts_what_it_says() {
    let pool = pool(&Counters::new(4), [1, 1, 1], &[]);
    let always = walk(Technique::MoreEnabled, &pool, 1.0, 1);
    assert!(is_path(&always), "everything is accepted");
    let mut rejected = 0;
    for seed in 0..20 {
        let never = walk(Technique::MoreEnabled, &pool, 0.0, seed);
        for pair in never.steps.windows(2).filter(|pair| pair[1].from == pair[0].from) {
            // A rejected step does not lead to more enabled actions than there were before; here at most six.
            assert!(enabled(&pool, &never, pair[0].to) <= enabled(&pool, &never, pair[0].from));
            rejected += 1;
        }
    }
    assert!(rejected > 20, "{rejected} steps were rejected");
}

fn enabled(pool: &Pool<Counters>, log: &Log<Counters, Wrong>, place: Place) -> u32 {
    match place {
        Place::Node(node) => pool.nodes[node as usize].enabled,
        Place::Step(step) => log.steps[step as usize].new.as_ref().unwrap().enabled,
    }
}

/// All states within some steps, except the initial one.
fn within(depth: usize) -> BTreeSet<State> {
    let mut system = Counters::new(4);
    let mut reached = BTreeSet::from([[0; 3]]);
    for _ in 0..depth {
        for state in reached.clone() {
            let mut actions = Vec::new();
            system.restore(&state).unwrap();
            system.enabled(&mut actions);
            for action in actions {
                system.restore(&state).unwrap();
                system.take(&action).unwrap();
                reached.insert(system.identity());
            }
        }
    }
    reached.remove(&[0; 3]);
    reached
}

#[test]
fn short_breadth_first_reaches_all_within_its_depth() {
    let pool = pool(&Counters::new(4), [0, 0, 0], &[]);
    let mut depths = BTreeSet::new();
    for seed in 0..30 {
        let log = walk(Technique::ShortBreadthFirst, &pool, 0.1, seed);
        let reached: BTreeSet<State> =
            log.steps.iter().filter_map(|step| step.new.as_ref()).map(|new| new.checkpoint).collect();
        let depth = (1..=3).find(|depth| within(*depth) == reached).expect("all of one depth");
        depths.insert(depth);
    }
    assert_eq!(depths.len(), 3, "every small depth occurs");
}

/// Actions that were taken before are executed again, in order to reach the states behind them.
#[test]
fn short_breadth_first_looks_behind_what_is_known() {
    let pool = pool(&Counters::new(4), [0, 0, 0], &[0, 1, 2]);
    let deepest = (0..30).map(|seed| walk(Technique::ShortBreadthFirst, &pool, 0.1, seed).steps.len()).max();
    assert!(deepest > Some(10), "{deepest:?}");
}

#[test]
fn untaken_takes_one_exit_that_never_was() {
    for last in 0..6 {
        let taken: Vec<usize> = (0..6).filter(|choice| *choice != last).collect();
        let log = walk(Technique::Untaken, &pool(&Counters::new(4), [1, 2, 3], &taken), 0.1, 5);
        assert_eq!(log.steps.iter().map(|step| step.choice as usize).collect::<Vec<_>>(), [last]);
    }
    let all = pool(&Counters::new(4), [1, 2, 3], &[0, 1, 2, 3, 4, 5]);
    assert!(walk(Technique::Untaken, &all, 0.1, 5).steps.is_empty());
}

#[test]
fn names_are_read_back() {
    for technique in Technique::ALL {
        assert_eq!(technique.to_string().parse(), Ok(technique));
    }
    assert!("random".parse::<Technique>().unwrap_err().contains("short-breadth-first"));
    assert_eq!(Move::Fall as usize, 2);
}
