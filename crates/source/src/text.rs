//! A source text and the lines in it.

use crate::{Span, TextSize};
use serde::Serialize;

/// The text of one file, with the offsets of its lines.
#[derive(Debug, Clone)]
pub struct Source {
    name: String,
    text: String,
    /// Offset of the first byte of each line; the first entry is 0, so that it is never empty.
    line_starts: Vec<TextSize>,
}

/// A position for users: both numbers start at 1, columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Source {
    /// A source from text that is already in memory; `name` is its name in messages.
    ///
    /// # Panics If the text is longer than 4 GiB; [`Source::read`] rejects much smaller files.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let text = text.into();
        assert!(u32::try_from(text.len()).is_ok(), "source texts are at most 4 GiB long");
        let after_newlines = text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(at, _)| at + 1);
        let line_starts = std::iter::once(0).chain(after_newlines).map(offset).collect();
        Source { name: name.into(), text, line_starts }
    }

    /// The name of this source in messages: its path as the user wrote it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line and column of an offset.
    pub fn position(&self, at: TextSize) -> Position {
        let line = self.line_index(at);
        let start = usize::from(self.line_starts[line]);
        let until = usize::from(at).min(self.text.len());
        let column = self.text.get(start..until).map_or(0, |before| before.chars().count());
        Position { line: line + 1, column: column + 1 }
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(std::ops::Range::<usize>::from(span)).unwrap_or("")
    }

    /// The span of the lines that `span` touches, without the last line break, and the number of the first.
    pub(crate) fn lines_around(&self, span: Span) -> (Span, usize) {
        let first = self.line_index(span.start());
        let last = self.line_index(span.end());
        let start = self.line_starts[first];
        let end = self.line_starts.get(last + 1).map_or(offset(self.text.len()), |next| *next - offset(1));
        (Span::new(start, end.max(start)), first + 1)
    }

    fn line_index(&self, at: TextSize) -> usize {
        self.line_starts.partition_point(|start| *start <= at) - 1
    }
}

fn offset(at: usize) -> TextSize {
    TextSize::try_from(at).unwrap_or(TextSize::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let source = Source::new("x", "ab\n≠c\n");
        let position = |at: u32| source.position(TextSize::from(at));
        assert_eq!(position(0), Position { line: 1, column: 1 });
        assert_eq!(position(2), Position { line: 1, column: 3 });
        assert_eq!(position(3), Position { line: 2, column: 1 });
        assert_eq!(position(6), Position { line: 2, column: 2 });
        assert_eq!(position(8), Position { line: 3, column: 1 });
    }

    #[test]
    fn lines_around_a_span_leave_out_the_last_break() {
        let source = Source::new("x", "one\ntwo\nthree");
        let (lines, first) = source.lines_around(Span::new(5.into(), 9.into()));
        assert_eq!((source.slice(lines), first), ("two\nthree", 2));
        let (lines, first) = source.lines_around(Span::empty(13.into()));
        assert_eq!((source.slice(lines), first), ("three", 3));
    }
}
