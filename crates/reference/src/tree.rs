//! A model as plain data: names resolved, predicates and `let` substituted, nothing else changed.

use crate::{scope::Mention, state::Value};
use std::collections::BTreeSet;

/// A process variable. Each binder of an item has a number of its own, so substitution captures nothing.
pub type Variable = usize;

/// A term or a formula (sections 3 and 4).
#[derive(Debug, Clone, PartialEq)]
pub enum Phrase {
    Value(Value),
    Variable(Variable),
    /// A symbol with its indices.
    Read(usize, Vec<Phrase>),
    /// `i@X`: the reader, a weak symbol, and its indices.
    ReadBy(Box<Phrase>, usize, Vec<Phrase>),
    /// `fence()`, of the actor.
    Fence(Variable),
    /// `SYS_PROCS`
    ProcessCount,
    /// `count(A[row], value)`; without a value `count(A[row], _)`.
    Count {
        symbol: usize,
        row: Vec<Phrase>,
        value: Option<Box<Phrase>>,
    },
    /// Summands, each with whether it is subtracted.
    Sum(Vec<(bool, Phrase)>),
    Product(Vec<Phrase>),
    /// `2/3` of the processes.
    Share(Box<Phrase>, Box<Phrase>),
    Compare(Relation, Box<Phrase>, Box<Phrase>),
    Not(Box<Phrase>),
    And(Vec<Phrase>),
    Or(Vec<Phrase>),
    Implies(Box<Phrase>, Box<Phrase>),
    Iff(Box<Phrase>, Box<Phrase>),
    If(Box<Phrase>, Box<Phrase>, Box<Phrase>),
    Quantified(Box<Quantified>),
    /// `free(L)`, `owner(L, i)`, …; `active(i)` has no lock, `free(L)` no process.
    Asks(Question, Option<Box<Phrase>>, Option<Box<Phrase>>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    Eq,
    Neq,
    Lt,
    Le,
    Gt,
    Ge,
}

/// `forall`, `exists`, `forall_other`, `exists_other`
#[derive(Debug, Clone, PartialEq)]
pub struct Quantified {
    pub universal: bool,
    /// The variables range over pairwise distinct processes …
    pub variables: Vec<Variable>,
    /// … that differ from these: the parameters of the item, for an `_other` quantifier.
    pub apart_from: Vec<Variable>,
    pub body: Phrase,
}

/// The state of locks in formulas (section 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    Free,
    Owner,
    Waiting,
    Sleeping,
    Active,
}

/// The type of a variable, a cell or a constant (section 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Truth,
    /// `int`, or an integer range.
    Whole(Option<(i64, i64)>),
    Real,
    /// `proc`, or a kind of process.
    Process(Option<usize>),
    Enumeration {
        number: usize,
        constructors: usize,
    },
    Abstract(usize),
    Lock(LockType),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockType {
    Lock,
    Reentrant,
    Condition,
    Semaphore,
}

#[derive(Debug)]
pub struct Symbol {
    pub name: String,
    pub arity: usize,
    pub of: Type,
    pub weak: bool,
}

#[derive(Debug, Clone, Copy)]
pub struct Param {
    pub variable: Variable,
    pub kind: Option<usize>,
}

#[derive(Debug)]
pub struct Init {
    pub params: Vec<Param>,
    pub formula: Phrase,
    pub mentioned: BTreeSet<Mention>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    Unsafe,
    Invariant,
    /// `assume`, or an invariant that counts as one (section 2).
    Assumption,
}

#[derive(Debug)]
pub struct Property {
    pub claim: Claim,
    pub name: String,
    pub params: Vec<Param>,
    pub formula: Phrase,
    pub mentioned: BTreeSet<Mention>,
}

/// An atom of a temporal property.
#[derive(Debug)]
pub struct Quoted {
    /// The name of the property.
    pub name: String,
    /// The parameters of the property.
    pub params: Vec<Param>,
    pub formula: Phrase,
}

