//! Text to tokens, from the first brace on. Comments are skipped.

use crate::header::{comment_length, unterminated_comment};
use logos::{Lexer, Logos};
use source::{Diagnostic, Span, TextSize};

/// The kind of a token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\u{c}]+")]
pub(crate) enum Kind {
    #[regex("[A-Za-z_][A-Za-z0-9_.']*")]
    Word,
    #[regex("0[xX][0-9a-fA-F]+|[0-9]+")]
    Number,
    #[token("(*", comment)]
    Comment,
    #[token("$")]
    #[token("#")]
    Immediate,
    #[token("-")]
    Minus,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token("|")]
    Bar,
    #[token(",")]
    Comma,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("=")]
    Equals,
    #[token("/\\")]
    And,
    #[token("\\/")]
    Or,
    #[token("~")]
    Not,
    /// Any other sign that instructions of some assembler have: `%rax`, `4(%rax)`, `x+4`, `*p`, `"…"`.
    #[regex("[%+*@&!<>.\"?/\\\\^]")]
    Sign,
    /// After the last token.
    End,
}

/// A token and where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) at: Span,
}

/// An unfinished comment extends to the end, and is no token.
fn comment(lexer: &mut Lexer<'_, Kind>) -> bool {
    let whole = &lexer.source()[lexer.span().start..];
    let length = comment_length(whole);
    lexer.bump(length.unwrap_or(whole.len()) - lexer.slice().len());
    length.is_some()
}

/// The tokens of a text from an offset on, without comments, and what is no token.
pub(crate) fn tokenize(text: &str, from: usize) -> (Vec<Token>, Vec<Diagnostic>) {
    let (mut tokens, mut errors) = (Vec::new(), Vec::new());
    let mut lexer = Kind::lexer(&text[from..]);
    while let Some(found) = lexer.next() {
        let at = span(lexer.span().start + from, lexer.span().end + from);
        match found {
            Ok(Kind::Comment) => {}
            Ok(kind) => tokens.push(Token { kind, at }),
            Err(()) => errors.push(unknown(lexer.slice(), at)),
        }
    }
    (tokens, errors)
}

pub(crate) fn span(start: usize, end: usize) -> Span {
    let offset = |at: usize| TextSize::try_from(at).expect("source texts are at most 4 GiB long");
    Span::new(offset(start), offset(end))
}

fn unknown(text: &str, at: Span) -> Diagnostic {
    if text.starts_with("(*") {
        return unterminated_comment(Span::at(at.start(), TextSize::from(2)));
    }
    Diagnostic::error(
        "unknown-character",
        at,
        format!("`{}` has no meaning in a litmus test", text.escape_debug()),
    )
}
