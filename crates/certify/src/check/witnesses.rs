//! Existential witnesses: an upper bound on the number of processes that goals point at, beside those already involved.
//!
//! A counterexample has a process for each variable of its existential quantifiers, and one for each value that it uses as
//! an index or compares by `<`. If these are at most k processes, it is enough to look for counterexamples in which 0, 1, …
//! or k further processes are involved: those that it points at and that are not involved for another reason.

use super::ground::{Binding, Step, is_process};
use ir::{Formula, Model, Quantifier, Relation, Term, Update, Value, Var};
use std::collections::HashSet;

/// Counts the processes that goals point at.
#[derive(Debug)]
pub(crate) struct Witnesses<'a, 'm> {
    model: &'m Model,
    step: Option<&'a Step<'m>>,
    /// Terms that point at a process, each in the state before or after the step.
    terms: HashSet<(Term, bool)>,
    /// The number of variables of existential quantifiers, and of terms with variables that have no value yet.
    variables: usize,
}

impl<'a, 'm> Witnesses<'a, 'm> {
    pub(crate) fn new(model: &'m Model, step: Option<&'a Step<'m>>) -> Witnesses<'a, 'm> {
        Witnesses { model, step, terms: HashSet::new(), variables: 0 }
    }

    /// The upper bound.
    pub(crate) fn count(&self) -> usize {
        self.terms.len() + self.variables
    }

    /// Adds what a formula, or its negation if it is not positive, points at.
    pub(crate) fn formula(&mut self, formula: &Formula, positive: bool, binding: &Binding, after: bool) {
        match formula {
            Formula::True | Formula::False | Formula::Fence => {}
            Formula::Compare(relation, left, right) => {
                for term in [left, right] {
                    self.term(term, binding, after);
                    let order = matches!(relation, Relation::Lt | Relation::Le);
                    if order && is_process(self.model, term) {
                        self.process(term, binding, after);
                    }
                }
            }
            Formula::Not(inner) => self.formula(inner, !positive, binding, after),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().for_each(|part| self.formula(part, positive, binding, after));
            }
            Formula::Iff(left, right) => {
                for part in [left, right] {
                    self.formula(part, true, binding, after);
                    self.formula(part, false, binding, after);
                }
            }
            Formula::If(condition, then, otherwise) => {
                self.formula(condition, true, binding, after);
                self.formula(condition, false, binding, after);
                self.formula(then, positive, binding, after);
                self.formula(otherwise, positive, binding, after);
            }
            // What is required of all processes points at none of them (but see `named_for_all`).
            Formula::Quantified { quantifier, variables, body, .. } => {
                if (*quantifier == Quantifier::Exists) == positive {
                    self.variables += variables.len();
                    self.formula(body, positive, binding, after);
                }
            }
        }
    }

    /// Adds the process that a term stands for.
    pub(crate) fn involved(&mut self, term: &Term, binding: &Binding, after: bool) {
        self.term(term, binding, after);
        self.process(term, binding, after);
    }

    fn term(&mut self, term: &Term, binding: &Binding, after: bool) {
        match term {
            Term::Read { symbol, indices, .. } => {
                for index in indices {
                    self.term(index, binding, after);
                    self.process(index, binding, after);
                }
                let step = self.step.filter(|_| after);
                if let Some((step, update)) = step.and_then(|step| Some((step, step.update(*symbol)?))) {
                    self.update(step, update, indices, binding);
                }
            }
            Term::Linear(linear) => linear.parts.iter().for_each(|(_, part)| self.term(part, binding, after)),
            _ => {}
        }
    }

    /// Adds a term that points at a process.
    fn process(&mut self, term: &Term, binding: &Binding, after: bool) {
        let Term::Read { .. } = term else { return };
        let mut changed = false;
        term.each_term(&mut |part| {
            changed |=
                part.symbol().is_some_and(|symbol| self.step.is_some_and(|s| s.update(symbol).is_some()));
        });
        let known = |var: Var| Some(Term::Process(slot(binding.get(var.index()).copied().flatten()?)));
        let ground = term.substitute(&known);
        let mut open = false;
        ground.each_term(&mut |part| open |= matches!(part, Term::Var(_)));
        if open {
            // It may be evaluated for several values of its variables, and point at another process each time.
            self.variables += 1;
        } else {
            self.terms.insert((ground, after && changed));
        }
    }

    fn update(&mut self, step: &Step<'m>, update: &Update, indices: &[Term], outer: &Binding) {
        let mut binding = step.binding.clone();
        for (var, index) in update.cell.iter().zip(indices) {
            binding[var.index()] = match index {
                Term::Var(var) => outer.get(var.index()).copied().flatten(),
                Term::Process(k) => Some(*k as usize - 1),
                _ => None,
            };
        }
        for arm in &update.arms {
            let truth = known(&arm.condition, &binding);
            if truth == Some(false) {
                continue;
            }
            self.formula(&arm.condition, true, &binding, false);
            self.formula(&arm.condition, false, &binding, false);
            if let Value::Term(term) = &arm.value {
                self.term(term, &binding, false);
            }
            if truth == Some(true) {
                return;
            }
        }
    }
}

