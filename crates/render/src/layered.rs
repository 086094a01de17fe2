//! A layered layout of graphs (Sugiyama, Tagawa, Toda: Methods for visual understanding of hierarchical
//! system structures, 1981).
//!
//! The layer of a node is its distance from the start, so an edge leads one layer down, along a layer, or back up. Between two
//! layers of nodes there is one of labels: every edge passes through it at its label, and nothing overlaps.
//! Nodes of a layer are ordered by the mean of their neighbours, as long as that removes crossings; then each is put as near
//! to its neighbours as the order allows, which is a regression with order constraints (pool adjacent violators).

use crate::svg::count;

/// Sizes of what is to be placed.
#[derive(Debug)]
pub(crate) struct Sizes {
    pub(crate) nodes: Vec<NodeSize>,
    pub(crate) edges: Vec<EdgeSize>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct NodeSize {
    pub(crate) size: (f64, f64),
    /// Whether the node belongs to the first layer.
    pub(crate) first: bool,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct EdgeSize {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The size of its label; nothing if it has none.
    pub(crate) label: (f64, f64),
}

/// The coordinates of all nodes and edges.
#[derive(Debug)]
pub(crate) struct Layout {
    /// The centres of the nodes.
    pub(crate) nodes: Vec<(f64, f64)>,
    /// The edges.
    pub(crate) routes: Vec<Route>,
    pub(crate) size: (f64, f64),
}

/// The route of an edge.
#[derive(Debug, Clone, Default)]
pub(crate) struct Route {
    /// The centre of its label, where there is room for one.
    pub(crate) label: Option<(f64, f64)>,
    /// Lines through points, each of which they pass vertically. The last ends at the node.
    pub(crate) strokes: Vec<Vec<(f64, f64)>>,
}

/// The distance between neighbours in a layer.
const GAP: f64 = 18.0;
/// The distance between layers.
const LAYER_GAP: f64 = 20.0;
/// The width of a loop at the side of its node.
pub(crate) const LOOP: f64 = 26.0;
const ROUNDS: usize = 16;

pub(crate) fn layered(sizes: &Sizes) -> Layout {
    let mut plan = Plan::new(sizes);
    plan.order();
    plan.straighten();
    plan.layout(sizes)
}

/// A node, label or bend in a layer.
#[derive(Debug)]
struct Item {
    layer: usize,
    /// Its extent to the left and to the right of its coordinate.
    reach: (f64, f64),
    height: f64,
    /// The edge of a label or bend.
    edge: Option<usize>,
    above: Vec<usize>,
    below: Vec<usize>,
    x: f64,
}

#[derive(Debug)]
struct Plan {
    /// The nodes first.
    items: Vec<Item>,
    layers: Vec<Vec<usize>>,
    /// For each edge the items on its route, both nodes included; empty for loops.
    chains: Vec<Vec<usize>>,
}

impl Plan {
    fn new(sizes: &Sizes) -> Plan {
        let depths = depths(sizes);
        let mut plan = Plan { items: vec![], layers: vec![], chains: vec![] };
        for (node, depth) in sizes.nodes.iter().zip(&depths) {
            plan.add(2 * depth, node.size, None);
        }
        for (at, edge) in sizes.edges.iter().enumerate() {
            let chain = plan.chain(at, edge, &depths);
            plan.chains.push(chain);
        }
        for (at, node) in sizes.nodes.iter().enumerate() {
            let loops = sizes.edges.iter().filter(|edge| edge.from == at && edge.to == at);
            let room = loops.map(|edge| LOOP + edge.label.0).fold(0.0, f64::max);
            plan.items[at].reach = (node.size.0 / 2.0, node.size.0 / 2.0 + room);
        }
        plan
    }

    fn add(&mut self, layer: usize, size: (f64, f64), edge: Option<usize>) -> usize {
        let at = self.items.len();
        let half = size.0 / 2.0;
        let (above, below) = (vec![], vec![]);
        self.items.push(Item { layer, reach: (half, half), height: size.1, edge, above, below, x: 0.0 });
        while self.layers.len() <= layer {
            self.layers.push(vec![]);
        }
        self.layers[layer].push(at);
        at
    }

    /// The route of an edge, with its label in the layer next to its start.
    fn chain(&mut self, at: usize, edge: &EdgeSize, depths: &[usize]) -> Vec<usize> {
        if edge.from == edge.to {
            return vec![];
        }
        let (from, to) = (2 * depths[edge.from], 2 * depths[edge.to]);
        let mut chain = vec![edge.from];
        if to < from {
            for layer in (to + 1..from).rev() {
                let size = if layer + 1 == from { edge.label } else { (0.0, 0.0) };
                chain.push(self.add(layer, size, Some(at)));
            }
        } else {
            chain.push(self.add(from + 1, edge.label, Some(at)));
        }
        chain.push(edge.to);
        for pair in chain.windows(2) {
            let upper_first = self.items[pair[0]].layer < self.items[pair[1]].layer;
            let (upper, lower) = if upper_first { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
            self.items[upper].below.push(lower);
            self.items[lower].above.push(upper);
        }
        chain
    }

    /// Orders the layers, and keeps the order with the fewest crossings.
    fn order(&mut self) {
        let mut best = (self.crossings(), self.layers.clone());
        for round in 0..ROUNDS {
            let down = round % 2 == 0;
            let layers: Vec<usize> =
                if down { (1..self.layers.len()).collect() } else { (0..self.layers.len()).rev().collect() };
            for layer in layers {
                self.sort(layer, down);
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.layers.clone());
            }
        }
        self.layers = best.1;
    }

    fn sort(&mut self, layer: usize, down: bool) {
        let places = self.places();
        let mut keyed: Vec<(f64, usize)> = self.layers[layer]
            .iter()
            .map(|at| {
                let item = &self.items[*at];
                let neighbours = if down { &item.above } else { &item.below };
                let mean = mean(neighbours.iter().map(|other| count(places[*other])));
                (mean.unwrap_or(count(places[*at])), *at)
            })
            .collect();
        keyed.sort_by(|one, other| one.0.total_cmp(&other.0));
        self.layers[layer] = keyed.into_iter().map(|(_, at)| at).collect();
    }

    /// The position of each item in its layer.
    fn places(&self) -> Vec<usize> {
        let mut places = vec![0; self.items.len()];
        for layer in &self.layers {
            layer.iter().enumerate().for_each(|(place, item)| places[*item] = place);
        }
        places
    }

    fn crossings(&self) -> usize {
        let places = self.places();
        let mut crossings = 0;
        for layer in &self.layers {
            // Lines in the order of their upper ends: every inversion of their lower ends is a crossing.
            let mut lower: Vec<usize> = Vec::new();
            for item in layer {
                let mut ends: Vec<usize> = self.items[*item].below.iter().map(|at| places[*at]).collect();
                ends.sort_unstable();
                for end in ends {
                    let place = lower.partition_point(|other| *other <= end);
                    crossings += lower.len() - place;
                    lower.insert(place, end);
                }
            }
        }
        crossings
    }

    /// Gives every item its coordinate, near to its neighbours.
    fn straighten(&mut self) {
        for layer in 0..self.layers.len() {
            let wishes = vec![None; self.layers[layer].len()];
            self.settle(layer, &wishes);
        }
        for round in 0..4 * ROUNDS {
            let down = round % 2 == 0;
            let mut layers: Vec<usize> = (0..self.layers.len()).collect();
            if !down {
                layers.reverse();
            }
            for layer in layers {
                let wish = |at: &usize| self.wish(*at, down, round >= ROUNDS);
                let wishes: Vec<Option<f64>> = self.layers[layer].iter().map(wish).collect();
                self.settle(layer, &wishes);
            }
        }
    }

    /// The best coordinate of an item: first near to its neighbours on one side, later between all of them.
    fn wish(&self, at: usize, down: bool, late: bool) -> Option<f64> {
        let item = &self.items[at];
        let chain = item.edge.map_or(&[][..], |edge| &self.chains[edge]);
        // A long line is best when it does not bend.
        if late && chain.len() > 3 {
            return mean(chain[1..chain.len() - 1].iter().map(|other| self.items[*other].x));
        }
        let (ahead, behind) = if down { (&item.above, &item.below) } else { (&item.below, &item.above) };
        let second: &[usize] = if ahead.is_empty() || late { behind } else { &[] };
        mean(ahead.iter().chain(second).map(|other| self.items[*other].x))
    }

    /// Puts the items of a layer as near as possible to their best coordinates, in their order and without overlap.
    fn settle(&mut self, layer: usize, wanted: &[Option<f64>]) {
        let mut offset = 0.0;
        let mut offsets = Vec::new();
        let mut wishes = Vec::new();
        for (place, at) in self.layers[layer].iter().enumerate() {
            let item = &self.items[*at];
            if place > 0 {
                let left = &self.items[self.layers[layer][place - 1]];
                offset += left.reach.1 + GAP + item.reach.0;
            }
            // Bends are kept straight: a crooked line disturbs more than a node at the side.
            let weight = if item.edge.is_some() { 6.0 } else { 1.0 };
            // An item without neighbours stays.
            wishes.push((wanted[place].unwrap_or(item.x) - offset, weight));
            offsets.push(offset);
        }
        let settled = isotonic(&wishes);
        for ((at, x), offset) in self.layers[layer].iter().zip(settled).zip(offsets) {
            self.items[*at].x = x + offset;
        }
    }

    fn layout(&self, sizes: &Sizes) -> Layout {
        let left = self.items.iter().map(|item| item.x - item.reach.0).fold(f64::INFINITY, f64::min);
        let left = if left.is_finite() { left } else { 0.0 };
        let right = self.items.iter().map(|item| item.x - left + item.reach.1).fold(0.0, f64::max);
        let mut heights = Heights { left, layers: vec![] };
        let mut top = 0.0;
        for layer in &self.layers {
            let height = layer.iter().map(|at| self.items[*at].height).fold(0.0, f64::max);
            heights.layers.push((top, top + height));
            top += height + LAYER_GAP;
        }
        let routes = (0..sizes.edges.len()).map(|edge| self.route(edge, sizes, &heights)).collect();
        let nodes = (0..sizes.nodes.len()).map(|node| heights.centre(&self.items[node])).collect();
        Layout { nodes, routes, size: (right, (top - LAYER_GAP).max(0.0)) }
    }

    fn route(&self, edge: usize, sizes: &Sizes, heights: &Heights) -> Route {
        let (chain, size) = (&self.chains[edge], &sizes.edges[edge]);
        let [first, label, .., last] = chain[..] else {
            let node = heights.centre(&self.items[size.from]);
            let x = node.0 + sizes.nodes[size.from].size.0 / 2.0 + LOOP - 4.0 + size.label.0 / 2.0;
            return Route { label: Some((x, node.1)), strokes: vec![] };
        };
        let goes_down = self.items[first].layer < self.items[label].layer;
        let comes_down = self.items[chain[chain.len() - 2]].layer < self.items[last].layer;
        let (x, y) = heights.centre(&self.items[label]);
        // An edge along a layer turns at its label; any other leaves the label on the other side.
        let edge_of_label = |lower: bool| (x, y + if lower { size.label.1 } else { -size.label.1 } / 2.0);
        let mut rest = vec![edge_of_label(comes_down)];
        // It crosses each layer on its route in a straight line, and so clear of the items there.
        for bend in &chain[2..chain.len() - 1] {
            let (top, bottom) = heights.layers[self.items[*bend].layer];
            let x = self.items[*bend].x - heights.left;
            rest.extend([(x, bottom), (x, top)]);
        }
        rest.push(self.port(last, edge, !comes_down, heights));
        let begin = self.port(first, edge, goes_down, heights);
        Route { label: Some((x, y)), strokes: vec![vec![begin, edge_of_label(!goes_down)], rest] }
    }

    /// Where an edge touches the lower or upper side of a node: lines are spread in the order of where they go.
    fn port(&self, node: usize, edge: usize, lower: bool, heights: &Heights) -> (f64, f64) {
        let item = &self.items[node];
        let mut others = if lower { item.below.clone() } else { item.above.clone() };
        others.sort_by(|one, other| self.items[*one].x.total_cmp(&self.items[*other].x));
        let place = others.iter().position(|other| self.items[*other].edge == Some(edge)).unwrap_or(0);
        let middle = (count(others.len()) - 1.0) / 2.0;
        let step = ((2.0 * item.reach.0 - 16.0) / count(others.len())).clamp(0.0, 16.0);
        let (x, y) = heights.centre(item);
        let side = if lower { item.height } else { -item.height } / 2.0;
        (x + (count(place) - middle) * step, y + side)
    }
}

/// From layers to coordinates.
struct Heights {
    /// The leftmost coordinate, which becomes 0.
    left: f64,
    /// Where each layer begins and ends.
    layers: Vec<(f64, f64)>,
}

impl Heights {
    fn centre(&self, item: &Item) -> (f64, f64) {
        let (top, bottom) = self.layers[item.layer];
        (item.x - self.left, f64::midpoint(top, bottom))
    }
}

/// The layer of each node: its distance from the first layer, along edges.
pub(crate) fn depths(sizes: &Sizes) -> Vec<usize> {
    let mut depths: Vec<Option<usize>> = vec![None; sizes.nodes.len()];
    let mut next: Vec<Vec<usize>> = vec![vec![]; sizes.nodes.len()];
    let mut entered = vec![false; sizes.nodes.len()];
    for edge in sizes.edges.iter().filter(|edge| edge.from != edge.to) {
        next[edge.from].push(edge.to);
        entered[edge.to] = true;
    }
    let first = |at: usize| sizes.nodes[at].first || !entered[at];
    // Nodes that cannot be reached from the first layer start layers of their own.
    let roots = [(0..sizes.nodes.len()).filter(|at| first(*at)).collect()];
    let others = (0..sizes.nodes.len()).map(|at| vec![at]);
    for mut level in roots.into_iter().chain(others) {
        let mut depth = 0;
        while !level.is_empty() {
            level.retain(|at| {
                depths[*at].is_none() && {
                    depths[*at] = Some(depth);
                    true
                }
            });
            level = level.iter().flat_map(|at| next[*at].iter().copied()).collect();
            depth += 1;
        }
    }
    depths.into_iter().map(|depth| depth.unwrap_or(0)).collect()
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, number) = values.fold((0.0, 0.0), |(sum, number), value| (sum + value, number + 1.0));
    (number > 0.0).then(|| sum / number)
}

/// The ascending sequence with the least weighted squared distance from the wanted values.
fn isotonic(wishes: &[(f64, f64)]) -> Vec<f64> {
    // Blocks of equal values: sum of weighted wishes, weight, length.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
    for (wish, weight) in wishes {
        let mut block = (wish * weight, *weight, 1);
        while let Some(last) = blocks.last().copied().filter(|last| last.0 / last.1 > block.0 / block.1) {
            block = (block.0 + last.0, block.1 + last.1, block.2 + last.2);
            blocks.pop();
        }
        blocks.push(block);
    }
    blocks.iter().flat_map(|(sum, weight, length)| std::iter::repeat_n(sum / weight, *length)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(nodes: usize, edges: &[(usize, usize)]) -> Sizes {
        let node = |at| NodeSize { size: (60.0, 30.0), first: at == 0 };
        let edge = |(from, to): &(usize, usize)| EdgeSize { from: *from, to: *to, label: (40.0, 14.0) };
        Sizes { nodes: (0..nodes).map(node).collect(), edges: edges.iter().map(edge).collect() }
    }

    #[test]
    fn regression_keeps_the_order() {
        assert_eq!(isotonic(&[(1.0, 1.0), (5.0, 1.0), (3.0, 1.0), (9.0, 1.0)]), [1.0, 4.0, 4.0, 9.0]);
    }

    #[test]
    fn layers_are_distances_whatever_the_graph() {
        assert_eq!(depths(&sizes(4, &[(0, 1), (1, 2), (2, 0), (0, 2), (3, 2)])), [0, 1, 1, 0]);
        assert_eq!(depths(&sizes(3, &[(1, 2), (2, 1)])), [0, 0, 1]);
    }

    #[test]
    fn nodes_do_not_overlap() {
        let edges: Vec<(usize, usize)> = (1..30).flat_map(|at| [(at / 3, at), (at, at / 7)]).collect();
        let layout = layered(&sizes(30, &edges));
        for (at, one) in layout.nodes.iter().enumerate() {
            for other in &layout.nodes[at + 1..] {
                assert!(
                    (one.0 - other.0).abs() > 60.0 || (one.1 - other.1).abs() > 30.0,
                    "{one:?} {other:?}"
                );
            }
        }
    }

    #[test]
    fn nodes_without_edges_stand_side_by_side() {
        let layout = layered(&sizes(5, &[]));
        assert!(layout.size.0 < 5.0 * (60.0 + GAP), "{:?}", layout.size);
    }

    #[test]
    fn an_order_without_crossings_is_found() {
        let mut plan = Plan::new(&sizes(5, &[(0, 1), (0, 2), (1, 4), (2, 3)]));
        plan.order();
        assert_eq!(plan.crossings(), 0);
    }
}
