//! Relations between events, as sets of pairs.

/// A relation between the numbers below some bound.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    size: usize,
    pairs: Vec<bool>,
}

impl Relation {
    pub(crate) fn new(size: usize) -> Relation {
        Relation { size, pairs: vec![false; size * size] }
    }

    /// All pairs that satisfy a condition.
    pub(crate) fn of(size: usize, holds: impl Fn(usize, usize) -> bool) -> Relation {
        let mut relation = Relation::new(size);
        for from in 0..size {
            for to in 0..size {
                relation.pairs[from * size + to] = holds(from, to);
            }
        }
        relation
    }

    pub(crate) fn has(&self, from: usize, to: usize) -> bool {
        self.pairs[from * self.size + to]
    }

    pub(crate) fn union(&self, other: &Relation) -> Relation {
        Relation::of(self.size, |from, to| self.has(from, to) || other.has(from, to))
    }

    /// Whether there is no cycle: every event can be removed after all that come before it.
    pub(crate) fn is_acyclic(&self) -> bool {
        let mut left: Vec<usize> = (0..self.size).collect();
        while !left.is_empty() {
            let first = left.iter().position(|to| !left.iter().any(|from| self.has(*from, *to)));
            let Some(first) = first else { return false };
            left.remove(first);
        }
        true
    }
}
