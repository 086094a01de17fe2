//! The `.cub` model language: syntax, types, static rules, and one small typed form.
//!
//! [`load`] is the entry point: it turns text into messages and, if there is no error, an [`ir::Model`] that every
//! engine works on. [`syntax`] is the lossless tree for tools that need the text, [`fmt`] lays it out. This crate
//! gives models no meaning beyond the typed form: it runs nothing, and prints nothing.

pub mod fences;
pub mod fmt;
mod lower;
pub mod syntax;
mod written;

pub use written::{Written, written};

use ir::{LoneExpression, LoneFormula, LoneTemporal};
use source::{Diagnostics, Source};

/// A model that has been checked.
#[derive(Debug)]
pub struct Loaded {
    /// The model, if there is no error.
    pub model: Option<ir::Model>,
    /// All errors and warnings about the text.
    pub diagnostics: Diagnostics,
}

/// Which of several waiting processes is woken, or gets a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Queues {
    /// Any one of them: all choices are explored.
    #[default]
    Any,
    /// The one that has waited longest.
    Fifo,
}

/// Parses and checks a model.
pub fn load(source: &Source) -> Loaded {
    load_with(source, Queues::Any)
}

/// A formula in the language of a model, from outside of its file. The messages are about
/// the text of the formula. The model itself must be without errors.
pub fn formula(source: &Source, queues: Queues, text: &str) -> Result<LoneFormula, Diagnostics> {
    lone(source, queues, None, text, lower::formula)
}

/// Like [`formula`], for an instance whose processes have the names `#1` to `#N`.
pub fn formula_about(
    source: &Source,
    queues: Queues,
    processes: u32,
    text: &str,
) -> Result<LoneFormula, Diagnostics> {
    lone(source, queues, Some(processes), text, lower::formula)
}

/// A temporal property in the language of a model, from outside of its file, for an instance whose processes have the
/// names `#1` to `#N`. The messages are about the text of the formula.
pub fn temporal_about(
    source: &Source,
    queues: Queues,
    processes: u32,
    text: &str,
) -> Result<LoneTemporal, Diagnostics> {
    let parse = syntax::parse_temporal(text);
    lone_of(source, queues, Some(processes), &parse, lower::temporal)
}

/// Like [`formula_about`], for a formula or a term.
pub fn expression_about(
    source: &Source,
    queues: Queues,
    processes: u32,
    text: &str,
) -> Result<LoneExpression, Diagnostics> {
    lone(source, queues, Some(processes), text, lower::expression)
}

fn lone<T>(
    source: &Source,
    queues: Queues,
    processes: Option<u32>,
    text: &str,
    lower: impl FnOnce(lower::Words<'_>, &syntax::Parse, &mut Diagnostics) -> Option<T>,
) -> Result<T, Diagnostics> {
    lone_of(source, queues, processes, &syntax::parse_expression(text), lower)
}

fn lone_of<T>(
    source: &Source,
    queues: Queues,
    processes: Option<u32>,
    parse: &syntax::Parse,
    lower: impl FnOnce(lower::Words<'_>, &syntax::Parse, &mut Diagnostics) -> Option<T>,
) -> Result<T, Diagnostics> {
    let mut diagnostics = Diagnostics::default();
    diagnostics.extend(parse.errors.iter().cloned());
    let file = syntax::parse_file(source.text()).file();
    match lower(lower::Words { file: &file, queues, processes }, parse, &mut diagnostics) {
        Some(lowered) if !diagnostics.has_errors() => Ok(lowered),
        _ => Err(diagnostics),
    }
}

/// Parses and checks a model with a given order of queues.
pub fn load_with(source: &Source, queues: Queues) -> Loaded {
    let parse = syntax::parse_file(source.text());
    let mut diagnostics = Diagnostics::default();
    diagnostics.extend(parse.errors.iter().cloned());
    let model = lower::lower(&parse.file(), queues, &mut diagnostics);
    Loaded { model, diagnostics }
}
