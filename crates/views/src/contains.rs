//! Whether all views of a state are in a set.

use crate::Views;
use crate::layout::{FIRST_OUTSIDER, Kind, Layout, Place, UNKNOWN};
use crate::numbers::Point;
use crate::set::Cut;
use crate::structure::{Members, Structure, subsets};
use instance::Column;
use instance::states::Table;

impl Views {
    /// The first state of an instance, by its number in the table, that has a view which is not in the set. For reachable states
    /// there must be none. The instance must have at least as many processes as a view has members, and at most
    /// [`MOST_PROCESSES`].
    pub fn missing(&mut self, table: &Table, processes: usize) -> Option<usize> {
        let (mut state, mut cut) = (Structure::new(&self.layout), Cut::new(&self.layout));
        state.members = processes;
        let everybody: Vec<u8> = (0..u8::try_from(processes).ok()?).collect();
        (0..table.states).find(|number| {
            if read(&self.layout, table, *number, &mut state).is_none() {
                return false;
            }
            self.forget.apply(&self.layout, &mut state, &everybody);
            let is_known =
                |members: Members| self.set.find(&self.layout, &state, &members, &mut cut).is_some();
            !subsets(processes, self.set.size).all(is_known)
        })
    }
}

/// Reads a state. None if a number in it has no value, since the state then stands for many.
pub(crate) fn read(layout: &Layout, table: &Table, number: usize, state: &mut Structure) -> Option<()> {
    state.bytes.fill(UNKNOWN);
    let mut numbers: Vec<(Point, i64)> = vec![(Point::Zero, 0)];
    for ((symbol, indices), column) in table.places.iter().zip(&table.columns) {
        if let Some(point) = point(layout.places[symbol.index()], indices) {
            let value = match column {
                Column::Codes(codes) => i64::from(codes[number]),
                Column::Numbers(values) => values[number]?,
            };
            numbers.push((point, value));
            continue;
        }
        let Column::Codes(codes) = column else { continue };
        let (at, kind) = match layout.places[symbol.index()] {
            Place::Number(_) | Place::NumberCell(_) => unreachable!("handled above"),
            Place::Global(at) => (at, layout.globals[at].kind),
            Place::Cell(cell) => (layout.cell(indices[0], cell), layout.cells[cell].kind),
            Place::Block(block) => (layout.block(indices[0], indices[1], block), layout.blocks[block].kind),
        };
        let code = codes[number];
        state.bytes[at] = match kind {
            Kind::Enum(_) | Kind::Difference(_) => code,
            // Values of different types get different codes.
            Kind::Abstract(of) => of * 40 + code,
            Kind::Pointer if usize::from(code) < state.members => code,
            Kind::Pointer => FIRST_OUTSIDER + (code - u8::try_from(state.members).unwrap_or(0)),
        };
    }
    if let Some(known) = &layout.numbers {
        let value =
            |point: Point| numbers.iter().find(|(known, _)| *known == point).expect("all are in the table").1;
        known.put(layout, state, &value);
    }
    if let Some(context) = &layout.context {
        // There are no processes outside.
        state.bytes[context.slot] = 0;
    }
    if let Some(order) = layout.order {
        for (first, second) in (0..state.members).flat_map(|a| (0..state.members).map(move |b| (a, b))) {
            state.bytes[layout.block(first, second, order)] = u8::from(first < second);
        }
    }
    Some(())
}

fn point(place: Place, indices: &[usize]) -> Option<Point> {
    match place {
        Place::Number(at) => Some(Point::Global(at)),
        Place::NumberCell(cell) => Some(Point::Cell(cell, indices[0])),
        Place::Global(_) | Place::Cell(_) | Place::Block(_) => None,
    }
}

/// The most processes of an instance whose states can be looked up.
pub const MOST_PROCESSES: usize = crate::layout::MOST_MEMBERS;
