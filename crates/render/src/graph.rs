//! Graphs of anything: states with steps between them, or parts of a proof.

/// A directed graph. Nodes are numbered from 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Graph {
    /// What the graph shows, in a line.
    pub title: String,
    /// The nodes. Drawings rank them by their distance from those that nothing leads to, and from the class [`NodeClass::Start`].
    pub nodes: Vec<Node>,
    /// The edges. Several from one node to another are drawn as one.
    pub edges: Vec<Edge>,
}

/// A box of a drawing: a state, or a cube of a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The text in the box, by lines.
    pub lines: Vec<String>,
    /// What it is, which decides how it is drawn.
    pub class: NodeClass,
    /// A description that shows when a pointer rests on it.
    pub tooltip: String,
}

/// What a node is, by which drawings colour it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeClass {
    /// Nothing special.
    Plain,
    /// An initial state, or the root of a proof.
    Start,
    /// A state without enabled actions.
    Stuck,
    /// A state that violates a property.
    Bad,
    /// A candidate invariant.
    Candidate,
    /// It was not explored further.
    Faded,
}

/// An arrow of a drawing: a step, or what a cube rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// The node that it leaves.
    pub from: usize,
    /// The node that it leads to.
    pub to: usize,
    /// What stands beside it: the label of the step.
    pub label: String,
    /// What it is coloured by where there is no room for its label: equal for steps of the same kind.
    pub name: String,
    /// What it is, which decides how it is drawn.
    pub class: EdgeClass,
}

/// What an edge is, by which drawings colour it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeClass {
    /// Nothing special.
    Plain,
    /// It leads to a violation.
    Bad,
    /// It leads to a justification.
    Dashed,
}

/// More labels than this are not written beside one edge.
const MOST_LABELS: usize = 3;

/// All edges from one node to another, as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bundle {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) labels: Vec<String>,
    /// The name that belongs to each label.
    pub(crate) names: Vec<String>,
    pub(crate) class: EdgeClass,
}

impl Bundle {
    /// What stands beside it.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.labels.iter().take(MOST_LABELS).cloned().collect();
        if self.labels.len() > MOST_LABELS {
            lines.push(format!("and {} more", self.labels.len() - MOST_LABELS));
        }
        lines
    }
}

impl Graph {
    /// The edges, with all from one node to another merged, in the order of the first of each.
    pub(crate) fn bundles(&self) -> Vec<Bundle> {
        let mut places = std::collections::HashMap::new();
        let mut bundles: Vec<Bundle> = Vec::new();
        for edge in &self.edges {
            let at = *places.entry((edge.from, edge.to)).or_insert(bundles.len());
            if at == bundles.len() {
                let (from, to, class) = (edge.from, edge.to, edge.class);
                bundles.push(Bundle { from, to, labels: vec![], names: vec![], class });
            }
            if !edge.label.is_empty() {
                bundles[at].labels.push(edge.label.clone());
                bundles[at].names.push(edge.name.clone());
            }
            if edge.class == EdgeClass::Bad {
                bundles[at].class = EdgeClass::Bad;
            }
        }
        bundles
    }
}
