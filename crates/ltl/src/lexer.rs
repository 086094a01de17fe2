//! The lexer for temporal formulas.

use crate::{Binary, Unary};
use source::{Span, TextSize};

/// A token of a temporal formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    True,
    False,
    /// An atom: its text without quotes.
    Atom(String),
    Unary(Unary),
    Binary(Binary),
    Open,
    Close,
    /// Text that is not a token.
    Unknown(String),
}

/// The tokens with their locations; `offset` is the position of the text in its source. Where one of the `atoms` is, it is one
/// token; quotes around it belong to it.
pub(crate) fn tokenize(text: &str, offset: TextSize, atoms: &[Span]) -> Vec<(Token, Span)> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = skip_blank(rest);
        if rest.is_empty() {
            return tokens;
        }
        let start = offset + TextSize::of(text) - TextSize::of(rest);
        let (token, length) = match atoms.iter().find(|atom| atom.start() == start) {
            Some(atom) => given(&rest[..atom.len().into()]),
            None => next(rest),
        };
        tokens.push((token, Span::at(start, TextSize::of(&rest[..length]))));
        rest = &rest[length..];
    }
}

/// An atom whose extent is known.
fn given(text: &str) -> (Token, usize) {
    let inner = ['"', '\''].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote));
    (Token::Atom(inner.unwrap_or(text).to_owned()), text.len())
}

/// Skips blanks and both kinds of comments.
fn skip_blank(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        if text.starts_with("//") {
            text = text.split_once('\n').map_or("", |(_, rest)| rest);
        } else if text.starts_with("(*") {
            text = &text[comment_length(text)..];
        } else {
            return text;
        }
    }
}

fn comment_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while at < bytes.len() {
        match &bytes[at..] {
            [b'(', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b')', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}

/// Operators that are not words, longest first so that `-->` is not read as `-`, `->`.
const OPERATORS: &[(&str, Token)] = &[
    ("-->", Token::Binary(Binary::Implies)),
    ("==>", Token::Binary(Binary::Implies)),
    ("<->", Token::Binary(Binary::Iff)),
    ("<=>", Token::Binary(Binary::Iff)),
    ("->", Token::Binary(Binary::Implies)),
    ("=>", Token::Binary(Binary::Implies)),
    ("&&", Token::Binary(Binary::And)),
    ("||", Token::Binary(Binary::Or)),
    ("&", Token::Binary(Binary::And)),
    ("|", Token::Binary(Binary::Or)),
    ("^", Token::Binary(Binary::Xor)),
    ("!", Token::Unary(Unary::Not)),
    ("(", Token::Open),
    (")", Token::Close),
];

fn next(text: &str) -> (Token, usize) {
    if let Some((symbol, token)) = OPERATORS.iter().find(|(symbol, _)| text.starts_with(symbol)) {
        return (token.clone(), symbol.len());
    }
    let first = text.chars().next().unwrap_or_default();
    if matches!(first, '"' | '\'') {
        return match text[1..].find(first) {
            Some(length) => (Token::Atom(text[1..=length].to_owned()), length + 2),
            None => (Token::Unknown(text.to_owned()), text.len()),
        };
    }
    let length = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    if length == 0 {
        return (Token::Unknown(first.to_string()), first.len_utf8());
    }
    (word(&text[..length]), length)
}

fn word(text: &str) -> Token {
    match text {
        "tt" | "true" | "1" => Token::True,
        "ff" | "false" | "0" => Token::False,
        "NOT" => Token::Unary(Unary::Not),
        "X" => Token::Unary(Unary::Next),
        "F" => Token::Unary(Unary::Finally),
        "G" => Token::Unary(Unary::Globally),
        "AND" => Token::Binary(Binary::And),
        "OR" => Token::Binary(Binary::Or),
        "xor" | "XOR" => Token::Binary(Binary::Xor),
        "IMP" => Token::Binary(Binary::Implies),
        "BIIMP" => Token::Binary(Binary::Iff),
        "U" => Token::Binary(Binary::Until),
        "W" => Token::Binary(Binary::WeakUntil),
        "R" => Token::Binary(Binary::Release),
        "M" => Token::Binary(Binary::StrongRelease),
        name => Token::Atom(name.to_owned()),
    }
}
