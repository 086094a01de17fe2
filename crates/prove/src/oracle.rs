//! States of small instances, asked whether any of them matches a cube.
//!
//! Columnar: for each literal that is ever asked about, a bit for each state. A cube is matched if, for some
//! mapping of its processes onto those of the instance, the columns of its literals have a bit in common.

mod zones;

pub use zones::{Point, UNBOUNDED, Zones};

use crate::cell::{Cell, Process};
use crate::cube::Cube;
use crate::linear::{Comparison, Constraint};
use crate::vocabulary::{
    ELSEWHERE, Kind, MAX_OUTSIDERS, MEMBERS, Values, Vocabulary, member, members, outsider,
};
use instance::Column;
use instance::states::Table;
use ir::OutsiderId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::{Arc, Mutex, PoisonError};

/// In views: a value that is not known.
pub const ANY_CODE: u8 = u8::MAX;
/// In views: some process that is not there and to which no global points. Two of these may be the same or not.
pub const SOMEWHERE_CODE: u8 = u8::MAX - 1;
/// In views: from here on, processes that are not there and to which globals point, each with a code of its own.
pub const FIRST_CLASS_CODE: u8 = 128;

/// A column of bits.
type Bits = Arc<[u64]>;

/// The states of one instance.
#[derive(Debug)]
pub(crate) struct Oracle {
    processes: u8,
    states: usize,
    cells: FxHashMap<Cell, Column>,
    real_scale: i64,
    /// Whether these are views of states, in which pointers may point to processes that they have not.
    of_views: bool,
    /// What views say about numbers.
    zones: Zones,
    columns: Mutex<FxHashMap<Literal, Bits>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Literal {
    Finite(Cell, Values),
    Equal(Cell, Cell, bool),
    Linear(Constraint),
}

impl Oracle {
    pub(crate) fn new(table: Table, processes: u8) -> Oracle {
        let states = table.states;
        let mut oracle = Oracle {
            processes,
            states,
            cells: FxHashMap::default(),
            real_scale: table.real_scale,
            of_views: false,
            zones: Zones::default(),
            columns: Mutex::default(),
        };
        for ((symbol, indices), column) in table.places.into_iter().zip(table.columns) {
            let indices: SmallVec<[Process; 4]> =
                indices.iter().map(|index| Process::try_from(*index).expect("small instances")).collect();
            let cell = Cell::new(u16::try_from(symbol.index()).expect("checked"), &indices);
            oracle.cells.insert(cell, column);
        }
        oracle
    }

    /// The same for views of so many processes, with what they say about numbers.
    pub(crate) fn of_views(table: Table, zones: Zones, size: u8) -> Oracle {
        Oracle { of_views: true, zones, ..Oracle::new(table, size) }
    }

    pub(crate) fn processes(&self) -> u8 {
        self.processes
    }

    /// What views say about numbers.
    pub(crate) fn zones(&self) -> &Zones {
        &self.zones
    }

    pub(crate) fn states(&self) -> usize {
        self.states
    }

    /// Whether some state matches a cube. A cube with more processes than the instance is matched by none.
    pub(crate) fn matches(&self, vocabulary: &Vocabulary, cube: &Cube) -> bool {
        if cube.processes > self.processes {
            return false;
        }
        let all = vec![!0; self.states.div_ceil(64)];
        self.extend(vocabulary, cube, 0, &mut [Process::MAX; 16], &all)
    }

    fn extend(
        &self,
        vocabulary: &Vocabulary,
        cube: &Cube,
        at: Process,
        map: &mut [Process; 16],
        states: &[u64],
    ) -> bool {
        let mut left = states.to_vec();
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

    /// Whether one of the states that match each literal of a cube matches all together.
    fn any_of(&self, states: &[u64], vocabulary: &Vocabulary, cube: &Cube, map: &[Process; 16]) -> bool {
        if !self.of_views || cube.linear.len() < 2 {
            return states.iter().any(|word| *word != 0);
        }
        let bits = |(at, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        };
        let rename = |cell: Cell| cell.rename(vocabulary.arity(cell), map);
        let constraints: Vec<Constraint> =
            cube.linear.iter().map(|constraint| constraint.map(rename)).collect();
        self.zones.any_allows(states.iter().enumerate().flat_map(bits), &constraints)
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
                let value =
                    |code: u8| if is_pointer { self.pointer(code) } else { 1_u64.unbounded_shl(code.into()) };
                let is_open = |code: u8| self.of_views && code == ANY_CODE;
                let allowed: Vec<bool> =
                    (0..=u8::MAX).map(|code| is_open(code) || value(code) & values != 0).collect();
                match self.cells.get(cell) {
                    Some(Column::Codes(codes)) => self.bits(|state| allowed[usize::from(codes[state])]),
                    Some(Column::Numbers(_)) | None => self.bits(|_| true),
                }
            }
            Literal::Equal(left, right, equal) => match (self.cells.get(left), self.cells.get(right)) {
                (Some(Column::Codes(a)), Some(Column::Codes(b))) => {
                    let is_open = |a: u8, b: u8| {
                        self.of_views
                            && (a == ANY_CODE || b == ANY_CODE || a == SOMEWHERE_CODE && b == SOMEWHERE_CODE)
                    };
                    self.bits(|state| (a[state] == b[state]) == *equal || is_open(a[state], b[state]))
                }
                _ => self.bits(|_| true),
            },
            Literal::Linear(constraint) if self.of_views => self.bits(self.zones.allow(constraint)),
            Literal::Linear(constraint) => self.bits(|state| self.holds(vocabulary, constraint, state)),
        }
    }

    /// What a code of sort `proc` stands for.
    fn pointer(&self, code: u8) -> Values {
        match code.checked_sub(self.processes) {
            None => member(code),
            Some(_) if self.of_views && code >= FIRST_CLASS_CODE => ELSEWHERE,
            Some(beyond) if beyond < MAX_OUTSIDERS => outsider(OutsiderId::from_index(beyond.into())),
            Some(_) => 0,
        }
    }

    /// Whether a constraint may hold in a state: a number without a value may be any.
    fn holds(&self, vocabulary: &Vocabulary, constraint: &Constraint, state: usize) -> bool {
        let mut sum = i128::from(constraint.constant);
        if !constraint.whole {
            sum *= i128::from(self.real_scale);
        }
        for (cell, factor) in &constraint.terms {
            let value = if cell.symbol() == vocabulary.process_count {
                Some(i64::from(self.processes))
            } else {
                match self.cells.get(cell) {
                    Some(Column::Numbers(numbers)) => numbers[state],
                    Some(Column::Codes(_)) | None => None,
                }
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
        let mut bits = vec![0; self.states.div_ceil(64)];
        for state in (0..self.states).filter(|state| holds(*state)) {
            bits[state / 64] |= 1 << (state % 64);
        }
        bits.into()
    }
}

/// The literals whose last process is the one before `at`, in terms of the instance; what speaks of pointers comes last.
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

/// Values in terms of the instance: its processes that are no image are elsewhere for the cube.
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

/// Whether the order of the cube allows a process for the one at a position, given those before it.
fn may_precede(cube: &Cube, at: Process, process: Process, map: &[Process; 16]) -> bool {
    cube.order.iter().all(|(first, second)| {
        let place =
            |of: Process| if of == at { Some(process) } else { (of < at).then(|| map[usize::from(of)]) };
        match (place(*first), place(*second)) {
            (Some(first), Some(second)) => first < second,
            _ => true,
        }
    })
}

#[cfg(test)]
mod tests;
