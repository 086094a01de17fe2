//! Plain searches by restarting: they use only `start`, `enabled` and `take` of the crate.

use std::collections::{BTreeSet, HashMap, HashSet};

use explore::Steered;

/// Brings the system to the state after a schedule.
pub(crate) fn go<S: Steered>(system: &mut S, initial: usize, actions: &[S::Action]) {
    system.start(initial).unwrap();
    for action in actions {
        system.take(action).unwrap();
    }
}

pub(crate) fn enabled<S: Steered>(system: &S) -> Vec<S::Action> {
    let mut actions = Vec::new();
    system.enabled(&mut actions);
    actions
}

/// The whole graph of reachable states.
pub(crate) struct Graph<I> {
    /// Every state with its distance from the initial ones.
    pub(crate) states: HashMap<I, usize>,
    pub(crate) stuck: HashSet<I>,
    /// The number of pairs of a state and an action that is enabled there.
    pub(crate) transitions: usize,
}

pub(crate) fn graph<S: Steered>(system: &mut S) -> Graph<S::Identity> {
    let mut graph = Graph { states: HashMap::new(), stuck: HashSet::new(), transitions: 0 };
    let mut level: Vec<_> = (0..system.initials().unwrap()).map(|initial| (initial, Vec::new())).collect();
    for depth in 0.. {
        let mut next = Vec::new();
        for (initial, actions) in level {
            go(system, initial, &actions);
            let identity = system.identity();
            if graph.states.contains_key(&identity) {
                continue;
            }
            let choices = enabled(system);
            graph.transitions += choices.len();
            if choices.is_empty() {
                graph.stuck.insert(identity.clone());
            }
            graph.states.insert(identity, depth);
            next.extend(
                choices.into_iter().map(|action| (initial, [actions.clone(), vec![action]].concat())),
            );
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    graph
}

/// All complete runs from initial state 0. Ends only if there are no cycles.
pub(crate) fn runs<S: Steered>(system: &mut S) -> Vec<Vec<S::Action>> {
    let (mut complete, mut todo) = (Vec::new(), vec![Vec::new()]);
    while let Some(actions) = todo.pop() {
        go(system, 0, &actions);
        let choices = enabled(system);
        if choices.is_empty() {
            complete.push(actions.clone());
        }
        todo.extend(choices.into_iter().map(|action| [actions.clone(), vec![action]].concat()));
    }
    complete
}

/// The number of runs up to the order of independent actions: two runs are equivalent if they order their dependent
/// events alike, an event being an action with the number of its earlier occurrences.
pub(crate) fn classes<A: Clone + Eq + Ord>(runs: &[Vec<A>], dependent: impl Fn(&A, &A) -> bool) -> usize {
    let mut classes = BTreeSet::new();
    for run in runs {
        let count = |at: usize| run[..at].iter().filter(|action| **action == run[at]).count();
        let events: Vec<_> = (0..run.len()).map(|at| (run[at].clone(), count(at))).collect();
        let mut order = BTreeSet::new();
        for (at, event) in events.iter().enumerate() {
            order.insert((event.clone(), event.clone()));
            let later = events[at + 1..].iter().filter(|later| dependent(&event.0, &later.0));
            order.extend(later.map(|later| (event.clone(), later.clone())));
        }
        classes.insert(order);
    }
    classes.len()
}

/// The states that runs with at most `bound` preemptions reach. Ends only if there are no cycles.
pub(crate) fn preempted<S: Steered>(system: &mut S, bound: usize) -> HashSet<S::Identity> {
    let mut states = HashSet::new();
    let mut todo = vec![(Vec::new(), None, 0)];
    while let Some((actions, last, used)) = todo.pop() {
        go(system, 0, &actions);
        states.insert(system.identity());
        let choices = enabled(system);
        let goes_on = last.is_some() && choices.iter().any(|action| system.process(action) == last);
        for action in choices {
            let process = system.process(&action);
            let used = if goes_on && process != last { used + 1 } else { used };
            if used <= bound {
                todo.push(([actions.clone(), vec![action]].concat(), process, used));
            }
        }
    }
    states
}
