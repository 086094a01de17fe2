//! Labels: actions in words, as data where they are calls such as `notify(#2) waking #3`.

use crate::Call;
use std::fmt;

/// An action as people read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// A transition with its processes, with nothing left open.
    Call(Call),
    /// Anything else.
    Text(String),
}

impl Label {
    /// What is done, without who takes part: equal for actions of the same kind.
    pub fn name(&self) -> &str {
        match self {
            Label::Call(call) => &call.name,
            Label::Text(text) => text,
        }
    }
}

impl From<Call> for Label {
    fn from(call: Call) -> Label {
        Label::Call(call)
    }
}

impl From<String> for Label {
    fn from(text: String) -> Label {
        Label::Text(text)
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Label::Call(call) => call.fmt(f),
            Label::Text(text) => f.write_str(text),
        }
    }
}
