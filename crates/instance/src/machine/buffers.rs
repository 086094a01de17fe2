//! What is in the store buffers of the current state, in the words of the model.

use super::{Machine, Obstacle, number};
use explore::{Buffered, Stored, Value, Variable};
use ir::store_buffers::{EffectArm, Slot, Write};
use ir::{Formula, Relation, Sort, SymbolId, Term};

impl<const W: usize> Machine<'_, '_, W> {
    /// The entries in the store buffer of a process, the oldest first; `None` if there are no store buffers.
    pub fn store_buffer(&self, process: usize) -> Option<Vec<Buffered>> {
        let buffers = self.instance().model.buffers.as_ref()?;
        let entry = |slot: &Slot| {
            let held = usize::try_from(self.code_at(slot.write, process)).ok()?.checked_sub(1)?;
            Some(self.entry(slot, &buffers.writes[held], process))
        };
        // What writes no cell at all is not there.
        let entries = buffers.slots.iter().map_while(entry);
        Some(entries.filter(|entry| !entry.stores.is_empty()).collect())
    }

    /// Why a run is not exhaustive that has seen a full buffer.
    pub(crate) fn full_buffer(&self) -> Obstacle {
        let entries = self.instance().model.buffers.as_ref().map_or(0, |buffers| buffers.slots.len());
        Obstacle::FullBuffer(entries)
    }

    fn entry(&self, slot: &Slot, write: &Write, process: usize) -> Buffered {
        let owner = Term::Process(from_one(process));
        let arguments = slot.arguments_of(write, &owner);
        let mut stores = Vec::new();
        for effect in &write.effects {
            let processes = self.instance().layout.processes;
            let arity = self.instance().model.symbol(effect.symbol).arity;
            for cell in 0..processes.pow(u32::try_from(arity).unwrap_or(u32::MAX)) {
                let place =
                    |at: usize| cell / processes.pow(u32::try_from(arity - 1 - at).unwrap_or(0)) % processes;
                let indices: Vec<Term> = (0..arity).map(|at| Term::Process(from_one(place(at)))).collect();
                let arms = write.arms(effect, &owner, &indices, &arguments, &|_, _| None);
                stores.extend(self.stored(effect.symbol, &indices, &arms));
            }
        }
        Buffered { stores, copies: self.copies(slot, process) }
    }

    /// How often a process has the entry of a slot; the last constructor means many.
    fn copies(&self, slot: &Slot, process: usize) -> Option<usize> {
        let Some(copies) = slot.copies else { return Some(1) };
        let model = self.instance().model;
        let Sort::Enum(of) = model.symbol(copies).sort else { return None };
        let count = usize::try_from(self.code_at(copies, process)).ok()? + 1;
        Some(count).filter(|count| *count < model.enums[of.index()].constructors.len())
    }

    /// What the first arm that applies to a cell stores there.
    fn stored(&self, symbol: SymbolId, indices: &[Term], arms: &[EffectArm]) -> Option<Stored> {
        let arm = arms.iter().find(|arm| self.holds_here(&arm.condition) != Some(false))?;
        let name = self.instance().model.symbol(symbol).name.clone();
        let indices = indices.iter().map(|index| self.value_of_argument(index)).collect();
        let value = self.value_of_argument(arm.value.as_ref()?);
        Some(Stored { variable: Variable { name, indices }, value })
    }

    /// Whether a condition without variables holds; `None` if it is about numbers.
    fn holds_here(&self, condition: &Formula) -> Option<bool> {
        match condition {
            Formula::True => Some(true),
            Formula::False => Some(false),
            Formula::Compare(relation, left, right) => {
                let (left, right) = (self.code_of(left)?, self.code_of(right)?);
                Some(match relation {
                    Relation::Eq => left == right,
                    Relation::Neq => left != right,
                    Relation::Lt => left < right,
                    Relation::Le => left <= right,
                })
            }
            Formula::Not(inner) => self.holds_here(inner).map(|truth| !truth),
            Formula::And(parts) => {
                parts.iter().try_fold(true, |all, part| Some(all && self.holds_here(part)?))
            }
            Formula::Or(parts) => {
                parts.iter().try_fold(false, |any, part| Some(any || self.holds_here(part)?))
            }
            Formula::Iff(left, right) => Some(self.holds_here(left)? == self.holds_here(right)?),
            Formula::If(condition, then, otherwise) => {
                self.holds_here(if self.holds_here(condition)? { then } else { otherwise })
            }
            Formula::Quantified { .. } | Formula::Fence => None,
        }
    }

    /// The code of a process or of a constructor.
    fn code_of(&self, term: &Term) -> Option<u64> {
        let layout = &self.instance().layout;
        match term {
            Term::Process(number) => Some(u64::from(*number) - 1),
            Term::Outsider(id) => Some((layout.processes + id.index()) as u64),
            Term::Constructor(_, at) => Some(u64::from(*at)),
            Term::Read { symbol, indices, .. } => {
                let slot = &layout.slots[self.cell_of(*symbol, indices)?];
                (!slot.unset).then(|| slot.code(self.state()))
            }
            _ => None,
        }
    }

    /// The value of a term without variables, such as an argument of an entry.
    fn value_of_argument(&self, term: &Term) -> Value {
        let instance = self.instance();
        let open = || Value::word("…");
        match term {
            Term::Process(number) => (*number as usize).checked_sub(1).map_or_else(open, Value::Process),
            Term::Constructor(of, at) => instance.value((*at).into(), Sort::Enum(*of)),
            Term::Outsider(id) => Value::word(instance.model.outsiders[id.index()].name.clone()),
            // The kind of a process is the same in all states of an instance.
            Term::Read { symbol, indices, .. } => {
                self.cell_of(*symbol, indices).map_or_else(open, |slot| self.value_at(slot))
            }
            Term::ProcessCount => {
                i64::try_from(instance.layout.processes).map_or_else(|_| open(), Value::Integer)
            }
            Term::Linear(linear) => linear.as_number().map_or_else(open, number::value),
            Term::Var(_) | Term::Count { .. } => open(),
        }
    }

    /// The slot of a cell whose indices are processes.
    fn cell_of(&self, symbol: SymbolId, indices: &[Term]) -> Option<usize> {
        let layout = &self.instance().layout;
        let mut cell = 0;
        for index in indices {
            let Term::Process(number) = index else { return None };
            cell = cell * layout.processes + usize::try_from(*number).ok()? - 1;
        }
        Some(layout.first(symbol)? + cell)
    }
}

/// The number of a process, from 1.
fn from_one(process: usize) -> u32 {
    u32::try_from(process + 1).unwrap_or(u32::MAX)
}

impl<const W: usize> Machine<'_, '_, W> {
    /// Whether an action takes an entry out of a store buffer.
    pub fn is_flush(&self, action: &super::Action) -> bool {
        let model = self.instance().model;
        let rule = model.transitions[self.step_of(action).0].rule;
        model.buffers.as_ref().is_some_and(|buffers| buffers.flush == rule)
    }
}
