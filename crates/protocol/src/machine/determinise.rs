//! The subset construction: a machine that never has to guess which of two equal actions was meant.

use super::{
    implementation::TooLarge,
    sets::{Numbered, Set, set},
};
use crate::meaning::StateGraph;
use session::{Entry, Table};
use std::collections::BTreeMap;

/// The most states of a machine.
pub(super) const MOST_STATES: usize = 10_000_000;

/// A deterministic machine with the traces of a state graph.
pub(super) fn determinise(graph: &StateGraph) -> Result<Table, TooLarge> {
    let mut sets: Numbered<Set> = Numbered::default();
    sets.number(set([0]));
    let mut rows = Vec::new();
    while rows.len() < sets.list.len() {
        let here = sets.list[rows.len()].clone();
        let mut targets: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for edge in here.iter().flat_map(|state| &graph.steps[*state as usize]) {
            targets.entry(edge.action).or_default().push(edge.to);
        }
        let entry = |(action, to): (u32, Vec<u32>)| Entry { action, stamp: 0, next: sets.number(set(to)) };
        rows.push(targets.into_iter().map(entry).collect());
        if sets.list.len() > MOST_STATES {
            return Err(TooLarge);
        }
    }
    let may_stop = sets.list.iter().map(|set| set.iter().any(|state| graph.done[*state as usize])).collect();
    Ok(Table::new(rows, may_stop))
}

/// The state graph itself as a table, in which an action may have several entries.
pub(super) fn as_it_is(graph: &StateGraph) -> Table {
    let entry = |edge: &crate::meaning::Edge| Entry { action: edge.action, stamp: 0, next: edge.to };
    let rows = graph.steps.iter().map(|row| row.iter().map(entry).collect()).collect();
    Table::new(rows, graph.done.clone())
}
