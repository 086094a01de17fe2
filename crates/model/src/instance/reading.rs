//! The values of a state, for those who look at more than one symbol at a time.

use super::Machine;
use crate::ir::SymbolId;

/// A variable, or a cell with its processes, from 0.
pub type Place = (SymbolId, Vec<usize>);

impl<const W: usize> Machine<'_, '_, W> {
    /// All variables and cells of the current instance, in a fixed order; the kinds of processes come last.
    pub fn places(&self) -> Vec<Place> {
        let instance = self.instance();
        let (model, layout) = (instance.model, &instance.layout);
        let slots = (0..layout.slots.len()).map(|slot| (layout.symbol_of[slot], layout.indices(model, slot)));
        let kinds = model
            .kinds
            .iter()
            .flat_map(|kinds| (0..layout.processes).map(|process| (kinds.of_process, vec![process])));
        slots.chain(kinds).collect()
    }

    /// Appends the values of all places in the current state. Of an enumeration: the position of the constructor; of
    /// sort `proc`: the process, or the number of processes plus the outsider; of a number: itself, `None` if it is
    /// unset. Reals are counted in fractions of [`real_scale`](Self::real_scale).
    pub fn read_all(&self, values: &mut Vec<Option<i64>>) {
        let instance = self.instance();
        for slot in &instance.layout.slots {
            let code = slot.code(self.state());
            let unset = slot.unset && code == 0;
            values.push((!unset).then(|| code.cast_signed() + slot.low));
        }
        if instance.model.kinds.is_some() {
            values.extend(instance.kinds.iter().map(|kind| Some(i64::from(*kind))));
        }
    }

    /// The denominator of all reals.
    pub fn real_scale(&self) -> i64 {
        self.instance().scale.denominator()
    }
}
