//! What a command reports: one document on standard output, as JSON, or in the forms of `JUnit` and SARIF.

pub(crate) mod junit;
mod outcome;
pub(crate) mod sarif;

use crate::Exit;
pub use explore::Verdict;
use serde::Serialize;
use source::{Diagnostic, Position, Severity, Source, Span};
use std::time::Duration;

/// The version of the document. It grows when a field changes its meaning or goes away, not when one is added.
pub const SCHEMA_VERSION: u32 = 2;

/// The result of a command.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The version of this form.
    pub schema_version: u32,
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
    /// Observations that do not change the verdict.
    pub remarks: Vec<Remark>,
    /// Candidate invariants that were proved: each formula is false in every reachable state.
    pub invariants: Vec<String>,
    /// Place invariants that were checked: sums of numbers and numbers of processes that no step changes, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub place_invariants: Vec<String>,
    /// Messages about the files.
    pub diagnostics: Vec<Message>,
    /// Figures; `seconds` is always there.
    pub stats: Stats,
    /// The trace of the first violation.
    pub trace: Option<serde_json::Value>,
    /// Where the certificate was written.
    pub certificate: Option<String>,
    /// Of `motet fences`: minimal sets of fences that suffice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fences: Vec<FenceSet>,
    /// Of `motet fences`: sets of fences of which it is not known whether they suffice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undecided_fences: Vec<UndecidedFences>,
    /// Of `motet litmus`: the outcome of each test.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub litmus: Vec<serde_json::Value>,
    /// The answers of a session of the debugger.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<serde_json::Value>,
    /// Of `motet test --shard`: the part of the search that was explored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardReport>,
    /// If several files were given that get a verdict each: a document of this form for each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<Report>,
}

/// A part of the schedules of a program.
#[derive(Debug, Clone, Serialize)]
pub struct ShardReport {
    /// Which one, from 1.
    pub part: usize,
    /// The number of parts.
    pub of: usize,
    /// Whether the search was over before it was divided: this is then the report of all of it.
    pub whole: bool,
    /// Whether the part was explored to its end without a violation.
    pub complete: bool,
    /// A fingerprint of the program's code.
    pub program: String,
    /// What was asked for, which must be the same for all parts.
    pub options: String,
    /// What decides which operations are steps: all parts must agree on it.
    pub steps: Vec<String>,
}

/// Fences that suffice.
#[derive(Debug, Clone, Serialize)]
pub struct FenceSet {
    /// The transitions whose guards have a fence.
    pub fences: Vec<String>,
    /// What changes in the file, as a unified diff.
    pub diff: String,
}

/// Fences that may suffice, or not.
#[derive(Debug, Clone, Serialize)]
pub struct UndecidedFences {
    /// The transitions whose guards have a fence.
    pub fences: Vec<String>,
    /// Why it is not known.
    pub reason: String,
}

/// The verdict on one property.
#[derive(Debug, Serialize)]
pub struct PropertyReport {
    /// Its name, or its kind and number if it has none: `unsafe1`.
    pub name: String,
    /// `unsafe`, `invariant`, `deadlock`, `misuse`, `range`, `race`, `assertion`, `ltl`, …
    pub kind: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// Where it is declared.
    pub location: Option<Location>,
    /// Its formula, as it is written there.
    pub formula: Option<String>,
    /// What is wrong, where no formula says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// If it is violated: the process for each of its parameters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<Role>,
    /// Its trace, if it is violated.
    pub trace: Option<serde_json::Value>,
}

impl PropertyReport {
    /// A verdict on something that has no declaration of its own.
    pub fn undeclared(name: &str, kind: &str, verdict: Verdict) -> PropertyReport {
        PropertyReport {
            name: name.to_owned(),
            kind: kind.to_owned(),
            verdict,
            location: None,
            formula: None,
            message: None,
            roles: vec![],
            trace: None,
        }
    }
}

/// The process that stands for a parameter of a property.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Role {
    /// The parameter.
    pub parameter: String,
    /// The process, counted from 1.
    pub process: usize,
}

