//! A layout for graphs that are too wide for layers: bands.
//!
//! A band holds the nodes of one distance from the start, in as many rows as it takes to keep to a width that suits the
//! whole. Edges run behind the nodes and carry no text; their labels show when a pointer rests on them.

use crate::{
    layered::{Layout, Route, Sizes, depths},
    svg::count,
};

/// The distance between nodes of a row.
const GAP: f64 = 22.0;
/// The distance between rows, in which edges can be seen.
const ROW_GAP: f64 = 34.0;
/// The distance between bands.
const BAND_GAP: f64 = 64.0;
/// The width of a good drawing divided by its height.
const ASPECT: f64 = 1.5;

pub(crate) fn banded(sizes: &Sizes) -> Layout {
    let limit = suitable_width(sizes);
    let mut nodes = vec![(0.0, 0.0); sizes.nodes.len()];
    let (mut top, mut right) = (0.0_f64, 0.0_f64);
    for (depth, mut band) in bands(sizes).into_iter().enumerate() {
        if depth > 0 {
            sort_below(&mut band, sizes, &nodes);
        }
        for row in rows(&band, sizes, limit) {
            let (width, height) = put(&row, sizes, limit, top, &mut nodes);
            right = right.max(width);
            top += height + ROW_GAP;
        }
        top += BAND_GAP - ROW_GAP;
    }
    let routes = sizes.edges.iter().map(|edge| route(edge.from, edge.to, sizes, &nodes)).collect();
    Layout { nodes, routes, size: (right, (top - BAND_GAP).max(0.0)) }
}

/// A width at which the drawing has the wanted shape.
fn suitable_width(sizes: &Sizes) -> f64 {
    let area: f64 = sizes.nodes.iter().map(|node| (node.size.0 + GAP) * (node.size.1 + ROW_GAP)).sum();
    let widest = sizes.nodes.iter().map(|node| node.size.0).fold(0.0, f64::max);
    (area * ASPECT).sqrt().max(widest)
}

/// The nodes by their distance from the start.
fn bands(sizes: &Sizes) -> Vec<Vec<usize>> {
    let mut bands: Vec<Vec<usize>> = vec![];
    for (node, depth) in depths(sizes).into_iter().enumerate() {
        if bands.len() <= depth {
            bands.resize(depth + 1, vec![]);
        }
        bands[depth].push(node);
    }
    bands
}

/// Orders the nodes of a band by their predecessors, which are placed already.
fn sort_below(band: &mut [usize], sizes: &Sizes, nodes: &[(f64, f64)]) {
    let placed_above = |node: usize| {
        let (sum, number) = sizes
            .edges
            .iter()
            .filter(|edge| edge.to == node && edge.from != node && !band.contains(&edge.from))
            .fold((0.0, 0.0), |(sum, number), edge| (sum + nodes[edge.from].0, number + 1.0));
        if number > 0.0 { sum / number } else { 0.0 }
    };
    let mut keyed: Vec<(f64, usize)> = band.iter().map(|node| (placed_above(*node), *node)).collect();
    keyed.sort_by(|one, other| one.0.total_cmp(&other.0));
    band.iter_mut().zip(keyed).for_each(|(place, (_, node))| *place = node);
}

/// A band in rows of about the same number of nodes. Each row spans the whole order, so that nodes at the left stay there.
fn rows(band: &[usize], sizes: &Sizes, limit: f64) -> Vec<Vec<usize>> {
    let width: f64 = band.iter().map(|node| sizes.nodes[*node].size.0 + GAP).sum();
    let mut number = 1;
    while width / count(number) > limit && number < band.len() {
        number += 1;
    }
    let row = |at: usize| band.iter().skip(at).step_by(number).copied().collect();
    (0..number).map(row).collect()
}

/// Centres a row, and returns its width and height.
fn put(row: &[usize], sizes: &Sizes, limit: f64, top: f64, nodes: &mut [(f64, f64)]) -> (f64, f64) {
    let width: f64 = row.iter().map(|node| sizes.nodes[*node].size.0 + GAP).sum::<f64>() - GAP;
    let height = row.iter().map(|node| sizes.nodes[*node].size.1).fold(0.0, f64::max);
    let mut left = ((limit - width) / 2.0).max(0.0);
    let right = left + width;
    for node in row {
        let size = sizes.nodes[*node].size;
        nodes[*node] = (left + size.0 / 2.0, top + height / 2.0);
        left += size.0 + GAP;
    }
    (right, height)
}

/// A line from one node to another, behind everything between them.
fn route(from: usize, to: usize, sizes: &Sizes, nodes: &[(f64, f64)]) -> Route {
    if from == to {
        return Route::default();
    }
    let side = |node: usize, lower: bool| {
        let (x, y) = nodes[node];
        let half = sizes.nodes[node].size.1 / 2.0;
        (x, if lower { y + half } else { y - half })
    };
    let (begin, end) = (side(from, true), side(to, false));
    let stroke = if begin.1 < end.1 {
        vec![begin, end]
    } else {
        let (begin, end) = (side(from, false), side(to, true));
        // Along a row it goes above.
        if end.1 < begin.1 { vec![begin, end] } else { over(side(from, false), side(to, false)) }
    };
    Route { label: None, strokes: vec![stroke] }
}

/// A bow above two nodes of the same row.
fn over(from: (f64, f64), to: (f64, f64)) -> Vec<(f64, f64)> {
    let height = (from.1.min(to.1) - ROW_GAP / 2.0).max(0.0);
    vec![from, (f64::midpoint(from.0, to.0), height), to]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layered::{EdgeSize, NodeSize};

    /// A graph of one node that leads to many.
    fn star(leaves: usize) -> Sizes {
        let node = |at| NodeSize { size: (200.0, 50.0), first: at == 0 };
        let edge = |to| EdgeSize { from: 0, to, label: (80.0, 14.0) };
        Sizes { nodes: (0..=leaves).map(node).collect(), edges: (1..=leaves).map(edge).collect() }
    }

    #[test]
    fn wide_layers_are_folded() {
        let layout = banded(&star(300));
        assert!(layout.size.0 < 3.0 * layout.size.1, "{:?}", layout.size);
        assert!(layout.size.1 < 3.0 * layout.size.0, "{:?}", layout.size);
    }

    #[test]
    fn nodes_do_not_overlap() {
        let layout = banded(&star(120));
        for (at, one) in layout.nodes.iter().enumerate() {
            for other in &layout.nodes[at + 1..] {
                let apart = (one.0 - other.0).abs() >= 200.0 || (one.1 - other.1).abs() >= 50.0;
                assert!(apart, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(banded(&Sizes { nodes: vec![], edges: vec![] }).size, (0.0, 0.0));
    }
}
