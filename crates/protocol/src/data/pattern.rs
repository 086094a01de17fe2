//! The small part of Java's regular expressions that published protocols use: letters, `.`, `^` and `$`.

/// Replaces the first match of a pattern. `None` if the pattern has something else in it.
pub(super) fn replace_first(text: &str, pattern: &str, replacement: &str) -> Option<String> {
    let (pattern, at_start) = pattern.strip_prefix('^').map_or((pattern, false), |rest| (rest, true));
    let (pattern, at_end) = pattern.strip_suffix('$').map_or((pattern, false), |rest| (rest, true));
    let atoms: Vec<Option<char>> = pattern
        .chars()
        .map(|letter| match letter {
            '.' => Some(None),
            '\\' | '[' | ']' | '(' | ')' | '{' | '}' | '*' | '+' | '?' | '|' | '^' | '$' => None,
            other => Some(Some(other)),
        })
        .collect::<Option<_>>()?;
    if replacement.contains(['$', '\\']) {
        return None;
    }
    let letters: Vec<char> = text.chars().collect();
    let fits = |start: usize| {
        let found = letters.get(start..start + atoms.len());
        let same = |(atom, letter): (&Option<char>, &char)| atom.is_none_or(|atom| atom == *letter);
        found.is_some_and(|found| atoms.iter().zip(found).all(same))
            && (!at_end || start + atoms.len() == letters.len())
            && (!at_start || start == 0)
    };
    let Some(start) = (0..=letters.len()).find(|start| fits(*start)) else { return Some(text.to_owned()) };
    let before: String = letters[..start].iter().collect();
    let after: String = letters[start + atoms.len()..].iter().collect();
    Some(format!("{before}{replacement}{after}"))
}

#[cfg(test)]
mod tests {
    use super::replace_first;

    #[test]
    fn the_first_match_is_replaced() {
        let replaced = |text, pattern| replace_first(text, pattern, "-").unwrap();
        assert_eq!(replaced("101", ".$"), "10-");
        assert_eq!(replaced("", ".$"), "");
        assert_eq!(replaced("abab", "b"), "a-ab");
        assert_eq!(replaced("abab", "^b"), "abab");
        assert_eq!(replaced("ab", "$"), "ab-");
        assert_eq!(replace_first("a", "[a]", ""), None);
    }
}
