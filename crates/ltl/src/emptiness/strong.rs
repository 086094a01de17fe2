//! Strong fairness: the parts of a component whose cycles take whatever they enable.

use super::{
    Graph, Stopped,
    product::{Marks, Pair, Product},
};
use crate::automaton::components;
use rustc_hash::FxHashMap;

/// A strongly connected part of a component whose steps together are accepted. If something is enabled in a part but never
/// taken, no cycle that is fair visits a state where it is enabled: the rest is searched again.
pub(super) fn accepted_part<G: Graph>(
    product: &mut Product<'_, G>,
    component: &[Pair],
) -> Result<Option<Vec<Pair>>, Stopped> {
    let mut open: Vec<Vec<Pair>> = vec![component.to_vec()];
    while let Some(pairs) = open.pop() {
        product.count()?;
        let edges = inside(product, &pairs)?;
        let successors = |node: usize| edges[node].iter().map(|(to, _)| *to).collect();
        let components = components(pairs.len(), successors);
        let mut marks: Vec<Option<Marks>> = vec![None; components.count];
        for (from, edges) in edges.iter().enumerate() {
            for (_, step) in edges.iter().filter(|(to, _)| components.of[*to] == components.of[from]) {
                marks[components.of[from]].get_or_insert_default().add(*step);
            }
        }
        for (number, marks) in marks.iter().enumerate() {
            let Some(marks) = marks.filter(|marks| product.accepts_but_for_strong(marks)) else { continue };
            let unfair = marks.enabled & !marks.taken;
            let members = (0..pairs.len()).filter(|node| components.of[*node] == number);
            if unfair == 0 {
                return Ok(Some(members.map(|node| pairs[node]).collect()));
            }
            // All steps of a state have the same constraints enabled.
            let harmless =
                |node: &usize| edges[*node].first().is_some_and(|(_, step)| step.enabled & unfair == 0);
            open.push(members.filter(harmless).map(|node| pairs[node]).collect());
        }
    }
    Ok(None)
}

/// For each pair its steps to others of the list, by position.
fn inside<G: Graph>(
    product: &mut Product<'_, G>,
    pairs: &[Pair],
) -> Result<Vec<Vec<(usize, Marks)>>, Stopped> {
    let numbers: FxHashMap<Pair, usize> = pairs.iter().enumerate().map(|(at, pair)| (*pair, at)).collect();
    let mut edges = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let mut cursor = product.open(*pair)?;
        let mut found = Vec::new();
        while let Some((to, marks)) = product.next(pair.1, &mut cursor) {
            found.extend(numbers.get(&to).map(|to| (*to, marks)));
        }
        edges.push(found);
    }
    Ok(edges)
}
