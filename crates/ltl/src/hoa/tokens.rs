//! The words of the Hanoi format.

use super::HoaError;

/// A word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// `States:` without its colon.
    Header(String),
    Name(String),
    /// `@name` without the `@`.
    Alias(String),
    Text(String),
    Number(u64),
    /// One of `! & | ( ) [ ] { }`.
    Symbol(char),
    /// `--BODY--`, `--END--` or `--ABORT--`.
    Mark(&'static str),
}

impl Token {
    /// The word as it is written.
    pub(super) fn show(&self) -> String {
        match self {
            Token::Header(name) => format!("`{name}:`"),
            Token::Name(name) => format!("`{name}`"),
            Token::Alias(name) => format!("`@{name}`"),
            Token::Text(text) => format!("{text:?}"),
            Token::Number(number) => format!("`{number}`"),
            Token::Symbol(symbol) => format!("`{symbol}`"),
            Token::Mark(mark) => format!("`{mark}`"),
        }
    }
}

const MARKS: [&str; 3] = ["--BODY--", "--END--", "--ABORT--"];

/// The words of a text, each with its line.
pub(super) fn tokenize(text: &str) -> Result<Vec<(Token, usize)>, HoaError> {
    let mut found = Vec::new();
    let mut rest = text;
    let line_at = |rest: &str| 1 + text[..text.len() - rest.len()].matches('\n').count();
    // Counting lines from the start for each word would be quadratic.
    let (mut line, mut counted) = (1, text.len());
    while let Some(first) = rest.chars().next() {
        line += text[text.len() - counted..text.len() - rest.len()].matches('\n').count();
        counted = rest.len();
        if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
        } else if rest.starts_with("/*") {
            rest =
                skip_comment(rest).ok_or_else(|| error(line_at(rest), "this comment has no end".into()))?;
        } else {
            let (token, length) = next(rest).map_err(|message| error(line, message))?;
            found.push((token, line));
            rest = &rest[length..];
        }
    }
    Ok(found)
}

pub(super) fn error(line: usize, message: String) -> HoaError {
    HoaError { line, message }
}

/// Comments nest.
fn skip_comment(text: &str) -> Option<&str> {
    let (mut depth, mut at) = (0_usize, 0);
    loop {
        let rest = &text.as_bytes()[at..];
        if rest.is_empty() {
            return None;
        }
        if rest.starts_with(b"/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with(b"*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return Some(&text[at..]);
            }
        } else {
            at += 1;
        }
    }
}

fn next(text: &str) -> Result<(Token, usize), String> {
    if let Some(mark) = MARKS.into_iter().find(|mark| text.starts_with(mark)) {
        return Ok((Token::Mark(mark), mark.len()));
    }
    let first = text.chars().next().unwrap_or_default();
    let word = |start: usize| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        text[start..].find(|c: char| !is_part(c)).map_or(text.len(), |length| start + length)
    };
    match first {
        '!' | '&' | '|' | '(' | ')' | '[' | ']' | '{' | '}' => Ok((Token::Symbol(first), 1)),
        '"' => quoted(text),
        '@' => Ok((Token::Alias(text[1..word(1)].to_owned()), word(1))),
        '0'..='9' => {
            let length = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            let number = text[..length].parse().map_err(|_| format!("{} is too large", &text[..length]))?;
            Ok((Token::Number(number), length))
        }
        _ if first.is_alphabetic() || first == '_' => {
            let length = word(0);
            let name = text[..length].to_owned();
            let is_header = text[length..].starts_with(':');
            let token = if is_header { Token::Header(name) } else { Token::Name(name) };
            Ok((token, length + usize::from(is_header)))
        }
        _ => Err(format!("`{first}` has no meaning here")),
    }
}

/// A text in quotes, in which `\` takes away the meaning of what follows.
fn quoted(text: &str) -> Result<(Token, usize), String> {
    let mut value = String::new();
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Ok((Token::Text(value), at + 1)),
            '\\' => value.extend(letters.next().map(|(_, escaped)| escaped)),
            _ => value.push(letter),
        }
    }
    Err("this text has no end".into())
}
