//! What the search cannot handle.

use ir::At;

/// Why a model is given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What cannot be handled, as a sentence without its full stop.
    pub what: String,
    /// What to do about it, if something can be done.
    pub help: Option<String>,
    /// Where it is in the model, if it is in one place.
    pub at: Option<At>,
}

impl Refusal {
    pub(crate) fn new(what: impl Into<String>, at: Option<At>) -> Refusal {
        Refusal { what: what.into(), help: None, at }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Refusal {
        self.help = Some(help.into());
        self
    }
}
