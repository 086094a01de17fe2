//! Reductions save work and never change the result: exact counts on small systems, and the same states as plain
//! search on hundreds of random programs.

mod common;

use std::collections::HashSet;

use common::process::{Process, increment};
use common::threads::{Instr, Threads};
use common::{Collect, brute, mailboxes::Mailboxes};
use explore::{
    BreadthFirst, Conflict, Cut, DepthBound, DepthFirst, End, Forget, Memory, Named, Outcome,
    PreemptionBound, Reduction, Replayed, Rng, Search, Seen, Sleep, Steered, Strategy, Symmetric, System,
};

fn runs<S: System, R: Reduction<S>>(system: &mut S, strategy: impl Strategy<S>, reduction: R) -> usize {
    let outcome = Search::new(system, strategy, ()).reduce(reduction).run().unwrap();
    assert_eq!(outcome.end, End::Exhausted);
    outcome.stats.runs
}

/// Sleep sets leave one complete run for each class of equivalent runs.
fn one_run_for_each_class<S: System>(
    system: &mut S,
    dependent: impl Fn(&S::Action, &S::Action) -> bool,
    all: usize,
    classes: usize,
) where
    S::Action: Ord,
{
    let every = brute::runs(system);
    assert_eq!((every.len(), brute::classes(&every, dependent)), (all, classes), "by brute force");
    assert_eq!(runs(system, DepthFirst::new(), ()), all);
    assert_eq!(runs(system, DepthFirst::new(), Sleep::new()), classes);
    assert_eq!(runs(system, BreadthFirst::new(), Sleep::new()), classes);
    assert_eq!(runs(system, DepthFirst::shuffled(4), Some(Sleep::new())), classes);
    assert_eq!(runs(system, DepthFirst::new(), None::<Sleep<S::Action>>), all);
}

/// Two sends are independent, and two receipts; all else shares an actor or a mailbox. One letter each way: of 6
/// runs 3 are different, as at most one of the actors can receive before it sends. Two letters: 60 of 280.
#[test]
fn sleep_sets_on_a_cloned_object() {
    let dependent = |a: &common::mailboxes::Act, b: &common::mailboxes::Act| {
        a.actor() == b.actor() || a.mailbox() == b.mailbox()
    };
    one_run_for_each_class(&mut Mailboxes::new(1), dependent, 6, 3);
    one_run_for_each_class(&mut Mailboxes::new(2), dependent, 280, 60);
}

/// Two threads that read x and write x + 1: of 6 runs 4 are different: one after the other in either order,
/// and both reads first with the writes in either order.
#[test]
fn sleep_sets_on_a_process_that_can_only_be_run_again() {
    let mut system = Replayed::new(Process::new(&[increment, increment]));
    let outcome = Search::new(&mut system, DepthFirst::new(), ()).reduce(Sleep::new()).run().unwrap();
    assert_eq!((outcome.end, outcome.stats.runs), (End::Exhausted, 4));
    // The tree of runs has two more ends, where a read is asleep: after the second thread's read, and after
    // its read and write. Neither is a branch of its own, so that no start is wasted.
    assert_eq!(system.inner().starts, 4);
    assert_eq!(runs(&mut system, BreadthFirst::new(), Sleep::new()), 4);
}

/// Breadth first and depth first agree with brute force on the number of classes.
#[test]
fn sleep_sets_count_classes_of_random_programs() {
    let mut rng = Rng::new(21);
    let mut saved = 0;
    for _ in 0..100 {
        let mut system = Threads::random(&mut rng, 3, 3, false);
        let every = annotated_runs(&mut system);
        let classes = brute::classes(&every, |a, b| a.0 == b.0 || a.1.iter().any(|x| conflicts(x, &b.1)));
        assert_eq!(runs(&mut system, DepthFirst::new(), Sleep::new()), classes);
        assert_eq!(runs(&mut system, BreadthFirst::new(), Sleep::new()), classes);
        saved += every.len() - classes;
    }
    assert!(saved > 1000, "the reduction must save work on these programs");
}

/// An action of a thread with the objects that it touches, and whether it writes them.
type Touching = (usize, Vec<(usize, bool)>);

/// Complete runs in which each action is annotated with its accesses.
fn annotated_runs(system: &mut Threads) -> Vec<Vec<Touching>> {
    let every = brute::runs(system);
    let mut annotate = |run: &[usize], step: usize| {
        brute::go(system, 0, &run[..step]);
        (run[step], touched(&system.label(&run[step]).to_string()))
    };
    every.iter().map(|run| (0..run.len()).map(|step| annotate(run, step)).collect()).collect()
}

/// The objects that an instruction accesses, parsed from its label so as not to rely on the footprint.
fn touched(label: &str) -> Vec<(usize, bool)> {
    let Some((_, argument)) = label.split_once('(').and_then(|(_, rest)| rest.split_once('(')) else {
        return Vec::new();
    };
    let object: usize = argument[..1].parse().unwrap();
    if label.contains("Read") || label.contains("Await") {
        vec![(object, false)]
    } else if label.contains("Write") {
        vec![(object, true)]
    } else {
        vec![(object + 10, true)]
    }
}

