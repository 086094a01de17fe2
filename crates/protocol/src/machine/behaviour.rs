//! What can be explored, compared and judged: anything that does what a protocol may do.

use super::{implementation::Implementation, implementation::Move};
use crate::meaning::Vocabulary;
use explore::Fault;
use session::State;

/// An implementation by tables, an object of a program, or a program behind a pipe.
pub trait Behaviour {
    /// Roles, types and actions.
    fn vocabulary(&self) -> &Vocabulary;

    /// The channels, sorted: sender and receiver.
    fn channels(&self) -> &[(u32, u32)];

    /// The first state.
    fn initial(&self) -> Result<State, Fault>;

    /// The steps from a state.
    fn moves(&self, state: &State) -> Result<Vec<Move>, Fault>;

    /// Whether the run may end here successfully.
    fn may_end(&self, state: &State) -> Result<bool, Fault>;

    /// What a machine is called in traces.
    fn machine(&self, machine: usize) -> String;

    /// Whether it is known that no step depends on how much is in a channel, but for the message that is taken.
    fn ignores_lengths(&self) -> bool {
        false
    }

    /// The number of a channel.
    fn channel(&self, from: u32, to: u32) -> Option<usize> {
        self.channels().binary_search(&(from, to)).ok()
    }
}

impl Behaviour for Implementation {
    fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary()
    }

    fn channels(&self) -> &[(u32, u32)] {
        self.channels()
    }

    fn initial(&self) -> Result<State, Fault> {
        Ok(self.initial())
    }

    fn moves(&self, state: &State) -> Result<Vec<Move>, Fault> {
        Ok(self.moves(state))
    }

    fn may_end(&self, state: &State) -> Result<bool, Fault> {
        Ok(self.may_end(state))
    }

    fn ignores_lengths(&self) -> bool {
        self.capacity().is_none()
    }

    fn machine(&self, machine: usize) -> String {
        match self.style() {
            super::Style::Liberal => self.vocabulary().roles[machine].name.clone(),
            super::Style::Spec | super::Style::Strict => "all".to_owned(),
        }
    }
}
