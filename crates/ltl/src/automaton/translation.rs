//! From formulas to automata (Couvreur: On-the-fly verification of linear temporal logic, 1999; with decision diagrams as
//! in Duret-Lutz: LTL translation improvements in Spot, 2014).
//!
//! A state of the automaton is a formula. It is unfolded into a Boolean function of atoms, of formulas that must
//! hold next, and of promises: `f U g` holds if `g` does, or if `f` does, `f U g` holds next, and `g` stays promised.
//! Each implicant of the function is a transition; it has the marks of all promises that it does not make, so that a run
//! that is accepting keeps each promise. Formulas that unfold into the same function are the same state.

use super::{Automaton, Draft, MOST_ATOMS, MOST_MARKS, draft::Arrow};
use crate::{
    Formula,
    bdd::{Bdd, Diagrams},
    normal::{Id, Node, Pool},
};
use std::{collections::HashMap, error::Error, fmt};

/// The most states of an automaton before it is reduced.
const MOST_STATES: usize = 5_000;

/// Why there is no automaton for a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TooLarge {
    /// It has more than [`MOST_ATOMS`] atoms.
    Atoms,
    /// Its automaton would have too many states, transitions or marks.
    Automaton,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooLarge::Atoms => write!(f, "the formula has more than {MOST_ATOMS} different atoms"),
            TooLarge::Automaton => f.write_str("the automaton of the formula is too large"),
        }
    }
}

impl Error for TooLarge {}

/// A small automaton that accepts the words that satisfy the formula. The number of an atom is its bit in a letter.
pub fn translate(formula: &Formula<u32>, atoms: Vec<String>) -> Result<Automaton, TooLarge> {
    if atoms.len() > MOST_ATOMS {
        return Err(TooLarge::Atoms);
    }
    let mut translation = Translation::new(atoms.len());
    // Some simplifications look for the negations of parts, so these are made first.
    let start = translation.pool.add(formula, true);
    translation.pool.negate(start);
    let start = translation.pool.add(formula, true);
    let mut draft = translation.unfold_all(start)?;
    draft.reduce(&mut translation.diagrams);
    if translation.diagrams.is_full() {
        return Err(TooLarge::Automaton);
    }
    Ok(draft.finish(&mut translation.diagrams, atoms))
}

/// What a variable of a function stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Meaning {
    Atom,
    /// The formula must hold next.
    Next(Id),
    /// The mark with this number is missing.
    Promise(usize),
}

struct Translation {
    pool: Pool,
    diagrams: Diagrams,
    /// For each variable; atoms come first.
    meanings: Vec<Meaning>,
    variables: HashMap<Meaning, u32>,
    /// For each mark, what is promised.
    promised: Vec<Id>,
    unfolded: HashMap<Id, Bdd>,
}

impl Translation {
    fn new(atoms: usize) -> Translation {
        Translation {
            pool: Pool::new(),
            diagrams: Diagrams::new(),
            meanings: vec![Meaning::Atom; atoms],
            variables: HashMap::new(),
            promised: vec![],
            unfolded: HashMap::new(),
        }
    }

    /// The automaton of a formula, as it is found.
    fn unfold_all(&mut self, start: Id) -> Result<Draft, TooLarge> {
        let mut number: HashMap<Bdd, usize> = HashMap::new();
        let mut functions: Vec<Bdd> = Vec::new();
        let mut meet = |function: Bdd, functions: &mut Vec<Bdd>| {
            *number.entry(function).or_insert_with(|| {
                functions.push(function);
                functions.len() - 1
            })
        };
        let first = self.unfold(start);
        meet(first, &mut functions);
        let mut found: Vec<Vec<(Bdd, u64, usize)>> = Vec::new();
        while found.len() < functions.len() {
            if functions.len() > MOST_STATES || self.promised.len() > MOST_MARKS || self.diagrams.is_full() {
                return Err(TooLarge::Automaton);
            }
            let implicants = self.diagrams.implicants(functions[found.len()]);
            let mut arrows = Vec::with_capacity(implicants.len());
            for implicant in implicants {
                let (label, promises, target) = self.read(&implicant);
                if target != Bdd::FALSE {
                    arrows.push((label, promises, meet(target, &mut functions)));
                }
            }
            found.push(arrows);
        }
        if self.promised.len() > MOST_MARKS || self.diagrams.is_full() {
            return Err(TooLarge::Automaton);
        }
        Ok(self.draft(&found))
    }

