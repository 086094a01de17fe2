//! Weak memory: loads, stores and atomic instructions that follow a program counter in a register, with fences that
//! keep the buffers bounded.

use crate::features::Feature;
use crate::generator::Generator;
use crate::piece::Piece;
use crate::scope::{Instruction, Scope};
use crate::symbols::{Symbol, Type};
use crate::transition::Draft;

impl Generator {
    /// Steps between the values of the program counter. Every backward step waits for the buffer to be empty, so that
    /// no cycle of the program fills it without bound; on request, some do not.
    pub(crate) fn weak_transitions(&mut self, number: usize) -> Vec<Draft> {
        (0..number).filter_map(|position| self.weak_transition(position)).collect()
    }

    fn weak_transition(&mut self, position: usize) -> Option<Draft> {
        let (counter, enumeration) = self.signature.counter.clone()?;
        let places = self.signature.enumerations[enumeration].1.clone();
        let parameters = self.rng.one_of(&[1, 1, 2]);
        let mut draft = self.empty_draft(parameters, true);
        let actor = draft.scope.actor.clone()?;
        // A transition that reads and writes whatever it likes is nearly always atomic, and buffers nothing.
        let stores = if position == 0 { 9 } else { 3 };
        let instructions = [(stores, Instruction::Store), (3, Instruction::Load), (2, Instruction::Any)];
        draft.scope.instruction = self.rng.weighted(&instructions)?;
        let from = position % places.len();
        let to = if self.rng.chance(2, 3) { (from + 1) % places.len() } else { self.rng.below(places.len()) };
        draft.guard.push(Piece::atom(format!("{counter}[{actor}] = {}", places[from])));
        draft.statements.push(format!("{counter}[{actor}] := {}", places[to]));
        draft.assigned.push(counter);
        let backward = to <= from && !self.sometimes(Feature::UnfencedLoops, 1, 4);
        if backward || self.rng.chance(1, 6) {
            draft.guard.push(Piece::atom("fence()"));
        }
        // Most stores happen whatever was read, so that there is something to load.
        if draft.scope.instruction != Instruction::Store && self.rng.chance(1, 3) {
            let condition = self.atom(&draft.scope);
            draft.guard.push(condition);
        }
        if draft.scope.instruction == Instruction::Load
            && self.may_quantify(&draft.scope, true)
            && self.rng.chance(1, 3)
        {
            draft.guard.extend(self.quantified(&draft.scope, 0));
        }
        Some(draft)
    }

    /// Whether a symbol has the type of a weak one.
    pub(crate) fn can_be_loaded(&self, symbol: &Symbol) -> bool {
        self.signature.symbols.iter().any(|other| other.weak && other.ty == symbol.ty)
    }

    /// A weak symbol or cell of a type.
    pub(crate) fn weak_symbol_of(&mut self, ty: Type, scope: &Scope) -> Option<String> {
        let mut weak = self.readable(scope);
        weak.retain(|symbol| symbol.weak && symbol.ty == ty);
        let symbol = self.rng.pick(&weak)?.clone();
        self.access(&symbol, scope)
    }
}
