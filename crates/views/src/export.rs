//! A set of views as a table, in the way in which the backward search asks about states.

use crate::Views;
use crate::layout::{FIRST_OUTSIDER, Kind, OTHER, Place, UNKNOWN};
use crate::numbers::{Numbers, Point};
use crate::structure::{Structure, is_class};
use explore::Deadline;
use instance::Column;
use instance::states::Table;
use ir::SymbolId;
use prove::Zones;

/// The clock is looked at once in so many views.
const VIEWS_PER_LOOK: u32 = 1024;

impl Views {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.set.views.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many members each has.
    pub fn size(&self) -> usize {
        self.set.size
    }

    /// A column for each global and each cell of members, as [`prove::with_views`] expects them, and what is known of
    /// numbers. None if there is no time for it.
    pub fn table(&self, deadline: &Deadline) -> Option<(Table, Zones)> {
        let (layout, size) = (&self.layout, self.set.size);
        let mut places = Vec::new();
        let mut sources: Vec<(usize, Kind)> = Vec::new();
        for (at, place) in layout.places.iter().enumerate() {
            let symbol = SymbolId::from_index(at);
            match *place {
                Place::Global(global) => {
                    places.push((symbol, vec![]));
                    sources.push((global, layout.globals[global].kind));
                }
                Place::Cell(cell) => {
                    for member in 0..size {
                        places.push((symbol, vec![member]));
                        sources.push((layout.cell(member, cell), layout.cells[cell].kind));
                    }
                }
                Place::Number(_) | Place::NumberCell(_) => {}
                Place::Block(block) => {
                    for (first, second) in (0..size).flat_map(|a| (0..size).map(move |b| (a, b))) {
                        places.push((symbol, vec![first, second]));
                        sources.push((layout.block(first, second, block), layout.blocks[block].kind));
                    }
                }
            }
        }
        let mut codes = vec![Vec::with_capacity(self.len()); places.len()];
        let points = self.points();
        let clip = layout.numbers.as_ref().map_or(0, Numbers::clip);
        let mut zones = Zones::new(points.iter().map(|(_, place)| place.clone()).collect(), clip);
        let (mut view, mut ordered) = (Structure::new(layout), Structure::new(layout));
        for id in 0..u32::try_from(self.len()).expect("views are numbered") {
            if id.is_multiple_of(VIEWS_PER_LOOK) && deadline.ended().is_some() {
                return None;
            }
            view.unpack(layout, self.set.views.get(id), size);
            view.project(layout, &self.by_order(&view), &mut ordered);
            for ((at, kind), column) in sources.iter().zip(&mut codes) {
                column.push(self.code(*kind, ordered.bytes[*at]));
            }
            if let Some(numbers) = &layout.numbers {
                zones.push(numbers.zone(layout, &ordered, points.iter().map(|(point, _)| *point)));
            }
        }
        let (columns, states) = (codes.into_iter().map(Column::Codes).collect(), self.len());
        Some((Table { places, columns, states, real_scale: 1, complete: true, ..Table::default() }, zones))
    }

    /// The numbers of a view, and where they are in the model.
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

    /// The members in the order of processes, if there is one.
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

    fn code(&self, kind: Kind, code: u8) -> u8 {
        match (kind, code) {
            (_, UNKNOWN) => prove::ANY_CODE,
            (Kind::Pointer, OTHER) => prove::SOMEWHERE_CODE,
            (Kind::Pointer, code) if is_class(code) => {
                prove::FIRST_CLASS_CODE + (code - crate::layout::FIRST_CLASS)
            }
            (Kind::Pointer, code) if code >= FIRST_OUTSIDER => {
                u8::try_from(self.set.size).expect("views are small") + (code - FIRST_OUTSIDER)
            }
            (_, code) => code,
        }
    }
}
