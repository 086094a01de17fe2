//! Traces as files: ITF documents that identify the model and the run.

use crate::{
    flags::TraceFlag,
    load::Loaded,
    output::{Output, write_file, write_stdout},
    range::NamedRange,
    temporal::{Asked, RunFlags},
};
use explore::{FindingKind, Trace};
use instance::Setting;
use instance::exploration::Exploration;
use instance::judge::Finding;
use ir::Model;
use model::Queues;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The version of [`Details`]. Readers refuse what is newer than they are, and version 1, in which ranges were texts.
pub(crate) const SCHEMA_VERSION: u32 = 2;

/// The metadata of a trace, under `#meta`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Details {
    /// The version of these details; 0 if there is none.
    #[serde(default)]
    pub(crate) schema_version: u32,
    /// The command that found the run.
    #[serde(default)]
    pub(crate) command: String,
    /// The model, as it was named on the command line.
    pub(crate) file: Option<String>,
    /// The absolute path of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<PathBuf>,
    /// A fingerprint of the model's text.
    #[serde(default)]
    pub(crate) hash: Option<String>,
    /// The number of processes.
    pub(crate) processes: Option<u32>,
    /// The ranges of numbers that the model leaves open.
    #[serde(default)]
    pub(crate) ranges: Vec<NamedRange>,
    /// Which of several waiting processes is next.
    #[serde(default)]
    pub(crate) queues: QueueOrder,
    /// The seed with which initial states were drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) seed: Option<u64>,
    /// The most entries of each store buffer, under x86-TSO.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) buffer: Option<usize>,
    /// The property that is violated in the last state, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) property: Option<String>,
    /// The kind of that property.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<FindingKind>,
    /// The processes for the parameters of the property, counted from 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) roles: Vec<usize>,
    /// The formula of a temporal property that is not in the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) formula: Option<String>,
    /// The fairness under which a temporal property is violated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) fair: Vec<String>,
    /// Which protocol it is, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) protocol: Option<ProtocolDetails>,
    /// Whether runs that end do not count for a temporal property.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) infinite_runs: bool,
}

/// The instance of a protocol that a run belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ProtocolDetails {
    /// The session.
    pub(crate) session: String,
    /// The values of its parameters.
    pub(crate) values: Vec<String>,
    /// How it is implemented.
    pub(crate) style: String,
    /// The most messages of each channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) capacity: Option<usize>,
}

/// The order of queues, as traces write it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum QueueOrder {
    #[default]
    Any,
    Fifo,
}

impl From<QueueOrder> for Queues {
    fn from(order: QueueOrder) -> Queues {
        match order {
            QueueOrder::Any => Queues::Any,
            QueueOrder::Fifo => Queues::Fifo,
        }
    }
}

impl From<Queues> for QueueOrder {
    fn from(queues: Queues) -> QueueOrder {
        match queues {
            Queues::Any => QueueOrder::Any,
            Queues::Fifo => QueueOrder::Fifo,
        }
    }
}

impl Details {
    /// The details of a run that claims no violation.
    pub(crate) fn new(command: &str, file: &str, model: &Model, setting: &Setting) -> Details {
        let fifo = model.threads.as_ref().is_some_and(|threads| threads.before.is_some());
        let ranges = setting.ranges.iter().map(|range| NamedRange::new(model, *range)).collect();
        Details {
            schema_version: SCHEMA_VERSION,
            command: command.to_owned(),
            file: Some(file.to_owned()),
            path: fs::canonicalize(file).ok(),
            hash: file_hash(Path::new(file)),
            processes: Some(setting.processes),
            ranges,
            queues: if fifo { QueueOrder::Fifo } else { QueueOrder::Any },
            seed: setting.seed,
            buffer: setting.buffer,
            property: None,
            kind: None,
            roles: vec![],
            formula: None,
            fair: vec![],
            protocol: None,
            infinite_runs: false,
        }
    }

    /// The details of a run of a protocol that claims no violation.
    pub(crate) fn of_protocol(command: &str, file: &str, roles: usize, protocol: ProtocolDetails) -> Details {
        Details {
            schema_version: SCHEMA_VERSION,
            command: command.to_owned(),
            file: Some(file.to_owned()),
            path: fs::canonicalize(file).ok(),
            hash: file_hash(Path::new(file)),
            processes: u32::try_from(roles).ok(),
            ranges: vec![],
            queues: QueueOrder::Any,
            seed: None,
            buffer: None,
            property: None,
            kind: None,
            roles: vec![],
            formula: None,
            fair: vec![],
            protocol: Some(protocol),
            infinite_runs: false,
        }
    }

