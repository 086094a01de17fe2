//! `motet protocol …`: checks protocols, and draws them and their runs.

mod generate;
mod monitor;

use super::{Answered, Job};
use crate::{
    Exit,
    flags::{LimitFlags, OutputFlags, TraceFlag, Written},
    output::{Output, write_file, write_stdout},
    protocols::{
        self, Instance, InstanceFlags, NoInstance,
        checking::{self, Asked, Questions},
        pictures, replaying,
    },
    report::{Figures, Report, Verdict},
    telling,
    trace_file::Recorded,
};
use ::protocol::{Explored, Runs, Style};
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// A protocol (.dcj)
    #[arg(value_name = "FILE")]
    file: String,
    #[command(flatten)]
    instance: InstanceFlags,
    /// What is checked: the specification itself, or an implementation of it: spec, strict, liberal [default: strict and liberal]
    #[arg(long, value_name = "STYLE")]
    style: Option<Style>,
    /// The most messages of each channel; a send waits until there is room
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    capacity: Option<u16>,
    /// Check a program that was generated for the protocol, in the style that is given: a command that starts it
    #[arg(long, value_name = "COMMAND", requires = "style")]
    drive: Option<String>,
    /// Judge temporal properties by runs that never end only
    #[arg(long)]
    infinite_runs: bool,
    /// Judge temporal properties by runs that are fair to each role only: weak, strong
    #[arg(long, value_name = "KIND")]
    fair: Option<String>,
    /// A temporal property
    #[arg(long, value_name = "FORMULA")]
    property: Vec<String>,
    /// A file with a temporal property in each line, which may begin with a name and a colon
    #[arg(long, value_name = "FILE")]
    properties: Vec<String>,
    /// An automaton that accepts the runs that must not be (.hoa); its propositions are atoms
    #[arg(long, value_name = "FILE")]
    automaton: Vec<String>,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    trace: TraceFlag,
    #[command(flatten)]
    output: OutputFlags,
}

pub(crate) use generate::{GenerateArgs, generate};
pub(crate) use monitor::{MonitorArgs, monitor};

const COMMAND: &str = "protocol";

pub(crate) fn check(args: &CheckArgs) -> Exit {
    let written = Written::default().trace(&args.trace);
    let files = std::slice::from_ref(&args.file);
    let job = Job { command: COMMAND, files, flags: &args.output, written };
    job.run(|file, output, report| answer(args, file, output, report), statistics)
}

/// What `motet FILE.dcj` does: checks a protocol, and compares both styles with it.
pub(crate) struct Main<'a> {
    pub(crate) files: &'a [String],
    pub(crate) limits: &'a LimitFlags,
    pub(crate) trace: &'a TraceFlag,
    pub(crate) output: &'a OutputFlags,
}

pub(crate) fn main_job(main: &Main<'_>) -> Exit {
    let written = Written::default().trace(main.trace);
    let job = Job { command: "motet", files: main.files, flags: main.output, written };
    let answer = |file: &str, output: &Output, report: &mut Report| {
        let args = CheckArgs {
            file: file.to_owned(),
            instance: InstanceFlags { session: None, values: vec![] },
            style: None,
            capacity: None,
            drive: None,
            infinite_runs: false,
            fair: None,
            property: vec![],
            properties: vec![],
            automaton: vec![],
            limits: main.limits.clone(),
            trace: main.trace.clone(),
            output: main.output.clone(),
        };
        answer(&args, file, output, report)
    };
    job.run(answer, statistics)
}

fn statistics(figures: &Figures, seconds: f64) -> String {
    match figures {
        Figures::Exploration(figures) => telling::statistics(figures, seconds),
        _ => format!("\n{seconds:.2} s"),
    }
}

