//! The steps of residual specifications, and whether they are done.

use super::{
    action::{Action, Vocabulary},
    build::Obstacle,
    term::{Term, TermId, Terms},
};
use crate::syntax::tree::{EdgeLabel, File, Name};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Span;
use std::rc::Rc;

/// The deepest nesting of terms that are looked at for one step.
const MOST_DEPTH: usize = 800;
/// The most residuals of the first part of a weak sequence.
const MOST_SUBJECT_TERMS: usize = 10_000;

/// An action and the residual after it.
pub(crate) type Move = (u32, TermId);

/// Terms and what is known about them.
#[derive(Debug)]
pub(crate) struct Semantics {
    pub(super) file: Rc<File>,
    pub(super) terms: Terms,
    pub(crate) vocabulary: Vocabulary,
    pub(super) unfolded: FxHashMap<TermId, TermId>,
    /// How many parts of the current specification were built.
    pub(super) parts: usize,
    /// Choices over empty ranges that were met.
    pub(super) empty_choices: FxHashSet<Span>,
    steps: FxHashMap<TermId, Rc<[Move]>>,
    done: FxHashMap<TermId, bool>,
    subjects: FxHashMap<TermId, Rc<FxHashSet<u32>>>,
    /// Loops and sessions that are being looked at.
    open: Vec<TermId>,
    /// Whether one of them was met again, so that what was found depends on it.
    cut: bool,
    depth: usize,
}

impl Semantics {
    pub(crate) fn new(file: Rc<File>) -> Semantics {
        Semantics {
            file,
            terms: Terms::default(),
            vocabulary: Vocabulary::default(),
            unfolded: FxHashMap::default(),
            parts: 0,
            empty_choices: FxHashSet::default(),
            steps: FxHashMap::default(),
            done: FxHashMap::default(),
            subjects: FxHashMap::default(),
            open: vec![],
            cut: false,
            depth: 0,
        }
    }

    /// How many loops and sessions with their data were met.
    pub(super) fn instances(&self) -> usize {
        self.unfolded.len()
    }

    /// The first residual of a session: what its body says.
    pub(crate) fn start(&mut self, name: &Name, values: Rc<[crate::Value]>) -> Result<TermId, Obstacle> {
        let call = self.call(name, values)?;
        self.unfold_head(call, &mut FxHashSet::default())
    }

    /// A residual whose first part is neither a loop nor a session. The first state is such a one, and therefore differs from the states
    /// that come back to a loop at the beginning: published sizes count it.
    fn unfold_head(&mut self, id: TermId, seen: &mut FxHashSet<TermId>) -> Result<TermId, Obstacle> {
        match *self.terms.get(id) {
            Term::Loop(_) | Term::Call(..) if seen.insert(id) => {
                let body = self.unfold(id)?;
                self.unfold_head(body, seen)
            }
            Term::Cat(first, then) => {
                let first = self.unfold_head(first, seen)?;
                Ok(self.terms.cat(first, then))
            }
            _ => Ok(id),
        }
    }

    /// Whether the protocol may stop here.
    pub(crate) fn done(&mut self, id: TermId) -> Result<bool, Obstacle> {
        if let Some(known) = self.done.get(&id) {
            return Ok(*known);
        }
        let cut = std::mem::replace(&mut self.cut, false);
        self.descend(id)?;
        let done = self.find_done(id);
        self.depth -= 1;
        let done = done?;
        if !self.cut || self.open.is_empty() {
            self.done.insert(id, done);
        }
        self.cut = !self.open.is_empty() && (self.cut || cut);
        Ok(done)
    }

