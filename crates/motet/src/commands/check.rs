//! `motet check FILE…`: all errors and warnings of all files in one run.

use crate::{
    Exit,
    flags::OutputFlags,
    load::load,
    output::{Output, count},
    report::Report,
};
use clap::Args;
use ir::Model;
use model::Queues;
use std::time::Instant;

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Models to check; `-` is standard input
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
    let Some(loaded) = load("check", file, Queues::Any, output, report) else { return false };
    output.result(&format!("{file}: {}", summary(&loaded.model, loaded.warnings)));
    true
}

/// The size of a model in words, which shows that it was understood.
fn summary(model: &Model, warnings: usize) -> String {
    let variables = model.symbols.iter().filter(|symbol| symbol.origin == ir::Origin::Declared).count();
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
