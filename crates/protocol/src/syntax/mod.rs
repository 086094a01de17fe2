//! The text of protocols: S-expressions, the typed tree, layout.

pub(crate) mod expressions;
pub(crate) mod fmt;
pub(crate) mod graphs;
pub(crate) mod lexer;
pub(crate) mod parser;
pub(crate) mod reader;
pub(crate) mod specifications;
pub mod tree;
