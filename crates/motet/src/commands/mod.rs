//! The commands, one per file.

pub(crate) mod certify;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod explore;
pub(crate) mod fmt;
pub(crate) mod fuzz;
pub(crate) mod hunt;
pub(crate) mod prove;
pub(crate) mod replay;
pub(crate) mod step;

use crate::{Exit, flags::OutputFlags, output::Output, report::Report};
use std::time::Instant;

/// Does a job about files, and tells how much it took and what came out.
fn reported(
    command: &'static str,
    files: &[String],
    flags: &OutputFlags,
    job: impl FnOnce(&Output, &mut Report) -> Exit,
    statistics: impl Fn(&Report) -> String,
) -> Exit {
    let started = Instant::now();
    let output = Output::new(flags.clone());
    let mut report = Report::new(command, files);
    let exit = job(&output, &mut report);
    report.took(started.elapsed());
    if exit != Exit::BadInput {
        output.result(&statistics(&report));
    }
    output.document(&report);
    exit
}
