//! Coverage of a run: transitions, and ordered pairs of transitions that directly followed each other.

/// Counts of transitions, and the set of pairs.
#[derive(Clone, Debug)]
pub struct Coverage {
    taken: Vec<u64>,
    /// One bit for each pair.
    pairs: Vec<u64>,
    transitions: usize,
    pair_count: usize,
}

impl Coverage {
    pub(crate) fn new(transitions: usize) -> Coverage {
        let words = (transitions * transitions).div_ceil(64);
        Coverage { taken: vec![0; transitions], pairs: vec![0; words], transitions: 0, pair_count: 0 }
    }

    /// The number of different transitions taken.
    pub fn transitions(&self) -> usize {
        self.transitions
    }

    /// The number of different pairs covered.
    pub fn pairs(&self) -> usize {
        self.pair_count
    }

    /// How often a transition was taken.
    pub fn count(&self, transition: usize) -> u64 {
        self.taken[transition]
    }

    /// Whether the second transition directly followed the first.
    pub fn has_pair(&self, first: usize, second: usize) -> bool {
        let at = first * self.taken.len() + second;
        self.pairs[at / 64] >> (at % 64) & 1 == 1
    }

    /// All covered pairs, in order.
    pub fn all_pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let count = self.taken.len();
        let pairs = (0..count).flat_map(move |first| (0..count).map(move |second| (first, second)));
        pairs.filter(|(first, second)| self.has_pair(*first, *second))
    }

    /// Counts a step. Returns whether its transition is new, and whether the pair is.
    pub(crate) fn add(&mut self, before: Option<usize>, transition: usize) -> (bool, bool) {
        self.taken[transition] += 1;
        let new_transition = self.taken[transition] == 1;
        self.transitions += usize::from(new_transition);
        let new_pair = before.is_some_and(|before| self.add_pair(before, transition));
        (new_transition, new_pair)
    }

    /// Adds a pair. Returns whether it is new.
    pub(crate) fn add_pair(&mut self, first: usize, second: usize) -> bool {
        let new = !self.has_pair(first, second);
        let at = first * self.taken.len() + second;
        self.pairs[at / 64] |= 1 << (at % 64);
        self.pair_count += usize::from(new);
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_ordered_and_counts_once() {
        let mut coverage = Coverage::new(9);
        assert_eq!(coverage.add(None, 8), (true, false));
        assert_eq!(coverage.add(Some(8), 7), (true, true));
        assert_eq!(coverage.add(Some(8), 7), (false, false));
        assert_eq!(coverage.add(Some(7), 8), (false, true));
        assert_eq!(coverage.all_pairs().collect::<Vec<_>>(), [(7, 8), (8, 7)]);
        assert_eq!((coverage.transitions(), coverage.pairs(), coverage.count(7)), (2, 2, 2));
    }
}
