//! A protocol file: loading it, choosing a session, giving it values.

use crate::{
    data::{Evaluator, Value},
    meaning::{NoGraph, Semantics, StateGraph},
    statics,
    syntax::{parser, tree::File, tree::Session},
};
use explore::Limits;
use source::{Diagnostics, Source, nearest};
use std::rc::Rc;

/// The result of loading a file.
#[derive(Debug)]
pub struct Loaded {
    /// The protocol, if there is no error.
    pub protocol: Option<Protocol>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

/// A protocol file without errors.
#[derive(Debug, Clone)]
pub struct Protocol {
    file: Rc<File>,
}

impl Protocol {
    /// Reads and checks a file.
    pub fn load(source: &Source) -> Loaded {
        let (file, errors) = parser::parse(source);
        let mut diagnostics = Diagnostics::default();
        let readable = !errors.iter().any(|error| error.severity == source::Severity::Error);
        diagnostics.extend(errors);
        if readable {
            diagnostics.extend(statics::check(&file, source));
        }
        let protocol = (!diagnostics.has_errors()).then(|| Protocol { file: Rc::new(file) });
        Loaded { protocol, diagnostics }
    }

    /// The definitions.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The session that is meant: by name, or the last one that no other session calls and that takes so many values. The error is a
    /// sentence.
    pub fn session(&self, key: Option<&str>, values: usize) -> Result<&Session, String> {
        let sessions = &self.file.sessions;
        let Some(key) = key.map(|key| key.trim_start_matches(':')) else {
            return self.main_session(values);
        };
        let named: Vec<&Session> = sessions.iter().filter(|session| &*session.key.text == key).collect();
        if let Some(found) = named.iter().find(|session| session.params.len() == values) {
            return Ok(found);
        }
        if let Some(other) = named.first() {
            return Err(wanted(other, values));
        }
        let near = nearest(key, sessions.iter().map(|session| &*session.key.text));
        let proposal = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        Err(format!("there is no session `{key}`{proposal}"))
    }

    fn main_session(&self, values: usize) -> Result<&Session, String> {
        let sessions = &self.file.sessions;
        let outer: Vec<&Session> = sessions.iter().filter(|session| !self.is_called(session)).collect();
        let candidates = if outer.is_empty() { sessions.iter().collect() } else { outer };
        let fitting: Vec<&&Session> =
            candidates.iter().filter(|session| session.params.len() == values).collect();
        match (&fitting[..], &candidates[..]) {
            ([.., last], _) => Ok(last),
            (_, []) => Err("the file has no session".into()),
            ([], [only]) => Err(wanted(only, values)),
            _ => {
                let names: Vec<String> =
                    candidates.iter().map(|session| format!("`{}`", session.key.text)).collect();
                Err(format!("`--session` must say which session is meant: {}", names.join(", ")))
            }
        }
    }

    /// Whether another session calls this one.
    fn is_called(&self, session: &Session) -> bool {
        let is_it = |name: &str, values: usize| *name == *session.key.text && values == session.params.len();
        self.file.sessions.iter().filter(|other| !is_it(&other.key.text, other.params.len())).any(|other| {
            statics::calls(&other.body, &self.file).iter().any(|(name, values)| is_it(name, *values))
        })
    }

    /// The state graph of a session with values for its parameters.
    pub fn graph(
        &self,
        session: &Session,
        values: Vec<Value>,
        limits: &Limits,
    ) -> Result<StateGraph, NoGraph> {
        let mut semantics = Semantics::new(self.file.clone());
        let start = semantics.start(&session.key, values.into())?;
        StateGraph::explore(&mut semantics, start, limits)
    }

    /// A value as it is written on a command line: an expression without variables. The error is a sentence.
    pub fn value(&self, text: &str) -> Result<Value, String> {
        let expression = parser::parse_expression(text, &self.file)
            .ok_or_else(|| format!("`{text}` is not a value; write a number, a `:key`, `[…]` or `#{{…}}`"))?;
        Evaluator::new(&self.file.functions)
            .value(&expression)
            .map_err(|error| format!("`{text}` has no value: {}", error.message))
    }
}

fn wanted(session: &Session, values: usize) -> String {
    let names: Vec<&str> = session.params.iter().map(|param| &*param.text).collect();
    let usage: Vec<String> = names.iter().map(|name| format!("--arg <{name}>")).collect();
    match (names.len(), values) {
        (0, _) => format!("session `{}` takes no values", session.key.text),
        (_, 0) => {
            format!("session `{}` needs values: give them with `{}`", session.key.text, usage.join(" "))
        }
        (count, _) => format!(
            "session `{}` takes {count} values, not {values}: `{}`",
            session.key.text,
            usage.join(" ")
        ),
    }
}
