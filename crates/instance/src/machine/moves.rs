//! The steps from a state with the states that they lead to, for searches that ask which step it was.

use super::{Machine, Trouble, system::Action};
use explore::Fault;

/// A step that is possible in a state, and where it leads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Move<const W: usize> {
    pub(crate) action: Action,
    pub(crate) to: [u64; W],
}

impl<const W: usize> Machine<'_, '_, W> {
    /// Goes to a state.
    pub(crate) fn go_to(&mut self, state: &[u64; W]) {
        self.put(*state);
    }

    /// Lists the steps whose guards hold here, by position in the instance, and all moves. A step that is excluded by a range or a
    /// trusted invariant is enabled, but no move.
    pub(crate) fn moves(&mut self, enabled: &mut Vec<u32>, moves: &mut Vec<Move<W>>) -> Result<(), Fault> {
        let instance = self.instance();
        let here = *self.state();
        for (at, step) in instance.steps.iter().enumerate() {
            match instance.program.passes(&step.guard, &here) {
                Ok(true) => {}
                // Misuse of an outsider is a violation in its own right.
                Ok(false) | Err(Trouble::Outsider) => continue,
                Err(trouble) => {
                    self.note(trouble.into());
                    continue;
                }
            }
            let number = u32::try_from(at).expect("few steps");
            enabled.push(number);
            if let Some(to) = step.constant_successor(&here).filter(|_| instance.abstract_slots.is_empty()) {
                moves.push(Move { action: Action { step: number, choice: 0 }, to });
                continue;
            }
            let mut choice = 0_u32;
            self.each_successor(at, &mut |_, to| {
                moves.push(Move { action: Action { step: number, choice }, to: *to });
                choice = choice.saturating_add(1);
            });
        }
        self.drop_untrusted(moves);
        self.stop_at_obstacle()
    }

    /// For each step of the current instance, by position: its transition in the model and its processes.
    pub(crate) fn all_steps(&self) -> impl Iterator<Item = (usize, &[usize])> {
        self.instance().steps.iter().map(|step| (step.transition, step.processes.as_slice()))
    }
}
