//! Why views are too coarse: the first view on a spurious path that no state of a small instance has.

use crate::contains::read;
use crate::forget::Forget;
use crate::layout::{FIRST_OUTSIDER, Kind, Layout, OTHER, Place, UNKNOWN};
use crate::numbers::Point;
use crate::set::Cut;
use crate::structure::{Structure, is_class, permutations, subsets};
use crate::{Found, Options, search};
use explore::Limits;
use instance::states::{Walk, reachable};
use ir::{
    At, Formula, Linear, Model, Number, OutsiderId, Property, PropertyKind, Relation, Sort, SymbolId, Term,
    Var,
};
use rustc_hash::FxHashSet;
use std::time::Duration;

/// An abstract path to a bad structure: the views on it, and what they keep.
#[derive(Debug)]
pub struct Path {
    pub(crate) layout: Layout,
    pub(crate) forget: Forget,
    pub(crate) size: usize,
    /// Packed, beginning with an initial one.
    pub(crate) views: Vec<Vec<u8>>,
}

/// Where a path leaves the views of reachable states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// The number of rules that lead to views of reachable states; the next one does not. All rules, if the bad structure
    /// consists of views of different states.
    pub after: usize,
    /// A part of the view that the next rule leads to, as an invariant: a minimal one that no state has. None if every view
    /// on the path is one of a state.
    pub view: Option<Property>,
    /// The number of processes of the instance that was explored.
    pub processes: u32,
}

/// Limits of the exploration of an instance.
const STATES: usize = 200_000;
const TIME: Duration = Duration::from_secs(5);

/// Where the path of a search that was too coarse leaves the views of reachable states, if a small instance shows that within the
/// limits.
pub fn gap(model: &Model, options: &Options) -> Option<Gap> {
    match search(model, options).ok()?.0 {
        Found::Coarse { path, .. } => path.gap(model, &options.limits),
        Found::Closed(_) | Found::Limit(_) => None,
    }
}

impl Path {
    fn gap(&self, model: &Model, limits: &Limits) -> Option<Gap> {
        let processes = u32::try_from(self.size + 1).ok()?.max(model.min_processes());
        if processes > model.max_processes.unwrap_or(processes) {
            return None;
        }
        let time = limits.time.map_or(TIME, |time| time.min(TIME));
        let limits = Limits { states: Some(STATES), time: Some(time), ..limits.clone() };
        let table = reachable(model, processes, Walk::Breadth, &limits).filter(|table| table.complete)?;
        let seen = self.views_of(&table, processes as usize);
        let views: Vec<Vec<u8>> = self.views.iter().map(|view| self.without_untold(view, &table)).collect();
        let after = views.iter().position(|view| !seen.contains(view));
        let view = after.map(|at| self.least_part(model, &views[at], &seen));
        // The view before the first rule is initial, and hence one of a state.
        let after = after.map_or(self.views.len(), |at| at.saturating_sub(1));
        Some(Gap { after, view, processes })
    }

    /// A view without the symbols that tables of states do not have, such as the kinds of processes, which may then be any.
    fn without_untold(&self, view: &[u8], table: &instance::states::Table) -> Vec<u8> {
        let layout = &self.layout;
        let is_told = |symbol: usize| table.places.iter().any(|(known, _)| known.index() == symbol);
        let mut structure = Structure::new(layout);
        structure.unpack(layout, view, self.size);
        for (_, place) in layout.places.iter().enumerate().filter(|(symbol, _)| !is_told(*symbol)) {
            for indices in self.indices(*place) {
                let at = match *place {
                    Place::Global(at) => at,
                    Place::Cell(cell) => layout.cell(indices[0], cell),
                    Place::Block(block) => layout.block(indices[0], indices[1], block),
                    Place::Number(_) | Place::NumberCell(_) => continue,
                };
                structure.bytes[at] = UNKNOWN;
            }
        }
        let mut cut = Cut::new(layout);
        let members: Vec<u8> = (0_u8..).take(self.size).collect();
        cut.down_in_order(layout, &structure, &members);
        cut.packed
    }

    /// All views of states, with their members in every order.
    fn views_of(&self, table: &instance::states::Table, processes: usize) -> FxHashSet<Vec<u8>> {
        let layout = &self.layout;
        let (mut state, mut cut) = (Structure::new(layout), Cut::new(layout));
        state.members = processes;
        let everybody: Vec<u8> = (0_u8..).take(processes).collect();
        let mut seen = FxHashSet::default();
        for number in 0..table.states {
            if read(layout, table, number, &mut state).is_none() {
                continue;
            }
            self.forget.apply(layout, &mut state, &everybody);
            for members in subsets(processes, self.size) {
                for order in permutations(self.size) {
                    let members: Vec<u8> = order.iter().map(|at| members[usize::from(*at)]).collect();
                    cut.down_in_order(layout, &state, &members);
                    if !seen.contains(&cut.packed) {
                        seen.insert(cut.packed.clone());
                    }
                }
            }
        }
        seen
    }

    /// Leaves out what is not needed for no state to have it.
    fn least_part(&self, model: &Model, view: &[u8], seen: &FxHashSet<Vec<u8>>) -> Property {
        let mut kept: Vec<usize> = (0..view.len()).filter(|at| view[*at] != UNKNOWN).collect();
        for at in kept.clone() {
            let without: Vec<usize> = kept.iter().copied().filter(|known| *known != at).collect();
            let is_seen = |other: &Vec<u8>| without.iter().all(|at| other[*at] == view[*at]);
            if !seen.iter().any(is_seen) {
                kept = without;
            }
        }
        let mut part = vec![UNKNOWN; view.len()];
        kept.iter().for_each(|at| part[*at] = view[*at]);
        self.property(model, &part)
    }