/// A transition (section 5).
#[derive(Debug)]
pub struct Rule {
    pub name: String,
    pub params: Vec<Param>,
    pub actor: Option<Variable>,
    pub guard: Phrase,
    pub updates: Vec<Update>,
    pub primitive: Option<Primitive>,
    /// The symbols that the text reads; a cell that is only kept is not read (section 8).
    pub reads: BTreeSet<usize>,
}

#[derive(Debug)]
pub struct Update {
    pub symbol: usize,
    pub target: Target,
    /// In order; the condition of `_` and of a plain assignment is true.
    pub arms: Vec<(Phrase, Assigned)>,
}

#[derive(Debug)]
pub enum Target {
    /// `X`, `A[i]`, `A[Turn]`
    Cell(Vec<Phrase>),
    /// `A[k] := case …`
    Every(Vec<Variable>),
}

#[derive(Debug)]
pub enum Assigned {
    Term(Phrase),
    /// `?`
    Any,
    /// The cell itself: it is kept, not read (section 8).
    Keep,
}

/// `acquire(L, i)` and the like. The process is the actor.
#[derive(Debug)]
pub struct Primitive {
    pub operation: Operation,
    pub symbol: usize,
    pub indices: Vec<Phrase>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    Acquire,
    Release,
    Wait,
    Notify,
    NotifyAll,
}

/// A whole model.
#[derive(Debug, Default)]
pub struct Program {
    /// `number_procs`
    pub most: Option<usize>,
    /// The largest `#k` that occurs.
    pub named: usize,
    pub kinds: Vec<String>,
    /// The number of abstract types.
    pub abstracts: usize,
    pub symbols: Vec<Symbol>,
    pub inits: Vec<Init>,
    pub properties: Vec<Property>,
    pub rules: Vec<Rule>,
    /// `final`: where runs may end.
    pub finals: Vec<Phrase>,
    /// The formulas that are atoms of temporal properties.
    pub quoted: Vec<Quoted>,
    pub weak: bool,
    /// Whether queues are first-in-first-out.
    pub fifo: bool,
    pub memory: Memory,
}

/// How weak symbols are read and written (section 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Memory {
    /// Sequential consistency: no buffers.
    #[default]
    Sc,
    /// A store buffer for each process.
    Tso,
}

impl Program {
    /// Whether a run may have this many processes: it has every `#k` that is named, and at least one process of each
    /// kind (sections 2 and 7).
    pub fn allows(&self, processes: usize) -> bool {
        let least = self.named.max(self.kinds.len()).max(1);
        processes >= least && self.most.is_none_or(|most| processes <= most)
    }
}

impl Phrase {
    pub const TRUE: Phrase = Phrase::Value(Value::Truth(true));

    /// The phrases directly in this one.
    pub fn parts(&self) -> Vec<&Phrase> {
        match self {
            Phrase::Value(_) | Phrase::Variable(_) | Phrase::Fence(_) | Phrase::ProcessCount => vec![],
            Phrase::ReadBy(reader, _, indices) => indices.iter().chain([&**reader]).collect(),
            Phrase::Read(_, parts) | Phrase::Product(parts) | Phrase::And(parts) | Phrase::Or(parts) => {
                parts.iter().collect()
            }
            Phrase::Count { row, value, .. } => row.iter().chain(value.as_deref()).collect(),
            Phrase::Sum(parts) => parts.iter().map(|(_, part)| part).collect(),
            Phrase::Share(a, b) | Phrase::Compare(_, a, b) | Phrase::Implies(a, b) | Phrase::Iff(a, b) => {
                vec![a, b]
            }
            Phrase::Not(part) => vec![part],
            Phrase::If(condition, then, otherwise) => vec![condition, then, otherwise],
            Phrase::Quantified(quantified) => vec![&quantified.body],
            Phrase::Asks(_, lock, process) => lock.as_deref().into_iter().chain(process.as_deref()).collect(),
        }
    }

    /// Whether this phrase or one inside it satisfies a predicate.
    pub fn any(&self, is: &dyn Fn(&Phrase) -> bool) -> bool {
        is(self) || self.parts().iter().any(|part| part.any(is))
    }
}
