//! `motet certify DIR [MODEL]`: checks that a certificate is valid, and about the model.

use crate::{
    Exit,
    flags::{MemoryFlag, MemoryModel, OutputFlags, WorkerFlag},
    load::load,
    output::{Output, count},
    report::{Message, PropertyReport, Report, Verdict},
};
use ::certify::events::{self, EVENTS};
use ::certify::{
    BadFolder, Cause, Certificate, CheckOptions, Checked, Difference, Opinion, Rejection, SolverOptions,
    SolverReport, Stop, Unreadable, check_with, differences, read, read_capacity, run_solvers,
};
use ::explore::Limits;
use clap::Args;
use explore::Deadline;
use instance::Obstacle;
use ir::Model;
use model::Queues;
use source::Severity;
use std::{
    borrow::Cow,
    num::NonZero,
    path::Path,
    time::{Duration, Instant},
};

#[derive(Debug, Args)]
pub(crate) struct CertifyArgs {
    /// The folder of a certificate
    #[arg(value_name = "DIR")]
    folder: String,
    /// The model that it must be about; without it, solvers only check the scripts
    #[arg(value_name = "MODEL")]
    model: Option<String>,
    /// Time limit for each solver and for the checker
    #[arg(long, value_name = "SECONDS", value_parser = crate::flags::seconds, default_value = "60")]
    limit_time: Duration,
    #[command(flatten)]
    memory: MemoryFlag,
    #[command(flatten)]
    workers: WorkerFlag,
    #[command(flatten)]
    output: OutputFlags,
}

impl CertifyArgs {
    fn threads(&self) -> NonZero<usize> {
        NonZero::new(self.workers.count()).unwrap_or(NonZero::<usize>::MIN)
    }

    fn asking(&self) -> SolverOptions {
        SolverOptions { limit: self.limit_time, threads: self.threads() }
    }

    fn how(&self) -> CheckOptions {
        let limits = Limits { time: Some(self.limit_time), ..Limits::default() };
        let deadline = Deadline::of(&limits);
        let stop = Stop::when(move || deadline.ended().is_some());
        CheckOptions { threads: self.threads(), stop, ..CheckOptions::default() }
    }

    fn files(&self) -> Vec<String> {
        std::iter::once(&self.folder).chain(&self.model).cloned().collect()
    }
}

pub(crate) fn run(args: &CertifyArgs) -> Exit {
    let started = Instant::now();
    let output = Output::new(args.output.clone());
    let mut report = Report::new("certify", &args.files());
    report.certificate = Some(args.folder.clone());
    let exit = match &args.model {
        None => scripts_alone(args, &output, &mut report),
        Some(file) => load("certify", file, Queues::Any, &output, &mut report)
            .map_or(Exit::BadInput, |loaded| {
                about_model(args, file, &args.memory.read(loaded.model), &output, &mut report)
            }),
    };
    report.took(started.elapsed());
    output.document(&report);
    exit
}

/// The opinion of the checker, of a solver, or of the comparison of scripts.
struct Answer {
    who: &'static str,
    kind: &'static str,
    /// None if the solver is not installed.
    verdict: Option<Verdict>,
    words: String,
}

/// Runs solvers on the scripts in the folder, which may be about anything.
fn scripts_alone(args: &CertifyArgs, output: &Output, report: &mut Report) -> Exit {
    let answers = match run_solvers(Path::new(&args.folder), args.asking()) {
        Ok(opinions) => opinions.iter().map(of_solver).collect::<Vec<_>>(),
        Err(error) => return refuse(args, error.to_string(), output, report),
    };
    let exit = conclude(&answers, "accepted: the scripts, and nothing else", output, report);
    if exit == Exit::Holds {
        // Scripts that are unsatisfiable can be written about anything: that is not a verdict on a model.
        let open = format!(
            "only the scripts were checked, not that they are about any model: `motet certify {} MODEL` checks that",
            args.folder
        );
        output.result(&open);
        report.verdict = None;
        report.reason = Some(open);
    }
    exit
}

