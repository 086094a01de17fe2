//! Deciding properties: the product of explored states and an automaton, and the runs that it finds.

use super::{
    atoms::Property,
    graph::{Letters, RunGraph, actors},
};
use crate::machine::{Behaviour, Choice, Explored, Runner};
use explore::{Schedule, Steered, Trace, Verdict, record};
use ltl::{Automaton, Emptiness, Fairness, Formula, Letter, TooLarge, Unary, Word, is_refuted};

/// What a role that can act is owed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fair {
    /// Nothing.
    #[default]
    No,
    /// A role that can act from some time on, without a break, acts again and again.
    Weak,
    /// A role that can act again and again does act again and again.
    Strong,
}

/// The most roles that fairness can tell apart.
pub const MOST_FAIR_ROLES: usize = 64;

/// Which runs count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Runs {
    /// Only runs that never end. Otherwise a run may end where the protocol may stop, and ends where it is stuck.
    pub infinite_only: bool,
    /// Only runs that are fair to each role.
    pub fair: Fair,
}

/// Why a property was not decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Open {
    /// Not all states are known.
    Incomplete,
    /// There is no automaton for the formula.
    Formula(TooLarge),
    /// A run that was found does not violate the property, which is a defect of this tool.
    Contradiction(String),
}

/// A run that violates a property, replayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The run.
    pub trace: Trace,
    /// How it goes on, in words; empty if the trace says it.
    pub message: String,
}

/// The answer about a property.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is unknown.
    pub open: Option<Open>,
    /// If it is violated: a run.
    pub violation: Option<Violation>,
    /// States of the product.
    pub states: usize,
    /// Steps of the product.
    pub transitions: usize,
}

/// Decides a property of all runs of an behaviour whose states were explored. `automaton` is one for the negation; without it the
/// formula is translated.
pub fn check(
    behaviour: &dyn Behaviour,
    explored: &Explored,
    property: &Property,
    runs: Runs,
    automaton: Option<&Automaton>,
) -> Judgement {
    let negation = || Formula::Unary(Unary::Not, Box::new(property.formula.clone()));
    let translated = match automaton.map(|automaton| Ok(automaton.clone())) {
        Some(given) => given,
        None => ltl::translate(&negation(), property.names()),
    };
    let translated = match translated {
        Ok(automaton) => automaton,
        Err(reason) => return unknown(Open::Formula(reason)),
    };
    let letters = Letters::new(property, behaviour);
    let mut graph = RunGraph::new(explored, letters, runs);
    let mut result = None;
    if translated.is_terminal() && !runs.infinite_only {
        let (found, size) = ltl::reach(&mut graph, &translated);
        let decided = !matches!(&found, Emptiness::Run(run) if run.back.is_none() && !refutes(property, run, automaton));
        result = decided.then_some((found, size));
    }
    let (found, size) = result.unwrap_or_else(|| ltl::search(&mut graph, &translated, fairness(runs)));
    let judgement = match found {
        Emptiness::Empty if explored.is_complete() => {
            Judgement { verdict: Verdict::Holds, open: None, violation: None, states: 0, transitions: 0 }
        }
        Emptiness::Empty | Emptiness::Stopped => unknown(Open::Incomplete),
        Emptiness::Run(run) => violated(behaviour, explored, property, runs, automaton, &run),
    };
    Judgement { states: size.states, transitions: size.transitions, ..judgement }
}

fn fairness(runs: Runs) -> Fairness {
    match runs.fair {
        Fair::No => Fairness::default(),
        Fair::Weak => Fairness { weak: u64::MAX, strong: 0 },
        Fair::Strong => Fairness { weak: 0, strong: u64::MAX },
    }
}

fn refutes(property: &Property, run: &ltl::Run, automaton: Option<&Automaton>) -> bool {
    let letters: Vec<Letter> = run.labels.iter().map(|label| label.letter).collect();
    automaton.is_none() && is_refuted(&property.formula, &letters)
}

fn unknown(reason: Open) -> Judgement {
    Judgement { verdict: Verdict::Unknown, open: Some(reason), violation: None, states: 0, transitions: 0 }
}

/// Follows a run on the behaviour itself, and judges it by the definition.
fn violated(
    behaviour: &dyn Behaviour,
    explored: &Explored,
    property: &Property,
    runs: Runs,
    automaton: Option<&Automaton>,
    run: &ltl::Run,
) -> Judgement {
    let count = explored.states.len();
    // The steps before the run has ended.
    let steps =
        run.states.iter().position(|state| *state as usize >= count).map_or(run.labels.len(), |at| at - 1);
    let choices = match choices(behaviour, explored, property, run, steps) {
        Ok(choices) => choices,
        Err(reason) => return unknown(Open::Contradiction(reason)),
    };
    let back = run.back.map(|back| back.min(steps));
    let confirmed = confirm(behaviour, property, runs, automaton, &choices, back);
    let trace = confirmed.and_then(|()| {
        let schedule = Schedule { initial: 0, actions: choices };
        let mut runner = Runner::new(behaviour).map_err(|fault| fault.to_string())?;
        record(&mut runner, &schedule).map_err(|fault| fault.to_string())
    });
    match trace {
        Err(reason) => unknown(Open::Contradiction(reason)),
        Ok(trace) => {
            let message = match back {
                None => "violated however the run goes on".to_owned(),
                Some(back) if back == trace.steps.len() => ending(explored, run).to_owned(),
                Some(_) => String::new(),
            };
            let violation = Violation { trace: Trace { back, ..trace }, message };
            Judgement {
                verdict: Verdict::Violated,
                open: None,
                violation: Some(violation),
                states: 0,
                transitions: 0,
            }
        }
    }
}

