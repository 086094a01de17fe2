//! States of small instances, or views of all reachable states, that are searched for one that matches a cube.
//!
//! Columnar: for each literal that was ever looked up, a bit for each row. A cube is matched if, for some mapping of its
//! processes onto those of the rows, the columns of its literals have a bit in common.

mod column;
mod zones;

pub use column::{PointerColumn, ValueColumn, ViewColumn, ViewPointer, ViewValue};
pub use zones::{Point, Zones};

use crate::cell::{Cell, Process};
use crate::cube::Cube;
use crate::linear::{Comparison, Constraint};
use crate::vocabulary::{ELSEWHERE, Kind, MEMBERS, Values, Vocabulary, member, members};
use column::CellColumn;
use instance::states::Table;
use ir::SymbolId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::{Arc, Mutex, PoisonError};

/// Views of all reachable states, for [`with_views`](crate::with_views).
#[derive(Debug)]
pub struct ViewTable {
    /// The number of members of each view.
    pub size: u8,
    /// The number of views.
    pub views: usize,
    /// Cells of finite types. Those that are not here may have any value.
    pub cells: Vec<ViewCell>,
    /// What the views say about numbers.
    pub zones: Zones,
}

/// A cell of a finite type in all views.
#[derive(Debug)]
pub struct ViewCell {
    /// The variable or array.
    pub symbol: SymbolId,
    /// The members that are the indices of an array.
    pub indices: Vec<usize>,
    /// What each view says about it.
    pub column: ViewColumn,
}

/// A column of bits.
type Bits = Arc<[u64]>;

/// States of one instance, or views of one size.
#[derive(Debug)]
pub(crate) struct Oracle {
    processes: u8,
    rows: usize,
    cells: FxHashMap<Cell, CellColumn>,
    numbers: Numbers,
    columns: Mutex<FxHashMap<Literal, Bits>>,
}

/// Where the numbers of rows are.
#[derive(Debug)]
enum Numbers {
    /// Of states: in their cells. Reals are multiples of one over this.
    Exact { real_scale: i64 },
    /// Of views.
    Bounded(Zones),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Literal {
    Finite(Cell, Values),
    Equal(Cell, Cell, bool),
    Linear(Constraint),
}

impl Oracle {
    /// States of an instance.
    pub(crate) fn new(table: Table, processes: u8) -> Oracle {
        let cells = table.places.into_iter().zip(table.columns);
        Oracle {
            processes,
            rows: table.states,
            cells: cells
                .map(|((symbol, indices), column)| (cell(symbol, &indices), CellColumn::States(column)))
                .collect(),
            numbers: Numbers::Exact { real_scale: table.real_scale },
            columns: Mutex::default(),
        }
    }

    /// Views, in which pointers may hold processes that are not members.
    pub(crate) fn of_views(table: ViewTable) -> Oracle {
        let ViewTable { size, views, cells, zones } = table;
        debug_assert!(cells.iter().all(|cell| cell.column.len() == views), "a value for each view");
        let packed =
            |ViewCell { symbol, indices, column }| (cell(symbol, &indices), CellColumn::Views(column));
        Oracle {
            processes: size,
            rows: views,
            cells: cells.into_iter().map(packed).collect(),
            numbers: Numbers::Bounded(zones),
            columns: Mutex::default(),
        }
    }

    /// The number of processes of each row.
    pub(crate) fn processes(&self) -> u8 {
        self.processes
    }

    /// Differences of numbers up to this are exact in views.
    pub(crate) fn clip(&self) -> i64 {
        match &self.numbers {
            Numbers::Bounded(zones) => zones.clip(),
            Numbers::Exact { .. } => 0,
        }
    }

    /// The number of rows.
    pub(crate) fn states(&self) -> usize {
        self.rows
    }

    /// Whether some row matches a cube. None matches a cube with more processes than it has itself.
    pub(crate) fn matches(&self, vocabulary: &Vocabulary, cube: &Cube) -> bool {
        if cube.processes > self.processes {
            return false;
        }
        let all = vec![!0; self.rows.div_ceil(64)];
        self.extend(vocabulary, cube, 0, &mut [Process::MAX; 16], &all)
    }

    /// Whether one of some rows matches a cube whose processes before `at` are mapped.
    fn extend(
        &self,
        vocabulary: &Vocabulary,
        cube: &Cube,
        at: Process,
        map: &mut [Process; 16],
        rows: &[u64],
    ) -> bool {
        let mut left = rows.to_vec();
        for literal in literals(vocabulary, cube, at, map, self.processes) {
            let column = self.column(vocabulary, literal);
            let mut any = 0;
            for (word, column) in left.iter_mut().zip(column.iter()) {
                *word &= column;
                any |= *word;
            }
            if any == 0 {
                return false;
            }
        }
        if at == cube.processes {
            return self.any_of(&left, vocabulary, cube, map);
        }
        let is_named = at < vocabulary.named;
        for process in 0..self.processes {
            let taken = map[..usize::from(at)].contains(&process);
            if taken || is_named && process != at || !may_precede(cube, at, process, map) {
                continue;
            }
            map[usize::from(at)] = process;
            if self.extend(vocabulary, cube, at + 1, map, &left) {
                return true;
            }
        }
        map[usize::from(at)] = Process::MAX;
        false
    }

    /// Whether one of the rows that match each literal of a cube matches all of them together.
    fn any_of(&self, rows: &[u64], vocabulary: &Vocabulary, cube: &Cube, map: &[Process; 16]) -> bool {
        let zones = match &self.numbers {
            Numbers::Bounded(zones) if cube.linear.len() > 1 => zones,
            Numbers::Bounded(_) | Numbers::Exact { .. } => return rows.iter().any(|word| *word != 0),
        };
        let bits = |(at, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        };
        let rename = |cell: Cell| cell.rename(vocabulary.arity(cell), map);
        let constraints: Vec<Constraint> =
            cube.linear.iter().map(|constraint| constraint.map(rename)).collect();
        zones.any_allows(rows.iter().enumerate().flat_map(bits), &constraints)
    }

