//! A set of views as a table for the backward search.

use crate::Views;
use crate::layout::{FIRST_CLASS, FIRST_OUTSIDER, Kind, OTHER, Place, UNKNOWN};
use crate::numbers::{Numbers, Point};
use crate::structure::{Structure, is_class};
use explore::Deadline;
use ir::{OutsiderId, SymbolId};
use prove::{PointerColumn, ValueColumn, ViewCell, ViewColumn, ViewPointer, ViewTable, ViewValue, Zones};

/// The deadline is checked once for this many views.
const VIEWS_PER_CHECK: u32 = 1024;

impl Views {
    /// The number of views.
    pub fn len(&self) -> usize {
        self.set.views.len()
    }

    /// Whether there is no view.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of members of each view.
    pub fn size(&self) -> usize {
        self.set.size
    }

    /// All views, each with its members in the order of processes, as far as that is known. None if the deadline ends it.
    pub fn table(&self, deadline: &Deadline) -> Option<ViewTable> {
        let layout = &self.layout;
        let mut cells = self.cells();
        let points = self.points();
        let clip = layout.numbers.as_ref().map_or(0, Numbers::clip);
        let mut zones = Zones::new(points.iter().map(|(_, number)| number.clone()).collect(), clip);
        let (mut view, mut ordered) = (Structure::new(layout), Structure::new(layout));
        for id in 0..u32::try_from(self.len()).expect("views are numbered") {
            if id.is_multiple_of(VIEWS_PER_CHECK) && deadline.ended().is_some() {
                return None;
            }
            view.unpack(layout, self.set.views.get(id), self.set.size);
            view.project(layout, &self.by_order(&view), &mut ordered);
            for (at, cell) in &mut cells {
                let code = ordered.bytes[*at];
                match &mut cell.column {
                    ViewColumn::Values(values) => values.push(value(code)),
                    ViewColumn::Pointers(pointers) => pointers.push(pointer(code)),
                }
            }
            if let Some(numbers) = &layout.numbers {
                zones.push(numbers.zone(layout, &ordered, points.iter().map(|(point, _)| *point)));
            }
        }
        let size = u8::try_from(self.set.size).expect("views are small");
        let cells = cells.into_iter().map(|(_, cell)| cell).collect();
        Some(ViewTable { size, views: self.len(), cells, zones })
    }

    /// All cells that are not numbers, each with its position in structures and an empty column.
    fn cells(&self) -> Vec<(usize, ViewCell)> {
        let (layout, size) = (&self.layout, self.set.size);
        let mut cells = Vec::new();
        let mut add = |at: usize, symbol: SymbolId, indices: Vec<usize>, kind: Kind| {
            let column = match kind {
                Kind::Pointer => ViewColumn::Pointers(PointerColumn::default()),
                Kind::Enum(_) | Kind::Abstract(_) | Kind::Difference(_) => {
                    ViewColumn::Values(ValueColumn::default())
                }
            };
            cells.push((at, ViewCell { symbol, indices, column }));
        };
        for (at, place) in layout.places.iter().enumerate() {
            let symbol = SymbolId::from_index(at);
            match *place {
                Place::Global(global) => add(global, symbol, vec![], layout.globals[global].kind),
                Place::Cell(cell) => {
                    let kind = layout.cells[cell].kind;
                    (0..size).for_each(|member| add(layout.cell(member, cell), symbol, vec![member], kind));
                }
                Place::Number(_) | Place::NumberCell(_) => {}
                Place::Block(block) => {
                    let kind = layout.blocks[block].kind;
                    for (first, second) in (0..size).flat_map(|a| (0..size).map(move |b| (a, b))) {
                        add(layout.block(first, second, block), symbol, vec![first, second], kind);
                    }
                }
            }
        }
        cells
    }

    /// The numbers of a view, as views and as the model know them.
    fn points(&self) -> Vec<(Point, prove::Point)> {
        let mut points = vec![(Point::Zero, None)];
        for (at, place) in self.layout.places.iter().enumerate() {
            let symbol = SymbolId::from_index(at);
            match *place {
                Place::Number(number) => points.push((Point::Global(number), Some((symbol, vec![])))),
                Place::NumberCell(cell) => {
                    let of = |member: usize| (Point::Cell(cell, member), Some((symbol, vec![member])));
                    points.extend((0..self.set.size).map(of));
                }
                Place::Global(_) | Place::Cell(_) | Place::Block(_) => {}
            }
        }
        points
    }

    /// The members in the order of processes, where the model compares processes.
    fn by_order(&self, view: &Structure) -> Vec<u8> {
        let mut members: Vec<u8> = (0..u8::try_from(view.members).expect("few members")).collect();
        if let Some(order) = self.layout.order {
            let before = |member: u8| {
                let others = 0..view.members;
                let is_before =
                    |other: usize| view.bytes[self.layout.block(other, member.into(), order)] == 1;
                others.filter(|other| is_before(*other)).count()
            };
            members.sort_by_key(|member| before(*member));
        }
        members
    }
}

fn value(code: u8) -> ViewValue {
    match code {
        UNKNOWN => ViewValue::Any,
        code => ViewValue::Exactly(code),
    }
}

fn pointer(code: u8) -> ViewPointer {
    match code {
        UNKNOWN => ViewPointer::Any,
        OTHER => ViewPointer::Elsewhere,
        code if is_class(code) => ViewPointer::Class(code - FIRST_CLASS),
        FIRST_OUTSIDER.. => ViewPointer::Outsider(OutsiderId::from_index((code - FIRST_OUTSIDER).into())),
        member => ViewPointer::Member(member),
    }
}
