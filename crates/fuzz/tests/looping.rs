//! The loop as a whole: its findings, why it ends, and that the same seed gives the same run.

mod common;

use common::{ALL_AT_TOP, Counters, Judge, MARKED, Move, STUCK, State};
use explore::{Limit, Limits, Schedule, Steered};
use fuzz::{End, Fuzzer, Options, Technique};

fn fuzzer(system: &Counters, judge: Judge, options: Options) -> (End, Fuzzer<Counters, Judge>) {
    let mut fuzzer = Fuzzer::new(system, judge, options);
    let end = fuzzer.run();
    (end, fuzzer)
}

fn steps(steps: usize) -> Limits {
    Limits { steps: Some(steps), ..Limits::default() }
}

/// The state that a schedule leads to. Every action must be enabled when it is taken.
fn follow(system: &Counters, schedule: &Schedule<(usize, Move)>) -> State {
    let mut system = system.clone();
    system.start(schedule.initial).unwrap();
    for action in &schedule.actions {
        let mut enabled = Vec::new();
        system.enabled(&mut enabled);
        assert!(enabled.contains(action));
        system.take(action).unwrap();
    }
    system.identity()
}

#[test]
fn a_small_system_is_exhausted() {
    let (end, fuzzer) = fuzzer(&Counters::new(3), Judge::default(), Options::default());
    assert_eq!(end, End::Exhausted);
    assert_eq!(fuzzer.stats().states, 64);
    assert_eq!((fuzzer.coverage().transitions(), fuzzer.coverage().pairs()), (3, 9));
}

#[test]
fn each_technique_alone_gets_there() {
    for technique in Technique::ALL {
        let options =
            Options { techniques: vec![(technique, 1.0)], limits: steps(200_000), ..Options::default() };
        let (_, fuzzer) = fuzzer(&Counters::new(3), Judge::default(), options);
        assert_eq!(fuzzer.stats().states, 64, "{technique}");
        assert_eq!(fuzzer.findings()[0].violation, ALL_AT_TOP, "{technique}");
    }
}

/// When all states were seen, the run to a finding is a shortest one, and it can be followed.
#[test]
fn runs_to_findings_can_be_followed() {
    let system = Counters { trap: Some([0, 2, 1]), ..Counters::new(3) };
    let (_, fuzzer) = fuzzer(&system, Judge::default(), Options::default());
    let mut found: Vec<_> = fuzzer.findings().to_vec();
    found.sort_by_key(|finding| finding.violation);
    assert_eq!(found.iter().map(|finding| finding.violation).collect::<Vec<_>>(), [ALL_AT_TOP, STUCK]);
    assert!(found.iter().all(|finding| finding.states == 1 && finding.after > 0));
    let [top, stuck] = [&found[0], &found[1]].map(|finding| fuzzer.schedule(finding));
    assert_eq!((follow(&system, &top), top.actions.len()), ([3, 3, 3], 9));
    assert_eq!((follow(&system, &stuck), stuck.actions.len()), ([0, 2, 1], 3));
}

#[test]
fn the_first_violation_may_end_the_run_but_a_remark_does_not() {
    let system = Counters { trap: Some([1, 0, 0]), ..Counters::new(6) };
    let options = Options { stop_at_first: true, ..Options::default() };
    let (end, fuzzer) = fuzzer(&system, Judge::default(), options);
    assert_eq!(end, End::Found);
    let found: Vec<_> = fuzzer.findings().iter().map(|finding| finding.violation).collect();
    assert_eq!(found, [STUCK, ALL_AT_TOP]);
    assert_eq!(fuzzer.findings()[1].after, fuzzer.stats().transitions);
}

#[test]
fn limits_are_kept_exactly() {
    let limited = |limits: Limits| {
        let (end, fuzzer) =
            fuzzer(&Counters::new(200), Judge::default(), Options { limits, ..Options::default() });
        (end, fuzzer.stats())
    };
    let (end, stats) = limited(steps(12_345));
    assert_eq!((end, stats.transitions), (End::Limit(Limit::Steps), 12_345));
    let (end, stats) = limited(Limits { states: Some(777), ..Limits::default() });
    assert_eq!((end, stats.states), (End::Limit(Limit::States), 777));
    let (end, _) = limited(Limits { memory: Some(1 << 20), ..Limits::default() });
    assert_eq!(end, End::Limit(Limit::Memory));
    let (end, _) = limited(Limits { time: Some(std::time::Duration::from_millis(30)), ..Limits::default() });
    assert_eq!(end, End::Limit(Limit::Time));
}

/// All results of a run, except times.
fn told(workers: usize, seed: u64) -> String {
    let options = Options { seed, workers, limits: steps(40_000), ..Options::default() };
    let system = Counters { trap: Some([3, 9, 5]), initials: 100, ..Counters::new(90) };
    let (end, fuzzer) = fuzzer(&system, Judge::default(), options);
    let counts: Vec<u64> = (0..3).map(|transition| fuzzer.coverage().count(transition)).collect();
    let stats = fuzzer.stats();
    let found: Vec<_> =
        fuzzer.findings().iter().map(|one| (one.violation, one.after, fuzzer.schedule(one))).collect();
    format!("{end:?} {counts:?} {} {} {} {found:?}", stats.states, stats.transitions, stats.depth)
}

#[test]
fn the_same_seed_gives_the_same_run_whatever_the_number_of_workers() {
    for seed in 0..3 {
        let alone = told(1, seed);
        assert_eq!(alone, told(1, seed));
        assert_eq!(alone, told(2, seed));
        assert_eq!(alone, told(3, seed));
    }
    assert_ne!(told(1, 1), told(1, 2));
}

#[test]
fn all_initial_states_are_drawn_in_the_end() {
    let system = Counters { initials: 200, ..Counters::new(250) };
    let options = Options { limits: steps(400_000), ..Options::default() };
    let (_, fuzzer) = fuzzer(&system, Judge::default(), options);
    let none = Counters { initials: 0, ..Counters::new(3) };
    assert!(fuzzer.stats().states > 200);
    let mut empty = Fuzzer::new(&none, Judge::default(), Options::default());
    assert_eq!((empty.run(), empty.stats().states), (End::Exhausted, 0));
}

/// Preferred transitions are taken more often, and more states near interesting ones are visited.
#[test]
fn the_user_can_help() {
    let run = |judge: Judge| {
        let options = Options { limits: steps(12_000), ..Options::default() };
        fuzzer(&Counters::new(25), judge, options).1
    };
    let down = Move::Down as usize;
    let (plain, helped) = (run(Judge::default()), run(Judge { preferred: Some(down), ..Judge::default() }));
    let downs = [&plain, &helped].map(|fuzzer| fuzzer.coverage().count(down));
    assert!(downs[1] > downs[0] * 11 / 10, "{downs:?}");
    let near = |interesting: Option<u8>| {
        let fuzzer = run(Judge { interesting, marked: Some(9), ..Judge::default() });
        fuzzer
            .findings()
            .iter()
            .find(|finding| finding.violation == MARKED)
            .map_or(0, |finding| finding.states)
    };
    let (plain, helped) = (near(None), near(Some(9)));
    assert!(helped > plain * 5 / 4, "{helped} and {plain}");
}
