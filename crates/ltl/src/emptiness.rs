//! Whether a graph has a run that an automaton accepts: the product, searched while it is built.
//!
//! The search is one pass over strongly connected components (Couvreur, Duret-Lutz, Poitrenaud: On-the-fly emptiness
//! checks for generalized Büchi automata, 2005, with the path-based algorithm of Gabow, 2000): as soon as the part of a
//! component that was seen has all marks, there is a run. Weak fairness is more marks. For strong fairness a component that
//! fails is taken apart (Emerson, Lei: Modalities for model checking, 1987). Where acceptance is a question of
//! reachability, a breadth-first search finds a shortest run.

mod component;
mod lasso;
mod product;
mod reachability;
mod strong;

use crate::{Automaton, Letter, Word};
use product::Product;

/// What a step of a graph shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Label {
    /// The atoms that hold.
    pub letter: Letter,
    /// The fairness constraints, as a set, of which something is enabled in the state before the step.
    pub enabled: u64,
    /// The fairness constraints of which something is taken.
    pub taken: u64,
}

/// A step to a state, given by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The state after it.
    pub to: u32,
    /// What it shows.
    pub label: Label,
}

/// A search that was ended from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// A graph whose states have numbers. Numbers should be small, as they index tables.
pub trait Graph {
    /// Appends the initial states.
    fn initial(&mut self, states: &mut Vec<u32>) -> Result<(), Stopped>;

    /// Appends the steps from a state. Asked at most once for each state.
    fn steps(&mut self, state: u32, steps: &mut Vec<Step>) -> Result<(), Stopped>;

    /// Told the size of the product now and then.
    fn progress(&mut self, _size: Size) -> Result<(), Stopped> {
        Ok(())
    }
}

/// Which constraints, of those that labels speak of, a run must satisfy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fairness {
    /// What is enabled from some time on without a break is taken infinitely often.
    pub weak: u64,
    /// What is enabled infinitely often is taken infinitely often.
    pub strong: u64,
}

/// The size of the part of a product that was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Size {
    /// Pairs of a state of the graph and one of the automaton.
    pub states: usize,
    /// Steps between them.
    pub transitions: usize,
    /// States of the graph whose steps are known.
    pub expanded: usize,
    /// The estimated number of bytes.
    pub bytes: usize,
}

/// A run through a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The states in order.
    pub states: Vec<u32>,
    /// What the steps show; one for each state, except for the last one if there is no cycle.
    pub labels: Vec<Label>,
    /// The position of the state to which the last step leads back. `None` if it does not matter how the run goes on.
    pub back: Option<usize>,
}

impl Run {
    /// The letters, if the run has a cycle.
    pub fn word(&self) -> Option<Word> {
        let letters = self.labels.iter().map(|label| label.letter).collect();
        self.back.map(|back| Word { letters, back })
    }
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Emptiness {
    /// No run is accepted.
    Empty,
    /// A run that is accepted, as short as is easy.
    Run(Run),
    /// The search was stopped.
    Stopped,
}

/// Looks for a run of the graph that is fair and that the automaton accepts.
pub fn search<G: Graph>(graph: &mut G, automaton: &Automaton, fairness: Fairness) -> (Emptiness, Size) {
    let mut product = Product::new(graph, automaton, fairness);
    let found = component::search(&mut product);
    (result(found), product.size())
}

/// Looks for a shortest way to a state in which the automaton [accepts anything](Automaton::accepts_anything). If
/// the automaton [is terminal](Automaton::is_terminal), and every run of the graph can go on for ever and be fair, this
/// decides emptiness.
pub fn reach<G: Graph>(graph: &mut G, automaton: &Automaton) -> (Emptiness, Size) {
    let mut product = Product::new(graph, automaton, Fairness::default());
    let found = reachability::search(&mut product);
    (result(found), product.size())
}

fn result(found: Result<Option<Run>, Stopped>) -> Emptiness {
    match found {
        Ok(None) => Emptiness::Empty,
        Ok(Some(run)) => Emptiness::Run(run),
        Err(Stopped) => Emptiness::Stopped,
    }
}

/// Whether an automaton accepts a word.
pub(crate) fn accepts(automaton: &Automaton, stem: &[Letter], cycle: &[Letter]) -> bool {
    let letters: Vec<Letter> = stem.iter().chain(cycle).copied().collect();
    let mut graph = Path { letters, back: stem.len() };
    matches!(search(&mut graph, automaton, Fairness::default()).0, Emptiness::Run(_))
}

/// A graph with a single run.
struct Path {
    letters: Vec<Letter>,
    back: usize,
}

impl Graph for Path {
    fn initial(&mut self, states: &mut Vec<u32>) -> Result<(), Stopped> {
        states.push(0);
        Ok(())
    }

    fn steps(&mut self, state: u32, steps: &mut Vec<Step>) -> Result<(), Stopped> {
        let at = state as usize;
        let to = if at + 1 == self.letters.len() { self.back } else { at + 1 };
        let label = Label { letter: self.letters[at], ..Label::default() };
        steps.push(Step { to: u32::try_from(to).expect("words are short"), label });
        Ok(())
    }
}
