//! A position in a list of tokens.

use crate::lexer::{Kind, Token, span};
use source::{Diagnostic, Span, TextSize};

/// Reads tokens one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'t> {
    text: &'t str,
    tokens: &'t [Token],
    next: usize,
    /// What [`Cursor::here`] is after the last token.
    end: Span,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str, tokens: &'t [Token]) -> Cursor<'t> {
        Cursor { text, tokens, next: 0, end: span(text.len(), text.len()) }
    }

    /// A cursor over the tokens in a cell of the table; `end` is what ends it.
    pub(crate) fn over(&self, tokens: &'t [Token], end: Span) -> Cursor<'t> {
        Cursor { text: self.text, tokens, next: 0, end }
    }

    pub(crate) fn kind(&self) -> Kind {
        self.kind_after(0)
    }

    /// The kind of the token after some more.
    pub(crate) fn kind_after(&self, further: usize) -> Kind {
        self.tokens.get(self.next + further).map_or(Kind::End, |token| token.kind)
    }

    /// Where the next token is.
    pub(crate) fn here(&self) -> Span {
        self.tokens.get(self.next).map_or(self.end, |token| token.at)
    }

    /// Where the token before is.
    pub(crate) fn before(&self) -> Span {
        self.next.checked_sub(1).map_or(self.end, |last| self.tokens[last].at)
    }

    /// The text of the next token.
    pub(crate) fn text(&self) -> &'t str {
        self.slice(self.here())
    }

    pub(crate) fn slice(&self, at: Span) -> &'t str {
        self.text.get(std::ops::Range::<usize>::from(at)).unwrap_or("")
    }

    pub(crate) fn advance(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len());
    }

    /// Passes the next token if it is of this kind.
    pub(crate) fn eat(&mut self, kind: Kind) -> bool {
        let found = self.kind() == kind && kind != Kind::End;
        if found {
            self.advance();
        }
        found
    }

    /// Passes the next token if it is this word, in any case.
    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.kind() == Kind::Word && self.text().eq_ignore_ascii_case(word);
        if found {
            self.advance();
        }
        found
    }

    /// Passes a token of this kind, or says that it was expected.
    pub(crate) fn expect(&mut self, kind: Kind, what: &str) -> Result<Span, Diagnostic> {
        let at = self.here();
        if self.eat(kind) { Ok(at) } else { Err(self.unexpected(what)) }
    }

    /// An error at the next token.
    pub(crate) fn unexpected(&self, what: &str) -> Diagnostic {
        let found = match self.kind() {
            Kind::End => String::new(),
            _ => format!(", found `{}`", self.text()),
        };
        Diagnostic::error("syntax", self.here(), format!("expected {what}{found}"))
    }

    /// `12`, `-1`, `0x10`, each with an optional `$`. Returns where it is, too.
    pub(crate) fn number(&mut self) -> Result<(i64, Span), Diagnostic> {
        let start = self.here().start();
        self.eat(Kind::Immediate);
        let negative = self.eat(Kind::Minus);
        let digits = self.expect(Kind::Number, "a number")?;
        let at = Span::new(start, digits.end());
        let text = self.slice(digits).to_ascii_lowercase();
        let magnitude = match text.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).ok(),
            None => text.parse::<u64>().ok(),
        };
        let value = magnitude.and_then(|magnitude| signed(negative, magnitude));
        let value = value.ok_or_else(|| {
            Diagnostic::error("number-too-large", at, "this number does not fit into 64 bits")
        })?;
        Ok((value, at))
    }

    /// Whether a number comes next.
    pub(crate) fn at_number(&self) -> bool {
        matches!(self.kind(), Kind::Immediate | Kind::Minus | Kind::Number)
    }

    /// Passes everything up to a token of one of these kinds.
    pub(crate) fn skip_to(&mut self, kinds: &[Kind]) {
        while self.kind() != Kind::End && !kinds.contains(&self.kind()) {
            self.advance();
        }
    }

    /// The tokens from here up to one of these kinds, which is passed as well; and where that one is.
    pub(crate) fn take_until(&mut self, kinds: &[Kind]) -> (&'t [Token], Kind, Span) {
        let start = self.next;
        self.skip_to(kinds);
        let (tokens, kind, at) = (&self.tokens[start..self.next], self.kind(), self.here());
        self.advance();
        (tokens, kind, at)
    }
}

/// Unsigned numbers that fit are accepted as well: 0xffffffffffffffff is -1.
fn signed(negative: bool, magnitude: u64) -> Option<i64> {
    if negative {
        return 0_i64.checked_sub_unsigned(magnitude);
    }
    Some(magnitude.cast_signed())
}

/// The span that covers two.
pub(crate) fn cover(first: Span, last: Span) -> Span {
    let end: TextSize = last.end().max(first.start());
    Span::new(first.start(), end)
}
