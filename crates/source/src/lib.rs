//! Source texts with locations, and messages that point into them.
//!
//! Every language of Motet (models, protocols, temporal formulas) reports its errors through
//! this crate, so that they look alike in the terminal and in JSON. It knows files, lines and
//! messages; it knows nothing about any of the languages, about commands or exit codes.

mod diagnostic;
mod near_miss;
mod read;
mod render;
mod text;

pub use diagnostic::{Diagnostic, Diagnostics, Fix, Label, Severity};
pub use near_miss::nearest;
pub use read::{MAX_FILE_BYTES, ReadError};
pub use render::{Style, render};
pub use text::{Position, Source};
pub use text_size::{TextRange as Span, TextSize};
