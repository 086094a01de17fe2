//! Dropping acceptance marks that change nothing.

use super::{Arrow, Draft};

impl Draft {
    /// Drops each mark that a run has infinitely often anyway, or whenever it has another mark infinitely often. Marks must be
    /// only where they matter, as [`trim`](Draft::trim) leaves them.
    pub(crate) fn drop_marks(&mut self) {
        let components = self.components();
        // The marks of each transition on which a run can be for ever. Where no run is accepting there are none, so that a mark
        // stays that tells such components from others.
        let mut sets: Vec<u64> = Vec::new();
        for (from, arrows) in self.states.iter().enumerate() {
            let inside = |arrow: &&Arrow| components.of[arrow.to] == components.of[from];
            sets.extend(arrows.iter().filter(inside).map(|arrow| arrow.marks));
        }
        let has = |set: &u64, mark: u32| set >> mark & 1 == 1;
        let mut kept: Vec<u32> = Vec::new();
        for mark in 0..self.marks {
            let everywhere = sets.iter().all(|set| has(set, mark));
            let follows = |other: u32| sets.iter().all(|set| !has(set, other) || has(set, mark));
            // Of two marks that are always together, the second one goes.
            let superfluous = everywhere
                || kept.iter().any(|other| follows(*other))
                || (mark + 1..self.marks).any(|other| {
                    follows(other) && !sets.iter().all(|set| !has(set, mark) || has(set, other))
                });
            if !superfluous {
                kept.push(mark);
            }
        }
        let renumbered =
            |marks: u64| kept.iter().enumerate().fold(0, |new, (at, mark)| new | (marks >> mark & 1) << at);
        self.marks = u32::try_from(kept.len()).expect("marks only become fewer");
        self.states.iter_mut().flatten().for_each(|arrow| arrow.marks = renumbered(arrow.marks));
    }
}
