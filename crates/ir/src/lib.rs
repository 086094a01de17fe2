//! The typed form of a model: small, and the only form that engines work on.
//!
//! Everything that is sugar in the language is gone: predicates and `let` are substituted, `A[i] := t` is an update
//! with one arm, thread primitives are ordinary variables and transitions, kinds are a constant array, process
//! variables that start outside of the run hold a named *outsider*. What remains are symbols, formulas over them,
//! transitions that read the state before the step, and properties: formulas that no reachable state may satisfy.
//!
//! Names and source locations are those of the user throughout. Locations are ignored in comparisons, so that models
//! that differ only in layout are equal.

mod display;
mod formula;
mod normal;
mod number;
mod sequential;
pub mod store_buffers;
mod term;
mod walk;

pub use formula::{Formula, Quantifier, Relation};
pub use normal::{TooManyDisjuncts, disjuncts, negate};
pub use number::Number;
pub use term::{Linear, Term};
pub use walk::Extent;

use source::Span;
use store_buffers::StoreBuffers;

macro_rules! ids {
    ($( $(#[$doc:meta])* $name:ident )*) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the list that it indexes.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of a position.
            ///
            /// # Panics
            /// If there are more than 2³² things of a kind.
            pub fn from_index(at: usize) -> $name {
                $name(u32::try_from(at).expect("a model has fewer than 2^32 things of a kind"))
            }
        }
    )* };
}

ids! {
    /// A symbol of [`Model::symbols`].
    SymbolId
    /// An enumeration of [`Model::enums`].
    EnumId
    /// An abstract type of [`Model::abstract_types`].
    AbstractId
    /// An outsider of [`Model::outsiders`].
    OutsiderId
    /// A transition as the user wrote it, of [`Model::rules`].
    RuleId
    /// A kind of process: a constructor of the enumeration of [`Kinds`].
    KindId
    /// A process variable, numbered within its item: parameters first, then bound variables.
    Var
}

/// A source location. All locations compare equal, so that formatting does not change a model.
#[derive(Debug, Clone, Copy)]
pub struct At(pub Span);

impl At {
    /// The location of something that is not in a file.
    pub fn nowhere() -> At {
        At(Span::empty(0.into()))
    }
}

impl PartialEq for At {
    fn eq(&self, _: &At) -> bool {
        true
    }
}

impl Eq for At {}

/// A model, ready for every engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// `number_procs`: the largest number of processes of an instance.
    pub max_processes: Option<u32>,
    /// The largest k of the `#k` that occur, or 0. Instances have at least k processes.
    pub named_processes: u32,
    /// Enumerations; the first is `bool`.
    pub enums: Vec<EnumType>,
    /// Abstract types: infinitely many values that can only be compared for equality.
    pub abstract_types: Vec<AbstractType>,
    /// The kinds of processes, if there are any.
    pub kinds: Option<Kinds>,
    /// Variables, arrays and constants.
    pub symbols: Vec<Symbol>,
    /// Values of sort `proc` that are not processes of the run.
    pub outsiders: Vec<Outsider>,
    /// The initial states: the union of these.
    pub init: Vec<Init>,
    /// Assumptions about instances: no instance has a match of one of these.
    pub assumptions: Vec<Property>,
    /// The transitions as the user wrote them, for traces and messages.
    pub rules: Vec<Rule>,
    /// The transitions. Several may come from one rule.
    pub transitions: Vec<Transition>,
    /// Formulas that no reachable state may satisfy.
    pub properties: Vec<Property>,
    /// The states in which runs may end. If empty, the model does not say.
    pub finals: Vec<Final>,
    /// The `ltl` properties: formulas about whole runs.
    pub temporal: Vec<Temporal>,
    /// How locks, conditions and semaphores were lowered, if there are any.
    pub threads: Option<Threads>,
    /// How store buffers were lowered, if the model is under x86-TSO.
    pub buffers: Option<StoreBuffers>,
}

/// A type with finitely many values, which are listed where it is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumType {
    /// Its name.
    pub name: String,
    /// The names of its values.
    pub constructors: Vec<String>,
}