fn conflicts(access: &(usize, bool), others: &[(usize, bool)]) -> bool {
    others.iter().any(|other| other.0 == access.0 && (other.1 || access.1))
}

/// Runs a search, and returns the states that it visits and the number of steps.
fn visit<S, M, R>(system: &mut S, strategy: impl Strategy<S>, memory: M, reduction: R) -> Visited<S>
where
    S: System,
    R: Reduction<S>,
    M: Memory<S, R::Mark>,
{
    let mut collect = Collect::default();
    let search = Search::new(system, strategy, &mut collect).remember(memory).reduce(reduction);
    let outcome = search.run().unwrap();
    Visited { collect, outcome }
}

struct Visited<S: Steered> {
    collect: Collect<S::Identity>,
    outcome: Outcome<S::Action, Named>,
}

/// On 300 programs with locks, waiting and loops, in every order of search: sleep sets with memory visit every
/// reachable state and every deadlock, and take no step twice from a state.
#[test]
fn sleep_sets_with_memory_keep_all_states() {
    let mut rng = Rng::new(31);
    let (mut plain, mut reduced) = (0, 0);
    for seed in 0..300 {
        let mut system = Threads::random(&mut rng, 3, 4, true);
        let graph = brute::graph(&mut system);
        let keeps_all = |visited: Visited<Threads>| {
            assert_eq!(visited.outcome.end, End::Exhausted);
            assert_eq!(visited.collect.states, graph.states.keys().cloned().collect());
            assert_eq!(visited.collect.stuck, graph.stuck);
            assert!(visited.outcome.stats.transitions <= graph.transitions);
            visited.outcome.stats.transitions
        };
        reduced += keeps_all(visit(&mut system, DepthFirst::new(), Seen::new(), Sleep::new()));
        keeps_all(visit(&mut system, DepthFirst::shuffled(seed), Seen::new(), Sleep::new()));
        keeps_all(visit(&mut system, BreadthFirst::new(), Seen::new(), Sleep::new()));
        plain += keeps_all(visit(&mut system, DepthFirst::new(), Seen::new(), ()));
    }
    assert!(reduced * 10 < plain * 9, "{reduced} of {plain} steps: hardly a reduction");
}

/// A bound cuts states beyond its depth, and nothing else, whatever the order of search; the outcome reports a cut if
/// and only if there was one. Sleep sets change nothing.
#[test]
fn depth_bound_keeps_all_near_states() {
    let mut rng = Rng::new(41);
    let mut cut = 0;
    for seed in 0..150 {
        let mut system = Threads::random(&mut rng, 3, 3, true);
        let graph = brute::graph(&mut system);
        let bound = rng.below(8);
        let near: HashSet<_> = graph
            .states
            .iter()
            .filter(|(_, depth)| **depth <= bound)
            .map(|(state, _)| state.clone())
            .collect();
        let check = |visited: Visited<Threads>| {
            assert_eq!(visited.collect.states, near);
            if near.len() < graph.states.len() {
                assert_eq!(
                    (visited.outcome.end, visited.outcome.cuts),
                    (End::Bounded, vec![Cut::Depth(bound)])
                );
            }
        };
        let depth = || DepthBound::new(bound);
        check(visit(&mut system, BreadthFirst::new(), Seen::new(), depth()));
        check(visit(&mut system, DepthFirst::new(), Seen::new(), depth()));
        check(visit(&mut system, DepthFirst::shuffled(seed), Seen::new(), (depth(), Sleep::new())));
        check(visit(&mut system, DepthFirst::shuffled(seed), Seen::new(), (Sleep::new(), depth())));
        check(visit(&mut system, BreadthFirst::new(), Seen::new(), (Sleep::new(), Some(depth()))));
        check(visit(&mut system, DepthFirst::new(), Forget, (Sleep::new(), depth())));
        cut += usize::from(near.len() < graph.states.len());
    }
    assert!((30..150).contains(&cut), "{cut} of 150 programs are cut");
}

/// A bound that nothing reaches leaves the search exhaustive.
#[test]
fn a_bound_that_cuts_nothing_is_no_cut() {
    let reduction = (DepthBound::new(8), PreemptionBound::new(7));
    let visited = visit(&mut Mailboxes::new(2), DepthFirst::new(), Seen::new(), reduction);
    assert_eq!((visited.outcome.end, visited.outcome.cuts), (End::Exhausted, vec![]));
    assert_eq!(visited.collect.states.len(), 36);
}

/// Runs with a bounded number of preemptions, with memory and without, as brute force counts them.
#[test]
fn preemption_bound_keeps_what_brute_force_reaches() {
    let mut rng = Rng::new(51);
    let mut cut = 0;
    for seed in 0..150 {
        let mut system = Threads::random(&mut rng, 3, 3, false);
        let all = brute::graph(&mut system).states.len();
        for bound in 0..3 {
            let reached = brute::preempted(&mut system, bound);
            let check = |visited: Visited<Threads>| {
                assert_eq!(visited.collect.states, reached, "with {bound} preemptions");
                assert!(reached.len() == all || visited.outcome.end == End::Bounded);
            };
            let preemptions = || PreemptionBound::new(bound);
            check(visit(&mut system, DepthFirst::new(), Forget, preemptions()));
            check(visit(&mut system, DepthFirst::shuffled(seed), Seen::new(), preemptions()));
            check(visit(&mut system, BreadthFirst::new(), Seen::new(), preemptions()));
            check(visit(&mut system, BreadthFirst::new(), Seen::new(), (preemptions(), DepthBound::new(99))));
            cut += usize::from(reached.len() < all);
        }
    }
    assert!(cut > 50, "only {cut} programs are cut");
}

