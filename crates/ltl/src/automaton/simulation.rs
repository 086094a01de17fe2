//! Merging states by simulation, forwards and backwards (Etessami, Wilke, Schuller: Fair simulation relations, parity
//! games, and state space reduction for Büchi automata, 2001; for marks on transitions: Babiak, Badie, Duret-Lutz,
//! Křetínský, Strejček: Compositional approach to suspension and other improvements to LTL translation, 2013).
//!
//! A state simulates another if it can answer each of its transitions, letter by letter, with marks that are no fewer, by
//! one to a state that again simulates. No run takes a transition between components more than finitely often, so that it may
//! have any marks: without marks it asks for less, with all of them it answers more. Both are tried in turn.

use super::{Draft, draft::Arrow};
use crate::bdd::{Bdd, Diagrams};

/// Beyond this many states the relation, which is quadratic, is not worth its price.
const MOST_STATES: usize = 400;

/// For each pair of states whether the second simulates the first.
struct Relation {
    pairs: Vec<Vec<bool>>,
}

impl Relation {
    fn alike(&self, left: usize, right: usize) -> bool {
        self.pairs[left][right] && self.pairs[right][left]
    }
}

/// A transition seen from one of its ends.
#[derive(Clone, Copy)]
struct View {
    label: Bdd,
    other_end: usize,
    marks: u64,
}

impl Draft {
    /// Merges states and drops transitions as long as that makes the automaton smaller.
    pub(crate) fn reduce(&mut self, diagrams: &mut Diagrams) {
        loop {
            let before = self.size();
            self.trim();
            self.drop_marks();
            self.join_arrows(diagrams);
            if self.states.len() > MOST_STATES || diagrams.is_full() {
                return;
            }
            for between in [0, self.all_marks()] {
                self.mark_between(between);
                self.merge_forwards(diagrams);
                self.trim();
                self.mark_between(between);
                self.join_arrows(diagrams);
                self.merge_backwards(diagrams);
                self.trim();
                self.join_arrows(diagrams);
            }
            self.drop_marks();
            self.join_arrows(diagrams);
            if self.size() >= before {
                return;
            }
        }
    }

    fn size(&self) -> (usize, usize, u32) {
        (self.states.len(), self.states.iter().map(Vec::len).sum(), self.marks)
    }

    /// Gives all transitions between components the same marks.
    fn mark_between(&mut self, marks: u64) {
        let components = self.components();
        for (from, arrows) in self.states.iter_mut().enumerate() {
            let between = |arrow: &&mut Arrow| components.of[arrow.to] != components.of[from];
            arrows.iter_mut().filter(between).for_each(|arrow| arrow.marks = marks);
        }
    }

    fn merge_forwards(&mut self, diagrams: &mut Diagrams) {
        let views = self.views(false);
        let any = vec![vec![true; self.states.len()]; self.states.len()];
        let relation = fixpoint(any, &views, diagrams);
        self.merge(&relation);
        self.drop_dominated(&relation, diagrams);
    }

    fn merge_backwards(&mut self, diagrams: &mut Diagrams) {
        let views = self.views(true);
        let starts: Vec<bool> = (0..self.states.len()).map(|state| self.initial.contains(&state)).collect();
        let compatible = |left: &bool| starts.iter().map(|right| !left || *right).collect();
        let relation = fixpoint(starts.iter().map(compatible).collect(), &views, diagrams);
        self.merge(&relation);
    }

    /// The transitions of each state, those that leave it or those that enter it.
    fn views(&self, backwards: bool) -> Vec<Vec<View>> {
        let mut views = vec![vec![]; self.states.len()];
        for (from, arrows) in self.states.iter().enumerate() {
            for Arrow { label, marks, to } in arrows.iter().copied() {
                let (state, other_end) = if backwards { (to, from) } else { (from, to) };
                views[state].push(View { label, other_end, marks });
            }
        }
        views
    }

    /// Replaces each state by the first one that it simulates and that simulates it. The state gets the transitions of all that
    /// it stands for.
    fn merge(&mut self, relation: &Relation) {
        let states = self.states.len();
        let class: Vec<usize> = (0..states)
            .map(|state| (0..state).find(|other| relation.alike(state, *other)).unwrap_or(state))
            .collect();
        for state in 0..states {
            let moved = std::mem::take(&mut self.states[state]);
            let arrows = moved.into_iter().map(|arrow| Arrow { to: class[arrow.to], ..arrow });
            self.states[class[state]].extend(arrows.collect::<Vec<_>>());
        }
        self.initial.iter_mut().for_each(|state| *state = class[*state]);
        self.initial.sort_unstable();
        self.initial.dedup();
    }

    /// Drops transitions for which the same state has another one with no fewer letters and marks, to a state that simulates
    /// the target and is not simulated by it; likewise initial states.
    fn drop_dominated(&mut self, relation: &Relation, diagrams: &mut Diagrams) {
        let better = |left: usize, right: usize| relation.pairs[left][right] && !relation.pairs[right][left];
        for arrows in &mut self.states {
            let all = arrows.clone();
            arrows.retain(|arrow| {
                !all.iter().any(|other| {
                    better(arrow.to, other.to)
                        && arrow.marks & !other.marks == 0
                        && diagrams.implies(arrow.label, other.label)
                })
            });
        }
        let all = self.initial.clone();
        self.initial.retain(|state| !all.iter().any(|other| better(*state, *other)));
    }
}

/// The largest simulation within a relation.
fn fixpoint(mut pairs: Vec<Vec<bool>>, views: &[Vec<View>], diagrams: &mut Diagrams) -> Relation {
    loop {
        let mut changed = false;
        for left in 0..views.len() {
            for right in 0..views.len() {
                if left != right
                    && pairs[left][right]
                    && !answers(&views[left], &views[right], &pairs, diagrams)
                {
                    pairs[left][right] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return Relation { pairs };
        }
    }
}

/// Whether the second state has an answer to each letter of each transition of the first.
fn answers(asked: &[View], given: &[View], pairs: &[Vec<bool>], diagrams: &mut Diagrams) -> bool {
    asked.iter().all(|question| {
        let fits = |answer: &&View| {
            pairs[question.other_end][answer.other_end] && question.marks & !answer.marks == 0
        };
        let mut covered = Bdd::FALSE;
        for answer in given.iter().filter(fits) {
            covered = diagrams.or(covered, answer.label);
        }
        diagrams.implies(question.label, covered)
    })
}
