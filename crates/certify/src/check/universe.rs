//! The processes of an obligation, and the cells of a state that belong to them.
//!
//! A value of sort `proc` is a bit: first the involved processes (with those that have a name, `#1`, `#2`, …, first), then the
//! outsiders, then processes that are not involved. The latter can only be compared for equality, so that they can be
//! numbered by first occurrence: the n-th cell that may hold one needs the first n of them. The same goes for values of an
//! abstract type.

use super::{
    Obstacle,
    ground::{INTEGER, REAL},
    tree::{Cell, Literal, Mask, Tree},
};
use ir::{Domain, Model, OutsiderId, Sort, SymbolId};

/// The cells over some involved processes.
#[derive(Debug)]
pub(crate) struct Universe<'m> {
    pub(crate) model: &'m Model,
    /// How many processes are involved.
    pub(crate) processes: usize,
    /// The first cell of each symbol.
    starts: Vec<usize>,
    /// How many cells a state has.
    state_cells: usize,
    pub(crate) table: Table,
    /// What holds in every state: the order is transitive, and variables of a kind hold processes of that kind.
    pub(crate) facts: Vec<Tree>,
    /// The first cell that tells the order of two processes without a name.
    order: usize,
}

/// The least and the greatest number that a cell may hold, if there are such.
pub(crate) type Bounds = (Option<i64>, Option<i64>);

/// What each cell may hold.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    /// The values; for numbers, only a mark.
    pub(crate) values: Vec<Mask>,
    /// The anonymous values among them, which only equality tells apart: processes that are not involved, values of abstract types.
    pub(crate) anonymous: Vec<Mask>,
    /// Bounds of numbers.
    pub(crate) bounds: Vec<Bounds>,
    /// The number of cells that may hold a process that is not involved.
    pointers: u32,
    /// The number of cells of each abstract type.
    abstracts: Vec<u32>,
}

impl<'m> Universe<'m> {
    pub(crate) fn new(model: &'m Model, processes: usize, ordered: bool) -> Result<Universe<'m>, Obstacle> {
        lowest(processes + model.outsiders.len())?;
        let table = Table { abstracts: vec![0; model.abstract_types.len()], ..Table::default() };
        let mut universe =
            Universe { model, processes, starts: vec![], state_cells: 0, table, facts: vec![], order: 0 };
        for (at, symbol) in model.symbols.iter().enumerate() {
            universe.starts.push(universe.table.values.len());
            for _ in 0..power(processes, symbol.arity)? {
                let mut table = std::mem::take(&mut universe.table);
                table.push(&universe, SymbolId::from_index(at), true)?;
                universe.table = table;
            }
        }
        universe.state_cells = universe.table.values.len();
        for symbol in (0..model.symbols.len()).map(SymbolId::from_index) {
            let cells = universe.cells(symbol).map(|cell| u32::try_from(cell).expect("few"));
            let facts: Vec<Tree> = cells.flat_map(|cell| universe.kind_facts(symbol, cell)).collect();
            universe.facts.extend(facts);
        }
        if ordered {
            universe.add_order();
        }
        Ok(universe)
    }

    /// The number of processes that have a name.
    pub(crate) fn named(&self) -> usize {
        self.model.named_processes as usize
    }

    /// The cell of a symbol.
    pub(crate) fn cell(&self, symbol: SymbolId, indices: impl IntoIterator<Item = usize>) -> Cell {
        let within = indices.into_iter().fold(0, |at, index| at * self.processes + index);
        u32::try_from(self.starts[symbol.index()] + within).expect("fewer cells than 2^32")
    }

    /// The cells of a symbol.
    pub(crate) fn cells(&self, symbol: SymbolId) -> std::ops::Range<usize> {
        let next = self.starts.get(symbol.index() + 1).copied().unwrap_or(self.state_cells);
        self.starts[symbol.index()]..next
    }

    /// The symbol of a cell and its indices; none if it is not a cell of the state.
    pub(crate) fn describe(&self, cell: Cell) -> Option<(SymbolId, Vec<usize>)> {
        let cell = cell as usize;
        if cell >= self.state_cells {
            return None;
        }
        let symbol = self.starts.partition_point(|start| *start <= cell).checked_sub(1)?;
        let arity = self.model.symbols[symbol].arity;
        let mut within = cell - self.starts[symbol];
        let mut indices = vec![0; arity];
        for index in indices.iter_mut().rev() {
            *index = within % self.processes;
            within /= self.processes;
        }
        Some((SymbolId::from_index(symbol), indices))
    }

    /// All involved processes.
    pub(crate) fn process_mask(&self) -> Mask {
        (1 << self.processes) - 1
    }

    /// All outsiders.
    pub(crate) fn outsider_mask(&self) -> Mask {
        ((1 << self.model.outsiders.len()) - 1) << self.processes
    }

    /// The value that an outsider is.
    pub(crate) fn outsider(&self, id: OutsiderId) -> u32 {
        u32::try_from(self.processes + id.index()).expect("few")
    }

    /// Whether there may be processes beside the involved ones.
    fn others(&self) -> bool {
        self.model.max_processes.is_none_or(|most| self.processes < most as usize)
    }

    /// Whether one process comes before another: known, or the value of a cell.
    pub(crate) fn before(&self, left: usize, right: usize) -> Tree {
        match self.order(left, right) {
            _ if left == right => Tree::False,
            (_, 0) => Tree::False,
            (_, Mask::MAX) => Tree::True,
            (cell, mask) => Tree::Literal(Literal::In(cell, mask)),
        }
    }

    /// The cell that determines whether one of two different processes comes before the other, and the value for which it does.
    pub(crate) fn order(&self, left: usize, right: usize) -> (Cell, Mask) {
        // `#1`, `#2`, … come first and in order.
        if left.min(right) < self.named() {
            return self.constant(left < right);
        }
        let (low, high) = (left.min(right), left.max(right));
        let cell = u32::try_from(self.order + low * self.processes + high).expect("few");
        (cell, if left < right { 1 } else { 2 })
    }

    /// A constant truth value in the form of a literal: all values or none, of a cell that exists whenever processes are ordered.
    pub(crate) fn constant(&self, truth: bool) -> (Cell, Mask) {
        (u32::try_from(self.order).expect("few"), if truth { Mask::MAX } else { 0 })
    }

    fn add_order(&mut self) {
        self.order = self.table.values.len();
        for _ in 0..self.processes * self.processes {
            self.table.raw(3, (None, None));
        }
        for (a, b, c) in triples(self.named(), self.processes) {
            self.facts.push(Tree::any([self.before(b, a), self.before(c, b), self.before(a, c)]));
        }
    }

    /// A variable of a kind points to processes of that kind.
    pub(crate) fn kind_facts(&self, symbol: SymbolId, cell: Cell) -> Vec<Tree> {
        let (Domain::Kind(kind), Some(kinds)) = (self.model.symbol(symbol).domain, &self.model.kinds) else {
            return vec![];
        };
        let fact = |process: usize| {
            let of_kind = Literal::In(self.cell(kinds.of_process, [process]), 1 << kind.0);
            Tree::any([Tree::Literal(Literal::In(cell, !(1 << process))), Tree::Literal(of_kind)])
        };
        (0..self.processes).map(fact).collect()
    }
}

/// The size of a table, to which it can be cut back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Length {
    cells: usize,
    pointers: u32,
    abstracts: Vec<u32>,
}

