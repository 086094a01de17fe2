//! What a report says about each thing that was checked: the view that JUnit and SARIF share.

use super::{Figures, Location, Message, PropertyReport, Report, Verdict};
use serde_json::Value;
use source::Severity;

/// One thing that was checked.
pub(crate) struct Outcome<'r> {
    /// The file, as it was named on the command line.
    pub(crate) file: &'r str,
    /// Its kind: `race`, `unsafe`, `verdict`, a code of messages, …
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) result: Result,
    /// A sentence; empty if nothing is wrong.
    pub(crate) message: String,
    pub(crate) location: Option<Location>,
    /// A run as evidence.
    pub(crate) trace: Option<&'r Value>,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Result {
    Fine,
    Wrong,
    /// Nothing is known: never to be taken for fine.
    Unknown,
    /// Left open, by a run whose verdict says more.
    Open,
    /// The input is wrong.
    Refused,
    /// Something to know, which changes nothing.
    Warning,
}

/// All outcomes of a report, or of the reports on several files.
pub(crate) fn outcomes(report: &Report) -> Vec<Outcome<'_>> {
    if report.results.is_empty() { of_one(report) } else { report.results.iter().flat_map(of_one).collect() }
}

fn of_one(report: &Report) -> Vec<Outcome<'_>> {
    let mut all: Vec<Outcome<'_>> =
        report.properties.iter().map(|property| of_property(report, property)).collect();
    all.extend(report.diagnostics.iter().filter_map(|message| of_message(report, message)));
    let expressed = |wanted: Result| all.iter().any(|outcome| outcome.result == wanted);
    // The verdict is told by itself where nothing else tells it.
    let whole = match report.verdict {
        _ if expressed(Result::Refused) => None,
        Some(Verdict::Holds) if ran_nothing(report) => {
            Some((Result::Unknown, "no schedule was run".to_owned()))
        }
        Some(Verdict::Holds) if expressed(Result::Open) => Some((Result::Unknown, reason(report))),
        Some(Verdict::Holds) => all.is_empty().then(|| (Result::Fine, String::new())),
        Some(Verdict::Violated) => (!expressed(Result::Wrong)).then(|| (Result::Wrong, reason(report))),
        Some(Verdict::Unknown) => Some((Result::Unknown, reason(report))),
        None if report.reason.is_some() => Some((Result::Refused, reason(report))),
        None => all.is_empty().then(|| (Result::Fine, String::new())),
    };
    all.extend(whole.map(|(result, message)| Outcome {
        file: report.file(),
        kind: "verdict".to_owned(),
        name: report.command.to_owned(),
        result,
        message,
        location: None,
        trace: None,
    }));
    all
}

fn reason(report: &Report) -> String {
    report.reason.clone().unwrap_or_default()
}

/// A test without a schedule has shown nothing, whatever it says.
fn ran_nothing(report: &Report) -> bool {
    matches!(&report.stats.figures, Figures::Testing(figures) if figures.executions == 0)
}

fn of_property<'r>(report: &'r Report, property: &'r PropertyReport) -> Outcome<'r> {
    let result = match property.verdict {
        Verdict::Holds if ran_nothing(report) => Result::Open,
        Verdict::Holds => Result::Fine,
        Verdict::Violated => Result::Wrong,
        Verdict::Unknown => Result::Open,
    };
    let said = property.message.clone().or_else(|| property.formula.clone()).unwrap_or_default();
    let message = match result {
        Result::Fine => String::new(),
        Result::Open => report.reason.clone().unwrap_or_else(|| "unknown".to_owned()),
        _ if said.is_empty() => format!("{} `{}` is violated", property.kind, property.name),
        _ => said,
    };
    Outcome {
        file: report.file(),
        kind: property.kind.clone(),
        name: property.name.clone(),
        result,
        message,
        location: property.location.clone(),
        trace: property.trace.as_ref(),
    }
}

/// Errors and warnings about the text of a file.
fn of_message<'r>(report: &'r Report, message: &'r Message) -> Option<Outcome<'r>> {
    let result = match message.severity {
        Severity::Error => Result::Refused,
        Severity::Warning => Result::Warning,
        _ => return None,
    };
    let location = message.start.zip(message.end);
    Some(Outcome {
        file: report.file(),
        kind: message.code.to_owned(),
        name: message.code.to_owned(),
        result,
        message: message.message.clone(),
        location: location.map(|(start, end)| Location { file: message.file.clone(), start, end }),
        trace: None,
    })
}

/// The steps of a trace in words, each with who takes it.
pub(crate) fn steps(trace: &Value) -> Vec<String> {
    let actors = trace["#meta"]["actors"].as_array();
    let actor = |process: u64| {
        let at = usize::try_from(process).ok();
        let name = at.and_then(|at| actors?.get(at)?.as_str());
        name.map(|name| format!("{name}: ")).unwrap_or_default()
    };
    let step = |state: &Value| {
        let meta = &state["#meta"];
        let action = meta["action"].as_str()?;
        Some(format!("{}{action}", meta["process"].as_u64().map(actor).unwrap_or_default()))
    };
    trace["states"].as_array().into_iter().flatten().filter_map(step).collect()
}
