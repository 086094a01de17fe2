//! Reading all values of states at once, as columns.

use super::{Machine, layout::Slot};
use ir::SymbolId;

/// A variable, or a cell with the processes that index it, from 0.
pub type Place = (SymbolId, Vec<usize>);

/// The values of one place in many states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Column {
    /// Codes below 256 that are always set.
    Codes(Vec<u8>),
    /// Numbers; `None` where one is not set.
    Numbers(Vec<Option<i64>>),
}

fn column<const W: usize>(slot: &Slot, states: &[[u64; W]]) -> Column {
    let is_code = !slot.unset && slot.low == 0 && slot.last <= u8::MAX.into();
    let codes = states.iter().map(|state| slot.code(state));
    if is_code {
        return Column::Codes(codes.map(|code| u8::try_from(code).unwrap_or(u8::MAX)).collect());
    }
    let number = |code: u64| (!slot.unset || code > 0).then(|| code.cast_signed() + slot.low);
    Column::Numbers(codes.map(number).collect())
}

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

    /// The values of all places in some states. An enumeration value is the position of its constructor; a value of
    /// sort `proc` is the process, or the number of processes plus that of the outsider; a number is itself,
    /// multiplied by [`real_scale`](Self::real_scale) if it is real.
    pub fn columns(&self, states: &[[u64; W]]) -> Vec<Column> {
        let layout = &self.instance().layout;
        let mut columns: Vec<Column> = layout.slots.iter().map(|slot| column(slot, states)).collect();
        if self.instance().model.kinds.is_some() {
            let kind = |state: &[u64; W], process: usize| {
                u8::try_from(self.instance_of(state).kinds[process]).unwrap_or(u8::MAX)
            };
            let of = |process| states.iter().map(|state| kind(state, process)).collect();
            columns.extend((0..layout.processes).map(|process| Column::Codes(of(process))));
        }
        columns
    }

    /// Appends the values of all places in the current state, as [`columns`](Self::columns) has them.
    pub fn read_all(&self, values: &mut Vec<Option<i64>>) {
        for column in self.columns(&[*self.state()]) {
            values.push(match column {
                Column::Codes(codes) => codes.first().map(|code| i64::from(*code)),
                Column::Numbers(numbers) => numbers.first().copied().flatten(),
            });
        }
    }

    /// The common denominator of all reals.
    pub fn real_scale(&self) -> i64 {
        self.instance().scale.denominator()
    }
}
