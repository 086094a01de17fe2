//! The symbols of a model as the search sees them: which values they may have, and how they are represented.

use crate::variable::{MOST_PROCESSES, Process, Variable};
use ir::{Domain, Model, Sort};

/// A set of values, one bit for each. For sort `proc`: the processes of the cube by number, [`ELSEWHERE`], then outsiders.
pub(crate) type Values = u64;

/// A process of the run that is not one of the cube.
pub(crate) const ELSEWHERE: Values = 1 << MOST_PROCESSES;

/// The most outsiders that there are bits for.
pub(crate) const MOST_OUTSIDERS: usize = (Values::BITS as usize) - MOST_PROCESSES as usize - 1;

/// The processes of the run: everything but outsiders.
pub(crate) const IN_RUN: Values = ELSEWHERE | (ELSEWHERE - 1);

/// A value by its bit.
pub(crate) fn bit(value: u32) -> Values {
    1 << value
}

/// The value of an outsider.
pub(crate) fn outsider(number: u32) -> Values {
    ELSEWHERE << (number + 1)
}

/// The first processes of a cube.
pub(crate) fn members(processes: Process) -> Values {
    bit(processes.into()) - 1
}

/// What the values of a symbol are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One of so many constructors.
    Enumeration(u32),
    /// A process, or one of these outsiders.
    Process(Values),
    /// A number.
    Number { whole: bool, range: Option<(i64, i64)> },
    /// A value of an abstract type.
    Abstract,
}

impl Kind {
    /// Whether sets of values say everything there is to say about a single variable.
    pub(crate) fn is_finite(self) -> bool {
        matches!(self, Kind::Enumeration(_) | Kind::Process(_))
    }
}

/// A symbol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbol {
    pub(crate) kind: Kind,
    pub(crate) arity: usize,
    pub(crate) weak: bool,
    pub(crate) constant: bool,
}

/// The symbols, and how many processes there are.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    pub(crate) symbols: Vec<Symbol>,
    /// The processes with names: the first ones of every cube.
    pub(crate) named: Process,
    /// The largest number of processes of an instance.
    pub(crate) most: Option<Process>,
}

impl Vocabulary {
    /// Of a model that the search supports.
    pub(crate) fn new(model: &Model) -> Vocabulary {
        let outsiders = (0..model.outsiders.len()).fold(0, |all, at| all | outsider(narrow(at)));
        let symbols = model.symbols.iter().map(|symbol| Symbol {
            kind: match symbol.sort {
                Sort::Enum(id) => Kind::Enumeration(narrow(model.enums[id.index()].constructors.len())),
                Sort::Proc => Kind::Process(if symbol.holds_outsiders { outsiders } else { 0 }),
                Sort::Int | Sort::Real => Kind::Number {
                    whole: symbol.sort == Sort::Int,
                    range: match symbol.domain {
                        Domain::Range(low, high) => Some((low, high)),
                        Domain::Full | Domain::Kind(_) => None,
                    },
                },
                Sort::Abstract(_) => Kind::Abstract,
            },
            arity: symbol.arity,
            weak: symbol.weak,
            constant: symbol.constant,
        });
        Vocabulary {
            symbols: symbols.collect(),
            named: Process::try_from(model.named_processes).unwrap_or(Process::MAX),
            most: model.max_processes.map(|most| Process::try_from(most).unwrap_or(Process::MAX)),
        }
    }

    pub(crate) fn symbol(&self, variable: Variable) -> &Symbol {
        &self.symbols[usize::from(variable.location.symbol())]
    }

    pub(crate) fn kind(&self, variable: Variable) -> Kind {
        self.symbol(variable).kind
    }

    /// All values that a variable of finite kind may have beside this many processes.
    pub(crate) fn full(&self, variable: Variable, processes: Process) -> Values {
        match self.kind(variable) {
            Kind::Enumeration(constructors) => Values::MAX >> (Values::BITS - constructors),
            Kind::Process(outsiders) => {
                let elsewhere = if self.most.is_some_and(|most| processes >= most) { 0 } else { ELSEWHERE };
                members(processes) | elsewhere | outsiders
            }
            Kind::Number { .. } | Kind::Abstract => Values::MAX,
        }
    }

    /// Whether a cube with this many processes may have one more.
    pub(crate) fn has_room(&self, processes: Process) -> bool {
        self.most.is_none_or(|most| processes < most)
    }
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
