//! The commands, one per file.

pub(crate) mod cc;
pub(crate) mod certify;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod explore;
pub(crate) mod fences;
pub(crate) mod fmt;
pub(crate) mod fuzz;
pub(crate) mod hunt;
pub(crate) mod invariants;
pub(crate) mod litmus;
pub(crate) mod merge;
pub(crate) mod protocol;
pub(crate) mod prove;
pub(crate) mod replay;
pub(crate) mod step;
pub(crate) mod test;

use crate::{
    Exit,
    flags::{OutputFlags, Written},
    output::Output,
    report::{Figures, Report},
};
use std::time::Instant;

/// What a command has come to about one file.
struct Answered {
    exit: Exit,
    /// Counters of the engine that gave the answer.
    figures: Figures,
}

impl From<Exit> for Answered {
    fn from(exit: Exit) -> Answered {
        Answered { exit, figures: Figures::None }
    }
}

/// A command that handles its files one by one.
struct Job<'a> {
    command: &'static str,
    files: &'a [String],
    flags: &'a OutputFlags,
    written: Written<'a>,
}

impl Job<'_> {
    /// Runs the command on one file after the other, and reports the results, with figures for people as `statistics` writes
    /// them after some seconds. If an output file cannot be written, it ends before
    /// any search.
    fn run(
        &self,
        mut job: impl FnMut(&str, &Output, &mut Report) -> Answered,
        statistics: impl Fn(&Figures, f64) -> String,
    ) -> Exit {
        let started = Instant::now();
        let output = Output::new(self.flags.clone());
        let output = if self.written.takes_stdout() { output.leave_stdout() } else { output };
        if let Err(message) = self.written.try_all(self.files.len(), self.flags) {
            let mut report = Report::new(self.command, self.files);
            output.error(&message);
            report.reason = Some(message);
            output.document(&report);
            return Exit::BadInput;
        }
        let mut results = Vec::new();
        for file in self.files {
            if self.files.len() > 1 {
                output.result(&format!("{}{file}:", if results.is_empty() { "" } else { "\n" }));
            }
            results.push(self.one(file, &output, &mut job, &statistics));
        }
        let exit = results.iter().fold(Exit::Holds, |worst, (exit, _)| worst.worse(*exit));
        let mut report = match results.len() {
            1 => results.remove(0).1,
            _ => Report::of_several(self.command, self.files, results),
        };
        report.took(started.elapsed());
        if self.files.len() > 1 {
            output.result(&format!("\n{}", summary(&report)));
        }
        output.document(&report);
        exit
    }

    fn one(
        &self,
        file: &str,
        output: &Output,
        job: &mut impl FnMut(&str, &Output, &mut Report) -> Answered,
        statistics: impl Fn(&Figures, f64) -> String,
    ) -> (Exit, Report) {
        let started = Instant::now();
        let mut report = Report::new(self.command, &[file.to_owned()]);
        let Answered { exit, figures } = job(file, output, &mut report);
        let time = started.elapsed();
        if exit != Exit::BadInput {
            output.result(&statistics(&figures, time.as_secs_f64()));
        }
        report.stats.figures = figures;
        report.took(time);
        (exit, report)
    }
}

/// Runs a command whose files make one program, and reports the result.
fn one_program(
    command: &'static str,
    files: &[String],
    flags: &OutputFlags,
    written: &Written<'_>,
    job: impl FnOnce(&Output, &mut Report) -> Answered,
) -> Exit {
    let started = Instant::now();
    let output = Output::new(flags.clone());
    let output = if written.takes_stdout() { output.leave_stdout() } else { output };
    let mut report = Report::new(command, files);
    let exit = match written.try_all(1, flags) {
        Ok(()) => {
            let Answered { exit, figures } = job(&output, &mut report);
            if let Figures::Testing(figures) = &figures {
                output.result(&crate::telling::program::statistics(figures, started.elapsed().as_secs_f64()));
            }
            report.stats.figures = figures;
            exit
        }
        Err(message) => crate::telling::refused(&output, &mut report, message),
    };
    report.took(started.elapsed());
    output.document(&report);
    exit
}

/// The number of files with each verdict.
fn summary(report: &Report) -> String {
    use crate::report::Verdict::{Holds, Unknown, Violated};
    let of = |verdict| report.results.iter().filter(|result| result.verdict == verdict).count();
    let parts = [
        (Some(Holds), "holds"),
        (Some(Violated), "violated"),
        (Some(Unknown), "unknown"),
        (None, "with errors"),
    ];
    let parts = parts.map(|(verdict, word)| (of(verdict), word));
    let told: Vec<String> = parts
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, word)| format!("{number} {word}"))
        .collect();
    format!("{} files: {}", report.files.len(), told.join(", "))
}
