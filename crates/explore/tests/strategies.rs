//! The same strategies on three systems that share nothing: a copied state, a cloned object, and a process that can
//! only be run again. The counts are worked out by hand where a comment says how, and all of them are compared with a
//! plain search that always restarts.

mod common;

use common::process::{Process, in_order, increment, out_of_order};
use common::{brute, jugs::Jugs, mailboxes::Mailboxes, threads::Threads};
use explore::{
    BadState, BreadthFirst, Cut, Deadlock, DepthFirst, End, Named, Outcome, RandomWalk, Replayed, Rng,
    Search, Seen, Steered, Strategy, System,
};

fn lost_update() -> Replayed<Process> {
    Replayed::new(Process::new(&[increment, increment]))
}

fn lock_order() -> Replayed<Process> {
    Replayed::new(Process::new(&[in_order, out_of_order]))
}

/// States, transitions and depth of an exhaustive search with memory.
fn counts<S: System>(system: &mut S, strategy: impl Strategy<S>) -> (usize, usize, usize) {
    let outcome = Search::new(system, strategy, ()).remember(Seen::new()).run().unwrap();
    assert_eq!(outcome.end, End::Exhausted);
    assert_eq!(outcome.fingerprint_bits, None);
    (outcome.stats.states, outcome.stats.transitions, outcome.stats.depth)
}

/// Breadth first and depth first, in any order, see the same states and steps, and breadth first gets no
/// deeper than the farthest state is.
fn exhausts<S: System>(system: &mut S, states: usize, transitions: usize, depth: usize) {
    let graph = brute::graph(system);
    assert_eq!((graph.states.len(), graph.transitions), (states, transitions), "by brute force");
    assert_eq!(graph.states.values().max(), Some(&depth), "by brute force");
    assert_eq!(counts(system, BreadthFirst::new()), (states, transitions, depth));
    for strategy in [DepthFirst::new(), DepthFirst::shuffled(1), DepthFirst::shuffled(2)] {
        let (some, steps, deepest) = counts(system, strategy);
        assert_eq!((some, steps), (states, transitions));
        assert!(deepest >= depth);
    }
}

/// Two jugs of 3 and 5 litres: 16 states (one jug is empty or full: 12 + 8 - 4), 58 transitions (2 from both
/// empty and both full, 3 from one full and the other empty, 4 from each of the other 12), the farthest after 7.
#[test]
fn exhausts_a_copied_state() {
    exhausts(&mut Jugs::new(), 16, 58, 7);
}

/// Two letters each way: the letters from one actor are sent and received in 6 ways, so there are 6 * 6
/// states; 6 steps among these 6 ways, so 6 * 6 * 2 transitions; 4 steps in each direction.
#[test]
fn exhausts_a_cloned_object() {
    exhausts(&mut Mailboxes::new(2), 36, 72, 8);
}

/// Two threads that read x and write x + 1: 1, 2, 3, 4 and 3 states after 0 to 4 steps, because the two reads
/// commute, and the two orders of writes after both reads lead to the same states. Transitions: 2, 4, 4 and 4.
#[test]
fn exhausts_a_process_that_can_only_be_run_again() {
    exhausts(&mut lost_update(), 13, 14, 4);
}

/// All runs without memory: 2 * 2 * (8 over 4) for the letters, (4 over 2) for the threads.
#[test]
fn counts_all_runs_without_memory() {
    fn check<S: System>(system: &mut S, runs: usize) {
        assert_eq!(brute::runs(system).len(), runs, "by brute force");
        let outcome = Search::new(system, DepthFirst::new(), ()).run().unwrap();
        assert_eq!((outcome.end, outcome.stats.runs), (End::Exhausted, runs));
        let outcome = Search::new(system, BreadthFirst::new(), ()).run().unwrap();
        assert_eq!((outcome.end, outcome.stats.runs), (End::Exhausted, runs));
    }
    check(&mut Mailboxes::new(2), 280);
    check(&mut lost_update(), 6);
}

/// Depth first needs one start for each of the 6 runs: no run is replayed without need.
#[test]
fn depth_first_starts_a_process_once_for_each_run() {
    let mut system = lost_update();
    let outcome = Search::new(&mut system, DepthFirst::new(), ()).run().unwrap();
    assert_eq!(outcome.stats.runs, 6);
    assert_eq!(system.inner().starts, 6);
}

/// Runs a search for a bad state and gives the length of the trace.
fn length_to_bad<S: System>(
    system: &mut S,
    strategy: impl Strategy<S>,
    is_bad: impl Fn(&S) -> bool,
) -> usize {
    let property = (Deadlock, BadState::new("bad", is_bad));
    let outcome = Search::new(system, strategy, property).remember(Seen::new()).run().unwrap();
    assert_eq!(outcome.end, End::Found);
    outcome.found[0].schedule.actions.len()
}

