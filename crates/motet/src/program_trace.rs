//! Traces of programs as files: ITF documents that say how the program is made and which schedule to follow.

use explore::{FindingKind, Trace};
use program::{Finding, Mode, Program, Racy, Recipe, Schedule};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

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
    /// Accesses that are steps because they race.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) racy: Vec<Racy>,
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
            schema_version: crate::trace_file::SCHEMA_VERSION,
            command: command.to_owned(),
            program: program.recipe.clone(),
            hash: program.hash().to_owned(),
            schedule: setting.schedule.clone(),
            racy: setting.racy.clone(),
            mode: setting.mode,
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
