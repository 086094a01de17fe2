//! An implementation as a system that can be steered, so that its runs are traces like those of anything else.

use super::behaviour::Behaviour;
use crate::meaning::Action;
use explore::{Entry, Fault, Label, Steered, System, Valuation, Value};
use session::{Channel, State};

/// An action; if several steps have the same one, the number of the step among them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Choice {
    /// What is done.
    pub action: Action,
    /// Which of several steps with this action, from 0.
    pub number: usize,
}

/// An implementation in one of its states.
#[derive(Clone)]
pub struct Runner<'i> {
    behaviour: &'i dyn Behaviour,
    state: State,
}

impl<'i> Runner<'i> {
    /// An implementation in its first state.
    pub fn new(behaviour: &'i dyn Behaviour) -> Result<Runner<'i>, Fault> {
        Ok(Runner { behaviour, state: behaviour.initial()? })
    }

    /// The current state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Takes the first step with an action.
    pub fn act(&mut self, action: &Action) -> Result<(), Fault> {
        self.take(&Choice { action: action.clone(), number: 0 })
    }

    fn channel(&self, channel: &Channel) -> Value {
        let types = &self.behaviour.vocabulary().types;
        let name = |kind: Option<u32>| kind.map_or("*", |kind| &types[kind as usize]);
        let mut words: Vec<&str> = channel.messages.iter().map(|message| name(message.kind)).collect();
        if words.is_empty() {
            words.push("empty");
        }
        if channel.closed {
            words.push("closed");
        }
        Value::Word(words.join(" "))
    }
}

impl Steered for Runner<'_> {
    type Action = Choice;
    type Identity = State;

    fn initials(&mut self) -> Result<usize, Fault> {
        Ok(1)
    }

    fn start(&mut self, _initial: usize) -> Result<(), Fault> {
        self.state = self.behaviour.initial()?;
        Ok(())
    }

    fn enabled(&self, actions: &mut Vec<Choice>) {
        // A failure shows as soon as a step is taken.
        for step in self.behaviour.moves(&self.state).unwrap_or_default() {
            let number = actions.iter().filter(|known| known.action == step.action).count();
            actions.push(Choice { action: step.action, number });
        }
    }

    fn take(&mut self, choice: &Choice) -> Result<(), Fault> {
        let moves = self.behaviour.moves(&self.state)?;
        let mut same = moves.into_iter().filter(|step| step.action == choice.action);
        match same.nth(choice.number) {
            Some(step) => {
                self.state = step.to;
                Ok(())
            }
            None => Err(Fault::Broken(format!("`{}` is not enabled", self.label(choice)))),
        }
    }

    fn identity(&self) -> State {
        self.state.clone()
    }

    fn ended(&self) -> bool {
        self.behaviour.may_end(&self.state).unwrap_or(false)
    }

    fn process(&self, choice: &Choice) -> Option<usize> {
        Some(choice.action.subject() as usize)
    }

    fn actors(&self) -> Vec<String> {
        self.behaviour.vocabulary().roles.iter().map(|role| role.name.clone()).collect()
    }

    fn label(&self, choice: &Choice) -> Label {
        let text = self.behaviour.vocabulary().text(&choice.action);
        if choice.number == 0 { text.into() } else { format!("{text} choice {}", choice.number + 1).into() }
    }

    fn describe(&self) -> Valuation {
        let vocabulary = self.behaviour.vocabulary();
        let name = |role: u32| vocabulary.roles[role as usize].name.as_str();
        let control = self.state.control.iter().zip(0..).map(|(state, machine)| {
            Entry::variable(
                format!("at({})", self.behaviour.machine(machine)),
                Value::Integer(i64::from(*state)),
            )
        });
        let channels = self.behaviour.channels().iter().zip(&self.state.channels);
        let channels = channels.map(|((from, to), channel)| {
            Entry::variable(format!("channel({}, {})", name(*from), name(*to)), self.channel(channel))
        });
        control.chain(channels).collect()
    }
}

impl System for Runner<'_> {
    type Checkpoint = State;

    fn checkpoint(&mut self) -> State {
        self.state.clone()
    }

    fn restore(&mut self, state: &State) -> Result<(), Fault> {
        self.state = state.clone();
        Ok(())
    }
}