fn answer(args: &CheckArgs, file: &str, output: &Output, report: &mut Report) -> Answered {
    let limits = protocols::limits(&args.limits);
    let instance = match protocols::load(file, &args.instance, &limits, output, report) {
        Ok(instance) => instance,
        Err(NoInstance::Bad) => return Exit::BadInput.into(),
        Err(NoInstance::Limit(reason)) => return telling::unknown(output, report, reason).into(),
    };
    let asked = match asked(args, &instance, output) {
        Ok(asked) => asked,
        Err(message) => return telling::refused(output, report, message).into(),
    };
    let fair = match checking::fair(args.fair.as_slice(), &instance.graph.vocabulary) {
        Ok(fair) => fair,
        Err(message) => return telling::refused(output, report, message).into(),
    };
    let questions = Questions {
        command: COMMAND,
        runs: Runs { infinite_only: args.infinite_runs, fair },
        capacity: args.capacity.map(usize::from),
        asked: &asked,
        limits: &limits,
        trace: &args.trace,
        drive: args.drive.as_deref(),
    };
    let styles = args.style.map_or(vec![Style::Strict, Style::Liberal], |style| vec![style]);
    let mut exit = Exit::Holds;
    for style in styles {
        match checking::answer(&instance, style, &questions, output, report) {
            Ok(one) => exit = exit.worse(one),
            Err(message) => return telling::unknown(output, report, message).into(),
        }
    }
    report.processes = u32::try_from(instance.graph.vocabulary.roles.len()).ok();
    let verdict = match exit {
        Exit::Holds => Verdict::Holds,
        Exit::Violated => Verdict::Violated,
        _ => Verdict::Unknown,
    };
    report.verdict = Some(verdict);
    output.result(verdict.word());
    if args.trace.trace.is_some() && exit != Exit::Violated {
        output.remark("remark: there is no violation, hence no trace");
    }
    Answered { exit, figures: std::mem::take(&mut report.stats.figures) }
}

/// The properties that are asked for, from everywhere.
fn asked(args: &CheckArgs, instance: &Instance, output: &Output) -> Result<Vec<Asked>, String> {
    let vocabulary = &instance.graph.vocabulary;
    let mut lines: Vec<(Option<String>, String)> = Vec::new();
    for file in &args.properties {
        let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read `{file}`: {error}"))?;
        lines.extend(text.lines().filter_map(line));
    }
    lines.extend(args.property.iter().map(|formula| (None, formula.clone())));
    let mut asked = Vec::new();
    for (at, (name, formula)) in lines.into_iter().enumerate() {
        let name = name.unwrap_or_else(|| format!("ltl{}", at + 1));
        asked.push(checking::parse(name, &formula, vocabulary, output)?);
    }
    for file in &args.automaton {
        asked.push(checking::automaton(file, vocabulary)?);
    }
    Ok(asked)
}

/// A property of a file: `name: formula` or a formula; `#` begins a comment.
fn line(text: &str) -> Option<(Option<String>, String)> {
    let text = text.trim();
    if text.is_empty() || text.starts_with('#') {
        return None;
    }
    let is_name = |name: &str| name.chars().all(|letter| letter.is_alphanumeric() || "_-.".contains(letter));
    match text.split_once(':').filter(|(name, _)| is_name(name)) {
        Some((name, formula)) => Some((Some(name.to_owned()), formula.trim().to_owned())),
        None => Some((None, text.to_owned())),
    }
}

#[derive(Debug, Args)]
pub(crate) struct GraphArgs {
    /// A protocol (.dcj)
    #[arg(value_name = "FILE")]
    file: String,
    #[command(flatten)]
    instance: InstanceFlags,
    /// Draw the states of an implementation, with channels: spec, strict, liberal [default: the protocol without channels]
    #[arg(long, value_name = "STYLE")]
    style: Option<Style>,
    /// Where it goes (.dot, .svg, or .aut for Aldebaran) [default: DOT on standard output]
    #[arg(long, short = 'o', value_name = "FILE", id = "to")]
    to: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    output: OutputFlags,
}

pub(crate) fn graph(args: &GraphArgs) -> Exit {
    let output = Output::new(args.output.clone()).leave_stdout();
    let mut report = Report::new(COMMAND, std::slice::from_ref(&args.file));
    let exit = drawn_graph(args, &output, &mut report)
        .unwrap_or_else(|message| refuse(message, &output, &mut report));
    output.document(&report);
    exit
}

fn refuse(message: String, output: &Output, report: &mut Report) -> Exit {
    output.error(&message);
    report.reason = Some(message);
    Exit::BadInput
}