fn ending(explored: &Explored, run: &ltl::Run) -> &'static str {
    let count = explored.states.len();
    let ended = run.states.iter().find(|state| **state as usize >= count);
    match ended {
        Some(state) if !explored.may_end[*state as usize - count] => "the run is stuck there",
        _ => "the run ends there",
    }
}

/// The steps of a run as choices of a runner.
fn choices(
    behaviour: &dyn Behaviour,
    explored: &Explored,
    property: &Property,
    run: &ltl::Run,
    steps: usize,
) -> Result<Vec<Choice>, String> {
    let letters = Letters::new(property, behaviour);
    let mut choices = Vec::new();
    for at in 0..steps {
        let from = run.states[at] as usize;
        let to = run.states.get(at + 1).copied().or_else(|| run.back.map(|back| run.states[back]));
        let to = to.ok_or("a step leads nowhere")?;
        let bits = letters_of_actions(property);
        let fits = |(action, target): &(u32, u32)| {
            let taken = letters.taken(&explored.actions[*action as usize]);
            *target == to && taken & bits == run.labels[at].letter & bits
        };
        let position = explored.steps[from].iter().position(fits).ok_or("a step is unknown")?;
        let (action, _) = explored.steps[from][position];
        let number = explored.steps[from][..position].iter().filter(|(known, _)| *known == action).count();
        choices.push(Choice { action: explored.actions[action as usize].clone(), number });
    }
    Ok(choices)
}

/// The atoms about the action that is taken.
fn letters_of_actions(property: &Property) -> Letter {
    let is_taken = |(at, atom): (usize, &super::Atom)| u64::from(matches!(atom, super::Atom::Taken(_))) << at;
    property.atoms.iter().enumerate().map(is_taken).sum()
}

/// Follows a run from its start, and says why it does not violate the property, if it does not: letter by letter, without the explored
/// states, and for a formula without an automaton.
pub fn confirm(
    behaviour: &dyn Behaviour,
    property: &Property,
    runs: Runs,
    automaton: Option<&Automaton>,
    choices: &[Choice],
    back: Option<usize>,
) -> Result<(), String> {
    let text = |fault: explore::Fault| fault.to_string();
    let mut runner = Runner::new(behaviour).map_err(text)?;
    let (mut word, mut places) = (Vec::new(), vec![runner.identity()]);
    let letters = Letters::new(property, behaviour);
    let here = |runner: &Runner<'_>| -> Result<Letter, String> {
        let enabled = behaviour.moves(runner.state()).map_err(text)?;
        let enabled = enabled.iter().map(|step| letters.enabled(&step.action)).fold(0, |all, one| all | one);
        Ok(letters.state(runner.state()) | enabled)
    };
    let mut shown: Vec<(u64, u64)> = Vec::new();
    for choice in choices {
        let moves = behaviour.moves(runner.state()).map_err(text)?;
        let enabled = moves.iter().fold(0, |all, step| all | actors(&step.action, runs));
        shown.push((enabled, actors(&choice.action, runs)));
        word.push(here(&runner)? | letters.taken(&choice.action));
        runner.take(choice).map_err(text)?;
        places.push(runner.identity());
    }
    let Some(back) = back else {
        let refuted = automaton.is_none() && is_refuted(&property.formula, &word) && !runs.infinite_only;
        return refuted.then_some(()).ok_or_else(|| "the property is still open".into());
    };
    if back == choices.len() {
        let may_end = behaviour.may_end(runner.state()).map_err(text)?;
        let stuck = behaviour.moves(runner.state()).map_err(text)?.is_empty();
        if runs.infinite_only || !may_end && !stuck {
            return Err("the run does not end there".into());
        }
        word.push(letters.state(runner.state()) | letters.end(!may_end));
    } else if places.get(back) != places.last() {
        return Err("the cycle does not close".into());
    }
    if !is_fair(&shown[back..], runs) {
        return Err("the run is not fair".into());
    }
    let violated = match automaton {
        Some(automaton) => automaton.accepts(&word[..back], &word[back..]),
        None => !(Word { letters: word, back }).satisfies(&property.formula),
    };
    violated.then_some(()).ok_or_else(|| "the run satisfies the property".into())
}

/// Whether a cycle is fair, by the definition: for each of its steps, the roles that could act, and those that did.
fn is_fair(cycle: &[(u64, u64)], runs: Runs) -> bool {
    let taken = cycle.iter().fold(0, |all, (_, taken)| all | taken);
    let owed = match runs.fair {
        Fair::No => 0,
        Fair::Weak => cycle.iter().fold(u64::MAX, |all, (enabled, _)| all & enabled),
        Fair::Strong => cycle.iter().fold(0, |all, (enabled, _)| all | enabled),
    };
    cycle.is_empty() || owed & !taken == 0
}
