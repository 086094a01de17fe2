//! Runs of the debugger as files: the traces that other commands write and read.

use super::explore;
use crate::output::{count, write_file};
use ::explore::Trace;
use ::step::{Store, Wrong};
use model::Queues;
use serde_json::{Map, Value};
use std::{fs, path::Path};

/// A trace in a file, with what it says about itself.
pub(super) struct Recorded {
    file: String,
    document: Value,
}

impl Recorded {
    pub(super) fn read(file: &str) -> Result<Recorded, String> {
        let text = fs::read_to_string(file).map_err(|error| format!("cannot read `{file}`: {error}"))?;
        let document =
            serde_json::from_str(&text).map_err(|error| format!("`{file}` is no trace: {error}"))?;
        Ok(Recorded { file: file.to_owned(), document })
    }

    fn trace(&self) -> Result<Trace, String> {
        Trace::from_itf(&self.document).map_err(|error| format!("`{}` is {error}", self.file))
    }

    fn meta(&self, name: &str) -> &Value {
        &self.document["#meta"][name]
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.meta(name).as_str().map(str::to_owned)
    }

    pub(super) fn processes(&self) -> Option<u32> {
        self.meta("processes").as_u64().and_then(|number| u32::try_from(number).ok())
    }

    pub(super) fn seed(&self) -> Option<u64> {
        self.meta("seed").as_u64()
    }

    pub(super) fn ranges(&self) -> Vec<String> {
        let ranges = self.meta("ranges").as_array().into_iter().flatten();
        ranges.filter_map(Value::as_str).map(str::to_owned).collect()
    }

    pub(super) fn queues(&self) -> Result<Queues, String> {
        match self.text("queues").as_deref() {
            None | Some("any") => Ok(Queues::Any),
            Some("fifo") => Ok(Queues::Fifo),
            Some(other) => Err(format!("`{}` has queues that are unknown: `{other}`", self.file)),
        }
    }
}

/// The traces of a session.
pub(super) struct Traces {
    pub(super) file: String,
    pub(super) processes: u32,
    pub(super) ranges: Vec<String>,
    pub(super) queues: Queues,
    /// The seed by which initial states were drawn, if they were.
    pub(super) seed: Option<u64>,
}

impl Traces {
    /// What a trace says about itself.
    pub(super) fn details(&self, wrong: Option<&Wrong>) -> Map<String, Value> {
        let mut details = Map::new();
        details.insert("command".into(), "step".into());
        details.insert("file".into(), self.file.clone().into());
        details.insert("hash".into(), explore::file_hash(&self.file).into());
        details.insert("processes".into(), self.processes.into());
        details.insert("ranges".into(), self.ranges.clone().into());
        let fifo = self.queues == Queues::Fifo;
        details.insert("queues".into(), if fifo { "fifo" } else { "any" }.into());
        if let Some(seed) = self.seed {
            details.insert("seed".into(), seed.into());
        }
        if let Some(wrong) = wrong {
            details.insert("property".into(), wrong.name.clone().into());
            details.insert("kind".into(), wrong.kind.into());
        }
        details
    }
}

impl Store for Traces {
    fn save(&self, file: &str, trace: &Trace, wrong: Option<&Wrong>) -> Result<(), String> {
        let document = trace.to_itf(self.details(wrong));
        let text = serde_json::to_string_pretty(&document).expect("traces have only text keys");
        write_file(Path::new(file), &text)
    }

    fn load(&self, file: &str) -> Result<(Trace, Vec<String>), String> {
        let recorded = Recorded::read(file)?;
        let trace = recorded.trace()?;
        if let Some(other) = recorded.processes().filter(|other| *other != self.processes) {
            let (theirs, ours) = (count(other, "process"), count(self.processes, "process"));
            return Err(format!("`{file}` is about {theirs}, and this session about {ours}"));
        }
        let changed = recorded.text("hash").is_some_and(|hash| Some(hash) != explore::file_hash(&self.file));
        let warning = format!("warning: `{}` is not the file that the trace was recorded with", self.file);
        Ok((trace, changed.then_some(warning).into_iter().collect()))
    }
}
