//! Names of a protocol as names of a programming language.

/// The words of a name: `worker[0]` has `worker` and `0`, `turn-game` has `turn` and `game`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    let mut before_is_lower = false;
    for letter in name.chars() {
        if !letter.is_ascii_alphanumeric() {
            open = false;
            before_is_lower = false;
            continue;
        }
        if !open || before_is_lower && letter.is_ascii_uppercase() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.push(letter.to_ascii_lowercase());
        }
        open = true;
        before_is_lower = letter.is_ascii_lowercase();
    }
    if words.is_empty() {
        words.push("it".to_owned());
    }
    words
}

/// `worker_0`
pub(super) fn snake(name: &str) -> String {
    let name = words(name).join("_");
    let is_number = name.starts_with(|letter: char| letter.is_ascii_digit());
    if is_number || KEYWORDS.contains(&name.as_str()) {
        format!("{name}_").replacen(|c: char| c.is_ascii_digit() && is_number, "n", 1)
    } else {
        name
    }
}

/// `worker_0` as a part of a longer name, where no word is taken.
pub(super) fn part(name: &str) -> String {
    words(name).join("_")
}

/// `WORKER_0`
pub(super) fn upper(name: &str) -> String {
    let name = part(name).to_ascii_uppercase();
    if name.starts_with(|letter: char| letter.is_ascii_digit()) { format!("N{name}") } else { name }
}

/// `Worker0`
pub(super) fn camel(name: &str) -> String {
    let capital = |word: &String| word[..1].to_ascii_uppercase() + &word[1..];
    let name: String = words(name).iter().map(capital).collect();
    let is_taken = name == "Self" || name.starts_with(|letter: char| letter.is_ascii_digit());
    if is_taken { format!("N{name}") } else { name }
}

/// Names for some things, each another one: those that would be equal get numbers.
pub(super) fn distinct(names: &[&str], style: fn(&str) -> String) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for name in names {
        let plain = style(name);
        let mut next = plain.clone();
        let mut number = 2;
        while found.contains(&next) {
            next = format!("{plain}_{number}");
            number += 1;
        }
        found.push(next);
    }
    found
}

/// Words that are taken in one of the languages.
const KEYWORDS: &[&str] = &[
    "abstract",
    "and",
    "as",
    "assert",
    "async",
    "auto",
    "await",
    "become",
    "boolean",
    "box",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "crate",
    "def",
    "default",
    "del",
    "do",
    "double",
    "dyn",
    "elif",
    "else",
    "enum",
    "except",
    "extends",
    "extern",
    "false",
    "final",
    "finally",
    "float",
    "fn",
    "for",
    "from",
    "gen",
    "global",
    "goto",
    "if",
    "impl",
    "implements",
    "import",
    "in",
    "instanceof",
    "int",
    "interface",
    "is",
    "lambda",
    "let",
    "long",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "native",
    "new",
    "none",
    "nonlocal",
    "not",
    "null",
    "or",
    "override",
    "package",
    "pass",
    "priv",
    "private",
    "protected",
    "pub",
    "public",
    "raise",
    "ref",
    "register",
    "return",
    "self",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "trait",
    "transient",
    "true",
    "try",
    "type",
    "typedef",
    "typeof",
    "union",
    "unsafe",
    "unsigned",
    "unsized",
    "use",
    "virtual",
    "void",
    "volatile",
    "where",
    "while",
    "with",
    "yield",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_into_languages() {
        assert_eq!(
            (snake("worker[0]"), camel("worker[0]"), upper("worker[0]")),
            ("worker_0".into(), "Worker0".into(), "WORKER_0".into())
        );
        assert_eq!((snake("CGMessage"), camel("turn-game")), ("cgmessage".into(), "TurnGame".into()));
        assert_eq!(
            (snake("DoneMessage"), snake("match"), camel("")),
            ("done_message".into(), "match_".into(), "It".into())
        );
        assert_eq!((snake("7up").as_str(), camel("7up").as_str()), ("nup_", "N7up"));
        assert_eq!(distinct(&["a-b", "a_b"], snake), ["a_b", "a_b_2"]);
    }
}
