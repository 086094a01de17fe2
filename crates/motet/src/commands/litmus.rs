//! `motet litmus FILE…`: the final states of litmus tests for x86.

use crate::{
    Exit,
    flags::{LimitFlags, MemoryFlag, MemoryModel, OutputFlags},
    output::Output,
    report::{Message, Report, Verdict},
};
use clap::Args;
use litmus::{Memory, Outcome, parse};
use source::{Severity, Source};
use std::time::Instant;

#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct LitmusArgs {
    /// Litmus tests for x86 (.litmus)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    memory: MemoryFlag,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    output: OutputFlags,
}

const MORE: &str = "\
The memory model is x86-TSO unless `--memory sc` is given. The answer has the form that herd7 prints, except that final states are counted, \
not executions. The exit code is 0 if every condition is met, else 1 if one is not, else 3.";

pub(crate) fn run(args: &LitmusArgs) -> Exit {
    let started = Instant::now();
    let output = Output::new(args.output.clone());
    let mut report = Report::new("litmus", &args.files);
    let mut exit = Exit::Holds;
    for (at, file) in args.files.iter().enumerate() {
        if at > 0 {
            output.result("");
        }
        exit = exit.worse(one(args, file, &output, &mut report));
    }
    report.verdict = match exit {
        Exit::Holds => Some(Verdict::Holds),
        Exit::Violated => Some(Verdict::Violated),
        Exit::Unknown => Some(Verdict::Unknown),
        Exit::BadInput => None,
    };
    report.took(started.elapsed());
    output.document(&report);
    exit
}

/// Runs one test, and reports its outcome.
fn one(args: &LitmusArgs, file: &str, output: &Output, report: &mut Report) -> Exit {
    let source = match Source::read(file) {
        Ok(source) => source,
        Err(error) => {
            let message = error.to_string();
            output.error(&message);
            report.diagnostics.push(Message::about_file(file, Severity::Error, "unreadable-file", message));
            return Exit::BadInput;
        }
    };
    let test = match parse(&source) {
        Ok(test) => test,
        Err(diagnostics) => {
            for diagnostic in &diagnostics {
                output.diagnostic(&source, diagnostic);
                report.diagnostics.push(Message::new(&source, diagnostic));
            }
            return Exit::BadInput;
        }
    };
    let memory = match args.memory.memory {
        Some(MemoryModel::Sc) => Memory::Sc,
        Some(MemoryModel::Tso) | None => Memory::Tso,
    };
    told(&test.run(memory, &args.limits.limits()), output, report)
}

fn told(outcome: &Outcome, output: &Output, report: &mut Report) -> Exit {
    output.result(outcome.to_string().trim_end());
    report.litmus.push(serde_json::to_value(outcome).expect("outcomes have only text keys"));
    match outcome.verdict() {
        Verdict::Holds => Exit::Holds,
        Verdict::Violated => Exit::Violated,
        Verdict::Unknown => {
            report.reason = report.reason.take().or_else(|| outcome.incomplete.clone());
            Exit::Unknown
        }
    }
}