/// Terms that hold a process in what a formula requires of all processes, if they do not depend on which of these it is.
pub(crate) fn named_for_all<'f>(model: &Model, formula: &'f Formula, binding: &Binding) -> Vec<&'f Term> {
    let is_open = |part: &Term| match part {
        Term::Var(var) => binding.get(var.index()).copied().flatten().is_none(),
        _ => false,
    };
    let mut found: Vec<&Term> = Vec::new();
    let mut consider = |term: &'f Term| {
        let mut closed = matches!(term, Term::Read { .. }) && is_process(model, term);
        term.each_term(&mut |part| closed &= !is_open(part));
        if closed && !found.contains(&term) {
            found.push(term);
        }
    };
    each_universal(formula, true, &mut |body| body.each_term(&mut consider));
    found
}

/// The universally quantified parts of a formula, or of its negation if it is not positive.
fn each_universal<'f>(formula: &'f Formula, positive: bool, visit: &mut impl FnMut(&'f Formula)) {
    match formula {
        Formula::True | Formula::False | Formula::Fence | Formula::Compare(..) => {}
        Formula::Not(inner) => each_universal(inner, !positive, visit),
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().for_each(|part| each_universal(part, positive, visit));
        }
        Formula::Iff(left, right) => {
            for part in [left, right] {
                each_universal(part, true, visit);
                each_universal(part, false, visit);
            }
        }
        Formula::If(condition, then, otherwise) => {
            each_universal(condition, true, visit);
            each_universal(condition, false, visit);
            each_universal(then, positive, visit);
            each_universal(otherwise, positive, visit);
        }
        Formula::Quantified { quantifier, body, .. } => {
            if (*quantifier == Quantifier::Forall) == positive {
                visit(body);
            } else {
                each_universal(body, positive, visit);
            }
        }
    }
}

fn slot(process: usize) -> u32 {
    u32::try_from(process + 1).expect("few processes")
}

/// The truth of a condition that only compares known processes for equality.
pub(crate) fn known(condition: &Formula, binding: &Binding) -> Option<bool> {
    let process = |term: &Term| match term {
        Term::Var(var) => binding.get(var.index()).copied().flatten(),
        Term::Process(k) => Some(*k as usize - 1),
        _ => None,
    };
    match condition {
        Formula::True => Some(true),
        Formula::False => Some(false),
        Formula::Not(inner) => known(inner, binding).map(|truth| !truth),
        Formula::Compare(Relation::Eq, left, right) => Some(process(left)? == process(right)?),
        Formula::Compare(Relation::Neq, left, right) => Some(process(left)? != process(right)?),
        Formula::And(parts) => {
            let truths: Vec<Option<bool>> = parts.iter().map(|part| known(part, binding)).collect();
            if truths.contains(&Some(false)) {
                Some(false)
            } else {
                truths.into_iter().all(|t| t == Some(true)).then_some(true)
            }
        }
        _ => None,
    }
}
