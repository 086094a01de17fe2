//! Shortest ways to a state in which the automaton accepts anything.

use super::{
    Graph, Label, Run, Stopped,
    product::{Numbers, Pair, Product},
};

/// A pair that was reached, from which one, and by what.
struct Reached {
    pair: Pair,
    from: u32,
    label: Label,
}

/// Looks for a shortest way.
pub(super) fn search<G: Graph>(product: &mut Product<'_, G>) -> Result<Option<Run>, Stopped> {
    let mut numbers = Numbers::new(product.automaton);
    let mut reached: Vec<Reached> = Vec::new();
    for pair in product.initial()? {
        if numbers.get(pair) == 0 {
            numbers.set(pair, 1);
            product.count()?;
            reached.push(Reached { pair, from: u32::MAX, label: Label::default() });
        }
    }
    let anything: Vec<bool> = (0..product.automaton.states.len())
        .map(|state| product.automaton.accepts_anything(u32::try_from(state).expect("few states")))
        .collect();
    if let Some(at) = reached.iter().position(|start| anything[start.pair.1 as usize]) {
        return Ok(Some(run_to(product, &reached, at, &anything)));
    }
    let mut next = 0;
    while next < reached.len() {
        let pair = reached[next].pair;
        let mut cursor = product.open(pair)?;
        while let Some((to, _)) = product.next(pair.1, &mut cursor) {
            product.transitions += 1;
            if numbers.get(to) == 0 {
                numbers.set(to, 1);
                product.count()?;
                let from = u32::try_from(next).expect("fewer than 2^32 pairs");
                reached.push(Reached { pair: to, from, label: product.label_at(&cursor) });
                if anything[to.1 as usize] {
                    return Ok(Some(run_to(product, &reached, reached.len() - 1, &anything)));
                }
            }
        }
        next += 1;
    }
    Ok(None)
}

/// The run to a pair that was reached.
fn run_to<G: Graph>(product: &Product<'_, G>, reached: &[Reached], last: usize, anything: &[bool]) -> Run {
    let (mut states, mut labels) = (vec![reached[last].pair.0], vec![]);
    let mut at = last;
    while let Some(before) = reached.get(reached[at].from as usize) {
        labels.push(reached[at].label);
        states.push(before.pair.0);
        // The first step back: which step was last may not matter.
        if at == last && decided_by_state(product, before.pair, anything) {
            (states, labels) = (vec![before.pair.0], vec![]);
        }
        at = reached[at].from as usize;
    }
    states.reverse();
    labels.reverse();
    Run { states, labels, back: None }
}

/// Whether every step from a pair can lead to a state that accepts anything.
fn decided_by_state<G: Graph>(product: &Product<'_, G>, (state, from): Pair, anything: &[bool]) -> bool {
    let edges = &product.automaton.states[from as usize];
    product
        .labels_from(state)
        .all(|label| edges.iter().any(|edge| anything[edge.to as usize] && edge.label.contains(label.letter)))
}
