//! Watching a program that runs: whether what it does follows the protocol, and whether a property is violated however it goes on.

use super::{atoms::Property, graph::Letters};
use crate::{
    Action,
    machine::{Implementation, State},
    syntax::tree::Verb,
};
use ltl::{Automaton, Letter, TooLarge, Word};

/// A property that is watched: the states of an automaton for it after what was seen, and all letters so far.
struct Watched {
    property: Property,
    automaton: Automaton,
    states: Vec<u32>,
    letters: Vec<Letter>,
    refuted: bool,
}

/// What an action of the program means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Observed {
    /// The protocol allows it. These properties are violated now, by number, however the program goes on.
    Allowed(Vec<usize>),
    /// The protocol does not allow it; this is what it would allow.
    Deviation(Vec<Action>),
}

/// The state of a program that is watched. The implementation must be deterministic: strict, or liberal if roles need not wait for each other.
pub struct Monitor {
    implementation: Implementation,
    state: State,
    trace: Vec<Action>,
    watched: Vec<Watched>,
}

impl Monitor {
    /// A program that begins.
    pub fn new(implementation: Implementation, properties: Vec<Property>) -> Result<Monitor, TooLarge> {
        let watch = |property: Property| {
            let automaton = ltl::translate(&property.formula, property.names())?;
            let states = automaton.initial.clone();
            Ok(Watched { property, automaton, states, letters: vec![], refuted: false })
        };
        let watched = properties.into_iter().map(watch).collect::<Result<_, _>>()?;
        Ok(Monitor { state: implementation.initial(), implementation, trace: vec![], watched })
    }

    /// What was seen and allowed.
    pub fn trace(&self) -> &[Action] {
        &self.trace
    }

    /// Whether the program may be over.
    pub fn may_end(&self) -> bool {
        self.implementation.may_end(&self.state)
    }

    /// An action was seen. A receive may leave its type open.
    pub fn observe(&mut self, action: &Action) -> Observed {
        let moves = self.implementation.moves(&self.state);
        let is_it = |possible: &Action| {
            let open = action.verb == Verb::Receive && action.message.is_none();
            *possible == *action || open && Action { message: None, ..possible.clone() } == *action
        };
        let Some(step) = moves.iter().find(|step| is_it(&step.action)) else {
            return Observed::Deviation(moves.into_iter().map(|step| step.action).collect());
        };
        let mut violated = Vec::new();
        for (number, watched) in self.watched.iter_mut().enumerate() {
            let letters = Letters::new(&watched.property, &self.implementation);
            let enabled = moves.iter().fold(0, |all, step| all | letters.enabled(&step.action));
            let letter = letters.state(&self.state) | enabled | letters.taken(&step.action);
            if watched.read(letter) {
                violated.push(number);
            }
        }
        self.state = step.to.clone();
        self.trace.push(step.action.clone());
        Observed::Allowed(violated)
    }

    /// The program has ended: for each property whether the whole run satisfies it. `None` if the protocol does not allow to end here, in which case
    /// nothing is said about properties that need the future.
    pub fn end(&self) -> Option<Vec<bool>> {
        self.may_end().then(|| {
            self.watched.iter().map(|watched| watched.end(&self.implementation, &self.state)).collect()
        })
    }
}

impl Watched {
    /// Reads a letter; whether that is the one after which no run satisfies the property.
    fn read(&mut self, letter: Letter) -> bool {
        let edges = self.states.iter().flat_map(|state| &self.automaton.states[*state as usize]);
        let mut next: Vec<u32> =
            edges.filter(|edge| edge.label.contains(letter)).map(|edge| edge.to).collect();
        next.sort_unstable();
        next.dedup();
        self.states = next;
        self.letters.push(letter);
        self.states.is_empty() && !std::mem::replace(&mut self.refuted, true)
    }

    fn end(&self, implementation: &Implementation, state: &State) -> bool {
        let letters = Letters::new(&self.property, implementation);
        let mut all = self.letters.clone();
        let back = all.len();
        all.push(letters.state(state) | letters.end(false));
        Word { letters: all, back }.satisfies(&self.property.formula)
    }
}
