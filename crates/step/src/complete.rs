//! Completion: what a word that has been begun may become.

use crate::command::{TOPICS, topic};

/// The words that can be used where a session is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// The enabled actions, by label.
    pub enabled: Vec<String>,
    /// The transitions, by name.
    pub transitions: Vec<String>,
    /// Variables, values and properties, for formulas.
    pub words: Vec<String>,
}

/// What a line may go on with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completion {
    /// One of some words, each in place of the text from a position of the line on.
    Words(usize, Vec<String>),
    /// The name of a file.
    File,
}

/// What the part of a line before the cursor may become.
pub fn complete(vocabulary: &Vocabulary, before: &str) -> Completion {
    let start = before.len() - before.trim_start().len();
    let Some(end) = before[start..].find(char::is_whitespace) else {
        let commands = TOPICS.iter().map(|topic| topic.name.to_owned());
        return beginning(before, start, commands.chain(vocabulary.enabled.iter().cloned()));
    };
    let name = topic(&before[start..start + end]).map_or("transition", |topic| topic.name);
    match name {
        "save" | "load" => Completion::File,
        "help" => beginning(before, last_word(before), TOPICS.iter().map(|topic| topic.name.to_owned())),
        "goto" | "watch" | "print" | "break" => {
            beginning(before, last_word(before), vocabulary.words.iter().cloned())
        }
        "list" => beginning(before, last_word(before), items(vocabulary)),
        "why" => beginning(before, last_word(before), calls(vocabulary)),
        "transition" => transition(vocabulary, before, start + end),
        _ => Completion::Words(before.len(), vec![]),
    }
}

/// The first transition is one that is possible now; what is possible after it is not known yet.
fn transition(vocabulary: &Vocabulary, before: &str, from: usize) -> Completion {
    let part = before.rfind(';').map_or(from, |at| at + 1);
    let start = part + before[part..].len() - before[part..].trim_start().len();
    if before.contains(';') {
        beginning(before, start, calls(vocabulary))
    } else {
        beginning(before, start, vocabulary.enabled.iter().cloned())
    }
}

fn calls(vocabulary: &Vocabulary) -> impl Iterator<Item = String> {
    vocabulary.transitions.iter().map(|name| format!("{name}("))
}

/// What has a text of its own: transitions, and properties among other words.
fn items(vocabulary: &Vocabulary) -> impl Iterator<Item = String> {
    vocabulary.transitions.iter().chain(&vocabulary.words).cloned()
}

fn beginning(before: &str, start: usize, words: impl Iterator<Item = String>) -> Completion {
    let begun = &before[start..];
    let mut words: Vec<String> = words.filter(|word| word.starts_with(begun)).collect();
    words.dedup();
    Completion::Words(start, words)
}

/// Where the last name begins.
fn last_word(before: &str) -> usize {
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    before
        .rfind(|letter| !in_word(letter))
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8))
}

/// What is written after a command whose name alone stands in the line.
pub fn hint(line: &str) -> Option<&'static str> {
    let name = line.strip_suffix(' ')?;
    topic(name).map(|topic| topic.arguments).filter(|arguments| !arguments.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        let words = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect();
        Vocabulary {
            enabled: words(&["ask(#1)", "ask(#2)", "leave(#1)"]),
            transitions: words(&["ask", "enter", "leave"]),
            words: words(&["Loc", "Taken", "Trying", "Übung"]),
        }
    }

    fn words(before: &str) -> (usize, Vec<String>) {
        match complete(&vocabulary(), before) {
            Completion::Words(start, words) => (start, words),
            Completion::File => panic!("a file"),
        }
    }

    #[test]
    fn commands_and_actions_begin_a_line() {
        assert_eq!(words("back"), (0, vec!["backtrack".into()]));
        assert_eq!(words("  ask"), (2, vec!["ask(#1)".into(), "ask(#2)".into()]));
        assert!(words("").1.len() > TOPICS.len());
    }

    #[test]
    fn arguments_are_completed_as_their_command_needs_them() {
        assert_eq!(words("t le"), (2, vec!["leave(#1)".into()]));
        assert_eq!(words("transition ask(#1); en"), (20, vec!["enter(".into()]));
        assert_eq!(words("ask(#1); en"), (9, vec!["enter(".into()]));
        assert_eq!(words("print Lo"), (6, vec!["Loc".into()]));
        assert_eq!(words("break Ta"), (6, vec!["Taken".into()]));
        assert_eq!(words("list en"), (5, vec!["enter".into()]));
        assert_eq!(words("why e"), (4, vec!["enter(".into()]));
        assert_eq!(words("goto Taken = True && Tr"), (21, vec!["Trying".into()]));
        assert_eq!(words("watch Üb"), (6, vec!["Übung".into()]));
        assert_eq!(words("help exec").1.len(), 5);
        assert_eq!(words("status x").1.len(), 0);
        assert_eq!(complete(&vocabulary(), "save a"), Completion::File);
    }

    #[test]
    fn hints_tell_what_comes_next() {
        assert_eq!(hint("rerun "), Some("A B"));
        assert_eq!(hint("status "), None);
        assert_eq!(hint("rerun"), None);
    }
}
