//! Traces as tables and space-time diagrams, graphs as drawings and DOT.
//!
//! It knows [`explore::Trace`] and a [`Graph`] of its own, nothing else: no models, no files, no terminals.
//! All output is text; tables carry escape sequences for colours, which the caller strips where there is no terminal.
//! A picture shows what is in the trace and no more: no invented causes, no invented order.

mod banded;
mod buffers;
mod colours;
mod diagram;
mod dot;
mod graph;
mod graph_svg;
mod lanes;
mod layered;
mod sequence;
mod svg;
mod table;
mod waiting;

pub use diagram::{Caption, diagram};
pub use dot::dot;
pub use graph::{Edge, EdgeClass, Graph, Node, NodeClass};
pub use graph_svg::graph_svg;
pub use lanes::{Row, entries, rows};
pub use sequence::{Arrow, Sequence, mermaid, sequence_svg};
pub use table::{steps, table};
