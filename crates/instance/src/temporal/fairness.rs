//! Fairness constraints: sets of steps of which some must be taken, if they are enabled often enough.

use ir::{Model, RuleId};

/// A demand for fairness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fair {
    /// Strong: what is enabled infinitely often is taken infinitely often. Weak: what is enabled from some time on without a
    /// break is.
    pub strong: bool,
    /// What it is about.
    pub of: Unit,
}

/// What must be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unit {
    /// For each process some step of it.
    Process,
    /// For each transition and each choice of its processes that step.
    Transition,
    /// The same for some transitions only.
    Rules(Vec<RuleId>),
}

/// A constraint: these steps, by position in the instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Constraint {
    pub(super) strong: bool,
    pub(super) steps: Vec<bool>,
}

/// All constraints of some demands for the steps of an instance, each given by its transition and processes.
pub(super) fn constraints(model: &Model, fair: &[Fair], steps: &[(usize, Vec<usize>)]) -> Vec<Constraint> {
    let mut found: Vec<Constraint> = Vec::new();
    for demand in fair {
        let mut keys: Vec<(Option<RuleId>, Vec<usize>)> = Vec::new();
        let mut members: Vec<Vec<bool>> = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            let Some(key) = key(model, &demand.of, step) else { continue };
            let group = keys.iter().position(|known| *known == key).unwrap_or_else(|| {
                keys.push(key);
                members.push(vec![false; steps.len()]);
                keys.len() - 1
            });
            members[group][at] = true;
        }
        found.extend(members.into_iter().map(|steps| Constraint { strong: demand.strong, steps }));
    }
    // What is demanded twice is demanded once; strong fairness includes weak fairness.
    let all = found.clone();
    found.retain(|one| one.strong || !all.iter().any(|other| other.strong && other.steps == one.steps));
    found.dedup();
    found
}

/// The group of a step; none if the demand is not about it.
fn key(
    model: &Model,
    unit: &Unit,
    (transition, processes): &(usize, Vec<usize>),
) -> Option<(Option<RuleId>, Vec<usize>)> {
    let transition = &model.transitions[*transition];
    let rule = transition.rule;
    let params = model.rules[rule.index()].params.len().min(processes.len());
    match unit {
        Unit::Process => {
            let actor =
                transition.actor.and_then(|actor| transition.params.iter().position(|param| *param == actor));
            Some((None, vec![*processes.get(actor.unwrap_or(0))?]))
        }
        Unit::Transition => Some((Some(rule), processes[..params].to_vec())),
        Unit::Rules(rules) => rules.contains(&rule).then(|| (Some(rule), processes[..params].to_vec())),
    }
}
