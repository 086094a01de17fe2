//! The messages about one item, and those that several kinds of formulas share.

use super::types::lock_word;
use ir::LockKind;
use source::{Diagnostic, Diagnostics, Span};

/// The result of a check that has at most one message, which is not reported yet.
pub(super) type Checked<T> = Result<T, Box<Diagnostic>>;

/// Where the messages about an item go. It knows whether there is an error, after which warnings may be mere consequences.
pub(super) struct Messages<'a> {
    all: &'a mut Diagnostics,
    /// The number of errors before this item.
    errors_before: usize,
    /// Whether the file has no syntax error.
    well_formed: bool,
}

impl<'a> Messages<'a> {
    pub(super) fn new(all: &'a mut Diagnostics, well_formed: bool) -> Messages<'a> {
        Messages { errors_before: all.errors(), all, well_formed }
    }

    pub(super) fn push(&mut self, message: Diagnostic) {
        self.all.push(message);
    }

    /// Reports what a check complains of; `None` then.
    pub(super) fn accept<T>(&mut self, checked: Checked<T>) -> Option<T> {
        checked.map_err(|message| self.push(*message)).ok()
    }

    /// Reports a warning if there is one.
    pub(super) fn extend(&mut self, messages: impl IntoIterator<Item = Diagnostic>) {
        self.all.extend(messages);
    }

    /// Whether the item has no error so far and the file could be parsed; otherwise a warning may be a consequence of
    /// an error.
    pub(super) fn sound(&self) -> bool {
        self.well_formed && self.all.errors() == self.errors_before
    }

    /// Whether further messages would be left out: to search for similar names is then a waste of time.
    pub(super) fn is_full(&self) -> bool {
        self.all.is_full()
    }

    /// A place in the list, for [`also_since`](Self::also_since).
    pub(super) fn mark(&self) -> usize {
        self.all.count()
    }

    /// Adds a related location to all messages since a mark.
    pub(super) fn also_since(&mut self, mark: usize, at: Span, text: &str) {
        self.all.also_since(mark, at, text);
    }

    /// All messages, for who reports several of them.
    pub(super) fn all(&mut self) -> &mut Diagnostics {
        self.all
    }
}

pub(super) fn number_too_large(at: Span) -> Diagnostic {
    Diagnostic::error("number-too-large", at, "this number does not fit into 64 bits")
}

pub(super) fn lock_as_value(kind: LockKind, at: Span) -> Diagnostic {
    let word = lock_word(kind);
    Diagnostic::error("lock-as-value", at, format!("a `{word}` has no value"))
        .help("its state is written `free(L)`, `owner(L, i)` and `waiting(L, i)`")
}

/// The error that something is declared twice.
pub(super) fn duplicate(name: &str, what: &str, at: Span, first: Span) -> Diagnostic {
    Diagnostic::error("duplicate-name", at, format!("the {what} `{name}` is declared twice"))
        .label("declared again here")
        .also(first, "first declared here")
}

/// "1 index", "2 indices".
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