/// A part of a file.
#[derive(Debug, Clone, Serialize)]
pub struct Location {
    /// The file.
    pub file: String,
    /// Where it begins.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
}

/// An observation that does not change the verdict.
#[derive(Debug, Serialize)]
pub struct Remark {
    /// The stable name of this kind of remark.
    pub code: &'static str,
    /// The remark itself.
    pub message: String,
    /// A run as evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<serde_json::Value>,
}

/// Figures of a run.
#[derive(Debug, Serialize)]
pub struct Stats {
    /// Wall time.
    pub seconds: f64,
    /// Other counters of the command.
    #[serde(flatten)]
    pub figures: Figures,
}

/// Counters of the engine that gave the answer.
#[derive(Debug, Default, Serialize)]
#[serde(untagged)]
pub enum Figures {
    /// Nothing.
    #[default]
    None,
    /// States of an instance.
    Exploration(ExplorationFigures),
    /// Random walks.
    Fuzzing(FuzzingFigures),
    /// A proof.
    Proof(ProofFigures),
    /// Schedules of a program.
    Testing(TestingFigures),
    /// A session of the debugger.
    Session {
        /// The number of steps of the run at its end.
        steps: usize,
    },
}

/// Figures of an exploration.
#[derive(Debug, Clone, Serialize)]
pub struct ExplorationFigures {
    /// States that were visited.
    pub states: usize,
    /// Steps that were taken.
    pub transitions: usize,
    /// The largest distance of a state from the initial states.
    pub depth: usize,
    /// Memory for each state.
    pub bytes_per_state: usize,
    /// The products that temporal properties took, if there were any.
    #[serde(flatten)]
    pub product: Option<ProductFigures>,
}

/// Figures of products of an instance and an automaton.
#[derive(Debug, Clone, Serialize)]
pub struct ProductFigures {
    /// Pairs of a state of the instance and one of the automaton.
    pub product_states: usize,
    /// Steps between them.
    pub product_transitions: usize,
    /// The time that it took.
    pub product_milliseconds: usize,
}

/// Figures of fuzzing.
#[derive(Debug, Clone, Serialize)]
pub struct FuzzingFigures {
    /// The counters of an exploration.
    #[serde(flatten)]
    pub exploration: ExplorationFigures,
    /// Transitions that were taken.
    pub covered_transitions: usize,
    /// Pairs of transitions of which the second directly followed the first.
    pub covered_pairs: usize,
    /// The seed that gives the same run again.
    pub seed: u64,
    /// The number of steps before the first violation was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps_to_first_violation: Option<usize>,
}

/// Figures of a test of a program.
#[derive(Debug, Clone, Serialize)]
pub struct TestingFigures {
    /// Schedules that were run.
    pub executions: usize,
    /// Schedules that turned out to be equivalent to others, and were given up.
    pub redundant_executions: usize,
    /// Steps that were taken.
    pub steps: usize,
    /// The length of the longest schedule.
    pub depth: usize,
    /// States that were told apart, by searches that do so.
    pub states: usize,
    /// How often the search began again, because more memory turned out to be shared.
    pub restarts: usize,
    /// Processor time of the program under test.
    pub cpu_milliseconds: u64,
    /// The memory that each run begins with a copy of.
    pub bytes_per_restart: usize,
}

/// Figures of a proof.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ProofFigures {
    /// Cubes that were visited.
    pub nodes: usize,
    /// Cubes that needed no visit, as others subsume them.
    pub subsumed: usize,
    /// Cubes that were deleted, as later ones subsume them.
    pub deleted: usize,
    /// Candidate invariants that the proof uses.
    pub invariants: usize,
    /// Candidates that were refuted, so that the search had to backtrack.
    pub refuted: usize,
    /// The most processes of a cube.
    pub max_processes: usize,
    /// States that candidates were tested against.
    pub oracle_states: usize,
    /// Counters of the search over views, if it gave the answer.
    #[serde(flatten)]
    pub views: Option<ViewFigures>,
}

