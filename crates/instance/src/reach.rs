//! Finding the nearest state of some kind that is reachable from the current state of a machine.

use crate::{
    judge::Judge,
    machine::{Action, Compiled, Instance, Machine, Obstacle, Unanswerable},
};
use explore::{DeadlockPolicy, End, Limit, Limits, ParallelBfs, Progress, Property, Stats, Steered};
use ir::{Formula, LoneFormula, Model, Property as Named};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// The states to look for.
#[derive(Debug, Clone)]
pub enum Goal {
    /// A state that satisfies a formula.
    Formula(Box<LoneFormula>),
    /// A state without an enabled action.
    Deadlock,
}

impl Goal {
    /// A state that violates a property of a model.
    pub fn violation(property: &Named) -> Goal {
        let body = property.formula.clone();
        let formula =
            if property.params.is_empty() { body } else { Formula::exists(property.params.clone(), body) };
        let property = Named { params: vec![], formula, ..property.clone() };
        Goal::Formula(Box::new(LoneFormula { property, named_processes: 0 }))
    }
}

/// The result of a search for a goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reached {
    /// A shortest path to the goal, confirmed by replay.
    Path(Vec<Action>),
    /// The goal is unreachable: all reachable states were visited.
    Nowhere,
    /// A limit ended the search before the goal was found.
    Limit(Limit),
    /// The goal is unreachable within the ranges that the user gave.
    Ranges,
    /// An obstacle kept the search from visiting all states.
    Obstacle(Obstacle),
    /// The formula has no value in some state, and the goal was not found elsewhere.
    Unanswerable,
    /// The search failed, or its path could not be replayed: a bug.
    Contradiction(String),
}

/// Resources of a search for a goal.
#[derive(Debug, Clone)]
pub struct Effort {
    /// Limits on time, memory, states and steps.
    pub limits: Limits,
    /// The number of threads.
    pub workers: usize,
    /// Receives the progress.
    pub progress: Arc<Progress>,
}

/// Searches breadth first from the current state of the machine, so that the path found is a shortest one.
pub fn reach<const W: usize>(
    model: &Model,
    machine: &Machine<'_, '_, W>,
    goal: &Goal,
    effort: &Effort,
) -> Result<(Reached, Stats), Unanswerable> {
    let wanted = Wanted::new(model, machine, goal)?;
    let mut searched = machine.beginning_here();
    let outcome = ParallelBfs::new(&mut searched, wanted.clone())
        .limit(effort.limits.clone())
        .up_to_symmetry(is_symmetric(model, goal))
        .share(effort.workers, None)
        .tell(effort.progress.clone())
        .run();
    let reached = match (outcome.found.into_iter().next(), outcome.end) {
        (Some(found), _) => confirm(&mut searched, &wanted, found.schedule.actions),
        (None, End::Limit(limit)) => Reached::Limit(limit),
        (None, End::Fault(fault)) if searched.obstacle().is_none() => {
            Reached::Contradiction(fault.to_string())
        }
        (None, _) => match searched.obstacle() {
            Some(obstacle) => Reached::Obstacle(obstacle),
            None if wanted.unanswered.load(Ordering::Relaxed) => Reached::Unanswerable,
            None if searched.was_cut() => Reached::Ranges,
            None => Reached::Nowhere,
        },
    };
    Ok((reached, outcome.stats))
}

/// Replays the path on the machine itself.
fn confirm<const W: usize>(
    machine: &mut Machine<'_, '_, W>,
    wanted: &Wanted<'_>,
    actions: Vec<Action>,
) -> Reached {
    let mut enabled = Vec::new();
    let followed = machine.start(0).and_then(|()| {
        actions.iter().try_for_each(|action| {
            enabled.clear();
            machine.enabled(&mut enabled);
            if enabled.contains(action) {
                machine.take(action)
            } else {
                Err(explore::Fault::Broken("a step of the way is not enabled".into()))
            }
        })
    });
    match followed {
        Ok(()) if wanted.is_here(machine) => Reached::Path(actions),
        Ok(()) => Reached::Contradiction("the way to it does not lead there again".into()),
        Err(fault) => Reached::Contradiction(fault.to_string()),
    }
}

/// Whether a permutation of processes preserves the goal as well as the model.
fn is_symmetric(model: &Model, goal: &Goal) -> bool {
    let Goal::Formula(formula) = goal else { return Instance::is_symmetric(model) };
    let LoneFormula { property, named_processes } = &**formula;
    let mut with_goal = model.clone();
    with_goal.named_processes = with_goal.named_processes.max(*named_processes);
    with_goal.properties.push(property.clone());
    Instance::is_symmetric(&with_goal)
}

/// Reports the states that satisfy the goal.
#[derive(Clone)]
struct Wanted<'m> {
    model: &'m Model,
    /// `None` if the goal is a deadlock.
    formula: Option<Compiled>,
    /// Whether the formula had no value in some state.
    unanswered: Arc<AtomicBool>,
}

impl<'m> Wanted<'m> {
    fn new<const W: usize>(
        model: &'m Model,
        machine: &Machine<'_, '_, W>,
        goal: &Goal,
    ) -> Result<Wanted<'m>, Unanswerable> {
        let formula = match goal {
            Goal::Formula(formula) => Some(machine.compile(&formula.property.formula, &[])?),
            Goal::Deadlock => None,
        };
        Ok(Wanted { model, formula, unanswered: Arc::default() })
    }

    fn is_here<const W: usize>(&self, machine: &Machine<'_, '_, W>) -> bool {
        let Some(formula) = &self.formula else { return is_deadlock(self.model, machine) };
        formula.holds(machine).unwrap_or_else(|| {
            self.unanswered.store(true, Ordering::Relaxed);
            false
        })
    }
}

fn is_deadlock<const W: usize>(model: &Model, machine: &Machine<'_, '_, W>) -> bool {
    let here = Judge::new(model, DeadlockPolicy::Error).here(machine);
    here.iter().any(|violation| violation.property().is_none())
}

impl<const W: usize> Property<Machine<'_, '_, W>> for Wanted<'_> {
    type Violation = ();

    fn state(&mut self, machine: &Machine<'_, '_, W>, violations: &mut Vec<()>) {
        if self.formula.is_some() && self.is_here(machine) {
            violations.push(());
        }
    }

    fn stuck(&mut self, machine: &Machine<'_, '_, W>, violations: &mut Vec<()>) {
        if self.formula.is_none() && self.is_here(machine) {
            violations.push(());
        }
    }
}
