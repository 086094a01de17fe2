//! What is in the store buffers of the current state, in the words of the model.

use super::{Machine, Obstacle};
use ir::store_buffers::{EffectArm, Slot, Write};
use ir::{Formula, Relation, SymbolId, Term};

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
        // What writes no cell at all is not there.
        let entries = buffers.slots.iter().map_while(entry);
        Some(entries.filter(|entry| !entry.stores.is_empty()).collect())
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
        let owner = Term::Process(number(process));
        let arguments = slot.arguments_of(write, &owner);
        let mut stores = Vec::new();
        for effect in &write.effects {
            let processes = self.instance().layout.processes;
            let arity = self.instance().model.symbol(effect.symbol).arity;
            for cell in 0..processes.pow(u32::try_from(arity).unwrap_or(u32::MAX)) {
                let place =
                    |at: usize| cell / processes.pow(u32::try_from(arity - 1 - at).unwrap_or(0)) % processes;
                let indices: Vec<Term> = (0..arity).map(|at| Term::Process(number(place(at)))).collect();
                let arms = write.arms(effect, &owner, &indices, &arguments, &|_, _| None);
                stores.extend(self.stored(effect.symbol, &indices, &arms));
            }
        }
        let copies = slot.copies.map(|copies| self.show(self.slot_at(copies, process)));
        Buffered { stores, copies }
    }

    /// What the first arm that applies to a cell stores there.
    fn stored(&self, symbol: SymbolId, indices: &[Term], arms: &[EffectArm]) -> Option<Stored> {
        let arm = arms.iter().find(|arm| self.holds_here(&arm.condition) != Some(false))?;
        let name = &self.instance().model.symbol(symbol).name;
        let indices: Vec<String> = indices.iter().map(|index| self.text_of(index)).collect();
        let location =
            if indices.is_empty() { name.clone() } else { format!("{name}[{}]", indices.join(",")) };
        Some(Stored { location, value: self.text_of(arm.value.as_ref()?) })
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
    fn text_of(&self, term: &Term) -> String {
        let model = self.instance().model;
        match term {
            Term::Process(number) => format!("#{number}"),
            Term::Constructor(of, at) => model.enums[of.index()].constructors[*at as usize].clone(),
            Term::Outsider(id) => model.outsiders[id.index()].name.clone(),
            Term::Read { symbol, indices, .. } => match self.cell_of(*symbol, indices) {
                Some(slot) => self.show(slot),
                // The kind of a process is the same in all states of an instance.
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

/// The number of a process, from 1.
fn number(process: usize) -> u32 {
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
