//! The types of the language, for type checking.

use super::environment::Environment;
use ir::{AbstractId, Domain, EnumId, KindId, LockKind, Sort};

/// The type of a term or symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Int,
    Real,
    /// A process, of this kind if one is given.
    Proc(Option<KindId>),
    Enum(EnumId),
    Abstract(AbstractId),
    /// An integer range; mixes with `int`.
    Range(i64, i64),
    /// A lock, which is not a value. Except semaphores, which read as `Int`.
    Lock(LockKind),
}

impl Type {
    pub(super) const BOOL: Type = Type::Enum(EnumId(0));

    /// The sort of the values.
    pub(super) fn sort(self) -> Sort {
        match self {
            Type::Int | Type::Range(..) | Type::Lock(LockKind::Semaphore) => Sort::Int,
            Type::Real => Sort::Real,
            // The state of a lock is its owner.
            Type::Proc(_) | Type::Lock(_) => Sort::Proc,
            Type::Enum(id) => Sort::Enum(id),
            Type::Abstract(id) => Sort::Abstract(id),
        }
    }

    /// The restriction of the values within the sort.
    pub(super) fn domain(self) -> Domain {
        match self {
            Type::Range(low, high) => Domain::Range(low, high),
            Type::Proc(Some(kind)) => Domain::Kind(kind),
            _ => Domain::Full,
        }
    }

    /// Whether values of the two types may be compared or assigned: kinds and ranges are subtypes of `proc` and
    /// `int`.
    pub(super) fn fits(self, other: Type) -> bool {
        self.sort() == other.sort()
    }

    pub(super) fn is_numeric(self) -> bool {
        matches!(self.sort(), Sort::Int | Sort::Real)
    }

    /// Its name in messages.
    pub(super) fn describe(self, env: &Environment) -> String {
        let name = match self {
            Type::Int => "int",
            Type::Real => "real",
            Type::Proc(None) => "proc",
            Type::Proc(Some(kind)) => &env.kinds[kind.index()],
            Type::Enum(id) => &env.enums[id.index()].name,
            Type::Abstract(id) => &env.abstract_types[id.index()].name,
            Type::Range(low, high) => return format!("`[{low}..{high}]`"),
            Type::Lock(kind) => lock_word(kind),
        };
        format!("`{name}`")
    }
}

/// The predeclared type of a kind of lock.
pub(super) fn lock_word(kind: LockKind) -> &'static str {
    match kind {
        LockKind::Lock => "lock",
        LockKind::Reentrant => "rlock",
        LockKind::Condition => "condition",
        LockKind::Semaphore => "semaphore",
    }
}

/// The predeclared types.
pub(super) const PREDECLARED: &[(&str, Type)] = &[
    ("int", Type::Int),
    ("real", Type::Real),
    ("bool", Type::BOOL),
    ("proc", Type::Proc(None)),
    ("lock", Type::Lock(LockKind::Lock)),
    ("rlock", Type::Lock(LockKind::Reentrant)),
    ("condition", Type::Lock(LockKind::Condition)),
    ("semaphore", Type::Lock(LockKind::Semaphore)),
];
