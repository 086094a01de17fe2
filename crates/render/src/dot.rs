//! Graphs in the language of Graphviz.

use crate::graph::{EdgeClass, Graph, NodeClass};
use std::fmt::Write;

/// The graph as DOT. Nodes and edges carry their class, for style sheets.
pub fn dot(graph: &Graph) -> String {
    let mut text = format!(
        "digraph {{\n  tooltip={};\n  bgcolor=\"transparent\";\n  node [shape=box, style=\"rounded,filled\", \
         fontname=\"monospace\", fontsize=11];\n  edge [fontname=\"monospace\", fontsize=10, arrowsize=0.7];\n",
        quoted(&graph.title)
    );
    for (at, node) in graph.nodes.iter().enumerate() {
        let (class, fill, line) = match node.class {
            NodeClass::Plain => ("plain", "#f6f8fa", "#8c959f"),
            NodeClass::Start => ("start", "#dafbe1", "#1a7f37"),
            NodeClass::Stuck => ("stuck", "#fff1c9", "#9a6700"),
            NodeClass::Bad => ("bad", "#ffebe9", "#cf222e"),
            NodeClass::Candidate => ("candidate", "#ddf4ff", "#0969da"),
            NodeClass::Faded => ("faded", "#ffffff", "#d0d7de"),
        };
        let (label, tooltip) = (lines(&node.lines), quoted(&node.tooltip));
        put(
            &mut text,
            format_args!(
                "n{at} [label={label}, tooltip={tooltip}, class=\"{class}\", fillcolor=\"{fill}\", color=\"{line}\"];"
            ),
        );
    }
    for edge in graph.bundles() {
        let (class, colour, style) = match edge.class {
            EdgeClass::Plain => ("edge", "#8c959f", "solid"),
            EdgeClass::Bad => ("badedge", "#cf222e", "solid"),
            EdgeClass::Dashed => ("dashededge", "#8c959f", "dashed"),
        };
        let label = lines(&edge.lines());
        put(
            &mut text,
            format_args!(
                "n{} -> n{} [label={label}, class=\"{class}\", color=\"{colour}\", style={style}];",
                edge.from, edge.to
            ),
        );
    }
    text + "}\n"
}

fn put(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "  {line}").expect("memory takes everything");
}

/// A string of the language, in which only quotes and backslashes need escaping.
fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

fn escaped(text: &str) -> String {
    let clean = |letter: char| if letter < ' ' { ' ' } else { letter };
    text.chars().map(clean).collect::<String>().replace('\\', "\\\\").replace('"', "\\\"")
}

/// Lines that are aligned at the left.
fn lines(lines: &[String]) -> String {
    let lines: String = lines.iter().map(|line| format!("{}\\l", escaped(line))).collect();
    format!("\"{lines}\"")
}
