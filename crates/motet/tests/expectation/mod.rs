//! What a model or a program says about itself in comments, and how that compares with a report.
#![allow(dead_code, reason = "each test uses a part of it")]

use serde_json::Value;
use std::fmt;

/// `expect: COMMAND ARGUMENTS: OUTCOME`
#[derive(Debug, Clone)]
pub(crate) struct Expectation {
    pub text: String,
    pub command: String,
    pub arguments: Vec<String>,
    pub outcome: Outcome,
}

/// What should come out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// `ok`: no error and no warning.
    Ok,
    /// `error CODE…`, `warning CODE…`, `note CODE…`: all messages of that severity, in order.
    Messages { severity: String, codes: Vec<String> },
    /// `holds`, `unknown`, `violated KIND [NAME]`
    Verdict { verdict: String, kind: Option<String>, name: Option<String> },
}

/// All expectations of a text; one that cannot be read comes back as it is.
pub(crate) fn find(text: &str) -> Vec<Result<Expectation, String>> {
    let bodies = text
        .split("(* expect:")
        .skip(1)
        .filter_map(|rest| rest.split_once("*)"))
        .map(|(body, _)| body.trim());
    bodies.map(|body| parse(body).ok_or_else(|| body.to_owned())).collect()
}

fn parse(body: &str) -> Option<Expectation> {
    let (command, outcome) = body.rsplit_once(':')?;
    let mut words = command.split_whitespace().map(str::to_owned);
    Some(Expectation {
        text: body.to_owned(),
        command: words.next()?,
        arguments: words.collect(),
        outcome: parse_outcome(outcome.trim())?,
    })
}

pub(crate) fn parse_outcome(text: &str) -> Option<Outcome> {
    let mut words = text.split_whitespace().map(str::to_owned);
    let first = words.next()?;
    match first.as_str() {
        "ok" => Some(Outcome::Ok),
        "error" | "warning" | "note" => {
            let codes: Vec<String> = words.collect();
            (!codes.is_empty()).then_some(Outcome::Messages { severity: first, codes })
        }
        "holds" | "unknown" | "violated" => {
            Some(Outcome::Verdict { verdict: first, kind: words.next(), name: words.next() })
        }
        _ => None,
    }
}

impl Outcome {
    /// Compares with a report and an exit code; what was found instead, if it differs.
    pub(crate) fn compare(&self, document: &Value, exit: Option<i32>) -> Result<(), String> {
        match self {
            Outcome::Ok => {
                let bad = [codes(document, "error"), codes(document, "warning")].concat();
                if bad.is_empty() && exit == Some(0) { Ok(()) } else { Err(bad.join(" ")) }
            }
            Outcome::Messages { severity, codes: expected } => {
                let errors = codes(document, "error");
                let found = codes(document, severity);
                let exit_expected = if severity == "error" { 2 } else { 0 };
                let unexpected_errors = severity != "error" && !errors.is_empty();
                if found == *expected && exit == Some(exit_expected) && !unexpected_errors {
                    Ok(())
                } else {
                    Err(format!("{severity} {} (exit code {exit:?})", found.join(" ")))
                }
            }
            Outcome::Verdict { verdict, kind, name } => {
                let exit_expected = match verdict.as_str() {
                    "holds" => 0,
                    "violated" => 1,
                    _ => 3,
                };
                let found = document["verdict"].as_str().unwrap_or("none");
                let violated = violated(document, kind.as_deref(), name.as_deref());
                if found == verdict && violated && exit == Some(exit_expected) {
                    Ok(())
                } else {
                    Err(format!("{found}: {} (exit code {exit:?})", summary(document)))
                }
            }
        }
    }
}

fn codes(document: &Value, severity: &str) -> Vec<String> {
    let messages = document["diagnostics"].as_array().into_iter().flatten();
    let of_severity = messages.filter(|message| message["severity"] == severity);
    of_severity.filter_map(|message| message["code"].as_str().map(str::to_owned)).collect()
}

/// The properties with their verdicts.
fn summary(document: &Value) -> String {
    let properties = document["properties"].as_array().into_iter().flatten();
    let shown = properties.map(|property| format!("{} {}", property["name"], property["verdict"]));
    shown.collect::<Vec<_>>().join(", ")
}

/// Whether some violated property is of that kind and name, as far as they are given.
fn violated(document: &Value, kind: Option<&str>, name: Option<&str>) -> bool {
    let properties = document["properties"].as_array().into_iter().flatten();
    let mut matching = properties.filter(|property| {
        property["verdict"] == "violated"
            && kind.is_none_or(|kind| property["kind"] == kind)
            && name.is_none_or(|name| property["name"] == name)
    });
    kind.is_none() || matching.next().is_some()
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Ok => f.write_str("ok"),
            Outcome::Messages { severity, codes } => write!(f, "{severity} {}", codes.join(" ")),
            Outcome::Verdict { verdict, kind, name } => {
                write!(f, "{verdict} {} {}", kind.as_deref().unwrap_or(""), name.as_deref().unwrap_or(""))
            }
        }
    }
}
