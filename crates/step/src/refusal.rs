//! Why a command was not executed. Nothing has changed then.

use crate::{Call, Reason, Value, serialize};
use explore::{Fault, NotACall};
use serde::Serialize;
use source::Diagnostic;

/// Why a command was not executed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "error", rename_all = "snake_case")]
pub enum Refusal {
    /// A line begins neither with a command nor with a transition.
    UnknownCommand {
        /// What it begins with.
        name: String,
        /// What was probably meant.
        suggestion: Option<String>,
    },
    /// The arguments are not those of the command.
    Usage {
        /// The command.
        command: &'static str,
        /// The form of its arguments; empty if it takes none.
        arguments: &'static str,
    },
    /// A run would be longer than a session can keep.
    RunTooLong {
        /// The largest number of steps.
        most: usize,
    },
    /// A text is not the name of a transition with its processes.
    NotACall {
        /// The text.
        text: String,
    },
    /// A word is not a process.
    NotAProcess {
        /// The word.
        word: String,
    },
    /// Help is wanted about a command that does not exist.
    UnknownTopic {
        /// The name.
        name: String,
        /// What was probably meant.
        suggestion: Option<String>,
    },
    /// There is no transition of this name.
    UnknownTransition {
        /// The name.
        name: String,
        /// What was probably meant.
        suggestion: Option<String>,
    },
    /// There is neither a transition nor a property of this name.
    UnknownItem {
        /// The name.
        name: String,
        /// What was probably meant.
        suggestion: Option<String>,
    },
    /// A transition takes another number of processes.
    Arity {
        /// The transition.
        name: String,
        /// Its parameters.
        parameters: Vec<String>,
    },
    /// A process does not exist.
    NoSuchProcess {
        /// The process.
        #[serde(serialize_with = "serialize::one_process")]
        process: usize,
        /// The number of processes.
        processes: usize,
    },
    /// A transition is not enabled.
    NotEnabled {
        /// The transition.
        call: Call,
        /// Why; empty if that is not known.
        reasons: Vec<Reason>,
    },
    /// Several actions are enabled that a call may mean.
    Ambiguous {
        /// The call.
        call: Call,
        /// The labels of the actions.
        actions: Vec<String>,
    },
    /// One of several transitions could not be taken, so none was.
    NoneTaken {
        /// The number of the transition, from 1.
        number: usize,
        /// How many there are.
        of: usize,
        /// Why it could not be taken.
        cause: Box<Refusal>,
    },
    /// There is no enabled action with this number.
    NoSuchAction {
        /// How many are enabled.
        enabled: usize,
    },
    /// There is no initial state with this number.
    NoSuchInitialState {
        /// How many there are.
        initials: usize,
    },
    /// The run is shorter.
    NoSuchStep {
        /// The step that was wanted.
        step: usize,
        /// The number of steps of the run.
        steps: usize,
    },
    /// Fewer moves can be undone.
    NoSuchUndo {
        /// How many can.
        moves: usize,
    },
    /// Fewer moves can be made again.
    NoSuchRedo {
        /// How many can.
        moves: usize,
    },
    /// A breakpoint must be true or false.
    NotAFormula {
        /// The expression.
        expression: String,
        /// What its value is instead.
        value: Value,
    },
    /// There is no breakpoint with this number.
    NoSuchBreakpoint {
        /// How many there are.
        breakpoints: usize,
    },
    /// There is no watched expression with this number.
    NoSuchWatch {
        /// How many there are.
        watches: usize,
    },
    /// States cannot be remembered at an interval of zero.
    NoInterval,
    /// There is no last step whose text could be listed.
    NoStepYet,
    /// An expression has no meaning.
    Expression {
        /// The expression.
        text: String,
        /// What messages call it in place of a file.
        origin: &'static str,
        /// What is wrong with it.
        #[serde(serialize_with = "serialize::diagnostics")]
        diagnostics: Vec<Diagnostic>,
    },
    /// An expression cannot be evaluated in any state.
    Unanswerable {
        /// Why.
        why: String,
    },
    /// A file could not be read or written.
    File {
        /// Why, in a sentence.
        why: String,
    },
    /// The system did not do as it was told.
    Fault {
        /// What happened.
        fault: String,
    },
    /// A command failed, and the session could not go back to where it was.
    Lost {
        /// Why the command failed.
        cause: Box<Refusal>,
        /// What happened on the way back.
        fault: String,
    },
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Refusal {
        Refusal::Fault { fault: fault.to_string() }
    }
}

impl From<NotACall> for Refusal {
    fn from(reason: NotACall) -> Refusal {
        match reason {
            NotACall::Text(text) => Refusal::NotACall { text },
            NotACall::Process(word) => Refusal::NotAProcess { word },
        }
    }
}
