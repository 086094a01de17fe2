//! Store buffers: what a step adds to them and takes out of them, and how long each store is on its way to memory.

use explore::{Buffered, Entry, Stored, Subject, Trace, Value};
use std::collections::VecDeque;

/// What happens to a store buffer between two states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    /// What has reached memory, the oldest first.
    pub(crate) taken: Vec<Buffered>,
    /// What was stored, the oldest first.
    pub(crate) added: Vec<Buffered>,
}

/// How the buffer of a process differs from the state before; from an empty one if there is none. Processes count from 0.
pub(crate) fn change(state: &[Entry], before: Option<&[Entry]>, process: usize) -> Change {
    let old = before.map_or(vec![], |before| singles(before, process));
    let new = singles(state, process);
    // First in, first out: what is left of the old entries are the oldest new ones.
    let taken = (0..=old.len()).find(|taken| new.starts_with(&old[*taken..])).unwrap_or(old.len());
    let added = new[old.len() - taken..].to_vec();
    Change { taken: old[..taken].to_vec(), added }
}

/// The entries in a buffer, each as often as it is there; one that is there many times is one.
fn singles(state: &[Entry], process: usize) -> Vec<Buffered> {
    let buffer = state.iter().find(|entry| entry.subject == Subject::Buffer(process));
    let Some(Value::Buffer(entries)) = buffer.map(|entry| &entry.value) else { return vec![] };
    let single = |entry: &Buffered| {
        let (times, copies) = entry.copies.map_or((1, None), |copies| (copies, Some(1)));
        vec![Buffered { copies, ..entry.clone() }; times]
    };
    entries.iter().flat_map(single).collect()
}

/// What was stored, in words.
pub(crate) fn stored(change: &Change) -> Option<String> {
    let added: Vec<String> = change.added.iter().map(Buffered::to_string).collect();
    (!added.is_empty()).then(|| format!("buffers {}", added.join(", ")))
}

/// Stores that have reached memory without a trace there, in words: what they have changed is told where it is.
pub(crate) fn unseen(change: &Change, state: &[Entry], before: Option<&[Entry]>) -> Vec<String> {
    let value = |state: &[Entry], store: &Stored| {
        let subject = Subject::Variable(store.variable.clone());
        state.iter().find(|entry| entry.subject == subject).map(|entry| entry.value.clone())
    };
    let stores = change.taken.iter().flat_map(|entry| &entry.stores);
    let unseen = stores.filter(|store| before.and_then(|before| value(before, store)) == value(state, store));
    unseen.map(|store| format!("{store} changes nothing")).collect()
}

/// A store from the step that makes it to the one in which it reaches memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Journey {
    /// The process, from 0.
    pub(crate) process: usize,
    /// The number of the step that stores, from 1; 0 for what is in a buffer at the start.
    pub(crate) from: usize,
    /// The number of the step in which it reaches memory; none if the run ends before.
    pub(crate) to: Option<usize>,
    /// What is stored.
    pub(crate) text: String,
    /// Journeys of a process that overlap have different tracks, counted from 0.
    pub(crate) track: usize,
}

/// All stores of a run, in the order in which they are made.
pub(crate) fn journeys(trace: &Trace, processes: usize) -> Vec<Journey> {
    (0..processes).flat_map(|process| journeys_of(trace, process)).collect()
}

fn journeys_of(trace: &Trace, process: usize) -> Vec<Journey> {
    let mut journeys: Vec<Journey> = Vec::new();
    let mut waiting: VecDeque<usize> = VecDeque::new();
    let mut before: Option<&[Entry]> = None;
    let states = std::iter::once(&trace.start).chain(trace.steps.iter().map(|step| &step.state));
    for (row, state) in states.enumerate() {
        let Change { taken, added } = change(state, before, process);
        for journey in taken.iter().filter_map(|_| waiting.pop_front()) {
            journeys[journey].to = Some(row);
        }
        for entry in added {
            waiting.push_back(journeys.len());
            let free = free_track(&journeys, row);
            journeys.push(Journey { process, from: row, to: None, text: together(&entry), track: free });
        }
        before = Some(state);
    }
    journeys
}

