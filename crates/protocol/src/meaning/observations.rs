//! What is remarkable about the choices of an instance: none to choose from, several who choose, one action in two branches.

use super::{
    build::Obstacle,
    semantics::Semantics,
    term::{Term, TermId},
};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span};

impl Semantics {
    /// Warnings about the choices in the terms of a state graph.
    pub(super) fn observations(&mut self, states: &[TermId]) -> Result<Vec<Diagnostic>, Obstacle> {
        let mut warnings = Vec::new();
        for span in &self.empty_choices {
            let warning = Diagnostic::warning("dead-choice", *span, "this choice has no branch here");
            warnings.push(warning.help("nothing can happen after it; give it a range that is not empty"));
        }
        let mut seen: FxHashSet<Span> = FxHashSet::default();
        for choice in self.choices(states) {
            let (Some(span), Term::Alt(branches)) =
                (self.terms.place(choice), self.terms.get(choice).clone())
            else {
                continue;
            };
            if !seen.contains(&span) {
                let found = self.look_at_choice(&branches, span)?;
                if !found.is_empty() {
                    seen.insert(span);
                }
                warnings.extend(found);
            }
        }
        warnings.sort_by_key(|warning| (warning.primary.span.start(), warning.code));
        Ok(warnings)
    }

    /// The choices at the front of some terms.
    fn choices(&self, states: &[TermId]) -> Vec<TermId> {
        let mut list: Vec<TermId> = states.to_vec();
        let mut seen: FxHashSet<TermId> = list.iter().copied().collect();
        let mut choices = Vec::new();
        while let Some(id) = list.pop() {
            let inner: Vec<TermId> = match self.terms.get(id) {
                Term::Alt(branches) => {
                    choices.push(id);
                    branches.to_vec()
                }
                Term::Par(parts) => parts.to_vec(),
                Term::Cat(first, then) | Term::Async(first, then) => vec![*first, *then],
                Term::Loop(_) | Term::Call(..) => self.unfolded.get(&id).copied().into_iter().collect(),
                _ => vec![],
            };
            list.extend(inner.into_iter().filter(|term| seen.insert(*term)));
        }
        choices.sort_unstable();
        choices
    }

    fn look_at_choice(&mut self, branches: &[TermId], span: Span) -> Result<Vec<Diagnostic>, Obstacle> {
        let mut first: FxHashMap<u32, usize> = FxHashMap::default();
        let (mut repeated, mut choosers) = (None, Vec::new());
        for (at, branch) in branches.iter().enumerate() {
            for (action, _) in self.steps(*branch)?.iter() {
                if *first.entry(*action).or_insert(at) != at {
                    repeated = repeated.or(Some(*action));
                }
                let subject = self.vocabulary.actions[*action as usize].subject();
                if !choosers.contains(&subject) {
                    choosers.push(subject);
                }
            }
        }
        let mut warnings = Vec::new();
        if let Some(action) = repeated {
            let text = self.vocabulary.text(&self.vocabulary.actions[action as usize]);
            let message = format!("two branches of this choice begin with `{text}`");
            let warning = Diagnostic::warning("non-determinism", span, message);
            warnings
                .push(warning.help(
                    "let the branches differ in their first action, or share what they have in common",
                ));
        }
        if let [one, other, ..] = choosers[..] {
            let name = |role: u32| &self.vocabulary.roles[role as usize].name;
            let message = format!("both `{}` and `{}` can make this choice", name(one), name(other));
            let warning = Diagnostic::warning("mixed-choice", span, message);
            warnings.push(warning.help("let one role choose, and tell the others by its messages"));
        }
        Ok(warnings)
    }

    /// A loop or a session with data in a term, if there is one.
    pub(super) fn recursive_part(&self, id: TermId) -> Option<TermId> {
        let mut list = vec![id];
        while let Some(term) = list.pop() {
            match self.terms.get(term) {
                Term::Loop(_) | Term::Call(..) => return Some(term),
                Term::Cat(first, then) | Term::Async(first, then) => list.extend([*then, *first]),
                Term::Alt(parts) | Term::Par(parts) => list.extend(parts.iter()),
                _ => {}
            }
        }
        None
    }
}
