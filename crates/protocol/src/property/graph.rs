//! The states of an implementation as a graph whose steps carry letters, for the product with an automaton.

use super::{
    atoms::{Atom, Comparison, Property},
    check::{Fair, Runs},
};
use crate::machine::{Behaviour, Explored, State};
use ltl::{Graph, Label, Letter, Step, Stopped};

/// What atoms say about a state and a step from it.
pub(super) struct Letters<'a> {
    property: &'a Property,
    behaviour: &'a dyn Behaviour,
}

impl<'a> Letters<'a> {
    pub(super) fn new(property: &'a Property, behaviour: &'a dyn Behaviour) -> Letters<'a> {
        Letters { property, behaviour }
    }

    /// Atoms about actions: those that hold when each is taken.
    pub(super) fn taken(&self, action: &crate::Action) -> Letter {
        self.of(|atom| matches!(atom, Atom::Taken(pattern) if pattern.contains(action)))
    }

    pub(super) fn enabled(&self, action: &crate::Action) -> Letter {
        self.of(|atom| matches!(atom, Atom::Enabled(pattern) if pattern.contains(action)))
    }

    pub(super) fn state(&self, state: &State) -> Letter {
        self.of(|atom| match atom {
            Atom::Constant(value) => *value,
            Atom::Length(channels, comparison, number) => channels.iter().all(|(from, to)| {
                let channel = self.behaviour.channel(*from, *to);
                let length = channel.map_or(0, |channel| state.channels[channel].messages.len());
                match comparison {
                    Comparison::AtMost => length <= *number,
                    Comparison::AtLeast => length >= *number,
                    Comparison::Exactly => length == *number,
                }
            }),
            _ => false,
        })
    }

    pub(super) fn end(&self, dead: bool) -> Letter {
        self.of(|atom| *atom == if dead { Atom::Dead } else { Atom::End })
    }

    fn of(&self, holds: impl Fn(&Atom) -> bool) -> Letter {
        let bit = |(at, atom): (usize, &Atom)| u64::from(holds(atom)) << at;
        self.property.atoms.iter().enumerate().map(bit).sum()
    }
}

/// Explored states with letters. After them come two states for runs that have ended: well, and stuck.
pub(super) struct RunGraph<'a> {
    explored: &'a Explored,
    letters: Letters<'a>,
    runs: Runs,
    /// For each action what it contributes when it is taken, and when it is enabled.
    actions: Vec<(Letter, Letter)>,
    /// For each action the roles that take it, as a set; empty without fairness.
    actors: Vec<u64>,
}

impl<'a> RunGraph<'a> {
    pub(super) fn new(explored: &'a Explored, letters: Letters<'a>, runs: Runs) -> RunGraph<'a> {
        let actions =
            explored.actions.iter().map(|action| (letters.taken(action), letters.enabled(action))).collect();
        let actors = explored.actions.iter().map(|action| actors(action, runs)).collect();
        RunGraph { explored, letters, runs, actions, actors }
    }

    fn here(&self, state: usize) -> Letter {
        let enabled = |(action, _): &(u32, u32)| self.actions[*action as usize].1;
        let enabled = self.explored.steps[state].iter().map(enabled).fold(0, |all, one| all | one);
        self.letters.state(&self.explored.states[state]) | enabled
    }
}

/// The roles that take an action, as a set, if fairness asks for it.
pub(super) fn actors(action: &crate::Action, runs: Runs) -> u64 {
    if runs.fair == Fair::No {
        return 0;
    }
    (0..64).filter(|role| action.is_step_of(*role)).fold(0, |all, role| all | 1 << role)
}

impl Graph for RunGraph<'_> {
    fn initial(&mut self, states: &mut Vec<u32>) -> Result<(), Stopped> {
        states.push(0);
        Ok(())
    }

    fn steps(&mut self, state: u32, steps: &mut Vec<Step>) -> Result<(), Stopped> {
        let at = state as usize;
        let count = self.explored.states.len();
        let label = |letter: Letter| Label { letter, ..Label::default() };
        if at >= count {
            // The run has ended in a state that is known from the number.
            let ended = at - count;
            let letter = self.letters.state(&self.explored.states[ended]);
            let dead = !self.explored.may_end[ended];
            steps.push(Step { to: state, label: label(letter | self.letters.end(dead)) });
            return Ok(());
        }
        if at >= self.explored.steps.len() {
            return Err(Stopped);
        }
        let here = self.here(at);
        let actors = |(action, _): &(u32, u32)| self.actors[*action as usize];
        let enabled = self.explored.steps[at].iter().map(actors).fold(0, |all, one| all | one);
        for step in &self.explored.steps[at] {
            let letter = here | self.actions[step.0 as usize].0;
            steps.push(Step { to: step.1, label: Label { letter, enabled, taken: actors(step) } });
        }
        let stuck = self.explored.steps[at].is_empty();
        if !self.runs.infinite_only && (stuck || self.explored.may_end[at]) {
            let to = u32::try_from(at + count).expect("there are fewer than 2^31 states");
            let letter = self.letters.state(&self.explored.states[at]);
            let dead = !self.explored.may_end[at];
            steps.push(Step { to, label: label(letter | self.letters.end(dead)) });
        }
        Ok(())
    }
}
