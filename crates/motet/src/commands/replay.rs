//! `motet replay TRACE`: follows a recorded trace from its start.

use super::{check, explore};
use crate::{
    Exit,
    flags::{DiagramFlag, OutputFlags},
    output::{Output, count},
    pictures,
    report::{PropertyReport, Report, Verdict},
};
use ::explore::Trace;
use clap::Args;
use model::{
    Queues,
    exploration::{DeadlockPolicy, Options, Replayed, replay_trace},
};
use serde_json::Value;
use std::{fs, time::Instant};

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// A trace that `--trace` has written
    #[arg(value_name = "TRACE")]
    trace: String,
    /// The model, if it is not where it was
    #[arg(long, value_name = "FILE")]
    model: Option<String>,
    #[command(flatten)]
    diagram: DiagramFlag,
    #[command(flatten)]
    output: OutputFlags,
}

pub(crate) fn run(args: &ReplayArgs) -> Exit {
    let started = Instant::now();
    let output = Output::new(args.output.clone());
    let mut report = Report::new("replay", std::slice::from_ref(&args.trace));
    let exit = replay(args, &output, &mut report).unwrap_or_else(|message| {
        output.error(&message);
        report.reason = Some(message);
        Exit::BadInput
    });
    report.took(started.elapsed());
    output.document(&report);
    exit
}

fn replay(args: &ReplayArgs, output: &Output, report: &mut Report) -> Result<Exit, String> {
    let text =
        fs::read_to_string(&args.trace).map_err(|error| format!("cannot read `{}`: {error}", args.trace))?;
    let document: Value =
        serde_json::from_str(&text).map_err(|error| format!("`{}` is no trace: {error}", args.trace))?;
    let trace = Trace::from_itf(&document).map_err(|error| format!("`{}` is {error}", args.trace))?;
    let meta = |name: &str| document["#meta"][name].as_str().map(str::to_owned);
    let missing = |name: &str| format!("`{}` does not say which {name} it is about", args.trace);
    let file = args.model.clone().or_else(|| meta("file")).ok_or_else(|| missing("file"))?;
    // A run of the debugger need not end in a violation.
    let property = meta("property");
    let processes = document["#meta"]["processes"]
        .as_u64()
        .and_then(|n| u32::try_from(n).ok())
        .ok_or_else(|| missing("number of processes"))?;
    // Who is woken is part of the run: under another order the same steps may not be there.
    let queues = match meta("queues").as_deref() {
        None | Some("any") => Queues::Any,
        Some("fifo") => Queues::Fifo,
        Some(other) => return Err(format!("`{}` has queues that are unknown: `{other}`", args.trace)),
    };
    let Some((model, _)) = check::load_with(&file, queues, output, report) else { return Ok(Exit::BadInput) };
    if explore::file_hash(&file) != meta("hash") {
        output.remark(&format!("warning: `{file}` has changed since the trace was recorded"));
    }
    report.processes = Some(processes);
    // Numbers that were open had the values of their ranges.
    let ranges = document["#meta"]["ranges"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let ranges = ranges.map(|text| explore::range(text, &model)).collect::<Result<_, _>>()?;
    let deadlock = DeadlockPolicy::Error;
    let seed = document["#meta"]["seed"].as_u64();
    let options = Options { ranges, deadlock, seed, ..Options::new(processes) };
    let replayed = replay_trace(&model, &options, &trace, property.as_deref().unwrap_or_default());
    Ok(match (replayed, property) {
        (Replayed::Deviates(how), _) => explore::unknown(output, report, how),
        (_, None) => {
            let steps = count(trace.steps.len(), "step");
            output.result(&format!("the run can be followed, for {steps}; it claims no violation"));
            output.trace(&trace, processes);
            Exit::Holds
        }
        (Replayed::Confirmed, Some(property)) => {
            output.result(&format!(
                "violated: `{property}` shows again after {}",
                count(trace.steps.len(), "step")
            ));
            output.trace(&trace, processes);
            report.verdict = Some(Verdict::Violated);
            let kind = meta("kind").unwrap_or_default();
            let drawn = draw(args, &trace, processes, &file, &ending(&kind, &property, trace.steps.len()));
            report.properties.push(PropertyReport {
                name: property,
                kind,
                verdict: Verdict::Violated,
                trace: None,
            });
            drawn.map(|()| Exit::Violated)?
        }
        (Replayed::Refuted, Some(property)) => explore::unknown(
            output,
            report,
            format!("the run can be followed, but `{property}` is not violated at its end"),
        ),
    })
}

/// Draws the trace, where that is wanted.
fn draw(args: &ReplayArgs, trace: &Trace, processes: u32, file: &str, ending: &str) -> Result<(), String> {
    let Some(picture) = &args.diagram.diagram else { return Ok(()) };
    pictures::draw_trace(picture, trace, processes, file, ending.to_owned())
}

fn ending(kind: &str, property: &str, steps: usize) -> String {
    let what = if kind == property { kind.to_owned() } else { format!("{kind} `{property}`") };
    format!("{what}, {steps} {} from the start", if steps == 1 { "step" } else { "steps" })
}
