//! An automaton while it is made and reduced: labels are Boolean functions, and there is at most one transition
//! for each target and set of marks.

use super::{
    Automaton, Cube, Edge,
    components::{Components, components},
};
use crate::bdd::{Bdd, Diagrams};
use std::collections::BTreeMap;

/// A transition with a Boolean function as its label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arrow {
    pub(crate) label: Bdd,
    pub(crate) marks: u64,
    pub(crate) to: usize,
}

/// An automaton. The variables of labels are the atoms.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) marks: u32,
    pub(crate) initial: Vec<usize>,
    pub(crate) states: Vec<Vec<Arrow>>,
}

impl Draft {
    /// All marks, as a set.
    pub(crate) fn all_marks(&self) -> u64 {
        if self.marks == 64 { u64::MAX } else { (1 << self.marks) - 1 }
    }

    pub(crate) fn components(&self) -> Components {
        components(self.states.len(), |state| self.states[state].iter().map(|arrow| arrow.to).collect())
    }

    /// For each component whether a run can stay in it and be accepting.
    pub(crate) fn accepting(&self, components: &Components) -> Vec<bool> {
        let mut marks = vec![0; components.count];
        let mut has_arrow = vec![false; components.count];
        for (from, arrows) in self.states.iter().enumerate() {
            for arrow in arrows.iter().filter(|arrow| components.of[arrow.to] == components.of[from]) {
                marks[components.of[from]] |= arrow.marks;
                has_arrow[components.of[from]] = true;
            }
        }
        marks.iter().zip(has_arrow).map(|(marks, has)| has && *marks == self.all_marks()).collect()
    }

    /// Removes the states that cannot be reached, and those from which no run is accepting. Marks remain only where
    /// they matter: inside components in which a run can be accepting.
    pub(crate) fn trim(&mut self) {
        let components = self.components();
        let accepting = self.accepting(&components);
        // Components are numbered from the end of the graph, so that successors are decided first.
        let mut useful = accepting.clone();
        let mut by_component: Vec<usize> = (0..self.states.len()).collect();
        by_component.sort_by_key(|state| components.of[*state]);
        for state in by_component {
            let leads = self.states[state].iter().any(|arrow| useful[components.of[arrow.to]]);
            useful[components.of[state]] |= leads;
        }
        for (from, arrows) in self.states.iter_mut().enumerate() {
            arrows.retain(|arrow| useful[components.of[arrow.to]]);
            for arrow in arrows {
                let inside = components.of[arrow.to] == components.of[from];
                if !(inside && accepting[components.of[from]]) {
                    arrow.marks = 0;
                }
            }
        }
        self.initial.retain(|state| useful[components.of[*state]]);
        self.keep_reachable();
    }

    /// Removes the states that cannot be reached, and numbers the others in the order in which a breadth-first search meets
    /// them.
    fn keep_reachable(&mut self) {
        let mut number = vec![usize::MAX; self.states.len()];
        let mut order: Vec<usize> = Vec::new();
        let mut meet = |state: usize, order: &mut Vec<usize>| {
            if number[state] == usize::MAX {
                number[state] = order.len();
                order.push(state);
            }
        };
        self.initial.iter().for_each(|state| meet(*state, &mut order));
        let mut next = 0;
        while next < order.len() {
            let arrows = &self.states[order[next]];
            arrows.iter().for_each(|arrow| meet(arrow.to, &mut order));
            next += 1;
        }
        let renamed = |arrow: &Arrow| Arrow { to: number[arrow.to], ..*arrow };
        self.states = order.iter().map(|state| self.states[*state].iter().map(renamed).collect()).collect();
        self.initial.iter_mut().for_each(|state| *state = number[*state]);
        self.initial.sort_unstable();
        self.initial.dedup();
    }

    /// Joins transitions that differ in their labels only, and drops those that another one makes superfluous.
    pub(crate) fn join_arrows(&mut self, diagrams: &mut Diagrams) {
        for arrows in &mut self.states {
            let mut joined: BTreeMap<(usize, u64), Bdd> = BTreeMap::new();
            for arrow in arrows.iter() {
                let label = joined.entry((arrow.to, arrow.marks)).or_insert(Bdd::FALSE);
                *label = diagrams.or(*label, arrow.label);
            }
            let all: Vec<Arrow> =
                joined.into_iter().map(|((to, marks), label)| Arrow { label, marks, to }).collect();
            let superfluous = |diagrams: &mut Diagrams, arrow: &Arrow| {
                all.iter().any(|other| {
                    other.to == arrow.to
                        && other.marks != arrow.marks
                        && arrow.marks & !other.marks == 0
                        && diagrams.implies(arrow.label, other.label)
                })
            };
            *arrows = all.iter().filter(|arrow| !superfluous(diagrams, arrow)).copied().collect();
        }
    }

    /// The automaton, with one transition for each implicant of a label.
    pub(crate) fn finish(&self, diagrams: &mut Diagrams, atoms: Vec<String>) -> Automaton {
        let number = |state: usize| u32::try_from(state).expect("there is a limit on states");
        let mut edges = |arrow: &Arrow| -> Vec<Edge> {
            let implicants = diagrams.implicants(arrow.label);
            let edge = |literals: &Vec<(u32, bool)>| Edge {
                label: cube(literals),
                marks: arrow.marks,
                to: number(arrow.to),
            };
            implicants.iter().map(edge).collect()
        };
        let states = self.states.iter().map(|arrows| arrows.iter().flat_map(&mut edges).collect()).collect();
        let initial = self.initial.iter().map(|state| number(*state)).collect();
        Automaton { atoms, marks: self.marks, initial, states }
    }

    /// The draft of an automaton.
    pub(crate) fn of(automaton: &Automaton, diagrams: &mut Diagrams) -> Draft {
        let mut arrow = |edge: &Edge| {
            let mut label = Bdd::TRUE;
            for atom in 0..64 {
                for (set, positive) in [(edge.label.positive, true), (edge.label.negative, false)] {
                    if set >> atom & 1 == 1 {
                        let literal = diagrams.literal(atom, positive);
                        label = diagrams.and(label, literal);
                    }
                }
            }
            Arrow { label, marks: edge.marks, to: edge.to as usize }
        };
        Draft {
            marks: automaton.marks,
            initial: automaton.initial.iter().map(|state| *state as usize).collect(),
            states: automaton.states.iter().map(|edges| edges.iter().map(&mut arrow).collect()).collect(),
        }
    }
}

fn cube(literals: &[(u32, bool)]) -> Cube {
    literals.iter().fold(Cube::default(), |cube, (atom, positive)| {
        let bit = 1 << atom;
        if *positive {
            Cube { positive: cube.positive | bit, ..cube }
        } else {
            Cube { negative: cube.negative | bit, ..cube }
        }
    })
}
