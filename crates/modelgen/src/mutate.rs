//! Random damage to a text, for robustness tests of parsers: deletes, doubles, moves and changes tokens and
//! characters.

use crate::layout::tokens;
use crate::rng::Rng;

/// Texts to insert: keywords, partial tokens, and characters that often cause bugs.
const SPLICES: [&str; 73] = [
    "type",
    "init",
    "transition",
    "invariant",
    "requires",
    "array",
    "var",
    "const",
    "unsafe",
    "case",
    "forall_other",
    "exists_other",
    "forall",
    "exists",
    "predicate",
    "if",
    "then",
    "else",
    "not",
    "true",
    "false",
    "number_procs",
    "let",
    "in",
    "weak",
    "fence",
    "acquire",
    "release",
    "wait",
    "notify",
    "notify_all",
    "count",
    "SYS_PROCS",
    "ltl",
    "assume",
    "final",
    "proc",
    "bool",
    "lock",
    "semaphore",
    "(*",
    "*)",
    "//",
    "\"",
    "'",
    "#",
    "#0",
    "#999999999999999999999",
    "99999999999999999999999999",
    "1.",
    "1..",
    "..",
    "-",
    "@",
    ":=",
    "<=>",
    "=>",
    "&&",
    "&",
    "||",
    "|",
    "_",
    "?",
    "/ 0",
    "\u{0}",
    "\u{feff}",
    "\u{e9}",
    "\u{3bb}",
    "\u{202e}",
    "\u{1F512}",
    "e\u{301}",
    "\r",
    "\u{2028}",
];

/// A damaged copy of a text, with one to four mutations that depend only on the seed. The result may be any string.
pub fn mutate(source: &str, seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut text = source.to_string();
    for _ in 0..rng.between(1, 4) {
        text = mutate_once(&text, &mut rng);
    }
    text
}

fn mutate_once(text: &str, rng: &mut Rng) -> String {
    match rng.below(12) {
        0..=4 => mutate_tokens(text, rng),
        5 | 6 => mutate_characters(text, rng),
        7 => text[..position(text, rng)].to_string(),
        8 => text[position(text, rng)..].to_string(),
        9 => {
            let word = rng.one_of(&SPLICES);
            insert(text, rng, &format!(" {word} "))
        }
        10 => nest(text, rng),
        _ => move_lines(text, rng),
    }
}

/// The position of a random character, or the end.
fn position(text: &str, rng: &mut Rng) -> usize {
    let mut index = rng.below(text.len() + 1);
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}

fn insert(text: &str, rng: &mut Rng, what: &str) -> String {
    let (before, after) = text.split_at(position(text, rng));
    format!("{before}{what}{after}")
}

/// Deletes, doubles, swaps or replaces a token, blanks included.
fn mutate_tokens(text: &str, rng: &mut Rng) -> String {
    let mut all: Vec<(&str, &str)> = tokens(text);
    if all.is_empty() {
        return insert(text, rng, "{");
    }
    let here = rng.below(all.len());
    let there = rng.below(all.len());
    match rng.below(5) {
        0 => drop(all.remove(here)),
        1 => all.insert(here, all[there]),
        2 => all.swap(here, there),
        3 => all[here].1 = rng.one_of(&SPLICES),
        _ => drop(all.drain(here..all.len().min(here + 1 + rng.below(8)))),
    }
    all.into_iter().flat_map(|(gap, token)| [gap, token]).collect()
}

/// Deletes, doubles, replaces or flips the case of a character.
fn mutate_characters(text: &str, rng: &mut Rng) -> String {
    let mut all: Vec<char> = text.chars().collect();
    if all.is_empty() {
        return "\u{1F512}".to_string();
    }
    let here = rng.below(all.len());
    match rng.below(4) {
        0 => drop(all.remove(here)),
        1 => all.insert(here, all[here]),
        2 => all[here] = char::from(u8::try_from(rng.below(128)).expect("below 128")),
        _ => all[here] = flip_case(all[here]),
    }
    all.into_iter().collect()
}

fn flip_case(c: char) -> char {
    if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
}

/// Inserts deep nesting, closed or not, which may overflow the stack of a recursive parser.
fn nest(text: &str, rng: &mut Rng) -> String {
    let pairs =
        [("(", ")"), ("not ", ""), ("(* ", " *)"), ("A[", "]"), ("if true then ", " else true"), ("{", "}")];
    let more =
        [("forall i. ", ""), ("true => ", ""), ("- ", ""), ("[", "]"), ("X = case | ", " : 1"), ("1 + ", "")];
    let (open, close) = if rng.chance(1, 2) { rng.one_of(&pairs) } else { rng.one_of(&more) };
    let depth = rng.one_of(&[3, 50, 1_000, 20_000]);
    let close = if rng.chance(2, 3) { close.repeat(depth) } else { String::new() };
    insert(text, rng, &format!(" {}true{close} ", open.repeat(depth)))
}

/// Doubles or moves a line, which repeats or misplaces declarations.
fn move_lines(text: &str, rng: &mut Rng) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    if lines.is_empty() {
        return "\n".to_string();
    }
    let here = rng.below(lines.len());
    let line = if rng.chance(1, 2) { lines[here] } else { lines.remove(here) };
    lines.insert(rng.below(lines.len() + 1), line);
    lines.join("\n")
}