    fn find_done(&mut self, id: TermId) -> Result<bool, Obstacle> {
        Ok(match self.terms.get(id).clone() {
            Term::End => true,
            Term::Dead | Term::Action(_) => false,
            Term::Cat(first, then) | Term::Async(first, then) => self.done(first)? && self.done(then)?,
            Term::Alt(branches) => {
                let mut any = false;
                for branch in branches.iter() {
                    any |= self.done(*branch)?;
                }
                any
            }
            Term::Par(parts) => {
                let mut all = true;
                for part in parts.iter() {
                    all &= self.done(*part)?;
                }
                all
            }
            Term::Vertex(graph, vertex) => self.file.graphs[graph].edges[vertex as usize].is_empty(),
            Term::Loop(_) | Term::Call(..) => self.unfolding(id, false, Semantics::done)?,
        })
    }

    /// Looks at what a loop or a session does; nothing if that leads back to it.
    fn unfolding<T>(
        &mut self,
        id: TermId,
        nothing: T,
        look: impl Fn(&mut Semantics, TermId) -> Result<T, Obstacle>,
    ) -> Result<T, Obstacle> {
        if self.open.contains(&id) {
            self.cut = true;
            return Ok(nothing);
        }
        let body = self.unfold(id)?;
        self.open.push(id);
        let found = look(self, body);
        self.open.pop();
        found
    }

    fn descend(&mut self, id: TermId) -> Result<(), Obstacle> {
        self.depth += 1;
        if self.depth <= MOST_DEPTH {
            return Ok(());
        }
        let place = self.open.last().copied().unwrap_or(id);
        let (name, span) = self.definition(place);
        let message = format!("{name} goes on without an action for more than {MOST_DEPTH} steps");
        self.depth -= 1;
        Err(Obstacle::new("unguarded-recursion", span, message))
    }

    /// What a loop or a session is called, and where it is.
    pub(crate) fn definition(&self, id: TermId) -> (String, Span) {
        match self.terms.get(id) {
            Term::Loop(instance) => {
                let definition = &self.file.loops[instance.number];
                (format!("loop `{}`", definition.name.text), definition.name.span)
            }
            Term::Call(at, _) => {
                let key = &self.file.sessions[*at].key;
                (format!("session `{}`", key.text), key.span)
            }
            _ => ("this".into(), self.terms.place(id).unwrap_or_default()),
        }
    }

    /// The steps from a residual, without duplicates.
    pub(crate) fn steps(&mut self, id: TermId) -> Result<Rc<[Move]>, Obstacle> {
        if let Some(known) = self.steps.get(&id) {
            return Ok(known.clone());
        }
        let cut = std::mem::replace(&mut self.cut, false);
        self.descend(id)?;
        let found = self.find_steps(id);
        self.depth -= 1;
        let mut seen = FxHashSet::default();
        let mut found = found?;
        found.retain(|step| seen.insert(*step));
        let found: Rc<[Move]> = found.into();
        if !self.cut || self.open.is_empty() {
            self.steps.insert(id, found.clone());
        }
        self.cut = !self.open.is_empty() && (self.cut || cut);
        Ok(found)
    }

    fn find_steps(&mut self, id: TermId) -> Result<Vec<Move>, Obstacle> {
        match self.terms.get(id).clone() {
            Term::End | Term::Dead => Ok(vec![]),
            Term::Action(action) => Ok(vec![(action, self.terms.make(Term::End))]),
            Term::Cat(first, then) => {
                let mut found = self.steps_before(first, then, Terms::cat)?;
                if self.done(first)? {
                    found.extend(self.steps(then)?.iter());
                }
                Ok(found)
            }
            Term::Async(first, then) => self.weak_steps(first, then),
            Term::Alt(branches) => {
                let mut found = Vec::new();
                for branch in branches.iter() {
                    found.extend(self.steps(*branch)?.iter());
                }
                Ok(found)
            }
            Term::Par(parts) => self.parallel_steps(&parts),
            Term::Vertex(graph, vertex) => self.edges(graph, vertex),
            Term::Loop(_) | Term::Call(..) => {
                Ok(self.unfolding(id, Rc::from([]), Semantics::steps)?.to_vec())
            }
        }
    }

