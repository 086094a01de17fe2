//! Proposals for misspelt names.

/// The candidate nearest to `name`, if it is near enough to be a typing error.
///
/// Distance is that of Damerau and Levenshtein in its restricted form (insert, delete, replace, swap neighbours), and
/// at most a third of the name's length, since any two names of one letter are near. Ties go to the alphabetically
/// first candidate.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = name.chars().collect();
    let allowed = letters.len() / 3;
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.into_iter().filter(|candidate| *candidate != name && !candidate.is_empty()) {
        // A difference only in case is nearest of all.
        let far = if candidate.eq_ignore_ascii_case(name) { 0 } else { distance(&letters, candidate) };
        if far <= allowed && best.is_none_or(|known| (far, candidate) < known) {
            best = Some((far, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Computed row by row; a swap also needs the row before the last.
fn distance(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    if a.len().abs_diff(b.len()) > a.len() / 3 {
        return usize::MAX;
    }
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let differs = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + differs);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_names_are_not() {
        assert_eq!(nearest("stat", ["loc", "state"]), Some("state"));
        assert_eq!(nearest("Wnat", ["Want", "Turn"]), Some("Want"));
        assert_eq!(nearest("pc", ["PC"]), Some("PC"));
        assert_eq!(nearest("x", ["i", "X"]), Some("X"));
        assert_eq!(nearest("j", ["i"]), None);
        assert_eq!(nearest("Cache", ["Memory", "Owner"]), None);
    }

    #[test]
    fn distance_counts_edits() {
        let distance = |a: &str, b| distance(&a.chars().collect::<Vec<_>>(), b);
        assert_eq!(distance("sitting", "kitten"), 3);
        assert_eq!(distance("abcd", "abdc"), 1);
        assert_eq!(distance("abc", "abc"), 0);
        assert_eq!(distance("ab", "abcdef"), usize::MAX);
    }
}
