//! What a misspelt word was probably meant to be.

/// A near miss, or else the first word that begins like it.
pub(crate) fn suggestion<'w>(word: &str, words: impl Iterator<Item = &'w str> + Clone) -> Option<String> {
    let mut longer = words.clone().filter(|known| !word.is_empty() && known.starts_with(word));
    source::nearest(word, words).or_else(|| longer.next()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::suggestion;

    #[test]
    fn near_misses_and_beginnings_are_recognised() {
        let words = || ["all", "status", "save"].into_iter();
        assert_eq!(suggestion("stats", words()).as_deref(), Some("status"));
        assert_eq!(suggestion("sta", words()).as_deref(), Some("status"));
        assert_eq!(suggestion("xyz", words()), None);
        assert_eq!(suggestion("", words()), None);
    }
}
