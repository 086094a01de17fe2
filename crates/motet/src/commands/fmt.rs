//! `motet fmt FILE…`: formats models and protocols in place.

use crate::{
    Exit,
    flags::OutputFlags,
    output::{Output, write_whole},
    report::{Message, Report},
};
use clap::Args;
use source::{Severity, Source};
use std::{
    io::{self, Write},
    path::Path,
    time::Instant,
};

#[derive(Debug, Args)]
pub(crate) struct FmtArgs {
    /// Models (.cub) and protocols (.dcj) to format; `-` formats standard input to standard output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Change nothing; exit with 1 if something would change
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    output: OutputFlags,
}

/// The result for one file.
enum Formatted {
    AsItWas,
    Changed,
    Failed,
}

pub(crate) fn run(args: FmtArgs) -> Exit {
    let started = Instant::now();
    let output = Output::new(args.output);
    let mut report = Report::new("fmt", &args.files);
    let mut exit = Exit::Holds;
    for file in &args.files {
        let ended = match format_file(file, args.check, &output, &mut report) {
            Formatted::Failed => Exit::BadInput,
            Formatted::Changed if args.check => Exit::Violated,
            Formatted::Changed | Formatted::AsItWas => Exit::Holds,
        };
        exit = exit.worse(ended);
    }
    report.took(started.elapsed());
    output.document(&report);
    exit
}

fn format_file(file: &str, check: bool, output: &Output, report: &mut Report) -> Formatted {
    let mut fail = |message: String| {
        output.error(&message);
        report.diagnostics.push(Message::about_file(file, Severity::Error, "unreadable-file", message));
        Formatted::Failed
    };
    let source = match Source::read(file) {
        Ok(source) => source,
        Err(error) => return fail(error.to_string()),
    };
    let is_protocol = Path::new(file).extension().is_some_and(|ending| ending == "dcj");
    let format = if is_protocol { ::protocol::format } else { model::fmt::format };
    let formatted = match format(source.text()) {
        Ok(formatted) => formatted,
        Err(errors) => {
            for error in &errors {
                output.diagnostic(&source, error);
                report.diagnostics.push(Message::new(&source, error));
            }
            output.error(&format!("`{file}` is not formatted: it has syntax errors"));
            return Formatted::Failed;
        }
    };
    let changed = formatted != source.text();
    if !check {
        let written =
            if file == "-" { print(&formatted, output) } else { replace_if(changed, file, &formatted) };
        if let Err(error) = written {
            return fail(format!("cannot write `{file}`: {error}"));
        }
    }
    if !changed {
        return Formatted::AsItWas;
    }
    let done = if check { "would be formatted" } else { "formatted" };
    if file != "-" || check {
        output.result(&format!("{file}: {done}"));
    }
    report.diagnostics.push(Message::about_file(file, Severity::Note, "not-formatted", done.to_owned()));
    Formatted::Changed
}

fn print(text: &str, output: &Output) -> io::Result<()> {
    // The document is the only thing on standard output in JSON.
    if output.human() {
        io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush())
    } else {
        Ok(())
    }
}

fn replace_if(changed: bool, file: &str, text: &str) -> io::Result<()> {
    if changed { write_whole(Path::new(file), text) } else { Ok(()) }
}
