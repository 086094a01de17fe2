//! The source text: items one below the other, or with blanks, line breaks and comments wherever the language allows
//! them.

use crate::features::{Feature, Features};
use crate::rng::Rng;

/// One declaration of a model, written plainly.
pub(crate) struct Item {
    text: String,
    comments: bool,
}

impl Item {
    pub(crate) fn new(text: String) -> Self {
        Self { text, comments: true }
    }

    /// An item to which only blanks may be added: temporal formulas have their own lexical structure.
    pub(crate) fn without_comments(text: String) -> Self {
        Self { text, comments: false }
    }
}

/// Comments that a reader might take for something else.
const COMMENTS: [&str; 8] = [
    "(* a comment *)",
    "(**)",
    "(* (* nested *) still *)",
    "(* unsafe { true } *)",
    "(* \"quote *)",
    "(* // *)",
    "(* two\n   lines *)",
    "(* \u{e9}t\u{e9} \u{2260} \u{1F512} *)",
];

const LINE_COMMENTS: [&str; 4] = ["// to the end\n", "//\n", "// (* not open\n", "// } unsafe {\n"];

pub(crate) fn write(items: &[Item], features: Features, rng: &mut Rng) -> String {
    let mut text = String::new();
    for item in items {
        write_item(item, features, rng, &mut text);
        text.push('\n');
        if item.text.contains('\n') {
            text.push('\n');
        }
    }
    text
}

fn write_item(item: &Item, features: Features, rng: &mut Rng, text: &mut String) {
    let mut previous = "";
    for (gap, token) in tokens(&item.text) {
        if !previous.is_empty() || item.comments {
            text.push_str(&new_gap(gap, (previous, token), features, rng));
        }
        if item.comments {
            comment(gap, features, rng, text);
        }
        text.push_str(token);
        previous = token;
    }
}

/// The blanks before a token: unchanged, or others that keep the two tokens apart.
fn new_gap(gap: &str, (left, right): (&str, &str), features: Features, rng: &mut Rng) -> String {
    if !features.has(Feature::Layout) || left.is_empty() || rng.chance(2, 3) {
        return gap.to_string();
    }
    if rng.chance(1, 2) && may_touch(left, right) {
        return String::new();
    }
    rng.one_of(&[" ", "  ", "\t", "\n", "\r\n", "\n\n  ", " \n\t"]).to_string()
}

/// Adds a comment now and then, where there is already a gap or layout is free.
fn comment(gap: &str, features: Features, rng: &mut Rng, text: &mut String) {
    if gap.is_empty() && !features.has(Feature::Layout) || !rng.chance(1, 30) {
        return;
    }
    let block = features.has(Feature::Comments);
    let line = features.has(Feature::LineComments) && (!block || rng.chance(1, 2));
    if block && !line {
        text.push_str(rng.one_of(&COMMENTS));
        text.push(' ');
    } else if line {
        // The blank is necessary because the token before might end in a slash.
        text.push(' ');
        text.push_str(rng.one_of(&LINE_COMMENTS));
    }
}

/// Whether two tokens stay separate without a blank: a bracket or comma next to anything, a word next to an operator.
fn may_touch(left: &str, right: &str) -> bool {
    let bracket = |token: &str| matches!(token, "(" | ")" | "{" | "}" | "[" | "]" | "," | ";");
    let word = |token: &str| token.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '#');
    let digit = |token: &str| token.starts_with(|c: char| c.is_ascii_digit());
    let dot = |token: &str| token.starts_with('.');
    if dot(left) && digit(right) || digit(left) && dot(right) || left.starts_with(['"', '\'']) {
        return false;
    }
    bracket(left) || bracket(right) || word(left) != word(right)
}

/// The tokens of plainly written text, each with the blanks before it.
pub(crate) fn tokens(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        let start = rest.len() - rest.trim_start().len();
        let (gap, tail) = rest.split_at(start);
        if tail.is_empty() {
            return found;
        }
        let (token, next) = tail.split_at(token_length(tail));
        found.push((gap, token));
        rest = next;
    }
}

const OPERATORS: [&str; 15] =
    ["<=>", "==>", "-->", "<->", ":=", "<>", "<=", ">=", "=>", "->", "&&", "||", "..", "(*", "*)"];

fn token_length(text: &str) -> usize {
    let first = text.chars().next().map_or(0, char::len_utf8);
    let run = |rest: &str, in_run: fn(char) -> bool| rest.find(|c| !in_run(c)).unwrap_or(rest.len());
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match text.as_bytes()[0] {
        b'0'..=b'9' => {
            let whole = run(text, |c| c.is_ascii_digit());
            let fraction = text[whole..].starts_with('.') && !text[whole..].starts_with("..");
            if fraction { whole + 1 + run(&text[whole + 1..], |c| c.is_ascii_digit()) } else { whole }
        }
        b'A'..=b'Z' | b'a'..=b'z' | b'_' => run(text, is_word),
        b'#' => 1 + run(&text[1..], |c| c.is_ascii_digit()),
        quote @ (b'"' | b'\'') => text[1..].find(char::from(quote)).map_or(first, |end| end + 2),
        _ => OPERATORS
            .iter()
            .find(|operator| text.starts_with(**operator))
            .map_or(first, |operator| operator.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_those_of_the_language() {
        let texts = |source| tokens(source).into_iter().map(|(_, token)| token).collect::<Vec<&str>>();
        assert_eq!(texts("type t = [1..8]"), ["type", "t", "=", "[", "1", "..", "8", "]"]);
        assert_eq!(texts("X:=-1.5; i@A[#2]"), ["X", ":=", "-", "1.5", ";", "i", "@", "A", "[", "#2", "]"]);
        assert_eq!(texts("G \"a && b\" ==> 'c'"), ["G", "\"a && b\"", "==>", "'c'"]);
    }
}
