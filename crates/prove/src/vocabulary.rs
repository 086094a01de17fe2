//! What the prover knows of the symbols of a model: sorts, and which values can ever occur.

use crate::Unsupported;
use crate::cell::{Cell, MAX_ARITY, MAX_PROCESSES, Process};
use crate::linear::{Comparison, Constraint, Simplified, simplify};
use crate::places::Places;
use ir::{Domain, Model, OutsiderId, Sort};
use std::sync::Arc;

/// A set of values of a finite sort: a bit for each constructor. Of sort `proc`: a bit for each process of the
/// cube, one for all other processes of the run, and one for each outsider.
pub(crate) type Values = u64;

/// The processes that a cube may have.
pub(crate) const MEMBERS: Values = (1 << MAX_PROCESSES) - 1;
/// Any process of the run that is not one of the cube.
pub(crate) const ELSEWHERE: Values = 1 << MAX_PROCESSES;
/// Any process of the run.
pub(crate) const RUN: Values = MEMBERS | ELSEWHERE;
const FIRST_OUTSIDER: usize = MAX_PROCESSES as usize + 1;
const MAX_VALUES: usize = 64;
/// The bits of a set of values of globals.
const GLOBAL_BITS: usize = 128;
/// The most outsiders for which a set of values has room.
pub(crate) const MAX_OUTSIDERS: u8 = 64 - MAX_PROCESSES - 1;

/// The value set of one process of a cube.
pub(crate) fn member(process: Process) -> Values {
    1 << process
}

/// The value set of an outsider.
pub(crate) fn outsider(id: OutsiderId) -> Values {
    1 << (FIRST_OUTSIDER + id.index())
}

/// All processes of a cube with this many.
pub(crate) fn members(processes: u8) -> Values {
    (1 << processes) - 1
}

/// What literals can say about the values of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One of a few constructors.
    Finite,
    /// A process or an outsider.
    Process,
    /// Of an abstract type: only whether two values are equal.
    Abstract,
    /// A whole number.
    Whole,
    /// A rational number.
    Real,
}

impl Kind {
    /// Whether values are sets of bits.
    pub(crate) fn is_finite(self) -> bool {
        matches!(self, Kind::Finite | Kind::Process)
    }

    /// Whether values are numbers.
    pub(crate) fn is_number(self) -> bool {
        matches!(self, Kind::Whole | Kind::Real)
    }
}

/// A symbol, as far as the prover cares.
#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    pub(crate) arity: usize,
    pub(crate) kind: Kind,
    /// For finite sorts: the values that can occur at all. The bits of `MEMBERS` are all set or all clear, as that of `ELSEWHERE`.
    pub(crate) possible: Values,
    /// For numbers: the range of the type.
    pub(crate) range: Option<(i64, i64)>,
    /// For sort `proc`: the kind of all processes that it can hold, as a value of the symbol of kinds.
    pub(crate) of_kind: Option<Values>,
    /// For globals of a finite sort: where the bits of its values begin in a set of values of globals, if there is room.
    pub(crate) first_bit: Option<u8>,
}

/// All symbols, and one more: the number of processes.
#[derive(Clone, Debug)]
pub(crate) struct Vocabulary {
    pub(crate) symbols: Vec<Symbol>,
    /// The number of named processes `#1`, `#2`, …, which are the first ones of every cube, in this order.
    pub(crate) named: u8,
    /// Cubes with more processes than this match nothing.
    pub(crate) most: u8,
    /// The number of processes as a symbol.
    pub(crate) process_count: u16,
    /// Whether any formula mentions the number of processes.
    pub(crate) counts_processes: bool,
    /// The array that holds the kind of each process.
    pub(crate) kinds: Option<u16>,
    /// What numbers say about how many processes are where.
    pub(crate) places: Option<Arc<Places>>,
}