/// A type of which nothing is known but that it has infinitely many values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbstractType {
    /// Its name.
    pub name: String,
}

/// Kinds of processes: each process has exactly one, and an instance has at least one of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kinds {
    /// The enumeration whose constructors are the kinds.
    pub kinds: EnumId,
    /// The constant array with the kind of each process.
    pub of_process: SymbolId,
}

/// The set that a value belongs to. Ranges and kinds restrict it further, see [`Domain`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sort {
    /// A whole number.
    Int,
    /// A rational number.
    Real,
    /// A process of the run, or an outsider.
    Proc,
    /// A constructor of an enumeration.
    Enum(EnumId),
    /// A value of an abstract type.
    Abstract(AbstractId),
}

impl Sort {
    /// `bool`.
    pub const BOOL: Sort = Sort::Enum(EnumId(0));
}

/// A further restriction of the values of a symbol. Assignments that violate it are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Domain {
    /// Every value of the sort.
    Full,
    /// Integers from the first to the second, inclusive.
    Range(i64, i64),
    /// Processes of this kind.
    Kind(KindId),
}

/// Where a symbol comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Declared in the source. The symbol of a semaphore is its value.
    Declared,
    /// The owner of a lock, reentrant lock or condition; an outsider when it is free.
    Owner,
    /// How often the owner of a reentrant lock has acquired it; 0 when it is free.
    Depth,
    /// What each process waits for or sleeps on.
    Blocked,
    /// For locks in arrays: the index of the cell that a process waits for or sleeps on.
    BlockedAt,
    /// For two processes whether they wait in the same queue and the first came before the second.
    Before,
    /// The kind of each process.
    Kind,
    /// A part of a store buffer.
    Buffer,
}

/// A variable (no index), an array, or a constant of either shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Its name; for symbols that lowering adds, a name for users.
    pub name: String,
    /// The number of indices.
    pub arity: usize,
    /// The sort of the variable or of each cell.
    pub sort: Sort,
    /// A further restriction of its values.
    pub domain: Domain,
    /// Declared `const`: no transition assigns it.
    pub constant: bool,
    /// Declared `weak`: writes to it may be buffered under a weak memory model.
    pub weak: bool,
    /// Whether it may ever hold an outsider. Only for sort `proc`; otherwise false.
    pub holds_outsiders: bool,
    /// Whether the user declared it, or which part of the language it was added for.
    pub origin: Origin,
    /// Where it is declared; nowhere for symbols that lowering adds.
    pub at: At,
}

/// A value of sort `proc` that is not a process of the run. Different outsiders are different values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outsider {
    /// The name of the variable that holds it at the start, or `nobody` for the owner of a free lock.
    pub name: String,
}

/// Initial states: those that satisfy the formula for *all* assignments of the parameters, distinct or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Init {
    /// The parameters, which the formula may mention.
    pub params: Vec<Var>,
    /// The names of all variables that occur.
    pub variables: Vec<String>,
    /// What holds at the start.
    pub formula: Formula,
    /// Symbols that hold an outsider (in every cell). All others of sort `proc` hold processes of the run.
    pub outsiders: Vec<(SymbolId, OutsiderId)>,
    /// Where it is declared in the source.
    pub at: At,
}

/// A transition as the user wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// Its parameters by name.
    pub params: Vec<String>,
    /// The position of the parameter that acts.
    pub actor: Option<usize>,
    /// Its name in the source.
    pub at: At,
}

/// A step: for some pairwise distinct parameters that satisfy the guard, all updates at once.
///
/// Guards, conditions and values read the state before the step. Symbols without an update keep their values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// The rule that it comes from.
    pub rule: RuleId,
    /// Its parameters: those of the rule in order, and at most one more, the process that the step wakes.
    pub params: Vec<Var>,
    /// The names of all variables that occur.
    pub variables: Vec<String>,
    /// The parameter that acts.
    pub actor: Option<Var>,
    /// The parameter that the step wakes: one of the rule's, or the additional one.
    pub woken: Option<Var>,
    /// The condition under which it is enabled.
    pub guard: Formula,
    /// Its updates; at most one for each symbol.
    pub updates: Vec<Update>,
    /// Whether the text of the rule reads a weak symbol. With a weak write, that makes it an atomic read-modify-write.
    pub reads_weak: bool,
}