fn drawn_graph(args: &GraphArgs, output: &Output, report: &mut Report) -> Result<Exit, String> {
    let format = ending(args.to.as_deref(), &["dot", "svg", "aut"])?;
    let limits = protocols::limits(&args.limits);
    let instance = match protocols::load(&args.file, &args.instance, &limits, output, report) {
        Ok(instance) => instance,
        Err(NoInstance::Bad) => return Ok(Exit::BadInput),
        Err(NoInstance::Limit(reason)) => return Ok(telling::unknown(output, report, reason)),
    };
    let graph = match args.style {
        None => pictures::state_graph(&instance),
        Some(style) => {
            let implementation = instance.implementation(style)?;
            let explored = Explored::new(&implementation, &limits);
            if !explored.is_complete() {
                return Ok(telling::unknown(output, report, "not all states could be visited".into()));
            }
            pictures::explored_graph(&instance, implementation.vocabulary(), &explored)
        }
    };
    let text = match format {
        "svg" => render::graph_svg(&graph),
        "aut" => pictures::aldebaran(&graph),
        _ => render::dot(&graph),
    };
    written(args.to.as_deref(), &text, output)?;
    output.result(&format!("{} states, {} steps", graph.nodes.len(), graph.edges.len()));
    Ok(Exit::Holds)
}

#[derive(Debug, Args)]
pub(crate) struct DiagramArgs {
    /// A trace of a protocol, written by `--trace`
    #[arg(value_name = "TRACE")]
    trace: String,
    /// The protocol, if it has moved
    #[arg(long, value_name = "FILE")]
    model: Option<String>,
    /// Where it goes (.svg, or .mmd for Mermaid) [default: Mermaid on standard output]
    #[arg(long, short = 'o', value_name = "FILE", id = "to")]
    to: Option<PathBuf>,
    #[command(flatten)]
    output: OutputFlags,
}

pub(crate) fn diagram(args: &DiagramArgs) -> Exit {
    let output = Output::new(args.output.clone()).leave_stdout();
    let mut report = Report::new(COMMAND, std::slice::from_ref(&args.trace));
    let exit =
        drawn_run(args, &output, &mut report).unwrap_or_else(|message| refuse(message, &output, &mut report));
    output.document(&report);
    exit
}

fn drawn_run(args: &DiagramArgs, output: &Output, report: &mut Report) -> Result<Exit, String> {
    let format = ending(args.to.as_deref(), &["mmd", "svg"])?;
    let recorded = Recorded::read(&args.trace)?;
    let Some(protocol) = recorded.details.protocol.clone() else {
        return Err(format!("`{}` is not a trace of a protocol", args.trace));
    };
    let file = match &args.model {
        Some(file) => file.clone(),
        None => recorded.model()?,
    };
    let followed = match replaying::follow(&recorded, &file, &protocol, output, report)? {
        Ok(followed) => followed,
        Err(exit) => return Ok(exit),
    };
    let title = format!("{} ({}, {})", followed.instance.file(), protocol.session, protocol.style);
    let sequence = pictures::sequence(&followed, title);
    let text = if format == "svg" { render::sequence_svg(&sequence) } else { render::mermaid(&sequence) };
    written(args.to.as_deref(), &text, output)?;
    Ok(Exit::Holds)
}

/// The ending of a file name, which must be one of some; the first of them without a file.
fn ending(file: Option<&Path>, known: &[&'static str]) -> Result<&'static str, String> {
    let Some(file) = file else { return Ok(known[0]) };
    let found = file.extension().and_then(|it| it.to_str()).map(str::to_ascii_lowercase).unwrap_or_default();
    known.iter().find(|it| **it == found).copied().ok_or_else(|| {
        let names: Vec<String> = known.iter().map(|it| format!(".{it}")).collect();
        format!("the name `{}` must end in {}", file.display(), names.join(" or "))
    })
}

fn written(file: Option<&Path>, text: &str, output: &Output) -> Result<(), String> {
    if let Some(file) = file {
        return write_file(file, text);
    }
    // The document is the only thing on standard output in JSON.
    if output.human() {
        write_stdout(text.trim_end());
    }
    Ok(())
}