    /// The details of a run that ends in a finding.
    pub(crate) fn of_finding(loaded: &Loaded, finding: &Finding) -> Details {
        let Loaded { command, source, model, asked, runs, .. } = loaded;
        let runs = if finding.kind == FindingKind::Ltl { runs.clone() } else { RunFlags::default() };
        let is_it = |asked: &&Asked| finding.kind == FindingKind::Ltl && asked.name == finding.name;
        Details {
            property: Some(finding.name.clone()),
            kind: Some(finding.kind),
            roles: finding.roles.iter().map(|process| process + 1).collect(),
            formula: asked.iter().find(is_it).map(|asked| asked.formula.clone()),
            fair: runs.fair,
            infinite_runs: runs.infinite,
            ..Details::new(command, source.name(), model, &finding.setting)
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

/// A trace that was read from a file.
pub(crate) struct Recorded {
    pub(crate) trace: Trace,
    pub(crate) details: Details,
    /// Where it was read from.
    file: PathBuf,
}

impl Recorded {
    pub(crate) fn read(file: &str) -> Result<Recorded, String> {
        let text = fs::read_to_string(file).map_err(|error| format!("cannot read `{file}`: {error}"))?;
        let document: Value =
            serde_json::from_str(&text).map_err(|error| format!("`{file}` is not a trace: {error}"))?;
        let trace = Trace::from_itf(&document).map_err(|error| format!("`{file}` is {error}"))?;
        if document["#meta"]["schema_version"] == 1 {
            return Err(format!("`{file}` was written by an older version of Motet; record the run again"));
        }
        let details: Details = serde_json::from_value(document["#meta"].clone())
            .map_err(|error| format!("`{file}` is not a trace that can be replayed: {error}"))?;
        if details.schema_version > SCHEMA_VERSION {
            return Err(format!("`{file}` was written by a newer version of Motet"));
        }
        Ok(Recorded { trace, details, file: file.into() })
    }

    /// Finds the model of the trace: by its recorded name or absolute path, relative to the trace, or beside it. Prefers a file
    /// that has not changed since.
    pub(crate) fn model(&self) -> Result<String, String> {
        let trace = self.file.display();
        let Some(name) = &self.details.file else {
            return Err(format!(
                "`{trace}` does not say which model it is about; name it with `--model FILE`"
            ));
        };
        let folder = self.file.parent().unwrap_or(Path::new(""));
        let beside = Path::new(name).file_name().map(|name| folder.join(name));
        let candidates =
            [Some(PathBuf::from(name)), self.details.path.clone(), Some(folder.join(name)), beside];
        let there: Vec<PathBuf> = candidates.into_iter().flatten().filter(|path| path.is_file()).collect();
        let unchanged = there.iter().find(|path| file_hash(path) == self.details.hash);
        let found = unchanged.or(there.first()).ok_or_else(|| {
            format!("the model `{name}` of `{trace}` cannot be found; `--model FILE` says where it is")
        })?;
        Ok(found.display().to_string())
    }

    /// Whether the model has changed since the run was recorded.
    pub(crate) fn is_outdated(&self, model: &str) -> bool {
        self.details.hash.is_some() && file_hash(Path::new(model)) != self.details.hash
    }
}

/// A fingerprint of a file, so that a replay can tell whether it has changed (FNV-1a, 64 bits).
fn file_hash(file: &Path) -> Option<String> {
    let bytes = fs::read(file).ok()?;
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    Some(format!("{hash:016x}"))
}

/// Writes the document of a trace, to standard output if the file is `-`.
pub(crate) fn write(path: &Path, document: &Value) -> Result<(), String> {
    let text = serde_json::to_string_pretty(document).expect("traces have only text keys");
    if path == Path::new("-") {
        write_stdout(&text);
        return Ok(());
    }
    write_file(path, &text)
}

/// Writes the trace of the first violation, if a file is given.
pub(crate) fn write_first(
    flag: &TraceFlag,
    loaded: &Loaded,
    exploration: &Exploration,
    output: &Output,
) -> Result<(), String> {
    let first = exploration.findings.iter().find(|finding| finding.is_violation());
    match (&flag.trace, first) {
        (Some(path), Some(finding)) => {
            write(path, &Details::of_finding(loaded, finding).document(&finding.trace))
        }
        (Some(_), None) => {
            output.remark("remark: there is no violation, hence no trace");
            Ok(())
        }
        (None, _) => Ok(()),
    }
}