    fn property(&self, model: &Model, part: &[u8]) -> Property {
        let mut structure = Structure::new(&self.layout);
        structure.unpack(&self.layout, part, self.size);
        let mut literals = Vec::new();
        for (at, place) in self.layout.places.iter().enumerate() {
            let symbol = SymbolId::from_index(at);
            for indices in self.indices(*place) {
                literals.extend(self.literal(model, symbol, *place, &indices, &structure));
            }
        }
        literals.extend(self.comparisons(model, &structure));
        Property {
            kind: PropertyKind::Invariant,
            name: "view".to_owned(),
            params: (0..self.size).map(Var::from_index).collect(),
            variables: NAMES[..self.size].iter().map(|name| (*name).to_owned()).collect(),
            formula: Formula::and(literals),
            rule: None,
            at: At::nowhere(),
        }
    }

    fn indices(&self, place: Place) -> Vec<Vec<usize>> {
        let all = 0..self.size;
        match place {
            Place::Global(_) => vec![vec![]],
            Place::Cell(_) => all.map(|member| vec![member]).collect(),
            Place::Block(_) => all.clone().flat_map(|a| all.clone().map(move |b| vec![a, b])).collect(),
            Place::Number(_) | Place::NumberCell(_) => vec![],
        }
    }

    /// What is known of a symbol.
    fn literal(
        &self,
        model: &Model,
        symbol: SymbolId,
        place: Place,
        indices: &[usize],
        structure: &Structure,
    ) -> Option<Formula> {
        let layout = &self.layout;
        let (at, kind) = match place {
            Place::Global(at) => (at, layout.globals[at].kind),
            Place::Cell(cell) => (layout.cell(indices[0], cell), layout.cells[cell].kind),
            Place::Block(block) => (layout.block(indices[0], indices[1], block), layout.blocks[block].kind),
            Place::Number(_) | Place::NumberCell(_) => return None,
        };
        let (code, cell) = (structure.bytes[at], read_of(symbol, indices));
        match kind {
            _ if code == UNKNOWN => None,
            Kind::Enum(_) => {
                let Sort::Enum(of) = model.symbol(symbol).sort else { return None };
                let is_one = usize::from(code) < model.enums[of.index()].constructors.len();
                is_one.then(|| Formula::eq(cell, Term::Constructor(of, u32::from(code))))
            }
            Kind::Pointer if code == OTHER || is_class(code) => {
                Some(Formula::and((0..self.size).map(|who| Formula::neq(cell.clone(), member(who)))))
            }
            Kind::Pointer if code >= FIRST_OUTSIDER => {
                let outsider = usize::from(code - FIRST_OUTSIDER);
                let is_one = outsider < model.outsiders.len();
                is_one.then(|| Formula::eq(cell, Term::Outsider(OutsiderId::from_index(outsider))))
            }
            Kind::Pointer => {
                let who = usize::from(code);
                (who < self.size).then(|| Formula::eq(cell, member(who)))
            }
            Kind::Abstract(_) | Kind::Difference(_) => None,
        }
    }

    /// How numbers compare.
    fn comparisons(&self, model: &Model, structure: &Structure) -> Vec<Formula> {
        let Some(numbers) = &self.layout.numbers else { return vec![] };
        let cells = self.number_cells(model);
        let mut found = Vec::new();
        for (at, (a, first)) in cells.iter().enumerate() {
            let (least, most) = numbers.difference(&self.layout, structure, *a, Point::Zero);
            found.extend(comparison(first, &Linear::constant(first.sort, Number::ZERO), least, most));
            for (b, second) in cells[..at].iter().filter(|(_, second)| second.sort == first.sort) {
                let (least, most) = numbers.difference(&self.layout, structure, *a, *b);
                found.extend(comparison(first, second, least, most));
            }
        }
        found
    }

    fn number_cells(&self, model: &Model) -> Vec<(Point, Linear)> {
        let mut cells = Vec::new();
        for (at, place) in self.layout.places.iter().enumerate() {
            let symbol = SymbolId::from_index(at);
            let sort = model.symbol(symbol).sort;
            let cell = |indices: &[usize]| Linear::from_term(sort, read_of(symbol, indices));
            match place {
                Place::Number(number) => cells.push((Point::Global(*number), cell(&[]))),
                Place::NumberCell(number) => {
                    cells
                        .extend((0..self.size).map(|member| (Point::Cell(*number, member), cell(&[member]))));
                }
                Place::Global(_) | Place::Cell(_) | Place::Block(_) => {}
            }
        }
        cells
    }
}

/// What members are called.
const NAMES: [&str; 3] = ["i", "j", "k"];

fn member(at: usize) -> Term {
    Term::Var(Var::from_index(at))
}

fn read_of(symbol: SymbolId, indices: &[usize]) -> Term {
    Term::read(symbol, indices.iter().copied().map(member).collect())
}

/// What bounds on a difference say about the order of two numbers.
fn comparison(first: &Linear, second: &Linear, least: i32, most: i32) -> Option<Formula> {
    let shifted = |by: i32| {
        let by = Linear::constant(second.sort, Number::whole(by.into()));
        second.clone().plus(by).map(Linear::into_term)
    };
    let first = first.clone().into_term();
    if least == most {
        Some(Formula::eq(first, shifted(least)?))
    } else if least > 0 {
        Some(Formula::compare(Relation::Lt, shifted(least - 1)?, first))
    } else if most < 0 {
        Some(Formula::compare(Relation::Lt, first, shifted(most + 1)?))
    } else {
        None
    }
}
