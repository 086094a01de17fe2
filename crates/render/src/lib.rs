//! What people look at: traces as tables and space-time diagrams, graphs as drawings and DOT.
//!
//! It knows [`explore::Trace`] and a [`Graph`] of its own, nothing else: no models, no files, no terminals.
//! Everything comes out as text; tables carry escape sequences, which the caller strips where nobody sees colours.
//! A picture shows what the trace says and no more: it invents no cause and no order.

mod banded;
mod colours;
mod diagram;
mod dot;
mod graph;
mod graph_svg;
mod lanes;
mod layered;
mod svg;
mod table;
mod waiting;

pub use diagram::{Caption, diagram};
pub use dot::dot;
pub use graph::{Edge, EdgeClass, Graph, Node, NodeClass};
pub use graph_svg::graph_svg;
pub use lanes::entries;
pub use table::table;
