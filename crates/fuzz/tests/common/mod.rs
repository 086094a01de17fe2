//! A toy system: three counters, each of which a process moves up and down, or from the top back to 0.

use explore::{Entry, Fault, Label, Steered, System, Valuation, Value};
use fuzz::Guide;

/// The state: one counter for each process.
pub(crate) type State = [u8; 3];

/// An action of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// Adds one.
    Up,
    /// Subtracts one.
    Down,
    /// Goes from the top to 0.
    Fall,
}

/// The counters and their bounds.
#[derive(Clone, Debug)]
pub(crate) struct Counters {
    /// The current state.
    pub(crate) at: State,
    /// The largest value.
    pub(crate) top: u8,
    /// A state without enabled actions.
    pub(crate) trap: Option<State>,
    /// The number of initial states: the first counter begins at 0, 1, …
    pub(crate) initials: u8,
}

impl Counters {
    /// Counters from 0 to `top`, with one initial state and no trap.
    pub(crate) fn new(top: u8) -> Counters {
        Counters { at: [0; 3], top, trap: None, initials: 1 }
    }
}

impl Steered for Counters {
    type Action = (usize, Move);
    type Identity = State;

    fn initials(&mut self) -> Result<usize, Fault> {
        Ok(self.initials.into())
    }

    fn start(&mut self, initial: usize) -> Result<(), Fault> {
        self.at = [u8::try_from(initial).unwrap(), 0, 0];
        Ok(())
    }

    fn enabled(&self, actions: &mut Vec<Self::Action>) {
        if self.trap == Some(self.at) {
            return;
        }
        for (process, value) in self.at.iter().enumerate() {
            let is_top = *value == self.top;
            let moves = [(Move::Up, !is_top), (Move::Down, *value > 0), (Move::Fall, is_top)];
            actions.extend(moves.iter().filter(|(_, possible)| *possible).map(|(name, _)| (process, *name)));
        }
    }

    fn take(&mut self, (process, name): &Self::Action) -> Result<(), Fault> {
        let value = &mut self.at[*process];
        *value = match name {
            Move::Up => *value + 1,
            Move::Down => *value - 1,
            Move::Fall => 0,
        };
        Ok(())
    }

    fn identity(&self) -> State {
        self.at
    }

    fn ended(&self) -> bool {
        false
    }

    fn process(&self, action: &Self::Action) -> Option<usize> {
        Some(action.0)
    }

    fn label(&self, action: &Self::Action) -> Label {
        format!("{action:?}").into()
    }

    fn describe(&self) -> Valuation {
        vec![Entry::variable("at", Value::Word(format!("{:?}", self.at)))]
    }
}

impl System for Counters {
    type Checkpoint = State;

    fn checkpoint(&mut self) -> State {
        self.at
    }

    fn restore(&mut self, state: &State) -> Result<(), Fault> {
        self.at = *state;
        Ok(())
    }
}

/// A violation by a state of the counters.
pub(crate) type Wrong = u8;

/// All counters are at the top.
pub(crate) const ALL_AT_TOP: Wrong = 1;
/// No action is enabled.
pub(crate) const STUCK: Wrong = 2;
/// The first counter has the marked value: not a violation, but a way to count such states.
pub(crate) const MARKED: Wrong = 3;

/// Judges counters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judge {
    /// States whose first counter has this value are interesting.
    pub(crate) interesting: Option<u8>,
    /// States whose first counter has this value are reported as [`MARKED`].
    pub(crate) marked: Option<u8>,
    /// The transition to prefer.
    pub(crate) preferred: Option<usize>,
}

impl Guide<Counters> for Judge {
    type Violation = Wrong;

    fn transitions(&self) -> usize {
        3
    }

    fn transition(&self, _system: &Counters, action: &(usize, Move)) -> usize {
        action.1 as usize
    }

    fn processes(&self) -> usize {
        3
    }

    fn judge(&self, system: &Counters, stuck: bool, found: &mut Vec<Wrong>) {
        if system.at == [system.top; 3] {
            found.push(ALL_AT_TOP);
        }
        if stuck {
            found.push(STUCK);
        }
        if self.marked == Some(system.at[0]) {
            found.push(MARKED);
        }
    }

    fn is_violation(&self, wrong: Wrong) -> bool {
        wrong == ALL_AT_TOP
    }

    fn is_interesting(&self, system: &Counters) -> bool {
        self.interesting == Some(system.at[0])
    }

    fn is_preferred(&self, transition: usize) -> bool {
        self.preferred == Some(transition)
    }
}
