//! How answers are serialised where that differs from their fields: processes count from 1, as people write them, and
//! valuations are maps.

use explore::Valuation;
use serde::{Serialize, Serializer};
use source::{Diagnostic, Severity};

/// A process, from 1.
// Serde hands over references.
#[allow(clippy::trivially_copy_pass_by_ref)]
pub(crate) fn one_process<S: Serializer>(process: &usize, serializer: S) -> Result<S::Ok, S::Error> {
    (process + 1).serialize(serializer)
}

/// A process or none, from 1.
// Serde hands over references.
#[allow(clippy::ref_option)]
pub(crate) fn process<S: Serializer>(process: &Option<usize>, serializer: S) -> Result<S::Ok, S::Error> {
    process.map(|process| process + 1).serialize(serializer)
}

/// Processes, from 1.
pub(crate) fn processes<S: Serializer>(processes: &[usize], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(processes.iter().map(|process| process + 1))
}

/// A map from names to values.
pub(crate) fn valuation<S: Serializer>(valuation: &Valuation, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(valuation.iter().map(|entry| (entry.subject.to_string(), entry.value.to_string())))
}

/// What is wrong with an expression; offsets count bytes.
#[derive(Serialize)]
struct ExpressionError<'d> {
    severity: Severity,
    code: &'static str,
    message: &'d str,
    start: u32,
    end: u32,
    label: &'d str,
    help: &'d [String],
}

/// Messages about an expression.
pub(crate) fn diagnostics<S: Serializer>(messages: &[Diagnostic], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(messages.iter().map(|diagnostic| ExpressionError {
        severity: diagnostic.severity,
        code: diagnostic.code,
        message: &diagnostic.message,
        start: diagnostic.primary.span.start().into(),
        end: diagnostic.primary.span.end().into(),
        label: &diagnostic.primary.text,
        help: &diagnostic.help,
    }))
}