/// Two threads of two steps: 2 runs without a preemption (one after the other), 4 with one at most, all 6 with
/// two.
#[test]
fn preemption_bound_counts_runs() {
    for (bound, runs) in [(0, 2), (1, 4), (2, 6), (3, 6)] {
        let mut system = Replayed::new(Process::new(&[increment, increment]));
        let search = Search::new(&mut system, DepthFirst::new(), ()).reduce(PreemptionBound::new(bound));
        let outcome = search.run().unwrap();
        assert_eq!(outcome.stats.runs, runs);
        let cuts = if runs < 6 { vec![Cut::Preemptions(bound)] } else { vec![] };
        assert_eq!(outcome.cuts, cuts);
    }
}

/// Two letters each way: 36 states, of which 6 stay the same when the actors change places: (36 + 6) / 2.
#[test]
fn symmetry_counts_states_up_to_renaming() {
    let mut system = Mailboxes::new(2);
    let search = Search::new(&mut system, BreadthFirst::new(), ()).remember(Symmetric::new());
    let outcome = search.run().unwrap();
    assert_eq!((outcome.end, outcome.stats.states), (End::Exhausted, 21));
}

/// On 150 programs of equal threads every state is visited up to renaming.
#[test]
fn symmetry_keeps_all_states_up_to_renaming() {
    let mut rng = Rng::new(61);
    for seed in 0..150 {
        let mut system = Threads::random_symmetric(&mut rng, 3, 4);
        let sorted = |states: &mut dyn Iterator<Item = &<Threads as Steered>::Identity>| -> HashSet<_> {
            let sort = |state: &<Threads as Steered>::Identity| {
                let mut state = state.clone();
                state.0.sort_unstable();
                state
            };
            states.map(sort).collect()
        };
        let graph = brute::graph(&mut system);
        let all = sorted(&mut graph.states.keys());
        for strategy in [DepthFirst::new(), DepthFirst::shuffled(seed)] {
            let visited = visit(&mut system, strategy, Symmetric::new(), ());
            assert_eq!(visited.outcome.stats.states, all.len());
            assert_eq!(sorted(&mut visited.collect.states.iter()), all);
            assert_eq!(sorted(&mut visited.collect.stuck.iter()), sorted(&mut graph.stuck.iter()));
        }
    }
}

/// Unsound combinations are refused before a step is taken.
#[test]
fn unsound_combinations_are_refused() {
    fn conflict<S: System, M, R>(system: &mut S, memory: M, reduction: R) -> Option<Conflict>
    where
        R: Reduction<S>,
        M: Memory<S, R::Mark>,
    {
        let search = Search::new(system, DepthFirst::new(), ()).remember(memory).reduce(reduction);
        search.run().err()
    }
    let system = &mut Mailboxes::new(1);
    let (sleep, preemptions) = (Sleep::new, || PreemptionBound::new(1));
    assert_eq!(conflict(system, Seen::new(), (sleep(), preemptions())), Some(Conflict::OrderCounts));
    assert_eq!(conflict(system, Forget, (Some(preemptions()), Some(sleep()))), Some(Conflict::OrderCounts));
    assert_eq!(conflict(system, Forget, (None::<PreemptionBound>, Some(sleep()))), None);
    assert_eq!(conflict(system, Symmetric::new(), sleep()), Some(Conflict::NamesChange));
    assert_eq!(conflict(system, Symmetric::new(), preemptions()), Some(Conflict::NamesChange));
    assert_eq!(conflict(system, Symmetric::new(), DepthBound::new(1)), None);
}

/// Three threads a, b and c; a and c read x, b writes its old value back into x. 8 states, 12 steps. Depth first
/// comes to the state after b and c with a asleep (a and c commute, and a was tried before c), and later from c by b
/// with nothing asleep, as b wakes a: it must be visited a second time, for a alone. So 9 visits and 11 steps; only a
/// after c is saved.
#[test]
fn a_state_met_again_with_less_asleep_is_visited_again() {
    let code = [Instr::Read(0), Instr::Write(0, 0), Instr::Read(0)];
    let mut system = Threads::new(code.map(|instr| vec![instr]).to_vec());
    let graph = brute::graph(&mut system);
    assert_eq!((graph.states.len(), graph.transitions), (8, 12));
    let visited = visit(&mut system, DepthFirst::new(), Seen::new(), Sleep::new());
    assert_eq!(visited.collect.states.len(), 8);
    assert_eq!((visited.outcome.stats.states, visited.outcome.stats.transitions), (9, 11));
}