/// Figures of a forward search over views.
#[derive(Debug, Clone, Serialize)]
pub struct ViewFigures {
    /// The number of views.
    pub views: usize,
    /// The number of processes in each view.
    pub view_size: usize,
    /// The memory for all views.
    pub view_bytes: usize,
    /// The number of searches.
    pub view_searches: usize,
    /// The abstraction level of the last search: the higher, the more each view kept.
    pub view_level: usize,
}

/// A message about a file.
#[derive(Debug, Serialize)]
pub struct Message {
    /// The file.
    pub file: String,
    /// Error, warning or note.
    pub severity: Severity,
    /// The stable name of this kind of message.
    pub code: &'static str,
    /// The message itself.
    pub message: String,
    /// Where; null if the file could not be read.
    pub start: Option<Position>,
    /// The end of the location.
    pub end: Option<Position>,
    /// What is wrong with the text there.
    pub label: String,
    /// Other locations that matter.
    pub related: Vec<Related>,
    /// Advice.
    pub help: Vec<String>,
    /// An edit that would fix it.
    pub fix: Option<FixReport>,
}

/// Another location that matters.
#[derive(Debug, Serialize)]
pub struct Related {
    /// Where it begins.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// Why it matters.
    pub message: String,
}

/// An edit that would fix a problem.
#[derive(Debug, Serialize)]
pub struct FixReport {
    /// Where the text to replace begins.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// What to put there.
    pub replacement: String,
    /// Why.
    pub message: String,
}

impl Report {
    /// A report without a verdict and without messages.
    pub fn new(command: &'static str, files: &[String]) -> Report {
        Report {
            schema_version: SCHEMA_VERSION,
            command,
            files: files.to_vec(),
            verdict: None,
            reason: None,
            processes: None,
            properties: vec![],
            remarks: vec![],
            invariants: vec![],
            place_invariants: vec![],
            diagnostics: vec![],
            stats: Stats { seconds: 0.0, figures: Figures::None },
            trace: None,
            certificate: None,
            fences: vec![],
            undecided_fences: vec![],
            litmus: vec![],
            answers: vec![],
            shard: None,
            results: vec![],
        }
    }

    /// The file that it is about, or an empty text.
    pub fn file(&self) -> &str {
        self.files.first().map_or("", String::as_str)
    }

    /// Sets the wall time.
    pub fn took(&mut self, time: Duration) {
        self.stats.seconds = time.as_secs_f64();
    }

    /// The report on several files, with the worst verdict. A file that could not be read counts as unknown.
    pub fn of_several(command: &'static str, files: &[String], results: Vec<(Exit, Report)>) -> Report {
        let any = |verdict| results.iter().any(|(_, report)| report.verdict == Some(verdict));
        let unread = results.iter().any(|(exit, _)| *exit == Exit::BadInput);
        let verdict = if any(Verdict::Violated) {
            Verdict::Violated
        } else if unread || any(Verdict::Unknown) {
            Verdict::Unknown
        } else {
            Verdict::Holds
        };
        let results: Vec<Report> = results.into_iter().map(|(_, report)| report).collect();
        let worst = results.iter().find(|report| report.verdict == Some(verdict));
        Report {
            verdict: Some(verdict),
            reason: worst.and_then(|report| report.reason.clone()),
            trace: worst.and_then(|report| report.trace.clone()),
            results,
            ..Report::new(command, files)
        }
    }
}

impl Message {
    /// A message about a location in a file.
    pub fn new(source: &Source, diagnostic: &Diagnostic) -> Message {
        let location = |span: Span| (source.position(span.start()), source.position(span.end()));
        let (start, end) = location(diagnostic.primary.span);
        let related = diagnostic.secondary.iter().map(|label| {
            let (start, end) = location(label.span);
            Related { start, end, message: label.text.clone() }
        });
        let fix = diagnostic.fix.as_ref().map(|fix| {
            let (start, end) = location(fix.span);
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
