//! The types of results, for systems of any kind.
//!
//! Models, programs and protocols report through these types, so that exit codes, reports and
//! pictures are written once.

use crate::{Limit, Trace};
use std::fmt;

/// The three possible answers about a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Verdict {
    /// Backed by a certificate that was checked, or by all states of a finite instance.
    Holds,
    /// Backed by a trace that was replayed from its start.
    Violated,
    /// Neither is known.
    Unknown,
}

impl Verdict {
    /// The word that reports use.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Unknown => "unknown",
        }
    }
}

/// How a state without an enabled action is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadlockPolicy {
    /// If the system says where runs may end: a violation anywhere else. If it does not: a violation if some process
    /// is blocked, otherwise a remark.
    Waiting,
    /// Always a violation.
    Error,
    /// Always a remark.
    Report,
    /// Never reported.
    Ignore,
}

/// Whether a finding decides the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; changes no verdict.
    Remark,
    /// The verdict is [`Verdict::Violated`].
    Violation,
}

/// The kind of violation at the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum FindingKind {
    /// A state that must not be reached.
    Unsafe,
    /// A state that violates an invariant.
    Invariant,
    /// A state that violates an assumption.
    Assumption,
    /// A lock, a condition or a semaphore is used in a way that it does not allow.
    Misuse,
    /// A value leaves the range of its type.
    Range,
    /// Something that represents the system is too small for it, such as a store buffer of fixed size.
    Overflow,
    /// A run that does not satisfy a temporal property.
    Ltl,
    /// Two accesses to the same memory of a program, one of them a write, that nothing puts in an order.
    Race,
    /// An assertion in a program fails.
    Assertion,
    /// A program gives up by itself.
    Abort,
    /// A program does what the processor or the system does not allow.
    Crash,
    /// Memory is used after it was given back, or given back twice.
    Memory,
    /// Something is never given back, such as a thread that nobody joins.
    Leak,
    /// No action is enabled, and some process sleeps that a signal was meant for which came before.
    LostWakeup,
    /// Processes go on for ever without getting anywhere.
    Livelock,
    /// No action is enabled, and some process is blocked or the run must not end here.
    Deadlock,
    /// No action is enabled, no process is blocked, and the system does not say whether the run may end here.
    Stuck,
}

impl FindingKind {
    /// The word that reports use.
    pub fn word(self) -> &'static str {
        match self {
            FindingKind::Unsafe => "unsafe",
            FindingKind::Invariant => "invariant",
            FindingKind::Assumption => "assumption",
            FindingKind::Misuse => "misuse",
            FindingKind::Range => "range",
            FindingKind::Overflow => "overflow",
            FindingKind::Ltl => "ltl",
            FindingKind::Race => "race",
            FindingKind::Assertion => "assertion",
            FindingKind::Abort => "abort",
            FindingKind::Crash => "crash",
            FindingKind::Memory => "memory",
            FindingKind::Leak => "leak",
            FindingKind::LostWakeup => "lost-wakeup",
            FindingKind::Livelock => "livelock",
            FindingKind::Deadlock => "deadlock",
            FindingKind::Stuck => "stuck",
        }
    }

    /// Whether it is about a state without an enabled action.
    pub fn is_end(self) -> bool {
        matches!(self, FindingKind::Deadlock | FindingKind::Stuck)
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A violation or remark, with a run that leads to it. `S` describes where the run was found, such as an instance of
/// a model.
#[derive(Clone, Debug)]
pub struct Finding<S> {
    /// What was violated: a property, a rule of the language, or that runs go on.
    pub kind: FindingKind,
    /// The name of the property as the user declared it, or one that the engine made.
    pub name: String,
    /// Whether it decides the verdict.
    pub severity: Severity,
    /// An explanation in a sentence; may be empty.
    pub message: String,
    /// The position of the property among those of the system; `None` if it was not declared.
    pub property: Option<usize>,
    /// The processes that play the parameters of the property in the last state, counted from 0.
    pub roles: Vec<usize>,
    /// The run, replayed from its start.
    pub trace: Trace,
    /// Where the run was found, such as the number of processes.
    pub setting: S,
}

impl<S> Finding<S> {
    /// Whether it decides the verdict.
    pub fn is_violation(&self) -> bool {
        self.severity == Severity::Violation
    }
}

/// Why a run is not exhaustive. `O` is the type of obstacles for a kind of system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incomplete<O> {
    /// The system could not be run, or could not be run to the end.
    Obstacle(O),
    /// A limit was reached.
    Limit(Limit),
    /// A range that the user gave for a number excluded states.
    Range,
    /// A violation ended the run.
    Stopped,
    /// States were recognised by 64-bit hashes, so that two of them may have been taken for one; the number of states.
    Compacted(usize),
    /// Only some of the initial states or some of the runs were tried.
    Sampled,
    /// The run contradicts itself, which is a defect of the system's adapter or of this tool.
    Contradiction(String),
}
