//! What a certificate about memory events is: a list of cubes that say which reads are open, and how they are ordered.

use ir::{OutsiderId, SymbolId};

/// An invariant of a model under x86-TSO: no beginning of a run matches any of these cubes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Certificate {
    /// The cubes, which are proved together: that one has no match may rest on the others.
    pub cubes: Vec<Cube>,
}

/// Beginnings of runs that end with a bad state. What a match is, is explained in [`crate::events`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cube {
    /// The number of processes that it speaks about, which are pairwise distinct. The first ones are those with names.
    pub processes: u32,
    /// What holds of registers, constants and open reads.
    pub literals: Vec<Literal>,
    /// The instants of open reads.
    pub instants: Vec<Instant>,
}

/// An instant at which something is read that was written before.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Instant {
    /// The instants that come after it, by their positions.
    pub before: Vec<usize>,
    /// Whose earlier steps come before it.
    pub after_steps: Who,
    /// The processes whose earlier writes come before it.
    pub after_writes: Vec<u32>,
    /// The locations to which earlier writes come before it.
    pub after_writes_to: Vec<Location>,
}

/// Some processes of a cube, or all of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Who {
    /// All processes of the run.
    Everybody,
    /// These processes of the cube, by number.
    Only(Vec<u32>),
}

impl Default for Who {
    fn default() -> Who {
        Who::Only(vec![])
    }
}

/// A variable, or a cell of an array.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The variable or array.
    pub symbol: SymbolId,
    /// The processes that are its indices.
    pub indices: Vec<u32>,
}

/// Something with a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variable {
    /// A register or a constant.
    Cell(Location),
    /// What a process reads at an instant.
    Read {
        /// The position of the instant.
        instant: usize,
        /// The process.
        reader: u32,
        /// What it reads.
        location: Location,
    },
}

impl Variable {
    /// The location that is read, or that it is.
    pub fn location(&self) -> &Location {
        match self {
            Variable::Cell(location) | Variable::Read { location, .. } => location,
        }
    }
}

/// A value of finite kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A constructor, by position.
    Constructor(u32),
    /// A process that the cube speaks about, by number.
    Process(u32),
    /// Some process of the run that the cube does not speak about.
    Elsewhere,
    /// A value of sort `proc` that is no process of the run.
    Outsider(OutsiderId),
}

/// One condition of a cube, on the values of registers, constants and open reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Literal {
    /// The variable has one of these values.
    OneOf(Variable, Vec<Value>),
    /// Both have the same value.
    Same(Variable, Variable),
    /// They have different values.
    Differ(Variable, Variable),
    /// A sum of multiples is at most 0, or less.
    AtMost {
        /// Factors and variables.
        terms: Vec<(i64, Variable)>,
        /// What is added to them.
        constant: i64,
        /// Less than 0.
        strict: bool,
    },
}
