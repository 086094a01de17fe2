//! Residual specifications as numbers: equal ones are the same number.

use crate::data::Value;
use rustc_hash::FxHashMap;
use source::Span;
use std::rc::Rc;

/// The number of a term.
pub(crate) type TermId = u32;

/// A residual specification without variables.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Term {
    /// Done, with no step.
    End,
    /// Neither done nor with a step: a choice without branches.
    Dead,
    Action(u32),
    /// Nested to the right; the first part is no sequence and not `End`.
    Cat(TermId, TermId),
    /// At least two branches, none of them a choice, all different.
    Alt(Rc<[TermId]>),
    /// At least two parts, none of them `End` or an interleaving, sorted.
    Par(Rc<[TermId]>),
    Async(TermId, TermId),
    Loop(LoopInstance),
    /// A session by position, with its values.
    Call(usize, Rc<[Value]>),
    /// A vertex of an explicit transition system.
    Vertex(usize, u32),
}

/// A loop about to go around.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct LoopInstance {
    /// The number of the loop in the file.
    pub(crate) number: usize,
    /// The values of its variables.
    pub(crate) values: Rc<[Value]>,
    /// The values of the variables from outside that it uses.
    pub(crate) outer: Rc<[(Rc<str>, Value)]>,
    /// The loops around it.
    pub(crate) around: Rc<[LoopInstance]>,
}

/// All terms.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    list: Vec<Term>,
    numbers: FxHashMap<Term, TermId>,
    /// Where a choice or a sequence comes from, for messages.
    places: FxHashMap<TermId, Span>,
}

impl Terms {
    pub(crate) fn get(&self, id: TermId) -> &Term {
        &self.list[id as usize]
    }

    pub(crate) fn place(&self, id: TermId) -> Option<Span> {
        self.places.get(&id).copied()
    }

    pub(crate) fn remember(&mut self, id: TermId, span: Span) {
        self.places.entry(id).or_insert(span);
    }

    pub(crate) fn make(&mut self, term: Term) -> TermId {
        if let Some(known) = self.numbers.get(&term) {
            return *known;
        }
        let id = super::action::number(self.list.len());
        self.list.push(term.clone());
        self.numbers.insert(term, id);
        id
    }

    pub(crate) fn cat(&mut self, first: TermId, then: TermId) -> TermId {
        match (self.get(first).clone(), self.get(then)) {
            (Term::End, _) => then,
            (_, Term::End) | (Term::Dead, _) => first,
            (Term::Cat(a, b), _) => {
                let rest = self.cat(b, then);
                self.make(Term::Cat(a, rest))
            }
            _ => self.make(Term::Cat(first, then)),
        }
    }

    pub(crate) fn alt(&mut self, branches: Vec<TermId>) -> TermId {
        let mut flat: Vec<TermId> = Vec::new();
        for branch in branches {
            match self.get(branch) {
                Term::Alt(inner) => flat.extend(inner.iter()),
                Term::Dead => {}
                _ => flat.push(branch),
            }
        }
        let mut seen = rustc_hash::FxHashSet::default();
        flat.retain(|branch| seen.insert(*branch));
        match flat[..] {
            [] => self.make(Term::Dead),
            [only] => only,
            _ => self.make(Term::Alt(flat.into())),
        }
    }

    pub(crate) fn par(&mut self, parts: Vec<TermId>) -> TermId {
        let mut flat: Vec<TermId> = Vec::new();
        for part in parts {
            match self.get(part) {
                Term::Par(inner) => flat.extend(inner.iter()),
                Term::End => {}
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        match flat[..] {
            [] => self.make(Term::End),
            [only] => only,
            _ => self.make(Term::Par(flat.into())),
        }
    }

    pub(crate) fn weak(&mut self, first: TermId, then: TermId) -> TermId {
        match (self.get(first), self.get(then)) {
            (Term::End, _) => then,
            (_, Term::End) => first,
            _ => self.make(Term::Async(first, then)),
        }
    }
}
