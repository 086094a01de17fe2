//! Generalised Büchi automata whose acceptance marks are on transitions.

mod components;
mod draft;
mod marks;
mod simulation;
mod translation;

pub use translation::{TooLarge, translate};

pub(crate) use components::components;
pub(crate) use draft::{Arrow, Draft};

use crate::bdd::Diagrams;

/// The most atoms of an automaton: a letter is a set of them in one word.
pub const MOST_ATOMS: usize = 64;
/// The most acceptance marks.
pub const MOST_MARKS: usize = 64;

/// A set of atoms: those that hold.
pub type Letter = u64;

/// A conjunction of literals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Cube {
    /// The atoms that must hold.
    pub positive: Letter,
    /// The atoms that must not hold.
    pub negative: Letter,
}

impl Cube {
    /// Whether a letter satisfies all literals.
    #[inline]
    pub fn contains(self, letter: Letter) -> bool {
        letter & (self.positive | self.negative) == self.positive
    }
}

/// A transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Edge {
    /// The letters that it reads.
    pub label: Cube,
    /// Its acceptance marks, as a set.
    pub marks: u64,
    /// The state that it leads to.
    pub to: u32,
}

/// A transition-based generalised Büchi automaton. A run is accepting if it has each mark infinitely often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Automaton {
    /// The names of the atoms, in the order of the bits of a letter.
    pub atoms: Vec<String>,
    /// The number of acceptance marks.
    pub marks: u32,
    /// The initial states.
    pub initial: Vec<u32>,
    /// For each state its transitions.
    pub states: Vec<Vec<Edge>>,
}

impl Automaton {
    /// All marks, as a set.
    pub fn all_marks(&self) -> u64 {
        if self.marks == 64 { u64::MAX } else { (1 << self.marks) - 1 }
    }

    /// Whether a state accepts every word, by a loop on itself.
    pub fn accepts_anything(&self, state: u32) -> bool {
        let is_loop =
            |edge: &Edge| edge.to == state && edge.label == Cube::default() && edge.marks == self.all_marks();
        self.states[state as usize].iter().any(is_loop)
    }

    /// Whether every accepted word has a prefix after which the automaton accepts anything, in a state that
    /// [`accepts_anything`](Self::accepts_anything). Then acceptance is a question of reachability.
    pub fn is_terminal(&self) -> bool {
        let successors = |state: usize| self.states[state].iter().map(|edge| edge.to as usize).collect();
        let components = components(self.states.len(), successors);
        let mut marks = vec![0; components.count];
        let mut has_edge = vec![false; components.count];
        for (from, edges) in self.states.iter().enumerate() {
            let inside = |edge: &&Edge| components.of[edge.to as usize] == components.of[from];
            for edge in edges.iter().filter(inside) {
                marks[components.of[from]] |= edge.marks;
                has_edge[components.of[from]] = true;
            }
        }
        let accepting = |state: usize| {
            let component = components.of[state];
            has_edge[component] && marks[component] == self.all_marks()
        };
        (0..self.states.len())
            .filter(|state| accepting(*state))
            .all(|state| self.accepts_anything(u32::try_from(state).expect("few states")))
    }

    /// An automaton for the same words, with fewer states, transitions and marks where they are easy to save.
    #[must_use]
    pub fn reduced(&self) -> Automaton {
        let mut diagrams = Diagrams::new();
        let mut draft = Draft::of(self, &mut diagrams);
        draft.reduce(&mut diagrams);
        let reduced = draft.finish(&mut diagrams, self.atoms.clone());
        if diagrams.is_full() { self.clone() } else { reduced }
    }

    /// Whether the automaton accepts the word `stem` `cycle` `cycle` …. The cycle must not be empty.
    pub fn accepts(&self, stem: &[Letter], cycle: &[Letter]) -> bool {
        crate::emptiness::accepts(self, stem, cycle)
    }
}
