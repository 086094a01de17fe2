//! `motet protocol monitor`: whether a log follows a protocol, line by line as it is written.

use super::{COMMAND, refuse};
use crate::{
    Exit,
    flags::{LimitFlags, OutputFlags},
    output::{Output, count},
    protocols::{
        self, InstanceFlags, NoInstance,
        checking::{self, Asked},
        logs,
    },
    report::{PropertyReport, Report, Verdict},
    telling,
};
use ::protocol::{Monitor, Observed, Style, Vocabulary};
use clap::Args;
use std::{
    fs::File,
    io::{self, BufRead, BufReader},
};

#[derive(Debug, Args)]
pub(crate) struct MonitorArgs {
    /// A protocol (.dcj)
    #[arg(value_name = "FILE")]
    file: String,
    /// A log: an action in each line, as JSON or in words [default: standard input]
    #[arg(value_name = "LOG")]
    log: Option<String>,
    #[command(flatten)]
    instance: InstanceFlags,
    /// What is allowed: strict (the protocol itself), or liberal (also what roles do that need not wait for each other) [default: strict]
    #[arg(long, value_name = "STYLE")]
    style: Option<Style>,
    /// A temporal property
    #[arg(long, value_name = "FORMULA")]
    property: Vec<String>,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    output: OutputFlags,
}

pub(crate) fn monitor(args: &MonitorArgs) -> Exit {
    let output = Output::new(args.output.clone());
    let mut report = Report::new(COMMAND, std::slice::from_ref(&args.file));
    let exit =
        watched(args, &output, &mut report).unwrap_or_else(|message| refuse(message, &output, &mut report));
    output.document(&report);
    exit
}

fn watched(args: &MonitorArgs, output: &Output, report: &mut Report) -> Result<Exit, String> {
    let limits = protocols::limits(&args.limits);
    let instance = match protocols::load(&args.file, &args.instance, &limits, output, report) {
        Ok(instance) => instance,
        Err(NoInstance::Bad) => return Ok(Exit::BadInput),
        Err(NoInstance::Limit(reason)) => return Ok(telling::unknown(output, report, reason)),
    };
    let style = args.style.unwrap_or(Style::Strict);
    if style == Style::Spec {
        return Err("a log is compared with a strict or liberal implementation".into());
    }
    let implementation = instance.implementation(style)?;
    let vocabulary = implementation.vocabulary().clone();
    let named = (1..).zip(&args.property).map(|(number, formula)| (format!("ltl{number}"), formula));
    let asked = named.map(|(name, formula)| checking::parse(name, formula, &vocabulary, output));
    let asked = asked.collect::<Result<Vec<Asked>, String>>()?;
    let properties = asked.iter().map(|asked| asked.property.clone()).collect();
    let monitor = Monitor::new(implementation, properties).map_err(|reason| reason.to_string())?;
    let mut watch = Watch { monitor, vocabulary: &vocabulary, asked: &asked, output, exit: Exit::Holds };
    let lines: Box<dyn BufRead> = match &args.log {
        Some(log) => Box::new(BufReader::new(
            File::open(log).map_err(|error| format!("cannot read `{log}`: {error}"))?,
        )),
        None => Box::new(io::stdin().lock()),
    };
    for (number, line) in (1..).zip(lines.lines()) {
        let line = line.map_err(|error| format!("line {number} of the log cannot be read: {error}"))?;
        if !line.trim().is_empty() && !watch.line(number, &line, report)? {
            return Ok(watch.exit);
        }
    }
    watch.end(report);
    Ok(watch.exit)
}

struct Watch<'a> {
    monitor: Monitor,
    vocabulary: &'a Vocabulary,
    asked: &'a [Asked],
    output: &'a Output,
    exit: Exit,
}

impl Watch<'_> {
    /// Reads a line; whether the run can be followed further.
    fn line(&mut self, number: usize, line: &str, report: &mut Report) -> Result<bool, String> {
        let action = logs::action(line, self.vocabulary)
            .map_err(|error| format!("line {number} of the log: {error}"))?;
        match self.monitor.observe(&action) {
            Observed::Allowed(violated) => {
                for at in violated {
                    self.violated(at, &format!("by line {number}, however the program goes on"), report);
                }
                Ok(true)
            }
            Observed::Deviation(allowed) => {
                let text = self.vocabulary.text(&action);
                self.output.result(&format!("violated: line {number} deviates from the protocol: {text}"));
                self.show();
                let allowed: Vec<String> =
                    allowed.iter().map(|action| self.vocabulary.text(action)).collect();
                let allowed = if allowed.is_empty() { "nothing".to_owned() } else { allowed.join("; ") };
                self.output.result(&format!("  allowed here: {allowed}"));
                report.verdict = Some(Verdict::Violated);
                report.reason = Some(format!(
                    "line {number} deviates from the protocol: {text}; allowed here: {allowed}"
                ));
                report.properties.push(PropertyReport::undeclared("protocol", "traces", Verdict::Violated));
                self.exit = Exit::Violated;
                Ok(false)
            }
        }
    }

    fn show(&self) {
        for (number, action) in (1..).zip(self.monitor.trace()) {
            self.output.result(&format!("    {number} {}", self.vocabulary.text(action)));
        }
    }

    fn violated(&mut self, at: usize, how: &str, report: &mut Report) {
        let asked = &self.asked[at];
        self.output.result(&format!("violated: `{}`, {how}: {}", asked.name, asked.text));
        self.show();
        let property = PropertyReport::undeclared(&asked.name, "ltl", Verdict::Violated);
        report.properties.push(PropertyReport { formula: Some(asked.text.clone()), ..property });
        report.verdict = Some(Verdict::Violated);
        self.exit = Exit::Violated;
    }

    /// The log has ended.
    fn end(&mut self, report: &mut Report) {
        let steps = count(self.monitor.trace().len(), "action");
        let known = |name: &str| report.properties.iter().any(|it| it.name == name);
        let open: Vec<usize> = (0..self.asked.len()).filter(|at| !known(&self.asked[*at].name)).collect();
        let Some(judged) = self.monitor.end() else {
            let reason = format!(
                "{steps} follow the protocol; the session is not over, and nothing is said about what comes"
            );
            self.output.result(&reason);
            report.reason = Some(reason);
            return;
        };
        for at in open {
            if judged[at] {
                self.output
                    .result(&format!("`{}` holds of this run: {}", self.asked[at].name, self.asked[at].text));
            } else {
                self.violated(at, "by the whole run, if it ends here", report);
            }
        }
        self.output.result(&format!("{steps} follow the protocol, and the session may be over"));
    }
}