    fn column(&self, vocabulary: &Vocabulary, literal: Literal) -> Bits {
        let columns = || self.columns.lock().unwrap_or_else(PoisonError::into_inner);
        let known = columns().get(&literal).cloned();
        known.unwrap_or_else(|| {
            let column = self.compute(vocabulary, &literal);
            columns().insert(literal, column.clone());
            column
        })
    }

    fn compute(&self, vocabulary: &Vocabulary, literal: &Literal) -> Bits {
        match literal {
            Literal::Finite(cell, values) => {
                let is_pointer = vocabulary.kind(*cell) == Kind::Process;
                let column = self.cells.get(cell);
                self.bits_or_all(column.and_then(|cell| cell.may_be(*values, is_pointer, self.processes)))
            }
            Literal::Equal(left, right, equal) => {
                let columns = self.cells.get(left).zip(self.cells.get(right));
                self.bits_or_all(columns.and_then(|(left, right)| left.may_compare(right, *equal)))
            }
            Literal::Linear(constraint) => match &self.numbers {
                Numbers::Bounded(zones) => self.bits(zones.allow(constraint)),
                Numbers::Exact { real_scale } => {
                    self.bits(|row| self.holds(vocabulary, constraint, *real_scale, row))
                }
            },
        }
    }

    /// Whether a constraint may hold in a state: a number without a value may be any.
    fn holds(&self, vocabulary: &Vocabulary, constraint: &Constraint, real_scale: i64, state: usize) -> bool {
        let mut sum = i128::from(constraint.constant);
        if !constraint.whole {
            sum *= i128::from(real_scale);
        }
        for (cell, factor) in &constraint.terms {
            let value = if cell.symbol() == vocabulary.process_count {
                Some(i64::from(self.processes))
            } else {
                self.cells.get(cell).and_then(|column| column.number(state))
            };
            let Some(value) = value else { return true };
            sum += i128::from(*factor) * i128::from(value);
        }
        match constraint.comparison {
            Comparison::Zero => sum == 0,
            Comparison::AtMost => sum <= 0,
            Comparison::Below => sum < 0,
        }
    }

    fn bits(&self, holds: impl Fn(usize) -> bool) -> Bits {
        let mut bits = vec![0; self.rows.div_ceil(64)];
        for row in (0..self.rows).filter(|row| holds(*row)) {
            bits[row / 64] |= 1 << (row % 64);
        }
        bits.into()
    }

    /// What is not known of any row may hold in every one.
    fn bits_or_all(&self, may_hold: Option<impl Fn(usize) -> bool>) -> Bits {
        match may_hold {
            Some(may_hold) => self.bits(may_hold),
            None => self.bits(|_| true),
        }
    }
}

fn cell(symbol: SymbolId, indices: &[usize]) -> Cell {
    let indices: SmallVec<[Process; 4]> =
        indices.iter().map(|index| Process::try_from(*index).expect("small instances")).collect();
    Cell::new(u16::try_from(symbol.index()).expect("checked"), &indices)
}

/// The literals whose last process is the one before `at`, in terms of the rows. Literals about pointers come after the last
/// process, since their values depend on the whole mapping.
fn literals(
    vocabulary: &Vocabulary,
    cube: &Cube,
    at: Process,
    map: &[Process; 16],
    processes: u8,
) -> SmallVec<[Literal; 8]> {
    let mut found = SmallVec::new();
    let last = |cell: Cell| cell.indices(vocabulary.arity(cell)).max().map_or(0, |last| last + 1);
    let rename = |cell: Cell| cell.rename(vocabulary.arity(cell), map);
    for (cell, values) in &cube.finite {
        if vocabulary.kind(*cell) == Kind::Process {
            if at == cube.processes {
                found.push(Literal::Finite(rename(*cell), translated(cube, *values, map, processes)));
            }
        } else if last(*cell) == at {
            found.push(Literal::Finite(rename(*cell), *values));
        }
    }
    if at == cube.processes {
        for relation in &cube.relations {
            let (a, b) = (rename(relation.left), rename(relation.right));
            found.push(Literal::Equal(a.min(b), a.max(b), relation.equal));
        }
        found.extend(cube.linear.iter().map(|constraint| Literal::Linear(constraint.map(rename))));
    }
    found
}

/// Values of a pointer in terms of the rows: a process to which none of the cube is mapped is elsewhere for the cube.
fn translated(cube: &Cube, values: Values, map: &[Process; 16], processes: u8) -> Values {
    let mut translated = values & !(MEMBERS | ELSEWHERE);
    let mut image = 0;
    for process in 0..cube.processes {
        let there = member(map[usize::from(process)]);
        image |= there;
        if values & member(process) != 0 {
            translated |= there;
        }
    }
    if values & ELSEWHERE != 0 { translated | ELSEWHERE | members(processes) & !image } else { translated }
}

/// Whether the order of the cube allows to map the process `at` to another one, given those that are mapped before it.
fn may_precede(cube: &Cube, at: Process, process: Process, map: &[Process; 16]) -> bool {
    cube.order.iter().all(|(first, second)| {
        let image =
            |of: Process| if of == at { Some(process) } else { (of < at).then(|| map[usize::from(of)]) };
        match (image(*first), image(*second)) {
            (Some(first), Some(second)) => first < second,
            _ => true,
        }
    })
}

#[cfg(test)]
mod tests;
