//! Graphs as SVG.

use crate::{
    banded::banded,
    colours::Colours,
    graph::{Bundle, EdgeClass, Graph, Node, NodeClass},
    layered::{EdgeSize, LOOP, Layout, NodeSize, Route, Sizes, layered},
    svg::{Drawing, LETTER, LINE, count, width},
};

const PAD: f64 = 8.0;
const MARGIN: f64 = 20.0;
/// The height of the title above the graph.
const HEAD: f64 = MARGIN + 2.0 * LINE;
/// A drawing in layers that is wider than this cannot be read.
const WIDEST: f64 = 3000.0;

/// The graph as SVG.
pub fn graph_svg(graph: &Graph) -> String {
    let bundles = graph.bundles();
    let sizes = sizes(graph, &bundles);
    let layout = layered(&sizes);
    let mut drawing = Drawing::default();
    drawing.text("strong", (MARGIN, MARGIN + LETTER), &graph.title);
    if layout.size.0 > WIDEST {
        return crowded(graph, &bundles, &banded(&sizes), drawing);
    }
    for (bundle, route) in bundles.iter().zip(&layout.routes) {
        edge(&mut drawing, bundle, route, &layout, graph);
    }
    finished(graph, &layout, drawing, 0.0)
}

/// A graph whose edges have colours instead of labels, which would need more room than anything else.
fn crowded(graph: &Graph, bundles: &[Bundle], layout: &Layout, mut drawing: Drawing) -> String {
    let colours = Colours::of(bundles);
    drawing.style(&colours.style());
    let legend = colours.legend(&mut drawing, (MARGIN, MARGIN + LETTER + LINE));
    for (bundle, route) in bundles.iter().zip(&layout.routes) {
        drawing.open(&bundle.labels.join(", "));
        let class = colours.class(bundle);
        if bundle.from == bundle.to {
            let path = round_trip(moved(layout.nodes[bundle.from]), node_size(&graph.nodes[bundle.from]));
            drawing.path(&class, &path, None);
        }
        for stroke in &route.strokes {
            drawing.path(&class, &curve(stroke), Some("tip"));
        }
        drawing.close();
    }
    finished(graph, layout, drawing, legend)
}

/// Draws the nodes over the edges. `width` is the least width of the drawing.
fn finished(graph: &Graph, layout: &Layout, mut drawing: Drawing, least: f64) -> String {
    for (one, centre) in graph.nodes.iter().zip(&layout.nodes) {
        node(&mut drawing, one, moved(*centre));
    }
    let (graph_width, height) = layout.size;
    let wide = graph_width.max(width(&graph.title)).max(least);
    let size = (wide + 2.0 * MARGIN, height + HEAD + MARGIN);
    drawing.finish(&graph.title, size)
}

fn moved((x, y): (f64, f64)) -> (f64, f64) {
    (x + MARGIN, y + HEAD)
}

fn sizes(graph: &Graph, bundles: &[Bundle]) -> Sizes {
    let node = |node: &Node| NodeSize { size: node_size(node), first: node.class == NodeClass::Start };
    let edge = |bundle: &Bundle| {
        let label = text_size(&bundle.lines());
        EdgeSize { from: bundle.from, to: bundle.to, label: (label.0 + 4.0, label.1) }
    };
    Sizes { nodes: graph.nodes.iter().map(node).collect(), edges: bundles.iter().map(edge).collect() }
}

fn text_size(lines: &[String]) -> (f64, f64) {
    (lines.iter().map(|line| width(line)).fold(0.0, f64::max), count(lines.len()) * LINE)
}

fn node_size(node: &Node) -> (f64, f64) {
    let (width, height) = text_size(&node.lines);
    ((width + 2.0 * PAD).max(28.0), (height + PAD).max(22.0))
}

fn node(drawing: &mut Drawing, node: &Node, (x, y): (f64, f64)) {
    let size = node_size(node);
    let (left, top) = (x - size.0 / 2.0, y - size.1 / 2.0);
    let class = match node.class {
        NodeClass::Plain => "plain",
        NodeClass::Start => "start",
        NodeClass::Stuck => "stuck",
        NodeClass::Bad => "bad",
        NodeClass::Candidate => "event",
        NodeClass::Faded => "faded",
    };
    drawing.open(&node.tooltip);
    drawing.rect(class, (left, top), size);
    for (at, line) in node.lines.iter().enumerate() {
        drawing.text("", (left + PAD, top + LETTER + 3.0 + count(at) * LINE), line);
    }
    drawing.close();
}

fn edge(drawing: &mut Drawing, bundle: &Bundle, route: &Route, layout: &Layout, graph: &Graph) {
    let (class, tip) = match bundle.class {
        EdgeClass::Plain => ("edge", "tip"),
        EdgeClass::Bad => ("badedge", "badtip"),
        EdgeClass::Dashed => ("dashededge", "tip"),
    };
    drawing.open(&bundle.labels.join(", "));
    if bundle.from == bundle.to {
        let path = round_trip(moved(layout.nodes[bundle.from]), node_size(&graph.nodes[bundle.from]));
        drawing.path(class, &path, Some(tip));
    }
    for (at, stroke) in route.strokes.iter().enumerate() {
        let last = at + 1 == route.strokes.len();
        drawing.path(class, &curve(stroke), last.then_some(tip));
    }
    let lines = bundle.lines();
    let (x, y) = moved(route.label.unwrap_or_default());
    for (at, line) in lines.iter().enumerate() {
        let baseline = y - count(lines.len()) * LINE / 2.0 + LETTER + count(at) * LINE;
        drawing.text("dim middle", (x, baseline), line);
    }
    drawing.close();
}

/// A line through points that passes each of them vertically.
fn curve(points: &[(f64, f64)]) -> String {
    let points: Vec<(f64, f64)> = points.iter().map(|point| moved(*point)).collect();
    let mut path = points.first().map_or(String::new(), |(x, y)| format!("M{x:.1},{y:.1}"));
    for pair in points.windows(2) {
        let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
        let middle = f64::midpoint(y1, y2);
        path.push_str(&format!("C{x1:.1},{middle:.1} {x2:.1},{middle:.1} {x2:.1},{y2:.1}"));
    }
    path
}

/// A loop at the right side of a node.
fn round_trip((x, y): (f64, f64), size: (f64, f64)) -> String {
    let near = x + size.0 / 2.0;
    let far = near + LOOP - 4.0;
    format!(
        "M{near:.1},{:.1}C{far:.1},{:.1} {far:.1},{:.1} {near:.1},{:.1}",
        y - 5.0,
        y - 12.0,
        y + 12.0,
        y + 5.0
    )
}
