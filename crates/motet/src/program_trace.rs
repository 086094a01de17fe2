//! Traces of programs as files: ITF documents that say how the program is made and which schedule to follow.

use crate::trace_file::SCHEMA_VERSION;
use explore::{FindingKind, Trace};
use program::{Finding, Mark, Mode, Program, Recipe, Schedule};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs;

/// A trace of a program that was read from a file.
pub(crate) struct Recorded {
    pub(crate) trace: Trace,
    pub(crate) details: Details,
}

impl Recorded {
    /// Reads a trace. None if it is not about a program.
    pub(crate) fn read(file: &str) -> Result<Option<Recorded>, String> {
        let text = fs::read_to_string(file).map_err(|error| format!("cannot read `{file}`: {error}"))?;
        let document: Value =
            serde_json::from_str(&text).map_err(|error| format!("`{file}` is not a trace: {error}"))?;
        let meta = &document["#meta"];
        if !meta["program"].is_object() {
            return Ok(None);
        }
        if meta["schema_version"].as_u64().is_some_and(|version| version > u64::from(SCHEMA_VERSION)) {
            return Err(format!("`{file}` was written by a newer version of Motet"));
        }
        let trace = Trace::from_itf(&document).map_err(|error| format!("`{file}` is {error}"))?;
        let details = serde_json::from_value(meta.clone())
            .map_err(|error| format!("`{file}` is not a trace that can be replayed: {error}"))?;
        Ok(Some(Recorded { trace, details }))
    }
}

/// The metadata of a trace of a program, under `#meta`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Details {
    /// The version of these details; see the traces of models.
    pub(crate) schema_version: u32,
    /// The command that found the run.
    pub(crate) command: String,
    /// How the program is made and started.
    pub(crate) program: Recipe,
    /// A fingerprint of its code.
    pub(crate) hash: String,
    /// Which thread takes each step.
    pub(crate) schedule: Schedule,
    /// What decides which operations are steps, beside the mode.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) marks: Vec<Mark>,
    /// How the schedule was found.
    pub(crate) mode: Mode,
    /// What is wrong at the end, by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) property: Option<String>,
    /// The kind of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<FindingKind>,
}

impl Details {
    pub(crate) fn of_finding(command: &str, program: &Program, finding: &Finding) -> Details {
        let setting = &finding.setting;
        Details {
            schema_version: SCHEMA_VERSION,
            command: command.to_owned(),
            program: program.recipe.clone(),
            hash: program.hash().to_owned(),
            schedule: setting.schedule.clone(),
            marks: setting.marks.clone(),
            mode: setting.mode.clone(),
            property: Some(finding.name.clone()),
            kind: Some(finding.kind),
        }
    }

    /// The document of a trace with these details.
    pub(crate) fn document(&self, trace: &Trace) -> Value {
        let details = match serde_json::to_value(self) {
            Ok(Value::Object(details)) => details,
            _ => Map::new(),
        };
        trace.to_itf(details)
    }
}
