//! Names of SMT-LIB 2.

use ir::Number;

/// A name of the model as a symbol of SMT-LIB: as it is if possible, otherwise between bars.
pub(super) fn symbol(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let starts_well = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
    if starts_well && name.chars().all(simple) && !RESERVED.contains(&name) {
        return name.to_owned();
    }
    let inside: String = name.chars().map(|c| if c == '|' || c == '\\' { '_' } else { c }).collect();
    format!("|{inside}|")
}

/// Reserved words that a model may use as names.
const RESERVED: [&str; 12] = [
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "as",
    "let",
    "exists",
    "forall",
    "match",
    "par",
    "assert",
];

/// A constructor of an enumeration. Kinds of processes begin with a small letter, and so do the words of SMT-LIB.
pub(super) fn constructor(name: &str) -> String {
    if name.starts_with(|c: char| c.is_ascii_uppercase()) {
        symbol(name)
    } else {
        symbol(&format!("kind.{name}"))
    }
}

/// An integer.
pub(super) fn integer(value: i64) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

/// A real number.
pub(super) fn real(value: Number) -> String {
    let size = format!("(/ {}.0 {}.0)", value.numerator().unsigned_abs(), value.denominator());
    if value.numerator() < 0 { format!("(- {size})") } else { size }
}

/// An application, or the name alone if there are no arguments.
pub(super) fn apply(name: &str, arguments: &[String]) -> String {
    if arguments.is_empty() { name.to_owned() } else { format!("({name} {})", arguments.join(" ")) }
}

/// `(and …)`, simplified.
pub(super) fn and(parts: Vec<String>) -> String {
    joined("and", "true", "false", parts)
}

/// `(or …)`, simplified.
pub(super) fn or(parts: Vec<String>) -> String {
    joined("or", "false", "true", parts)
}

fn joined(word: &str, neutral: &str, absorbing: &str, mut parts: Vec<String>) -> String {
    parts.retain(|part| part != neutral);
    if parts.iter().any(|part| part == absorbing) {
        return absorbing.to_owned();
    }
    match parts.len() {
        0 => neutral.to_owned(),
        1 => parts.remove(0),
        _ => format!("({word} {})", parts.join(" ")),
    }
}

/// `(=> …)`, simplified.
pub(super) fn implies(premises: Vec<String>, conclusion: &str) -> String {
    match and(premises).as_str() {
        "true" => conclusion.to_owned(),
        premise => format!("(=> {premise} {conclusion})"),
    }
}
