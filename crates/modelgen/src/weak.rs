//! Weak memory: transitions that follow a program counter in a register, with fences that keep the buffers bounded.

use crate::generator::Generator;
use crate::piece::Piece;
use crate::transition::Draft;

impl Generator {
    /// Steps between the values of the program counter. Every backward step waits for the buffer to be empty, so that
    /// no cycle of the program fills it without bound.
    pub(crate) fn weak_transitions(&mut self, number: usize) -> Vec<Draft> {
        (0..number).filter_map(|position| self.weak_transition(position)).collect()
    }

    fn weak_transition(&mut self, position: usize) -> Option<Draft> {
        let (counter, enumeration) = self.signature.counter.clone()?;
        let places = self.signature.enumerations[enumeration].1.clone();
        let parameters = self.rng.one_of(&[1, 1, 2]);
        let mut draft = self.empty_draft(parameters, true);
        let actor = draft.scope.actor.clone()?;
        let from = position % places.len();
        let to = if self.rng.chance(2, 3) { (from + 1) % places.len() } else { self.rng.below(places.len()) };
        draft.guard.push(Piece::atom(format!("{counter}[{actor}] = {}", places[from])));
        draft.statements.push(format!("{counter}[{actor}] := {}", places[to]));
        draft.assigned.push(counter);
        if to <= from || self.rng.chance(1, 5) {
            draft.guard.push(Piece::atom("fence()"));
        }
        if self.rng.chance(1, 2) {
            let condition = self.atom(&draft.scope);
            draft.guard.push(condition);
        }
        Some(draft)
    }
}
