//! `motet invariants FILE`: what the numbers of a model say about how many processes are where.

use crate::{
    Exit,
    flags::OutputFlags,
    load::load,
    output::Output,
    report::{Report, Verdict},
    telling,
};
use clap::Args;
use ir::Model;
use model::Queues;
use std::time::Instant;

#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct InvariantsArgs {
    /// A model
    #[arg(value_name = "FILE")]
    file: String,
    #[command(flatten)]
    output: OutputFlags,
}

const MORE: &str = "\
A place invariant is a sum of numbers and of numbers of processes in certain places that no step changes, whatever the number of \
processes. They are found by linear algebra, and checked like every proof. `motet prove` uses them.

The exit code is 0, with or without any, and 3 if those that were found could not be checked.";

pub(crate) fn run(args: &InvariantsArgs) -> Exit {
    let started = Instant::now();
    let output = Output::new(args.output.clone());
    let mut report = Report::new("invariants", std::slice::from_ref(&args.file));
    let exit = load("invariants", &args.file, Queues::Any, &output, &mut report)
        .map_or(Exit::BadInput, |loaded| list(&loaded.model, &output, &mut report));
    report.took(started.elapsed());
    output.document(&report);
    exit
}

fn list(model: &Model, output: &Output, report: &mut Report) -> Exit {
    match prove::place_invariants(model) {
        Ok(sentences) => {
            report.verdict = Some(Verdict::Holds);
            if sentences.is_empty() {
                output.result("no place invariant mentions a number of this model");
            }
            sentences.iter().for_each(|sentence| output.result(sentence));
            report.place_invariants = sentences;
            Exit::Holds
        }
        Err(why) => telling::unknown(output, report, why.to_string()),
    }
}
