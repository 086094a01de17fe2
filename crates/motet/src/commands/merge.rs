//! `motet merge REPORT…`: joins the reports of tests that explored a part of a program's schedules each.

use crate::{
    Exit,
    flags::OutputFlags,
    output::{Output, count},
    report::{Figures, PropertyReport, Report, TestingFigures, Verdict},
    telling,
};
use clap::Args;
use serde_json::Value;
use std::{collections::BTreeSet, fs, time::Instant};

#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct MergeArgs {
    /// What `motet test --shard PART/PARTS --format json` has written for each part
    #[arg(value_name = "REPORT", required = true)]
    files: Vec<String>,
    #[command(flatten)]
    output: OutputFlags,
}

const MORE: &str = "\
The program holds if every part was explored to its end without a violation. The parts must agree on which operations are steps: if they \
do not, run them again with `--known` and these reports.";

pub(crate) fn run(args: &MergeArgs) -> Exit {
    let started = Instant::now();
    let output = Output::new(args.output.clone());
    let mut report = Report::new("merge", &args.files);
    let parts: Result<Vec<Value>, String> = args.files.iter().map(|file| read(file)).collect();
    let exit = match parts.and_then(|parts| check(&parts).map(|()| parts)) {
        Ok(parts) => merge(&parts, &output, &mut report),
        Err(message) => telling::refused(&output, &mut report, message),
    };
    report.took(started.elapsed());
    output.document(&report);
    exit
}

fn read(file: &str) -> Result<Value, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("cannot read `{file}`: {error}"))?;
    let part: Value =
        serde_json::from_str(&text).map_err(|error| format!("`{file}` is no report: {error}"))?;
    if part["command"] != "test" || part["shard"].is_null() {
        return Err(format!("`{file}` is no report of `motet test --shard PART/PARTS --format json`"));
    }
    Ok(part)
}

/// Whether the reports are those of all parts of one search. The error is a sentence.
fn check(parts: &[Value]) -> Result<(), String> {
    let first = &parts[0]["shard"];
    if parts.iter().any(|part| part["shard"]["program"] != first["program"]) {
        return Err("the reports are about different programs".into());
    }
    if parts.iter().any(|part| part["shard"]["options"] != first["options"]) {
        return Err("the parts were explored with different options".into());
    }
    // A search that was over before it was divided is the same for everybody.
    if parts.iter().all(|part| part["shard"]["whole"] == true) {
        return Ok(());
    }
    let of = first["of"].as_u64().unwrap_or(0);
    let numbers: BTreeSet<u64> = parts.iter().filter_map(|part| part["shard"]["part"].as_u64()).collect();
    if parts.iter().any(|part| part["shard"]["of"] != first["of"]) {
        return Err("the reports are about different numbers of parts".into());
    }
    if numbers.len() < parts.len() {
        return Err("a part is there twice".into());
    }
    match (1..=of).find(|part| !numbers.contains(part)) {
        Some(missing) => Err(format!("the report of part {missing} of {of} is missing")),
        None => Ok(()),
    }
}

fn merge(parts: &[Value], output: &Output, report: &mut Report) -> Exit {
    let violations = violations(parts);
    let is_whole = parts.iter().all(|part| part["shard"]["whole"] == true);
    let parts = if is_whole { &parts[..1] } else { parts };
    let figures = sum(parts);
    report.stats.figures = Figures::Testing(figures.clone());
    let steps = |part: &Value| -> BTreeSet<String> {
        let marks = part["shard"]["steps"].as_array().into_iter().flatten();
        marks.filter_map(|mark| mark.as_str().map(str::to_owned)).collect()
    };
    let agree = parts.iter().all(|part| steps(part) == steps(&parts[0]));
    let open = parts.iter().find(|part| part["shard"]["complete"] != true);
    let runs = count(figures.executions, "schedule");
    if !violations.is_empty() {
        output.result("violated");
        for one in &violations {
            output.result(&format!("\n{}: {}", one.name, one.message.as_deref().unwrap_or_default()));
        }
        report.trace = violations[0].trace.clone();
        report.properties = violations;
        report.verdict = Some(Verdict::Violated);
        return Exit::Violated;
    }
    if let Some(open) = open {
        let reason = open["reason"].as_str().unwrap_or("it was not explored to its end");
        let part = &open["shard"]["part"];
        return telling::unknown(output, report, format!("part {part}: {reason}"));
    }
    if !agree {
        let why = "the parts do not agree on which operations are steps; run them again with `--known` and these reports";
        return telling::unknown(output, report, why.into());
    }
    output
        .result(&format!("holds: all {runs} up to equivalence were run, in {}", count(parts.len(), "part")));
    report.verdict = Some(Verdict::Holds);
    report.properties = hold(&parts[0]);
    Exit::Holds
}

/// The violations of all parts, each once.
fn violations(parts: &[Value]) -> Vec<PropertyReport> {
    let mut seen = BTreeSet::new();
    let all = parts.iter().flat_map(|part| part["properties"].as_array().into_iter().flatten());
    let violated = all.filter(|property| property["verdict"] == "violated");
    let fresh = violated.filter(|property| seen.insert(property["name"].to_string()));
    fresh.map(|property| entry(property, Verdict::Violated)).collect()
}

fn hold(part: &Value) -> Vec<PropertyReport> {
    let all = part["properties"].as_array().into_iter().flatten();
    all.map(|property| entry(property, Verdict::Holds)).collect()
}

fn entry(property: &Value, verdict: Verdict) -> PropertyReport {
    let text = |key: &str| property[key].as_str().unwrap_or_default();
    PropertyReport {
        message: property["message"].as_str().map(str::to_owned),
        trace: Some(property["trace"].clone()).filter(|trace| !trace.is_null()),
        ..PropertyReport::undeclared(text("name"), text("kind"), verdict)
    }
}

/// The figures of all parts together.
fn sum(parts: &[Value]) -> TestingFigures {
    let numbers = |key: &str| -> Vec<u64> {
        parts.iter().map(|part| part["stats"][key].as_u64().unwrap_or(0)).collect()
    };
    let total = |key: &str| usize::try_from(numbers(key).iter().sum::<u64>()).unwrap_or(usize::MAX);
    let most = |key: &str| usize::try_from(numbers(key).into_iter().max().unwrap_or(0)).unwrap_or(usize::MAX);
    TestingFigures {
        executions: total("executions"),
        redundant_executions: total("redundant_executions"),
        steps: total("steps"),
        depth: most("depth"),
        states: total("states"),
        restarts: most("restarts"),
        cpu_milliseconds: numbers("cpu_milliseconds").iter().sum(),
        bytes_per_restart: most("bytes_per_restart"),
    }
}
