//! What is in the store buffers of the current state, in the words of the model.

use super::{Machine, Obstacle, number};
use explore::{Buffered, Stored, Value, Variable};
use ir::store_buffers::{EffectArm, Slot, Write};
use ir::{Formula, Relation, Sort, SymbolId, Term, Var};

impl<const W: usize> Machine<'_, '_, W> {
    /// The entries in the store buffer of a process, the oldest first; `None` if there are no store buffers.
    pub fn store_buffer(&self, process: usize) -> Option<Vec<Buffered>> {
        let buffers = self.instance().model.buffers.as_ref()?;
        let entry = |slot: &Slot| {
            let held = usize::try_from(self.code_at(slot.write, process)).ok()?.checked_sub(1)?;
            Some(self.entry(slot, &buffers.writes[held], process))
        };
        Some(buffers.slots.iter().map_while(entry).collect())
    }

    /// Why a run is not exhaustive that has seen a full buffer.
    pub(crate) fn full_buffer(&self) -> Obstacle {
        let entries = self.instance().model.buffers.as_ref().map_or(0, |buffers| buffers.slots.len());
        Obstacle::FullBuffer(entries)
    }

    fn entry(&self, slot: &Slot, write: &Write, process: usize) -> Buffered {
        let owner = Term::Process(u32::try_from(process + 1).unwrap_or(u32::MAX));
        let arguments = slot.arguments_of(write, &owner);
        let mut stores = Vec::new();
        for effect in &write.effects {
            let arity = self.instance().model.symbol(effect.symbol).arity;
            let cell: Vec<Var> = (0..arity).map(|at| Var::from_index(at + 1)).collect();
            let indices: Vec<Term> = cell.iter().map(|var| Term::Var(*var)).collect();
            for arm in write.arms(effect, &owner, &indices, &arguments, &|_, _| None) {
                stores.extend(self.stored(effect.symbol, &cell, &arm));
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

    fn stored(&self, symbol: SymbolId, cell: &[Var], arm: &EffectArm) -> Option<Stored> {
        let name = self.instance().model.symbol(symbol).name.clone();
        let indices = cell.iter().map(|var| self.index(*var, &arm.condition)).collect();
        Some(Stored {
            variable: Variable { name, indices },
            value: self.value_of_argument(arm.value.as_ref()?),
        })
    }

    /// The index that a condition demands; `…` if it is not an equation.
    fn index(&self, cell: Var, condition: &Formula) -> Value {
        let fixed = condition.conjuncts().iter().find_map(|conjunct| match conjunct {
            Formula::Compare(Relation::Eq, Term::Var(var), index) if *var == cell => {
                Some(self.value_of_argument(index))
            }
            _ => None,
        });
        fixed.unwrap_or_else(|| Value::word("…"))
    }

    /// The value of a term without variables, such as an argument of an entry.
    fn value_of_argument(&self, term: &Term) -> Value {
        let instance = self.instance();
        let open = || Value::word("…");
        match term {
            Term::Process(number) => (*number as usize).checked_sub(1).map_or_else(open, Value::Process),
            Term::Constructor(of, at) => instance.value((*at).into(), Sort::Enum(*of)),
            Term::Outsider(id) => Value::word(instance.model.outsiders[id.index()].name.clone()),
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

impl<const W: usize> Machine<'_, '_, W> {
    /// Whether an action takes an entry out of a store buffer.
    pub fn is_flush(&self, action: &super::Action) -> bool {
        let model = self.instance().model;
        let rule = model.transitions[self.step_of(action).0].rule;
        model.buffers.as_ref().is_some_and(|buffers| buffers.flush == rule)
    }
}
