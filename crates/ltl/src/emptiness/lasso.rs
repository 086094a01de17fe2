//! Short runs through a part of the product that is strongly connected and whose steps together are accepted.

use super::{
    Graph, Label, Run, Stopped,
    product::{Marks, Pair, Product},
};
use rustc_hash::FxHashMap;
use std::collections::{VecDeque, hash_map::Entry};

/// How many states of a component are tried as the beginning of a cycle, and in how large a component.
const TRIES: usize = 32;
const SMALL: usize = 2_000;

/// A way through the product: each pair with the label of the step that leaves it.
type Way = Vec<(Pair, Label)>;
/// A step: the pair that it leaves, what it shows and contributes.
type Taken = (Pair, Label, Marks);

/// A run that goes to the component and around in it. Stem and cycle are found by breadth-first search; from a small component
/// the shortest of several runs is taken.
pub(super) fn shortest<G: Graph>(product: &mut Product<'_, G>, component: &[Pair]) -> Result<Run, Stopped> {
    let numbers: FxHashMap<Pair, usize> =
        component.iter().enumerate().map(|(at, pair)| (*pair, at)).collect();
    let tries = if component.len() <= SMALL { TRIES } else { 1 };
    let mut best: Option<Run> = None;
    for (stem, entry) in stems(product, &numbers, tries)? {
        let cycle = cycle(product, &numbers, entry)?;
        let length = stem.len() + cycle.len();
        if best.as_ref().is_none_or(|best| length < best.states.len()) {
            let back = Some(stem.len());
            let (pairs, labels): (Vec<Pair>, Vec<Label>) = stem.into_iter().chain(cycle).unzip();
            best = Some(Run { states: pairs.into_iter().map(|(state, _)| state).collect(), labels, back });
        }
    }
    Ok(best.expect("a component that was found can be reached"))
}

/// Shortest ways from the start to some pairs of the component, nearest first.
fn stems<G: Graph>(
    product: &mut Product<'_, G>,
    component: &FxHashMap<Pair, usize>,
    most: usize,
) -> Result<Vec<(Way, Pair)>, Stopped> {
    let mut from: FxHashMap<Pair, Option<(Pair, Label)>> = FxHashMap::default();
    let mut queue: VecDeque<Pair> = VecDeque::new();
    for initial in product.initial()? {
        if from.insert(initial, None).is_none() {
            queue.push_back(initial);
        }
    }
    let mut found = Vec::new();
    while let Some(pair) = queue.pop_front() {
        if component.contains_key(&pair) {
            found.push((way_to(&from, pair), pair));
            if found.len() == most {
                break;
            }
        }
        // States that the search has not expanded are not on the way to what it has found.
        let Some(mut cursor) = product.known(pair) else { continue };
        while let Some((to, _)) = product.next(pair.1, &mut cursor) {
            if let Entry::Vacant(free) = from.entry(to) {
                free.insert(Some((pair, product.label_at(&cursor))));
                queue.push_back(to);
            }
        }
    }
    Ok(found)
}

fn way_to(from: &FxHashMap<Pair, Option<(Pair, Label)>>, target: Pair) -> Way {
    let mut way = Vec::new();
    let mut at = target;
    while let Some(Some((before, label))) = from.get(&at) {
        way.push((*before, *label));
        at = *before;
    }
    way.reverse();
    way
}

/// A cycle through a pair of the component with all the marks that the component has: from each mark to the nearest step with a
/// mark that is missing, then back.
fn cycle<G: Graph>(
    product: &mut Product<'_, G>,
    component: &FxHashMap<Pair, usize>,
    entry: Pair,
) -> Result<Way, Stopped> {
    let (mut way, mut marks, mut at) = (Way::new(), Marks::default(), entry);
    loop {
        let complete = product.accepts(&marks);
        if complete && at == entry && !way.is_empty() {
            return Ok(way);
        }
        let wanted = |step: &Marks, to: Pair| {
            if complete {
                return to == entry;
            }
            step.automaton & !marks.automaton != 0
                || step.weak & !marks.weak != 0
                || step.taken & marks.enabled & !marks.taken != 0
        };
        let (part, last) = nearest(product, component, at, wanted)?;
        at = last;
        for (pair, label, step) in part {
            marks.add(step);
            way.push((pair, label));
        }
    }
}

/// The shortest way inside of the component whose last step is wanted.
fn nearest<G: Graph>(
    product: &mut Product<'_, G>,
    component: &FxHashMap<Pair, usize>,
    start: Pair,
    wanted: impl Fn(&Marks, Pair) -> bool,
) -> Result<(Vec<Taken>, Pair), Stopped> {
    let mut from: FxHashMap<Pair, Taken> = FxHashMap::default();
    let mut queue = VecDeque::from([start]);
    while let Some(pair) = queue.pop_front() {
        let mut cursor = product.open(pair)?;
        while let Some((to, marks)) = product.next(pair.1, &mut cursor) {
            if !component.contains_key(&to) {
                continue;
            }
            let step = (pair, product.label_at(&cursor), marks);
            if wanted(&marks, to) {
                let mut way = vec![step];
                let mut at = pair;
                while at != start {
                    let before = from[&at];
                    at = before.0;
                    way.push(before);
                }
                way.reverse();
                return Ok((way, to));
            }
            if to != start && !from.contains_key(&to) {
                from.insert(to, step);
                queue.push_back(to);
            }
        }
    }
    unreachable!("a component is strongly connected and has all marks that are looked for")
}