fn finds_shortest<S: System>(system: &mut S, is_bad: impl Fn(&S) -> bool, shortest: usize) {
    assert_eq!(length_to_bad(system, BreadthFirst::new(), &is_bad), shortest);
    for seed in 0..5 {
        assert!(length_to_bad(system, DepthFirst::shuffled(seed), &is_bad) >= shortest);
    }
}

/// 4 litres in 6 steps; three letters under way in 3; a lost update in 4; a deadlock in 2.
#[test]
fn breadth_first_finds_shortest_traces() {
    finds_shortest(&mut Jugs::new(), |jugs| jugs.litres[1] == 4, 6);
    let waiting = |mail: &Mailboxes| mail.inbox[0].len() + mail.inbox[1].len();
    finds_shortest(&mut Mailboxes::new(2), |mail| waiting(mail) == 3, 3);
    let lost = |system: &Replayed<Process>| system.inner().finished() && system.inner().variables[0] == 1;
    finds_shortest(&mut lost_update(), lost, 4);
    finds_shortest(&mut lock_order(), |_| false, 2);
}

/// On random programs the first violation of a breadth-first search is as far away as the nearest bad state.
#[test]
fn breadth_first_is_as_near_as_brute_force() {
    let mut rng = Rng::new(11);
    let mut violated = 0;
    for _ in 0..200 {
        let mut system = Threads::random(&mut rng, 2, 4, true);
        let graph = brute::graph(&mut system);
        let bad = |variables: [u8; 2]| variables[0] == 2;
        let distances =
            graph.states.iter().filter(|((_, variables, _), _)| bad(*variables)).map(|(_, depth)| *depth);
        let nearest = distances.min();
        let property = BadState::new("bad", |system: &Threads| bad(system.variables));
        let outcome =
            Search::new(&mut system, BreadthFirst::new(), property).remember(Seen::new()).run().unwrap();
        assert_eq!(outcome.found.first().map(|found| found.schedule.actions.len()), nearest);
        assert_eq!(outcome.end == End::Exhausted, nearest.is_none());
        violated += usize::from(nearest.is_some());
    }
    assert!((20..180).contains(&violated), "some programs must be bad and some not, but {violated} are bad");
}

fn walk<S: System>(system: &mut S, seed: u64, is_bad: impl Fn(&S) -> bool) -> Outcome<S::Action, Named> {
    let property = (Deadlock, BadState::new("bad", is_bad));
    let mut outcome = Search::new(system, RandomWalk::new(seed, 500, 40), property).run().unwrap();
    outcome.stats.time = std::time::Duration::ZERO;
    outcome
}

fn same_seed_same_run<S: System>(system: &mut S, is_bad: impl Fn(&S) -> bool) {
    let first = walk(system, 7, &is_bad);
    let again = walk(system, 7, &is_bad);
    assert_eq!(first.end, End::Found);
    assert_eq!((first.stats, first.found), (again.stats, again.found));
}

#[test]
fn random_walks_repeat_with_their_seed() {
    same_seed_same_run(&mut Jugs::new(), |jugs| jugs.litres[1] == 4);
    same_seed_same_run(&mut Mailboxes::new(4), |mail| mail.inbox[0].len() == 4);
    same_seed_same_run(&mut lock_order(), |_| false);
    let schedules: Vec<_> =
        (0..10).map(|seed| walk(&mut Jugs::new(), seed, |jugs| jugs.litres[1] == 4).found).collect();
    assert!(schedules.iter().any(|found| *found != schedules[0]), "all seeds give the same run");
}

/// A random walk reports that it sampled, even if it has visited all states.
#[test]
fn random_walks_never_claim_to_be_exhaustive() {
    let outcome = walk(&mut Mailboxes::new(1), 3, |_| false);
    assert_eq!((outcome.end, outcome.cuts), (End::Bounded, vec![Cut::Sampled]));
    assert_eq!(outcome.stats.runs, 500);
}

/// Shuffling changes the order but nothing else, and repeats with its seed.
#[test]
fn shuffled_depth_first_repeats_with_its_seed() {
    let first = |seed| {
        let property = BadState::new("bad", |jugs: &Jugs| jugs.litres[1] == 4);
        let mut system = Jugs::new();
        let search = Search::new(&mut system, DepthFirst::shuffled(seed), property).remember(Seen::new());
        search.run().unwrap().found
    };
    assert_eq!(first(5), first(5));
    assert!((0..10).any(|seed| first(seed) != first(5)));
}

/// A search can report the violations of all properties, each once.
#[test]
fn finds_all_violations_when_asked() {
    let mut system = lock_order();
    let property = (Deadlock, BadState::new("done", |system: &Replayed<Process>| system.inner().ended()));
    let search = Search::new(&mut system, DepthFirst::new(), property).remember(Seen::new());
    let outcome = search.find_all().run().unwrap();
    assert_eq!(outcome.end, End::Exhausted);
    let mut names: Vec<_> = outcome.found.iter().map(|found| found.violation.0.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["deadlock", "done"]);
}
