//! Messages about a source text: the problem, its location, and what to write instead.

use crate::Span;
use serde::Serialize;
use std::collections::HashSet;

/// The severity of a message. Only errors make an input invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The input has no meaning as it stands.
    Error,
    /// The input has a meaning, but probably not the one that was intended.
    Warning,
    /// Something worth knowing that needs no change.
    Note,
}

/// A location in the text with a remark.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Label {
    /// The location.
    pub span: Span,
    /// The remark; may be empty.
    pub text: String,
}

/// An edit that would fix the problem.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fix {
    /// The text to replace; empty to insert.
    pub span: Span,
    /// The new text; empty to delete.
    pub replacement: String,
    /// Why, as the beginning of a sentence: "did you mean `state`?".
    pub text: String,
}

/// One message about a source text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[must_use]
pub struct Diagnostic {
    /// Whether it is an error, a warning or a note.
    pub severity: Severity,
    /// A stable name for this kind of message, in kebab case; scripts and tests rely on it.
    pub code: &'static str,
    /// The message itself: one sentence without a full stop.
    pub message: String,
    /// The offending token.
    pub primary: Label,
    /// Related locations.
    pub secondary: Vec<Label>,
    /// What was expected, and how to write it.
    pub help: Vec<String>,
    /// An edit that would fix the problem.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    fn new(severity: Severity, code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        let primary = Label { span, text: String::new() };
        Diagnostic {
            severity,
            code,
            message: message.into(),
            primary,
            secondary: vec![],
            help: vec![],
            fix: None,
        }
    }

    /// An error at `span`.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, span, message)
    }

    /// A warning at `span`.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, span, message)
    }

    /// A note at `span`.
    pub fn note(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Note, code, span, message)
    }

    /// Adds a remark at the offending token.
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = text.into();
        self
    }

    /// Adds a related location.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds advice.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Proposes an edit.
    pub fn fix(mut self, span: Span, replacement: impl Into<String>, text: impl Into<String>) -> Diagnostic {
        self.fix = Some(Fix { span, replacement: replacement.into(), text: text.into() });
        self
    }

    /// Proposes to replace the offending token by a similar name, if there is one.
    pub fn did_you_mean(self, candidate: Option<&str>) -> Diagnostic {
        let span = self.primary.span;
        match candidate {
            Some(name) => self.fix(span, name, format!("did you mean `{name}`?")),
            None => self,
        }
    }
}

/// The messages about one source text, without duplicates.
#[derive(Debug, Clone, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// The locations and texts of messages so far.
    seen: HashSet<(Span, String)>,
    errors: usize,
    left_out: usize,
}

impl Diagnostics {
    /// The largest number of messages to keep, so that megabytes of garbage do not exhaust the memory.
    const MOST: usize = 1000;

    /// Adds a message, unless the same message exists for the same location (a predicate is checked at each of its
    /// uses).
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if !self.seen.insert((diagnostic.primary.span, diagnostic.message.clone())) {
            return;
        }
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        if self.is_full() {
            self.left_out += 1;
        } else {
            self.list.push(diagnostic);
        }
    }

    /// Adds a related location to all messages after the first `count`.
    pub fn also_since(&mut self, count: usize, span: Span, text: &str) {
        for diagnostic in self.list.iter_mut().skip(count) {
            diagnostic.secondary.push(Label { span, text: text.to_owned() });
        }
    }

    /// The number of messages.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// The number of errors, including those left out.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Adds all messages of another list.
    pub fn extend(&mut self, others: impl IntoIterator<Item = Diagnostic>) {
        others.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }

    /// Whether further messages would be left out, so that they need not be built.
    pub fn is_full(&self) -> bool {
        self.list.len() == Self::MOST
    }

    /// Whether any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The number of messages left out because there were too many.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The messages in the order of their locations.
    pub fn sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|d| (d.primary.span.start(), d.severity, d.primary.span.end()));
        self.list
    }
}