/// Reads only the invariant from the folder, and derives everything else from the model.
fn about_model(args: &CertifyArgs, file: &str, model: &Model, output: &Output, report: &mut Report) -> Exit {
    let folder = Path::new(&args.folder);
    if let Some(message) = without_buffers(args, model) {
        return refuse(args, message, output, report);
    }
    if folder.join(EVENTS).is_file() {
        return about_events(args, file, model, output, report);
    }
    let model = &match with_buffers(folder, model) {
        Ok(model) => model,
        Err(message) => return refuse(args, message, output, report),
    };
    let accepted = format!("accepted: `{file}` is safe for every number of processes{}", up_to(model));
    let answers = match read(folder, model) {
        Ok(certificate) => match answers(args, file, model, &certificate) {
            Ok(answers) => answers,
            Err(error) => return refuse(args, error.to_string(), output, report),
        },
        Err(other @ Unreadable::OtherModel(_)) => vec![Answer {
            who: "invariant",
            kind: "certificate",
            verdict: Some(Verdict::Violated),
            words: format!("rejected, checked against `{file}`: {other}"),
        }],
        Err(error @ Unreadable::NoInvariant(_)) => return refuse(args, error.to_string(), output, report),
    };
    let exit = conclude(&answers, &accepted, output, report);
    if exit == Exit::Holds {
        for assumption in &model.assumptions {
            output.result(&format!("assumed: `{}` never matches", assumption.name));
        }
    }
    exit
}

/// Checks a certificate about memory events. There is no other solver for these.
fn about_events(args: &CertifyArgs, file: &str, model: &Model, output: &Output, report: &mut Report) -> Exit {
    let path = Path::new(&args.folder).join(EVENTS);
    let read = std::fs::read_to_string(&path).map_err(|error| error.to_string());
    let document = read.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
    let certificate = document.and_then(|document| events::Certificate::from_json(model, &document));
    let checked = match &certificate {
        Ok(certificate) => events::check_with(model, certificate, &args.how()),
        Err(why) => {
            return refuse(args, format!("`{}` is not a certificate: {why}", path.display()), output, report);
        }
    };
    let accepted = format!("accepted: `{file}` is safe for every number of processes{}", up_to(model));
    conclude(&[of_checker(&checked)], &accepted, output, report)
}

/// Why a certificate about x86-TSO cannot be about a model without store buffers.
fn without_buffers(args: &CertifyArgs, model: &Model) -> Option<String> {
    let folder = Path::new(&args.folder);
    let about_buffers = || folder.join(EVENTS).is_file() || matches!(read_capacity(folder), Ok(Some(_)));
    if model.is_weak() || !about_buffers() {
        return None;
    }
    Some(match args.memory.memory {
        Some(MemoryModel::Sc) => {
            "the certificate is about store buffers (x86-TSO), and `--memory sc` reads the model without them"
                .into()
        }
        _ => "the certificate is about store buffers (x86-TSO), and no symbol of the model is `weak`".into(),
    })
}

/// A weak model with store buffers of the capacity that the certificate is about. That they suffice is part of what is checked.
fn with_buffers<'m>(folder: &Path, model: &'m Model) -> Result<Cow<'m, Model>, String> {
    if !model.is_weak() {
        return Ok(Cow::Borrowed(model));
    }
    let capacity = read_capacity(folder).map_err(|error| error.to_string())?;
    let capacity = capacity.ok_or("the model is weak, and the certificate says nothing about store buffers; `--memory sc` leaves them out")?;
    let lowered = model.with_store_buffers_for_proof(capacity);
    lowered.map(Cow::Owned).map_err(|unsupported| Obstacle::Buffers(unsupported).explain(model))
}

fn up_to(model: &Model) -> String {
    model.max_processes.map_or(String::new(), |most| format!(" up to {most}"))
}

/// Checks the invariant, compares the scripts with those that the model gives, and runs solvers if they are the same.
fn answers(
    args: &CertifyArgs,
    file: &str,
    model: &Model,
    certificate: &Certificate,
) -> Result<Vec<Answer>, BadFolder> {
    let how = args.how();
    let checked = check_with(model, certificate, how.clone());
    let stopped = checked.is_err() && how.stop.is_asked();
    let mut answers = vec![of_checker(&checked)];
    // The expected scripts depend on what the checker concludes: without that, there is nothing to compare with.
    if stopped || matches!(&checked, Err(Rejection { cause: Cause::Unsupported(_), .. })) {
        return Ok(answers);
    }
    let folder = Path::new(&args.folder);
    let differences = differences(model, certificate, folder)?;
    let same = differences.is_empty();
    answers.push(of_scripts(&differences, file));
    // Opinions about other scripts do not matter.
    if same {
        answers.extend(run_solvers(folder, args.asking())?.iter().map(of_solver));
    }
    Ok(answers)
}

