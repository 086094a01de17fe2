//! Protocols on the command line: reading them, choosing an instance, and what is told about it.

pub(crate) mod building;
pub(crate) mod checking;
pub(crate) mod driving;
pub(crate) mod logs;
pub(crate) mod pictures;
pub(crate) mod replaying;
pub(crate) mod stepping;

use crate::{
    flags::LimitFlags,
    output::{Output, count},
    report::{Message, Report},
    trace_file::ProtocolDetails,
};
use ::protocol::{Implementation, NoGraph, Protocol, StateGraph, Style};
use clap::Args;
use explore::Limits;
use source::{Diagnostic, Severity, Source};

/// Whether a file is a protocol, by its name.
pub(crate) fn is_protocol(file: &str) -> bool {
    std::path::Path::new(file).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("dcj"))
}

/// Which instance of a protocol is meant.
#[derive(Debug, Clone, Args)]
pub(crate) struct InstanceFlags {
    /// The session [default: the one that no other session calls]
    #[arg(long, value_name = "KEY")]
    pub(crate) session: Option<String>,
    /// A value for the next parameter of the session
    #[arg(long = "arg", value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) values: Vec<String>,
}

/// An instance of a protocol.
pub(crate) struct Instance {
    pub(crate) source: Source,
    pub(crate) session: String,
    pub(crate) values: Vec<String>,
    pub(crate) graph: StateGraph,
}

impl Instance {
    pub(crate) fn file(&self) -> &str {
        self.source.name()
    }

    /// What identifies it in a trace.
    pub(crate) fn details(
        &self,
        implementation: &Implementation,
        capacity: Option<usize>,
    ) -> ProtocolDetails {
        ProtocolDetails {
            session: self.session.clone(),
            values: self.values.clone(),
            style: implementation.style().word().to_owned(),
            capacity,
        }
    }

    pub(crate) fn implementation(&self, style: Style) -> Result<Implementation, String> {
        Implementation::new(&self.graph, style)
            .map_err(|_| format!("the {style} implementation has too many states to be made"))
    }
}

/// Why there is no instance.
pub(crate) enum NoInstance {
    /// The input is wrong; that was said.
    Bad,
    /// A limit was reached.
    Limit(String),
}

/// The states that are visited if no limit is given.
const USUAL_STATES: usize = 2_000_000;

/// The limits of a search.
pub(crate) fn limits(flags: &LimitFlags) -> Limits {
    let limits = flags.limits();
    Limits { states: limits.states.or(Some(USUAL_STATES)), ..limits }
}

/// Reads a protocol and unfolds a session, and shows all messages.
pub(crate) fn load(
    file: &str,
    flags: &InstanceFlags,
    limits: &Limits,
    output: &Output,
    report: &mut Report,
) -> Result<Instance, NoInstance> {
    let source = match Source::read(file) {
        Ok(source) => source,
        Err(error) => {
            let message = error.to_string();
            output.error(&message);
            report.diagnostics.push(Message::about_file(file, Severity::Error, "unreadable-file", message));
            return Err(NoInstance::Bad);
        }
    };
    let loaded = Protocol::load(&source);
    let errors = loaded.diagnostics.errors();
    for diagnostic in &loaded.diagnostics.sorted() {
        tell(&source, diagnostic, output, report);
    }
    let Some(protocol) = loaded.protocol else {
        output.error(&format!("`{file}` has {}", count(errors, "error")));
        return Err(NoInstance::Bad);
    };
    let mut refuse = |message: String| {
        output.error(&message);
        report.reason = Some(message);
        NoInstance::Bad
    };
    let values = flags.values.iter().map(|text| protocol.value(text)).collect::<Result<Vec<_>, _>>();
    let values = values.map_err(&mut refuse)?;
    let session = protocol.session(flags.session.as_deref(), values.len()).map_err(&mut refuse)?;
    match protocol.graph(session, values, limits) {
        Ok(graph) => {
            graph.warnings.iter().for_each(|warning| tell(&source, warning, output, report));
            let (session, values) = (session.key.text.to_string(), flags.values.clone());
            Ok(Instance { source, session, values, graph })
        }
        Err(NoGraph::Obstacle(obstacle)) => {
            tell(&source, &obstacle.0, output, report);
            output.error(&format!("`{file}` has 1 error"));
            Err(NoInstance::Bad)
        }
        Err(NoGraph::Limit(limit)) => Err(NoInstance::Limit(limit.to_string())),
    }
}

fn tell(source: &Source, diagnostic: &Diagnostic, output: &Output, report: &mut Report) {
    output.diagnostic(source, diagnostic);
    report.diagnostics.push(Message::new(source, diagnostic));
}
