//! What is in the store buffers of the current state, in the words of the model.

use super::{Machine, Obstacle};
use ir::store_buffers::{EffectArm, Slot, Write};
use ir::{Formula, Relation, SymbolId, Term, Var};

/// An entry of a store buffer, with everything that it will write at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buffered {
    /// What is written.
    pub stores: Vec<Stored>,
    /// How often the entry is in the buffer, one after the other; `None` if that is not counted.
    pub copies: Option<String>,
}

/// A location and the value that is about to be written there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The variable or cell, such as `Flag[#1]`.
    pub location: String,
    /// The value.
    pub value: String,
}

impl Buffered {
    /// The entry as text.
    pub fn text(&self) -> String {
        let stores: Vec<String> =
            self.stores.iter().map(|store| format!("{} := {}", store.location, store.value)).collect();
        let together = if let [single] = stores.as_slice() {
            single.clone()
        } else {
            format!("({})", stores.join("; "))
        };
        match &self.copies {
            Some(copies) if copies != "1" => format!("{together} × {copies}"),
            _ => together,
        }
    }
}

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

    /// What each process has in its store buffer, as values of a state.
    pub(super) fn buffers_as_text(&self) -> Vec<(String, String)> {
        let text = |process: usize| {
            let entries = self.store_buffer(process)?;
            let texts: Vec<String> = entries.iter().map(Buffered::text).collect();
            let value = if texts.is_empty() { "empty".into() } else { texts.join(", ") };
            Some((format!("buffer[#{}]", process + 1), value))
        };
        (0..self.instance().layout.processes).filter_map(text).collect()
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
        let copies = slot.copies.map(|copies| self.show(self.slot_at(copies, process)));
        Buffered { stores, copies }
    }

    fn stored(&self, symbol: SymbolId, cell: &[Var], arm: &EffectArm) -> Option<Stored> {
        let name = &self.instance().model.symbol(symbol).name;
        let indices: Vec<String> = cell.iter().map(|var| self.index(*var, &arm.condition)).collect();
        let location =
            if indices.is_empty() { name.clone() } else { format!("{name}[{}]", indices.join(",")) };
        Some(Stored { location, value: self.text_of(arm.value.as_ref()?) })
    }

    /// The index that a condition demands; `…` if it is not an equation.
    fn index(&self, cell: Var, condition: &Formula) -> String {
        let fixed = condition.conjuncts().iter().find_map(|conjunct| match conjunct {
            Formula::Compare(Relation::Eq, Term::Var(var), index) if *var == cell => {
                Some(self.text_of(index))
            }
            _ => None,
        });
        fixed.unwrap_or_else(|| "…".into())
    }

    /// The value of a term without variables, such as an argument of an entry.
    fn text_of(&self, term: &Term) -> String {
        let model = self.instance().model;
        match term {
            Term::Process(number) => format!("#{number}"),
            Term::Constructor(of, at) => model.enums[of.index()].constructors[*at as usize].clone(),
            Term::Outsider(id) => model.outsiders[id.index()].name.clone(),
            Term::Read { symbol, indices, .. } => match self.cell_of(*symbol, indices) {
                Some(slot) => self.show(slot),
                None => "…".into(),
            },
            Term::ProcessCount => self.instance().layout.processes.to_string(),
            Term::Linear(linear) => {
                linear.as_number().map_or_else(|| "…".into(), |number| number.to_string())
            }
            Term::Var(_) | Term::Count { .. } => "…".into(),
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
