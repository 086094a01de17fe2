//! `motet certify DIR`: asks the solvers that are installed whether a certificate is one.

use crate::{
    Exit,
    flags::{OutputFlags, WorkerFlag},
    output::Output,
    report::{Message, PropertyReport, Report, Verdict},
};
use ::certify::{Asking, Opinion, SolverReport, run_solvers};
use clap::Args;
use source::Severity;
use std::{
    num::NonZero,
    path::Path,
    time::{Duration, Instant},
};

#[derive(Debug, Args)]
pub(crate) struct CertifyArgs {
    /// The folder of a certificate
    #[arg(value_name = "DIR")]
    folder: String,
    /// Give each solver so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = crate::flags::seconds, default_value = "60")]
    limit_time: Duration,
    #[command(flatten)]
    workers: WorkerFlag,
    #[command(flatten)]
    output: OutputFlags,
}

impl CertifyArgs {
    fn asking(&self) -> Asking {
        let threads = NonZero::new(self.workers.count()).unwrap_or(NonZero::<usize>::MIN);
        Asking { limit: self.limit_time, threads }
    }
}

pub(crate) fn run(args: &CertifyArgs) -> Exit {
    let started = Instant::now();
    let output = Output::new(args.output.clone());
    let mut report = Report::new("certify", std::slice::from_ref(&args.folder));
    report.certificate = Some(args.folder.clone());
    let exit = match run_solvers(Path::new(&args.folder), args.asking()) {
        Ok(opinions) => conclude(&opinions, &output, &mut report),
        Err(error) => {
            let message = error.to_string();
            output.error(&message);
            report.diagnostics.push(Message::about_file(
                &args.folder,
                Severity::Error,
                "bad-certificate",
                message,
            ));
            Exit::BadInput
        }
    };
    report.took(started.elapsed());
    output.document(&report);
    exit
}

/// Accepted if every solver that was asked accepts; rejected if any rejects.
fn conclude(opinions: &[SolverReport], output: &Output, report: &mut Report) -> Exit {
    for opinion in opinions {
        output.result(&format!("{}: {}", opinion.solver, words(opinion)));
        let verdict = verdict(&opinion.opinion);
        if let Some(verdict) = verdict {
            let (name, kind) = (opinion.solver.to_owned(), "solver".to_owned());
            report.properties.push(PropertyReport { name, kind, verdict, trace: None });
        }
    }
    let verdicts: Vec<Verdict> = report.properties.iter().map(|property| property.verdict).collect();
    let (verdict, exit, line) = if verdicts.is_empty() {
        let names: Vec<&str> = opinions.iter().map(|opinion| opinion.solver).collect();
        let line =
            format!("undecided: no solver is installed (looked for {} on the path)", names.join(" and "));
        (Verdict::Unknown, Exit::Unknown, line)
    } else if verdicts.contains(&Verdict::Violated) {
        (Verdict::Violated, Exit::Violated, "rejected".to_owned())
    } else if verdicts.contains(&Verdict::Unknown) {
        (Verdict::Unknown, Exit::Unknown, "undecided: not every question was answered".to_owned())
    } else {
        (Verdict::Holds, Exit::Holds, "accepted".to_owned())
    };
    output.result(&line);
    report.verdict = Some(verdict);
    report.reason = match exit {
        Exit::Holds => None,
        _ => Some(std::iter::once(line).chain(reasons(opinions)).collect::<Vec<_>>().join("; ")),
    };
    exit
}

/// None for a solver that was not asked.
fn verdict(opinion: &Opinion) -> Option<Verdict> {
    match opinion {
        Opinion::Accepted => Some(Verdict::Holds),
        Opinion::Rejected(_) => Some(Verdict::Violated),
        Opinion::Undecided(_) => Some(Verdict::Unknown),
        Opinion::NotFound => None,
    }
}

fn words(report: &SolverReport) -> String {
    match &report.opinion {
        Opinion::Accepted => format!("accepted, {} questions", report.answered),
        Opinion::Rejected(question) => format!("rejected, it has a counterexample to: {question}"),
        Opinion::Undecided(question) => format!("undecided: {question}"),
        Opinion::NotFound => "not installed".into(),
    }
}

fn reasons(opinions: &[SolverReport]) -> impl Iterator<Item = String> {
    let worth =
        opinions.iter().filter(|report| !matches!(report.opinion, Opinion::Accepted | Opinion::NotFound));
    worth.map(|report| format!("{}: {}", report.solver, words(report)))
}
