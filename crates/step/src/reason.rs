//! Why an action is enabled or not.

use crate::{Activity, Location, Offence, serialize};
use serde::Serialize;

/// Whether something can be done in a state, and why not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "enabled", rename_all = "snake_case")]
pub enum Explanation {
    /// These actions are enabled, by their labels.
    #[serde(rename = "yes")]
    Enabled {
        /// The labels.
        actions: Vec<String>,
    },
    /// No such action is enabled; every reason holds.
    #[serde(rename = "no")]
    Disabled {
        /// The reasons.
        reasons: Vec<Reason>,
    },
}

/// A reason why an action is not enabled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Reason {
    /// A condition is false.
    False {
        /// The condition, with the processes in place of its parameters.
        condition: String,
        /// What makes it false.
        evidence: Evidence,
        /// The action whose condition it is.
        location: Option<Location>,
    },
    /// A condition has no truth value here.
    Undefined {
        /// The condition, with the processes in place of its parameters.
        condition: String,
        /// Why it has none.
        why: String,
        /// The action whose condition it is.
        location: Option<Location>,
    },
    /// A process is of another kind than the action is for.
    Kind {
        /// The process.
        #[serde(serialize_with = "serialize::one_process")]
        process: usize,
        /// The kind that the action is for.
        expected: String,
        /// The kind of the process.
        actual: String,
    },
    /// A process waits.
    Blocked {
        /// The process.
        #[serde(serialize_with = "serialize::one_process")]
        process: usize,
        /// What it waits for.
        activity: Activity,
    },
    /// A process is given twice, but parameters stand for different processes.
    Repeated {
        /// The process.
        #[serde(serialize_with = "serialize::one_process")]
        process: usize,
    },
    /// The action wakes a process, and there is none.
    NobodyToWake,
    /// The step would break a rule of the language, and the run ends here.
    Forbidden {
        /// The name of the rule.
        property: String,
        /// What the step would do.
        offence: Offence,
        /// The statement that would break it.
        location: Option<Location>,
    },
    /// The action has fewer outcomes than this number, which counts from 1.
    NoSuchChoice {
        /// The number.
        choice: usize,
    },
    /// The conditions hold, but the step leaves the ranges that the user gave.
    Ranges,
    /// What stands in the way, as the system tells it.
    Told {
        /// A sentence.
        why: String,
        /// Where the step is.
        location: Option<Location>,
    },
    /// The engine cannot evaluate the step.
    Obstacle {
        /// Why, and what to do about it.
        why: String,
    },
    /// The action stands for several cases, and each is impossible for reasons of its own.
    Cases {
        /// The reasons of each case.
        cases: Vec<Vec<Reason>>,
    },
}

/// What makes a condition false.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "evidence", rename_all = "snake_case")]
pub enum Evidence {
    /// The values of what it reads.
    Values {
        /// The values, as far as they are known.
        values: Vec<TermValue>,
    },
    /// A universal condition is false for some processes.
    Counterexample {
        /// The processes for its variables.
        roles: Vec<Role>,
        /// The values of what it reads there.
        values: Vec<TermValue>,
    },
    /// An existential condition holds for no process.
    NoWitness,
}

/// A variable of a condition with its process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Role {
    /// The name of the variable in the condition.
    pub variable: String,
    /// The process that it stands for, counted from 0.
    #[serde(serialize_with = "serialize::one_process")]
    pub process: usize,
}

/// A term with its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TermValue {
    /// The term as it is written, with processes in place of variables.
    pub term: String,
    /// Its value.
    pub value: String,
}
