//! `motet check FILE…`: all errors and warnings of all files in one run.

use crate::{
    Exit,
    flags::OutputFlags,
    output::{Output, count},
    report::{Message, Report},
};
use clap::Args;
use model::{Queues, ir::Model};
use source::{Severity, Source};
use std::time::Instant;

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Models to check; `-` is the standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    #[command(flatten)]
    pub(crate) output: OutputFlags,
}

pub(crate) fn run(args: CheckArgs) -> Exit {
    let started = Instant::now();
    let output = Output::new(args.output);
    let mut report = Report::new("check", &args.files);
    let valid = args.files.iter().filter(|file| check_file(file, &output, &mut report)).count();
    let invalid = args.files.len() - valid;
    if args.files.len() > 1 && invalid > 0 {
        output.remark(&format!("{invalid} of {} files have errors", args.files.len()));
    }
    report.took(started.elapsed());
    output.document(&report);
    if invalid == 0 { Exit::Holds } else { Exit::BadInput }
}

/// Whether the file is a valid model. Says so, or why not.
fn check_file(file: &str, output: &Output, report: &mut Report) -> bool {
    let Some((model, warnings)) = load(file, output, report) else { return false };
    output.result(&format!("{file}: {}", summary(&model, warnings)));
    true
}

/// Reads and checks a model, and shows all messages. The model and how many warnings there were; none if there is an error.
pub(crate) fn load(file: &str, output: &Output, report: &mut Report) -> Option<(Model, usize)> {
    load_with(file, Queues::Any, output, report)
}

/// The same, for a run in which processes queue in a given way.
pub(crate) fn load_with(
    file: &str,
    queues: Queues,
    output: &Output,
    report: &mut Report,
) -> Option<(Model, usize)> {
    let source = match Source::read(file) {
        Ok(source) => source,
        Err(error) => {
            let message = error.to_string();
            output.error(&message);
            report.diagnostics.push(Message::about_file(file, Severity::Error, "unreadable-file", message));
            return None;
        }
    };
    let loaded = model::load_with(&source, queues);
    let left_out = loaded.diagnostics.left_out();
    let diagnostics = loaded.diagnostics.sorted();
    for diagnostic in &diagnostics {
        output.diagnostic(&source, diagnostic);
        report.diagnostics.push(Message::new(&source, diagnostic));
    }
    if left_out > 0 {
        let message = format!("{file}: {left_out} more messages are not shown");
        output.error(&message);
        report.diagnostics.push(Message::about_file(file, Severity::Note, "more-messages", message));
    }
    let of = |severity| diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    if loaded.model.is_none() {
        output.error(&format!("`{file}` has {}", count(of(Severity::Error), "error")));
    }
    loaded.model.map(|model| (model, of(Severity::Warning)))
}

/// What is in a model: tells the newcomer that it was understood.
fn summary(model: &Model, warnings: usize) -> String {
    let variables =
        model.symbols.iter().filter(|symbol| symbol.origin == model::ir::Origin::Declared).count();
    let locks = model
        .threads
        .as_ref()
        .map_or(0, |threads| threads.locks.iter().filter(|lock| lock.state_is_owner()).count());
    let declared =
        model.properties.iter().filter(|property| property.rule.is_none()).count() + model.temporal.len();
    let fine = if warnings == 0 {
        "no errors".to_owned()
    } else {
        format!("no errors, {}", count(warnings, "warning"))
    };
    format!(
        "{fine} ({}, {}, {})",
        count(variables + locks, "symbol"),
        count(model.rules.len(), "transition"),
        if declared == 1 { "1 property".to_owned() } else { format!("{declared} properties") }
    )
}
