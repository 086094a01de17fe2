//! The product of a graph and an automaton.
//!
//! The steps of each state of the graph are asked for once and kept in flat tables; steps with equal labels share one,
//! for which the transitions of the automaton are looked up once for each of its states.

use super::{Fairness, Graph, Label, Size, Step, Stopped};
use crate::Automaton;
use rustc_hash::FxHashMap;

/// A pair of a state of the graph and one of the automaton.
pub(super) type Pair = (u32, u32);

/// What a step, or several of them, contribute to acceptance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Marks {
    /// Marks of the automaton.
    pub(super) automaton: u64,
    /// Constraints of weak fairness that are satisfied: nothing of them is enabled, or something is taken.
    pub(super) weak: u64,
    /// Constraints of strong fairness of which something is enabled, and of which something is taken.
    pub(super) enabled: u64,
    pub(super) taken: u64,
}

impl Marks {
    pub(super) fn add(&mut self, other: Marks) {
        self.automaton |= other.automaton;
        self.weak |= other.weak;
        self.enabled |= other.enabled;
        self.taken |= other.taken;
    }
}

/// A transition of the automaton, for a label.
#[derive(Debug, Clone, Copy)]
struct Move {
    to: u32,
    marks: u64,
}

/// A range of a table.
type Span = (u32, u32);
const UNKNOWN: Span = (u32::MAX, 0);

/// The product, as far as it was built.
pub(super) struct Product<'a, G> {
    graph: &'a mut G,
    pub(super) automaton: &'a Automaton,
    pub(super) fairness: Fairness,
    /// For each state of the graph its steps.
    spans: Vec<Span>,
    /// Target and label.
    steps: Vec<(u32, u32)>,
    labels: Vec<Label>,
    /// What each label contributes to fairness.
    fair: Vec<Marks>,
    numbers: FxHashMap<Label, u32>,
    /// For each label and state of the automaton its moves.
    move_spans: Vec<Span>,
    moves: Vec<Move>,
    /// How many pairs and steps between them the search has met.
    pub(super) states: usize,
    pub(super) transitions: usize,
    expanded: usize,
    /// The steps of the state that is expanded.
    fresh: Vec<Step>,
}

/// A position among the steps of a pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor {
    step: u32,
    end: u32,
    moved: u32,
}

impl<'a, G: Graph> Product<'a, G> {
    pub(super) fn new(graph: &'a mut G, automaton: &'a Automaton, fairness: Fairness) -> Self {
        Product {
            graph,
            automaton,
            fairness,
            spans: vec![],
            steps: vec![],
            labels: vec![],
            fair: vec![],
            numbers: FxHashMap::default(),
            move_spans: vec![],
            moves: vec![],
            states: 0,
            transitions: 0,
            expanded: 0,
            fresh: vec![],
        }
    }

    pub(super) fn size(&self) -> Size {
        // Each pair has a number of four bytes, and is on a stack or in a queue at some time.
        let bytes = self.steps.capacity() * 8 + self.spans.capacity() * 8 + self.states * 16;
        Size { states: self.states, transitions: self.transitions, expanded: self.expanded, bytes }
    }

    /// Counts a new pair, and reports now and then.
    pub(super) fn count(&mut self) -> Result<(), Stopped> {
        self.states += 1;
        if self.states.is_multiple_of(1024) { self.graph.progress(self.size()) } else { Ok(()) }
    }

    pub(super) fn initial(&mut self) -> Result<Vec<Pair>, Stopped> {
        let mut states = Vec::new();
        self.graph.initial(&mut states)?;
        let pairs = |state: u32| self.automaton.initial.iter().map(move |initial| (state, *initial));
        Ok(states.into_iter().flat_map(pairs).collect())
    }

    /// The first step of a pair; asks the graph if it has not been asked.
    pub(super) fn open(&mut self, (state, _): Pair) -> Result<Cursor, Stopped> {
        if self.spans.len() <= state as usize {
            self.spans.resize(state as usize + 1, UNKNOWN);
        }
        if self.spans[state as usize] == UNKNOWN {
            self.expand(state)?;
        }
        let (step, end) = self.spans[state as usize];
        Ok(Cursor { step, end, moved: 0 })
    }

    /// The first step of a pair whose state the graph has been asked for; `None` otherwise.
    pub(super) fn known(&self, (state, _): Pair) -> Option<Cursor> {
        let span = self.spans.get(state as usize).filter(|span| **span != UNKNOWN);
        span.map(|&(step, end)| Cursor { step, end, moved: 0 })
    }

    fn expand(&mut self, state: u32) -> Result<(), Stopped> {
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.clear();
        self.graph.steps(state, &mut fresh)?;
        let start = position(self.steps.len());
        for step in &fresh {
            let label = self.label(step.label);
            self.steps.push((step.to, label));
        }
        self.spans[state as usize] = (start, position(self.steps.len()));
        self.expanded += 1;
        self.fresh = fresh;
        Ok(())
    }

