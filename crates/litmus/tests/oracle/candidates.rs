//! Candidate executions: what each load reads from, and the order of the stores to each location.

use crate::{
    axioms,
    thread::{Event, Kind, Running, Store},
};
use litmus::{Memory, Op, Place, Program, Test};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// An execution: the events of all threads, and the initial stores.
#[derive(Clone, Debug)]
pub(crate) struct Execution {
    pub(crate) events: Vec<Event>,
    /// The thread of each event; `None` for initial stores.
    pub(crate) threads: Vec<Option<usize>>,
    /// The store that each load reads from.
    pub(crate) reads_from: BTreeMap<usize, usize>,
    /// The position of each store among those to its location.
    pub(crate) coherence: BTreeMap<usize, usize>,
}

/// The final states of a test without loops under a memory model, by its axioms.
pub(crate) fn final_states(test: &Test, memory: Memory) -> BTreeSet<Vec<i64>> {
    assert!(!test.program.has_loops(), "the oracle runs every thread to its end");
    let mut found = BTreeSet::new();
    for threads in complete_runs(&test.program) {
        each_order_of_stores(&joined(&test.program, &threads), &mut |execution| {
            if axioms::hold(execution, memory) {
                found.insert(observed(test, &threads, execution));
            }
        });
    }
    found
}

/// All ways to run the threads to their ends where each load reads from some store that was there when it was made.
/// Neither model has a cycle of program order and reading (stores are not reordered with older loads), so that every
/// execution is one of these, with its stores in some order.
fn complete_runs(program: &Program) -> Vec<Vec<Running>> {
    let start: Vec<Running> =
        (0..program.threads.len()).map(|thread| Running::new(program, thread)).collect();
    let (mut open, mut seen, mut complete) = (vec![start], HashSet::new(), Vec::new());
    while let Some(threads) = open.pop() {
        if !seen.insert(threads.iter().map(Running::key).collect::<Vec<_>>()) {
            continue;
        }
        let steps =
            (0..threads.len()).filter_map(|thread| Some((thread, threads[thread].op(program, thread)?)));
        let steps: Vec<(usize, Op)> = steps.collect();
        if steps.is_empty() {
            complete.push(threads);
            continue;
        }
        for (thread, op) in steps {
            for source in sources(program, &threads, op) {
                let mut next = threads.clone();
                next[thread].step(program.width, op, source);
                open.push(next);
            }
        }
    }
    complete
}

/// What an instruction may read from; a single `None` if it reads nothing.
fn sources(program: &Program, threads: &[Running], op: Op) -> Vec<Option<(Store, i64)>> {
    let (Op::Load { from: location, .. } | Op::Update { at: location, .. }) = op else { return vec![None] };
    let initial = (Store::Initial(location), program.locations[location].initial);
    let mut sources = vec![Some(initial)];
    for (thread, running) in threads.iter().enumerate() {
        for (at, event) in running.events.iter().enumerate() {
            if event.kind == Kind::Write && event.location == location {
                sources.push(Some((Store::Event { thread, at }, event.value)));
            }
        }
    }
    sources
}

/// The initial stores, by location, and the events of all threads, in program order.
fn joined(program: &Program, running: &[Running]) -> Execution {
    let start = program.locations.iter().enumerate().map(|(location, initial)| {
        (None, Event { kind: Kind::Write, location, value: initial.initial, locked: None })
    });
    let own = running
        .iter()
        .enumerate()
        .flat_map(|(thread, running)| running.events.iter().map(move |event| (Some(thread), *event)));
    let (threads, events) = start.chain(own).unzip();
    let mut execution =
        Execution { events, threads, reads_from: BTreeMap::new(), coherence: BTreeMap::new() };
    let first = |thread: usize| {
        program.locations.len() + running[..thread].iter().map(|before| before.events.len()).sum::<usize>()
    };
    for (thread, run) in running.iter().enumerate() {
        let reads = (0..run.events.len()).filter(|at| run.events[*at].kind == Kind::Read);
        for (read, source) in reads.zip(&run.sources) {
            let from = match *source {
                Store::Initial(location) => location,
                Store::Event { thread, at } => first(thread) + at,
            };
            execution.reads_from.insert(first(thread) + read, from);
        }
    }
    execution
}

fn each_order_of_stores(execution: &Execution, then: &mut dyn FnMut(&Execution)) {
    let is_write = |at: &usize| execution.events[*at].kind == Kind::Write;
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for write in (0..execution.events.len()).filter(is_write) {
        groups.entry(execution.events[write].location).or_default().push(write);
    }
    let groups: Vec<Vec<usize>> = groups.into_values().collect();
    each_order(execution, &groups, then);
}

/// Every order of the stores to each location; the initial one, with the smallest number, is the first.
fn each_order(execution: &Execution, groups: &[Vec<usize>], then: &mut dyn FnMut(&Execution)) {
    let Some((group, others)) = groups.split_first() else { return then(execution) };
    each_permutation(&group[1..], &mut vec![group[0]], &mut |order| {
        let mut next = execution.clone();
        next.coherence.extend(order.iter().enumerate().map(|(at, write)| (*write, at)));
        each_order(&next, others, then);
    });
}

fn each_permutation(left: &[usize], order: &mut Vec<usize>, then: &mut dyn FnMut(&[usize])) {
    if left.is_empty() {
        return then(order);
    }
    for at in 0..left.len() {
        order.push(left[at]);
        each_permutation(&[&left[..at], &left[at + 1..]].concat(), order, then);
        order.pop();
    }
}

/// What a test observes: registers at the end of each thread, and the last store to each location.
fn observed(test: &Test, threads: &[Running], execution: &Execution) -> Vec<i64> {
    let last = |location: usize| {
        let stores =
            execution.coherence.iter().filter(|(write, _)| execution.events[**write].location == location);
        let (write, _) = stores.max_by_key(|(_, at)| **at).expect("the initial store");
        execution.events[*write].value
    };
    let value = |place: &Place| match *place {
        Place::Register(thread, register) => threads[thread].registers[register],
        Place::Location(location) => last(location),
    };
    test.observed.iter().map(value).collect()
}