fn of_checker(checked: &Result<Checked, Rejection>) -> Answer {
    let (verdict, words) = match checked {
        Ok(checked) => (Verdict::Holds, format!("accepted, {}", count(checked.problems, "problem"))),
        Err(rejection) => match rejection.cause {
            Cause::Counterexample(_) => (Verdict::Violated, format!("rejected, {rejection}")),
            Cause::Undecided(_) | Cause::Unsupported(_) => {
                (Verdict::Unknown, format!("undecided, {rejection}"))
            }
        },
    };
    Answer { who: "motet", kind: "checker", verdict: Some(verdict), words }
}

/// More differences than this are only counted.
const MOST_DIFFERENCES: usize = 5;

fn of_scripts(differences: &[Difference], file: &str) -> Answer {
    let (verdict, words) = if differences.is_empty() {
        (Verdict::Holds, format!("accepted, they are those that `{file}` gives"))
    } else {
        let shown: Vec<String> = differences.iter().take(MOST_DIFFERENCES).map(ToString::to_string).collect();
        let more = match differences.len().saturating_sub(MOST_DIFFERENCES) {
            0 => String::new(),
            more => format!("; and {}", count(more, "more difference")),
        };
        let words = format!("rejected, they are not those that `{file}` gives: {}{more}", shown.join("; "));
        (Verdict::Violated, words)
    };
    Answer { who: "scripts", kind: "certificate", verdict: Some(verdict), words }
}

fn of_solver(report: &SolverReport) -> Answer {
    let (verdict, words) = match &report.opinion {
        Opinion::Accepted => {
            (Some(Verdict::Holds), format!("accepted, {}", count(report.answered, "question")))
        }
        Opinion::Rejected(question) => {
            (Some(Verdict::Violated), format!("rejected, it has a counterexample to: {question}"))
        }
        Opinion::Undecided(question) => (Some(Verdict::Unknown), format!("undecided: {question}")),
        Opinion::NotFound => (None, "not installed".into()),
    };
    Answer { who: report.solver, kind: "solver", verdict, words }
}

/// Reports why the folder is not a certificate at all.
fn refuse(args: &CertifyArgs, message: String, output: &Output, report: &mut Report) -> Exit {
    output.error(&message);
    report.diagnostics.push(Message::about_file(&args.folder, Severity::Error, "bad-certificate", message));
    Exit::BadInput
}

/// Accepted if all accept, rejected if any rejects.
fn conclude(answers: &[Answer], accepted: &str, output: &Output, report: &mut Report) -> Exit {
    for answer in answers {
        output.result(&format!("{}: {}", answer.who, answer.words));
        if let Some(verdict) = answer.verdict {
            report.properties.push(PropertyReport::undeclared(answer.who, answer.kind, verdict));
        }
    }
    let verdicts: Vec<Verdict> = answers.iter().filter_map(|answer| answer.verdict).collect();
    let (verdict, exit, line) = if verdicts.is_empty() {
        let names: Vec<&str> = answers.iter().map(|answer| answer.who).collect();
        let line =
            format!("undecided: no solver is installed (looked for {} on the path)", names.join(" and "));
        (Verdict::Unknown, Exit::Unknown, line)
    } else if verdicts.contains(&Verdict::Violated) {
        (Verdict::Violated, Exit::Violated, "rejected".to_owned())
    } else if verdicts.contains(&Verdict::Unknown) {
        (Verdict::Unknown, Exit::Unknown, "undecided: not every question was answered".to_owned())
    } else {
        (Verdict::Holds, Exit::Holds, accepted.to_owned())
    };
    output.result(&line);
    report.verdict = Some(verdict);
    report.reason = match exit {
        Exit::Holds => None,
        _ => Some(std::iter::once(line).chain(reasons(answers)).collect::<Vec<_>>().join("; ")),
    };
    exit
}

fn reasons(answers: &[Answer]) -> impl Iterator<Item = String> {
    let worth = answers.iter().filter(|answer| !matches!(answer.verdict, None | Some(Verdict::Holds)));
    worth.map(|answer| format!("{}: {}", answer.who, answer.words))
}
