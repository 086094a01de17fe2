//! The `.cub` model language: syntax, types, static rules, and one small typed form.
//!
//! [`load`] is the way in: text to messages and, if there is no error, an [`ir::Model`] that every
//! engine works on. [`syntax`] is the lossless tree for tools that need the text. This crate gives
//! models no meaning beyond the typed form: it neither explores nor proves, and prints nothing.

pub mod exploration;
pub mod fmt;
pub mod instance;
pub mod ir;
mod lower;
pub mod state_graph;
pub mod syntax;

use source::{Diagnostics, Source};

/// A model that has been checked.
#[derive(Debug)]
pub struct Loaded {
    /// The model, if there is no error.
    pub model: Option<ir::Model>,
    /// All messages.
    pub diagnostics: Diagnostics,
}

/// Parses and checks a model.
pub fn load(source: &Source) -> Loaded {
    let parse = syntax::parse_file(source.text());
    let mut diagnostics = Diagnostics::default();
    diagnostics.extend(parse.errors.iter().cloned());
    let model = lower::lower(&parse.file(), &mut diagnostics);
    Loaded { model, diagnostics }
}
