//! Reports in SARIF 2.1.0, which code hosts show beside the lines that they are about.

use super::{
    Location, Report,
    outcome::{Outcome, Result, outcomes, steps},
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The document.
pub(crate) fn document(report: &Report) -> Value {
    let all = outcomes(report);
    let is_told = |outcome: &&Outcome<'_>| !matches!(outcome.result, Result::Fine | Result::Open);
    let told: Vec<&Outcome<'_>> = all.iter().filter(is_told).collect();
    let rules: BTreeSet<&str> = told.iter().map(|outcome| outcome.kind.as_str()).collect();
    let rules: Vec<Value> = rules.into_iter().map(|rule| json!({ "id": rule })).collect();
    let unsettled = |outcome: &&&Outcome<'_>| matches!(outcome.result, Result::Unknown | Result::Refused);
    let notifications: Vec<Value> =
        told.iter().filter(unsettled).map(|outcome| notification(outcome)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "motet", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                // What is unknown was not checked to the end: nobody may take an empty list of results for success.
                "executionSuccessful": notifications.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "results": told.iter().map(|outcome| result(outcome)).collect::<Vec<_>>(),
        }],
    })
}

fn notification(outcome: &Outcome<'_>) -> Value {
    let level = if outcome.result == Result::Refused { "error" } else { "warning" };
    json!({ "level": level, "message": { "text": message(outcome) } })
}

fn message(outcome: &Outcome<'_>) -> String {
    if outcome.message.is_empty() { outcome.name.clone() } else { outcome.message.clone() }
}

fn result(outcome: &Outcome<'_>) -> Value {
    let (kind, level) = match outcome.result {
        Result::Wrong | Result::Refused => ("fail", "error"),
        Result::Warning => ("fail", "warning"),
        Result::Fine | Result::Open | Result::Unknown => ("open", "none"),
    };
    let mut value = json!({
        "ruleId": outcome.kind,
        "kind": kind,
        "level": level,
        "message": { "text": message(outcome) },
        "locations": [location(outcome)],
        "partialFingerprints": { "motet/v1": format!("{} {}", outcome.kind, outcome.name) },
    });
    if let Some(trace) = outcome.trace {
        let steps: Vec<Value> = steps(trace).iter().map(|step| flow_step(step, outcome)).collect();
        // A thread flow has at least one location.
        if !steps.is_empty() {
            value["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
        }
    }
    value
}

fn location(outcome: &Outcome<'_>) -> Value {
    match &outcome.location {
        Some(Location { file, start, end }) => physical(
            file,
            &json!({
                "startLine": start.line,
                "startColumn": start.column,
                "endLine": end.line,
                "endColumn": end.column.max(start.column),
            }),
        ),
        None => json!({ "physicalLocation": { "artifactLocation": { "uri": uri(outcome.file) } } }),
    }
}

fn physical(file: &str, region: &Value) -> Value {
    json!({ "physicalLocation": { "artifactLocation": { "uri": uri(file) }, "region": region } })
}

/// A step of a run; those of programs say where: `lock(&m) at bank.c:21`.
fn flow_step(step: &str, outcome: &Outcome<'_>) -> Value {
    let place = step.rsplit_once(" at ").and_then(|(_, place)| place.rsplit_once(':'));
    let line = place.and_then(|(name, line)| Some((name, line.parse::<u32>().ok()?)));
    let mut value = match line {
        Some((name, line)) => physical(&file_of(name, outcome), &json!({ "startLine": line })),
        None => json!({}),
    };
    value["message"] = json!({ "text": step });
    json!({ "location": value })
}

/// The file of a step, which is named without its folder: that of the finding or of the program, if it is one of them.
fn file_of(name: &str, outcome: &Outcome<'_>) -> String {
    let known = outcome.location.iter().map(|at| at.file.as_str()).chain([outcome.file]);
    let is_it = |file: &&str| std::path::Path::new(file).file_name().is_some_and(|last| last == name);
    known.into_iter().find(is_it).unwrap_or(name).to_owned()
}

/// A path as a reference of a URI: bytes that have a meaning there are written as numbers.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let encoded: String = path
        .bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    if path.starts_with('/') { format!("file://{encoded}") } else { encoded }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{PropertyReport, Verdict};

    #[test]
    fn an_unknown_verdict_is_no_success() {
        let mut report = Report::new("test", &["a b.c".to_owned()]);
        report.verdict = Some(Verdict::Unknown);
        report.reason = Some("the time was up".into());
        report.properties.push(PropertyReport::undeclared("race", "race", Verdict::Unknown));
        let run = &document(&report)["runs"][0];
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
        assert_eq!(run["results"][0]["kind"], "open");
        let uri = &run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        assert_eq!(uri, "a%20b.c");
    }

    #[test]
    fn what_holds_has_no_results() {
        let mut report = Report::new("test", &["a.c".to_owned()]);
        report.verdict = Some(Verdict::Holds);
        report.properties.push(PropertyReport::undeclared("race", "race", Verdict::Holds));
        let run = &document(&report)["runs"][0];
        assert_eq!(run["invocations"][0]["executionSuccessful"], true);
        assert_eq!(run["results"], json!([]));
    }
}
