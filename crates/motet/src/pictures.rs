//! Pictures in files: the trace as a diagram, the states or the proof as a graph.

mod states;

pub(crate) use states::{Drawn, StateGraphFlags, draw_states};

use crate::{
    flags::Picture,
    output::{count, write_file},
};
use explore::Trace;
use ir::Model;
use prove::{Entry, Fate, History, Origin};
use render::{Caption, Edge, EdgeClass, Graph, Node, NodeClass};
use std::{ffi::OsStr, path::Path};

/// Larger graphs are not readable as pictures.
const MOST_STATES_SVG: usize = 400;
/// Other tools can handle larger graphs.
const MOST_STATES_DOT: usize = 2000;
/// The longest line in a node, in characters.
const LONGEST_LINE: usize = 44;

/// The title of a picture: the model and the number of processes.
fn titled(source: &str, processes: usize) -> String {
    let source = Path::new(source).file_name().and_then(OsStr::to_str).unwrap_or(source);
    format!("{source} with {processes} {}", if processes == 1 { "process" } else { "processes" })
}

/// Draws a trace into a file.
pub(crate) fn draw_trace(
    file: &Picture,
    trace: &Trace,
    processes: u32,
    source: &str,
    ending: String,
) -> Result<(), String> {
    let processes = processes as usize;
    let caption = Caption { title: titled(source, processes), ending };
    write_file(&file.path, &render::diagram(trace, processes, &caption))
}

/// Entries in lines that are not too long; all but the first are indented.
fn filled(name: &str, entries: &[String]) -> Vec<String> {
    let mut lines = vec![name.to_owned()];
    for (at, entry) in entries.iter().enumerate() {
        let line = lines.last_mut().expect("there is one");
        let gap = if at == 0 { "" } else { " " };
        let comma = if at + 1 < entries.len() { "," } else { "" };
        if at > 0 && line.chars().count() + entry.chars().count() > LONGEST_LINE {
            // Ordinary blanks at the start of a line get lost in pictures.
            lines.push(format!("\u{a0}\u{a0}{entry}{comma}"));
        } else {
            line.push_str(&format!("{gap}{entry}{comma}"));
        }
    }
    lines
}

/// How much of a search is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(crate) enum GraphDetail {
    /// Only the path to a violation; without one, only the bad states
    Path,
    /// The cubes of the invariant
    Invariant,
    /// Also cubes that were left out, and which others subsume them
    #[value(alias = "covered")]
    Subsumed,
    /// Also candidates that were refuted, with what came from them
    All,
}

/// Draws the search of the prover into a file.
pub(crate) fn draw_proof(
    file: &Picture,
    model: &Model,
    history: &History,
    detail: GraphDetail,
    source: &str,
) -> Result<(), String> {
    let graph = proof_graph(model, history, detail, source);
    let most = if file.svg { MOST_STATES_SVG } else { MOST_STATES_DOT };
    if graph.nodes.len() > most {
        let count = graph.nodes.len();
        return Err(format!(
            "there is no graph: {count} cubes are too many, the limit is {most}; try a lower `--graph-detail`"
        ));
    }
    write_file(&file.path, &if file.svg { render::graph_svg(&graph) } else { render::dot(&graph) })
}

fn is_drawn(entry: &Entry, on_path: bool, detail: GraphDetail) -> bool {
    on_path
        || match entry.fate {
            Fate::Kept if detail == GraphDetail::Path => matches!(entry.origin, Origin::Property(_)),
            Fate::Kept => true,
            Fate::Subsumed(_) | Fate::Replaced(_) | Fate::Queued => detail >= GraphDetail::Subsumed,
            Fate::Retracted => detail == GraphDetail::All,
        }
}

/// The cubes as a graph: an arrow is a step, from a cube to one that it leads to.
fn proof_graph(model: &Model, history: &History, detail: GraphDetail, source: &str) -> Graph {
    let drawn: Vec<usize> = (0..history.entries.len())
        .filter(|at| is_drawn(&history.entries[*at], history.path.contains(at), detail))
        .collect();
    let place = |entry: usize| drawn.binary_search(&entry).ok();
    let mut edges = Vec::new();
    for (from, at) in drawn.iter().enumerate() {
        let mut reason = |to: usize, name: &str, label: &str| {
            let (label, name) = (label.to_owned(), name.to_owned());
            edges.extend(place(to).map(|to| Edge { from, to, label, name, class: EdgeClass::Dashed }));
        };
        let entry = &history.entries[*at];
        match &entry.fate {
            Fate::Subsumed(by) => by.iter().for_each(|by| reason(*by, "subsumed", "subsumed by")),
            Fate::Replaced(by) => reason(*by, "candidate", "candidate"),
            Fate::Queued | Fate::Kept | Fate::Retracted => {}
        }
        match &entry.origin {
            Origin::Step { after, rule } => {
                let bad = history.path.contains(at) && history.path.contains(after);
                let class = if bad { EdgeClass::Bad } else { EdgeClass::Plain };
                // A candidate stands for what it replaced.
                let to = place(*after).or_else(|| place(candidate_for(history, *after)));
                edges.extend(to.map(|to| step(from, to, rule, class)));
            }
            Origin::Candidate { of } => {
                if let Some(target) = step_of(history, *of) {
                    let to = place(target.0).or_else(|| place(candidate_for(history, target.0)));
                    edges.extend(to.map(|to| step(from, to, &target.1, EdgeClass::Plain)));
                }
            }
            Origin::Property(_) | Origin::Known => {}
        }
    }
    let source = Path::new(source).file_name().and_then(OsStr::to_str).unwrap_or(source);
    let node = |at: &usize| proof_node(model, history, *at);
    Graph {
        title: format!("{source}: {} of the backward search", count(drawn.len(), "cube")),
        nodes: drawn.iter().map(node).collect(),
        edges,
    }
}

/// The candidate that stands for a cube, or the cube itself.
fn candidate_for(history: &History, entry: usize) -> usize {
    if let Fate::Replaced(by) = history.entries[entry].fate { by } else { entry }
}

/// The cube that a step leads to from this one, and the transition.
fn step_of(history: &History, entry: usize) -> Option<(usize, String)> {
    match &history.entries[entry].origin {
        Origin::Step { after, rule } => Some((*after, rule.clone())),
        _ => None,
    }
}

/// An edge for a rule.
fn step(from: usize, to: usize, rule: &str, class: EdgeClass) -> Edge {
    Edge { from, to, label: rule.to_owned(), name: rule.to_owned(), class }
}

fn proof_node(model: &Model, history: &History, at: usize) -> Node {
    let entry = &history.entries[at];
    let text = entry.cube.display(model).to_string();
    let mut lines = Vec::new();
    if let Origin::Property(property) = entry.origin {
        lines.extend(model.properties.get(property).map(|property| format!("violates `{}`", property.name)));
    }
    let literals: Vec<String> = entry
        .cube
        .formula
        .conjuncts()
        .iter()
        .map(|part| part.display(model, &entry.cube.variables).to_string())
        .collect();
    lines.extend(filled("", &literals));
    let class = match (&entry.origin, &entry.fate) {
        (Origin::Property(_), _) => NodeClass::Bad,
        _ if history.path.first() == Some(&at) => NodeClass::Start,
        _ if history.path.contains(&at) => NodeClass::Stuck,
        (_, Fate::Subsumed(_) | Fate::Replaced(_) | Fate::Retracted | Fate::Queued) => NodeClass::Faded,
        (Origin::Candidate { .. }, _) => NodeClass::Candidate,
        _ => NodeClass::Plain,
    };
    Node { lines, class, tooltip: text }
}
