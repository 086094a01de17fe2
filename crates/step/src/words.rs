//! Numbers and names in sentences.

/// `1 step`, `2 steps`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    let ending = match (number, noun.ends_with('s')) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{number} {noun}{ending}")
}

/// `#1`, `#1 and #2`, `#1, #2 and #3`; processes from 0.
pub(crate) fn people(processes: &[usize]) -> String {
    let names: Vec<String> = processes.iter().map(|process| format!("#{}", process + 1)).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// What a word probably was meant to be: a near miss, or else the only word that begins like it.
pub(crate) fn meant<'w>(word: &str, words: impl Iterator<Item = &'w str> + Clone) -> Option<&'w str> {
    source::nearest(word, words.clone()).or_else(|| {
        let mut longer = words.filter(|known| !word.is_empty() && known.starts_with(word));
        longer.next()
    })
}

/// A question whether that was meant, or nothing.
pub(crate) fn did_you_mean<'w>(word: &str, words: impl Iterator<Item = &'w str> + Clone) -> String {
    meant(word, words).map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_read_well() {
        assert_eq!((count(1, "process"), count(2, "process")), ("1 process".into(), "2 processes".into()));
        assert_eq!(people(&[0, 1, 2]), "#1, #2 and #3");
        assert_eq!(people(&[1]), "#2");
        assert_eq!(did_you_mean("stats", ["status", "save"].into_iter()), "; did you mean `status`?");
        assert_eq!(did_you_mean("sta", ["all", "status"].into_iter()), "; did you mean `status`?");
        assert_eq!(did_you_mean("xyz", ["status"].into_iter()), "");
    }
}