/// The new value of a variable, or of every cell of an array: that of the first arm that applies, otherwise the old
/// one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    /// The variable or array.
    pub symbol: SymbolId,
    /// For arrays: the variables that stand for the indices of the cell. They range over all processes.
    pub cell: Vec<Var>,
    /// Tried in order.
    pub arms: Vec<Arm>,
    /// The assignment or lock operation that it comes from.
    pub at: At,
}

/// A value, and the cells or states for which an update assigns it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arm {
    /// The condition under which it applies.
    pub condition: Formula,
    /// What is assigned where it applies.
    pub value: Value,
}

/// The value that an arm assigns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// The value of a term in the state before the step.
    Term(Term),
    /// Any value of the domain; for sort `proc` any process of the run.
    Any,
    /// The old value. Under a weak memory model, this is neither a read nor a write.
    Keep,
}

/// What a property forbids, and who said so: the user or the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PropertyKind {
    /// `unsafe`
    Unsafe,
    /// `invariant`
    Invariant,
    /// `assume`, and an `invariant` over symbols that no transition assigns and `init` does not mention
    Assumption,
    /// A step that misuses a lock that is not owned, or an outsider as an index.
    Misuse,
    /// A step that assigns a value outside of the domain of a symbol.
    Range,
    /// A step that writes to a store buffer without room. Says nothing about the model, but that it needs larger ones.
    Overflow,
}

/// A formula that no reachable state may satisfy for *some* pairwise distinct parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// Which declaration or rule of the language it comes from.
    pub kind: PropertyKind,
    /// Its name; if it has none, its kind and its number within that kind, such as `unsafe1`.
    pub name: String,
    /// The parameters, which the formula may mention.
    pub params: Vec<Var>,
    /// The names of all variables that occur.
    pub variables: Vec<String>,
    /// The bad states.
    pub formula: Formula,
    /// For misuse and range: the rule of the faulty step. It counts as enabled, and ends the run.
    pub rule: Option<RuleId>,
    /// The declaration or statement.
    pub at: At,
}

/// States in which a run may end. Any other state without an enabled transition is a deadlock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Final {
    /// The names of all variables that occur; all of them are bound.
    pub variables: Vec<String>,
    /// What holds in these states.
    pub formula: Formula,
    /// Where it is declared in the source.
    pub at: At,
}

/// A temporal property: every run satisfies the formula, for all pairwise distinct parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Temporal {
    /// Its name.
    pub name: String,
    /// The parameters.
    pub params: Vec<Var>,
    /// The names of all variables that occur.
    pub variables: Vec<String>,
    /// Only parameters that satisfy this matter: they have their kinds.
    pub kinds: Formula,
    /// The formula over atoms of this model.
    pub formula: ltl::Formula<TemporalAtom>,
    /// Where it is declared in the source.
    pub at: At,
}

/// An atom of a temporal property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TemporalAtom {
    /// The state satisfies a formula, in which the parameters of the property are free.
    State(Formula),
    /// The next step is one of these.
    Take(Calls),
    /// One of these steps is possible.
    Enabled(Calls),
    /// The run has ended, and is not stuck.
    End,
    /// The run is stuck.
    Dead,
}

/// Steps of a transition, as a temporal property names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calls {
    /// The rules of that name.
    pub rules: Vec<RuleId>,
    /// For each parameter of the rule a process or a parameter of the property; `None` for any process. Empty if none
    /// was given.
    pub processes: Vec<Option<Term>>,
}

/// A temporal property from outside of the file of its model.
#[derive(Debug, Clone)]
pub struct LoneTemporal {
    /// The property; it has no parameters.
    pub property: Temporal,
    /// The largest k of the `#k` that occur in it, or 0.
    pub named_processes: u32,
}

