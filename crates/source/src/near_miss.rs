//! The name that was probably meant.

/// The candidate nearest to `name`, if one is near enough to be a slip of the keyboard.
///
/// Distance is that of Damerau and Levenshtein in its restricted form (insert, delete, replace,
/// swap neighbours), and at most a third of the name's length. Ties go to the first candidate.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = name.chars().count().div_ceil(3);
    let differs_in_case = |candidate: &str| candidate.eq_ignore_ascii_case(name);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| (if differs_in_case(candidate) { 0 } else { distance(name, candidate) }, candidate))
        .filter(|(far, _)| *far <= allowed)
        .min_by_key(|(far, _)| *far)
        .map(|(_, candidate)| candidate)
}

fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for j in 0..=b.len() {
        rows[0][j] = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let differs = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + differs);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_names_are_not() {
        assert_eq!(nearest("stat", ["loc", "state"]), Some("state"));
        assert_eq!(nearest("Wnat", ["Want", "Turn"]), Some("Want"));
        assert_eq!(nearest("pc", ["PC"]), Some("PC"));
        assert_eq!(nearest("X", ["Y"]), Some("Y"));
        assert_eq!(nearest("Cache", ["Memory", "Owner"]), None);
    }

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("ab", "ba"), 1);
    }
}
