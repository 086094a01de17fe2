//! The kinds of items that formulas belong to.

/// The kind of item that a formula belongs to, which decides what may occur in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    Init,
    /// `unsafe`, `invariant`, `final`, and the atoms of temporal properties.
    Property,
    Assume,
    Guard,
    /// Conditions, values and indices of a transition's body.
    Body,
    /// The body of a predicate, checked on its own before it is used.
    Predicate,
}

impl Context {
    /// Advice on how to bind a process variable in this context.
    pub(super) fn how_to_bind(self, name: &str) -> Option<String> {
        match self {
            Context::Init => {
                Some(format!("`init ({name}) {{ … }}` says something of every process `{name}`"))
            }
            Context::Property => Some(format!(
                "a parameter stands for some process: `unsafe ({name}) {{ … }}`; `ltl p ({name}) {{ … }}` is about every process; in `final` bind it: `exists {name}. …`"
            )),
            Context::Assume => {
                Some(format!("a parameter stands for some process: `assume ({name}) {{ … }}`"))
            }
            Context::Guard | Context::Body => {
                Some(format!("add it to the parameters of the transition: `transition t ({name})`"))
            }
            Context::Predicate => None,
        }
    }

    pub(super) fn in_transition(self) -> bool {
        matches!(self, Context::Guard | Context::Body)
    }
}