/// How locks, conditions and semaphores were lowered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Threads {
    /// The locks in order of declaration.
    pub locks: Vec<Lock>,
    /// The array with what each process waits for; the first constructor means active.
    pub blocked: SymbolId,
    /// The meaning of the other constructors, in order.
    pub reasons: Vec<Blocked>,
    /// For locks in arrays: the array with the cell that each process waits for.
    pub blocked_at: Option<SymbolId>,
    /// If queues are first-in-first-out: the array with two indices that tells whether the first process is before
    /// the second in the same queue.
    pub before: Option<SymbolId>,
    /// The owner of a free lock.
    pub nobody: OutsiderId,
}

/// Why a process is blocked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocked {
    /// The lock in [`Threads::locks`].
    pub lock: usize,
    /// Asleep on a condition, rather than waiting for the lock.
    pub asleep: bool,
}

/// A lock of any kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lock {
    /// Its name.
    pub name: String,
    /// Which operations it has, and what they do.
    pub kind: LockKind,
    /// Whether it is an array of locks.
    pub array: bool,
    /// Its state: the owner, or the value of a semaphore.
    pub state: SymbolId,
    /// For a reentrant lock: how often its owner has acquired it.
    pub depth: Option<SymbolId>,
}

/// The kinds of locks, by their types in the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LockKind {
    /// `lock`
    Lock,
    /// `rlock`
    Reentrant,
    /// `condition`
    Condition,
    /// `semaphore`
    Semaphore,
}

impl Model {
    /// The symbol with this id.
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.index()]
    }

    /// Whether any symbol is weak.
    pub fn is_weak(&self) -> bool {
        self.symbols.iter().any(|symbol| symbol.weak)
    }

    /// The smallest number of processes that an instance may have.
    pub fn min_processes(&self) -> u32 {
        let kinds = self.kinds.as_ref().map_or(0, |kinds| self.enums[kinds.kinds.index()].constructors.len());
        self.named_processes.max(u32::try_from(kinds).unwrap_or(u32::MAX)).max(1)
    }
}

impl Lock {
    /// Whether its state is its owner. The state of a semaphore is its value, which models can read.
    pub fn state_is_owner(&self) -> bool {
        self.kind != LockKind::Semaphore
    }
}

impl Update {
    /// For an update of a single cell, such as `A[i] := t`: the index terms and the value.
    pub fn single_cell<'a>(&'a self) -> Option<(Vec<&'a Term>, &'a Value)> {
        let [arm] = self.arms.as_slice() else { return None };
        let conjuncts = arm.condition.conjuncts();
        if conjuncts.len() != self.cell.len() {
            return None;
        }
        // `k = Next[k]` is a condition on the cell, not its index.
        let fixed = |index: &Term| !self.cell.iter().any(|cell| index.mentions(*cell));
        let index = |(cell, conjunct): (&Var, &'a Formula)| match conjunct {
            Formula::Compare(Relation::Eq, Term::Var(var), index) if var == cell && fixed(index) => {
                Some(index)
            }
            _ => None,
        };
        let indices: Option<Vec<&Term>> = self.cell.iter().zip(conjuncts).map(index).collect();
        Some((indices?, &arm.value))
    }
}

/// A formula from outside of the file of its model.
#[derive(Debug, Clone)]
pub struct LoneFormula {
    /// The formula, as a property without parameters.
    pub property: Property,
    /// The largest k of the `#k` that occur in it, or 0.
    pub named_processes: u32,
}

/// A formula or a term from outside of the file of its model.
#[derive(Debug, Clone)]
pub struct LoneExpression {
    /// The formula or term.
    pub expression: Expression,
    /// The names of all variables that occur.
    pub variables: Vec<String>,
    /// The largest k of the `#k` that occur in it, or 0.
    pub named_processes: u32,
}

/// A formula or a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// Something true or false in each state.
    Formula(Formula),
    /// A term of any sort.
    Term(Term),
}
