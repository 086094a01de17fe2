//! What there is to see in a state: values, processes, resources, and what is wrong with it.

use crate::{Call, serialize};
use explore::FindingKind;
use explore::Valuation;
use serde::Serialize;

/// A state as a debugger shows it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Status {
    /// The processes in order.
    pub processes: Vec<ProcessStatus>,
    /// Variables and cells, without those that resources are made of: the same names in the same order in every state.
    #[serde(serialize_with = "serialize::valuation")]
    pub variables: Valuation,
    /// What processes share and wait for, in the same order in every state.
    pub resources: Vec<Resource>,
}

/// What a process is and does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProcessStatus {
    /// Its name, if it has another one than its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its kind, if the system has kinds of processes.
    pub kind: Option<String>,
    /// Whether it can act, and what it waits for if not.
    pub activity: Activity,
    /// What it does next, if that is certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// Whether a process can act.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Activity {
    /// It waits for nothing.
    Active,
    /// It has come to its end.
    Ended,
    /// It waits for a resource, and goes on once it gets it.
    Suspended {
        /// The name of the resource.
        on: String,
        /// How many processes are before it in the queue, where queues are in order.
        ahead: Option<usize>,
    },
    /// It sleeps until it is notified.
    Asleep {
        /// The name of the condition.
        on: String,
        /// How many processes are before it in the queue, where queues are in order.
        ahead: Option<usize>,
    },
}

/// Something that processes wait for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Resource {
    /// What kind of thing.
    pub kind: ResourceKind,
    /// Its name, with the index of the cell.
    pub name: String,
    /// The process that owns it; none if it is free, or a semaphore.
    #[serde(serialize_with = "serialize::process")]
    pub owner: Option<usize>,
    /// The value of a semaphore; how often the owner of a reentrant lock has acquired it.
    pub count: Option<String>,
    /// The processes that wait for it, in order where queues are in order.
    #[serde(serialize_with = "serialize::processes")]
    pub waiting: Vec<usize>,
    /// The processes that sleep on it.
    #[serde(serialize_with = "serialize::processes")]
    pub asleep: Vec<usize>,
}

/// Kinds of resources, in the order in which they are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ResourceKind {
    /// A lock, reentrant or not.
    Lock,
    /// A condition variable.
    Condition,
    /// A counting semaphore.
    Semaphore,
}

/// The value of an expression in a state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", content = "value", rename_all = "snake_case")]
pub enum Value {
    /// That of a formula.
    Truth(bool),
    /// That of a term, as the language of the system writes it.
    Term(String),
    /// It has none in this state, for this reason; it may have one in the next.
    Undefined(String),
}

impl Value {
    /// The truth value, also of a term that is a boolean; none if it is undefined or not a truth value.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Value::Truth(truth) => Some(*truth),
            Value::Term(text) if text.eq_ignore_ascii_case("true") => Some(true),
            Value::Term(text) if text.eq_ignore_ascii_case("false") => Some(false),
            Value::Term(_) | Value::Undefined(_) => None,
        }
    }
}

/// What is known about the properties in a state.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Judgement {
    /// Everything that the engine of the system reports here.
    pub findings: Vec<Finding>,
    /// Why enabled actions or findings may be missing, if they may.
    pub gap: Option<Gap>,
}

impl Judgement {
    /// Whether there is nothing to report.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty() && self.gap.is_none()
    }
}

/// Something that the engine of the system reports about a state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What is violated: a property, a rule of the language, or that runs go on.
    pub kind: FindingKind,
    /// The name of the property.
    pub name: String,
    /// Whether it is a violation, rather than a remark.
    pub violation: bool,
    /// The details, with processes and steps.
    #[serde(flatten)]
    pub matter: Matter,
    /// Where the property is declared.
    pub location: Option<Location>,
}

/// What is the matter with a state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "matter", rename_all = "snake_case")]
pub enum Matter {
    /// A property does not hold.
    Property {
        /// The processes that play its parameters.
        #[serde(serialize_with = "serialize::processes")]
        processes: Vec<usize>,
    },
    /// A step is possible that the rules of the language forbid; it is not taken.
    ForbiddenStep {
        /// The step, where it has a name.
        step: Option<Call>,
        /// What it would do.
        offence: Offence,
    },
    /// No action is enabled, and the run must not end here.
    Deadlock {
        /// The processes that wait.
        blocked: Vec<Blocked>,
    },
    /// Something that the system tells in its own words.
    Told {
        /// A sentence.
        message: String,
        /// Who takes part, and where: a line for each.
        lines: Vec<String>,
    },
    /// No action is enabled, and the run may end here.
    End {
        /// Whether it is known that no process waits.
        nobody_waits: bool,
    },
}

/// What a forbidden step would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Offence {
    /// Assign a value outside of the range of a variable.
    Range,
    /// Use a lock that the process does not own, or a value that is not a process.
    Misuse,
}

/// A process that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Blocked {
    /// The process, counted from 0.
    #[serde(serialize_with = "serialize::one_process")]
    pub process: usize,
    /// What it waits for.
    pub activity: Activity,
}

/// Why enabled actions or findings may be missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "gap", rename_all = "snake_case")]
pub enum Gap {
    /// Some actions cannot be evaluated.
    Obstacle {
        /// Why, and what to do about it.
        reason: String,
    },
    /// Every step leaves the ranges that the user gave.
    Ranges,
}

/// A part of a source text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Location {
    /// The name of the file.
    pub file: String,
    /// Where it begins.
    pub start: LineColumn,
    /// Where it ends.
    pub end: LineColumn,
}

/// A position in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LineColumn {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// Whole lines of a source text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Excerpt {
    /// The name of the file.
    pub file: String,
    /// The number of the first line, from 1.
    pub line: usize,
    /// The lines.
    pub lines: Vec<String>,
}
