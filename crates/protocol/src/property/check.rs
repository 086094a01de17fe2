//! Deciding properties: the product of explored states and an automaton, and the runs that it finds.

use super::{
    atoms::Property,
    graph::{Letters, RunGraph},
};
use crate::machine::{Choice, Explored, Implementation, Runner};
use explore::{Schedule, Steered, Trace, Verdict, record};
use ltl::{Automaton, Emptiness, Fairness, Formula, Letter, TooLarge, Unary, Word, is_refuted};

/// Which runs count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Runs {
    /// Only runs that never end. Otherwise a run may end where the protocol may stop, and ends where it is stuck.
    pub infinite_only: bool,
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

/// Decides a property of all runs of an implementation whose states were explored. `automaton` is one for the negation; without it the
/// formula is translated.
pub fn check(
    implementation: &Implementation,
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
    let letters = Letters::new(property, implementation);
    let mut graph = RunGraph::new(explored, letters, runs);
    let mut result = None;
    if translated.is_terminal() && !runs.infinite_only {
        let (found, size) = ltl::reach(&mut graph, &translated);
        let decided = !matches!(&found, Emptiness::Run(run) if run.back.is_none() && !refutes(property, run, automaton));
        result = decided.then_some((found, size));
    }
    let (found, size) = result.unwrap_or_else(|| ltl::search(&mut graph, &translated, Fairness::default()));
    let judgement = match found {
        Emptiness::Empty if explored.is_complete() => {
            Judgement { verdict: Verdict::Holds, open: None, violation: None, states: 0, transitions: 0 }
        }
        Emptiness::Empty | Emptiness::Stopped => unknown(Open::Incomplete),
        Emptiness::Run(run) => violated(implementation, explored, property, runs, automaton, &run),
    };
    Judgement { states: size.states, transitions: size.transitions, ..judgement }
}

fn refutes(property: &Property, run: &ltl::Run, automaton: Option<&Automaton>) -> bool {
    let letters: Vec<Letter> = run.labels.iter().map(|label| label.letter).collect();
    automaton.is_none() && is_refuted(&property.formula, &letters)
}

fn unknown(reason: Open) -> Judgement {
    Judgement { verdict: Verdict::Unknown, open: Some(reason), violation: None, states: 0, transitions: 0 }
}

/// Follows a run on the implementation itself, and judges it by the definition.
fn violated(
    implementation: &Implementation,
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
    let choices = match choices(implementation, explored, property, run, steps) {
        Ok(choices) => choices,
        Err(reason) => return unknown(Open::Contradiction(reason)),
    };
    let back = run.back.map(|back| back.min(steps));
    let confirmed = confirm(implementation, property, runs, automaton, &choices, back);
    let trace = confirmed.and_then(|()| {
        let schedule = Schedule { initial: 0, actions: choices };
        record(&mut Runner::new(implementation), &schedule).map_err(|fault| fault.to_string())
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
    implementation: &Implementation,
    explored: &Explored,
    property: &Property,
    run: &ltl::Run,
    steps: usize,
) -> Result<Vec<Choice>, String> {
    let letters = Letters::new(property, implementation);
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
    implementation: &Implementation,
    property: &Property,
    runs: Runs,
    automaton: Option<&Automaton>,
    choices: &[Choice],
    back: Option<usize>,
) -> Result<(), String> {
    let mut runner = Runner::new(implementation);
    let (mut word, mut places) = (Vec::new(), vec![runner.identity()]);
    let letters = Letters::new(property, implementation);
    let here = |runner: &Runner<'_>| -> Letter {
        let enabled = implementation.moves(runner.state());
        let enabled = enabled.iter().map(|step| letters.enabled(&step.action)).fold(0, |all, one| all | one);
        letters.state(runner.state()) | enabled
    };
    for choice in choices {
        word.push(here(&runner) | letters.taken(&choice.action));
        runner.take(choice).map_err(|fault| fault.to_string())?;
        places.push(runner.identity());
    }
    let Some(back) = back else {
        let refuted = automaton.is_none() && is_refuted(&property.formula, &word) && !runs.infinite_only;
        return refuted.then_some(()).ok_or_else(|| "the property is still open".into());
    };
    if back == choices.len() {
        let may_end = implementation.may_end(runner.state());
        let stuck = implementation.moves(runner.state()).is_empty();
        if runs.infinite_only || !may_end && !stuck {
            return Err("the run does not end there".into());
        }
        word.push(letters.state(runner.state()) | letters.end(!may_end));
    } else if places.get(back) != places.last() {
        return Err("the cycle does not close".into());
    }
    let violated = match automaton {
        Some(automaton) => automaton.accepts(&word[..back], &word[back..]),
        None => !(Word { letters: word, back }).satisfies(&property.formula),
    };
    violated.then_some(()).ok_or_else(|| "the run satisfies the property".into())
}