    fn draft(&self, found: &[Vec<(Bdd, u64, usize)>]) -> Draft {
        let marks = u32::try_from(self.promised.len()).expect("there is a limit on marks");
        let mut draft = Draft { marks, initial: vec![0], states: vec![] };
        let all = draft.all_marks();
        let arrow = |(label, promises, to): &(Bdd, u64, usize)| Arrow {
            label: *label,
            marks: all & !promises,
            to: *to,
        };
        draft.states = found.iter().map(|arrows| arrows.iter().map(arrow).collect()).collect();
        draft
    }

    /// The label, the promises and the function of the next state of an implicant. What must hold next is not simplified: where
    /// one formula implies another only because it renews its promise, a promise could be put off for ever.
    fn read(&mut self, implicant: &[(u32, bool)]) -> (Bdd, u64, Bdd) {
        let (mut label, mut promises, mut target) = (Bdd::TRUE, 0, Bdd::TRUE);
        for (variable, positive) in implicant {
            match self.meanings[*variable as usize] {
                Meaning::Atom => {
                    let literal = self.diagrams.literal(*variable, *positive);
                    label = self.diagrams.and(label, literal);
                }
                Meaning::Next(id) => {
                    let next = self.unfold(id);
                    target = self.diagrams.and(target, next);
                }
                Meaning::Promise(mark) => promises |= 1 << mark,
            }
        }
        (label, promises, target)
    }

    fn variable(&mut self, meaning: Meaning) -> Bdd {
        let new = u32::try_from(self.meanings.len()).expect("there is a limit on nodes");
        let variable = *self.variables.entry(meaning).or_insert(new);
        if variable == new {
            self.meanings.push(meaning);
        }
        self.diagrams.literal(variable, true)
    }

    /// What must hold next. Conjunctions are taken apart, so that equal functions are found equal.
    fn next(&mut self, id: Id) -> Bdd {
        match self.pool.node(id).clone() {
            Node::True => Bdd::TRUE,
            Node::False => Bdd::FALSE,
            Node::And(parts) => {
                let mut all = Bdd::TRUE;
                for part in parts {
                    let part = self.next(part);
                    all = self.diagrams.and(all, part);
                }
                all
            }
            _ => self.variable(Meaning::Next(id)),
        }
    }

    fn promise(&mut self, id: Id) -> Bdd {
        let mark = self.promised.iter().position(|known| *known == id).unwrap_or_else(|| {
            self.promised.push(id);
            self.promised.len() - 1
        });
        self.variable(Meaning::Promise(mark))
    }

    fn unfold(&mut self, id: Id) -> Bdd {
        if let Some(known) = self.unfolded.get(&id) {
            return *known;
        }
        let function = match self.pool.node(id).clone() {
            Node::True => Bdd::TRUE,
            Node::False => Bdd::FALSE,
            Node::Literal(atom, positive) => self.diagrams.literal(atom, positive),
            Node::And(parts) => {
                let mut all = Bdd::TRUE;
                for part in parts {
                    let part = self.unfold(part);
                    all = self.diagrams.and(all, part);
                }
                all
            }
            Node::Or(parts) => {
                let mut any = Bdd::FALSE;
                for part in parts {
                    let part = self.unfold(part);
                    any = self.diagrams.or(any, part);
                }
                any
            }
            Node::Next(inner) => self.next(inner),
            Node::Until(left, right) => {
                let stay = self.stay(id, left, Some(right));
                let done = self.unfold(right);
                self.diagrams.or(done, stay)
            }
            Node::WeakUntil(left, right) => {
                let stay = self.stay(id, left, None);
                let done = self.unfold(right);
                self.diagrams.or(done, stay)
            }
            Node::Release(left, right) => self.unfold_release(id, left, right, false),
            Node::StrongRelease(left, right) => self.unfold_release(id, left, right, true),
        };
        self.unfolded.insert(id, function);
        function
    }

    /// `left` holds, `id` must hold next, and perhaps something is promised.
    fn stay(&mut self, id: Id, left: Id, promised: Option<Id>) -> Bdd {
        let left = self.unfold(left);
        let again = self.next(id);
        let mut stay = self.diagrams.and(left, again);
        if let Some(promised) = promised {
            let promise = self.promise(promised);
            stay = self.diagrams.and(stay, promise);
        }
        stay
    }

    fn unfold_release(&mut self, id: Id, left: Id, right: Id, strong: bool) -> Bdd {
        let again = self.stay(id, Id::TRUE, strong.then_some(left));
        let released = self.unfold(left);
        let either = self.diagrams.or(released, again);
        let right = self.unfold(right);
        self.diagrams.and(right, either)
    }
}
