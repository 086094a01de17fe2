//! Traces as JSON in the Informal Trace Format (ITF) that Apalache defined and other model checkers read.
//!
//! Integers are JSON numbers if every JSON reader represents them exactly, and `{"#bigint": "…"}` otherwise; all
//! other values are strings. What ITF has no field for is under `#meta`: for the trace the number of the initial
//! state and the names of the processes, and for each state but the first the action and the process that led to it.
//! Of a run that goes on for ever, `loop` is the number of the state that follows the last one; the step that leads
//! there is under `#meta`, too.

use std::error::Error;
use std::fmt;

use serde_json::{Map, Value, json};

use super::{Step, Trace, reading};
use crate::{Entry, Label, Valuation, Value as Known};

/// Why a document is not a trace written by [`to_itf`](Trace::to_itf).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItfError(String);

impl fmt::Display for ItfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a trace that can be replayed: {}", self.0)
    }
}

impl Error for ItfError {}

impl Trace {
    /// The trace as an ITF document, with further details under `#meta`.
    pub fn to_itf(&self, details: Map<String, Value>) -> Value {
        let mut meta = details;
        meta.insert("format".into(), "ITF".into());
        meta.insert("initial".into(), self.initial.into());
        if !self.actors.is_empty() {
            meta.insert("actors".into(), self.actors.clone().into());
        }
        let vars: Vec<_> = self.start.iter().map(|entry| entry.subject.to_string()).collect();
        let first = state(json!({ "index": 0 }), &self.start);
        let (listed, closing) = match self.back {
            Some(back) if back < self.steps.len() => self.steps.split_at(self.steps.len() - 1),
            _ => (&self.steps[..], &[][..]),
        };
        if let [step] = closing {
            let action = step.label.to_string();
            meta.insert("back".into(), json!({ "action": action, "process": step.process }));
        }
        let later = listed.iter().enumerate().map(|(before, step)| {
            let action = step.label.to_string();
            state(json!({ "index": before + 1, "action": action, "process": step.process }), &step.state)
        });
        let states: Vec<Value> = std::iter::once(first).chain(later).collect();
        let mut document = json!({ "#meta": meta, "vars": vars, "states": states });
        if let Some(back) = self.back {
            document["loop"] = back.into();
        }
        document
    }

    /// Reads a document that [`to_itf`](Self::to_itf) has written.
    pub fn from_itf(document: &Value) -> Result<Trace, ItfError> {
        let vars: Option<Vec<&str>> = list(document, "vars")?.iter().map(Value::as_str).collect();
        let vars = vars.ok_or_else(|| ItfError("a variable's name is not a string".into()))?;
        let states = list(document, "states")?;
        let (first, later) = states.split_first().ok_or_else(|| ItfError("it has no states".into()))?;
        let mut trace = Trace {
            initial: index(&document["#meta"]["initial"], "initial")?,
            actors: actors(&document["#meta"]["actors"])?,
            start: valuation(first, &vars)?,
            steps: later.iter().map(|state| step(state, &vars)).collect::<Result<_, _>>()?,
            back: None,
        };
        if !document["loop"].is_null() {
            let back = index(&document["loop"], "loop")?;
            if back > trace.steps.len() {
                return Err(ItfError(format!("there is no state {back} to loop to")));
            }
            let closing = &document["#meta"]["back"];
            if !closing.is_null() {
                let (label, process) = label_and_process(closing)?;
                let state = trace.state(back).clone();
                trace.steps.push(Step { label, process, state });
            } else if back != trace.steps.len() {
                return Err(ItfError("the step that closes its loop is missing".into()));
            }
            trace.back = Some(back);
        }
        Ok(trace)
    }
}

fn state(meta: Value, valuation: &Valuation) -> Value {
    let mut state = Map::new();
    state.insert("#meta".into(), meta);
    state.extend(valuation.iter().map(|entry| (entry.subject.to_string(), value(&entry.value))));
    Value::Object(state)
}

fn step(state: &Value, vars: &[&str]) -> Result<Step, ItfError> {
    let (label, process) = label_and_process(&state["#meta"])?;
    Ok(Step { label, process, state: valuation(state, vars)? })
}

fn label_and_process(meta: &Value) -> Result<(Label, Option<usize>), ItfError> {
    let process = match &meta["process"] {
        Value::Null => None,
        process => Some(index(process, "process")?),
    };
    Ok((reading::label(text(&meta["action"], "action")?), process))
}

fn valuation(state: &Value, vars: &[&str]) -> Result<Valuation, ItfError> {
    vars.iter().map(|&name| entry(&state[name], name)).collect()
}

/// The largest integer that ITF writes as a JSON number.
const LARGEST_INTEGER: u64 = (1 << 53) - 1;

/// A value as ITF writes it.
fn value(known: &Known) -> Value {
    match known {
        Known::Integer(number) if number.unsigned_abs() <= LARGEST_INTEGER => (*number).into(),
        Known::Integer(number) => json!({ "#bigint": number.to_string() }),
        other => other.to_string().into(),
    }
}

/// An entry that [`value`] has written.
fn entry(value: &Value, name: &str) -> Result<Entry, ItfError> {
    let large = value["#bigint"].as_str().and_then(|digits| digits.parse().ok());
    match (value.as_i64().or(large), value) {
        (Some(number), _) => Ok(Entry { subject: reading::subject(name), value: Known::Integer(number) }),
        (None, Value::String(text)) => Ok(reading::entry(name, text)),
        _ => Err(ItfError(format!("{name} is neither a string nor an integer"))),
    }
}

fn actors(list: &Value) -> Result<Vec<String>, ItfError> {
    let names = list.as_array().map_or(&[][..], Vec::as_slice).iter();
    names.map(|name| text(name, "actors").map(str::to_owned)).collect()
}

fn list<'a>(document: &'a Value, key: &str) -> Result<&'a [Value], ItfError> {
    let list = document[key].as_array().ok_or_else(|| ItfError(format!("{key} is not a list")))?;
    Ok(list)
}

fn index(value: &Value, key: &str) -> Result<usize, ItfError> {
    let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
    number.ok_or_else(|| ItfError(format!("{key} is not a number")))
}

fn text<'v>(value: &'v Value, key: &str) -> Result<&'v str, ItfError> {
    value.as_str().ok_or_else(|| ItfError(format!("{key} is not a string")))
}
