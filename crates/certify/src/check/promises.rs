//! Promises: assumptions of the form "for all … there is a process". A counterexample in an instance that satisfies the assumption
//! has such a process, which may be named: it is one of the involved processes, or one more.

use super::{
    Obstacle,
    ground::{Binding, Grounder, Scope, bindings},
    placements::placements,
    tree::Tree,
};
use ir::{Formula, Property, Quantifier, Var};

/// An assumption that excludes instances in which some processes have certain properties, and *all* processes have another.
#[derive(Debug)]
pub(super) struct Promise<'m> {
    params: &'m [Var],
    variables: usize,
    /// What the processes have in common with an excluded instance.
    premises: Vec<&'m Formula>,
    /// The process that is promised, whom it is not, and what it lacks.
    promised: Var,
    apart_from: &'m [Var],
    lacks: &'m Formula,
}

/// A promise about certain processes that is kept: by one of the involved processes, or by the last of them.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    pub(super) promise: usize,
    pub(super) binding: Binding,
    pub(super) by: Option<usize>,
}

impl<'m> Promise<'m> {
    /// What an assumption promises, if it has the form of a promise.
    pub(super) fn new(assumption: &'m Property) -> Option<Promise<'m>> {
        let (mut premises, mut promised) = (Vec::new(), None);
        for part in assumption.formula.conjuncts() {
            match part {
                Formula::Quantified { quantifier: Quantifier::Forall, variables, apart_from, body }
                    if promised.is_none() && variables.len() == 1 && !body.has_quantifier() =>
                {
                    promised = Some((variables[0], apart_from.as_slice(), &**body));
                }
                part if part.has_quantifier() => return None,
                part => premises.push(part),
            }
        }
        let (promised, apart_from, lacks) = promised?;
        let (params, variables) = (assumption.params.as_slice(), assumption.variables.len());
        Some(Promise { params, variables, premises, promised, apart_from, lacks })
    }

    /// The ways in which its parameters may stand for involved processes.
    pub(super) fn bindings(&self, processes: usize) -> Vec<Binding> {
        let all = placements(self.params, self.variables, processes);
        all.into_iter().filter(|(_, count)| *count == processes).map(|(binding, _)| binding).collect()
    }

    /// What holds if the promise is kept: some premise is not the case, or a process has what is promised.
    pub(super) fn kept(&self, grounder: &mut Grounder<'_, 'm>, one: &Kept) -> Result<Tree, Obstacle> {
        if let Some(process) = one.by {
            let mut binding = one.binding.clone();
            binding.resize(binding.len().max(self.promised.index() + 1), None);
            binding[self.promised.index()] = Some(process);
            return grounder.formula(self.lacks, false, scope(&binding));
        }
        let mut ways = Vec::new();
        for premise in &self.premises {
            ways.push(grounder.formula(premise, false, scope(&one.binding))?);
        }
        let processes = grounder.universe.processes;
        for binding in bindings(&[self.promised], self.apart_from, &one.binding, processes) {
            ways.push(grounder.formula(self.lacks, false, scope(&binding))?);
        }
        Ok(Tree::any(ways))
    }
}

/// Nothing is taken for granted of what a promise points at.
fn scope(binding: &Binding) -> Scope<'_> {
    Scope { binding, after: false, goal: false }
}
