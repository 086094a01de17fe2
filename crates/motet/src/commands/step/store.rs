//! Runs of the debugger as files: the traces that other commands write and read.

use crate::{
    output::{count, write_file},
    trace_file::{Details, Recorded},
};
use ::explore::Trace;
use ::step::{Finding, Store};
use std::path::Path;

/// Reads and writes the runs of a session as traces.
pub(super) struct Traces {
    /// What every trace says about its origin.
    pub(super) details: Details,
}

impl Store for Traces {
    fn save(&self, file: &str, trace: &Trace, violation: Option<&Finding>) -> Result<(), String> {
        let property = violation.map(|finding| finding.name.clone());
        let kind = violation.map(|finding| finding.kind);
        let details = Details { property, kind, ..self.details.clone() };
        let text =
            serde_json::to_string_pretty(&details.document(trace)).expect("traces have only text keys");
        write_file(Path::new(file), &text)
    }

    fn load(&self, file: &str) -> Result<(Trace, Vec<String>), String> {
        let recorded = Recorded::read(file)?;
        let ours = self.details.processes;
        if let (Some(theirs), Some(ours)) = (recorded.details.processes.filter(|n| Some(*n) != ours), ours) {
            let (theirs, ours) = (count(theirs, "process"), count(ours, "process"));
            return Err(format!("`{file}` is about {theirs}, and this session about {ours}"));
        }
        let model = self.details.file.as_deref().unwrap_or_default();
        let warning = format!("warning: `{model}` is not the file that the trace was recorded with");
        let warnings = recorded.is_outdated(model).then_some(warning).into_iter().collect();
        Ok((recorded.trace, warnings))
    }
}