    fn label(&mut self, label: Label) -> u32 {
        let new = position(self.labels.len());
        let number = *self.numbers.entry(label).or_insert(new);
        if number == new {
            self.labels.push(label);
            let Fairness { weak, strong } = self.fairness;
            self.fair.push(Marks {
                automaton: 0,
                weak: weak & (!label.enabled | label.taken),
                enabled: strong & label.enabled,
                taken: strong & label.taken,
            });
            self.move_spans.resize(self.labels.len() * self.automaton.states.len(), UNKNOWN);
        }
        number
    }

    /// The moves of the automaton from a state for a label.
    #[inline]
    fn moves(&mut self, label: u32, from: u32) -> Span {
        let at = label as usize * self.automaton.states.len() + from as usize;
        let span = self.move_spans[at];
        if span == UNKNOWN { self.find_moves(at, label, from) } else { span }
    }

    fn find_moves(&mut self, at: usize, label: u32, from: u32) -> Span {
        let letter = self.labels[label as usize].letter;
        let start = self.moves.len();
        for edge in self.automaton.states[from as usize].iter().filter(|edge| edge.label.contains(letter)) {
            // Of two moves to the same state, one with marks that the other has as well adds nothing.
            let known = self.moves[start..].iter_mut().find(|known| {
                known.to == edge.to && (known.marks & !edge.marks == 0 || edge.marks & !known.marks == 0)
            });
            match known {
                Some(known) => known.marks |= edge.marks,
                None => self.moves.push(Move { to: edge.to, marks: edge.marks }),
            }
        }
        self.move_spans[at] = (position(start), position(self.moves.len()));
        self.move_spans[at]
    }

    /// The next step of a pair: where it leads, and what it contributes.
    #[inline]
    pub(super) fn next(&mut self, from: u32, cursor: &mut Cursor) -> Option<(Pair, Marks)> {
        while cursor.step < cursor.end {
            let (to, label) = self.steps[cursor.step as usize];
            let (start, end) = self.moves(label, from);
            let at = start + cursor.moved;
            if at < end {
                cursor.moved += 1;
                let found = self.moves[at as usize];
                let marks = Marks { automaton: found.marks, ..self.fair[label as usize] };
                return Some(((to, found.to), marks));
            }
            cursor.step += 1;
            cursor.moved = 0;
        }
        None
    }

    /// The label of the step that the last [`next`](Self::next) of a cursor has returned.
    pub(super) fn label_at(&self, cursor: &Cursor) -> Label {
        self.labels[self.steps[cursor.step as usize].1 as usize]
    }

    /// The labels of the steps of a state of the graph.
    pub(super) fn labels_from(&self, state: u32) -> impl Iterator<Item = Label> {
        let (start, end) =
            self.spans.get(state as usize).copied().filter(|span| *span != UNKNOWN).unwrap_or((0, 0));
        self.steps[start as usize..end as usize].iter().map(|(_, label)| self.labels[*label as usize])
    }

    /// Whether a cycle with these marks is accepted.
    #[inline]
    pub(super) fn accepts(&self, marks: &Marks) -> bool {
        self.accepts_but_for_strong(marks) && marks.enabled & !marks.taken == 0
    }

    #[inline]
    pub(super) fn accepts_but_for_strong(&self, marks: &Marks) -> bool {
        marks.automaton == self.automaton.all_marks() && marks.weak == self.fairness.weak
    }
}

fn position(at: usize) -> u32 {
    u32::try_from(at).expect("tables have fewer than 2^32 entries")
}

/// A number for each pair; 0 at first.
pub(super) enum Numbers {
    /// For few states of the automaton: one entry for each pair.
    Table { automaton: usize, entries: Vec<u32> },
    /// For many.
    Sparse(FxHashMap<Pair, u32>),
}

/// The most states of an automaton for which a table pays.
const FEW: usize = 16;

impl Numbers {
    pub(super) fn new(automaton: &Automaton) -> Numbers {
        let states = automaton.states.len();
        if states <= FEW {
            Numbers::Table { automaton: states, entries: vec![] }
        } else {
            Numbers::Sparse(FxHashMap::default())
        }
    }

    #[inline]
    pub(super) fn get(&self, pair: Pair) -> u32 {
        match self {
            Numbers::Table { automaton, entries } => {
                entries.get(pair.0 as usize * automaton + pair.1 as usize).copied().unwrap_or(0)
            }
            Numbers::Sparse(entries) => entries.get(&pair).copied().unwrap_or(0),
        }
    }

    #[inline]
    pub(super) fn set(&mut self, pair: Pair, number: u32) {
        match self {
            Numbers::Table { automaton, entries } => {
                let at = pair.0 as usize * *automaton + pair.1 as usize;
                if entries.len() <= at {
                    entries.resize((pair.0 as usize + 1) * *automaton, 0);
                }
                entries[at] = number;
            }
            Numbers::Sparse(entries) => {
                entries.insert(pair, number);
            }
        }
    }
}
