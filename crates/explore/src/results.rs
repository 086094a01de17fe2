//! The vocabulary of results: what a run over a system of any kind can say.
//!
//! Models, programs and protocols report through these types, so that exit codes, reports and
//! pictures are written once.

use crate::{Limit, Trace};

/// The three answers, and no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Verdict {
    /// Backed by a certificate that was checked, or by all states of a finite instance.
    Holds,
    /// Backed by a trace that was replayed from its start.
    Violated,
    /// Everything else.
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

/// What a state without a next step counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadlockPolicy {
    /// If the system says where runs may end, a violation anywhere else. If it does not, a violation if some process is
    /// blocked, else a remark.
    Waiting,
    /// A violation.
    Error,
    /// A remark.
    Report,
    /// Nothing.
    Ignore,
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; changes no verdict.
    Remark,
    /// The verdict is [`Verdict::Violated`].
    Violation,
}

/// What is wrong at the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FindingKind {
    /// A state that must not be reached.
    Unsafe,
    /// A state that breaks an invariant.
    Invariant,
    /// A state that breaks an assumption.
    Assumption,
    /// A lock, a condition or a semaphore is used in a way that it does not allow.
    Misuse,
    /// A value leaves the range of its type.
    Range,
    /// No action is enabled, and some process is blocked or the run must not end here.
    Deadlock,
    /// No action is enabled, nobody is blocked, and nothing says whether the run may end here.
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
            FindingKind::Deadlock => "deadlock",
            FindingKind::Stuck => "stuck",
        }
    }

    /// Whether it is about a state without a next step.
    pub fn is_end(self) -> bool {
        matches!(self, FindingKind::Deadlock | FindingKind::Stuck)
    }
}

/// Something that was found, with a run that leads there. `S` tells apart the settings in which runs are found, such
/// as instances of a model with different numbers of processes.
#[derive(Clone, Debug)]
pub struct Finding<S> {
    /// What is wrong.
    pub kind: FindingKind,
    /// The name of the property.
    pub name: String,
    /// Whether it decides the verdict.
    pub severity: Severity,
    /// An explanation in a sentence; may be empty.
    pub message: String,
    /// The position of the property among those of the system; none if it was not declared.
    pub property: Option<usize>,
    /// The processes that play the parameters of the property in the last state, counted from 0.
    pub roles: Vec<usize>,
    /// The run, replayed from its start.
    pub trace: Trace,
    /// Where the run was found.
    pub setting: S,
}

impl<S> Finding<S> {
    /// Whether it decides the verdict.
    pub fn is_violation(&self) -> bool {
        self.severity == Severity::Violation
    }
}

/// Why a run does not know everything. `O` are the obstacles that a kind of system has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incomplete<O> {
    /// The system could not be run, or not to the end.
    Obstacle(O),
    /// A limit was reached.
    Limit(Limit),
    /// A step was cut because a number would have left the range that the user gave.
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