impl Vocabulary {
    pub(crate) fn new(model: &Model) -> Result<Vocabulary, Unsupported> {
        if model.named_processes >= u32::from(MAX_PROCESSES) {
            return Err(Unsupported::new("more than 15 named processes", None));
        }
        let (mut symbols, mut bits) = (Vec::new(), 0);
        for symbol in &model.symbols {
            if symbol.arity > MAX_ARITY {
                return Err(Unsupported::new("an array with more than four indices", Some(symbol.at)));
            }
            let (kind, values) = match symbol.sort {
                Sort::Int => (Kind::Whole, 0),
                Sort::Real => (Kind::Real, 0),
                Sort::Abstract(_) => (Kind::Abstract, 0),
                Sort::Proc => (Kind::Process, FIRST_OUTSIDER + model.outsiders.len()),
                Sort::Enum(of) => (Kind::Finite, model.enums[of.index()].constructors.len()),
            };
            if values > MAX_VALUES {
                return Err(Unsupported::new("a type with more than 64 values", Some(symbol.at)));
            }
            let mut possible = if values == MAX_VALUES { !0 } else { (1 << values) - 1 };
            if kind == Kind::Process && !symbol.holds_outsiders {
                possible = RUN;
            }
            let range = match symbol.domain {
                Domain::Range(low, high) => Some((low, high)),
                Domain::Full | Domain::Kind(_) => None,
            };
            let of_kind = match symbol.domain {
                Domain::Kind(kind) => Some(1 << kind.index()),
                Domain::Full | Domain::Range(..) => None,
            };
            let is_global = symbol.arity == 0 && kind == Kind::Finite;
            let has_room = is_global && bits + values <= GLOBAL_BITS;
            let first_bit = u8::try_from(bits).ok().filter(|_| has_room);
            bits += first_bit.map_or(0, |_| values);
            symbols.push(Symbol { arity: symbol.arity, kind, possible, range, of_kind, first_bit });
        }
        let process_count = u16::try_from(symbols.len())
            .ok()
            .filter(|count| *count < u16::MAX)
            .ok_or_else(|| Unsupported::new("a model with more than 65534 symbols", None))?;
        let (kind, range, of_kind, first_bit) = (Kind::Whole, None, None, None);
        symbols.push(Symbol { arity: 0, kind, possible: 0, range, of_kind, first_bit });
        let most =
            model.max_processes.map_or(MAX_PROCESSES, |most| u8::try_from(most).unwrap_or(MAX_PROCESSES));
        Ok(Vocabulary {
            symbols,
            named: u8::try_from(model.named_processes).unwrap_or(MAX_PROCESSES),
            most: most.min(MAX_PROCESSES),
            process_count,
            counts_processes: false,
            kinds: model.kinds.as_ref().and_then(|kinds| u16::try_from(kinds.of_process.index()).ok()),
            places: None,
        })
    }

    pub(crate) fn symbol(&self, cell: Cell) -> &Symbol {
        &self.symbols[usize::from(cell.symbol())]
    }

    pub(crate) fn arity(&self, cell: Cell) -> usize {
        self.symbol(cell).arity
    }

    pub(crate) fn kind(&self, cell: Cell) -> Kind {
        self.symbol(cell).kind
    }

    /// All values that a cell can have in a cube with this many processes.
    pub(crate) fn full(&self, cell: Cell, processes: u8) -> Values {
        let symbol = self.symbol(cell);
        match symbol.kind {
            Kind::Process => symbol.possible & !(MEMBERS & !members(processes)),
            _ => symbol.possible,
        }
    }

    /// What types imply about the numbers among these cells, in a cube with this many processes.
    pub(crate) fn facts(&self, cells: impl Iterator<Item = Cell>, processes: u8) -> Vec<Constraint> {
        let mut facts = Vec::new();
        for cell in cells {
            if let Some((low, high)) = self.symbol(cell).range {
                facts.extend(at_most(cell, high));
                facts.extend(at_least(cell, low));
            }
            if cell.symbol() == self.process_count {
                facts.extend(at_least(cell, i64::from(processes.max(1))));
            }
        }
        facts.sort_unstable();
        facts.dedup();
        facts
    }
}

fn at_most(cell: Cell, bound: i64) -> Option<Constraint> {
    constraint(cell, 1, -i128::from(bound))
}

fn at_least(cell: Cell, bound: i64) -> Option<Constraint> {
    constraint(cell, -1, i128::from(bound))
}

fn constraint(cell: Cell, factor: i128, constant: i128) -> Option<Constraint> {
    match simplify([(cell, factor)], constant, Comparison::AtMost, true) {
        Some(Simplified::Constraint(constraint)) => Some(constraint),
        _ => None,
    }
}
