//! Colours, columns, and processes in words.

use anstyle::{AnsiColor, Style};

/// A command was refused.
pub(super) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// A state violates something.
pub(super) const VIOLATION: Style = AnsiColor::Red.on_default().bold();
/// What the last step has changed.
pub(super) const CHANGED: Style = AnsiColor::Cyan.on_default().bold();

pub(super) fn painted(text: &str, style: Style) -> String {
    if text.is_empty() { String::new() } else { format!("{style}{text}{style:#}") }
}

pub(super) fn heading(text: &str) -> String {
    painted(text, Style::new().bold())
}

pub(super) fn faint(text: &str) -> String {
    painted(text, Style::new().dimmed())
}

/// A text that stands out if it has changed, with the old text.
pub(super) fn changed(text: &str, old: Option<&str>) -> String {
    match old.filter(|old| *old != text) {
        Some(old) => format!("{} {}", painted(text, CHANGED), faint(&format!("(was: {old})"))),
        None => text.to_owned(),
    }
}

pub(super) fn padded(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    format!("{text}{}", " ".repeat(missing))
}

pub(super) fn widest(texts: impl IntoIterator<Item = String>) -> usize {
    texts.into_iter().map(|text| text.chars().count()).max().unwrap_or(0)
}

/// `#1`, `#1 and #2`, `#1, #2 and #3`; processes from 0.
pub(super) fn people(processes: &[usize]) -> String {
    let names: Vec<String> = processes.iter().map(|process| format!("#{}", process + 1)).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::people;

    #[test]
    fn processes_are_listed_as_in_a_sentence() {
        assert_eq!(people(&[0, 1, 2]), "#1, #2 and #3");
        assert_eq!(people(&[0, 1]), "#1 and #2");
        assert_eq!(people(&[1]), "#2");
    }
}
