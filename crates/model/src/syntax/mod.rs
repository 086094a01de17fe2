//! From text to a lossless syntax tree: every byte of the input is in the tree, errors or not.
//!
//! The parser never fails. It returns a tree and the errors met on the way, so that all errors of
//! a file are reported in one run and the formatter and other tools see comments and layout.

pub mod ast;
mod expressions;
mod items;
mod kind;
mod lexer;
mod parser;
mod slips;
mod statements;

pub use ast::AstNode;
pub use kind::SyntaxKind;
pub(crate) use lexer::{Token, tokenize};
pub use parser::MAX_NESTING;
pub(crate) use slips::LEFTOVERS;

use source::Diagnostic;

/// The language marker that ties `rowan`'s untyped tree to our kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cub {}

impl rowan::Language for Cub {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        SyntaxKind::from_raw(raw.0)
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        rowan::SyntaxKind(kind as u16)
    }
}

/// A node of the syntax tree.
pub type SyntaxNode = rowan::SyntaxNode<Cub>;
/// A token of the syntax tree.
pub type SyntaxToken = rowan::SyntaxToken<Cub>;
/// A node or a token.
pub type SyntaxElement = rowan::SyntaxElement<Cub>;

/// A parsed text: the tree, and its errors.
#[derive(Debug, Clone)]
pub struct Parse {
    /// The root; its text is the input, byte for byte.
    pub tree: SyntaxNode,
    /// Lexical and syntax errors in the order in which they were met.
    pub errors: Vec<Diagnostic>,
}

impl Parse {
    /// The root as a typed node. Only for [`parse_file`].
    pub fn file(&self) -> ast::File {
        ast::File::cast(self.tree.clone()).expect("parse_file makes a file node")
    }
}

/// Parses a whole model.
pub fn parse_file(text: &str) -> Parse {
    parser::parse(text, items::file)
}

/// Parses a temporal formula by itself. The root holds its body.
pub fn parse_temporal(text: &str) -> Parse {
    parser::parse(text, items::lone_temporal)
}

/// Parses a single formula or term, as on the command line. The root holds
/// the expression and, if there is text after it, an error node.
pub fn parse_expression(text: &str) -> Parse {
    parser::parse(text, expressions::lone_expression)
}
