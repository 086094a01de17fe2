//! What several tests need: protocols from text or from a folder.
#![allow(dead_code, reason = "not every test needs everything")]

use explore::Limits;
use motet_protocol::{Protocol, StateGraph, Value};
use source::Source;
use std::path::PathBuf;

/// A protocol from text, which must have no errors.
pub(crate) fn protocol(text: &str) -> Protocol {
    let loaded = Protocol::load(&Source::new("test.dcj", text));
    let messages: Vec<String> = loaded.diagnostics.sorted().iter().map(|it| it.message.clone()).collect();
    loaded.protocol.unwrap_or_else(|| panic!("{messages:?}"))
}

/// The state graph of the main session.
pub(crate) fn graph(protocol: &Protocol, values: &[&str]) -> StateGraph {
    let values: Vec<Value> = values.iter().map(|text| protocol.value(text).unwrap()).collect();
    let session = protocol.session(None, values.len()).unwrap();
    protocol.graph(session, values, &Limits::default()).unwrap()
}

/// The numbers of states and steps.
pub(crate) fn size(protocol: &Protocol, values: &[&str]) -> (usize, usize) {
    let graph = graph(protocol, values);
    (graph.steps.len(), graph.edges())
}

/// The folder of published protocols, if `MOTET_CORPUS` names one.
pub(crate) fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("MOTET_CORPUS").map(PathBuf::from).map(|it| it.join("protocols"));
    let folder = folder.filter(|folder| folder.is_dir());
    if folder.is_none() {
        eprintln!("skipped: MOTET_CORPUS does not name a folder with `protocols` in it");
    }
    folder
}