/// The first track on which nothing is under way at a step.
fn free_track(journeys: &[Journey], row: usize) -> usize {
    let is_taken = |track: usize| {
        journeys.iter().any(|journey| journey.track == track && journey.to.is_none_or(|to| to >= row))
    };
    (0..journeys.len()).find(|track| !is_taken(*track)).unwrap_or(journeys.len())
}

/// `X := 1; Y := 2`
fn together(entry: &Buffered) -> String {
    let stores: Vec<String> = entry.stores.iter().map(Stored::to_string).collect();
    stores.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use explore::{Call, Step, Variable};

    fn store(name: &str, value: i64, copies: Option<usize>) -> Buffered {
        let variable = Variable::cell(name, &[]);
        Buffered { stores: vec![Stored { variable, value: Value::Integer(value) }], copies }
    }

    fn state(memory: i64, entries: Vec<Buffered>) -> Vec<Entry> {
        let buffer = Entry { subject: Subject::Buffer(0), value: Value::Buffer(entries) };
        vec![Entry::variable("X", Value::Integer(memory)), buffer]
    }

    fn one(value: i64) -> Buffered {
        store("X", value, Some(1))
    }

    #[test]
    fn entries_come_at_the_end_and_go_at_the_beginning() {
        let both = state(0, vec![one(1), one(2)]);
        let change = |new: &[Entry], old: &[Entry]| super::change(new, Some(old), 0);
        let first = Change { taken: vec![], added: vec![one(1), one(2)] };
        assert_eq!(super::change(&both, None, 0), first);
        assert_eq!(change(&state(1, vec![one(2)]), &both), Change { taken: vec![one(1)], added: vec![] });
        let third = state(0, vec![one(1), one(2), one(1)]);
        assert_eq!(change(&third, &both), Change { taken: vec![], added: vec![one(1)] });
        assert_eq!(change(&both, &both), Change { taken: vec![], added: vec![] });
    }

    #[test]
    fn copies_come_and_go_one_by_one() {
        let copies = |count| state(0, vec![store("X", 1, count)]);
        let more = super::change(&copies(Some(3)), Some(&copies(Some(1))), 0);
        assert_eq!(more, Change { taken: vec![], added: vec![one(1), one(1)] });
        let fewer = super::change(&copies(Some(1)), Some(&copies(Some(2))), 0);
        assert_eq!(fewer, Change { taken: vec![one(1)], added: vec![] });
    }

    #[test]
    fn a_store_that_changes_nothing_is_told() {
        let (full, flushed) = (state(0, vec![one(1)]), state(1, vec![]));
        let unseen = |old: &[Entry], new: &[Entry]| unseen(&change(new, Some(old), 0), new, Some(old));
        assert_eq!(unseen(&full, &flushed), Vec::<String>::new());
        assert_eq!(unseen(&state(1, vec![one(1)]), &flushed), ["X := 1 changes nothing"]);
        assert_eq!(stored(&change(&full, Some(&flushed), 0)), Some("buffers X := 1".to_owned()));
    }

    #[test]
    fn stores_that_are_under_way_together_have_tracks_of_their_own() {
        let states = [vec![one(1)], vec![one(1), one(2)], vec![one(2)], vec![one(2), one(3)], vec![one(3)]];
        let step = |entries| {
            let state = state(0, entries);
            Step { label: Call::new("go", vec![0]).into(), process: Some(0), state }
        };
        let steps = states.into_iter().map(step).collect();
        let trace = Trace { initial: 0, actors: vec![], start: state(0, vec![]), steps, back: None };
        let told: Vec<(usize, Option<usize>, usize)> =
            journeys(&trace, 1).iter().map(|journey| (journey.from, journey.to, journey.track)).collect();
        assert_eq!(told, [(1, Some(3), 0), (2, Some(5), 1), (4, None, 0)]);
    }
}
