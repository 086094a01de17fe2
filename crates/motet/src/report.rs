//! The JSON document that `--format json` prints: one, on standard output, for every command.

use serde::Serialize;
use source::{Diagnostic, Place, Severity, Source, Span};
use std::{collections::BTreeMap, time::Duration};

/// What a command found out.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The command: `check`, `fmt`, …
    pub command: &'static str,
    /// The files that it was given.
    pub files: Vec<String>,
    /// The overall verdict; null for commands that have none.
    pub verdict: Option<Verdict>,
    /// Why the verdict is `unknown`, or what it leaves open.
    pub reason: Option<String>,
    /// The number of processes of the instance, where there is one.
    pub processes: Option<u32>,
    /// Each property with its own verdict.
    pub properties: Vec<PropertyReport>,
    /// Messages about the files.
    pub diagnostics: Vec<Message>,
    /// Figures; `seconds` is always there.
    pub stats: Stats,
    /// The trace of the first violation.
    pub trace: Option<serde_json::Value>,
    /// Where the certificate was written.
    pub certificate: Option<String>,
}

/// The three verdicts, and no others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// With a certificate, or after exhausting a finite instance.
    Holds,
    /// With a trace that was replayed.
    Violated,
    /// Everything else.
    Unknown,
}

/// The verdict on one property.
#[derive(Debug, Serialize)]
pub struct PropertyReport {
    /// Its name; without one, its kind and its number among those: `unsafe1`.
    pub name: String,
    /// `unsafe`, `invariant`, `deadlock`, `misuse`, `range`, `race`, `assertion`, `ltl`, …
    pub kind: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// Its trace, if it is violated.
    pub trace: Option<serde_json::Value>,
}

/// Figures of a run.
#[derive(Debug, Serialize)]
pub struct Stats {
    /// Wall time.
    pub seconds: f64,
    /// What else the command counts.
    #[serde(flatten)]
    pub counts: BTreeMap<&'static str, u64>,
}

/// A message about a file.
#[derive(Debug, Serialize)]
pub struct Message {
    /// The file.
    pub file: String,
    /// How bad it is.
    pub severity: Severity,
    /// The stable name of this kind of message.
    pub code: &'static str,
    /// The message itself.
    pub message: String,
    /// Where; null if the file could not be read.
    pub start: Option<Place>,
    /// The end of the place.
    pub end: Option<Place>,
    /// What is the matter with the text there.
    pub label: String,
    /// Other places that matter.
    pub related: Vec<Related>,
    /// Advice.
    pub help: Vec<String>,
    /// An edit that would mend it.
    pub fix: Option<FixReport>,
}

/// Another place that matters.
#[derive(Debug, Serialize)]
pub struct Related {
    /// Where it begins.
    pub start: Place,
    /// Where it ends.
    pub end: Place,
    /// Why it matters.
    pub message: String,
}

/// An edit that would mend a problem.
#[derive(Debug, Serialize)]
pub struct FixReport {
    /// Where the text to replace begins.
    pub start: Place,
    /// Where it ends.
    pub end: Place,
    /// What to put there.
    pub replacement: String,
    /// Why.
    pub message: String,
}

impl Report {
    /// A report without a verdict and without messages.
    pub fn new(command: &'static str, files: &[String]) -> Report {
        Report {
            command,
            files: files.to_vec(),
            verdict: None,
            reason: None,
            processes: None,
            properties: vec![],
            diagnostics: vec![],
            stats: Stats { seconds: 0.0, counts: BTreeMap::new() },
            trace: None,
            certificate: None,
        }
    }

    /// Notes a count.
    pub fn count(&mut self, name: &'static str, count: usize) {
        self.stats.counts.insert(name, count as u64);
    }

    /// Notes how long it took.
    pub fn took(&mut self, time: Duration) {
        self.stats.seconds = time.as_secs_f64();
    }
}

impl Message {
    /// A message about a place in a file.
    pub fn new(source: &Source, diagnostic: &Diagnostic) -> Message {
        let places = |span: Span| (source.place(span.start()), source.place(span.end()));
        let (start, end) = places(diagnostic.primary.span);
        let related = diagnostic.secondary.iter().map(|label| {
            let (start, end) = places(label.span);
            Related { start, end, message: label.text.clone() }
        });
        let fix = diagnostic.fix.as_ref().map(|fix| {
            let (start, end) = places(fix.span);
            FixReport { start, end, replacement: fix.replacement.clone(), message: fix.text.clone() }
        });
        Message {
            file: source.name().to_owned(),
            severity: diagnostic.severity,
            code: diagnostic.code,
            message: diagnostic.message.clone(),
            start: Some(start),
            end: Some(end),
            label: diagnostic.primary.text.clone(),
            related: related.collect(),
            help: diagnostic.help.clone(),
            fix,
        }
    }

    /// A message about a file as a whole.
    pub fn about_file(file: &str, severity: Severity, code: &'static str, message: String) -> Message {
        Message {
            file: file.to_owned(),
            severity,
            code,
            message,
            start: None,
            end: None,
            label: String::new(),
            related: vec![],
            help: vec![],
            fix: None,
        }
    }
}