    /// The steps of the first part, with what follows after it.
    fn steps_before(
        &mut self,
        first: TermId,
        then: TermId,
        join: fn(&mut Terms, TermId, TermId) -> TermId,
    ) -> Result<Vec<Move>, Obstacle> {
        let steps = self.steps(first)?;
        Ok(steps.iter().map(|(action, after)| (*action, join(&mut self.terms, *after, then))).collect())
    }

    fn weak_steps(&mut self, first: TermId, then: TermId) -> Result<Vec<Move>, Obstacle> {
        let mut found = self.steps_before(first, then, Terms::weak)?;
        let can_step = !found.is_empty();
        let after: Rc<[Move]> = self.steps(then)?;
        if self.done(first)? {
            found.extend(after.iter());
        }
        if can_step {
            let ordered = self.subjects(first)?;
            for (action, rest) in after.iter() {
                if !ordered.contains(&self.vocabulary.actions[*action as usize].subject()) {
                    found.push((*action, self.terms.weak(first, *rest)));
                }
            }
        }
        Ok(found)
    }

    /// The subjects of all actions that a residual can come to.
    fn subjects(&mut self, id: TermId) -> Result<Rc<FxHashSet<u32>>, Obstacle> {
        if let Some(known) = self.subjects.get(&id) {
            return Ok(known.clone());
        }
        // This looks beyond a step, so that loops that are being looked at do not matter.
        let open = std::mem::take(&mut self.open);
        let (cut, depth) = (std::mem::replace(&mut self.cut, false), self.depth);
        let found = self.reachable_subjects(id);
        (self.open, self.cut, self.depth) = (open, cut, depth);
        let found = Rc::new(found?);
        self.subjects.insert(id, found.clone());
        Ok(found)
    }

    fn reachable_subjects(&mut self, id: TermId) -> Result<FxHashSet<u32>, Obstacle> {
        let mut seen = FxHashSet::from_iter([id]);
        let (mut list, mut subjects) = (vec![id], FxHashSet::default());
        while let Some(term) = list.pop() {
            for (action, after) in self.steps(term)?.iter() {
                subjects.insert(self.vocabulary.actions[*action as usize].subject());
                if seen.insert(*after) {
                    list.push(*after);
                }
            }
            if seen.len() > MOST_SUBJECT_TERMS {
                let (_, span) = self.definition(id);
                let message = "the first part of this weak sequence has too many states";
                return Err(Obstacle::new("unbounded-data", span, message));
            }
        }
        Ok(subjects)
    }

    fn parallel_steps(&mut self, parts: &[TermId]) -> Result<Vec<Move>, Obstacle> {
        let mut found = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            if at > 0 && parts[at - 1] == *part {
                continue;
            }
            for (action, after) in self.steps(*part)?.iter() {
                let mut rest = parts.to_vec();
                rest[at] = *after;
                found.push((*action, self.terms.par(rest)));
            }
        }
        Ok(found)
    }

    fn edges(&mut self, graph: usize, vertex: u32) -> Result<Vec<Move>, Obstacle> {
        let file = self.file.clone();
        let mut found = Vec::new();
        for (label, to) in &file.graphs[graph].edges[vertex as usize] {
            let action = self.labelled(label)?;
            found.push((action, self.terms.make(Term::Vertex(graph, *to))));
        }
        Ok(found)
    }

    fn labelled(&mut self, label: &EdgeLabel) -> Result<u32, Obstacle> {
        let mut role = |name: &str| {
            let key = name.split('[').next().unwrap_or(name);
            self.vocabulary.role(name, &key.into())
        };
        let (from, to) = (role(&label.from), role(&label.to));
        if from == to {
            let message = format!("`{}` communicates with itself here", label.from);
            return Err(Obstacle::new("self-send", label.span, message));
        }
        let message = label.message.as_ref().map(|name| self.vocabulary.message(name));
        Ok(self.vocabulary.action(Action { verb: label.verb, from, to: [to].into(), message }))
    }
}
