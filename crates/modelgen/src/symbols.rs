//! The declarations of a model: types, symbols and predicates.

/// A thread primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Primitive {
    Lock,
    ReentrantLock,
    Condition,
    Semaphore,
}

/// The type of a symbol or term. Numbers refer to the declarations of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Enumeration(usize),
    Bool,
    Int,
    Real,
    Range(usize),
    Abstract(usize),
    /// A process of the run.
    Process,
    /// A process of the run or an outsider. Both are written `proc`; kept apart so that no outsider becomes an index.
    Party,
    Kind(usize),
    Primitive(Primitive),
}

impl Type {
    pub(crate) fn is_ordered(self) -> bool {
        matches!(self, Type::Int | Type::Real | Type::Range(_))
    }

    /// Whether a term of this type can be used where `wanted` is expected.
    pub(crate) fn serves_as(self, wanted: Type) -> bool {
        self == wanted
            || matches!(
                (self, wanted),
                (Type::Range(_) | Type::Primitive(Primitive::Semaphore), Type::Int)
                    | (Type::Process, Type::Party)
            )
    }
}

/// Whether a symbol changes, and where it may be named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Assigned by transitions, described by `init`.
    State,
    /// A constant that `init` describes or leaves open.
    Rigid,
    /// Never assigned and never named in `init`: `assume` may mention it.
    Given,
}

#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// The number of process indices.
    pub(crate) arity: usize,
    pub(crate) constant: bool,
    pub(crate) weak: bool,
    pub(crate) fate: Fate,
}

impl Symbol {
    /// A register of a weak model: readable and writable by its own process only.
    pub(crate) fn is_register(&self) -> bool {
        !self.weak && !self.constant
    }

    pub(crate) fn is_primitive(&self) -> bool {
        matches!(self.ty, Type::Primitive(_))
    }
}

/// The type of a parameter of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parameter {
    Term(Type),
    Formula,
}

#[derive(Clone, Debug)]
pub(crate) struct Predicate {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
    /// Whether `init` may call it: it must not mention a process-valued symbol, which `init` could make an outsider.
    pub(crate) fit_for_init: bool,
}

/// What a temporal property needs to name a transition.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) arity: usize,
}

/// Everything declared so far.
#[derive(Default)]
pub(crate) struct Signature {
    /// The name and the constructors of each enumeration.
    pub(crate) enumerations: Vec<(String, Vec<String>)>,
    /// The name and the bounds of each integer range.
    pub(crate) ranges: Vec<(String, usize, usize)>,
    pub(crate) abstracts: Vec<String>,
    pub(crate) kinds: Vec<String>,
    /// `number_procs`; 0 if it is not declared.
    pub(crate) processes: usize,
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) predicates: Vec<Predicate>,
    pub(crate) steps: Vec<Step>,
    /// The array of program counters, and the enumeration of their values (threads, weak memory).
    pub(crate) counter: Option<(String, usize)>,
}

impl Signature {
    pub(crate) fn type_name(&self, ty: Type) -> &str {
        match ty {
            Type::Enumeration(index) => &self.enumerations[index].0,
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Real => "real",
            Type::Range(index) => &self.ranges[index].0,
            Type::Abstract(index) => &self.abstracts[index],
            Type::Process | Type::Party => "proc",
            Type::Kind(index) => &self.kinds[index],
            Type::Primitive(Primitive::Lock) => "lock",
            Type::Primitive(Primitive::ReentrantLock) => "rlock",
            Type::Primitive(Primitive::Condition) => "condition",
            Type::Primitive(Primitive::Semaphore) => "semaphore",
        }
    }
}
