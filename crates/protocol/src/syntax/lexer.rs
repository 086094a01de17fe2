//! Text to tokens. Commas are white space, as in the language that protocols come from.

use super::reader::Datum;
use source::{Diagnostic, Span, TextSize};

/// A token and where it is.
#[derive(Debug, Clone)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

/// The kind of a token.
#[derive(Debug, Clone)]
pub(crate) enum TokenKind {
    Open(&'static str),
    Close(&'static str),
    Datum(Datum),
}

pub(crate) fn tokenize(text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer { text, at: 0, tokens: vec![], errors: vec![] };
    while lexer.at < text.len() {
        lexer.token();
    }
    (lexer.tokens, lexer.errors)
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    tokens: Vec<Token>,
    errors: Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn token(&mut self) {
        let start = self.at;
        let rest = &self.text[start..];
        let letter = rest.chars().next().expect("there is more");
        let bracket = ["(", "[", "#{", "{", ")", "]", "}"].into_iter().find(|it| rest.starts_with(it));
        if let Some(bracket) = bracket {
            self.at += bracket.len();
            let kind = match bracket {
                ")" | "]" | "}" => TokenKind::Close(bracket),
                _ => TokenKind::Open(bracket),
            };
            self.push(start, kind);
        } else if letter.is_whitespace() || letter == ',' || letter == '\u{feff}' {
            self.at += letter.len_utf8();
        } else if letter == ';' {
            self.at += rest.find('\n').unwrap_or(rest.len());
            let comment = self.text[start..self.at].trim_end().to_owned();
            self.push(start, TokenKind::Datum(Datum::Comment(comment)));
        } else if letter == '"' {
            self.string(start);
        } else {
            self.word(start);
        }
    }

    fn push(&mut self, start: usize, kind: TokenKind) {
        self.tokens.push(Token { kind, span: self.span(start) });
    }

    fn span(&self, start: usize) -> Span {
        let offset = |at: usize| TextSize::try_from(at).expect("source texts are at most 4 GiB long");
        Span::new(offset(start), offset(self.at))
    }

    fn string(&mut self, start: usize) {
        let mut value = String::new();
        let mut letters = self.text[start + 1..].char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.at = start + 1 + at + 1;
                    self.push(start, TokenKind::Datum(Datum::Text(value)));
                    return;
                }
                '\\' => match letters.next() {
                    Some((_, 'n')) => value.push('\n'),
                    Some((_, 't')) => value.push('\t'),
                    Some((_, other)) => value.push(other),
                    None => {}
                },
                other => value.push(other),
            }
        }
        self.at = start + 1;
        let error = Diagnostic::error("unclosed-string", self.span(start), "this string is never closed");
        self.errors.push(error);
        self.at = self.text.len();
    }

    fn word(&mut self, start: usize) {
        let ends = |c: char| c.is_whitespace() || "()[]{}\";,".contains(c);
        let rest = &self.text[start..];
        self.at += rest.find(ends).unwrap_or(rest.len()).max(1);
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
        let word = &self.text[start..self.at];
        match datum(word) {
            Ok(datum) => self.push(start, TokenKind::Datum(datum)),
            Err(message) => self.errors.push(Diagnostic::error("unknown-token", self.span(start), message)),
        }
    }
}

fn datum(word: &str) -> Result<Datum, String> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    Ok(match word {
        "true" => Datum::Boolean(true),
        "false" => Datum::Boolean(false),
        "nil" => Datum::Nil,
        _ if digits.starts_with(|c: char| c.is_ascii_digit()) => {
            if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
                return Err(format!("`{word}` is neither a whole number nor a name"));
            }
            Datum::Integer(word.parse().map_err(|_| format!("`{word}` does not fit into 64 bits"))?)
        }
        _ => match word.strip_prefix("::").or_else(|| word.strip_prefix(':')) {
            Some("") => return Err("a keyword needs a name after its colon".into()),
            Some(name) => Datum::Keyword(name.to_owned()),
            None if word.starts_with(['#', '\'', '`', '@', '~', '\\']) => {
                return Err(format!("`{word}` has no meaning in a protocol"));
            }
            None => Datum::Symbol(word.to_owned()),
        },
    })
}