impl Table {
    pub(crate) fn length(&self) -> Length {
        Length { cells: self.values.len(), pointers: self.pointers, abstracts: self.abstracts.clone() }
    }

    /// Removes the cells that were added since; nothing may refer to them any more.
    pub(crate) fn shorten(&mut self, length: &Length) {
        self.values.truncate(length.cells);
        self.anonymous.truncate(length.cells);
        self.bounds.truncate(length.cells);
        self.pointers = length.pointers;
        self.abstracts.clone_from(&length.abstracts);
    }

    /// Adds a cell with the values of a symbol. Outsiders are among them only if the symbol holds outsiders, and they are allowed.
    pub(crate) fn push(
        &mut self,
        universe: &Universe<'_>,
        symbol: SymbolId,
        outsiders: bool,
    ) -> Result<Cell, Obstacle> {
        let model = universe.model;
        let declared = model.symbol(symbol);
        let unbounded = (None, None);
        let (values, bounds) = match (declared.sort, declared.domain) {
            (Sort::Int, Domain::Range(low, high)) => (INTEGER, (Some(low), Some(high))),
            (Sort::Int, _) => (INTEGER, unbounded),
            (Sort::Real, _) => (REAL, unbounded),
            (Sort::Enum(id), _) => (lowest(model.enums[id.index()].constructors.len())?, unbounded),
            (Sort::Abstract(id), _) => {
                self.abstracts[id.index()] += 1;
                (lowest(self.abstracts[id.index()] as usize)?, unbounded)
            }
            (Sort::Proc, _) => {
                let outside =
                    if outsiders && declared.holds_outsiders { universe.outsider_mask() } else { 0 };
                (universe.process_mask() | outside | self.others(universe)?, unbounded)
            }
        };
        let cell = self.raw(values, bounds);
        self.anonymous[cell as usize] = match declared.sort {
            Sort::Proc => values & !lowest(universe.processes + model.outsiders.len())?,
            Sort::Abstract(_) => values,
            _ => 0,
        };
        Ok(cell)
    }

    /// Processes that are not involved: one more than for the cells before.
    fn others(&mut self, universe: &Universe<'_>) -> Result<Mask, Obstacle> {
        let known = universe.processes + universe.model.outsiders.len();
        if !universe.others() {
            lowest(known)?;
            return Ok(0);
        }
        self.pointers += 1;
        Ok(lowest(known + self.pointers as usize)? & !lowest(known)?)
    }

    pub(crate) fn raw(&mut self, values: Mask, bounds: Bounds) -> Cell {
        self.values.push(values);
        self.anonymous.push(0);
        self.bounds.push(bounds);
        u32::try_from(self.values.len() - 1).expect("fewer cells than 2^32")
    }
}

/// The lowest bits.
fn lowest(count: usize) -> Result<Mask, Obstacle> {
    match count {
        0..=127 => Ok((1 << count) - 1),
        _ => Err(Obstacle::TooHard("more than 127 values of a type".into())),
    }
}

fn power(base: usize, exponent: usize) -> Result<usize, Obstacle> {
    let cells = u32::try_from(exponent).ok().and_then(|exponent| base.checked_pow(exponent));
    cells
        .filter(|cells| *cells < 100_000)
        .ok_or_else(|| Obstacle::TooHard("too many cells of an array".into()))
}

fn triples(from: usize, to: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    let all = (from..to).flat_map(move |a| (from..to).flat_map(move |b| (from..to).map(move |c| (a, b, c))));
    all.filter(|(a, b, c)| a != b && b != c && a != c)
}
