//! The formatter: one layout for all models, comments kept.
//!
//! Only white space changes. The tokens and comments of the result are those of the input, which is
//! checked every time, so that formatting can never change what a model means.

mod doc;
mod rules;

use crate::syntax::{self, SyntaxKind, tokenize};
use source::Diagnostic;

/// The largest length of lines that can be broken.
pub const WIDTH: usize = 100;

/// The text in standard layout. A text with syntax errors is left alone: the errors are returned.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let parse = syntax::parse_file(text);
    if !parse.errors.is_empty() {
        return Err(parse.errors);
    }
    let formatted = doc::print(&rules::file(&parse.file()), WIDTH);
    assert!(significant(text).eq(significant(&formatted)), "formatting changes white space only");
    Ok(formatted)
}

/// Tokens and comments, without the white space around them.
fn significant(text: &str) -> impl Iterator<Item = (SyntaxKind, &str)> {
    let (tokens, _) = tokenize(text);
    let mut at = 0;
    tokens.into_iter().filter_map(move |token| {
        let start = at;
        at += usize::from(token.len);
        (token.kind != SyntaxKind::Whitespace).then(|| (token.kind, text[start..at].trim_end()))
    })
}
