//! A model as plain data: names resolved, predicates and `let` substituted, nothing else changed.

use super::{scope::Mention, state::Value};
use std::collections::BTreeSet;

/// A process variable. Each binder of an item has a number of its own, so substitution captures nothing.
pub(crate) type Variable = usize;

/// A term or a formula (sections 3 and 4).
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Phrase {
    Value(Value),
    Variable(Variable),
    /// A symbol with its indices.
    Read(usize, Vec<Phrase>),
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
pub(crate) enum Relation {
    Eq,
    Neq,
    Lt,
    Le,
    Gt,
    Ge,
}

/// `forall`, `exists`, `forall_other`, `exists_other`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Quantified {
    pub(crate) universal: bool,
    /// The variables range over pairwise distinct processes …
    pub(crate) variables: Vec<Variable>,
    /// … that differ from these: the parameters of the item, for an `_other` quantifier.
    pub(crate) apart_from: Vec<Variable>,
    pub(crate) body: Phrase,
}

/// The state of locks in formulas (section 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    Free,
    Owner,
    Waiting,
    Sleeping,
    Active,
}

/// The type of a variable, a cell or a constant (section 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
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
pub(crate) enum LockType {
    Lock,
    Reentrant,
    Condition,
    Semaphore,
}

#[derive(Debug)]
pub(crate) struct Symbol {
    pub(crate) name: String,
    pub(crate) arity: usize,
    pub(crate) of: Type,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Param {
    pub(crate) variable: Variable,
    pub(crate) kind: Option<usize>,
}

#[derive(Debug)]
pub(crate) struct Init {
    pub(crate) params: Vec<Param>,
    pub(crate) formula: Phrase,
    pub(crate) mentioned: BTreeSet<Mention>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim {
    Unsafe,
    Invariant,
    /// `assume`, or an invariant that counts as one (section 2).
    Assumption,
}

#[derive(Debug)]
pub(crate) struct Property {
    pub(crate) claim: Claim,
    pub(crate) name: String,
    pub(crate) params: Vec<Param>,
    pub(crate) formula: Phrase,
    pub(crate) mentioned: BTreeSet<Mention>,
}

/// A transition (section 5).
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) name: String,
    pub(crate) params: Vec<Param>,
    pub(crate) actor: Option<Variable>,
    pub(crate) guard: Phrase,
    pub(crate) updates: Vec<Update>,
    pub(crate) primitive: Option<Primitive>,
}

#[derive(Debug)]
pub(crate) struct Update {
    pub(crate) symbol: usize,
    pub(crate) target: Target,
    /// In order; the condition of `_` and of a plain assignment is true.
    pub(crate) arms: Vec<(Phrase, Assigned)>,
}

#[derive(Debug)]
pub(crate) enum Target {
    /// `X`, `A[i]`, `A[Turn]`
    Cell(Vec<Phrase>),
    /// `A[k] := case …`
    Every(Vec<Variable>),
}

#[derive(Debug)]
pub(crate) enum Assigned {
    Term(Phrase),
    /// `?`
    Any,
    /// The cell itself: it is kept, not read (section 8).
    Keep,
}

/// `acquire(L, i)` and the like. The process is the actor.
#[derive(Debug)]
pub(crate) struct Primitive {
    pub(crate) operation: Operation,
    pub(crate) symbol: usize,
    pub(crate) indices: Vec<Phrase>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Acquire,
    Release,
    Wait,
    Notify,
    NotifyAll,
}

/// A whole model.
#[derive(Debug, Default)]
pub(crate) struct Program {
    /// `number_procs`
    pub(crate) most: Option<usize>,
    /// The largest `#k` that occurs.
    pub(crate) named: usize,
    pub(crate) kinds: Vec<String>,
    /// The number of abstract types.
    pub(crate) abstracts: usize,
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) inits: Vec<Init>,
    pub(crate) properties: Vec<Property>,
    pub(crate) rules: Vec<Rule>,
    /// `final`: where runs may end.
    pub(crate) finals: Vec<Phrase>,
    /// The formulas that temporal properties quote, each with the name of the property.
    pub(crate) quoted: Vec<(String, Phrase)>,
    pub(crate) weak: bool,
    /// Whether queues are first-in-first-out.
    pub(crate) fifo: bool,
}

impl Program {
    /// Whether a run may have this many processes: it has every `#k` that is named, and at least one process of each
    /// kind (sections 2 and 7).
    pub(crate) fn allows(&self, processes: usize) -> bool {
        let least = self.named.max(self.kinds.len()).max(1);
        processes >= least && self.most.is_none_or(|most| processes <= most)
    }
}

impl Phrase {
    pub(crate) const TRUE: Phrase = Phrase::Value(Value::Truth(true));

    /// The phrases directly in this one.
    pub(crate) fn parts(&self) -> Vec<&Phrase> {
        match self {
            Phrase::Value(_) | Phrase::Variable(_) | Phrase::ProcessCount => vec![],
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
    pub(crate) fn any(&self, is: &dyn Fn(&Phrase) -> bool) -> bool {
        is(self) || self.parts().iter().any(|part| part.any(is))
    }
}
