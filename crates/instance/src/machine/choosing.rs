//! The successors of a nondeterministic step: one for each combination of the values that it leaves open.
//!
//! There may be very many. Enumerating them checks the deadline now and then; finding one by its number, or counting
//! them, skips the others where their number is known without visiting each.

use super::{
    Machine, StepError, Trouble, rename_abstract_values,
    steps::{Choice, World},
    system::Action,
};

/// The deadline is checked once per this many successors of a step; a step with fewer is never interrupted.
const SUCCESSORS_PER_LOOK: usize = 4096;

/// An enumeration of the successors of a step.
struct Walk<'v, const W: usize> {
    /// The number of successors still to be skipped.
    skipped: usize,
    visited: usize,
    /// Called with each successor, first as the step has made it, then with abstract values renamed. Returns false to
    /// stop.
    visit: &'v mut dyn FnMut(&[u64; W], &[u64; W]) -> bool,
}

impl<const W: usize> Machine<'_, '_, W> {
    /// Visits the successors of a step in a fixed order: each as the step has made it, and with abstract values
    /// renamed. If the deadline passes before all are visited, an obstacle is noted.
    pub(super) fn each_successor(&self, step: usize, visit: &mut impl FnMut(&[u64; W], &[u64; W])) {
        let mut visit = |made: &[u64; W], next: &[u64; W]| {
            visit(made, next);
            true
        };
        self.walk(step, Walk { skipped: 0, visited: 0, visit: &mut visit });
    }

    /// The successor with this number, from 0.
    pub(super) fn nth_successor(&self, step: usize, number: usize) -> Option<[u64; W]> {
        let mut found = None;
        let mut visit = |_: &[u64; W], next: &[u64; W]| {
            found = Some(*next);
            false
        };
        self.walk(step, Walk { skipped: number, visited: 0, visit: &mut visit });
        found
    }

    /// Adds an action for each successor of a step.
    pub(super) fn add_actions(&self, step: usize, actions: &mut Vec<Action>) {
        let step_number = u32::try_from(step).expect("few steps");
        let Some((open, _)) = self.opened(step) else { return };
        let Some(count) = self.combinations(&open) else {
            let mut choice = 0_u32;
            return self.each_successor(step, &mut |_, _| {
                actions.push(Action { step: step_number, choice });
                choice = choice.saturating_add(1);
            });
        };
        self.note_cuts(&open);
        for (visited, choice) in (1..=count).zip(0_u32..) {
            actions.push(Action { step: step_number, choice });
            if self.is_late(visited) {
                return;
            }
        }
    }

    fn walk(&self, step: usize, mut walk: Walk<'_, W>) {
        if let Some((open, next)) = self.opened(step) {
            self.choose(&open, next, &mut walk);
        }
    }

    /// The slots that a step leaves open, and the successor apart from these. `None` if the step cannot be taken.
    fn opened(&self, step: usize) -> Option<(Vec<usize>, [u64; W])> {
        let instance = self.instance();
        let world = World { program: &instance.program, slots: &instance.layout.slots };
        let (mut next, mut open) = ([0; W], Vec::new());
        match instance.steps[step].apply(&world, self.state(), &mut next, &mut open) {
            Ok(()) => return Some((open, next)),
            Err(StepError::TooLarge(slot)) if instance.ranged[instance.layout.symbol_of[slot].index()] => {
                self.note_cut();
            }
            Err(error) => self.note(error),
        }
        None
    }

    /// Assigns every combination of values to the open slots. False if the visitor stopped, or the deadline has
    /// passed.
    fn choose(&self, open: &[usize], mut next: [u64; W], walk: &mut Walk<'_, W>) -> bool {
        let instance = self.instance();
        let Some((first, rest)) = open.split_first() else {
            if walk.skipped > 0 {
                walk.skipped -= 1;
                return true;
            }
            let made = next;
            rename_abstract_values(&instance.abstract_slots, &instance.layout.slots, &mut next);
            walk.visited += 1;
            return (walk.visit)(&made, &next) && !self.is_late(walk.visited);
        };
        let Some(codes) = self.codes(*first, &next) else {
            self.note(StepError::Trouble(Trouble::Unset(*first)));
            return true;
        };
        self.note_cuts(&open[..1]);
        for code in codes {
            // Skip all combinations of the other slots at once, if there are not too many.
            if walk.skipped > 0
                && let Some(all) = self.combinations(rest).filter(|all| *all <= walk.skipped)
            {
                walk.skipped -= all;
                continue;
            }
            instance.layout.slots[*first].set(&mut next, code);
            if !self.choose(rest, next, walk) {
                return false;
            }
        }
        true
    }

    /// The number of combinations of values for some slots, if it does not depend on the values themselves.
    fn combinations(&self, open: &[usize]) -> Option<usize> {
        open.iter().try_fold(1_usize, |all, slot| match &self.instance().choices[*slot] {
            Choice::Codes(codes) => Some(all.saturating_mul(codes.len())),
            Choice::Fresh(_) | Choice::Unbounded => None,
        })
    }

    fn codes(&self, slot: usize, next: &[u64; W]) -> Option<Vec<u64>> {
        let instance = self.instance();
        instance.choices[slot].codes(&instance.layout.slots, next)
    }

    /// Notes that the range of an open number leaves out other values.
    fn note_cuts(&self, open: &[usize]) {
        let instance = self.instance();
        if open.iter().any(|slot| instance.ranged[instance.layout.symbol_of[*slot].index()]) {
            self.note_cut();
        }
    }

    /// Whether the deadline has passed, given the number of successors so far.
    fn is_late(&self, visited: usize) -> bool {
        if !visited.is_multiple_of(SUCCESSORS_PER_LOOK) {
            return false;
        }
        let limit = self.instance().deadline.ended();
        limit.into_iter().for_each(|limit| self.note(StepError::Stopped(limit)));
        limit.is_some()
    }
}
